package reference

import (
	"encoding/binary"
	"math/bits"
)

// SHA1 returns the digest of msg, 20 bytes (FIPS 180-4 §6.1). Collisions have been found.
func SHA1(msg []byte) []byte {
	state := [5]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0} // FIPS 180-4 §5.3.1
	eachBlock(0, msg, HashBlockSize, binary.BigEndian, func(block []byte) { sha1Compress(&state, block) })
	return joinWords(state[:], binary.BigEndian)
}

// sha1Compress is FIPS 180-4 §6.1.2 for one block, with the functions of §4.1.1 and the constants of §4.2.1.
func sha1Compress(state *[5]uint32, block []byte) {
	var w [80]uint32
	for t := range 16 {
		w[t] = binary.BigEndian.Uint32(block[4*t:])
	}
	for t := 16; t < 80; t++ {
		w[t] = bits.RotateLeft32(w[t-3]^w[t-8]^w[t-14]^w[t-16], 1)
	}
	a, b, c, d, e := state[0], state[1], state[2], state[3], state[4]
	for t := range 80 {
		var f, k uint32
		switch t / 20 {
		case 0:
			f, k = b&c^^b&d, 0x5a827999
		case 1:
			f, k = b^c^d, 0x6ed9eba1
		case 2:
			f, k = b&c^b&d^c&d, 0x8f1bbcdc
		case 3:
			f, k = b^c^d, 0xca62c1d6
		}
		a, b, c, d, e = bits.RotateLeft32(a, 5)+f+e+k+w[t], a, bits.RotateLeft32(b, 30), c, d
	}
	for i, v := range [5]uint32{a, b, c, d, e} {
		state[i] += v
	}
}
