package sm4

import (
	"crypto/subtle"
	"encoding/binary"
	"sync"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// XTS and CCM over any implementation. Those of gmsm v0.44.0 itself are not used: its XTS decryption
// on amd64 overwrites memory that isn't its own, its CCM seals in place with a wrong tag and writes
// plaintext before the tag is checked. Its ECB is the work horse instead.

// A scratch is what one turn of the code below needs; it comes from a pool because a buffer given to
// an interface's method can't stay on the stack.
type scratch struct {
	in, mask [1024]byte
	chain    [BlockSize]byte
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// release wipes what the caller used and returns it.
func (s *scratch) release() {
	*s = scratch{}
	scratches.Put(s)
}

// xorCTR is CTR over whole blocks with a counter of the whole block.
func (c *Cipher) xorCTR(dst, src []byte, ctr *[BlockSize]byte) {
	if c.kernel != kernel.None {
		c.kernel.CTR(&c.enc, dst, src, ctr)
		return
	}
	s := scratches.Get().(*scratch)
	defer s.release()
	for len(src) > 0 {
		n := min(len(src), len(s.in))
		kernel.Counters(s.in[:n], ctr)
		c.gmsmEnc.CryptBlocks(s.in[:n], s.in[:n])
		subtle.XORBytes(dst, src[:n], s.in[:n])
		dst, src = dst[n:], src[n:]
	}
}

// chainMAC is CBC-MAC over whole blocks.
func (c *Cipher) chainMAC(mac *[BlockSize]byte, data []byte) {
	if c.kernel != kernel.None {
		c.kernel.CBCMAC(&c.enc, data, mac)
		return
	}
	s := scratches.Get().(*scratch)
	defer s.release()
	s.chain = *mac
	for ; len(data) > 0; data = data[BlockSize:] {
		subtle.XORBytes(s.chain[:], s.chain[:], data[:BlockSize])
		c.gmsm.Encrypt(s.chain[:], s.chain[:])
	}
	*mac = s.chain
}

// xts is XTS over whole blocks; it advances the tweak.
func (c *Cipher) xts(d direction, dst, src []byte, tweak *[BlockSize]byte) {
	if c.kernel != kernel.None {
		schedule := &c.enc
		if d == decrypt {
			schedule = &c.dec
		}
		c.kernel.XTS(schedule, dst, src, tweak)
		return
	}
	s := scratches.Get().(*scratch)
	defer s.release()
	mode := c.gmsmEnc
	if d == decrypt {
		mode = c.gmsmDec
	}
	for len(src) > 0 {
		n := min(len(src), len(s.in))
		for i := 0; i < n; i += BlockSize {
			copy(s.mask[i:], tweak[:])
			advance(tweak)
		}
		subtle.XORBytes(s.in[:n], src[:n], s.mask[:n])
		mode.CryptBlocks(s.in[:n], s.in[:n])
		subtle.XORBytes(dst, s.in[:n], s.mask[:n])
		dst, src = dst[n:], src[n:]
	}
}

type direction bool

const (
	encrypt direction = false
	decrypt direction = true
)

// one encrypts a single block.
func (c *Cipher) one(dst *[BlockSize]byte, src []byte) {
	if c.kernel != kernel.None {
		c.kernel.ECB(&c.enc, dst[:], src[:BlockSize])
		return
	}
	s := scratches.Get().(*scratch)
	defer s.release()
	copy(s.in[:], src[:BlockSize])
	c.gmsm.Encrypt(s.chain[:], s.in[:])
	*dst = s.chain
}

// advance multiplies a tweak by α, IEEE 1619-2018, section 5.2, without a branch.
func advance(t *[BlockSize]byte) {
	low, high := binary.LittleEndian.Uint64(t[:]), binary.LittleEndian.Uint64(t[8:])
	carry := high >> 63
	binary.LittleEndian.PutUint64(t[8:], high<<1|low>>63)
	binary.LittleEndian.PutUint64(t[:], low<<1^carry*0x87)
}
