package sm4

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	gmcipher "github.com/emmansun/gmsm/cipher"
	gmsm "github.com/emmansun/gmsm/sm4"
)

// An input is all that an operation depends on.
type input struct {
	key        []byte // 16 bytes
	iv         []byte // 16 bytes; GCM and CCM take the first 12
	additional []byte
	src        []byte
}

// An operation is one direction of one mode.
type operation struct {
	name     string
	whole    bool // takes whole blocks only
	least    int  // bytes
	overhead int  // bytes by which the output is longer; negative for open
	run      func(c *Cipher, in input, dst []byte) error
	judge    func(b cipher.Block, in input, dst []byte) error
}

// output is the length of the output for n bytes of text. Src of an open is longer by the tag.
func (o operation) lengths(text int) (src, dst int) {
	if o.overhead < 0 {
		return text - o.overhead, text
	}
	return text, text + o.overhead
}

func (o operation) takes(text int) bool { return text >= o.least && (!o.whole || text%BlockSize == 0) }

// expect returns an input with a text of n bytes, and the output by gmsm's single blocks and modes of
// the standard library or of gmsm's generic code.
func (o operation) expect(t testing.TB, r *rand.Rand, n, additional int) (input, []byte) {
	t.Helper()
	in := input{random(r, KeySize), random(r, BlockSize), random(r, additional), random(r, n)}
	b, err := gmsm.NewCipher(in.key)
	if err != nil {
		t.Fatal(err)
	}
	if o.overhead < 0 {
		sealed := make([]byte, n-o.overhead)
		for _, seal := range operations {
			if seal.overhead == -o.overhead && seal.name[:4] == o.name[:4] {
				if err := seal.judge(judge{b}, in, sealed); err != nil {
					t.Fatal(err)
				}
				break
			}
		}
		in.src = sealed
	}
	_, size := o.lengths(n)
	want := make([]byte, size)
	if err := o.judge(judge{b}, in, want); err != nil {
		t.Fatal(err)
	}
	return in, want
}

func seal(a cipher.AEAD, err error, nonce, dst []byte, in input) error {
	if err != nil {
		return err
	}
	if out := a.Seal(dst[:0], nonce, in.src, in.additional); len(out) != len(dst) || &out[0] != &dst[0] {
		return fmt.Errorf("sealed %d bytes, want %d in place", len(out), len(dst))
	}
	return nil
}

func open(a cipher.AEAD, err error, nonce, dst []byte, in input) error {
	if err != nil {
		return err
	}
	out, err := a.Open(dst[:0], nonce, in.src, in.additional)
	if err == nil && len(out) != len(dst) {
		return fmt.Errorf("opened %d bytes, want %d", len(out), len(dst))
	}
	return err
}

var operations = slices.Concat(aeadAndBlock, otherModes)

var aeadAndBlock = []operation{
	{"ecb encrypt", true, 0, 0,
		func(c *Cipher, in input, dst []byte) error { c.EncryptBlocks(dst, in.src); return nil },
		func(b cipher.Block, in input, dst []byte) error { eachBlock(b.Encrypt, dst, in.src); return nil }},
	{"ecb decrypt", true, 0, 0,
		func(c *Cipher, in input, dst []byte) error { c.DecryptBlocks(dst, in.src); return nil },
		func(b cipher.Block, in input, dst []byte) error { eachBlock(b.Decrypt, dst, in.src); return nil }},
	{"cbc encrypt", true, 0, 0, cbcEncrypt[*Cipher], cbcEncrypt[cipher.Block]},
	{"cbc decrypt", true, 0, 0, cbcDecrypt[*Cipher], cbcDecrypt[cipher.Block]},
	{"ctr", false, 0, 0, ctrXOR[*Cipher], ctrXOR[cipher.Block]},
	{"gcm seal", false, 0, 16, gcmSeal[*Cipher], gcmSeal[cipher.Block]},
	{"gcm open", false, 0, -16, gcmOpen[*Cipher], gcmOpen[cipher.Block]},
	{"gcm seal nonce 16", false, 0, 16,
		func(c *Cipher, in input, dst []byte) error {
			a, err := cipher.NewGCMWithNonceSize(c, 16)
			return seal(a, err, in.iv, dst, in)
		},
		func(b cipher.Block, in input, dst []byte) error {
			a, err := cipher.NewGCMWithNonceSize(b, 16)
			return seal(a, err, in.iv, dst, in)
		}},
	{"gcm once seal", false, 0, 16,
		func(_ *Cipher, in input, dst []byte) error {
			out, err := SealOnce(dst[:0], in.key, in.iv[:12], in.src, in.additional)
			if err == nil && (len(out) != len(dst) || &out[0] != &dst[0]) {
				return fmt.Errorf("sealed %d bytes, want %d in place", len(out), len(dst))
			}
			return err
		}, gcmSeal[cipher.Block]},
	{"gcm once open", false, 0, -16,
		func(_ *Cipher, in input, dst []byte) error {
			out, err := OpenOnce(dst[:0], in.key, in.iv[:12], in.src, in.additional)
			if err == nil && len(out) != len(dst) {
				return fmt.Errorf("opened %d bytes, want %d", len(out), len(dst))
			}
			return err
		}, gcmOpen[cipher.Block]},
	{"ccm seal", false, 0, 16,
		func(c *Cipher, in input, dst []byte) error {
			a, err := c.NewCCM(12, 16)
			return seal(a, err, in.iv[:12], dst, in)
		},
		func(b cipher.Block, in input, dst []byte) error {
			a, err := gmcipher.NewCCM(b)
			return seal(a, err, in.iv[:12], dst, in)
		}},
	{"ccm open", false, 0, -16,
		func(c *Cipher, in input, dst []byte) error {
			a, err := c.NewCCM(12, 16)
			return open(a, err, in.iv[:12], dst, in)
		},
		func(b cipher.Block, in input, dst []byte) error {
			a, err := gmcipher.NewCCM(b)
			return open(a, err, in.iv[:12], dst, in)
		}},
	{"xts encrypt", false, 16, 0,
		func(c *Cipher, in input, dst []byte) error {
			x, err := NewXTSWith(xtsKey(in), c.Implementation())
			if err == nil {
				x.Encrypt(dst, in.src, in.iv)
			}
			return err
		},
		func(_ cipher.Block, in input, dst []byte) error {
			return xtsJudge(gmcipher.NewXTSEncrypter, in, dst)
		}},
	{"xts decrypt", false, 16, 0,
		func(c *Cipher, in input, dst []byte) error {
			x, err := NewXTSWith(xtsKey(in), c.Implementation())
			if err == nil {
				x.Decrypt(dst, in.src, in.iv)
			}
			return err
		},
		func(_ cipher.Block, in input, dst []byte) error {
			return xtsJudge(gmcipher.NewXTSDecrypter, in, dst)
		}},
}

func eachBlock(f func(dst, src []byte), dst, src []byte) {
	for i := 0; i < len(src); i += BlockSize {
		f(dst[i:], src[i:])
	}
}

func cbcEncrypt[B cipher.Block](b B, in input, dst []byte) error {
	cipher.NewCBCEncrypter(b, in.iv).CryptBlocks(dst, in.src)
	return nil
}

func cbcDecrypt[B cipher.Block](b B, in input, dst []byte) error {
	cipher.NewCBCDecrypter(b, in.iv).CryptBlocks(dst, in.src)
	return nil
}

func ctrXOR[B cipher.Block](b B, in input, dst []byte) error {
	cipher.NewCTR(b, in.iv).XORKeyStream(dst, in.src)
	return nil
}

func gcmSeal[B cipher.Block](b B, in input, dst []byte) error {
	a, err := cipher.NewGCM(b)
	return seal(a, err, in.iv[:12], dst, in)
}

func gcmOpen[B cipher.Block](b B, in input, dst []byte) error {
	a, err := cipher.NewGCM(b)
	return open(a, err, in.iv[:12], dst, in)
}

// xtsKey makes the second key from the first.
func xtsKey(in input) []byte {
	key := append(bytes.Clone(in.key), in.key...)
	key[KeySize] ^= 1
	return key
}

func xtsJudge(mode func(gmcipher.CipherCreator, []byte, []byte, []byte) (cipher.BlockMode, error), in input, dst []byte) error {
	key := xtsKey(in)
	hidden := func(key []byte) (cipher.Block, error) {
		b, err := gmsm.NewCipher(key)
		return judge{b}, err
	}
	m, err := mode(hidden, key[:KeySize], key[KeySize:], in.iv)
	if err == nil {
		m.CryptBlocks(dst, in.src)
	}
	return err
}
