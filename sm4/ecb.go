package sm4

import (
	"crypto/cipher"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// EncryptBlocks encrypts the blocks of src one by one into dst, which may be the same: electronic
// codebook, a step for building modes and no mode to encrypt messages with, because equal blocks stay
// equal. It panics as cipher.BlockMode does.
func (c *Cipher) EncryptBlocks(dst, src []byte) {
	if len(src) == 0 {
		return
	}
	buffers.CheckBlocks(dst, src)
	c.encryptBlocks(dst[:len(src)], src)
}

// DecryptBlocks is the inverse of EncryptBlocks.
func (c *Cipher) DecryptBlocks(dst, src []byte) {
	if len(src) == 0 {
		return
	}
	buffers.CheckBlocks(dst, src)
	c.decryptBlocks(dst[:len(src)], src)
}

// Concurrency is 8, the most that gmsm has. By this method its package cipher knows ciphers that take so many blocks
// at once, in EncryptBlocks and DecryptBlocks.
func (c *Cipher) Concurrency() int { return 8 }

// encryptBlocks is EncryptBlocks on buffers that have been checked.
func (c *Cipher) encryptBlocks(dst, src []byte) {
	if c.kernel != kernel.None {
		c.kernel.ECB(&c.enc, dst, src)
		return
	}
	inPieces(c.gmsm.modes().enc, dst, src)
}

// decryptBlocks is DecryptBlocks likewise.
func (c *Cipher) decryptBlocks(dst, src []byte) {
	if c.kernel != kernel.None {
		c.kernel.ECB(c.decryption(), dst, src)
		return
	}
	inPieces(c.gmsm.modes().dec, dst, src)
}

// ecb is EncryptBlocks or DecryptBlocks as a cipher.BlockMode.
type ecb func(dst, src []byte)

func (ecb) BlockSize() int                { return BlockSize }
func (f ecb) CryptBlocks(dst, src []byte) { f(dst, src) }

// NewECBEncrypter returns EncryptBlocks as a cipher.BlockMode. Not for messages: see EncryptBlocks.
func (c *Cipher) NewECBEncrypter() cipher.BlockMode { return ecb(c.EncryptBlocks) }

// NewECBDecrypter returns DecryptBlocks as a cipher.BlockMode.
func (c *Cipher) NewECBDecrypter() cipher.BlockMode { return ecb(c.DecryptBlocks) }
