package sm4

import (
	"crypto/cipher"
	"crypto/subtle"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	"github.com/cryptogauge/cryptogauge/internal/kernel/ccm"
)

// NewCCM returns CCM (SP 800-38C, RFC 3610; for TLS RFC 8998): nonces of nonceSize bytes, 7 to 13, tags
// of tagSize, 4 to 16 and even. A message is shorter than 2^(8·(15−nonceSize)) bytes. The tag is a
// chain of single blocks, so CCM is an order of magnitude slower than GCM. The result may be used by
// any number of goroutines at once.
func (c *Cipher) NewCCM(nonceSize, tagSize int) (cipher.AEAD, error) {
	sizes, err := ccm.New(nonceSize, tagSize)
	if err != nil {
		return nil, err
	}
	return &ccmAEAD{sizes, c}, nil
}

type ccmAEAD struct {
	sizes ccm.Sizes
	c     *Cipher
}

func (m *ccmAEAD) NonceSize() int { return m.sizes.Nonce }
func (m *ccmAEAD) Overhead() int  { return m.sizes.Tag }

func (m *ccmAEAD) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	m.sizes.CheckNonce(nonce)
	m.sizes.CheckText(len(plaintext))
	ret, out := buffers.Extend(dst, len(plaintext)+m.sizes.Tag)
	buffers.CheckAEAD(out, plaintext, additionalData)
	mac := m.begin(nonce, additionalData, len(plaintext))
	m.absorb(&mac, plaintext)
	ctr := m.sizes.Counter(nonce)
	mask := m.mask(&ctr)
	m.xor(out[:len(plaintext)], plaintext, &ctr)
	subtle.XORBytes(mac[:], mac[:], mask[:])
	copy(out[len(plaintext):], mac[:m.sizes.Tag])
	return ret
}

// Open decrypts twice, first into a small buffer for the tag, because dst is not written to unless the
// message is authentic.
func (m *ccmAEAD) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	m.sizes.CheckNonce(nonce)
	if len(ciphertext) < m.sizes.Tag || m.sizes.TooLong(len(ciphertext)-m.sizes.Tag) {
		return nil, errOpen
	}
	text, tag := ciphertext[:len(ciphertext)-m.sizes.Tag], ciphertext[len(ciphertext)-m.sizes.Tag:]
	ret, out := buffers.Extend(dst, len(text))
	buffers.CheckAEAD(out, ciphertext, additionalData)
	mac := m.begin(nonce, additionalData, len(text))
	ctr := m.sizes.Counter(nonce)
	mask := m.mask(&ctr)
	start := ctr
	m.absorbDecrypted(&mac, text, &ctr)
	subtle.XORBytes(mac[:], mac[:], mask[:])
	if subtle.ConstantTimeCompare(mac[:m.sizes.Tag], tag) != 1 {
		return nil, errOpen
	}
	m.xor(out, text, &start)
	return ret, nil
}

// begin is the MAC of nonce, additional data and the length of the text.
func (m *ccmAEAD) begin(nonce, additional []byte, text int) (mac [BlockSize]byte) {
	var first [2 * BlockSize]byte
	used, left := m.sizes.Begin(&first, nonce, additional, text)
	m.c.chainMAC(&mac, first[:used])
	m.absorb(&mac, left)
	return mac
}

// absorb adds data to the CBC-MAC, its last block padded with zeros.
func (m *ccmAEAD) absorb(mac *[BlockSize]byte, data []byte) {
	whole := len(data) &^ (BlockSize - 1)
	m.c.chainMAC(mac, data[:whole])
	if whole < len(data) {
		var last [BlockSize]byte
		copy(last[:], data[whole:])
		m.c.chainMAC(mac, last[:])
	}
}

// absorbDecrypted adds the plaintext of text.
func (m *ccmAEAD) absorbDecrypted(mac *[BlockSize]byte, text []byte, ctr *[BlockSize]byte) {
	var plain [512]byte
	for len(text) > 0 {
		n := min(len(text), len(plain))
		m.xor(plain[:n], text[:n], ctr)
		m.absorb(mac, plain[:n])
		text = text[n:]
	}
	clear(plain[:])
}

// mask encrypts Ctr₀ and steps to Ctr₁.
func (m *ccmAEAD) mask(ctr *[BlockSize]byte) (mask [BlockSize]byte) {
	m.c.xorCTR(mask[:], mask[:], ctr)
	return mask
}

// xor is CTR from ctr on. Only the last piece of a message may end within a block.
func (m *ccmAEAD) xor(dst, src []byte, ctr *[BlockSize]byte) { m.c.xorCTR(dst, src, ctr) }
