// Package ccm is what CCM (SP 800-38C, RFC 3610) does without its block cipher: which sizes it takes, and how a nonce,
// additional data and a length are put into blocks. It keeps nothing and allocates nothing.
package ccm

import (
	"encoding/binary"
	"errors"
)

const blockSize = 16

// Sizes are those of nonces and tags, in bytes.
type Sizes struct{ Nonce, Tag int }

// New refuses sizes that CCM doesn't have: it has nonces of 7 to 13 bytes, tags of 4 to 16 and even.
func New(nonce, tag int) (Sizes, error) {
	if tag < 4 || tag > blockSize || tag%2 != 0 {
		return Sizes{}, errors.New("cipher: incorrect tag size given to CCM")
	}
	if nonce < 7 || nonce > 13 {
		return Sizes{}, errors.New("cipher: incorrect nonce size given to CCM")
	}
	return Sizes{nonce, tag}, nil
}

// CheckNonce panics where a nonce has another length.
func (s Sizes) CheckNonce(nonce []byte) {
	if len(nonce) != s.Nonce {
		panic("crypto/cipher: incorrect nonce length given to CCM")
	}
}

// CheckText panics where a text of n bytes is too long for the nonce.
func (s Sizes) CheckText(n int) {
	if s.TooLong(n) {
		panic("crypto/cipher: message too large for CCM")
	}
}

// TooLong says whether n doesn't fit the length field of 15 bytes less the nonce.
func (s Sizes) TooLong(n int) bool {
	size := 15 - s.Nonce
	return size < 8 && uint64(n)>>(8*size) != 0
}

// Counter is Ctr₀, SP 800-38C, appendix A.3. It may be counted on as a whole block: TooLong keeps the count from running into the nonce.
func (s Sizes) Counter(nonce []byte) (ctr [blockSize]byte) {
	ctr[0] = byte(14 - s.Nonce)
	copy(ctr[1:], nonce)
	return ctr
}

// Begin writes what the MAC begins with, SP 800-38C, appendix A.2: B₀, and where there is additional data its length with as much of
// it as fills the second block. It returns how many bytes of first that are, and the additional data that is left.
func (s Sizes) Begin(first *[2 * blockSize]byte, nonce, additional []byte, text int) (used int, left []byte) {
	clear(first[:])
	binary.BigEndian.PutUint64(first[8:], uint64(text))
	first[0] = byte((s.Tag-2)/2)<<3 | byte(14-s.Nonce)
	copy(first[1:], nonce)
	if len(additional) == 0 {
		return blockSize, nil
	}
	first[0] |= 1 << 6
	n, second := 0, first[blockSize:]
	switch size := uint64(len(additional)); {
	case size < 1<<16-1<<8:
		n = 2
		binary.BigEndian.PutUint16(second, uint16(size))
	case size < 1<<32:
		n = 6
		copy(second, "\xff\xfe")
		binary.BigEndian.PutUint32(second[2:], uint32(size))
	default:
		n = 10
		copy(second, "\xff\xff")
		binary.BigEndian.PutUint64(second[2:], size)
	}
	return len(first), additional[copy(second[n:], additional):]
}
