//go:build linux && (amd64 || arm64)

package cbinding

import (
	"cmp"
	"crypto/cipher"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
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

func (m Message) Alone() Work { return Work{Messages: []Message{m}, Sequence: []int{0}} }

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
		last := m.Alone()
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

// Summing appends the calls of the MAC of texts, one after the other.
type Summing func(p *Program, out []byte, texts ...[]byte)

// Composite is CBC with PKCS #7 padding, and then HMAC over IV and ciphertext. Opening
// computes the tag and compares it, by a function that returns 0 where both are equal,
// before it decrypts anything. Behind the outputs there are spare bytes.
func (s *Session) Composite(c result.Case, v *provider.Vector, spare int,
	crypt func(p *Program, iv, in, out []byte), sum Summing, compare string) (provider.Operation, error) {
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

// The sizes of GCM with its usual nonce, and of ChaCha20-Poly1305.
const (
	NonceSize = 12
	TagSize   = 16
)

const BlockSize = 16

// Handle is a keyed object of a library's that seals messages, or opens them, one at a
// time. What goes in when it opens and what comes out when it seals has the tag at its
// end. Its memory is kept alive by the caller.
type Handle struct {
	Crypt func(out, in, nonce, aad []byte) error
	Free  func() error
}

// OneWay are the calls of a handle's message: the nonce's, the additional data's, and
// the rest, with the addresses and lengths of the last message.
type OneWay struct {
	*Program
	Direction  loop.Direction
	Nonce, AAD int // the places of their addresses among the arguments of their calls
	// Point gives the rest of the calls a message's text and its tag.
	Point func(rest call.Program, out, in, tag, n uintptr)
}

func (w *OneWay) Begin(add func(*Program, Message)) *OneWay {
	m := Message{Nonce: make([]byte, NonceSize), AAD: make([]byte, 1), Out: make([]byte, TagSize)}
	if w.Direction == loop.Decrypt {
		m.In, m.Out = m.Out, nil
	}
	add(w.Program, m)
	return w
}

func (w *OneWay) Handle(what string) (*Handle, error) {
	if w.Err != nil {
		return nil, w.Refused(what)
	}
	return &Handle{w.Crypt, w.Close}, nil
}

func (w *OneWay) Crypt(out, in, nonce, aad []byte) error {
	n, sealed := uintptr(min(len(in), len(out))), out
	if w.Direction == loop.Decrypt {
		sealed = in
	}
	with, rest := w.Calls[:1], w.Calls[2:]
	with[0].Args[w.Nonce] = call.Bytes(nonce)
	if len(aad) > 0 {
		with = w.Calls[:2]
		with[1].Args[w.AAD], with[1].Args[w.AAD+1] = call.Bytes(aad), uintptr(len(aad))
	}
	w.Point(rest, call.Bytes(out), call.Bytes(in), call.Bytes(sealed)+n, n)
	if err := w.Path.Run(with, 1); err != nil {
		return w.Explain(with, err)
	}
	if err := w.Path.Run(rest, 1); err != nil {
		return w.Explain(rest, err)
	}
	return nil
}

// Ciphers returns what makes ciphers in the shape of Go's, which many goroutines may use
// at once. A handle is at one message at a time, so a cipher keeps as many of a direction
// as were needed at once: a call takes one that is idle, or makes one, and puts it back. A
// call allocates nothing. What Go's collector finds dead is given back to the library.
func Ciphers(fresh func([]byte, loop.Direction) (*Handle, error)) func(key []byte) (cipher.AEAD, error) {
	return fence.Sealing(func(key []byte) (cipher.AEAD, error) {
		a := &aead{&handles{key: slices.Clone(key), fresh: fresh}}
		first, err := a.take(loop.Encrypt) // a library that refuses does so now
		if err != nil {
			return nil, err
		}
		a.give(loop.Encrypt, first)
		runtime.AddCleanup(a, (*handles).free, a.handles)
		return a, nil
	})
}

type aead struct{ *handles }

type handles struct {
	key   []byte
	fresh func(key []byte, d loop.Direction) (*Handle, error)
	first [2]atomic.Pointer[Handle] // by direction: the idle one of a cipher that one goroutine uses at a time
	mu    sync.Mutex
	idle  [2][]*Handle
}

func (p *handles) take(d loop.Direction) (*Handle, error) {
	if h := p.first[d].Swap(nil); h != nil {
		return h, nil
	}
	p.mu.Lock()
	if n := len(p.idle[d]); n > 0 {
		h := p.idle[d][n-1]
		p.idle[d] = p.idle[d][:n-1]
		p.mu.Unlock()
		return h, nil
	}
	p.mu.Unlock()
	return p.fresh(p.key, d)
}

func (p *handles) give(d loop.Direction, h *Handle) {
	if p.first[d].CompareAndSwap(nil, h) {
		return
	}
	p.mu.Lock()
	p.idle[d] = append(p.idle[d], h)
	p.mu.Unlock()
}

func (p *handles) free() {
	for d := range p.idle {
		for _, h := range append([]*Handle{p.first[d].Load()}, p.idle[d]...) {
			if h != nil {
				_ = h.Free()
			}
		}
	}
}

func (a *aead) crypt(d loop.Direction, out, in, nonce, aad []byte) error {
	if len(nonce) != NonceSize {
		return reason.New("nonce-length")
	}
	h, err := a.take(d)
	if err != nil {
		return err
	}
	err = h.Crypt(out, in, nonce, aad)
	runtime.KeepAlive(out)
	runtime.KeepAlive(in)
	runtime.KeepAlive(nonce)
	runtime.KeepAlive(aad)
	a.give(d, h)
	runtime.KeepAlive(a)
	return err
}

func (a *aead) NonceSize() int { return NonceSize }
func (a *aead) Overhead() int  { return TagSize }

// Seal panics where the library fails, which nobody has seen of a keyed handle.
func (a *aead) Seal(dst, nonce, plaintext, aad []byte) []byte {
	n := len(plaintext) + TagSize
	dst = slices.Grow(dst, n)
	if err := a.crypt(loop.Encrypt, dst[len(dst):len(dst)+n], plaintext, nonce, aad); err != nil {
		panic(reason.New("sealing", len(plaintext), err))
	}
	return dst[:len(dst)+n]
}

func (a *aead) Open(dst, nonce, sealed, aad []byte) ([]byte, error) {
	n := len(sealed) - TagSize
	if n < 0 {
		return nil, reason.New("shorter-than-tag")
	}
	dst = slices.Grow(dst, n)
	out := dst[len(dst) : len(dst)+n]
	if err := a.crypt(loop.Decrypt, out, sealed, nonce, aad); err != nil {
		clear(out) // what was not authentic is nobody's to read
		return nil, err
	}
	return dst[:len(dst)+n], nil
}
