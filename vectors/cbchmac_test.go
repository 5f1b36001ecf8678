package vectors

import (
	"bytes"
	"encoding/binary"

	"github.com/cryptogauge/cryptogauge/internal/reference"
)

// joseCBCHMAC puts together what reference.SealCBCHMAC is made of, into A128CBC-HS256 (RFC 7518 §5.2.3), the
// composite that has vectors. cryptogauge's own differs: it has no AAD, and its tag is whole and covers IV‖ciphertext.
var joseCBCHMAC = aead{
	seal: func(key, iv, plaintext, aad []byte) ([]byte, error) {
		ciphertext, err := referenceCBCEncrypt(key[16:], iv, plaintext)
		if err != nil {
			return nil, err
		}
		return append(ciphertext, joseTag(key[:16], iv, ciphertext, aad)...), nil
	},
	open: func(key, iv, sealed, aad []byte) ([]byte, error) {
		n := len(sealed) - 16
		if !bytes.Equal(sealed[n:], joseTag(key[:16], iv, sealed[:n], aad)) {
			return nil, reference.ErrOpen
		}
		return referenceCBCDecrypt(key[16:], iv, sealed[:n])
	},
}

// joseTag is the first half of HMAC over AAD‖IV‖ciphertext‖AL, AL being the bits of the AAD (RFC 7518 §5.2.2.1).
func joseTag(macKey, iv, ciphertext, aad []byte) []byte {
	authenticated := bytes.Join([][]byte{aad, iv, ciphertext}, nil)
	authenticated = binary.BigEndian.AppendUint64(authenticated, uint64(len(aad))*8)
	return reference.HMAC(reference.SHA256, reference.HashBlockSize, macKey, authenticated)[:16]
}
