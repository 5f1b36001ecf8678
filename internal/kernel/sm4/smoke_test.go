package sm4

import (
	"bytes"
	"crypto/cipher"
	"math/rand/v2"
	"testing"

	gmcipher "github.com/emmansun/gmsm/cipher"
	gm "github.com/emmansun/gmsm/sm4"
)

func fill(b []byte, r *rand.Rand) []byte {
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestSmoke(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range Kernels() {
		t.Run(k.String(), func(t *testing.T) {
			key := [16]byte(fill(make([]byte, 16), r))
			var enc, dec Schedule
			Expand(&key, &enc, &dec)
			g, _ := gm.NewCipher(key[:])
			for n := 0; n < 4096; n += 16 {
				src := fill(make([]byte, n), r)
				iv := [16]byte(fill(make([]byte, 16), r))
				if n%32 == 0 {
					for i := range 15 {
						iv[i] = 0xff
					}
				}
				want, got := make([]byte, n), make([]byte, n)
				check := func(name string) {
					t.Helper()
					if !bytes.Equal(want, got) {
						t.Fatalf("%s %d\n%x\n%x", name, n, want, got)
					}
				}
				for i := 0; i < n; i += 16 {
					g.Encrypt(want[i:], src[i:])
				}
				k.ECB(&enc, got, src)
				check("ecb")
				for i := 0; i < n; i += 16 {
					g.Decrypt(want[i:], src[i:])
				}
				k.ECB(&dec, got, src)
				check("ecb dec")
				if n == 0 {
					continue
				}
				v := iv
				k.CTR(&enc, got, src, &v)
				cipher.NewCTR(g, iv[:]).XORKeyStream(want, src)
				check("ctr")
				v = iv
				k.CBCDecrypt(&dec, got, src, &v)
				cipher.NewCBCDecrypter(g, iv[:]).CryptBlocks(want, src)
				check("cbcdec")
				v = iv
				k.CBCEncrypt(&enc, got, src, &v)
				cipher.NewCBCEncrypter(g, iv[:]).CryptBlocks(want, src)
				check("cbcenc")
				x, _ := gmcipher.NewXTSEncrypter(gm.NewCipher, key[:], key[:], iv[:])
				x.CryptBlocks(want, src)
				v = iv
				k.ECB(&enc, v[:], v[:])
				k.XTS(&enc, got, src, &v)
				check("xts")
				{
					aead, _ := cipher.NewGCM(g)
					want = aead.Seal(nil, iv[:12], src, key[:7])
					var h [16]byte
					k.ECB(&enc, h[:], h[:])
					var p Powers
					k.Powers(&p, &h)
					ctr := [16]byte{15: 1}
					copy(ctr[:], iv[:12])
					mask := ctr
					k.ECB(&enc, mask[:], mask[:])
					ctr[15] = 2
					var acc Hash
					k.GHASH(&acc, &p, key[:7])
					bulk := n &^ 1023
					k.Seal(&enc, &p, &acc, got[:bulk], src[:bulk], &ctr)
					k.CTR32(&enc, got[bulk:], src[bulk:], &ctr)
					k.GHASH(&acc, &p, got[bulk:])
					k.Lengths(&acc, &p, 7, n)
					s := acc.Sum()
					for i := range s {
						s[i] ^= mask[i]
					}
					got = append(got, s[:]...)
					check("gcm")
				}
			}
		})
	}
}

func BenchmarkK(b *testing.B) {
	for _, k := range Kernels() {
		var key [16]byte
		var enc, dec Schedule
		b.Run(k.String()+"/key", func(b *testing.B) {
			for range b.N {
				Expand(&key, &enc, &dec)
			}
		})
		for _, n := range []int{16, 64, 256, 512, 1024, 16384} {
			s, d := make([]byte, n), make([]byte, n)
			var v [16]byte
			do := func(name string, f func()) {
				b.Run(k.String()+"/"+name, func(b *testing.B) {
					b.SetBytes(int64(n))
					for range b.N {
						f()
					}
				})
			}
			do("ecb", func() { k.ECB(&enc, d, s) })
			do("ctr", func() { k.CTR(&enc, d, s, &v) })
			do("cbcdec", func() { k.CBCDecrypt(&dec, d, s, &v) })
			do("cbcenc", func() { k.CBCEncrypt(&enc, d, s, &v) })
			do("xts", func() { k.XTS(&dec, d, s, &v) })
			var p Powers
			var acc Hash
			do("powers", func() { k.Powers(&p, &v) })
			do("ghash", func() { k.GHASH(&acc, &p, s) })
			if n >= 1024 {
				do("seal", func() { k.Seal(&enc, &p, &acc, d, s, &v) })
			}
		}
		if k == AVX512 {
			var l Lanes
			buf := make([]byte, 64*1024)
			for i := range l.Src {
				l.Src[i] = &buf[1024*i]
				l.Dst[i] = &buf[1024*i]
			}
			b.Run("lanes64", func(b *testing.B) {
				b.SetBytes(64 * 1024)
				for range b.N {
					wideLanes64(&enc, &l, 64)
				}
			})
			b.Run("lanes16", func(b *testing.B) {
				b.SetBytes(16 * 1024)
				for range b.N {
					wideLanes16(&enc, &l, 64)
				}
			})
		}
	}
}
