package reference

import (
	"encoding/binary"
	"math/bits"
)

// SM3 returns the digest of msg, 32 bytes (GB/T 32905-2016 §5).
func SM3(msg []byte) []byte { return wordHash{sm3Initial, sm3Compress}.after(0, msg) }

// sm3Initial is IV, GB/T 32905 §4.1.
var sm3Initial = [8]uint32{
	0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e,
}

// sm3Compress is CF, GB/T 32905 §5.3.3, for one block.
func sm3Compress(state *[8]uint32, block []byte) {
	w := sm3Expand(block)
	a, b, c, d, e, f, g, h := state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
	for j := range 64 {
		ff, gg, constant := a^b^c, e^f^g, uint32(0x79cc4519) // §4.2, §4.3
		if j >= 16 {
			ff, gg, constant = a&b|a&c|b&c, e&f|^e&g, 0x7a879d8a
		}
		ss1 := bits.RotateLeft32(bits.RotateLeft32(a, 12)+e+bits.RotateLeft32(constant, j%32), 7)
		ss2 := ss1 ^ bits.RotateLeft32(a, 12)
		tt1 := ff + d + ss2 + (w[j] ^ w[j+4])
		tt2 := gg + h + ss1 + w[j]
		a, b, c, d = tt1, a, bits.RotateLeft32(b, 9), c
		e, f, g, h = tt2^bits.RotateLeft32(tt2, 9)^bits.RotateLeft32(tt2, 17), e, bits.RotateLeft32(f, 19), g // P₀, §4.4
	}
	for i, v := range [8]uint32{a, b, c, d, e, f, g, h} {
		state[i] ^= v
	}
}

// sm3Expand is the message expansion W, GB/T 32905 §5.3.2. W′_j is w[j] ^ w[j+4] and needs no table of its own.
func sm3Expand(block []byte) (w [68]uint32) {
	for j := range 16 {
		w[j] = binary.BigEndian.Uint32(block[4*j:])
	}
	for j := 16; j < 68; j++ {
		x := w[j-16] ^ w[j-9] ^ bits.RotateLeft32(w[j-3], 15)
		p1 := x ^ bits.RotateLeft32(x, 15) ^ bits.RotateLeft32(x, 23) // P₁, §4.4
		w[j] = p1 ^ bits.RotateLeft32(w[j-13], 7) ^ w[j-6]
	}
	return w
}
