package aes

import (
	"crypto/cipher"
	"unsafe"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// SealOnce encrypts plaintext by GCM under a key of 16, 24 or 32 bytes that is used for nothing else, and returns
// dst with the result and its tag of 16 bytes behind it. It is
//
//	block, err := NewCipher(key)
//	aead, err := cipher.NewGCM(block)
//	aead.Seal(dst, nonce, plaintext, additionalData)
//
// and for up to 112 bytes, with the additional data, without the objects, which take longer to make than such a
// message to seal. The nonce has 12 bytes, and a key for one message may have a constant one. It panics where these
// lines do; a key of a wrong length is a [KeySizeError].
func SealOnce(dst, key, nonce, plaintext, additionalData []byte) ([]byte, error) {
	if fastest == kernel.None || !kernel.Short(len(plaintext), len(additionalData)) {
		a, err := gcmOnce(key)
		if err != nil {
			return nil, err
		}
		return a.Seal(dst, nonce, plaintext, additionalData), nil
	}
	if err := checkKey(key); err != nil {
		return nil, err
	}
	checkOnceNonce(nonce)
	ret, out := buffers.Extend(dst, len(plaintext)+BlockSize)
	buffers.CheckAEAD(out, plaintext, additionalData)
	var o kernel.Once
	o.Init(key)
	o.Seal(&out[0], nonce, unsafe.SliceData(plaintext), len(plaintext), unsafe.SliceData(additionalData), len(additionalData))
	return ret, nil
}

// OpenOnce is the inverse of SealOnce. A message that isn't authentic is an error.
func OpenOnce(dst, key, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	n := len(ciphertext) - BlockSize
	if fastest == kernel.None || n < 0 || !kernel.Short(n, len(additionalData)) {
		a, err := gcmOnce(key)
		if err != nil {
			return nil, err
		}
		return a.Open(dst, nonce, ciphertext, additionalData)
	}
	if err := checkKey(key); err != nil {
		return nil, err
	}
	checkOnceNonce(nonce)
	ret, out := buffers.Extend(dst, n)
	buffers.CheckAEAD(out, ciphertext, additionalData)
	var o kernel.Once
	o.Init(key)
	if !o.Open(unsafe.SliceData(out), nonce, &ciphertext[0], n, unsafe.SliceData(additionalData), len(additionalData)) {
		return nil, errOpen
	}
	return ret, nil
}

func gcmOnce(key []byte) (cipher.AEAD, error) {
	b, err := NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(b)
}

func checkOnceNonce(nonce []byte) {
	if len(nonce) != gcmNonceSize {
		panic("crypto/cipher: incorrect nonce length given to GCM")
	}
}
