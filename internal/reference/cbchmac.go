package reference

import "bytes"

// SealCBCHMAC encrypts, then authenticates: it returns ciphertext‖tag, where the ciphertext is CBC over the
// plaintext with PKCS #7 padding and the tag is HMAC under macKey over iv‖ciphertext, whole. The order is
// that of RFC 7366; the layout is cryptogauge's own. hash and blockSize are those of HMAC.
func SealCBCHMAC(b Block, hash func([]byte) []byte, blockSize int, macKey, iv, plaintext []byte) []byte {
	ciphertext := EncryptCBC(b, iv, PadPKCS7(plaintext))
	return append(ciphertext, cbcTag(hash, blockSize, macKey, iv, ciphertext)...)
}

// OpenCBCHMAC returns the plaintext of sealed = ciphertext‖tag. The tag is judged before the padding is looked at,
// so anything changed on the way is ErrOpen.
func OpenCBCHMAC(b Block, hash func([]byte) []byte, blockSize int, macKey, iv, sealed []byte) ([]byte, error) {
	n := len(sealed) - len(hash(nil))
	if n < 0 || n%BlockSize != 0 || !bytes.Equal(sealed[n:], cbcTag(hash, blockSize, macKey, iv, sealed[:n])) {
		return nil, ErrOpen
	}
	return UnpadPKCS7(DecryptCBC(b, iv, sealed[:n]))
}

func cbcTag(hash func([]byte) []byte, blockSize int, macKey, iv, ciphertext []byte) []byte {
	authenticated := append(append([]byte{}, iv...), ciphertext...)
	return HMAC(hash, blockSize, macKey, authenticated)
}
