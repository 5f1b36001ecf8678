package sm4

import (
	"crypto/cipher"
	"crypto/subtle"
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

func (x *feedback) XORKeyStream(dst, src []byte) {
	checkBuffers(dst, src)
	dst = dst[:len(src)]
	if x.used > 0 {
		n := x.within(dst, src)
		dst, src = dst[n:], src[n:]
	}
	if whole := len(src) &^ (BlockSize - 1); whole > 0 {
		x.whole(dst[:whole], src[:whole])
		dst, src = dst[whole:], src[whole:]
	}
	if len(src) > 0 {
		x.c.one(&x.stream, x.chain[:])
		x.within(dst, src)
	}
}

// within goes on with the block under way and returns how many bytes it took.
func (x *feedback) within(dst, src []byte) int {
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

// whole encrypts or decrypts whole blocks.
func (x *feedback) whole(dst, src []byte) {
	s := scratches.Get().(*scratch)
	defer s.release(len(src))
	for len(src) > 0 {
		n := min(len(src), scratchText)
		in := s.in[:n]
		switch x.of {
		case ciphertextOut:
			// As CBC, whose block is encrypted together with the image before: here that is the next one's key
			// stream.
			x.c.encryptChain(in[:BlockSize], x.chain[:], new([BlockSize]byte))
			last := [BlockSize]byte(in)
			x.c.encryptChain(in[BlockSize:], src[:n-BlockSize], &last)
			subtle.XORBytes(dst, in, src[:n])
			copy(x.chain[:], dst[n-BlockSize:])
		case ciphertextIn:
			copy(in, x.chain[:])
			copy(in[BlockSize:], src[:n-BlockSize])
			copy(x.chain[:], src[n-BlockSize:])
			x.c.encryptBlocks(in, in)
			subtle.XORBytes(dst, in, src[:n])
		case keyStream:
			x.c.encryptChain(in, zeroText[:n], &x.chain)
			subtle.XORBytes(dst, in, src[:n])
		}
		dst, src = dst[n:], src[n:]
	}
}
