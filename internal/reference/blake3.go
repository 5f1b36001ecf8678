package reference

import (
	"encoding/binary"
	"math/bits"
)

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
		for i := range block {
			block[i] = binary.LittleEndian.Uint32(padded[4*i:])
		}
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
	for round := range 7 {
		for i := range 4 { // columns
			blake3Mix(&v, i, 4+i, 8+i, 12+i, m[2*i], m[2*i+1])
		}
		for i := range 4 { // diagonals
			blake3Mix(&v, i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4, m[8+2*i], m[9+2*i])
		}
		if round < 6 {
			var permuted [16]uint32
			for i := range m {
				permuted[i] = m[blake3Permutation[i]]
			}
			m = permuted
		}
	}
	var out [8]uint32
	for i := range out {
		out[i] = v[i] ^ v[i+8]
	}
	return out
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
