//go:build linux && (amd64 || arm64)

package libgcrypt

import (
	"crypto/cipher"
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/providers/native/call"
	"github.com/cryptogauge/cryptogauge/result"
)

// nonceSize is that of GCM's usual nonce and of ChaCha20-Poly1305's.
const nonceSize = 12

// aead makes handles in the shape of crypto/cipher, for calls whose arguments
// change. Of each is given back what is C's when nothing refers to it any more.
func (o on) aead(c result.Case) func(key []byte) (cipher.AEAD, error) {
	return func(key []byte) (cipher.AEAD, error) {
		h, err := o.newHandle(c, key)
		if err != nil {
			return nil, err
		}
		s := &sealer{on: o, handle: h.address, setIV: o.bind("gcry_cipher_setiv"), authenticate: o.bind("gcry_cipher_authenticate"),
			encrypt: o.bind("gcry_cipher_encrypt"), decrypt: o.bind("gcry_cipher_decrypt"), getTag: o.bind("gcry_cipher_gettag"), checkTag: o.bind("gcry_cipher_checktag")}
		runtime.AddCleanup(s, handle.close, h)
		return s, nil
	}
}

// sealer is a keyed handle. A handle serves one goroutine at a time, so a lock
// keeps it.
type sealer struct {
	on
	mu     sync.Mutex
	handle uintptr

	setIV, authenticate, encrypt, decrypt, getTag, checkTag *call.Func
}

func (s *sealer) NonceSize() int { return nonceSize }
func (s *sealer) Overhead() int  { return tagSize }

// begin sets the nonce and takes in the additional data.
func (s *sealer) begin(nonce, aad []byte) error {
	if len(nonce) != nonceSize {
		return errors.New("the nonce is not of 12 bytes")
	}
	if code := int32(s.setIV.Call(s.handle, call.Bytes(nonce), uintptr(len(nonce)))); code != 0 {
		return s.refused("gcry_cipher_setiv", code)
	}
	if len(aad) == 0 {
		return nil
	}
	if code := int32(s.authenticate.Call(s.handle, call.Bytes(aad), uintptr(len(aad)))); code != 0 {
		return s.refused("gcry_cipher_authenticate", code)
	}
	return nil
}

// Seal panics where the library refuses, since its signature has no error.
func (s *sealer) Seal(dst, nonce, plaintext, aad []byte) []byte {
	n := len(plaintext)
	sealed := slices.Grow(dst, n+tagSize)[:len(dst)+n+tagSize]
	body, tag := sealed[len(dst):len(dst)+n], sealed[len(dst)+n:]
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.begin(nonce, aad); err != nil {
		panic(err)
	}
	if code := int32(s.encrypt.Call(s.handle, call.Bytes(body), uintptr(n), call.Bytes(plaintext), uintptr(n))); code != 0 {
		panic(s.refused("gcry_cipher_encrypt", code))
	}
	if code := int32(s.getTag.Call(s.handle, call.Bytes(tag), tagSize)); code != 0 {
		panic(s.refused("gcry_cipher_gettag", code))
	}
	keepAlive(sealed, nonce, plaintext, aad)
	return sealed
}

func (s *sealer) Open(dst, nonce, sealed, aad []byte) ([]byte, error) {
	n := len(sealed) - tagSize
	if n < 0 {
		return nil, errors.New("the sealed text is shorter than a tag")
	}
	plaintext := slices.Grow(dst, n)[:len(dst)+n]
	body := plaintext[len(dst):]
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.begin(nonce, aad); err != nil {
		return nil, err
	}
	if code := int32(s.decrypt.Call(s.handle, call.Bytes(body), uintptr(n), call.Bytes(sealed), uintptr(n))); code != 0 {
		return nil, s.refused("gcry_cipher_decrypt", code)
	}
	if code := int32(s.checkTag.Call(s.handle, call.Bytes(sealed[n:]), tagSize)); code != 0 {
		clear(body)
		return nil, s.refused("gcry_cipher_checktag", code)
	}
	keepAlive(plaintext, nonce, sealed, aad)
	return plaintext, nil
}

// keepAlive keeps what C was given until it has returned.
func keepAlive(a, b, c, d []byte) {
	runtime.KeepAlive(a)
	runtime.KeepAlive(b)
	runtime.KeepAlive(c)
	runtime.KeepAlive(d)
}
