package aes

import (
	"crypto/cipher"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// NewCBCEncrypter is what cipher.NewCBCEncrypter looks for. One message is a chain and no wider than one block.
func (c *Cipher) NewCBCEncrypter(iv []byte) cipher.BlockMode {
	if c.std != nil {
		return cipher.NewCBCEncrypter(c.std, iv)
	}
	checkIV(iv, "cipher.NewCBCEncrypter: IV length must equal block size")
	return &cbcEncrypter{c, [BlockSize]byte(iv)}
}

// NewCBCDecrypter is what cipher.NewCBCDecrypter looks for.
func (c *Cipher) NewCBCDecrypter(iv []byte) cipher.BlockMode {
	if c.std != nil {
		return cipher.NewCBCDecrypter(c.std, iv)
	}
	checkIV(iv, "cipher.NewCBCDecrypter: IV length must equal block size")
	return &cbcDecrypter{c, [BlockSize]byte(iv)}
}

func checkIV(iv []byte, message string) {
	if len(iv) != BlockSize {
		panic(message)
	}
}

type cbcEncrypter struct {
	c  *Cipher
	iv [BlockSize]byte
}

// BlockSize is 16 bytes.
func (x *cbcEncrypter) BlockSize() int { return BlockSize }

// CryptBlocks encrypts whole blocks and goes on from those of the call before, as [cipher.BlockMode] says.
func (x *cbcEncrypter) CryptBlocks(dst, src []byte) {
	buffers.CheckBlocks(dst, src)
	x.c.keys.CBCEncrypt(dst, src, &x.iv)
}

// SetIV begins anew with an IV of 16 bytes; it panics for another length, as crypto/cipher does.
func (x *cbcEncrypter) SetIV(iv []byte) {
	checkIV(iv, "cipher: incorrect length IV")
	copy(x.iv[:], iv)
}

type cbcDecrypter struct {
	c  *Cipher
	iv [BlockSize]byte
}

// BlockSize is 16 bytes.
func (x *cbcDecrypter) BlockSize() int { return BlockSize }

// CryptBlocks decrypts whole blocks and goes on from those of the call before, as [cipher.BlockMode] says.
func (x *cbcDecrypter) CryptBlocks(dst, src []byte) {
	buffers.CheckBlocks(dst, src)
	x.c.keys.CBCDecrypt(dst, src, &x.iv)
}

// SetIV begins anew with an IV of 16 bytes; it panics for another length, as crypto/cipher does.
func (x *cbcDecrypter) SetIV(iv []byte) {
	checkIV(iv, "cipher: incorrect length IV")
	copy(x.iv[:], iv)
}
