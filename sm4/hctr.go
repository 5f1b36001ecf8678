package sm4

import (
	"crypto/subtle"
	"encoding/binary"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// HCTR is the wide-block mode of GB/T 17964-2021, chapter 11: every bit of a text of 16 bytes or more and of its
// tweak changes every bit of the result, which is as long. It hides what XTS shows, that a block of a sector is
// the one it was before, and costs one pass of CTR and two of GHASH. It may be used by any number of goroutines at
// once.
type HCTR struct {
	c        *Cipher
	powers   kernel.Powers // of the hash key
	portable *multiplier   // without a kernel, in place of powers
}

// NewHCTR returns HCTR with a hash key of 16 bytes, which should be drawn apart from the cipher's.
func (c *Cipher) NewHCTR(hashKey []byte) (*HCTR, error) {
	if len(hashKey) != BlockSize {
		return nil, KeySizeError(len(hashKey))
	}
	h := &HCTR{c: c}
	if c.kernel == kernel.None {
		m := newMultiplier(loadElement(hashKey))
		h.portable = &m
		return h, nil
	}
	key := [BlockSize]byte(hashKey)
	c.kernel.Powers(&h.powers, &key)
	return h, nil
}

// Encrypt encrypts src as one block into dst, which may be the same. The tweak has 16 bytes. It panics where lengths
// don't fit or buffers overlap.
func (h *HCTR) Encrypt(dst, src, tweak []byte) { h.crypt(encrypt, dst, src, tweak) }

// Decrypt is the inverse of Encrypt.
func (h *HCTR) Decrypt(dst, src, tweak []byte) { h.crypt(decrypt, dst, src, tweak) }

func (h *HCTR) crypt(d direction, dst, src, tweak []byte) {
	if len(tweak) != BlockSize {
		panic("sm4: HCTR tweak length must equal block size")
	}
	if len(src) < BlockSize {
		panic("sm4: HCTR input shorter than a block")
	}
	buffers.Check(dst, src)
	dst = dst[:len(src)]
	// What goes into the cipher, and what comes out: Z₁ and Z₂, or Z₂ and Z₁.
	in := h.hash(src[BlockSize:], tweak)
	subtle.XORBytes(in[:], in[:], src[:BlockSize])
	var out, start [BlockSize]byte
	if d == encrypt {
		h.c.one(&out, in[:])
	} else {
		h.c.oneBack(&out, in[:])
	}
	subtle.XORBytes(start[:], in[:], out[:])
	h.c.xorNumbered(dst[BlockSize:], src[BlockSize:], &start)
	sum := h.hash(dst[BlockSize:], tweak)
	subtle.XORBytes(dst, out[:], sum[:])
}

// hash is the universal hash of text and tweak: GHASH of one behind the other and of their length.
func (h *HCTR) hash(text, tweak []byte) [BlockSize]byte {
	var acc kernel.Hash
	whole := len(text) &^ (BlockSize - 1)
	h.update(&acc, text[:whole])
	var tail [3 * BlockSize]byte
	n := copy(tail[:], text[whole:])
	n += copy(tail[n:], tweak)
	n = (n + BlockSize - 1) &^ (BlockSize - 1)
	binary.BigEndian.PutUint64(tail[n+8:], uint64(len(text)+BlockSize)*8)
	h.update(&acc, tail[:n+BlockSize])
	return acc.Sum()
}

func (h *HCTR) update(acc *kernel.Hash, blocks []byte) {
	if h.portable != nil {
		h.portable.hash(acc, blocks)
		return
	}
	h.c.kernel.GHASH(acc, &h.powers, blocks)
}

// oneBack decrypts a single block.
func (c *Cipher) oneBack(dst *[BlockSize]byte, src []byte) {
	if c.kernel != kernel.None {
		c.kernel.ECB(c.decryption(), dst[:], src[:BlockSize])
		return
	}
	s := scratches.Get().(*scratch)
	defer s.release(BlockSize)
	copy(s.in[:], src[:BlockSize])
	c.gmsm.block.Decrypt(s.chain[:], s.in[:])
	*dst = s.chain
}

// xorNumbered is HCTR's counter mode: block i of the key stream, from 1 on, is the image of start ⊕ i.
func (c *Cipher) xorNumbered(dst, src []byte, start *[BlockSize]byte) {
	s := scratches.Get().(*scratch)
	defer s.release(len(src))
	high, low := binary.NativeEndian.Uint64(start[:]), binary.BigEndian.Uint64(start[8:])
	number := uint64(1)
	for len(src) > 0 {
		n := min(len(src), scratchText)
		in := s.in[:(n+BlockSize-1)&^(BlockSize-1)]
		for b := in; len(b) >= BlockSize; b = b[BlockSize:] {
			binary.NativeEndian.PutUint64(b, high)
			binary.BigEndian.PutUint64(b[8:], low^number)
			number++
		}
		c.encryptBlocks(in, in)
		subtle.XORBytes(dst, src[:n], in)
		dst, src = dst[n:], src[n:]
	}
}
