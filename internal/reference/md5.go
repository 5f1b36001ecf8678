package reference

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sync"
)

// MD5 returns the digest of msg, 16 bytes (RFC 1321 §3). Collisions are found in seconds (RFC 6151).
func MD5(msg []byte) []byte {
	state := [4]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476} // RFC 1321 §3.3
	eachBlock(0, msg, HashBlockSize, binary.LittleEndian, func(block []byte) { md5Compress(&state, block) })
	return joinWords(state[:], binary.LittleEndian)
}

// md5Compress is RFC 1321 §3.4 for one block: four rounds of 16 steps, each round with a function, an order of the
// words and four rotations of its own.
func md5Compress(state *[4]uint32, block []byte) {
	var x [16]uint32
	for i := range x {
		x[i] = binary.LittleEndian.Uint32(block[4*i:])
	}
	a, b, c, d, table := state[0], state[1], state[2], state[3], md5T()
	for i := range 64 {
		var f uint32
		var k int
		switch i / 16 {
		case 0:
			f, k = b&c|^b&d, i
		case 1:
			f, k = b&d|c&^d, 5*i+1
		case 2:
			f, k = b^c^d, 3*i+5
		case 3:
			f, k = c^(b|^d), 7*i
		}
		sum := a + f + x[k%16] + table[i]
		a, b, c, d = d, b+bits.RotateLeft32(sum, md5Rotations[i/16][i%4]), b, c
	}
	state[0] += a
	state[1] += b
	state[2] += c
	state[3] += d
}

var md5Rotations = [4][4]int{{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}

// md5T is the table T by its definition, RFC 1321 §3.4: T[i] is the integer part of 2³²·|sin i|, i from 1 on.
var md5T = sync.OnceValue(func() *[64]uint32 {
	t := new([64]uint32)
	for i := range t {
		t[i] = uint32(math.Abs(math.Sin(float64(i+1))) * (1 << 32))
	}
	return t
})
