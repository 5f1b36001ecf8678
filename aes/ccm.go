package aes

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"errors"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// NewCCM returns CCM (SP 800-38C; RFC 3610), which the standard library lacks: nonces of nonceSize bytes, 7 to 13,
// tags of tagSize, 4 to 16 and even. A message is shorter than 2^(8·(15−nonceSize)) bytes, and its length must be
// known before its first byte. Tags of less than 8 bytes are forged too easily for most uses (SP 800-38C, appendix B.2).
// The tag is a chain of single blocks, so CCM takes about ten times as long as GCM. The result may be used by any number
// of goroutines at once.
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
	first := m.firstCounter(nonce)
	m.addMask(&mac, first)
	m.c.xorCTR(out[:len(plaintext)], plaintext, first.Plus(1))
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
	first := m.firstCounter(nonce)
	m.absorbDecrypted(&mac, text, first.Plus(1))
	m.addMask(&mac, first)
	if subtle.ConstantTimeCompare(mac[:m.tagSize], tag) != 1 {
		return nil, errOpen
	}
	m.c.xorCTR(out, text, first.Plus(1))
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
		clear(last[:])
	}
}

// absorbDecrypted adds the plaintext of text, which is made piece by piece where nobody sees it.
func (m *ccm) absorbDecrypted(mac *[BlockSize]byte, text []byte, at kernel.Counter) {
	if m.c.std != nil {
		m.absorbDecryptedStd(mac, text, at)
		return
	}
	var plain [pieceBytes]byte
	for len(text) > 0 {
		n := min(len(text), len(plain))
		m.c.keys.CTR(plain[:n], text[:n], at)
		at = at.Plus(pieceBytes / BlockSize)
		m.absorb(mac, plain[:n])
		text = text[n:]
	}
	clear(plain[:])
}

// absorbDecryptedStd is the same with a piece that the standard library's stream may keep.
func (m *ccm) absorbDecryptedStd(mac *[BlockSize]byte, text []byte, at kernel.Counter) {
	ctr, plain := at.Block(), make([]byte, min(len(text), pieceBytes))
	stream := cipher.NewCTR(m.c.std, ctr[:])
	for len(text) > 0 {
		n := min(len(text), len(plain))
		stream.XORKeyStream(plain[:n], text[:n])
		m.absorb(mac, plain[:n])
		text = text[n:]
	}
	clear(plain)
}

// addMask adds the image of Ctr₀ to the CBC-MAC, which makes it the tag.
func (m *ccm) addMask(mac *[BlockSize]byte, first kernel.Counter) {
	mask := first.Block()
	m.c.one(&mask)
	subtle.XORBytes(mac[:], mac[:], mask[:])
}

// firstCounter is Ctr₀, appendix A.3. The counter is that of the whole block: tooLong keeps it from running into
// the nonce.
func (m *ccm) firstCounter(nonce []byte) kernel.Counter {
	ctr := [BlockSize]byte{byte(14 - m.nonceSize)}
	copy(ctr[1:], nonce)
	return kernel.LoadCounter(&ctr)
}

// pieceBytes is how much of a message is decrypted, or of a chain kept, at once: the second use finds it in the
// first cache.
const pieceBytes = 512

// chainMAC is CBC-MAC over whole blocks: CBC whose output nobody wants.
func (c *Cipher) chainMAC(mac *[BlockSize]byte, data []byte) {
	if c.std != nil {
		c.chainStd(mac, data)
		return
	}
	if len(data) == BlockSize {
		subtle.XORBytes(mac[:], mac[:], data)
		c.keys.Encrypt(mac, mac)
		return
	}
	c.chainMany(mac, data)
}

// chainMany has room for the chain, which a single block does not pay for.
func (c *Cipher) chainMany(mac *[BlockSize]byte, data []byte) {
	var chain [pieceBytes]byte
	used := min(len(data), pieceBytes)
	for len(data) > 0 {
		n := min(len(data), pieceBytes)
		c.keys.CBCEncrypt(chain[:n], data[:n], mac)
		data = data[n:]
	}
	clear(chain[:used])
}

// chainStd is chainMAC by single blocks, since a CBC of the standard library is an allocation.
func (c *Cipher) chainStd(mac *[BlockSize]byte, data []byte) {
	b := blocks.Get().(*[BlockSize]byte)
	*b = *mac
	for ; len(data) > 0; data = data[BlockSize:] {
		subtle.XORBytes(b[:], b[:], data[:BlockSize])
		c.std.Encrypt(b[:], b[:])
	}
	*mac = *b
	*b = [BlockSize]byte{}
	blocks.Put(b)
}
