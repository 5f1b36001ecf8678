package sm4

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"errors"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// NewCCM returns CCM (SP 800-38C, RFC 3610; for TLS RFC 8998): nonces of nonceSize bytes, 7 to 13, tags
// of tagSize, 4 to 16 and even. A message is shorter than 2^(8·(15−nonceSize)) bytes. The tag is a
// chain of single blocks, so CCM is an order of magnitude slower than GCM. The result may be used by
// any number of goroutines at once.
func (c *Cipher) NewCCM(nonceSize, tagSize int) (cipher.AEAD, error) {
	if tagSize < 4 || tagSize > BlockSize || tagSize%2 != 0 {
		return nil, errors.New("cipher: incorrect tag size given to CCM")
	}
	if nonceSize < 7 || nonceSize > 13 {
		return nil, errors.New("cipher: incorrect nonce size given to CCM")
	}
	return &ccm{c, nonceSize, tagSize}, nil
}

type ccm struct {
	c                  *Cipher
	nonceSize, tagSize int
}

func (m *ccm) NonceSize() int { return m.nonceSize }
func (m *ccm) Overhead() int  { return m.tagSize }

func (m *ccm) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	m.checkNonce(nonce)
	if m.tooLong(len(plaintext)) {
		panic("crypto/cipher: message too large for CCM")
	}
	ret, out := buffers.Extend(dst, len(plaintext)+m.tagSize)
	buffers.CheckAEAD(out, plaintext, additionalData)
	mac := m.begin(nonce, additionalData, len(plaintext))
	m.absorb(&mac, plaintext)
	ctr := m.firstCounter(nonce)
	mask := m.mask(&ctr)
	m.xor(out[:len(plaintext)], plaintext, &ctr)
	subtle.XORBytes(mac[:], mac[:], mask[:])
	copy(out[len(plaintext):], mac[:m.tagSize])
	return ret
}

// Open decrypts twice, first into a small buffer for the tag, because dst is not written to unless the
// message is authentic.
func (m *ccm) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	m.checkNonce(nonce)
	if len(ciphertext) < m.tagSize || m.tooLong(len(ciphertext)-m.tagSize) {
		return nil, errOpen
	}
	text, tag := ciphertext[:len(ciphertext)-m.tagSize], ciphertext[len(ciphertext)-m.tagSize:]
	ret, out := buffers.Extend(dst, len(text))
	buffers.CheckAEAD(out, ciphertext, additionalData)
	mac := m.begin(nonce, additionalData, len(text))
	ctr := m.firstCounter(nonce)
	mask := m.mask(&ctr)
	start := ctr
	m.absorbDecrypted(&mac, text, &ctr)
	subtle.XORBytes(mac[:], mac[:], mask[:])
	if subtle.ConstantTimeCompare(mac[:m.tagSize], tag) != 1 {
		return nil, errOpen
	}
	m.xor(out, text, &start)
	return ret, nil
}

func (m *ccm) checkNonce(nonce []byte) {
	if len(nonce) != m.nonceSize {
		panic("crypto/cipher: incorrect nonce length given to CCM")
	}
}

// tooLong says whether n doesn't fit the length field of 15−nonceSize bytes.
func (m *ccm) tooLong(n int) bool {
	size := 15 - m.nonceSize
	return size < 8 && uint64(n)>>(8*size) != 0
}

// begin hashes B₀ and the additional data, SP 800-38C, appendix A.2.
func (m *ccm) begin(nonce, additional []byte, text int) (mac [BlockSize]byte) {
	var block [BlockSize]byte
	binary.BigEndian.PutUint64(block[8:], uint64(text))
	block[0] = byte((m.tagSize-2)/2)<<3 | byte(14-m.nonceSize)
	copy(block[1:], nonce)
	if len(additional) > 0 {
		block[0] |= 1 << 6
	}
	m.absorb(&mac, block[:])
	if len(additional) == 0 {
		return mac
	}
	var n int
	block = [BlockSize]byte{}
	switch size := uint64(len(additional)); {
	case size < 1<<16-1<<8:
		n = 2
		binary.BigEndian.PutUint16(block[:], uint16(size))
	case size < 1<<32:
		n = 6
		copy(block[:], "\xff\xfe")
		binary.BigEndian.PutUint32(block[2:], uint32(size))
	default:
		n = 10
		copy(block[:], "\xff\xff")
		binary.BigEndian.PutUint64(block[2:], size)
	}
	used := copy(block[n:], additional)
	m.absorb(&mac, block[:])
	m.absorb(&mac, additional[used:])
	return mac
}

// absorb adds data to the CBC-MAC, its last block padded with zeros.
func (m *ccm) absorb(mac *[BlockSize]byte, data []byte) {
	whole := len(data) &^ (BlockSize - 1)
	m.c.chainMAC(mac, data[:whole])
	if whole < len(data) {
		var last [BlockSize]byte
		copy(last[:], data[whole:])
		m.c.chainMAC(mac, last[:])
	}
}

// absorbDecrypted adds the plaintext of text.
func (m *ccm) absorbDecrypted(mac *[BlockSize]byte, text []byte, ctr *[BlockSize]byte) {
	var plain [512]byte
	for len(text) > 0 {
		n := min(len(text), len(plain))
		m.xor(plain[:n], text[:n], ctr)
		m.absorb(mac, plain[:n])
		text = text[n:]
	}
	clear(plain[:])
}

// firstCounter is Ctr₀, appendix A.3.
func (m *ccm) firstCounter(nonce []byte) (ctr [BlockSize]byte) {
	ctr[0] = byte(14 - m.nonceSize)
	copy(ctr[1:], nonce)
	return ctr
}

// mask encrypts Ctr₀ and steps to Ctr₁.
func (m *ccm) mask(ctr *[BlockSize]byte) (mask [BlockSize]byte) {
	m.c.xorCTR(mask[:], mask[:], ctr)
	return mask
}

// xor is CTR from ctr on. Only the last piece of a message may end within a block. The counter is that
// of the whole block: tooLong keeps it from running into the nonce.
func (m *ccm) xor(dst, src []byte, ctr *[BlockSize]byte) { m.c.xorCTR(dst, src, ctr) }
