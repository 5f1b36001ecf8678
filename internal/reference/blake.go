package reference

import (
	"encoding/binary"
	"math/bits"
)

const blake2bBlockSize = 128

// BLAKE2b512 returns the digest of msg by BLAKE2b without a key, 64 bytes (RFC 7693 §3.3).
func BLAKE2b512(msg []byte) []byte { return sumBLAKE2b(64, msg) }

// sumBLAKE2b is BLAKE2, RFC 7693 §3.3, with no key: the last block, which may be whole, and is there even of an empty
// message, is padded with zeros and compressed with the final flag.
func sumBLAKE2b(size int, msg []byte) []byte {
	h := sha512Initial                // the same initialization vector, §2.6
	h[0] ^= 0x01010000 ^ uint64(size) // the parameters of §2.5: fanout and depth 1, no key
	last := max(len(msg)-1, 0) &^ (blake2bBlockSize - 1)
	for i := 0; i < last; i += blake2bBlockSize {
		blake2bCompress(&h, msg[i:], uint64(i+blake2bBlockSize), false)
	}
	var block [blake2bBlockSize]byte
	copy(block[:], msg[last:])
	blake2bCompress(&h, block[:], uint64(len(msg)), true)

	return joinWords(h[:], binary.LittleEndian)[:size:size]
}

// blake2bCompress is F, RFC 7693 §3.2. The upper half of the 128 bits of the byte count is always zero here.
func blake2bCompress(h *[8]uint64, block []byte, count uint64, final bool) {
	var m, v [16]uint64
	readWords(m[:], block, binary.LittleEndian)
	copy(v[:], h[:])
	copy(v[8:], sha512Initial[:])
	v[12] ^= count
	if final {
		v[14] = ^v[14]
	}
	for round := range 12 {
		s := &blake2bSigma[round%10]
		doubleRound(func(i, a, b, c, d int) { blake2bMix(&v, a, b, c, d, m[s[2*i]], m[s[2*i+1]]) })
	}
	xorInto(h[:], v[:8])
	xorInto(h[:], v[8:])
}

// blake2bMix is G, RFC 7693 §3.1, with the rotations of §2.1.
func blake2bMix(v *[16]uint64, a, b, c, d int, x, y uint64) {
	v[a] += v[b] + x
	v[d] = bits.RotateLeft64(v[d]^v[a], -32)
	v[c] += v[d]
	v[b] = bits.RotateLeft64(v[b]^v[c], -24)
	v[a] += v[b] + y
	v[d] = bits.RotateLeft64(v[d]^v[a], -16)
	v[c] += v[d]
	v[b] = bits.RotateLeft64(v[b]^v[c], -63)
}

// blake2bSigma is SIGMA, RFC 7693 §2.7: the order of the message's words by round.
var blake2bSigma = [10][16]byte{
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
	{11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
	{7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
	{9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
	{2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
	{12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
	{13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
	{6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
	{10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
}

// Sizes and flags of BLAKE3 (O'Connor, Aumasson, Neves, Wilcox-O'Hearn: "BLAKE3: one function, fast everywhere",
// 2021), §2.1 and table 3.
const (
	blake3BlockSize = 64
	blake3ChunkSize = 1024

	blake3ChunkStart = 1 << 0
	blake3ChunkEnd   = 1 << 1
	blake3Parent     = 1 << 2
	blake3Root       = 1 << 3
)

// BLAKE3 returns the digest of msg by BLAKE3 without a key, 32 bytes.
func BLAKE3(msg []byte) []byte {
	words := blake3Tree(msg, 0, blake3Root)
	return joinWords(words[:], binary.LittleEndian)
}

// blake3Tree is the chaining value of the subtree over msg, whose first chunk has the number counter (§2.1). A left
// subtree is whole: it has as many chunks as the greatest power of two that leaves one byte or more to the right.
func blake3Tree(msg []byte, counter uint64, root uint32) [8]uint32 {
	if len(msg) <= blake3ChunkSize {
		return blake3Chunk(msg, counter, root)
	}
	chunks := uint64(len(msg)-1) / blake3ChunkSize // whole ones before the last byte's
	left := uint64(1) << (bits.Len64(chunks) - 1)
	l := blake3Tree(msg[:left*blake3ChunkSize], counter, 0)
	r := blake3Tree(msg[left*blake3ChunkSize:], counter+left, 0)
	var block [16]uint32
	copy(block[:8], l[:])
	copy(block[8:], r[:])
	return blake3Compress(sha256Initial, block, 0, blake3BlockSize, blake3Parent|root)
}

// blake3Chunk is the chaining value of a chunk (§2.4): its blocks one after the other, the last one padded with zeros.
func blake3Chunk(msg []byte, counter uint64, root uint32) [8]uint32 {
	value := sha256Initial // the key where there is none, table 1
	flags := uint32(blake3ChunkStart)
	for {
		n := min(len(msg), blake3BlockSize)
		var padded [blake3BlockSize]byte
		copy(padded[:], msg[:n])
		var block [16]uint32
		readWords(block[:], padded[:], binary.LittleEndian)
		msg = msg[n:]
		if len(msg) == 0 {
			return blake3Compress(value, block, counter, uint32(n), flags|blake3ChunkEnd|root)
		}
		value = blake3Compress(value, block, counter, uint32(n), flags)
		flags = 0
	}
}

// blake3Compress is the compression function, §2.2, cut to a chaining value.
func blake3Compress(value [8]uint32, m [16]uint32, counter uint64, size, flags uint32) [8]uint32 {
	v := [16]uint32{value[0], value[1], value[2], value[3], value[4], value[5], value[6], value[7],
		sha256Initial[0], sha256Initial[1], sha256Initial[2], sha256Initial[3],
		uint32(counter), uint32(counter >> 32), size, flags}
	for range 7 {
		doubleRound(func(i, a, b, c, d int) { blake3Mix(&v, a, b, c, d, m[2*i], m[2*i+1]) })
		before := m // after the last round for nothing
		for i, from := range blake3Permutation {
			m[i] = before[from]
		}
	}
	xorInto(v[:8], v[8:])
	return [8]uint32(v[:8])
}

// blake3Mix is G of table 2's round, with 32-bit words.
func blake3Mix(v *[16]uint32, a, b, c, d int, x, y uint32) {
	v[a] += v[b] + x
	v[d] = bits.RotateLeft32(v[d]^v[a], -16)
	v[c] += v[d]
	v[b] = bits.RotateLeft32(v[b]^v[c], -12)
	v[a] += v[b] + y
	v[d] = bits.RotateLeft32(v[d]^v[a], -8)
	v[c] += v[d]
	v[b] = bits.RotateLeft32(v[b]^v[c], -7)
}

// blake3Permutation is the order of the words of the next round, table 2.
var blake3Permutation = [16]int{2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8}
