package sm4

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"

	gmcipher "github.com/emmansun/gmsm/cipher"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// Block chaining of GB/T 17964-2021, chapter 12: to a block is added, before it is encrypted, the sum of the IV
// and of all ciphertext before.

// NewBCEncrypter returns BC, and is what package cipher of gmsm looks for. A message is a chain, as in CBC, and no
// wider than one block.
func (c *Cipher) NewBCEncrypter(iv []byte) cipher.BlockMode {
	checkIV(iv, "cipher.NewBCEncrypter: IV length must equal block size")
	if c.kernel == kernel.None {
		return gmsmCBC{gmcipher.NewBCEncrypter(c.gmsm.block, iv)}
	}
	return &bc{c, encrypt, [BlockSize]byte(iv)}
}

// NewBCDecrypter is NewBCEncrypter for the inverse, whose blocks don't wait for each other.
func (c *Cipher) NewBCDecrypter(iv []byte) cipher.BlockMode {
	checkIV(iv, "cipher.NewBCDecrypter: IV length must equal block size")
	return &bc{c, decrypt, [BlockSize]byte(iv)}
}

type bc struct {
	c   *Cipher
	d   direction
	sum [BlockSize]byte // of the IV and of all ciphertext
}

func (*bc) BlockSize() int { return BlockSize }

func (x *bc) SetIV(iv []byte) {
	checkIV(iv, "cipher: incorrect length IV")
	copy(x.sum[:], iv)
}

func (x *bc) CryptBlocks(dst, src []byte) {
	if len(src) == 0 {
		return
	}
	buffers.CheckBlocks(dst, src)
	if x.d == encrypt {
		x.encrypt(dst, src)
		return
	}
	x.decrypt(dst, src)
}

func (x *bc) encrypt(dst, src []byte) {
	for ; len(src) > 0; dst, src = dst[BlockSize:], src[BlockSize:] {
		block := x.sum
		x.c.kernel.CBCMAC(&x.c.enc, src[:BlockSize], &block)
		xorBlock(&x.sum, &x.sum, &block)
		copy(dst, block[:])
	}
}

func (x *bc) decrypt(dst, src []byte) {
	if len(src) == BlockSize {
		ciphertext := [BlockSize]byte(src)
		var block [BlockSize]byte
		x.c.oneBack(&block, src)
		xorBlock((*[BlockSize]byte)(dst), &block, &x.sum)
		xorBlock(&x.sum, &x.sum, &ciphertext)
		return
	}
	s := scratches.Get().(*scratch)
	defer s.release(len(src))
	for len(src) > 0 {
		n := min(len(src), scratchText)
		in, mask := s.in[:n], s.mask[:n]
		sums(mask, src[:n], &x.sum)
		x.c.decryptBlocks(in, src[:n])
		subtle.XORBytes(dst, in, mask)
		dst, src = dst[n:], src[n:]
	}
}

// sums fills dst with the sums that are added to the blocks of src, and advances sum.
func sums(dst, src []byte, sum *[BlockSize]byte) {
	a, b := binary.NativeEndian.Uint64(sum[:]), binary.NativeEndian.Uint64(sum[8:])
	for len(src) >= BlockSize && len(dst) >= BlockSize {
		binary.NativeEndian.PutUint64(dst, a)
		binary.NativeEndian.PutUint64(dst[8:], b)
		a ^= binary.NativeEndian.Uint64(src)
		b ^= binary.NativeEndian.Uint64(src[8:])
		dst, src = dst[BlockSize:], src[BlockSize:]
	}
	binary.NativeEndian.PutUint64(sum[:], a)
	binary.NativeEndian.PutUint64(sum[8:], b)
}

// xorBlock is dst = a ⊕ b.
func xorBlock(dst, a, b *[BlockSize]byte) {
	high := binary.NativeEndian.Uint64(a[:]) ^ binary.NativeEndian.Uint64(b[:])
	low := binary.NativeEndian.Uint64(a[8:]) ^ binary.NativeEndian.Uint64(b[8:])
	binary.NativeEndian.PutUint64(dst[:], high)
	binary.NativeEndian.PutUint64(dst[8:], low)
}
