package reference

import "encoding/binary"

// HashBlockSize is the block size of SHA-256 and of SM3, which HMAC needs to know.
const HashBlockSize = 64

// merkleDamgard feeds msg, padded with a one bit, zeros and its length in bits as 64 bits, to compress
// (FIPS 180-4 §5.1.1; GB/T 32905-2016 §5.2, the same), and returns the state, big-endian.
func merkleDamgard(state [8]uint32, compress func(*[8]uint32, []byte), msg []byte) []byte {
	whole := len(msg) - len(msg)%HashBlockSize
	for i := 0; i < whole; i += HashBlockSize {
		compress(&state, msg[i:])
	}
	tail := append([]byte{}, msg[whole:]...)
	tail = append(tail, 0x80)
	for len(tail)%HashBlockSize != HashBlockSize-8 {
		tail = append(tail, 0)
	}
	tail = binary.BigEndian.AppendUint64(tail, uint64(len(msg))*8)
	for i := 0; i < len(tail); i += HashBlockSize {
		compress(&state, tail[i:])
	}
	digest := make([]byte, 0, 32)
	for _, word := range state {
		digest = binary.BigEndian.AppendUint32(digest, word)
	}
	return digest
}
