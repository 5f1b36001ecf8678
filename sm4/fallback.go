package sm4

import (
	"crypto/cipher"
	"crypto/subtle"
	"fmt"
	"sync"
	"sync/atomic"

	gmcipher "github.com/emmansun/gmsm/cipher"
	gmsm "github.com/emmansun/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// The modes over gmsm v0.44.0. Its single blocks, ECB and CBC are used as they are. Its GCM is not, but for
// short messages, and then around buffers of ours (gmsmGCM): it
// writes plaintext before it compares the tag, accepts outputs that overlap the additional data, and
// with tags of 12 to 15 bytes reads and writes up to 3 bytes beyond its buffers. Nor its CCM, which
// seals in place with a wrong tag and writes plaintext before the tag is checked, nor its XTS, whose
// decryption on amd64 overwrites memory that isn't its own, nor its CTR, which is slower than its ECB.

// A gmsmCipher is gmsm's block, and its modes without state, made when they are first needed: most ciphers need none.
type gmsmCipher struct {
	block cipher.Block
	made  atomic.Pointer[gmsmModes]
}

type gmsmModes struct {
	enc, dec cipher.BlockMode // ECB
	// ctr is nil but where CTR is faster than ECB: with the SM4 instructions of arm64, for which gmsm has
	// no ECB of its own.
	ctr interface {
		NewCTR(iv []byte) cipher.Stream
	}
}

func (g *gmsmCipher) init(key []byte) (err error) {
	if g.block, err = gmsm.NewCipher(key); err != nil {
		return fmt.Errorf("sm4: making gmsm's cipher: %w", err)
	}
	return nil
}

// modes are the same whoever makes them, and made twice where two need them at once.
func (g *gmsmCipher) modes() *gmsmModes {
	m := g.made.Load()
	if m == nil {
		m = &gmsmModes{enc: gmcipher.NewECBEncrypter(g.block), dec: gmcipher.NewECBDecrypter(g.block)}
		if _, ok := g.block.(interface{ NewECBEncrypter() cipher.BlockMode }); !ok {
			m.ctr, _ = g.block.(interface {
				NewCTR(iv []byte) cipher.Stream
			})
		}
		g.made.Store(m)
	}
	return m
}

// gcm is gmsm's GCM, or nil where it has none of its own, or one whose GHASH looks up tables.
func (g *gmsmCipher) gcm(nonceSize, tagSize int) cipher.AEAD {
	if !kernel.Carryless() {
		return nil
	}
	own, ok := g.block.(interface {
		NewGCM(nonceSize, tagSize int) (cipher.AEAD, error)
	})
	if !ok {
		return nil
	}
	a, err := own.NewGCM(nonceSize, tagSize)
	if err != nil {
		return nil
	}
	return a
}

// shortSeal and shortOpen are the longest texts that are given to gmsm's GCM. By AVX2 that takes eight blocks at once, and
// gmsm's ECB, on which gcm is built, sixteen, which pays where registers are worked on whole. Elsewhere gmsm's GCM has
// whatever is no longer than a piece.
var shortSeal, shortOpen = func() (seal, open int) {
	if kernel.HalfWidth() {
		return pieceBytes, pieceBytes
	}
	return 1008, 2048
}()

// A gmsmGCM gives short messages to gmsm's GCM, which takes one call for what takes gcm several.
type gmsmGCM struct {
	c                  *Cipher
	nonceSize, tagSize int
	short              cipher.AEAD
	makes              sync.Once
	sealer             cipher.AEAD // short, but with whole tags
	long               atomic.Pointer[gcm]
}

func newGMSMGCM(c *Cipher, nonceSize, tagSize int) cipher.AEAD {
	if short := c.gmsm.gcm(nonceSize, tagSize); short != nil {
		return &gmsmGCM{c: c, nonceSize: nonceSize, tagSize: tagSize, short: short}
	}
	return newPortableGCM(c, nonceSize, tagSize)
}

func newPortableGCM(c *Cipher, nonceSize, tagSize int) *gcm {
	return &gcm{c: c, portable: &ghash{c: c}, nonceSize: nonceSize, tagSize: tagSize}
}

func (g *gmsmGCM) NonceSize() int { return g.nonceSize }
func (g *gmsmGCM) Overhead() int  { return g.tagSize }

// forLong is for long messages, made by the first.
func (g *gmsmGCM) forLong() *gcm {
	long := g.long.Load()
	if long == nil {
		long = newPortableGCM(g.c, g.nonceSize, g.tagSize)
		g.long.Store(long)
	}
	return long
}

// isShort says whether gmsm may have the message: it is given additional data at once, too.
func (g *gmsmGCM) isShort(text, most int, additional []byte) bool {
	return text <= most && len(additional) <= pieceBytes
}

// Seal has gmsm make whole tags, since with shorter ones it writes beyond dst.
func (g *gmsmGCM) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	if !g.isShort(len(plaintext), shortSeal, additionalData) {
		return g.forLong().Seal(dst, nonce, plaintext, additionalData)
	}
	checkGCMNonce(nonce, g.nonceSize)
	ret, out := buffers.Extend(dst, len(plaintext)+g.tagSize)
	buffers.CheckAEAD(out, plaintext, additionalData)
	if g.tagSize == BlockSize {
		g.short.Seal(out[:0], nonce, plaintext, additionalData)
		return ret
	}
	g.makes.Do(func() { g.sealer = g.c.gmsm.gcm(g.nonceSize, BlockSize) })
	s := rooms.Get().(*room)
	defer s.release(len(plaintext))
	copy(out, g.sealer.Seal(s[:0], nonce, plaintext, additionalData))
	return ret
}

// Open has gmsm decrypt into a buffer of ours, since it writes before it compares the tag. With tags of 12 to 15 bytes
// it also reads beyond them, and so is given a copy.
func (g *gmsmGCM) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	checkGCMNonce(nonce, g.nonceSize)
	text := len(ciphertext) - g.tagSize
	if text < 0 {
		return nil, errOpen
	}
	if !g.isShort(text, shortOpen, additionalData) {
		return g.forLong().Open(dst, nonce, ciphertext, additionalData)
	}
	ret, out := buffers.Extend(dst, text)
	buffers.CheckAEAD(out, ciphertext, additionalData)
	s := rooms.Get().(*room)
	defer s.release(text)
	if g.tagSize != BlockSize {
		ciphertext = s[:copy(s[:], ciphertext)]
	}
	opened, err := g.short.Open(s[:0], nonce, ciphertext, additionalData)
	if err != nil {
		return nil, errOpen
	}
	copy(out, opened)
	return ret, nil
}

// A room is for a message of a piece with its tag, and for what gmsm writes behind it.
type room [pieceBytes + 2*BlockSize]byte

var rooms = sync.Pool{New: func() any { return new(room) }}

// release wipes a text, with what is behind it, and returns the room.
func (s *room) release(text int) {
	clear(s[:text+2*BlockSize])
	rooms.Put(s)
}

// pieceBytes bounds what gmsm is given at once: within its assembly a goroutine can't be stopped for the
// garbage collector. A piece takes up to 60 µs, half of which are waited on average. CBC decryption loses
// 2 % to it, and would lose 5 % to pieces of half the length.
const pieceBytes = 8 << 10

// inPieces is m.CryptBlocks.
func inPieces(m cipher.BlockMode, dst, src []byte) {
	for len(src) > pieceBytes {
		m.CryptBlocks(dst[:pieceBytes], src[:pieceBytes])
		dst, src = dst[pieceBytes:], src[pieceBytes:]
	}
	m.CryptBlocks(dst, src)
}

// gmsmCBC is gmsm's CBC, or its BC, with the panics of package crypto/cipher.
type gmsmCBC struct{ mode cipher.BlockMode }

func (gmsmCBC) BlockSize() int { return BlockSize }

func (x gmsmCBC) CryptBlocks(dst, src []byte) {
	buffers.CheckBlocks(dst, src)
	inPieces(x.mode, dst[:len(src)], src)
}

func (x gmsmCBC) SetIV(iv []byte) {
	checkIV(iv, "cipher: incorrect length IV")
	x.mode.(interface{ SetIV([]byte) }).SetIV(iv)
}

// encryptCBC is the same without its allocations.
func (g *gmsmCipher) encryptCBC(dst, src, iv []byte) {
	s := scratches.Get().(*scratch)
	defer s.release(0)
	s.chain = [BlockSize]byte(iv)
	for ; len(src) > 0; dst, src = dst[BlockSize:], src[BlockSize:] {
		subtle.XORBytes(s.chain[:], s.chain[:], src[:BlockSize])
		g.block.Encrypt(s.chain[:], s.chain[:])
		copy(dst, s.chain[:])
	}
}

// under encrypts or decrypts one block under a key of its own.
func (g *gmsmCipher) under(key []byte, d direction, dst, src []byte) {
	own, err := gmsm.NewCipher(key)
	if err != nil {
		panic("sm4: internal error: " + err.Error())
	}
	if d == encrypt {
		own.Encrypt(dst, src)
	} else {
		own.Decrypt(dst, src)
	}
}

// gmsmCTR is gmsm's CTR, on buffers that have been checked.
type gmsmCTR struct{ stream cipher.Stream }

func (x gmsmCTR) XORKeyStream(dst, src []byte) {
	for len(src) > pieceBytes {
		x.stream.XORKeyStream(dst[:pieceBytes], src[:pieceBytes])
		dst, src = dst[pieceBytes:], src[pieceBytes:]
	}
	x.stream.XORKeyStream(dst[:len(src)], src)
}

// scratchText is the text that a scratch holds.
const scratchText = 2048

// A scratch is what one turn of the code below needs; it comes from a pool because a buffer given to
// an interface's method can't stay on the stack.
type scratch struct {
	in    [scratchText + BlockSize]byte
	mask  [scratchText]byte
	chain [BlockSize]byte
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// release wipes what the caller used of in and mask, and returns it.
func (s *scratch) release(used int) {
	clear(s.in[:min(used, len(s.in))])
	clear(s.mask[:min(used, len(s.mask))])
	clear(s.chain[:])
	scratches.Put(s)
}

// leastStream is the number of bytes from which on a stream of gmsm's is worth making.
const leastStream = 4 * BlockSize

// xorCTR is CTR with a counter of the whole block, which is left behind the last block that was begun.
func (c *Cipher) xorCTR(dst, src []byte, ctr *[BlockSize]byte) {
	if c.kernel != kernel.None {
		c.kernel.CTR(&c.enc, dst, src, ctr)
		return
	}
	s := scratches.Get().(*scratch)
	defer s.release(len(src))
	modes := c.gmsm.modes()
	if modes.ctr != nil && len(src) > leastStream {
		s.chain = *ctr
		stream := modes.ctr.NewCTR(s.chain[:])
		kernel.Advance(ctr, uint64(len(src)+BlockSize-1)/BlockSize)
		for len(src) > 0 {
			n := copy(s.in[:], src)
			stream.XORKeyStream(s.in[:n], s.in[:n])
			copy(dst, s.in[:n])
			dst, src = dst[n:], src[n:]
		}
		return
	}
	for len(src) > 0 {
		n := min(len(src), scratchText)
		whole := s.in[:(n+BlockSize-1)&^(BlockSize-1)]
		kernel.Counters(whole, ctr)
		modes.enc.CryptBlocks(whole, whole)
		subtle.XORBytes(dst, src[:n], s.in[:n])
		dst, src = dst[n:], src[n:]
	}
}

// xorCTRAndRest is kernel.CTRAndRest.
func (c *Cipher) xorCTRAndRest(dst, src []byte, ctr *[BlockSize]byte, rest *[lineBytes]byte) (to int) {
	if c.kernel != kernel.None {
		return c.kernel.CTRAndRest(&c.enc, dst, src, ctr, rest)
	}
	whole := len(src) &^ (BlockSize - 1)
	c.xorCTR(dst[:whole], src[:whole], ctr)
	from := whole % lineBytes
	if whole == len(src) {
		return from
	}
	c.keystream(rest[from:from+BlockSize], ctr)
	subtle.XORBytes(dst[whole:], src[whole:], rest[from:])
	return from + BlockSize
}

// xorCTRWithin is kernel.CTRWithin.
func (c *Cipher) xorCTRWithin(dst, src []byte, ctr *[BlockSize]byte, skip int) int {
	if c.kernel != kernel.None {
		return c.kernel.CTRWithin(&c.enc, dst, src, ctr, skip)
	}
	var block [BlockSize]byte
	c.one(&block, ctr[:])
	n := min(len(src), BlockSize-skip)
	subtle.XORBytes(dst, src[:n], block[skip:])
	return n
}

// xorCTR32 is xorCTR with a counter of the last 32 bits, as GCM has it: the rest of the block stays.
func (c *Cipher) xorCTR32(dst, src []byte, ctr *[BlockSize]byte) {
	if c.kernel != kernel.None {
		c.kernel.CTR32(&c.enc, dst, src, ctr)
		return
	}
	for len(src) > 0 {
		n := kernel.UntilWrap(ctr, len(src))
		fixed := [12]byte(ctr[:])
		c.xorCTR(dst[:n], src[:n], ctr)
		copy(ctr[:], fixed[:])
		dst, src = dst[n:], src[n:]
	}
}

// keystream fills dst with the key stream from ctr on.
func (c *Cipher) keystream(dst []byte, ctr *[BlockSize]byte) {
	clear(dst)
	c.xorCTR(dst, dst, ctr)
}

// inPlace is ECB encryption of at most 64 blocks.
func (c *Cipher) inPlace(buf []byte) {
	if c.kernel != kernel.None {
		c.kernel.ECB(&c.enc, buf, buf)
		return
	}
	s := scratches.Get().(*scratch)
	defer s.release(len(buf))
	in := s.in[:copy(s.in[:], buf)]
	c.gmsm.modes().enc.CryptBlocks(in, in)
	copy(buf, in)
}

// chainMAC is CBC-MAC over whole blocks.
func (c *Cipher) chainMAC(mac *[BlockSize]byte, data []byte) {
	if c.kernel != kernel.None {
		c.kernel.CBCMAC(&c.enc, data, mac)
		return
	}
	s := scratches.Get().(*scratch)
	defer s.release(0)
	s.chain = *mac
	for ; len(data) > 0; data = data[BlockSize:] {
		subtle.XORBytes(s.chain[:], s.chain[:], data[:BlockSize])
		c.gmsm.block.Encrypt(s.chain[:], s.chain[:])
	}
	*mac = s.chain
}

// chainStream fills dst with the images of iv, of its image, and so on; iv becomes the last block.
func (c *Cipher) chainStream(dst []byte, iv *[BlockSize]byte) {
	if c.kernel != kernel.None {
		c.kernel.CBCEncrypt(&c.enc, dst, zeroText[:len(dst)], iv)
		return
	}
	s := scratches.Get().(*scratch)
	defer s.release(0)
	s.chain = *iv
	for ; len(dst) > 0; dst = dst[BlockSize:] {
		c.gmsm.block.Encrypt(s.chain[:], s.chain[:])
		copy(dst, s.chain[:])
	}
	*iv = s.chain
}

// zeroText is what CBC encryption makes the key stream of OFB from.
var zeroText [scratchText]byte

// xts is XTS over whole blocks; it advances the tweak. No kernel knows the tweaks of GB/T 17964-2021.
func (c *Cipher) xts(d direction, dst, src []byte, tweak *[BlockSize]byte, o bitOrder) {
	if c.kernel != kernel.None && o == ieee {
		schedule := &c.enc
		if d == decrypt {
			schedule = c.decryption()
		}
		c.kernel.XTS(schedule, dst, src, tweak)
		return
	}
	s := scratches.Get().(*scratch)
	defer s.release(len(src))
	for len(src) > 0 {
		n := min(len(src), scratchText)
		in, mask := s.in[:n], s.mask[:n]
		tweaks(mask, tweak, o)
		c.masked(d, dst[:n], src[:n], in, mask)
		dst, src = dst[n:], src[n:]
	}
}

// masked encrypts or decrypts blocks between two additions of mask; in is room for them.
func (c *Cipher) masked(d direction, dst, src, in, mask []byte) {
	subtle.XORBytes(in, src, mask)
	if d == encrypt {
		c.encryptBlocks(in, in)
	} else {
		c.decryptBlocks(in, in)
	}
	subtle.XORBytes(dst, in, mask)
}

type direction bool

const (
	encrypt direction = false
	decrypt direction = true
)

// one encrypts a single block.
func (c *Cipher) one(dst *[BlockSize]byte, src []byte) {
	if c.kernel != kernel.None {
		block := [BlockSize]byte(src)
		c.kernel.CBCMAC(&c.enc, zeroText[:BlockSize], &block) // a little faster than ECB of one block
		*dst = block
		return
	}
	s := scratches.Get().(*scratch)
	defer s.release(BlockSize)
	copy(s.in[:], src[:BlockSize])
	c.gmsm.block.Encrypt(s.chain[:], s.in[:])
	*dst = s.chain
}
