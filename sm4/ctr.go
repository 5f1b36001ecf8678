package sm4

import (
	"crypto/cipher"
	"crypto/subtle"
)

// NewCTR is what cipher.NewCTR looks for. The counter is the whole block, modulo 2¹²⁸. The stream may
// be called with pieces of any length; it belongs to one goroutine.
func (c *Cipher) NewCTR(iv []byte) cipher.Stream {
	checkIV(iv, "cipher.NewCTR: IV length must equal block size")
	if c.gmsm.ctr != nil {
		return gmsmCTR{c.gmsm.ctr.NewCTR(iv)}
	}
	return &ctr{c: c, next: [BlockSize]byte(iv)}
}

// A ctr keeps key stream ahead, so that short pieces cost no kernel call each. It begins with a little
// and doubles, for a stream may well be a single short message.
type ctr struct {
	c     *Cipher
	next  [BlockSize]byte // counter of the first block not yet in ahead
	ahead [512]byte       // key stream not used yet: ahead[from:to]
	from  int
	to    int
}

const firstAhead = 64

func (x *ctr) XORKeyStream(dst, src []byte) {
	checkBuffers(dst, src)
	dst = dst[:len(src)]
	n := x.useAhead(dst, src)
	dst, src = dst[n:], src[n:]
	if len(src) >= len(x.ahead) {
		n := len(src) &^ (BlockSize - 1)
		x.c.xorCTR(dst[:n], src[:n], &x.next)
		dst, src = dst[n:], src[n:]
	}
	for len(src) > 0 {
		size := min(max(2*x.to, firstAhead), len(x.ahead))
		for size < len(src) {
			size *= 2
		}
		x.c.keystream(x.ahead[:size], &x.next)
		x.from, x.to = 0, size
		n := x.useAhead(dst, src)
		dst, src = dst[n:], src[n:]
	}
}

func (x *ctr) useAhead(dst, src []byte) int {
	n := min(len(src), x.to-x.from)
	if n > 0 {
		subtle.XORBytes(dst, src[:n], x.ahead[x.from:x.to])
		x.from += n
	}
	return n
}
