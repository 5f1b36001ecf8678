package main

import (
	stdaes "crypto/aes"
	"crypto/cipher"

	"golang.org/x/crypto/xts"

	"github.com/cryptogauge/cryptogauge/aes"
)

// A maker makes a cipher of one of the two sides.
type maker func(key []byte) (cipher.Block, error)

// sides are ours, by the implementation asked for, and the standard library's.
func sides(c config) (ours, std maker) {
	ours = aes.NewCipher
	if c.implementation != aes.Implementations()[0] {
		ours = func(key []byte) (cipher.Block, error) { return aes.NewWith(key, c.implementation) }
	}
	return ours, stdaes.NewCipher
}

func keyOf(bits int) []byte { return []byte("0123456789abcdefFEDCBA9876543210")[:bits/8] }

// A mode makes the function that works once on n bytes.
type mode struct {
	name  string
	whole bool // takes whole blocks only, at least one
	make  func(m maker, key []byte, n int) func()
}

var modes = []mode{
	{"ECB encrypt", true, func(m maker, key []byte, n int) func() {
		b := block(m, key)
		src, dst := make([]byte, n), make([]byte, n)
		if c, ok := b.(*aes.Cipher); ok {
			return func() { c.EncryptBlocks(dst, src) }
		}
		return func() { eachBlock(b.Encrypt, dst, src) }
	}},
	{"ECB decrypt", true, func(m maker, key []byte, n int) func() {
		b := block(m, key)
		src, dst := make([]byte, n), make([]byte, n)
		if c, ok := b.(*aes.Cipher); ok {
			return func() { c.DecryptBlocks(dst, src) }
		}
		return func() { eachBlock(b.Decrypt, dst, src) }
	}},
	{"CBC encrypt", true, func(m maker, key []byte, n int) func() {
		return blockMode(cipher.NewCBCEncrypter(block(m, key), make([]byte, 16)), n)
	}},
	{"CBC decrypt", true, func(m maker, key []byte, n int) func() {
		return blockMode(cipher.NewCBCDecrypter(block(m, key), make([]byte, 16)), n)
	}},
	{"CTR, kept stream", false, func(m maker, key []byte, n int) func() {
		s := cipher.NewCTR(block(m, key), make([]byte, 16))
		src, dst := make([]byte, n), make([]byte, n)
		return func() { s.XORKeyStream(dst, src) }
	}},
	{"CTR, new stream", false, func(m maker, key []byte, n int) func() {
		b, iv := block(m, key), make([]byte, 16)
		src, dst := make([]byte, n), make([]byte, n)
		return func() { cipher.NewCTR(b, iv).XORKeyStream(dst, src) }
	}},
	{"GCM seal", false, sealer(aead, 0)},
	{"GCM open", false, opener(aead, 0)},
	{"GCM seal, 13 additional", false, sealer(aead, 13)},
	{"GCM open, 13 additional", false, opener(aead, 13)},
	{"GCM seal, nonce of 16", false, sealer(longNonce, 0)},
	{"GCM seal, random nonce", false, sealer(randomNonce, 0)},
	{"GCM open, random nonce", false, opener(randomNonce, 0)},
	{"new key, GCM seal", false, func(m maker, key []byte, n int) func() {
		nonce, src, dst := make([]byte, 12), make([]byte, n), make([]byte, 0, n+16)
		return func() { aead(block(m, key)).Seal(dst, nonce, src, nil) }
	}},
	{"new key, SealOnce", false, func(m maker, key []byte, n int) func() {
		nonce, src, dst := make([]byte, 12), make([]byte, n), make([]byte, 0, n+16)
		if _, ours := block(m, key).(*aes.Cipher); ours {
			return func() { must(aes.SealOnce(dst, key, nonce, src, nil)) }
		}
		return func() { aead(block(m, key)).Seal(dst, nonce, src, nil) }
	}},
	{"new key, OpenOnce", false, func(m maker, key []byte, n int) func() {
		nonce, dst := make([]byte, 12), make([]byte, 0, n)
		sealed := aead(block(m, key)).Seal(nil, nonce, make([]byte, n), nil)
		if _, ours := block(m, key).(*aes.Cipher); ours {
			return func() { must(aes.OpenOnce(dst, key, nonce, sealed, nil)) }
		}
		return func() { must(aead(block(m, key)).Open(dst, nonce, sealed, nil)) }
	}},
	{"new key, GCM open", false, func(m maker, key []byte, n int) func() {
		nonce, dst := make([]byte, 12), make([]byte, 0, n)
		sealed := aead(block(m, key)).Seal(nil, nonce, make([]byte, n), nil)
		return func() { must(aead(block(m, key)).Open(dst, nonce, sealed, nil)) }
	}},
}

func sealer(newAEAD func(cipher.Block) cipher.AEAD, additional int) func(m maker, key []byte, n int) func() {
	return func(m maker, key []byte, n int) func() {
		a := newAEAD(block(m, key))
		nonce, src, dst, more := make([]byte, a.NonceSize()), make([]byte, n), make([]byte, 0, n+28), make([]byte, additional)
		return func() { a.Seal(dst, nonce, src, more) }
	}
}

func opener(newAEAD func(cipher.Block) cipher.AEAD, additional int) func(m maker, key []byte, n int) func() {
	return func(m maker, key []byte, n int) func() {
		a := newAEAD(block(m, key))
		nonce, dst, more := make([]byte, a.NonceSize()), make([]byte, 0, n), make([]byte, additional)
		sealed := a.Seal(nil, nonce, make([]byte, n), more)
		return func() { must(a.Open(dst, nonce, sealed, more)) }
	}
}

// must is for what cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic("aesbench: internal error: " + err.Error())
	}
	return x
}

func block(m maker, key []byte) cipher.Block { return must(m(key)) }
func aead(b cipher.Block) cipher.AEAD        { return must(cipher.NewGCM(b)) }
func longNonce(b cipher.Block) cipher.AEAD   { return must(cipher.NewGCMWithNonceSize(b, 16)) }
func randomNonce(b cipher.Block) cipher.AEAD { return must(aes.NewGCMWithRandomNonce(b)) }
func eachBlock(f func(dst, src []byte), dst, src []byte) {
	for ; len(src) > 0; dst, src = dst[16:], src[16:] {
		f(dst, src)
	}
}

func blockMode(m cipher.BlockMode, n int) func() {
	src, dst := make([]byte, n), make([]byte, n)
	return func() { m.CryptBlocks(dst, src) }
}

func modeNamed(name string) mode {
	for _, m := range modes {
		if m.name == name {
			return m
		}
	}
	panic("aesbench: internal error: no mode " + name)
}

// xtsSubjects are ours and x/crypto's, on a sector of n bytes under keys of so many bits each.
func xtsSubjects(c config, bits, n int) (ours, theirs func()) {
	key := append([]byte("another key for the tweak, 32 b.")[:bits/8], keyOf(bits)...)
	x := must(aes.NewXTSWith(key, c.implementation))
	y := must(xts.NewCipher(stdaes.NewCipher, key))
	src, dst := make([]byte, n), make([]byte, n)
	return func() { x.EncryptSector(dst, src, 7) }, func() { y.Encrypt(dst, src, 7) }
}
