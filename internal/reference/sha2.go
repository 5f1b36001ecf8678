package reference

import (
	"encoding/binary"
	"math/bits"
	"sync"
)

// SHA256 returns the digest of msg, 32 bytes (FIPS 180-4 §6.2).
func SHA256(msg []byte) []byte { return wordHash{sha256Initial, sha256Compress}.after(0, msg) }

// sha256Initial is the initial value of FIPS 180-4 §5.3.3, which is BLAKE3's as well: the upper halves of SHA-512's.
var sha256Initial = func() (initial [8]uint32) {
	for i, h := range sha512Initial {
		initial[i] = uint32(h >> 32)
	}
	return initial
}()

// sha256Compress is FIPS 180-4 §6.2.2 for one block. The constants of §4.2.2 are 32 bits of the cube roots of which
// SHA-512's are 64.
func sha256Compress(state *[8]uint32, block []byte) {
	var w [64]uint32
	for t := range 16 {
		w[t] = binary.BigEndian.Uint32(block[4*t:])
	}
	for t := 16; t < 64; t++ {
		s0 := bits.RotateLeft32(w[t-15], -7) ^ bits.RotateLeft32(w[t-15], -18) ^ w[t-15]>>3
		s1 := bits.RotateLeft32(w[t-2], -17) ^ bits.RotateLeft32(w[t-2], -19) ^ w[t-2]>>10
		w[t] = s1 + w[t-7] + s0 + w[t-16]
	}
	a, b, c, d, e, f, g, h := state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
	k := sha512K()
	for t := range 64 {
		sum1 := bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)
		t1 := h + sum1 + (e&f ^ ^e&g) + uint32(k[t]>>32) + w[t]
		sum0 := bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)
		t2 := sum0 + (a&b ^ a&c ^ b&c)
		a, b, c, d, e, f, g, h = t1+t2, a, b, c, d+t1, e, f, g
	}
	for i, v := range [8]uint32{a, b, c, d, e, f, g, h} {
		state[i] += v
	}
}

// SHA512 returns the digest of msg, 64 bytes (FIPS 180-4 §6.4).
func SHA512(msg []byte) []byte {
	state := sha512Initial
	eachBlock(0, msg, SHA512BlockSize, binary.BigEndian, func(block []byte) { sha512Compress(&state, block) })
	return joinWords(state[:], binary.BigEndian)
}

// sha512Compress is FIPS 180-4 §6.4.2 for one block.
func sha512Compress(state *[8]uint64, block []byte) {
	var w [80]uint64
	for t := range 16 {
		w[t] = binary.BigEndian.Uint64(block[8*t:])
	}
	for t := 16; t < 80; t++ {
		s0 := bits.RotateLeft64(w[t-15], -1) ^ bits.RotateLeft64(w[t-15], -8) ^ w[t-15]>>7
		s1 := bits.RotateLeft64(w[t-2], -19) ^ bits.RotateLeft64(w[t-2], -61) ^ w[t-2]>>6
		w[t] = s1 + w[t-7] + s0 + w[t-16]
	}
	a, b, c, d, e, f, g, h := state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
	k := sha512K()
	for t := range 80 {
		sum1 := bits.RotateLeft64(e, -14) ^ bits.RotateLeft64(e, -18) ^ bits.RotateLeft64(e, -41)
		t1 := h + sum1 + (e&f ^ ^e&g) + k[t] + w[t]
		sum0 := bits.RotateLeft64(a, -28) ^ bits.RotateLeft64(a, -34) ^ bits.RotateLeft64(a, -39)
		t2 := sum0 + (a&b ^ a&c ^ b&c)
		a, b, c, d, e, f, g, h = t1+t2, a, b, c, d+t1, e, f, g
	}
	for i, v := range [8]uint64{a, b, c, d, e, f, g, h} {
		state[i] += v
	}
}

// sha512Initial is FIPS 180-4 §5.3.5: the first 64 bits of the fractional parts of the square roots of the first 8
// primes. A test derives it and sha512K.
var sha512Initial = [8]uint64{
	0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
	0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
}

// sha512K is FIPS 180-4 §4.2.3: the first 64 bits of the fractional parts of the cube roots of the first 80 primes.
var sha512K = sync.OnceValue(func() *[80]uint64 {
	k := new([80]uint64)
	readWords(k, table("SHA-512"), binary.BigEndian)
	return k
})
