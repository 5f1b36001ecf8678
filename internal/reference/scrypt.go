package reference

import (
	"encoding/binary"
	"math/bits"
)

// Scrypt stretches a password to size bytes (RFC 7914 §6). N is a power of two above 1.
func Scrypt(password, salt []byte, n, r, p, size int) []byte {
	must(n > 1 && n&(n-1) == 0 && r > 0 && p > 0, "scrypt's N is a power of two above 1, r and p are above 0")
	b := PBKDF2SHA256(password, salt, 1, p*128*r)
	for i := range p {
		scryptROMix(b[i*128*r:(i+1)*128*r], n)
	}
	return PBKDF2SHA256(password, b, 1, size)
}

// scryptROMix is RFC 7914 §5, in place.
func scryptROMix(b []byte, n int) {
	x := make([]uint32, len(b)/4)
	readWords(x, b, binary.LittleEndian)
	v := make([]uint32, n*len(x))
	y := make([]uint32, len(x))
	for i := range n {
		copy(v[i*len(x):], x)
		scryptBlockMix(x, y)
	}
	for range n {
		j := int(x[len(x)-16]) & (n - 1) // Integerify: the last 64 bytes of B, of which the lowest bits count
		for k, w := range v[j*len(x) : (j+1)*len(x)] {
			x[k] ^= w
		}
		scryptBlockMix(x, y)
	}
	copy(b, joinWords(x, binary.LittleEndian))
}

// scryptBlockMix is RFC 7914 §4, in place, with y for the new blocks: the even ones, then the odd ones.
func scryptBlockMix(b, y []uint32) {
	blocks := len(b) / 16
	x := [16]uint32(b[len(b)-16:])
	for i := range blocks {
		for k := range x {
			x[k] ^= b[16*i+k]
		}
		salsa208(&x)
		copy(y[16*(i/2+i%2*blocks/2):], x[:])
	}
	copy(b, y)
}

// salsa208 is Salsa20/8, RFC 7914 §3: four times a round over columns and one over rows.
func salsa208(block *[16]uint32) {
	x := *block
	for range 4 {
		for i := range 4 {
			salsaQuarter(&x, i*5, (i*5+4)%16, (i*5+8)%16, (i*5+12)%16)
		}
		for i := range 4 {
			row := 4 * i
			salsaQuarter(&x, row+i, row+(i+1)%4, row+(i+2)%4, row+(i+3)%4)
		}
	}
	for i := range x {
		block[i] += x[i]
	}
}

func salsaQuarter(x *[16]uint32, a, b, c, d int) {
	x[b] ^= bits.RotateLeft32(x[a]+x[d], 7)
	x[c] ^= bits.RotateLeft32(x[b]+x[a], 9)
	x[d] ^= bits.RotateLeft32(x[c]+x[b], 13)
	x[a] ^= bits.RotateLeft32(x[d]+x[c], 18)
}
