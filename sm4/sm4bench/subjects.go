package main

import (
	"crypto/cipher"
	"fmt"

	gmcipher "github.com/emmansun/gmsm/cipher"
	gmsm "github.com/emmansun/gmsm/sm4"
	tjfoc "github.com/tjfoc/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/sm4"
)

// blocks are the same key in the libraries that are compared.
type blocks struct {
	ours        *sm4.Cipher
	gmsm, tjfoc cipher.Block
}

func newBlocks(implementation string) (b blocks, err error) {
	key := []byte("0123456789abcdef")
	if b.ours, err = sm4.NewWith(key, implementation); err != nil {
		return b, err
	}
	if b.gmsm, err = gmsm.NewCipher(key); err != nil {
		return b, fmt.Errorf("making gmsm's cipher: %w", err)
	}
	if b.tjfoc, err = tjfoc.NewCipher(key); err != nil {
		return b, fmt.Errorf("making tjfoc's cipher: %w", err)
	}
	return b, nil
}

// A mode makes the function that works once on n bytes.
type mode struct {
	name string
	make func(b cipher.Block, n int) func()
}

var modes = []mode{
	{"ECB encrypt", func(b cipher.Block, n int) func() {
		src, dst := make([]byte, n), make([]byte, n)
		if c, ok := b.(*sm4.Cipher); ok {
			return func() { c.EncryptBlocks(dst, src) }
		}
		m := gmcipher.NewECBEncrypter(b)
		return func() { m.CryptBlocks(dst, src) }
	}},
	{"CBC encrypt", func(b cipher.Block, n int) func() {
		return blockMode(cipher.NewCBCEncrypter(b, make([]byte, 16)), n)
	}},
	{"CBC decrypt", func(b cipher.Block, n int) func() {
		return blockMode(cipher.NewCBCDecrypter(b, make([]byte, 16)), n)
	}},
	{"CTR", func(b cipher.Block, n int) func() {
		s := cipher.NewCTR(b, make([]byte, 16))
		src, dst := make([]byte, n), make([]byte, n)
		return func() { s.XORKeyStream(dst, src) }
	}},
	{"CTR with NewCTR", func(b cipher.Block, n int) func() {
		iv := make([]byte, 16)
		src, dst := make([]byte, n), make([]byte, n)
		return func() { cipher.NewCTR(b, iv).XORKeyStream(dst, src) }
	}},
	{"GCM seal", func(b cipher.Block, n int) func() {
		a := newGCM(b)
		nonce, src, dst := make([]byte, 12), make([]byte, n), make([]byte, 0, n+16)
		return func() { a.Seal(dst, nonce, src, nil) }
	}},
	{"GCM open", func(b cipher.Block, n int) func() {
		a := newGCM(b)
		nonce, dst := make([]byte, 12), make([]byte, 0, n)
		sealed := a.Seal(nil, nonce, make([]byte, n), nil)
		return func() {
			if _, err := a.Open(dst, nonce, sealed, nil); err != nil {
				panic("sm4bench: internal error: " + err.Error())
			}
		}
	}},
	{"CCM seal", func(b cipher.Block, n int) func() {
		var a cipher.AEAD
		var err error
		if c, ok := b.(*sm4.Cipher); ok {
			a, err = c.NewCCM(12, 16)
		} else {
			a, err = gmcipher.NewCCM(b)
		}
		if err != nil {
			panic("sm4bench: internal error: " + err.Error())
		}
		nonce, src, dst := make([]byte, 12), make([]byte, n), make([]byte, 0, n+16)
		return func() { a.Seal(dst, nonce, src, nil) }
	}},
	{"XTS encrypt", func(b cipher.Block, n int) func() {
		key, tweak := []byte("0123456789abcdefFEDCBA9876543210"), make([]byte, 16)
		src, dst := make([]byte, n), make([]byte, n)
		if c, ok := b.(*sm4.Cipher); ok {
			x, err := sm4.NewXTSWith(key, c.Implementation())
			if err != nil {
				panic("sm4bench: internal error: " + err.Error())
			}
			return func() { x.Encrypt(dst, src, tweak) }
		}
		// A data unit of gmsm's is a mode of its own, keys and all.
		return func() {
			m, err := gmcipher.NewXTSEncrypter(gmsm.NewCipher, key[:16], key[16:], tweak)
			if err != nil {
				panic("sm4bench: internal error: " + err.Error())
			}
			m.CryptBlocks(dst, src)
		}
	}},
}

func modeNamed(name string) mode {
	for _, m := range modes {
		if m.name == name {
			return m
		}
	}
	panic("sm4bench: internal error: no mode " + name)
}

func blockMode(m cipher.BlockMode, n int) func() {
	src, dst := make([]byte, n), make([]byte, n)
	return func() { m.CryptBlocks(dst, src) }
}

func newGCM(b cipher.Block) cipher.AEAD {
	a, err := cipher.NewGCM(b)
	if err != nil {
		panic("sm4bench: internal error: " + err.Error())
	}
	return a
}
