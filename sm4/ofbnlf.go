package sm4

import (
	"crypto/cipher"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// Output feedback with a nonlinear function of GB/T 17964-2021, chapter 13: the key stream of OFB isn't added to
// the text, but each of its blocks is the key under which one block of the text is encrypted.

// NewOFBNLFEncrypter returns OFBNLF. A message takes a chain of single blocks, as OFB does, and a key schedule for
// every block.
func (c *Cipher) NewOFBNLFEncrypter(iv []byte) cipher.BlockMode {
	checkIV(iv, "cipher.NewOFBNLFEncrypter: IV length must equal block size")
	return &ofbnlf{c, encrypt, [BlockSize]byte(iv)}
}

// NewOFBNLFDecrypter is NewOFBNLFEncrypter for the inverse, which takes as long.
func (c *Cipher) NewOFBNLFDecrypter(iv []byte) cipher.BlockMode {
	checkIV(iv, "cipher.NewOFBNLFDecrypter: IV length must equal block size")
	return &ofbnlf{c, decrypt, [BlockSize]byte(iv)}
}

type ofbnlf struct {
	c    *Cipher
	d    direction
	last [BlockSize]byte // block of the key stream
}

func (*ofbnlf) BlockSize() int { return BlockSize }

func (x *ofbnlf) SetIV(iv []byte) {
	checkIV(iv, "cipher: incorrect length IV")
	copy(x.last[:], iv)
}

func (x *ofbnlf) CryptBlocks(dst, src []byte) {
	if len(src) == 0 {
		return
	}
	buffers.CheckBlocks(dst, src)
	s := scratches.Get().(*scratch)
	defer s.release(len(src))
	for len(src) > 0 {
		n := min(len(src), scratchText)
		keys := s.in[:n]
		x.c.chainStream(keys, &x.last)
		for i := 0; i < n; i += BlockSize {
			x.c.under(keys[i:i+BlockSize], x.d, dst[i:i+BlockSize], src[i:i+BlockSize])
		}
		dst, src = dst[n:], src[n:]
	}
}

// under encrypts or decrypts one block under a key of its own.
func (c *Cipher) under(key []byte, d direction, dst, src []byte) {
	if c.kernel == kernel.None {
		c.gmsm.under(key, d, dst, src)
		return
	}
	var forward, back kernel.Schedule
	var zero [BlockSize]byte
	c.kernel.Expand((*[KeySize]byte)(key), &forward, &zero)
	if d == encrypt {
		c.kernel.ECB(&forward, dst, src)
		return
	}
	forward.Reverse(&back)
	c.kernel.ECB(&back, dst, src)
}
