package reference

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
