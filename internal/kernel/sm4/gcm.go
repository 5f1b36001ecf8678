package sm4

import "encoding/binary"

// Powers are H⁶⁴ … H¹ times x, for the products of POLYVAL (RFC 8452, appendix A), and zeros that a
// load of four powers may reach.
type Powers struct {
	//lint:ignore U1000 the kernels write and read it
	power  [manyPowers][16]byte
	beyond [48]byte
}

// A Hash is the state of GHASH, byte-swapped.
type Hash [16]byte

// timesX is mulX of RFC 8452, appendix A: GHASH is POLYVAL of byte-swapped blocks with mulX(H).
func timesX(h *[16]byte) (x [16]byte) {
	high, low := binary.BigEndian.Uint64(h[:]), binary.BigEndian.Uint64(h[8:])
	carry := high >> 63
	high = high<<1 | low>>63
	low = low<<1 ^ carry
	high ^= carry * 0xc200000000000000
	binary.LittleEndian.PutUint64(x[:], low)
	binary.LittleEndian.PutUint64(x[8:], high)
	return x
}

// Powers makes the table of H = E(0).
func (k Kernel) Powers(p *Powers, h *[16]byte) {
	x := timesX(h)
	if k == AVX512 {
		widePowers(&p.beyond[0], &x)
	} else {
		narrowPowers(p, &x)
	}
}

// GHASH adds data to the hash, its last block padded with zeros.
func (k Kernel) GHASH(acc *Hash, p *Powers, data []byte) {
	for len(data) > 0 {
		n := min(len(data), callBytes)
		if k == AVX512 {
			wideGHASH((*[16]byte)(acc), p, &data[0], n)
		} else if n >= blockSize {
			n &^= blockSize - 1
			narrowGHASH((*[16]byte)(acc), p, &data[0], n/blockSize)
		} else {
			var last [16]byte
			copy(last[:], data)
			narrowGHASH((*[16]byte)(acc), p, &last[0], 1)
		}
		data = data[n:]
	}
}

// Sum is the hash in the byte order of SP 800-38D.
func (acc *Hash) Sum() (sum [16]byte) {
	binary.BigEndian.PutUint64(sum[:], binary.LittleEndian.Uint64(acc[8:]))
	binary.BigEndian.PutUint64(sum[8:], binary.LittleEndian.Uint64(acc[:]))
	return sum
}

// Seal encrypts whole blocks by CTR32 and adds the result to the hash.
func (k Kernel) Seal(s *Schedule, p *Powers, acc *Hash, dst, src []byte, ctr *[16]byte) {
	for len(src) > 0 {
		n := min(len(src), callBytes)
		if k == AVX512 && n >= pairBytes && UntilWrap(ctr, n) == n {
			n &^= pairBytes - 1
			fixed := [12]byte(ctr[:])
			var space workspace
			w := space.start(s)
			wideGCMSeal(s, p, (*[16]byte)(acc), &dst[0], &src[0], ctr, w, n/pairBytes)
			copy(ctr[:], fixed[:])
		} else {
			k.CTR32(s, dst[:n], src[:n], ctr)
			k.GHASH(acc, p, dst[:n])
		}
		dst, src = dst[n:], src[n:]
	}
}
