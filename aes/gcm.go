package aes

import (
	"crypto/cipher"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"unsafe"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

var errOpen = errors.New("cipher: message authentication failed")

const (
	gcmNonceSize = 12
	// gcmMaxText is the longest text of SP 800-38D, section 5.2.1.1, in bytes.
	gcmMaxText = (1<<32 - 2) * BlockSize
)

// NewGCM is what cipher.NewGCM and its relatives look for: nonces of nonceSize bytes, at least 1, and tags of
// tagSize, 12 to 16. The result may be used by any number of goroutines at once. The implementation std has
// no GCM with both another nonce size than 12 and another tag size than 16.
func (c *Cipher) NewGCM(nonceSize, tagSize int) (cipher.AEAD, error) {
	if tagSize < 12 || tagSize > BlockSize {
		return nil, errors.New("cipher: incorrect tag size given to GCM")
	}
	if nonceSize <= 0 {
		return nil, errors.New("cipher: the nonce can't have zero length")
	}
	if c.std != nil {
		return c.stdGCM(nonceSize, tagSize)
	}
	g := &gcm{nonceSize: nonceSize, tagSize: tagSize, direct: tagSize == BlockSize}
	g.GCM.Init(&c.keys)
	return g, nil
}

func (c *Cipher) stdGCM(nonceSize, tagSize int) (cipher.AEAD, error) {
	switch {
	case tagSize == BlockSize:
		return cipher.NewGCMWithNonceSize(c.std, nonceSize)
	case nonceSize == gcmNonceSize:
		return cipher.NewGCMWithTagSize(c.std, tagSize)
	}
	return nil, errors.New("aes: the standard library has no GCM with another nonce size and another tag size at once")
}

type gcm struct {
	kernel.GCM
	nonceSize, tagSize int
	direct             bool // the tag is as the kernel for whole messages makes it
}

func (g *gcm) NonceSize() int { return g.nonceSize }
func (g *gcm) Overhead() int  { return g.tagSize }

func (g *gcm) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	g.checkNonce(nonce)
	if uint64(len(plaintext)) > gcmMaxText {
		panic("crypto/cipher: message too large for GCM")
	}
	ret, out := buffers.Extend(dst, len(plaintext)+g.tagSize)
	buffers.CheckAEAD(out, plaintext, additionalData)
	if g.direct && g.SealWhole(&out[0], g.J0(nonce), unsafe.SliceData(plaintext), len(plaintext),
		unsafe.SliceData(additionalData), len(additionalData)) {
		return ret
	}
	g.sealParts(out, nonce, plaintext, additionalData)
	return ret
}

// sealOut is Seal into out, which has room for the tag of 16 bytes, on buffers that have been checked.
func (g *gcm) sealOut(out, nonce, plaintext, additionalData []byte) {
	if !g.SealWhole(&out[0], g.J0(nonce), unsafe.SliceData(plaintext), len(plaintext),
		unsafe.SliceData(additionalData), len(additionalData)) {
		g.sealParts(out, nonce, plaintext, additionalData)
	}
}

// sealParts seals what one call of a kernel doesn't take.
func (g *gcm) sealParts(out, nonce, plaintext, additionalData []byte) {
	var l kernel.Last
	g.GCM.Seal(&l, g.J0(nonce), out[:len(plaintext)], plaintext, additionalData)
	copy(out[len(plaintext):], l.Tag[:g.tagSize])
}

// Open verifies the tag before it decrypts: dst is not written to unless the message is authentic.
func (g *gcm) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	g.checkNonce(nonce)
	n := len(ciphertext) - g.tagSize
	if n < 0 || uint64(n) > gcmMaxText {
		return nil, errOpen
	}
	ret, out := buffers.Extend(dst, n)
	buffers.CheckAEAD(out, ciphertext, additionalData)
	if !g.open(out, nonce, ciphertext, additionalData) {
		return nil, errOpen
	}
	return ret, nil
}

// open is Open into out on buffers that have been checked.
func (g *gcm) open(out, nonce, ciphertext, additionalData []byte) bool {
	j0 := g.J0(nonce)
	if g.direct {
		authentic, taken := g.OpenWhole(unsafe.SliceData(out), j0, &ciphertext[0], len(out),
			unsafe.SliceData(additionalData), len(additionalData))
		if taken {
			return authentic
		}
	}
	text, tag := ciphertext[:len(out)], ciphertext[len(out):]
	var l kernel.Last
	g.Authenticate(&l, j0, text, additionalData)
	if subtle.ConstantTimeCompare(l.Tag[:g.tagSize], tag) != 1 {
		return false
	}
	g.Decrypt(j0, out, text)
	return true
}

func (g *gcm) checkNonce(nonce []byte) {
	if len(nonce) != g.nonceSize {
		panic("crypto/cipher: incorrect nonce length given to GCM")
	}
}

// NewGCMWithRandomNonce is cipher.NewGCMWithRandomNonce for the blocks of this package, which that function
// takes none of, and for those of crypto/aes: Seal draws a nonce of 12 bytes and puts it before the ciphertext,
// Open takes it from there. NonceSize is 0 and Overhead 28. No more than 2³² messages may be sealed with a key.
func NewGCMWithRandomNonce(block cipher.Block) (cipher.AEAD, error) {
	c, ok := block.(*Cipher)
	switch {
	case !ok:
		return cipher.NewGCMWithRandomNonce(block)
	case c.std != nil:
		return cipher.NewGCMWithRandomNonce(c.std)
	}
	g := &randomNonce{gcm{nonceSize: gcmNonceSize, tagSize: BlockSize, direct: true}}
	g.GCM.Init(&c.keys)
	return g, nil
}

type randomNonce struct{ gcm }

func (g *randomNonce) NonceSize() int { return 0 }
func (g *randomNonce) Overhead() int  { return gcmNonceSize + BlockSize }

func (g *randomNonce) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	checkNoNonce(nonce)
	if uint64(len(plaintext)) > gcmMaxText {
		panic("crypto/cipher: message too large for GCM")
	}
	ret, out := buffers.Extend(dst, gcmNonceSize+len(plaintext)+BlockSize)
	buffers.CheckAEAD(out, plaintext, additionalData)
	// In place the ciphertext begins 12 bytes behind the plaintext.
	if buffers.AnyOverlap(out, plaintext) {
		copy(out[gcmNonceSize:], plaintext)
		plaintext = out[gcmNonceSize:][:len(plaintext)]
	}
	rand.Read(out[:gcmNonceSize])
	g.sealOut(out[gcmNonceSize:], out[:gcmNonceSize], plaintext, additionalData)
	return ret
}

// Open verifies the tag before it writes, as that of [Cipher.NewGCM] does.
func (g *randomNonce) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	checkNoNonce(nonce)
	n := len(ciphertext) - gcmNonceSize - BlockSize
	if n < 0 || uint64(n) > gcmMaxText {
		return nil, errOpen
	}
	ret, out := buffers.Extend(dst, n)
	buffers.CheckAEAD(out, ciphertext, additionalData)
	own, sealed := ciphertext[:gcmNonceSize], ciphertext[gcmNonceSize:]
	text, tag := sealed[:n], sealed[n:]
	if !buffers.AnyOverlap(out, text) {
		if !g.open(out, own, sealed, additionalData) {
			return nil, errOpen
		}
		return ret, nil
	}
	var l kernel.Last
	j0 := g.J0(own)
	g.Authenticate(&l, j0, text, additionalData)
	if subtle.ConstantTimeCompare(l.Tag[:], tag) != 1 {
		return nil, errOpen
	}
	// In place the plaintext begins 12 bytes before the ciphertext.
	copy(out, text)
	g.Decrypt(j0, out, out)
	return ret, nil
}

func checkNoNonce(nonce []byte) {
	if len(nonce) != 0 {
		panic("crypto/cipher: non-empty nonce passed to GCMWithRandomNonce")
	}
}
