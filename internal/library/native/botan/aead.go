//go:build linux && (amd64 || arm64)

package botan

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// sealer is a keyed cipher with the calls of a message, whose addresses and lengths
// are those of the last.
type sealer struct {
	*cipher
	calls      call.Program // additional data, start, update, and the call with FINAL
	way        parameter.Manner
	additional bool // the last message had additional data, which would stay
}

func (o on) newAEAD(path call.Path, c result.Case) loop.NewAEADFunc {
	return cbinding.Ciphers(func(key []byte, d loop.Direction) (*cbinding.Handle, error) {
		m, way := modeOf(c), o.pattern.way
		if err := o.lib.proofs.of(path, m, way); err != nil {
			return nil, err
		}
		m.direction = d
		k, err := newCipher(o.lib.Session(path), m, key)
		if err != nil {
			return nil, err
		}
		p := k.Program()
		k.start(p, cbinding.Message{AAD: []byte{0}})
		k.update(p, 0, nil, nil)
		k.update(p, flagFinal, nil, nil)
		x := &sealer{cipher: k, calls: p.Calls, way: way}
		return &cbinding.Handle{Crypt: x.crypt, Free: k.Close}, nil
	})
}

const atAAD, atStart, atUpdate, atFinal = 0, 1, 2, 3

// crypt does a message: update with as much as it takes, and FINAL with the rest, or
// all of it with FINAL. It allocates nothing.
func (x *sealer) crypt(out, in, nonce, aad []byte) error {
	x.calls[atStart].Args[1], x.calls[atStart].Args[2] = call.Bytes(nonce), uintptr(len(nonce))
	from, to := atStart, atUpdate
	if len(aad) > 0 || x.additional {
		from, x.additional = atAAD, len(aad) > 0
		x.calls[atAAD].Args[1], x.calls[atAAD].Args[2] = call.Bytes(aad), uintptr(len(aad))
	}
	body := len(in) - x.held()
	if x.way == parameter.Update && body > 0 {
		to = atFinal
		hand(&x.calls[atUpdate], out, in[:body])
	}
	if err := x.Path.Run(x.calls[from:to], 1); err != nil {
		return x.Explain(x.calls[from:to], err)
	}
	taken, wrote := 0, 0
	if to == atFinal {
		if taken, wrote = int(*x.consumed), int(*x.written); taken < 0 || taken > body || wrote < 0 || wrote > taken {
			return provider.Incorrect("says-took-wrote", "botan_cipher_update", *x.consumed, body, *x.written)
		}
	}
	hand(&x.calls[atFinal], out[wrote:], in[taken:])
	if err := x.Path.Run(x.calls[atFinal:], 1); err != nil {
		return x.Explain(x.calls[atFinal:], err)
	}
	if wrote+int(*x.written) != len(out) {
		return provider.Incorrect("says-wrote", "botan_cipher_update", *x.written, len(out)-wrote)
	}
	return nil
}

func hand(c *call.Call, out, in []byte) {
	c.Args[2], c.Args[3] = call.Bytes(out), uintptr(len(out))
	c.Args[5], c.Args[6] = call.Bytes(in), uintptr(len(in))
}

// openSetup makes ciphers in Go's shape: of a loop in C none can be told from
// another.
func (o on) openSetup(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	if c.Operation == algorithm.New {
		return loop.NewConstruct(o.newAEAD(s.Path, c), v), nil
	}
	return loop.NewFreshSeal(o.newAEAD(s.Path, c), v), nil
}
