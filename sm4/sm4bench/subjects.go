package main

import (
	"crypto/cipher"
	"fmt"
	"slices"

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

// A mode makes the function that works once on n bytes, a multiple of unit and no less than least.
type mode struct {
	name        string
	unit, least int
	make        func(b cipher.Block, n int) func()
}

var modes = slices.Concat(firstModes, otherModes)

var firstModes = []mode{
	{"ECB encrypt", 16, 0, func(b cipher.Block, n int) func() {
		src, dst := make([]byte, n), make([]byte, n)
		if c, ok := b.(*sm4.Cipher); ok {
			return func() { c.EncryptBlocks(dst, src) }
		}
		m := gmcipher.NewECBEncrypter(b)
		return func() { m.CryptBlocks(dst, src) }
	}},
	{"CBC encrypt", 16, 0, func(b cipher.Block, n int) func() {
		return blockMode(cipher.NewCBCEncrypter(b, make([]byte, 16)), n)
	}},
	{"CBC decrypt", 16, 0, func(b cipher.Block, n int) func() {
		return blockMode(cipher.NewCBCDecrypter(b, make([]byte, 16)), n)
	}},
	{"CTR", 1, 0, func(b cipher.Block, n int) func() {
		s := cipher.NewCTR(b, make([]byte, 16))
		src, dst := make([]byte, n), make([]byte, n)
		return func() { s.XORKeyStream(dst, src) }
	}},
	{"CTR with NewCTR", 1, 0, func(b cipher.Block, n int) func() {
		iv := make([]byte, 16)
		src, dst := make([]byte, n), make([]byte, n)
		return func() { cipher.NewCTR(b, iv).XORKeyStream(dst, src) }
	}},
	{"GCM seal", 1, 0, func(b cipher.Block, n int) func() {
		return sealing(newGCM(b), n)
	}},
	{"GCM open", 1, 0, func(b cipher.Block, n int) func() {
		a := newGCM(b)
		nonce, dst := make([]byte, 12), make([]byte, 0, n)
		sealed := a.Seal(nil, nonce, make([]byte, n), nil)
		return func() {
			if _, err := a.Open(dst, nonce, sealed, nil); err != nil {
				panic("sm4bench: internal error: " + err.Error())
			}
		}
	}},
	{"CCM seal", 1, 0, func(b cipher.Block, n int) func() {
		if c, ok := b.(*sm4.Cipher); ok {
			return sealing(must(c.NewCCM(12, 16)), n)
		}
		return sealing(must(gmcipher.NewCCM(b)), n)
	}},
	{"XTS encrypt", 1, 16, func(b cipher.Block, n int) func() {
		c, ok := b.(*sm4.Cipher)
		if !ok {
			return unit(b, n, gmcipher.NewXTSEncrypter)
		}
		x, tweak := must(sm4.NewXTSWith([]byte(xtsKey), c.Implementation())), make([]byte, 16)
		src, dst := make([]byte, n), make([]byte, n)
		return func() { x.Encrypt(dst, src, tweak) }
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
	return must(cipher.NewGCM(b))
}
