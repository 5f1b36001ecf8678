//go:build linux && (amd64 || arm64)

package cbinding

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Message is what goes in and where it comes out, both with the tag at the end where
// there is one.
type Message struct{ Nonce, AAD, In, Out []byte }

// Work is what a call of an operation does: its messages in order.
type Work struct {
	Messages  []Message
	Sequence  []int  // places in Messages
	Want, Out []byte // what they leave one behind the other; Out may be longer
}

// workOf takes a vector's message, or its sequence of messages, with memory for what
// becomes of them, and behind it for what a library may write besides.
func (s *Session) workOf(v *provider.Vector, d loop.Direction, spare int) Work {
	w, all := Work{Sequence: v.Sequence, Want: []byte{}}, v.Messages
	if len(w.Sequence) == 0 {
		all, w.Sequence = []provider.Message{{Nonce: v.Nonce, Plaintext: v.Plaintext, Ciphertext: v.Ciphertext}}, []int{0}
	}
	for _, m := range all {
		one := Message{Nonce: m.Nonce, AAD: v.AAD, In: m.Plaintext, Out: m.Ciphertext}
		if d == loop.Decrypt {
			one.In, one.Out = one.Out, one.In
		}
		w.Want, w.Messages = append(w.Want, one.Out...), append(w.Messages, one)
	}
	w.Out = s.RoomLike(w.Messages[0].Out, len(w.Want)+spare)
	at := 0
	for i := range w.Messages {
		end := at + len(w.Messages[i].Out)
		w.Messages[i].Out = w.Out[at:end:end]
		at = end
	}
	return w
}

type Runner func(w Work) (run func(n int) error, err error)

// InOrder is a runner of what each message appends to a program.
func (s *Session) InOrder(add func(p *Program, m Message)) Runner {
	return func(w Work) (func(n int) error, error) {
		all, programs := s.Program(), make([]call.Program, len(w.Messages))
		for i, m := range w.Messages {
			p := s.Program()
			add(p, m)
			programs[i] = p.Calls
		}
		for _, i := range w.Sequence {
			all.Calls = append(all.Calls, programs[i]...)
		}
		return all.Times, s.Err
	}
}

// Messages is the operation of a vector's message, or of its sequence of messages, with a
// tag at the end of each where tag has a length, and spare bytes behind them all.
func (s *Session) Messages(what string, d loop.Direction, v *provider.Vector, tag, spare int, runner Runner) (
	provider.Operation, error) {
	if s.Err != nil {
		return nil, s.Refused(what)
	}
	w := s.workOf(v, d, spare)
	s.Keep(w)
	f := loop.Foreign{Want: w.Want, Out: w.Out}
	run, err := runner(w)
	switch {
	case err != nil || tag == 0:
	case d == loop.Encrypt:
		f.Tag = tag
	default:
		m := w.Messages[len(w.Messages)-1]
		f.Sealed, f.Tagged = m.In, tag
		m.In, m.Out = slices.Clone(m.In), s.Room(len(m.Out) + spare)[:len(m.Out)]
		last := Work{Messages: []Message{m}, Sequence: []int{0}}
		s.Keep(last)
		var open func(n int) error
		open, err = runner(last)
		f.Open = func(tampered []byte) error {
			copy(m.In, tampered)
			return open(1)
		}
	}
	if err != nil {
		return nil, cmp.Or(err, s.Close())
	}
	return s.Operation(what, run, f)
}

// Drawing fills room for a vector's bytes by the library's generator, whose calls are appended by add.
func (s *Session) Drawing(c result.Case, v *provider.Vector, add func(p *Program, out []byte)) (provider.Operation, error) {
	p, out := s.Program(), s.RoomLike(v.Plaintext, len(v.Plaintext))
	add(p, out)
	return p.Operation(c.Name(), loop.Foreign{Accept: v.Accept, Out: out})
}

// Crypting appends the calls that encrypt or decrypt a text, and Summing those of the MAC
// of texts, one after the other.
type (
	Crypting func(p *Program, iv, in, out []byte)
	Summing  func(p *Program, out []byte, texts ...[]byte)
)

// Composite is CBC with PKCS #7 padding, and then HMAC over IV and ciphertext. Opening
// computes the tag and compares it, by a function that returns 0 where both are equal,
// before it decrypts anything. Behind the outputs there are spare bytes.
func (s *Session) Composite(c result.Case, v *provider.Vector, spare int, crypt Crypting, sum Summing, compare string) (
	provider.Operation, error) {
	const tag = 32 // SHA-256's and SM3's; longer ones have a test to fail
	d, computed := DirectionOf(c), s.Room(tag)
	return s.Messages(c.Name(), d, v, tag, spare, s.InOrder(func(p *Program, m Message) {
		if d == loop.Encrypt {
			body := m.Out[:len(m.Out)-tag]
			crypt(p, m.Nonce, m.In, body)
			sum(p, m.Out[len(body):], m.Nonce, body)
			return
		}
		body := m.In[:len(m.In)-tag]
		sum(p, computed, m.Nonce, body)
		p.AddBy(call.Zero, compare, p.Bytes(computed), p.Bytes(m.In[len(body):]), tag)
		crypt(p, m.Nonce, body, m.Out)
	}))
}
