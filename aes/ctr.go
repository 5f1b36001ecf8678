package aes

import (
	"crypto/cipher"
	"crypto/subtle"
	"sync"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// NewCTR is what cipher.NewCTR looks for. The result is a *[CTR].
func (c *Cipher) NewCTR(iv []byte) cipher.Stream {
	checkIV(iv, "bad IV length")
	x := &CTR{c: c, first: kernel.LoadCounter((*[BlockSize]byte)(iv))}
	x.next = x.first
	if c.std != nil {
		x.std = cipher.NewCTR(c.std, iv)
	}
	return x
}

// A CTR is a key stream whose counter is the whole block, modulo 2¹²⁸. It keeps key stream ahead, so that short
// pieces cost no call of a kernel each: little at first, for a stream may well be one short message.
type CTR struct {
	c           *Cipher
	first, next kernel.Counter         // of the stream, and of the first block not yet in ahead
	std         cipher.Stream          // does XORKeyStream where there is no kernel
	from, to    int32                  // ahead[from:to] is not used yet; to is 0 before the first call
	ahead       [kernel.MostAhead]byte // key stream
}

const (
	lineSize = 64
	// leastDirect is the number of bytes from which on a call of a kernel is faster than key stream kept ahead.
	leastDirect = 192
)

// XORKeyStream goes on where the last call has ended, which may be within a block. It belongs to one goroutine.
func (x *CTR) XORKeyStream(dst, src []byte) {
	if x.std != nil {
		x.std.XORKeyStream(dst, src)
		return
	}
	checkStream(dst, src)
	dst = dst[:len(src)]
	if n := x.useAhead(dst, src); n < len(src) {
		x.makeMore(dst[n:], src[n:])
	}
}

// useAhead does as many of the first bytes as there is key stream for, and returns their number.
func (x *CTR) useAhead(dst, src []byte) int {
	n := min(len(src), int(x.to-x.from))
	if n > 0 {
		kernel.XOR(dst, src[:n], x.ahead[x.from:x.to])
		x.from += int32(n)
	}
	return n
}

// makeMore goes on where ahead is used up.
func (x *CTR) makeMore(dst, src []byte) {
	if first := x.to == 0; first || len(src) >= leastDirect {
		x.c.keys.CTRAndRest(dst, src, x.next, (*[lineSize]byte)(x.ahead[:]))
		x.next = x.next.Plus(uint64(len(src)+lineSize-1) / lineSize * (lineSize / BlockSize))
		if x.from, x.to = int32(len(src)%lineSize), lineSize; x.from == 0 {
			x.from = lineSize
		}
		return
	}
	size := kernel.FirstAhead
	if x.to >= kernel.FirstAhead || len(src) > size {
		size = kernel.MostAhead
	}
	x.c.keys.Ahead(x.ahead[:size], x.next)
	x.next = x.next.Plus(uint64(size / BlockSize))
	x.from, x.to = 0, int32(size)
	x.useAhead(dst, src)
}

// XORKeyStreamAt XORs src with the key stream from offset on, in bytes from its beginning. It neither uses nor
// changes where XORKeyStream is, and any number of goroutines may call it at once.
func (x *CTR) XORKeyStreamAt(dst, src []byte, offset uint64) {
	checkStream(dst, src)
	dst = dst[:len(src)]
	at := x.first.Plus(offset / BlockSize)
	if within := int(offset % BlockSize); within > 0 {
		block := at.Block()
		x.c.one(&block)
		n := subtle.XORBytes(dst, src, block[within:])
		at = at.Plus(1)
		dst, src = dst[n:], src[n:]
	}
	if len(src) > 0 {
		x.c.xorCTR(dst, src, at)
	}
}

// checkStream panics in the words of the standard library's CTR of AES.
func checkStream(dst, src []byte) {
	if len(dst) < len(src) {
		panic("crypto/aes: len(dst) < len(src)")
	}
	if buffers.InexactOverlap(dst[:len(src)], src) {
		panic("crypto/aes: invalid buffer overlap")
	}
}

// xorCTR XORs text of any length with the key stream from at on.
func (c *Cipher) xorCTR(dst, src []byte, at kernel.Counter) {
	if c.std == nil {
		c.keys.CTR(dst, src, at)
		return
	}
	iv := at.Block()
	cipher.NewCTR(c.std, iv[:]).XORKeyStream(dst, src)
}

// one encrypts a block in place.
func (c *Cipher) one(block *[BlockSize]byte) {
	if c.std == nil {
		c.keys.Encrypt(block, block)
		return
	}
	b := blocks.Get().(*[BlockSize]byte)
	*b = *block
	c.std.Encrypt(b[:], b[:])
	*block = *b
	blocks.Put(b)
}

// blocks are for the standard library's cipher, which is behind an interface: what it is given can't stay on
// the stack.
var blocks = sync.Pool{New: func() any { return new([BlockSize]byte) }}
