package reference

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// Block sizes of hashes, which HMAC and HKDF need to know.
const (
	HashBlockSize   = 64  // MD5, SHA-1, SHA-256 and SM3
	SHA512BlockSize = 128 // SHA-512
)

// wordHash is a hash in the middle of a message: SHA-256 and SM3 are of this form.
type wordHash struct {
	state    [8]uint32
	compress func(*[8]uint32, []byte)
}

// after is the digest of a message of which so many bytes, whole blocks, were hashed before.
func (h wordHash) after(hashed int, rest []byte) []byte {
	eachBlock(hashed, rest, HashBlockSize, binary.BigEndian, func(block []byte) { h.compress(&h.state, block) })
	return joinWords(h.state[:], binary.BigEndian)
}

// eachBlock cuts the rest of a message into blocks after padding it with a one bit, zeros and the message's length in
// bits, which takes an eighth of the last block (FIPS 180-4 §5.1; GB/T 32905-2016 §5.2, the same; RFC 1321 §3.1 and
// §3.2, little-endian).
func eachBlock(hashed int, rest []byte, blockSize int, order binary.AppendByteOrder, compress func(block []byte)) {
	whole := len(rest) - len(rest)%blockSize
	tail := append(slices.Clone(rest[whole:]), 0x80)
	zeros := -(len(tail) + blockSize/8) & (blockSize - 1)
	zeros += blockSize/8 - 8 // no length here reaches the upper half of SHA-512's 128 bits
	tail = order.AppendUint64(append(tail, make([]byte, zeros)...), uint64(hashed+len(rest))*8)
	for _, part := range [][]byte{rest[:whole], tail} {
		for block := range slices.Chunk(part, blockSize) {
			compress(block)
		}
	}
}

// joinWords writes the words of a state one after the other.
func joinWords[W uint32 | uint64](words []W, order binary.ByteOrder) []byte {
	digest, err := binary.Append(nil, order, words)
	must(err == nil, "words have no fixed size")
	return digest
}

// readWords is its inverse: it fills words from the beginning of b.
func readWords[W uint32 | uint64](words []W, b []byte, order binary.ByteOrder) {
	for i := range words {
		if ^W(0) == math.MaxUint32 { // 32 bits
			words[i] = W(order.Uint32(b[4*i:]))
		} else {
			words[i] = W(order.Uint64(b[8*i:]))
		}
	}
}

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
	readWords(x[:], block, binary.LittleEndian)
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
	addInto(state[:], []uint32{a, b, c, d})
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

// SHA1 returns the digest of msg, 20 bytes (FIPS 180-4 §6.1). Collisions have been found.
func SHA1(msg []byte) []byte {
	state := [5]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0} // FIPS 180-4 §5.3.1
	eachBlock(0, msg, HashBlockSize, binary.BigEndian, func(block []byte) { sha1Compress(&state, block) })
	return joinWords(state[:], binary.BigEndian)
}

// sha1Compress is FIPS 180-4 §6.1.2 for one block, with the functions of §4.1.1 and the constants of §4.2.1.
func sha1Compress(state *[5]uint32, block []byte) {
	var w [80]uint32
	readWords(w[:16], block, binary.BigEndian)
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
	addInto(state[:], []uint32{a, b, c, d, e})
}

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
	readWords(w[:16], block, binary.BigEndian)
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
	addInto(state[:], []uint32{a, b, c, d, e, f, g, h})
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
	readWords(w[:16], block, binary.BigEndian)
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
	addInto(state[:], []uint64{a, b, c, d, e, f, g, h})
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
	readWords(k[:], table("SHA-512"), binary.BigEndian)
	return k
})

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
	xorInto(state[:], []uint32{a, b, c, d, e, f, g, h})
}

// sm3Expand is the message expansion W, GB/T 32905 §5.3.2. W′_j is w[j] ^ w[j+4] and needs no table of its own.
func sm3Expand(block []byte) (w [68]uint32) {
	readWords(w[:16], block, binary.BigEndian)
	for j := 16; j < 68; j++ {
		x := w[j-16] ^ w[j-9] ^ bits.RotateLeft32(w[j-3], 15)
		p1 := x ^ bits.RotateLeft32(x, 15) ^ bits.RotateLeft32(x, 23) // P₁, §4.4
		w[j] = p1 ^ bits.RotateLeft32(w[j-13], 7) ^ w[j-6]
	}
	return w
}

// HMAC authenticates msg under a key of any length (FIPS 198-1 §4; RFC 2104 §2) with a hash such as SHA256 or
// SHA512, whose block size is given in bytes: HashBlockSize, SHA512BlockSize. The result is as long as the hash's
// digest.
func HMAC(hash func([]byte) []byte, blockSize int, key, msg []byte) []byte {
	if len(key) > blockSize {
		key = hash(key)
	}
	inner, outer := hmacPads(blockSize, key)
	return hash(append(outer, hash(append(inner, msg...))...))
}

func hmacPads(blockSize int, key []byte) (inner, outer []byte) {
	inner = bytes.Repeat([]byte{0x36}, blockSize)
	outer = bytes.Repeat([]byte{0x5c}, blockSize)
	xorInto(inner, key)
	xorInto(outer, key)
	return inner, outer
}

// HKDF derives n bytes from secret (RFC 5869 §2) with a hash whose block size is given in bytes, as for HMAC. An
// empty salt counts as a digest's length of zeros, which is what HMAC makes of an empty key. It panics for more than
// 255 digests.
func HKDF(hash func([]byte) []byte, blockSize int, secret, salt, info []byte, n int) []byte {
	prk := HMAC(hash, blockSize, salt, secret) // HKDF-Extract, §2.2
	must(n >= 0 && n <= 255*len(prk), "HKDF gives 0 to 255 digests")
	var okm, t []byte // HKDF-Expand, §2.3
	for i := byte(1); len(okm) < n; i++ {
		t = HMAC(hash, blockSize, prk, slices.Concat(t, info, []byte{i}))
		okm = append(okm, t...)
	}
	return okm[:n:n]
}
