package aes

import (
	"crypto/cipher"
	"crypto/subtle"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	"github.com/cryptogauge/cryptogauge/internal/kernel/ccm"
)

// NewCCM returns CCM (SP 800-38C; RFC 3610), which the standard library lacks: nonces of nonceSize bytes, 7 to 13,
// tags of tagSize, 4 to 16 and even. A message is shorter than 2^(8·(15−nonceSize)) bytes, and its length must be
// known before its first byte. Tags of less than 8 bytes are forged too easily for most uses (SP 800-38C, appendix B.2).
// The tag is a chain of single blocks, so CCM takes about ten times as long as GCM. The result may be used by any number
// of goroutines at once.
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
	first := m.firstCounter(nonce)
	m.addMask(&mac, first)
	m.c.xorCTR(out[:len(plaintext)], plaintext, first.Plus(1))
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
	first := m.firstCounter(nonce)
	m.absorbDecrypted(&mac, text, first.Plus(1))
	m.addMask(&mac, first)
	if subtle.ConstantTimeCompare(mac[:m.sizes.Tag], tag) != 1 {
		return nil, errOpen
	}
	m.c.xorCTR(out, text, first.Plus(1))
	return ret, nil
}

// begin is the MAC of nonce, additional data and the length of the text.
func (m *ccmAEAD) begin(nonce, additional []byte, text int) (mac [BlockSize]byte) {
	var first [2 * BlockSize]byte
	used, left := m.sizes.Begin(&first, nonce, additional, text)
	m.c.chainMAC(&mac, first[:BlockSize]) // single blocks need no room for a chain
	if used > BlockSize {
		m.c.chainMAC(&mac, first[BlockSize:])
	}
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
		clear(last[:])
	}
}

// absorbDecrypted adds the plaintext of text, which is made piece by piece where nobody sees it.
func (m *ccmAEAD) absorbDecrypted(mac *[BlockSize]byte, text []byte, at kernel.Counter) {
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
func (m *ccmAEAD) absorbDecryptedStd(mac *[BlockSize]byte, text []byte, at kernel.Counter) {
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
func (m *ccmAEAD) addMask(mac *[BlockSize]byte, first kernel.Counter) {
	mask := first.Block()
	m.c.one(&mask)
	subtle.XORBytes(mac[:], mac[:], mask[:])
}

// firstCounter is Ctr₀.
func (m *ccmAEAD) firstCounter(nonce []byte) kernel.Counter {
	ctr := m.sizes.Counter(nonce)
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
