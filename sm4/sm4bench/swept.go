package main

import (
	"crypto/cipher"
	"fmt"

	gmcipher "github.com/emmansun/gmsm/cipher"
)

// sweptModes are what -sweep tries beside the modes: GCM with nonces and tags of other lengths, and first calls.
func (c config) sweptModes() (chosen []mode) {
	var all []mode
	for _, n := range []int{1, 8, 13, 16, 60} {
		all = append(all, gcms(fmt.Sprintf("nonces of %d B", n), func(b cipher.Block) cipher.AEAD { return must(cipher.NewGCMWithNonceSize(b, n)) })...)
	}
	for n := 12; n < 16; n++ {
		all = append(all, gcms(fmt.Sprintf("tags of %d B", n), func(b cipher.Block) cipher.AEAD { return must(cipher.NewGCMWithTagSize(b, n)) })...)
	}
	for _, m := range append(all, firstCalls...) {
		if c.names.MatchString(m.name) {
			chosen = append(chosen, m)
		}
	}
	return chosen
}

// gcms seal and open.
func gcms(name string, create func(b cipher.Block) cipher.AEAD) []mode {
	return []mode{
		{"GCM seal, " + name, 1, 0, func(b cipher.Block, n int) func() { return sealing(create(b), n) }},
		{"GCM open, " + name, 1, 0, func(b cipher.Block, n int) func() {
			a := create(b)
			nonce, dst := make([]byte, a.NonceSize()), make([]byte, 0, n)
			sealed := a.Seal(nil, nonce, make([]byte, n), nil)
			return func() { must(a.Open(dst, nonce, sealed, nil)) }
		}},
	}
}

// firstCalls make everything anew for each message: the cipher, its mode, and what is made when it is first needed.
var firstCalls = []mode{
	firstCall("ECB encrypt", func(b cipher.Block, dst, src []byte) { gmcipher.NewECBEncrypter(b).CryptBlocks(dst, src) }, 16),
	firstCall("CBC encrypt", func(b cipher.Block, dst, src []byte) { cipher.NewCBCEncrypter(b, zeroIV).CryptBlocks(dst, src) }, 16),
	firstCall("CBC decrypt", func(b cipher.Block, dst, src []byte) { cipher.NewCBCDecrypter(b, zeroIV).CryptBlocks(dst, src) }, 16),
	firstCall("CTR", func(b cipher.Block, dst, src []byte) { cipher.NewCTR(b, zeroIV).XORKeyStream(dst, src) }, 1),
	firstCall("GCM seal", func(b cipher.Block, dst, src []byte) { must(cipher.NewGCM(b)).Seal(dst[:0], zeroIV[:12], src, nil) }, 1),
	{"first call, GCM open", 1, 0, func(b cipher.Block, n int) func() {
		dst, create := make([]byte, 0, n), creator(b)
		sealed := newGCM(b).Seal(nil, zeroIV[:12], make([]byte, n), nil)
		return func() { must(newGCM(must(create(firstKey))).Open(dst, zeroIV[:12], sealed, nil)) }
	}},
}

var zeroIV, firstKey = make([]byte, 16), []byte("0123456789abcdef") // the key of all blocks

func firstCall(name string, do func(b cipher.Block, dst, src []byte), unit int) mode {
	return mode{"first call, " + name, unit, unit - unit%16, func(b cipher.Block, n int) func() {
		src, dst, create := make([]byte, n), make([]byte, n, n+16), creator(b)
		return func() { do(must(create(firstKey)), dst, src) }
	}}
}
