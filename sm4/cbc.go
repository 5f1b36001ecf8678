package sm4

import (
	"crypto/cipher"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// NewCBCEncrypter is what cipher.NewCBCEncrypter looks for. One message is a chain and no wider than
// one block; for many messages see [EncryptCBC].
func (c *Cipher) NewCBCEncrypter(iv []byte) cipher.BlockMode {
	checkIV(iv, "cipher.NewCBCEncrypter: IV length must equal block size")
	if c.kernel == kernel.None {
		return gmsmCBC{cipher.NewCBCEncrypter(c.gmsm.block, iv)}
	}
	return &cbcEncrypter{c, [BlockSize]byte(iv)}
}

// NewCBCDecrypter is what cipher.NewCBCDecrypter looks for.
func (c *Cipher) NewCBCDecrypter(iv []byte) cipher.BlockMode {
	checkIV(iv, "cipher.NewCBCDecrypter: IV length must equal block size")
	if c.kernel == kernel.None {
		return gmsmCBC{cipher.NewCBCDecrypter(c.gmsm.block, iv)}
	}
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

func (x *cbcEncrypter) BlockSize() int { return BlockSize }

func (x *cbcEncrypter) CryptBlocks(dst, src []byte) {
	if len(src) == 0 {
		return
	}
	buffers.CheckBlocks(dst, src)
	x.c.kernel.CBCEncrypt(&x.c.enc, dst[:len(src)], src, &x.iv)
}

func (x *cbcEncrypter) SetIV(iv []byte) {
	checkIV(iv, "cipher: incorrect length IV")
	copy(x.iv[:], iv)
}

type cbcDecrypter struct {
	c  *Cipher
	iv [BlockSize]byte
}

func (x *cbcDecrypter) BlockSize() int { return BlockSize }

func (x *cbcDecrypter) CryptBlocks(dst, src []byte) {
	if len(src) == 0 {
		return
	}
	buffers.CheckBlocks(dst, src)
	x.c.kernel.CBCDecrypt(x.c.decryption(), dst[:len(src)], src, &x.iv)
}

func (x *cbcDecrypter) SetIV(iv []byte) {
	checkIV(iv, "cipher: incorrect length IV")
	copy(x.iv[:], iv)
}
