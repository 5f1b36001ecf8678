package sm4

import (
	"crypto/cipher"
	"crypto/subtle"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// NewCTR is what cipher.NewCTR looks for. The result is a *[CTR].
func (c *Cipher) NewCTR(iv []byte) cipher.Stream {
	checkIV(iv, "cipher.NewCTR: IV length must equal block size")
	x := &CTR{c: c, first: [BlockSize]byte(iv), next: [BlockSize]byte(iv)}
	if c.kernel == kernel.None {
		if own := c.gmsm.modes().ctr; own != nil {
			x.gmsm.stream = own.NewCTR(iv)
		}
	}
	return x
}

// A CTR is a key stream whose counter is the whole block, modulo 2¹²⁸. It keeps key stream ahead, so that short
// pieces cost no kernel call each, and all that a kernel works on begins at a block. It begins with a little and
// doubles, and not before the second piece, for a stream may well be a single short message.
type CTR struct {
	c     *Cipher
	first [BlockSize]byte // counter of the stream's first block
	next  [BlockSize]byte // counter of the first block not yet in ahead
	ahead [512]byte       // key stream not used yet: ahead[from:to]
	from  int
	to    int
	begun bool
	gmsm  gmsmCTR // does XORKeyStream where its stream is set
}

const (
	lineBytes  = 64
	firstAhead = lineBytes
	// leastDirect is the length from which on a piece is encrypted without going through ahead.
	leastDirect = 256
)

// XORKeyStream goes on where the last call has ended, which may be within a block. It belongs to one goroutine.
func (x *CTR) XORKeyStream(dst, src []byte) {
	if len(src) == 0 {
		return
	}
	buffers.Check(dst, src)
	if x.gmsm.stream != nil {
		x.gmsm.XORKeyStream(dst, src)
		return
	}
	dst = dst[:len(src)]
	if n := x.useAhead(dst, src); n < len(src) {
		x.makeMore(dst[n:], src[n:])
	}
}

// makeMore goes on where ahead is used up.
func (x *CTR) makeMore(dst, src []byte) {
	if len(src) >= leastDirect || !x.begun {
		x.begun = true
		x.from = len(src) % lineBytes
		x.to = x.c.xorCTRAndRest(dst, src, &x.next, (*[lineBytes]byte)(x.ahead[:]))
		return
	}
	size := min(max(2*x.to, firstAhead), len(x.ahead))
	for size < len(src) {
		size *= 2
	}
	x.c.keystream(x.ahead[:size], &x.next)
	x.from, x.to = 0, size
	x.useAhead(dst, src)
}

func (x *CTR) useAhead(dst, src []byte) int {
	n := min(len(src), x.to-x.from)
	if n > 0 {
		subtle.XORBytes(dst, src[:n], x.ahead[x.from:x.to])
		x.from += n
	}
	return n
}

// XORKeyStreamAt XORs src with the key stream from offset on, in bytes from its beginning. It neither uses nor
// changes where XORKeyStream is, and any number of goroutines may call it at once.
func (x *CTR) XORKeyStreamAt(dst, src []byte, offset uint64) {
	buffers.Check(dst, src)
	dst = dst[:len(src)]
	at, skip := x.first, int(offset%BlockSize)
	kernel.Advance(&at, offset/BlockSize)
	if skip > 0 && len(src) > 0 {
		n := x.c.xorCTRWithin(dst, src, &at, skip)
		kernel.Advance(&at, uint64(skip+n)/BlockSize)
		dst, src = dst[n:], src[n:]
	}
	x.c.xorCTR(dst, src, &at)
}
