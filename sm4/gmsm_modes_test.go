package sm4

import (
	"bytes"
	"crypto/cipher"
	"math/rand/v2"
	"testing"

	gmcipher "github.com/emmansun/gmsm/cipher"
)

type xtsConstructor = func(create gmcipher.CipherCreator, key, tweakKey, tweak []byte) (cipher.BlockMode, error)

var gmsmXTS = map[string]xtsConstructor{
	"encrypt": gmcipher.NewXTSEncrypter, "decrypt": gmcipher.NewXTSDecrypter,
	"gb encrypt": gmcipher.NewGBXTSEncrypter, "gb decrypt": gmcipher.NewGBXTSDecrypter,
}

// creators are gmsm's way to make a cipher: the implementation's, and the same with nothing but blocks.
func creators(implementation string) (ours, blocks gmcipher.CipherCreator) {
	ours = func(key []byte) (cipher.Block, error) { return NewWith(key, implementation) }
	return ours, func(key []byte) (cipher.Block, error) {
		c, err := NewWith(key, implementation)
		return judge{c}, err
	}
}

// gmsm's XTS over our cipher is that over single blocks, at every length, in place and cut into calls.
func TestGMSMXTS(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(51, 51))
		ours, blocks := creators(implementation)
		for name, xts := range gmsmXTS {
			for _, n := range append(boundaries(9000), 17, 18, 31, 33, 100) {
				if n < BlockSize {
					continue
				}
				key, tweak, src := random(r, 2*KeySize), random(r, BlockSize), random(r, n)
				w, err := xts(blocks, key[:KeySize], key[KeySize:], tweak)
				if err != nil {
					t.Fatal(err)
				}
				want := make([]byte, n)
				w.CryptBlocks(want, src)
				for _, first := range []int{0, BlockSize, n / 2 &^ (BlockSize - 1)} {
					if n-first < BlockSize {
						continue
					}
					m, err := xts(ours, key[:KeySize], key[KeySize:], tweak)
					if _, own := m.(*xtsMode); err != nil || !own {
						t.Fatalf("%s is made by %T (%v)", name, m, err)
					}
					got := append(bytes.Clone(src), 1, 2, 3)
					if first > 0 {
						m.CryptBlocks(got, src[:first])
					}
					m.CryptBlocks(got[first:n], got[first:n])
					if !bytes.Equal(got[:n], want) || !bytes.Equal(got[n:], []byte{1, 2, 3}) {
						t.Fatalf("%s of %d bytes, %d of them first: wrong", name, n, first)
					}
				}
			}
		}
		m, _ := gmcipher.NewXTSEncrypter(ours, make([]byte, 16), make([]byte, 16), make([]byte, 16))
		buf := make([]byte, 64)
		mustPanic(t, "xts", "sm4: XTS input shorter than a block", func() { m.CryptBlocks(buf, buf[:15]) })
		mustPanic(t, "xts", "crypto/cipher: output smaller than input", func() { m.CryptBlocks(buf[:16], buf[:32]) })
		mustPanic(t, "xts", "crypto/cipher: invalid buffer overlap", func() { m.CryptBlocks(buf[1:], buf[:32]) })
	})
}

// The other modes of gmsm find the methods that they look for, or go by single blocks, and compute the
// same.
func TestGMSMModes(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(52, 52))
		ours, blocks := creators(implementation)
		key, iv := random(r, KeySize), random(r, BlockSize)
		for _, n := range []int{16, 32, 48, 64, 128, 144, 512, 1024, 2064, 4096, 9008} {
			src := random(r, n)
			for name, mode := range map[string]func(gmcipher.CipherCreator) ([]byte, error){
				"bc": func(create gmcipher.CipherCreator) ([]byte, error) {
					b, err := create(key)
					sealed := make([]byte, n)
					gmcipher.NewBCEncrypter(b, iv).CryptBlocks(sealed, src)
					back := make([]byte, n)
					gmcipher.NewBCDecrypter(b, iv).CryptBlocks(back, src)
					return append(sealed, back...), err
				},
				"ofbnlf": func(create gmcipher.CipherCreator) ([]byte, error) {
					m, err := gmcipher.NewOFBNLFEncrypter(create, key, iv)
					out := make([]byte, n)
					m.CryptBlocks(out, src)
					return out, err
				},
				"hctr": func(create gmcipher.CipherCreator) ([]byte, error) {
					b, _ := create(key)
					m, err := gmcipher.NewHCTR(b, iv, key)
					sealed, back := make([]byte, n), make([]byte, n)
					m.EncryptBytes(sealed, src)
					m.DecryptBytes(back, src)
					return append(sealed, back...), err
				},
				"gcm-siv": func(create gmcipher.CipherCreator) ([]byte, error) {
					a, err := gmcipher.NewGCMSIV(create, key)
					return a.Seal(nil, iv[:12], src, key), err
				},
				"ccm": func(create gmcipher.CipherCreator) ([]byte, error) {
					b, _ := create(key)
					a, err := gmcipher.NewCCMWithNonceAndTagSize(b, 11, 10)
					return a.Seal(nil, iv[:11], src, key), err
				},
				"ecb": func(create gmcipher.CipherCreator) ([]byte, error) {
					b, err := create(key)
					out := make([]byte, n)
					gmcipher.NewECBEncrypter(b).CryptBlocks(out, src)
					gmcipher.NewECBDecrypter(b).CryptBlocks(src, src)
					gmcipher.NewECBEncrypter(b).CryptBlocks(src, src)
					return out, err
				},
			} {
				got, err := mode(ours)
				if err != nil {
					t.Fatal(err)
				}
				if want, err := mode(blocks); err != nil || !bytes.Equal(got, want) {
					t.Fatalf("%s of %d bytes: wrong (%v)", name, n, err)
				}
			}
		}
	})
}
