//go:build linux && (amd64 || arm64)

package botan

import (
	stdcipher "crypto/cipher"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// shaped is a keyed cipher with the calls of a message, whose addresses and lengths
// are those of the last.
type shaped struct {
	*cipher
	first, last call.Program
	additional  bool // the last message had additional data, which would stay
}

// newAEAD returns what makes a case's cipher under a key.
func (o on) newAEAD(c result.Case) func(key []byte) (stdcipher.AEAD, error) {
	m := mode{algorithm: c.Algorithm, mode: c.Mode}
	m.name, _ = cipherName(c.Algorithm, c.Mode)
	way := handings[o.subject.Implementation].way
	return binding.Ciphers(func(key []byte) (binding.Making, error) {
		return func(d loop.Direction) (*binding.Handle, error) {
			m := m
			m.direction = d
			k, err := o.newCipher(o.path, m, key)
			if err != nil {
				return nil, err
			}
			x := &shaped{cipher: k, first: k.start(binding.Message{AAD: []byte{0}}), last: call.Program{k.update(flagFinal, nil, nil)}}
			if way == byUpdate {
				x.first = append(x.first, k.update(0, nil, nil))
			}
			return &binding.Handle{Crypt: x.run, Free: func() { _ = x.close() }}, nil
		}, o.proofs.of(o.path, m, way)
	})
}

// The places of the calls, and of what changes among their arguments.
const (
	atAAD, atStart, atUpdate              = 0, 1, 2
	argument, size                        = 1, 2
	outArgument, room, inArgument, inSize = 2, 3, 5, 6
)

// run does a Message: update with as much as it takes, and FINAL with the rest, or
// all of it with FINAL. It allocates nothing.
func (x *shaped) run(out, in, nonce, aad []byte) error {
	x.first[atStart].Args[argument], x.first[atStart].Args[size] = call.Bytes(nonce), uintptr(len(nonce))
	from, to := atStart, atUpdate
	if len(aad) > 0 || x.additional {
		from, x.additional = atAAD, len(aad) > 0
		x.first[atAAD].Args[argument], x.first[atAAD].Args[size] = call.Bytes(aad), uintptr(len(aad))
	}
	body := len(in) - x.held()
	if len(x.first) > atUpdate && body > 0 {
		to = atUpdate + 1
		x.hand(&x.first[atUpdate], out, in[:body])
	}
	if err := x.path.Run(x.first[from:to], 1); err != nil {
		return x.lib.explain(x.first[from:to], err)
	}
	taken, wrote := 0, 0
	if to > atUpdate {
		if taken, wrote = int(*x.consumed), int(*x.written); taken < 0 || taken > body || wrote < 0 || wrote > taken {
			return provider.Incorrect("says-took-wrote", "botan_cipher_update", *x.consumed, body,
				*x.written)
		}
	}
	x.hand(&x.last[0], out[wrote:], in[taken:])
	if err := x.path.Run(x.last, 1); err != nil {
		return x.lib.explain(x.last, err)
	}
	if wrote+int(*x.written) != len(out) {
		return provider.Incorrect("says-wrote", "botan_cipher_update", *x.written, len(out)-wrote)
	}
	return nil
}

func (x *shaped) hand(c *call.Call, out, in []byte) {
	c.Args[outArgument], c.Args[room] = call.Bytes(out), uintptr(len(out))
	c.Args[inArgument], c.Args[inSize] = call.Bytes(in), uintptr(len(in))
}

// openSetup makes ciphers in Go's shape: of a loop in C none can be told from
// another.
func (o on) openSetup(c result.Case) (provider.Operation, error) {
	v, err := o.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	if c.Operation == "new" {
		return loop.NewConstruct(o.newAEAD(c), v), nil
	}
	return loop.NewFreshSeal(o.newAEAD(c), v), nil
}
