//go:build linux && (amd64 || arm64)

package botan

import (
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// openCollected asks what a call that is done with a private key costs Go's garbage collector.
func (o on) openCollected(c result.Case) (provider.Scenario, error) {
	v, err := o.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	s := o.session()
	turn, room := s.turning(provider.Plain(c), v)
	if s.Err != nil {
		return nil, s.refused(c.Name())
	}
	return s.Keyed(c, v, turn, room)
}

// turning returns what makes one text of another with a private key, and how long that
// can be.
func (s *session) turning(c result.Case, v *provider.Vector) (turn binding.Turn, room int) {
	key, padding, flags := s.privateKey(c, v.Key, v.PKCS8), "Raw", uintptr(0)
	if c.Operation != "agree" {
		padding, flags = paddingOf(c)
	}
	kind := map[string]string{"sign": "sign", "decrypt": "decrypt", "agree": "key_agreement"}[c.Operation]
	op := s.object("botan_pk_op_"+kind+"_create", "botan_pk_op_"+kind+"_destroy", key, s.Text(padding), flags)
	x := s.caller()
	of := func(each func(out, in uintptr, n int) error) binding.Turn {
		return func(out, in []byte) (uint64, error) {
			*x.size = uint64(len(out))
			err := each(call.Bytes(out), call.Bytes(in), len(in))
			runtime.KeepAlive(out)
			return *x.size, err
		}
	}
	switch c.Operation {
	case "sign":
		return of(func(out, in uintptr, n int) error {
			if err := x.do("botan_pk_op_sign_update", op, in, uintptr(n)); err != nil {
				return err
			}
			return x.do("botan_pk_op_sign_finish", op, x.rng, out, call.Word(x.size))
		}), len(v.Signature) + slack
	case "decrypt":
		return of(func(out, in uintptr, n int) error {
			return x.do("botan_pk_op_decrypt", op, out, call.Word(x.size), in, uintptr(n))
		}), longestCiphertext
	}
	return of(func(out, in uintptr, n int) error {
		return x.do("botan_pk_op_key_agreement", op, out, call.Word(x.size), in, uintptr(n), 0, 0)
	}), len(v.Secret)
}
