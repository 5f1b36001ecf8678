//go:build linux && (amd64 || arm64)

package libgcrypt

import (
	"crypto/cipher"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// nonceSize is that of GCM's usual nonce and of ChaCha20-Poly1305's.
const nonceSize = 12

// aead makes ciphers in the shape of Go's, which many goroutines may use at once.
// What the collector finds dead of them is given back to the library.
func (o on) aead(c result.Case) func(key []byte) (cipher.AEAD, error) {
	return fence.Sealing(func(key []byte) (cipher.AEAD, error) {
		a := &aead{&handles{on: o, c: c, key: slices.Clone(key)}}
		first, err := a.newSealer() // a library that refuses does so now
		if err != nil {
			return nil, err
		}
		a.first.Store(first)
		runtime.AddCleanup(a, (*handles).close, a.handles)
		return a, nil
	})
}

// aead is a cipher under a key. A handle of libgcrypt is at one message at a time,
// so an aead keeps as many as were needed at once: a call takes one that is idle, or
// makes one, and puts it back.
type aead struct{ *handles }

type handles struct {
	on
	c   result.Case
	key []byte

	first atomic.Pointer[sealer] // the idle one of an aead that is used by one goroutine at a time
	mu    sync.Mutex
	idle  []*sealer
}

func (p *handles) take() (*sealer, error) {
	if s := p.first.Swap(nil); s != nil {
		return s, nil
	}
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		s := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return s, nil
	}
	p.mu.Unlock()
	return p.newSealer()
}

func (p *handles) give(s *sealer) {
	if p.first.CompareAndSwap(nil, s) {
		return
	}
	p.mu.Lock()
	p.idle = append(p.idle, s)
	p.mu.Unlock()
}

func (p *handles) close() {
	if first := p.first.Load(); first != nil {
		first.close()
	}
	for _, s := range p.idle {
		s.close()
	}
}

// sealer is a keyed handle and the functions that are called with it.
type sealer struct {
	handle
	setIV, authenticate, encrypt, decrypt, getTag, checkTag *call.Func
}

func (p *handles) newSealer() (*sealer, error) {
	h, err := p.newHandle(p.c, p.key)
	return &sealer{handle: h, setIV: p.bind("gcry_cipher_setiv"), authenticate: p.bind("gcry_cipher_authenticate"), encrypt: p.bind("gcry_cipher_encrypt"),
		decrypt: p.bind("gcry_cipher_decrypt"), getTag: p.bind("gcry_cipher_gettag"), checkTag: p.bind("gcry_cipher_checktag")}, err
}

func (a *aead) NonceSize() int { return nonceSize }
func (a *aead) Overhead() int  { return tagSize }

// Seal panics where the library refuses, since its signature has no error.
func (a *aead) Seal(dst, nonce, plaintext, aad []byte) []byte {
	n := len(dst)
	sealed := slices.Grow(dst, len(plaintext)+tagSize)[:n+len(plaintext)+tagSize]
	s, err := a.take()
	if err == nil {
		err = s.seal(sealed[n:], nonce, plaintext, aad)
		a.give(s)
	}
	if err != nil {
		panic(err)
	}
	return sealed
}

func (a *aead) Open(dst, nonce, sealed, aad []byte) ([]byte, error) {
	n := len(dst)
	if len(sealed) < tagSize {
		return nil, reason.New("shorter-than-tag")
	}
	plaintext := slices.Grow(dst, len(sealed)-tagSize)[:n+len(sealed)-tagSize]
	s, err := a.take()
	if err != nil {
		return nil, err
	}
	defer a.give(s)
	if err := s.open(plaintext[n:], nonce, sealed, aad); err != nil {
		clear(plaintext[n:]) // what was not authentic is nobody's to read
		return nil, err
	}
	return plaintext, nil
}

// begin sets the nonce and takes in the additional data.
func (s *sealer) begin(nonce, aad []byte) error {
	if len(nonce) != nonceSize {
		return reason.New("nonce-length")
	}
	err := s.with(s.setIV, "gcry_cipher_setiv", nonce)
	if err != nil || len(aad) == 0 {
		return err
	}
	return s.with(s.authenticate, "gcry_cipher_authenticate", aad)
}

// with calls a function with the handle, bytes and their length.
func (s *sealer) with(f *call.Func, name string, b []byte) error {
	code := int32(f.Call(s.address, call.Bytes(b), uintptr(len(b))))
	runtime.KeepAlive(b)
	if code != 0 {
		return s.refused(name, code)
	}
	return nil
}

// process encrypts or decrypts; from may be where to is.
func (s *sealer) process(f *call.Func, name string, to, from []byte) error {
	code := int32(f.Call(s.address, call.Bytes(to), uintptr(len(to)), call.Bytes(from), uintptr(len(from))))
	runtime.KeepAlive(to)
	runtime.KeepAlive(from)
	if code != 0 {
		return s.refused(name, code)
	}
	return nil
}

func (s *sealer) seal(out, nonce, plaintext, aad []byte) error {
	if err := s.begin(nonce, aad); err != nil {
		return err
	}
	n := len(plaintext)
	if err := s.process(s.encrypt, "gcry_cipher_encrypt", out[:n], plaintext); err != nil {
		return err
	}
	return s.with(s.getTag, "gcry_cipher_gettag", out[n:])
}

func (s *sealer) open(out, nonce, sealed, aad []byte) error {
	if err := s.begin(nonce, aad); err != nil {
		return err
	}
	if err := s.process(s.decrypt, "gcry_cipher_decrypt", out, sealed[:len(out)]); err != nil {
		return err
	}
	return s.with(s.checkTag, "gcry_cipher_checktag", sealed[len(out):])
}
