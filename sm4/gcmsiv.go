package sm4

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"

	gmcipher "github.com/emmansun/gmsm/cipher"
	gmsm "github.com/emmansun/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

const (
	sivNonceSize = 12
	// sivMax is the longest text, and the longest additional data, of RFC 8452, section 6, in bytes.
	sivMax = 1 << 36
)

// NewGCMSIV returns GCM-SIV (RFC 8452, with SM4 in place of AES, as gmsm has it) under a key of 16 bytes: nonces of 12
// bytes and tags of 16. Where a nonce comes back, nothing shows but that equal messages are equal. Each message has
// keys of its own, made from the nonce; sealing goes over it twice, opening three times. The result may be used by
// any number of goroutines at once.
func NewGCMSIV(key []byte) (cipher.AEAD, error) {
	c, err := New(key)
	if err != nil {
		return nil, err
	}
	return c.NewGCMSIV(nil, key)
}

// NewGCMSIV is what package cipher of gmsm looks for in its function of that name: GCM-SIV under key, which is that of
// c. It makes the messages' ciphers itself and doesn't call newBlock.
func (c *Cipher) NewGCMSIV(_ func(key []byte) (cipher.Block, error), key []byte) (cipher.AEAD, error) {
	if len(key) != KeySize {
		return nil, KeySizeError(len(key))
	}
	if c.kernel != kernel.None {
		return &gcmSIV{c}, nil
	}
	a, err := gmcipher.NewGCMSIV(gmsm.NewCipher, key)
	if err != nil {
		return nil, err
	}
	return &gmsmGCMSIV{a}, nil
}

type gcmSIV struct{ c *Cipher }

func (*gcmSIV) NonceSize() int { return sivNonceSize }
func (*gcmSIV) Overhead() int  { return BlockSize }

func (g *gcmSIV) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	checkSIV(nonce, plaintext, additionalData)
	ret, out := buffers.Extend(dst, len(plaintext)+BlockSize)
	buffers.CheckAEAD(out, plaintext, additionalData)
	s := scratches.Get().(*scratch)
	defer s.release(max(len(plaintext), len(additionalData)) + BlockSize)
	var m sivMessage
	m.start(g.c, nonce)
	m.hash(s, additionalData)
	m.hash(s, plaintext)
	tag := m.tag(nonce, len(additionalData), len(plaintext))
	m.xor(s, out[:len(plaintext)], plaintext, tag)
	copy(out[len(plaintext):], tag[:])
	return ret
}

// Open decrypts twice, first into a small buffer for the tag: dst is not written to unless the message is authentic.
func (g *gcmSIV) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	checkSIV(nonce, nil, nil)
	if !sivOpens(ciphertext, additionalData) {
		return nil, errOpen
	}
	text, tag := ciphertext[:len(ciphertext)-BlockSize], [BlockSize]byte(ciphertext[len(ciphertext)-BlockSize:])
	ret, out := buffers.Extend(dst, len(text))
	buffers.CheckAEAD(out, ciphertext, additionalData)
	s := scratches.Get().(*scratch)
	defer s.release(max(len(text), len(additionalData)) + BlockSize)
	var m sivMessage
	m.start(g.c, nonce)
	m.hash(s, additionalData)
	counter := newSIVCounter(tag)
	for rest := text; len(rest) > 0; {
		n := min(len(rest), scratchText)
		stream := m.stream(s, &counter, n)
		subtle.XORBytes(stream, stream, rest[:n])
		m.hash(s, stream[:n])
		rest = rest[n:]
	}
	expected := m.tag(nonce, len(additionalData), len(text))
	if subtle.ConstantTimeCompare(expected[:], tag[:]) != 1 {
		return nil, errOpen
	}
	m.xor(s, out, text, tag)
	return ret, nil
}

func checkSIV(nonce, plaintext, additional []byte) {
	if len(nonce) != sivNonceSize {
		panic("crypto/cipher: incorrect nonce length given to GCM-SIV")
	}
	if uint64(len(plaintext)) > sivMax || uint64(len(additional)) > sivMax {
		panic("crypto/cipher: message too large for GCM-SIV")
	}
}

func sivOpens(ciphertext, additional []byte) bool {
	return len(ciphertext) >= BlockSize && uint64(len(ciphertext)) <= sivMax+BlockSize && uint64(len(additional)) <= sivMax
}

// A sivMessage is a message's keys, and the hash of it so far.
type sivMessage struct {
	kernel kernel.Kernel
	enc    kernel.Schedule
	powers kernel.Powers
	acc    kernel.Hash
}

// start makes the keys: RFC 8452, section 4.
func (m *sivMessage) start(c *Cipher, nonce []byte) {
	var blocks [4 * BlockSize]byte
	for i := range 4 {
		binary.LittleEndian.PutUint32(blocks[i*BlockSize:], uint32(i))
		copy(blocks[i*BlockSize+4:], nonce)
	}
	m.kernel = c.kernel
	m.kernel.ECB(&c.enc, blocks[:], blocks[:])
	// POLYVAL is GHASH of blocks in reverse, under the reverse of its key times x: appendix A.
	high, low := binary.LittleEndian.Uint64(blocks[BlockSize:]), binary.LittleEndian.Uint64(blocks[:])
	over := -(low & 1) & (0xe1 << 56)
	var h, key, zero [BlockSize]byte
	binary.BigEndian.PutUint64(h[:], high>>1^over)
	binary.BigEndian.PutUint64(h[8:], high<<63|low>>1)
	m.kernel.Powers(&m.powers, &h)
	copy(key[:8], blocks[2*BlockSize:])
	copy(key[8:], blocks[3*BlockSize:])
	m.kernel.Expand(&key, &m.enc, &zero)
}

// hash adds data, its last block padded with zeros. It may lie in s.in.
func (m *sivMessage) hash(s *scratch, data []byte) {
	for len(data) > 0 {
		n := min(len(data), scratchText)
		to := s.mask[:(n+BlockSize-1)&^(BlockSize-1)]
		whole := n &^ (BlockSize - 1)
		reverseBlocks(to, data[:whole])
		if whole < n {
			var last [BlockSize]byte
			copy(last[:], data[whole:n])
			reverseBlocks(to[whole:], last[:])
		}
		m.kernel.GHASH(&m.acc, &m.powers, to)
		data = data[n:]
	}
}

// reverseBlocks turns the bytes of each block of src around.
func reverseBlocks(dst, src []byte) {
	for len(src) >= BlockSize && len(dst) >= BlockSize {
		a, b := binary.BigEndian.Uint64(src), binary.BigEndian.Uint64(src[8:])
		binary.LittleEndian.PutUint64(dst, b)
		binary.LittleEndian.PutUint64(dst[8:], a)
		dst, src = dst[BlockSize:], src[BlockSize:]
	}
}

// tag ends the hash with the lengths in bits, and encrypts it together with the nonce.
func (m *sivMessage) tag(nonce []byte, additional, text int) (tag [BlockSize]byte) {
	var lengths [BlockSize]byte
	binary.BigEndian.PutUint64(lengths[:], uint64(text)*8)
	binary.BigEndian.PutUint64(lengths[8:], uint64(additional)*8)
	m.kernel.GHASH(&m.acc, &m.powers, lengths[:])
	tag = m.acc // in reverse already
	subtle.XORBytes(tag[:], tag[:], nonce)
	tag[BlockSize-1] &= 0x7f
	m.kernel.ECB(&m.enc, tag[:], tag[:])
	return tag
}

// xor is the counter mode of RFC 8452: the first 32 bits of the block count, lowest byte first.
func (m *sivMessage) xor(s *scratch, dst, src []byte, tag [BlockSize]byte) {
	counter := newSIVCounter(tag)
	for len(src) > 0 {
		n := min(len(src), scratchText)
		subtle.XORBytes(dst, src[:n], m.stream(s, &counter, n))
		dst, src = dst[n:], src[n:]
	}
}

// A sivCounter is a counter block in three parts, lowest byte first.
type sivCounter struct {
	number uint32
	fixed  [2]uint64
}

func newSIVCounter(tag [BlockSize]byte) sivCounter {
	low, high := binary.LittleEndian.Uint64(tag[:]), binary.LittleEndian.Uint64(tag[8:])
	return sivCounter{uint32(low), [2]uint64{low >> 32 << 32, high | 1<<63}}
}

// stream is key stream for n bytes, at most scratchText, in whole blocks of s.in.
func (m *sivMessage) stream(s *scratch, c *sivCounter, n int) []byte {
	in := s.in[:(n+BlockSize-1)&^(BlockSize-1)]
	for b := in; len(b) >= BlockSize; b = b[BlockSize:] {
		binary.LittleEndian.PutUint64(b, c.fixed[0]|uint64(c.number))
		binary.LittleEndian.PutUint64(b[8:], c.fixed[1])
		c.number++
	}
	m.kernel.ECB(&m.enc, in, in)
	return in
}

// gmsmGCMSIV is gmsm's, which decrypts into dst before it knows that it may, without that.
type gmsmGCMSIV struct{ aead cipher.AEAD }

func (*gmsmGCMSIV) NonceSize() int { return sivNonceSize }
func (*gmsmGCMSIV) Overhead() int  { return BlockSize }

func (g *gmsmGCMSIV) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	checkSIV(nonce, plaintext, additionalData)
	ret, out := buffers.Extend(dst, len(plaintext)+BlockSize)
	buffers.CheckAEAD(out, plaintext, additionalData)
	g.aead.Seal(out[:0], nonce, plaintext, additionalData)
	return ret
}

func (g *gmsmGCMSIV) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	checkSIV(nonce, nil, nil)
	if !sivOpens(ciphertext, additionalData) {
		return nil, errOpen
	}
	ret, out := buffers.Extend(dst, len(ciphertext)-BlockSize)
	buffers.CheckAEAD(out, ciphertext, additionalData)
	if len(out) > pieceBytes {
		text, err := g.aead.Open(nil, nonce, ciphertext, additionalData)
		if err != nil {
			return nil, errOpen
		}
		copy(out, text)
		clear(text)
		return ret, nil
	}
	s := rooms.Get().(*room)
	defer s.release(len(out))
	text, err := g.aead.Open(s[:0], nonce, ciphertext, additionalData)
	if err != nil {
		return nil, errOpen
	}
	copy(out, text)
	return ret, nil
}
