package sm4

import (
	"crypto/cipher"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// SealOnce encrypts plaintext by GCM under a key of 16 bytes that is used for nothing else, and returns dst
// with the result and its tag of 16 bytes behind it. It is
//
//	block, err := NewCipher(key)
//	aead, err := cipher.NewGCM(block)
//	aead.Seal(dst, nonce, plaintext, additionalData)
//
// without the objects: for up to 112 bytes the key schedule, the hash key and the text are one run of the
// processor's, about as long as sealing alone. The nonce has 12 bytes, and a key for one message may have
// a constant one. It panics where these lines do; a key of a wrong length is a [KeySizeError].
func SealOnce(dst, key, nonce, plaintext, additionalData []byte) ([]byte, error) {
	if len(key) != KeySize {
		return nil, KeySizeError(len(key))
	}
	if !fastest.Fused() || !once(len(plaintext), len(additionalData)) {
		g, err := gcmOnce(key)
		if err != nil {
			return nil, err
		}
		return g.Seal(dst, nonce, plaintext, additionalData), nil
	}
	checkGCMNonce(nonce, gcmNonceSize)
	ret, out := buffers.Extend(dst, len(plaintext)+BlockSize)
	buffers.CheckAEAD(out, plaintext, additionalData)
	var m kernel.Message
	prepareOnce(&m, nonce, out, plaintext, additionalData)
	m.SealOnce((*[KeySize]byte)(key))
	*(*[BlockSize]byte)(out[len(plaintext):]) = m.Tag
	return ret, nil
}

// OpenOnce is the inverse of SealOnce. A message that isn't authentic is an error, and dst is not written to
// then.
func OpenOnce(dst, key, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if len(key) != KeySize {
		return nil, KeySizeError(len(key))
	}
	n := len(ciphertext) - BlockSize
	if !fastest.Fused() || n < 0 || !once(n, len(additionalData)) {
		g, err := gcmOnce(key)
		if err != nil {
			return nil, err
		}
		return g.Open(dst, nonce, ciphertext, additionalData)
	}
	checkGCMNonce(nonce, gcmNonceSize)
	ret, out := buffers.Extend(dst, n)
	buffers.CheckAEAD(out, ciphertext, additionalData)
	var m kernel.Message
	prepareOnce(&m, nonce, out, ciphertext[:n], additionalData)
	m.SetTag(ciphertext[n:])
	if !m.OpenOnce((*[KeySize]byte)(key)) {
		return nil, errOpen
	}
	return ret, nil
}

// once says whether the kernel that makes the key takes such a message.
func once(text, additional int) bool {
	few, _ := kernel.Fits(text, additional)
	return few && text <= kernel.MaxOnce && additional <= kernel.MaxAdditional
}

func prepareOnce(m *kernel.Message, nonce, dst, src, additional []byte) {
	m.SetNonce((*[gcmNonceSize]byte)(nonce))
	m.SetText(dst, src)
	if len(additional) > 0 {
		m.SetAdditional(additional)
	}
	m.Lengths = lengths(len(src), len(additional))
}

func gcmOnce(key []byte) (cipher.AEAD, error) {
	c, err := New(key)
	if err != nil {
		return nil, err
	}
	return c.NewGCM(gcmNonceSize, BlockSize)
}
