package sm4

import (
	"crypto/cipher"
	"crypto/subtle"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// Cipher feedback and output feedback of GB/T 17964-2021, with feedback of whole blocks, as the deprecated
// functions of crypto/cipher have them, which go by single blocks.

// NewCFBEncrypter returns CFB. A message is a chain, as in CBC, and no wider than one block. The stream may be
// called with pieces of any length; it belongs to one goroutine.
func (c *Cipher) NewCFBEncrypter(iv []byte) cipher.Stream {
	checkIV(iv, "cipher.newCFB: IV length must equal block size")
	return &feedback{c: c, of: ciphertextOut, chain: [BlockSize]byte(iv)}
}

// NewCFBDecrypter is NewCFBEncrypter for the inverse, whose blocks don't wait for each other.
func (c *Cipher) NewCFBDecrypter(iv []byte) cipher.Stream {
	checkIV(iv, "cipher.newCFB: IV length must equal block size")
	return &feedback{c: c, of: ciphertextIn, chain: [BlockSize]byte(iv)}
}

// NewOFB returns OFB, a chain of single blocks in both directions. The stream may be called with pieces of any
// length; it belongs to one goroutine.
func (c *Cipher) NewOFB(iv []byte) cipher.Stream {
	checkIV(iv, "cipher.NewOFB: IV length must equal block size")
	return &feedback{c: c, of: keyStream, chain: [BlockSize]byte(iv)}
}

// A fed is what is encrypted to make the next block of key stream.
type fed byte

const (
	ciphertextOut fed = iota // CFB encryption
	ciphertextIn             // CFB decryption
	keyStream                // OFB
)

type feedback struct {
	c      *Cipher
	of     fed
	chain  [BlockSize]byte // what is fed back; its first bytes are of the block under way
	stream [BlockSize]byte // key stream of the block under way
	used   int             // bytes of it; none is under way if 0
}

// fewBytes are not worth a scratch, nor twice as many in a chain.
const fewBytes = BlockSize

func (x *feedback) XORKeyStream(dst, src []byte) {
	if len(src) == 0 {
		return
	}
	buffers.Check(dst, src)
	dst = dst[:len(src)]
	if x.used > 0 {
		n := x.within(dst, src)
		dst, src = dst[n:], src[n:]
	}
	if x.isFew(len(src)) {
		for len(src) > 0 {
			x.next()
			n := x.within(dst, src)
			dst, src = dst[n:], src[n:]
		}
		return
	}
	s := scratches.Get().(*scratch)
	defer s.release(len(src) + BlockSize)
	if x.of == ciphertextIn {
		x.decrypt(s, dst, src)
		return
	}
	whole := len(src) &^ (BlockSize - 1)
	x.encrypt(s, dst[:whole], src[:whole])
	if whole < len(src) {
		x.next()
		x.within(dst[whole:], src[whole:])
	}
}

// isFew says whether n bytes go block by block. Over gmsm a chain always does: a scratch gains it nothing.
func (x *feedback) isFew(n int) bool {
	if x.of == ciphertextIn {
		return n <= fewBytes
	}
	return n <= 2*fewBytes || x.c.kernel == kernel.None
}

// next makes the next block of key stream. It needs none of the scratch that one takes: x is on the heap already.
func (x *feedback) next() {
	if x.c.kernel == kernel.None {
		x.c.gmsm.block.Encrypt(x.stream[:], x.chain[:])
		return
	}
	x.c.one(&x.stream, x.chain[:])
}

// within goes on with the block under way and returns how many bytes it took.
func (x *feedback) within(dst, src []byte) int {
	if len(src) >= BlockSize && x.used == 0 {
		x.block((*[BlockSize]byte)(dst), (*[BlockSize]byte)(src))
		return BlockSize
	}
	n := min(len(src), BlockSize-x.used)
	stream, chain := x.stream[x.used:][:n], x.chain[x.used:][:n]
	switch x.of {
	case ciphertextOut:
		subtle.XORBytes(chain, src[:n], stream)
		copy(dst, chain)
	case ciphertextIn:
		copy(chain, src)
		subtle.XORBytes(dst, chain, stream)
	case keyStream:
		copy(chain, stream)
		subtle.XORBytes(dst, src[:n], stream)
	}
	x.used = (x.used + n) % BlockSize
	return n
}

// block is within for a whole block.
func (x *feedback) block(dst, src *[BlockSize]byte) {
	switch x.of {
	case ciphertextOut:
		xorBlock(&x.chain, src, &x.stream)
		*dst = x.chain
	case ciphertextIn:
		x.chain = *src
		xorBlock(dst, &x.chain, &x.stream)
	case keyStream:
		x.chain = x.stream
		xorBlock(dst, src, &x.stream)
	}
}

// encrypt is CFB encryption or OFB of whole blocks, by a kernel.
func (x *feedback) encrypt(s *scratch, dst, src []byte) {
	for len(src) > 0 {
		n := min(len(src), scratchText)
		in := s.in[:n]
		if x.of == keyStream {
			x.c.chainStream(in, &x.chain)
			subtle.XORBytes(dst, in, src[:n])
		} else {
			// CBC encrypts a block added to the image before: here that is the key stream of the next block.
			var image [BlockSize]byte
			x.c.kernel.CBCEncrypt(&x.c.enc, in[:BlockSize], x.chain[:], &image)
			x.c.kernel.CBCEncrypt(&x.c.enc, in[BlockSize:], src[:n-BlockSize], &image)
			subtle.XORBytes(dst, in, src[:n])
			copy(x.chain[:], dst[n-BlockSize:])
		}
		dst, src = dst[n:], src[n:]
	}
}

// decrypt is CFB decryption of any number of bytes.
func (x *feedback) decrypt(s *scratch, dst, src []byte) {
	for len(src) > 0 {
		n := min(len(src), scratchText)
		last := (n - 1) &^ (BlockSize - 1)
		in := s.in[:last+BlockSize]
		copy(in, x.chain[:])
		copy(in[BlockSize:], src[:last])
		x.used = copy(x.chain[:], src[last:n]) % BlockSize
		x.c.encryptBlocks(in, in)
		copy(x.stream[:], in[last:])
		subtle.XORBytes(dst, in[:last], src[:last])
		var end [BlockSize]byte // XORBytes takes longer for bytes than for blocks
		xorBlock(&end, &x.chain, &x.stream)
		copy(dst[last:n], end[:])
		dst, src = dst[n:], src[n:]
	}
}
