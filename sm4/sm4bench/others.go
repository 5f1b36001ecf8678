package main

import (
	"crypto/cipher"
	"encoding/binary"

	gmcipher "github.com/emmansun/gmsm/cipher"
	gmsm "github.com/emmansun/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/sm4"
)

const xtsKey = "0123456789abcdefFEDCBA9876543210"

// otherModes are those of GB/T 17964-2021 that the standard library lacks or has given up, by the package and by
// gmsm, and then gmsm's own constructors, over the package's cipher and over gmsm's.
var otherModes = []mode{
	streamMode("CFB encrypt", (*sm4.Cipher).NewCFBEncrypter, cfbEncrypter),
	streamMode("CFB decrypt", (*sm4.Cipher).NewCFBDecrypter, cfbDecrypter),
	streamMode("OFB", (*sm4.Cipher).NewOFB, ofb),
	chained("BC encrypt", (*sm4.Cipher).NewBCEncrypter, gmcipher.NewBCEncrypter),
	chained("BC decrypt", (*sm4.Cipher).NewBCDecrypter, gmcipher.NewBCDecrypter),
	chained("OFBNLF encrypt", (*sm4.Cipher).NewOFBNLFEncrypter, ofbnlf(gmcipher.NewOFBNLFEncrypter)),
	chained("OFBNLF decrypt", (*sm4.Cipher).NewOFBNLFDecrypter, ofbnlf(gmcipher.NewOFBNLFDecrypter)),
	hctr("HCTR encrypt", (*sm4.HCTR).Encrypt, gmcipher.LengthPreservingMode.EncryptBytes),
	hctr("HCTR decrypt", (*sm4.HCTR).Decrypt, gmcipher.LengthPreservingMode.DecryptBytes),
	sectors("XTS sectors of 512 B", sm4.NewXTSWith, (*sm4.XTS).EncryptSectors, gmcipher.NewXTSEncrypter),
	sectors("GB XTS sectors of 512 B", sm4.NewGBXTSWith, (*sm4.XTS).EncryptSectors, gmcipher.NewGBXTSEncrypter),
	sectors("GB XTS sectors of 512 B, decrypt", sm4.NewGBXTSWith, (*sm4.XTS).DecryptSectors, gmcipher.NewGBXTSDecrypter),
	{"GB XTS encrypt", 1, 16, func(b cipher.Block, n int) func() {
		c, ok := b.(*sm4.Cipher)
		if !ok {
			return unit(b, n, gmcipher.NewGBXTSEncrypter)
		}
		x, tweak := must(sm4.NewGBXTSWith([]byte(xtsKey), c.Implementation())), make([]byte, 16)
		src, dst := make([]byte, n), make([]byte, n)
		return func() { x.Encrypt(dst, src, tweak) }
	}},
	{"gmsm's XTS", 1, 16, func(b cipher.Block, n int) func() { return unit(b, n, gmcipher.NewXTSEncrypter) }},
	{"gmsm's BC", 16, 0, func(b cipher.Block, n int) func() {
		return blockMode(gmcipher.NewBCEncrypter(b, make([]byte, 16)), n)
	}},
	{"gmsm's OFBNLF", 16, 0, func(b cipher.Block, n int) func() {
		return blockMode(must(gmcipher.NewOFBNLFEncrypter(creator(b), []byte(xtsKey[:16]), make([]byte, 16))), n)
	}},
	{"gmsm's HCTR", 1, 16, func(b cipher.Block, n int) func() {
		m, src, dst := must(gmcipher.NewHCTR(b, make([]byte, 16), []byte(xtsKey[16:]))), make([]byte, n), make([]byte, n)
		return func() { m.EncryptBytes(dst, src) }
	}},
	{"gmsm's CCM", 1, 0, func(b cipher.Block, n int) func() { return sealing(must(gmcipher.NewCCM(b)), n) }},
	{"gmsm's GCM-SIV", 1, 0, func(b cipher.Block, n int) func() {
		return sealing(must(gmcipher.NewGCMSIV(creator(b), []byte(xtsKey[:16]))), n)
	}},
	{"gmsm's GCM-SIV open", 1, 0, func(b cipher.Block, n int) func() {
		a := must(gmcipher.NewGCMSIV(creator(b), []byte(xtsKey[:16])))
		nonce, dst := make([]byte, 12), make([]byte, 0, n)
		sealed := a.Seal(nil, nonce, make([]byte, n), nil)
		return func() { must(a.Open(dst, nonce, sealed, nil)) }
	}},
}

// gmsm leaves these to the standard library.
//
//lint:ignore SA1019 they are what is compared with
var cfbEncrypter, cfbDecrypter, ofb = cipher.NewCFBEncrypter, cipher.NewCFBDecrypter, cipher.NewOFB

func streamMode(name string, ours func(c *sm4.Cipher, iv []byte) cipher.Stream, theirs func(b cipher.Block, iv []byte) cipher.Stream) mode {
	return mode{name, 1, 0, func(b cipher.Block, n int) func() {
		iv, src, dst := make([]byte, 16), make([]byte, n), make([]byte, n)
		s := theirs(b, iv)
		if c, ok := b.(*sm4.Cipher); ok {
			s = ours(c, iv)
		}
		return func() { s.XORKeyStream(dst, src) }
	}}
}

func chained(name string, ours func(c *sm4.Cipher, iv []byte) cipher.BlockMode, theirs func(b cipher.Block, iv []byte) cipher.BlockMode) mode {
	return mode{name, 16, 0, func(b cipher.Block, n int) func() {
		if c, ok := b.(*sm4.Cipher); ok {
			return blockMode(ours(c, make([]byte, 16)), n)
		}
		return blockMode(theirs(b, make([]byte, 16)), n)
	}}
}

// ofbnlf makes gmsm's constructor, which makes its ciphers itself, one over a cipher.
func ofbnlf(theirs func(gmcipher.CipherCreator, []byte, []byte) (cipher.BlockMode, error)) func(b cipher.Block, iv []byte) cipher.BlockMode {
	return func(b cipher.Block, iv []byte) cipher.BlockMode {
		return must(theirs(creator(b), []byte(xtsKey[:16]), iv))
	}
}

// creator makes ciphers like b.
func creator(b cipher.Block) gmcipher.CipherCreator {
	c, ok := b.(*sm4.Cipher)
	switch {
	case !ok:
		return gmsm.NewCipher
	case c.Implementation() == sm4.Implementations()[0]:
		return sm4.NewCipher
	}
	return func(key []byte) (cipher.Block, error) { return sm4.NewWith(key, c.Implementation()) }
}

func hctr(name string, ours func(h *sm4.HCTR, dst, src, tweak []byte), theirs func(m gmcipher.LengthPreservingMode, dst, src []byte)) mode {
	return mode{name, 1, 16, func(b cipher.Block, n int) func() {
		key, tweak, src, dst := []byte(xtsKey[16:]), make([]byte, 16), make([]byte, n), make([]byte, n)
		if c, ok := b.(*sm4.Cipher); ok {
			h := must(c.NewHCTR(key))
			return func() { ours(h, dst, src, tweak) }
		}
		// The tweak is one of gmsm's mode, which a text of another place must make again.
		return func() { theirs(must(gmcipher.NewHCTR(b, tweak, key)), dst, src) }
	}}
}

type xtsConstructor = func(create gmcipher.CipherCreator, key, tweakKey, tweak []byte) (cipher.BlockMode, error)

// unit is a data unit of gmsm's, a mode of its own, keys and all.
func unit(b cipher.Block, n int, create xtsConstructor) func() {
	tweak, src, dst := make([]byte, 16), make([]byte, n), make([]byte, n)
	ciphers := creator(b)
	return func() { must(create(ciphers, []byte(xtsKey[:16]), []byte(xtsKey[16:]), tweak)).CryptBlocks(dst, src) }
}

func sectors(name string, create func(key []byte, implementation string) (*sm4.XTS, error),
	do func(x *sm4.XTS, dst, src []byte, number uint64, size int), theirs xtsConstructor) mode {
	const size = 512
	return mode{name, size, size, func(b cipher.Block, n int) func() {
		n = max(n/size, 1) * size
		src, dst := make([]byte, n), make([]byte, n)
		if c, ok := b.(*sm4.Cipher); ok {
			x := must(create([]byte(xtsKey), c.Implementation()))
			return func() { do(x, dst, src, 7, size) }
		}
		tweak := make([]byte, 16)
		return func() {
			for at := 0; at < n; at += size {
				binary.LittleEndian.PutUint64(tweak, uint64(7+at/size))
				must(theirs(gmsm.NewCipher, []byte(xtsKey[:16]), []byte(xtsKey[16:]), tweak)).CryptBlocks(dst[at:at+size], src[at:at+size])
			}
		}
	}}
}

func sealing(a cipher.AEAD, n int) func() {
	nonce, src, dst := make([]byte, a.NonceSize()), make([]byte, n), make([]byte, 0, n+16)
	return func() { a.Seal(dst, nonce, src, nil) }
}

func must[T any](x T, err error) T {
	if err != nil {
		panic("sm4bench: internal error: " + err.Error())
	}
	return x
}
