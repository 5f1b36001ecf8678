//go:build linux && (amd64 || arm64)

package binding

import (
	"errors"
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Turn makes one text of another with a private key, and says how long it is.
type Turn func(out, in []byte) (uint64, error)

// Keyed asks what a turn costs Go's garbage collector: a signature, a decryption or an
// agreement, whose output has room bytes at most. A library in C writes into the caller's
// buffers, so the caller chooses every one; the first is the arena's, before the library is
// given memory of Go's.
func (a *Arena) Keyed(c result.Case, v *provider.Vector, turn Turn, room int) (provider.Scenario, error) {
	op := loop.Buffered{In: v.Signed, Out: room, Check: v.Accept}
	switch c.Operation {
	case "decrypt":
		op.In, op.Check = v.Ciphertext, same(v.Plaintext)
	case "agree":
		op.In, op.Check = v.Peer, same(v.Secret)
	}
	op.Call = func(out, in []byte) ([]byte, error) {
		if cap(out) < room {
			out = make([]byte, room)
		}
		n, err := turn(out[:room], in)
		runtime.KeepAlive(in)
		runtime.KeepAlive(a)
		if err == nil {
			err = Filled(n, room)
		}
		if err != nil {
			return nil, err
		}
		return out[:n], nil
	}
	_, err := op.Call(a.Room(room), op.In)
	if err = errors.Join(err, a.Outputs.Check()); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	s, err := loop.NewGC(c, op)
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a.Scenario(s, result.ProcessClock), nil
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
