package reference

import "encoding/binary"

// Block sizes of hashes, which HMAC and HKDF need to know.
const (
	HashBlockSize   = 64  // MD5, SHA-1, SHA-256 and SM3
	SHA512BlockSize = 128 // SHA-512
)

// merkleDamgard feeds msg, padded, to compress and returns the state: SHA-256 and SM3 are of this form.
func merkleDamgard(state [8]uint32, compress func(*[8]uint32, []byte), msg []byte) []byte {
	eachBlock(msg, HashBlockSize, binary.BigEndian, func(block []byte) { compress(&state, block) })
	return joinWords(state[:], binary.BigEndian)
}

// eachBlock cuts msg into blocks after padding it with a one bit, zeros and its length in bits, which takes an
// eighth of the last block (FIPS 180-4 §5.1; GB/T 32905-2016 §5.2, the same; RFC 1321 §3.1 and §3.2, little-endian).
func eachBlock(msg []byte, blockSize int, order binary.AppendByteOrder, compress func(block []byte)) {
	whole := len(msg) - len(msg)%blockSize
	for i := 0; i < whole; i += blockSize {
		compress(msg[i : i+blockSize])
	}
	tail := append([]byte{}, msg[whole:]...)
	tail = append(tail, 0x80)
	for len(tail)%blockSize != blockSize-blockSize/8 {
		tail = append(tail, 0)
	}
	tail = append(tail, make([]byte, blockSize/8-8)...) // no length here reaches the upper half of SHA-512's 128 bits
	tail = order.AppendUint64(tail, uint64(len(msg))*8)
	for i := 0; i < len(tail); i += blockSize {
		compress(tail[i : i+blockSize])
	}
}

// joinWords writes the words of a state one after the other.
func joinWords(words []uint32, order binary.AppendByteOrder) []byte {
	digest := make([]byte, 0, 4*len(words))
	for _, word := range words {
		digest = order.AppendUint32(digest, word)
	}
	return digest
}
