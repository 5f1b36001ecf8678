package reference

import (
	"encoding/binary"
	"slices"
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

// readWords is its inverse, into an array or a slice of words.
func readWords(words any, b []byte, order binary.ByteOrder) {
	_, err := binary.Decode(b, order, words)
	must(err == nil, "fewer bytes than words")
}
