package reference

import "bytes"

// HMAC authenticates msg under a key of any length (FIPS 198-1 §4; RFC 2104 §2) with a hash such as SHA256 or
// SHA512, whose block size is given in bytes: HashBlockSize, SHA512BlockSize. The result is as long as the hash's
// digest.
func HMAC(hash func([]byte) []byte, blockSize int, key, msg []byte) []byte {
	if len(key) > blockSize {
		key = hash(key)
	}
	inner := bytes.Repeat([]byte{0x36}, blockSize)
	outer := bytes.Repeat([]byte{0x5c}, blockSize)
	for i, k := range key {
		inner[i] ^= k
		outer[i] ^= k
	}
	return hash(append(outer, hash(append(inner, msg...))...))
}
