package reference

import (
	"bytes"
	"errors"
	"slices"
)

var errPadding = errors.New("reference: wrong PKCS #7 padding")

// PadPKCS7 appends 1 to BlockSize bytes, each of them their number, so that whole blocks result (RFC 5652 §6.3).
func PadPKCS7(src []byte) []byte {
	n := BlockSize - len(src)%BlockSize
	return slices.Concat(src, bytes.Repeat([]byte{byte(n)}, n))
}

// UnpadPKCS7 removes what PadPKCS7 appended, and fails if every byte of it isn't as it should be.
func UnpadPKCS7(src []byte) ([]byte, error) {
	if len(src) == 0 || len(src)%BlockSize != 0 {
		return nil, errPadding
	}
	n := int(src[len(src)-1])
	if n < 1 || n > BlockSize || !bytes.Equal(src[len(src)-n:], bytes.Repeat(src[len(src)-1:], n)) {
		return nil, errPadding
	}
	return bytes.Clone(src[:len(src)-n]), nil
}
