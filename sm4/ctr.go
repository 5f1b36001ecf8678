package sm4

import (
	"crypto/cipher"
	"crypto/subtle"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// NewCTR is what cipher.NewCTR looks for. The counter is the whole block, modulo 2¹²⁸. The stream may
// be called with pieces of any length; it belongs to one goroutine.
func (c *Cipher) NewCTR(iv []byte) cipher.Stream {
	checkIV(iv, "cipher.NewCTR: IV length must equal block size")
	if c.gmsm != nil && c.gmsm.ctr != nil {
		return gmsmCTR{c.gmsm.ctr.NewCTR(iv)}
	}
	return &ctr{c: c, next: [BlockSize]byte(iv)}
}

// A ctr keeps key stream ahead, so that short pieces cost no kernel call each. It begins with a little
// and doubles, and not before the second piece, for a stream may well be a single short message.
type ctr struct {
	c     *Cipher
	next  [BlockSize]byte // counter of the first block not yet in ahead
	skip  int             // bytes of that block that have been used; nothing is ahead then
	ahead [512]byte       // key stream not used yet: ahead[from:to]
	from  int
	to    int
	begun bool
}

const (
	firstAhead = 64
	// leastDirect is the length from which on a piece is encrypted without going through ahead.
	leastDirect = 256
)

func (x *ctr) XORKeyStream(dst, src []byte) {
	checkBuffers(dst, src)
	dst = dst[:len(src)]
	n := x.useAhead(dst, src)
	dst, src = dst[n:], src[n:]
	if len(src) >= leastDirect || !x.begun {
		x.begun = true
		x.direct(dst, src)
		return
	}
	for len(src) > 0 {
		size := min(max(2*x.to, firstAhead), len(x.ahead))
		for size < len(src)+x.skip {
			size *= 2
		}
		x.c.keystream(x.ahead[:size], &x.next)
		x.from, x.to, x.skip = x.skip, size, 0
		n := x.useAhead(dst, src)
		dst, src = dst[n:], src[n:]
	}
}

// direct encrypts up to any byte of a block.
func (x *ctr) direct(dst, src []byte) {
	start, used := x.next, x.skip+len(src)
	if x.skip > 0 && len(src) > 0 {
		n := x.c.xorCTRWithin(dst, src, &x.next, x.skip)
		kernel.Advance(&x.next, (x.skip+n)/BlockSize)
		dst, src = dst[n:], src[n:]
	}
	x.c.xorCTR(dst, src, &x.next)
	x.next, x.skip = start, used%BlockSize
	kernel.Advance(&x.next, used/BlockSize)
}

func (x *ctr) useAhead(dst, src []byte) int {
	n := min(len(src), x.to-x.from)
	if n > 0 {
		subtle.XORBytes(dst, src[:n], x.ahead[x.from:x.to])
		x.from += n
	}
	return n
}
