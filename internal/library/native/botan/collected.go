//go:build linux && (amd64 || arm64)

package botan

import (
	"errors"
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/library/native/arena"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// openCollected asks what a call costs Go's collector that is done with a private key. Botan writes into the caller's buffers, so the caller
// chooses every one.
func (o on) openCollected(c result.Case) (provider.Scenario, error) {
	v, err := o.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	s := o.session()
	op := s.turning(provider.Plain(c), v)
	if s.Err != nil {
		return nil, s.refused(c.Name())
	}
	scenario, err := loop.NewCollector(c, op)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s.Scenario(scenario, result.ProcessClock), nil
}

// turning makes one text of another with a private key.
func (s *session) turning(c result.Case, v *provider.Vector) loop.Collected {
	key, padding, flags := s.privateKey(c, v.Key, v.PKCS8), "Raw", uintptr(0)
	x := s.caller()
	var turn func(out, in uintptr, n int) error
	op := loop.Collected{In: v.Signed, Out: len(v.Signature) + slack, Check: v.Accept}
	if c.Operation != "agree" {
		padding, flags = paddingOf(c)
	}
	switch c.Operation {
	case "sign":
		signer := s.object("botan_pk_op_sign_create", "botan_pk_op_sign_destroy", key, s.Text(padding), flags)
		turn = func(out, in uintptr, n int) error {
			if err := x.do("botan_pk_op_sign_update", signer, in, uintptr(n)); err != nil {
				return err
			}
			return x.do("botan_pk_op_sign_finish", signer, x.rng, out, call.Word(x.size))
		}
	case "decrypt":
		op = loop.Collected{In: v.Ciphertext, Out: longestCiphertext, Check: same(v.Plaintext)}
		decrypter := s.object("botan_pk_op_decrypt_create", "botan_pk_op_decrypt_destroy", key, s.Text(padding), flags)
		turn = func(out, in uintptr, n int) error {
			return x.do("botan_pk_op_decrypt", decrypter, out, call.Word(x.size), in, uintptr(n))
		}
	default:
		op = loop.Collected{In: v.Peer, Out: len(v.Secret), Check: same(v.Secret)}
		agreement := s.object("botan_pk_op_key_agreement_create", "botan_pk_op_key_agreement_destroy", key, s.Text(padding), flags)
		turn = func(out, in uintptr, n int) error {
			return x.do("botan_pk_op_key_agreement", agreement, out, call.Word(x.size), in, uintptr(n), 0, 0)
		}
	}
	op.Call = func(out, in []byte) ([]byte, error) {
		if cap(out) < op.Out {
			out = make([]byte, op.Out)
		}
		out = out[:op.Out]
		*x.size = uint64(len(out))
		err := turn(call.Bytes(out), call.Bytes(in), len(in))
		runtime.KeepAlive(in)
		runtime.KeepAlive(s)
		if err == nil {
			err = arena.Filled(*x.size, len(out))
		}
		if err != nil {
			return nil, err
		}
		return out[:*x.size], nil
	}
	if s.Err == nil { // before it is given memory of Go's
		_, s.Err = op.Call(s.Room(op.Out), op.In)
		s.Err = errors.Join(s.Err, s.Outputs.Check())
	}
	return op
}

// same judges an output that there is but one of.
func same(want []byte) func([]byte) error {
	return func(got []byte) error {
		if string(got) != string(want) {
			return reason.New("wrong")
		}
		return nil
	}
}
