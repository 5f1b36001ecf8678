//go:build linux && (amd64 || arm64)

package cbinding

import (
	"crypto/cipher"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

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

type Making func(key []byte, d loop.Direction) (*Handle, error)

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
func Ciphers(fresh Making) func(key []byte) (cipher.AEAD, error) {
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
	fresh Making
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
		if h := p.first[d].Load(); h != nil {
			_ = h.Free()
		}
		for _, h := range p.idle[d] {
			_ = h.Free()
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
