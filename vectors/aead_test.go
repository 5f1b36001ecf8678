package vectors

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/reference"
	gmcipher "github.com/emmansun/gmsm/cipher"
	"golang.org/x/crypto/chacha20poly1305"
)

// aead is what a subject does. Both functions know the sizes they accept and return an error for others.
type aead struct {
	seal func(key, nonce, plaintext, aad []byte) ([]byte, error)
	open func(key, nonce, sealed, aad []byte) ([]byte, error)
}

var referenceChaCha = aead{reference.SealChaCha20Poly1305, reference.OpenChaCha20Poly1305}

var xcryptoChaCha = fromStd(func(key []byte, nonceSize int) (cipher.AEAD, error) {
	if nonceSize != chacha20poly1305.NonceSize {
		return nil, errors.New("nonce size") // x/crypto panics, which is its contract
	}
	return chacha20poly1305.New(key)
})

// judge wants a valid case sealed to its ciphertext and tag and opened to its message, and an invalid one refused
// with nothing given out.
func (s aead) judge(v vector) error {
	sealed := append(bytes.Clone(v.Ciphertext), v.Tag...)
	opened, err := s.open(v.Key, v.IV, sealed, v.AAD)
	if !v.valid() {
		if err == nil || len(opened) > 0 {
			return fmt.Errorf("opened to %x, error %v", opened, err)
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("opening: %w", err)
	}
	if !bytes.Equal(opened, v.Msg) {
		return fmt.Errorf("opened to %x, want %x", opened, v.Msg)
	}
	got, err := s.seal(v.Key, v.IV, v.Msg, v.AAD)
	if err != nil {
		return fmt.Errorf("sealing: %w", err)
	}
	if !bytes.Equal(got, sealed) {
		return fmt.Errorf("sealed to %x, want %x", got, sealed)
	}
	return nil
}

func referenceGCM(newBlock func([]byte) (reference.Block, error)) aead {
	return aead{
		seal: func(key, nonce, plaintext, aad []byte) ([]byte, error) {
			b, err := newBlock(key)
			if err != nil {
				return nil, err
			}
			return reference.SealGCM(b, nonce, plaintext, aad), nil
		},
		open: func(key, nonce, sealed, aad []byte) ([]byte, error) {
			b, err := newBlock(key)
			if err != nil {
				return nil, err
			}
			return reference.OpenGCM(b, nonce, sealed, aad)
		},
	}
}

// stdGCM is crypto/cipher's constructor, which takes a library's own GCM where its block brings one.
func stdGCM(newBlock func([]byte) (cipher.Block, error)) aead {
	return fromStd(func(key []byte, nonceSize int) (cipher.AEAD, error) {
		b, err := newBlock(key)
		if err != nil {
			return nil, err
		}
		return cipher.NewGCMWithNonceSize(b, nonceSize)
	})
}

// ccmOf is a subject's CCM, which is made for a size of tags.
func ccmOf(make func(tagSize int) aead) func(vector) error {
	return func(v vector) error { return make(v.tagSize).judge(v) }
}

func referenceCCM(newBlock func([]byte) (reference.Block, error)) func(tagSize int) aead {
	return func(tagSize int) aead {
		return aead{
			seal: func(key, nonce, plaintext, aad []byte) ([]byte, error) {
				b, err := newBlock(key)
				if err != nil {
					return nil, err
				}
				return reference.SealCCM(b, nonce, plaintext, aad, tagSize), nil
			},
			open: func(key, nonce, sealed, aad []byte) ([]byte, error) {
				b, err := newBlock(key)
				if err != nil {
					return nil, err
				}
				return reference.OpenCCM(b, nonce, sealed, aad, tagSize)
			},
		}
	}
}

func gmsmCCM(newBlock func([]byte) (cipher.Block, error)) func(tagSize int) aead {
	return func(tagSize int) aead {
		return fromStd(func(key []byte, nonceSize int) (cipher.AEAD, error) {
			b, err := newBlock(key)
			if err != nil {
				return nil, err
			}
			return gmcipher.NewCCMWithNonceAndTagSize(b, nonceSize, tagSize)
		})
	}
}

func fromStd(newAEAD func(key []byte, nonceSize int) (cipher.AEAD, error)) aead {
	return aead{
		seal: func(key, nonce, plaintext, aad []byte) ([]byte, error) {
			a, err := newAEAD(key, len(nonce))
			if err != nil {
				return nil, err
			}
			return a.Seal(nil, nonce, plaintext, aad), nil
		},
		open: func(key, nonce, sealed, aad []byte) ([]byte, error) {
			a, err := newAEAD(key, len(nonce))
			if err != nil {
				return nil, err
			}
			return a.Open(nil, nonce, sealed, aad)
		},
	}
}

// bare hides everything about a block but the block, so that crypto/cipher falls back to its generic mode.
func bare(newBlock func([]byte) (cipher.Block, error)) func([]byte) (cipher.Block, error) {
	return func(key []byte) (cipher.Block, error) {
		b, err := newBlock(key)
		return struct{ cipher.Block }{b}, err
	}
}
