package sm4

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

var errOpen = errors.New("cipher: message authentication failed")

const (
	gcmNonceSize = 12
	// gcmMaxText is the longest text of SP 800-38D, section 5.2.1.1, in bytes.
	gcmMaxText = (1<<32 - 2) * BlockSize
)

// NewGCM is what cipher.NewGCM and its relatives look for: nonces of nonceSize bytes, at least 1, and
// tags of tagSize, 12 to 16. The result may be used by any number of goroutines at once.
func (c *Cipher) NewGCM(nonceSize, tagSize int) (cipher.AEAD, error) {
	if tagSize < 12 || tagSize > BlockSize {
		return nil, errors.New("cipher: incorrect tag size given to GCM")
	}
	if nonceSize <= 0 {
		return nil, errors.New("cipher: the nonce can't have zero length")
	}
	if c.kernel == kernel.None {
		return newGMSMGCM(c, nonceSize, tagSize), nil
	}
	g := &gcm{c: c, nonceSize: nonceSize, tagSize: tagSize}
	if c.kernel.Fused() {
		c.kernel.FewPowers(&g.few, &c.zero)
	}
	return g, nil
}

type gcm struct {
	c                  *Cipher
	powers             atomic.Pointer[kernel.Powers] // made when a message first needs them
	portable           *ghash                        // without a kernel, in place of powers
	nonceSize, tagSize int
	few                kernel.FewPowers // of a kernel that has Fused
}

// allPowers are the powers of the hash key.
func (g *gcm) allPowers() *kernel.Powers {
	p := g.powers.Load()
	if p == nil {
		p = new(kernel.Powers)
		g.makePowers(p)
	}
	return p
}

// makePowers makes the powers of the hash key in p, and keeps them.
func (g *gcm) makePowers(p *kernel.Powers) {
	h := g.c.zero
	if !g.c.kernel.Fused() {
		g.c.one(&h, h[:])
	}
	g.c.kernel.Powers(p, &h)
	g.powers.Store(p)
}

func (g *gcm) NonceSize() int { return g.nonceSize }
func (g *gcm) Overhead() int  { return g.tagSize }

func (g *gcm) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	checkGCMNonce(nonce, g.nonceSize)
	if uint64(len(plaintext)) > gcmMaxText {
		panic("crypto/cipher: message too large for GCM")
	}
	ret, out := buffers.Extend(dst, len(plaintext)+g.tagSize)
	buffers.CheckAEAD(out, plaintext, additionalData)

	if g.c.kernel.Fused() {
		g.sealFused(out, nonce, plaintext, additionalData)
		return ret
	}
	first := g.firstCounter(nonce)
	var acc kernel.Hash
	g.hash(&acc, additionalData)
	head := g.head(len(plaintext))
	ctr := first
	increment(&ctr)
	g.sealWhole(&acc, out[:head], plaintext[:head], &ctr)
	tag := g.finish(&first, &ctr, out[head:len(plaintext)], plaintext[head:])
	g.hash(&acc, out[head:len(plaintext)])
	g.addHash(&tag, &acc, len(additionalData), len(plaintext))
	copy(out[len(plaintext):], tag[:g.tagSize])
	return ret
}

// Open verifies the tag before it decrypts: dst is not written to unless the message is authentic.
func (g *gcm) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	checkGCMNonce(nonce, g.nonceSize)
	if len(ciphertext) < g.tagSize || uint64(len(ciphertext)) > gcmMaxText+uint64(g.tagSize) {
		return nil, errOpen
	}
	text, tag := ciphertext[:len(ciphertext)-g.tagSize], ciphertext[len(ciphertext)-g.tagSize:]
	ret, out := buffers.Extend(dst, len(text))
	buffers.CheckAEAD(out, ciphertext, additionalData)

	if len(text) <= kernel.MaxMessage && g.c.kernel.Fused() {
		if !g.openFused(out, nonce, text, tag, additionalData) {
			return nil, errOpen
		}
		return ret, nil
	}
	first := g.firstCounter(nonce)
	ok := false
	switch n := len(text); {
	case n <= 48:
		var stream [64]byte
		ok = g.openShort(stream[:], &first, out, text, tag, additionalData)
	case n <= 240:
		var stream [256]byte
		ok = g.openShort(stream[:], &first, out, text, tag, additionalData)
	case n <= tailBlocks*BlockSize:
		var stream [1024]byte
		ok = g.openShort(stream[:], &first, out, text, tag, additionalData)
	default:
		ok = g.openLong(&first, out, text, tag, additionalData)
	}
	if !ok {
		return nil, errOpen
	}
	return ret, nil
}

// openShort makes the mask of the tag and the whole key stream in one call to the kernel.
func (g *gcm) openShort(stream []byte, first *[BlockSize]byte, out, text, tag, additional []byte) bool {
	ctr := *first
	increment(&ctr)
	mask := g.keystream(stream, first, &ctr, len(text))
	if !g.authentic(mask, text, tag, additional) {
		return false
	}
	subtle.XORBytes(out, text, stream[BlockSize:])
	return true
}

func (g *gcm) openLong(first *[BlockSize]byte, out, text, tag, additional []byte) bool {
	var mask [BlockSize]byte
	g.c.one(&mask, first[:])
	if !g.authentic(mask, text, tag, additional) {
		return false
	}
	ctr := *first
	increment(&ctr)
	g.c.xorCTR32(out, text, &ctr)
	return true
}

// authentic compares the tag with what text and additional data should have, in constant time.
func (g *gcm) authentic(expected [BlockSize]byte, text, tag, additional []byte) bool {
	var acc kernel.Hash
	g.hash(&acc, additional)
	g.hash(&acc, text)
	g.addHash(&expected, &acc, len(additional), len(text))
	return subtle.ConstantTimeCompare(expected[:g.tagSize], tag) == 1
}

// hash adds data to the hash, its last block padded with zeros.
func (g *gcm) hash(acc *kernel.Hash, data []byte) {
	if g.portable != nil {
		g.portable.update(acc, data)
		return
	}
	g.c.kernel.GHASH(acc, g.allPowers(), data)
}

// hashLengths adds the block of the two lengths in bytes that ends every GHASH.
func (g *gcm) hashLengths(acc *kernel.Hash, additional, text int) {
	var b [BlockSize]byte
	binary.BigEndian.PutUint64(b[:], uint64(additional)*8)
	binary.BigEndian.PutUint64(b[8:], uint64(text)*8)
	if g.portable != nil {
		g.portable.updateShort(acc, b[:])
		return
	}
	g.c.kernel.GHASH(acc, g.allPowers(), b[:])
}

// sealWhole encrypts whole blocks and adds the result to the hash.
func (g *gcm) sealWhole(acc *kernel.Hash, dst, src []byte, ctr *[BlockSize]byte) {
	if g.portable == nil {
		g.c.kernel.Seal(&g.c.enc, g.allPowers(), acc, dst, src, ctr)
		return
	}
	for len(src) > 0 {
		n := min(len(src), BlockSize<<mostHashed)
		g.c.xorCTR32(dst[:n], src[:n], ctr)
		g.portable.update(acc, dst[:n])
		dst, src = dst[n:], src[n:]
	}
}

func checkGCMNonce(nonce []byte, size int) {
	if len(nonce) != size {
		panic("crypto/cipher: incorrect nonce length given to GCM")
	}
}

// firstCounter is J₀ of SP 800-38D, section 7.1.
func (g *gcm) firstCounter(nonce []byte) (j [BlockSize]byte) {
	if len(nonce) == gcmNonceSize {
		copy(j[:], nonce)
		j[BlockSize-1] = 1
		return j
	}
	var acc kernel.Hash
	g.hash(&acc, nonce)
	g.hashLengths(&acc, 0, len(nonce))
	return acc.Sum()
}

// increment is inc₃₂ of section 6.2.
func increment(b *[BlockSize]byte) {
	binary.BigEndian.PutUint32(b[12:], binary.BigEndian.Uint32(b[12:])+1)
}

// tailBlocks is what one kernel call takes beside the block for the tag.
const tailBlocks = 63

// head is the part of n bytes that goes to the bulk kernel; at most tailBlocks stay for finish.
func (g *gcm) head(n int) int {
	if g.portable != nil {
		return n &^ (BlockSize - 1)
	}
	const bulk = 2048
	head := n &^ (bulk - 1)
	for n-head > tailBlocks*BlockSize {
		head += min((n-head)&^(BlockSize-1), bulk/2)
	}
	return head
}

// finish encrypts the last blocks together with first, whose image is the mask of the tag.
func (g *gcm) finish(first, ctr *[BlockSize]byte, dst, src []byte) (mask [BlockSize]byte) {
	if len(src) <= 48 {
		var stream [64]byte
		return g.finishIn(stream[:], first, ctr, dst, src)
	}
	if len(src) <= 240 {
		var stream [256]byte
		return g.finishIn(stream[:], first, ctr, dst, src)
	}
	var stream [1024]byte
	return g.finishIn(stream[:], first, ctr, dst, src)
}

func (g *gcm) finishIn(stream []byte, first, ctr *[BlockSize]byte, dst, src []byte) (mask [BlockSize]byte) {
	mask = g.keystream(stream, first, ctr, len(src))
	subtle.XORBytes(dst, src, stream[BlockSize:])
	return mask
}

// keystream fills stream with the image of first, which is the mask of the tag, and with the key stream
// from ctr on for n bytes.
func (g *gcm) keystream(stream []byte, first, ctr *[BlockSize]byte, n int) (mask [BlockSize]byte) {
	n = BlockSize + (n+BlockSize-1)&^(BlockSize-1)
	copy(stream, first[:])
	for i := BlockSize; i < n; i += BlockSize {
		copy(stream[i:], ctr[:])
		increment(ctr)
	}
	g.c.inPlace(stream[:n])
	return [BlockSize]byte(stream)
}

// addHash ends the hash with the lengths and adds it to the mask, which makes the tag.
func (g *gcm) addHash(tag *[BlockSize]byte, acc *kernel.Hash, additional, text int) {
	g.hashLengths(acc, additional, text)
	sum := acc.Sum()
	subtle.XORBytes(tag[:], tag[:], sum[:])
}
