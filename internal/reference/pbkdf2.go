package reference

import (
	"encoding/binary"
	"slices"
)

// PBKDF2SHA256 and PBKDF2SM3 stretch a password to n bytes (RFC 8018 §5.2) by HMAC with SHA-256 and with SM3.
func PBKDF2SHA256(password, salt []byte, iterations, n int) []byte {
	return stretched(wordHash{sha256Initial, sha256Compress}, password, salt, iterations, n)
}

func PBKDF2SM3(password, salt []byte, iterations, n int) []byte {
	return stretched(wordHash{sm3Initial, sm3Compress}, password, salt, iterations, n)
}

// stretched keeps what HMAC's two hashes have after the block that the key takes (RFC 2104 §4), or a million iterations
// would take as long again.
func stretched(h wordHash, password, salt []byte, iterations, n int) (key []byte) {
	must(iterations > 0 && n >= 0, "PBKDF2 takes at least one iteration")
	if len(password) > HashBlockSize {
		password = h.after(0, password)
	}
	inner, outer := h, h
	innerPad, outerPad := hmacPads(HashBlockSize, password)
	h.compress(&inner.state, innerPad)
	h.compress(&outer.state, outerPad)
	mac := func(msg []byte) []byte { return outer.after(HashBlockSize, inner.after(HashBlockSize, msg)) }
	for i := uint32(1); len(key) < n; i++ {
		u := mac(binary.BigEndian.AppendUint32(slices.Clone(salt), i))
		t := slices.Clone(u)
		for range iterations - 1 {
			u = mac(u)
			for k, b := range u {
				t[k] ^= b
			}
		}
		key = append(key, t...)
	}
	return key[:n:n]
}
