package reference

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// SHA3of256 returns the digest of msg by SHA3-256, 32 bytes (FIPS 202 §6.1). Its block size, for HMAC, is 136 bytes.
func SHA3of256(msg []byte) []byte { return absorb(136, 0x06, msg).squeeze(32) }

// sha3of512 is SHA3-512, FIPS 202 §6.1.
func sha3of512(inputs ...[]byte) []byte { return absorb(72, 0x06, inputs...).squeeze(64) }

// shake128 and shake256 are the extendable-output functions of FIPS 202 §6.2.
func shake128(inputs ...[]byte) *sponge { return absorb(168, 0x1f, inputs...) }
func shake256(inputs ...[]byte) *sponge { return absorb(136, 0x1f, inputs...) }

// sponge is KECCAK[c] (FIPS 202 §5.2) that has absorbed its input and is squeezed as long as one likes.
type sponge struct {
	state [25]uint64 // lane (x, y) is state[x+5y], FIPS 202 §3.1.2
	block []byte     // squeezed and not yet read
	rate  int
}

// absorb pads the inputs, one after the other, with the suffix of a function: 0x06 of SHA-3, 0x1f of SHAKE, both with
// the first 1 of pad10*1, by the bit order of FIPS 202 §B.2.
func absorb(rate int, suffix byte, inputs ...[]byte) *sponge {
	padded := append(slices.Concat(inputs...), suffix)
	padded = append(padded, make([]byte, (rate-len(padded)%rate)%rate)...)
	padded[len(padded)-1] |= 0x80
	s := &sponge{rate: rate}
	for ; len(padded) > 0; padded = padded[rate:] {
		for i := range rate / 8 {
			s.state[i] ^= binary.LittleEndian.Uint64(padded[8*i:])
		}
		keccakF(&s.state)
	}
	s.fill()
	return s
}

func (s *sponge) fill() {
	s.block = append(s.block, joinWords(s.state[:s.rate/8], binary.LittleEndian)...)
}

func (s *sponge) squeeze(n int) []byte {
	for len(s.block) < n {
		keccakF(&s.state)
		s.fill()
	}
	out := s.block[:n:n]
	s.block = s.block[n:]
	return out
}

// keccakF is KECCAK-p[1600, 24], FIPS 202 §3.3: 24 rounds of the step mappings θ, ρ, π, χ, ι of §3.2.
func keccakF(a *[25]uint64) {
	for _, constant := range keccakConstants {
		var c [5]uint64 // θ: the parities of the columns
		for i, lane := range a {
			c[i%5] ^= lane
		}
		var b [25]uint64
		for y := range 5 {
			for x := range 5 {
				lane := a[x+5*y] ^ c[(x+4)%5] ^ bits.RotateLeft64(c[(x+1)%5], 1)
				b[y+5*((2*x+3*y)%5)] = bits.RotateLeft64(lane, keccakOffsets[x+5*y]) // ρ, and π moves it
			}
		}
		for y := range 5 { // χ
			for x := range 5 {
				a[x+5*y] = b[x+5*y] ^ ^b[(x+1)%5+5*y]&b[(x+2)%5+5*y]
			}
		}
		a[0] ^= constant // ι
	}
}

// keccakOffsets are the rotations of ρ, FIPS 202 §3.2.2: (t+1)(t+2)/2 along a walk over all lanes but (0, 0).
var keccakOffsets = func() (offsets [25]int) {
	x, y := 1, 0
	for t := range 24 {
		offsets[x+5*y] = (t + 1) * (t + 2) / 2 % 64
		x, y = y, (2*x+3*y)%5
	}
	return offsets
}()

// keccakConstants are those of ι, FIPS 202 §3.2.5: bit 2ʲ−1 of constant i is rc(j+7i), the lowest bit of a shift
// register with the polynomial x⁸+x⁶+x⁵+x⁴+1 after so many steps.
var keccakConstants = func() (constants [24]uint64) {
	register := uint(1)
	for i := range constants {
		for j := range 7 {
			constants[i] |= uint64(register&1) << (1<<j - 1)
			if register <<= 1; register&0x100 != 0 {
				register ^= 0x171
			}
		}
	}
	return constants
}()
