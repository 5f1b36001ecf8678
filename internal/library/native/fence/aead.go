//go:build linux && (amd64 || arm64)

package fence

import (
	"cmp"
	"crypto/cipher"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// sealed are the lengths that a cipher is tried on: of a page, and beyond what a
// library hands on at a time.
var sealed = []int{0, 1, 16, 255, 4096, 16384}

// Sealing returns what makes ciphers in the shape of Go's as make does. What these write
// to is their caller's, and Go's: so the first that is made has to seal and open a few
// messages in fenced memory before it is handed out, and none is where it goes beyond.
func Sealing(make func(key []byte) (cipher.AEAD, error)) func(key []byte) (cipher.AEAD, error) {
	var once sync.Once
	var fault error
	return func(key []byte) (cipher.AEAD, error) {
		a, err := make(key)
		if err != nil {
			return nil, err
		}
		if once.Do(func() { fault = provider.Guard(func() error { return try(a) }) }); fault != nil {
			return nil, fault
		}
		return a, nil
	}
}

// try has a cipher seal and open messages. Whether the outputs are right is for others
// to judge.
func try(a cipher.AEAD) error {
	nonce := make([]byte, a.NonceSize())
	for _, n := range sealed {
		if err := tryLength(a, nonce, n); err != nil {
			return err
		}
	}
	return nil
}

func tryLength(a cipher.AEAD, nonce []byte, n int) (err error) {
	var m Memory
	defer func() { err = cmp.Or(err, m.Close()) }()
	text := a.Seal(m.Bytes(n + a.Overhead())[:0], nonce, make([]byte, n), nil)
	if err := m.Check(); err != nil {
		return err
	}
	if _, err := a.Open(m.Bytes(n)[:0], nonce, text, nil); err != nil {
		return provider.Incorrect("own-sealed", err)
	}
	return m.Check()
}
