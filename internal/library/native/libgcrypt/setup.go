//go:build linux && (amd64 || arm64)

package libgcrypt

import (
	"errors"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// openSchedule schedules the key in an open handle, again and again.
func openSchedule(s *binding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	c.Mode = algorithm.ECB
	h := newHandle(s, c, v.Key)
	set := func(key []byte) *binding.Program {
		p := s.Program()
		p.Add("gcry_cipher_setkey", h, s.Bytes(key), uintptr(len(key)))
		return p
	}
	other := set(make([]byte, len(v.Key)))
	return set(v.Key).Operation(c.Name(), loop.Foreign{Accept: func([]byte) error {
		if err := works(s, h, c, v); err != nil {
			return reason.New("scheduled-key", err)
		}
		return other.Times(1) // so that only a schedule can make it right again
	}})
}

// works lets a handle encrypt and decrypt the vector's message, and judges both.
func works(s *binding.Session, h uintptr, c result.Case, v *provider.Vector) error {
	for _, d := range []loop.Direction{loop.Encrypt, loop.Decrypt} {
		op, err := messages(s.Session(call.Purego), h, c, d, v, pattern{})
		if err != nil {
			return err
		}
		if err := errors.Join(op.Run(1), op.Check(), op.Close()); err != nil {
			return err
		}
	}
	return nil
}

// openSetup makes an AEAD ready for messages, again and again, each in the place of the
// one before, and lets it seal one where the case wants that.
func openSetup(s *binding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	newHandle(s, c, v.Key) // which refuses now what it would refuse later
	cipher, mode := numbersOf(c)
	h, p, freeing := s.Word(), s.Program(), s.Program()
	p.Add("gcry_cipher_open", call.Word(h), cipher, mode, 0)
	p.Add("gcry_cipher_setkey", 0, s.Bytes(v.Key), uintptr(len(v.Key)))
	freeing.AddBy(call.Any, "gcry_cipher_close", 0)
	f := loop.Foreign{}
	if c.Operation == algorithm.NewEncrypt {
		f = loop.Foreign{Want: v.Ciphertext, Tag: binding.TagSize, Out: s.Room(len(v.Ciphertext))}
		handing(0, c, loop.Encrypt, pattern{})(p, binding.Message{Nonce: v.Nonce, AAD: v.AAD, In: v.Plaintext, Out: f.Out})
	}
	drop := func() error {
		if freeing.Calls[0].Args[0] = uintptr(*h); *h == 0 {
			return nil
		}
		*h = 0
		return s.Path.Run(freeing.Calls, 1)
	}
	s.Own(drop)
	run := func(n int) error {
		for range n {
			if err := drop(); err != nil {
				return err
			}
			if err := s.Path.Run(p.Calls[:1], 1); err != nil {
				*h = 0
				return s.Explain(p.Calls, err)
			}
			for i := range p.Calls[1:] {
				p.Calls[1+i].Args[0] = uintptr(*h)
			}
			if err := s.Path.Run(p.Calls[1:], 1); err != nil {
				return s.Explain(p.Calls[1:], err)
			}
		}
		return nil
	}
	if c.Operation == algorithm.NewEncrypt {
		each := run
		return s.Operation(c.Name(), func(n int) error { return errors.Join(each(n), drop()) }, f)
	}
	f.Accept = func([]byte) error {
		if *h == 0 {
			return reason.New("no-handle")
		}
		if err := errors.Join(works(s, uintptr(*h), c, v), drop()); err != nil {
			return reason.New("made-last", err)
		}
		return nil
	}
	return s.Operation(c.Name(), run, f)
}
