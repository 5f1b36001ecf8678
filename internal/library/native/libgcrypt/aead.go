//go:build linux && (amd64 || arm64)

package libgcrypt

import (
	"crypto/cipher"
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/result"
)

// aead makes ciphers in the shape of Go's.
func (o on) aead(c result.Case) func(key []byte) (cipher.AEAD, error) {
	return binding.Ciphers(func(key []byte) (binding.Making, error) {
		return func(d loop.Direction) (*binding.Handle, error) {
			s, err := o.newSealer(c, key)
			if err != nil {
				return nil, err
			}
			crypt := s.seal
			if d == loop.Decrypt {
				crypt = s.open
			}
			return &binding.Handle{Crypt: crypt, Free: s.close}, nil
		}, nil
	})
}

// sealer is a keyed handle and the functions that are called with it.
type sealer struct {
	handle
	setIV, authenticate, encrypt, decrypt, getTag, checkTag *call.Func
}

func (o on) newSealer(c result.Case, key []byte) (*sealer, error) {
	h, err := o.newHandle(c, key)
	return &sealer{handle: h, setIV: o.bind("gcry_cipher_setiv"), authenticate: o.bind("gcry_cipher_authenticate"), encrypt: o.bind("gcry_cipher_encrypt"),
		decrypt: o.bind("gcry_cipher_decrypt"), getTag: o.bind("gcry_cipher_gettag"), checkTag: o.bind("gcry_cipher_checktag")}, err
}

// begin sets the nonce and takes in the additional data.
func (s *sealer) begin(nonce, aad []byte) error {
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

func (s *sealer) seal(out, plaintext, nonce, aad []byte) error {
	if err := s.begin(nonce, aad); err != nil {
		return err
	}
	n := len(plaintext)
	if err := s.process(s.encrypt, "gcry_cipher_encrypt", out[:n], plaintext); err != nil {
		return err
	}
	return s.with(s.getTag, "gcry_cipher_gettag", out[n:])
}

func (s *sealer) open(out, sealed, nonce, aad []byte) error {
	if err := s.begin(nonce, aad); err != nil {
		return err
	}
	if err := s.process(s.decrypt, "gcry_cipher_decrypt", out, sealed[:len(out)]); err != nil {
		return err
	}
	return s.with(s.checkTag, "gcry_cipher_checktag", sealed[len(out):])
}
