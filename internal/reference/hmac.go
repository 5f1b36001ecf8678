package reference

import "bytes"

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
	for i, k := range key {
		inner[i] ^= k
		outer[i] ^= k
	}
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
		input := append(append(append([]byte{}, t...), info...), i)
		t = HMAC(hash, blockSize, prk, input)
		okm = append(okm, t...)
	}
	return okm[:n:n]
}
