package reference

// SealCBCHMAC encrypts, then authenticates: it returns ciphertext‖tag, where the ciphertext is CBC over the
// plaintext with PKCS #7 padding and the tag is HMAC under macKey over iv‖ciphertext, whole. The order is
// that of RFC 7366; the layout is cryptogauge's own. hash and blockSize are those of HMAC.
func SealCBCHMAC(b Block, hash func([]byte) []byte, blockSize int, macKey, iv, plaintext []byte) []byte {
	ciphertext := EncryptCBC(b, iv, PadPKCS7(plaintext))
	return append(ciphertext, cbcTag(hash, blockSize, macKey, iv, ciphertext)...)
}

func cbcTag(hash func([]byte) []byte, blockSize int, macKey, iv, ciphertext []byte) []byte {
	authenticated := append(append([]byte{}, iv...), ciphertext...)
	return HMAC(hash, blockSize, macKey, authenticated)
}
