package sm4

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

func TestKeySize(t *testing.T) {
	for _, n := range []int{0, 1, 15, 17, 24, 32} {
		_, err := NewCipher(make([]byte, n))
		var size KeySizeError
		if !errors.As(err, &size) || int(size) != n {
			t.Errorf("key of %d bytes: %v", n, err)
		}
		if _, err := NewXTS(make([]byte, n)); n != 32 && !errors.As(err, &size) {
			t.Errorf("XTS key of %d bytes: %v", n, err)
		}
	}
	if _, err := NewXTS(make([]byte, 32)); err == nil {
		t.Error("XTS took two equal keys")
	}
	if _, err := NewWith(make([]byte, 16), "abacus"); err == nil {
		t.Error("took an implementation that doesn't exist")
	}
	b, err := NewCipher(make([]byte, 16))
	if err != nil || b.(*Cipher).Implementation() != Implementations()[0] {
		t.Errorf("NewCipher did not take the fastest (%v)", err)
	}
}

func TestPanics(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		c := newTest(t, make([]byte, KeySize), implementation)
		iv, buf := make([]byte, BlockSize), make([]byte, 256)
		blockModes := map[string]cipher.BlockMode{
			"ecb encrypt": c.NewECBEncrypter(), "ecb decrypt": c.NewECBDecrypter(),
			"cbc encrypt": cipher.NewCBCEncrypter(c, iv), "cbc decrypt": cipher.NewCBCDecrypter(c, iv),
		}
		for name, m := range blockModes {
			mustPanic(t, name, "crypto/cipher: input not full blocks", func() { m.CryptBlocks(buf, buf[:17]) })
			mustPanic(t, name, "crypto/cipher: output smaller than input", func() { m.CryptBlocks(buf[:16], buf[:32]) })
			mustPanic(t, name, "crypto/cipher: invalid buffer overlap", func() { m.CryptBlocks(buf[1:], buf[:32]) })
			mustPanic(t, name, "crypto/cipher: invalid buffer overlap", func() { m.CryptBlocks(buf, buf[16:48]) })
			m.CryptBlocks(nil, nil)
			m.CryptBlocks(buf, buf[:0])
			if m.BlockSize() != BlockSize {
				t.Errorf("%s: block size %d", name, m.BlockSize())
			}
		}
		s := cipher.NewCTR(c, iv)
		mustPanic(t, "ctr", "crypto/cipher: output smaller than input", func() { s.XORKeyStream(buf[:16], buf[:17]) })
		mustPanic(t, "ctr", "crypto/cipher: invalid buffer overlap", func() { s.XORKeyStream(buf[1:], buf[:32]) })
		s.XORKeyStream(nil, nil)
		for _, n := range []int{0, 12, 15, 17} {
			bad := make([]byte, n)
			mustPanic(t, "iv", "cipher.NewCTR: IV length must equal block size", func() { cipher.NewCTR(c, bad) })
			mustPanic(t, "iv", "cipher.NewCBCEncrypter: IV length must equal block size", func() { cipher.NewCBCEncrypter(c, bad) })
			mustPanic(t, "iv", "cipher.NewCBCDecrypter: IV length must equal block size", func() { cipher.NewCBCDecrypter(c, bad) })
		}
		for name, f := range map[string]func(dst, src []byte){"encrypt": c.Encrypt, "decrypt": c.Decrypt} {
			mustPanic(t, name, "sm4: input not full block", func() { f(buf, buf[:15]) })
			mustPanic(t, name, "sm4: output not full block", func() { f(buf[:15], buf) })
			mustPanic(t, name, "sm4: invalid buffer overlap", func() { f(buf[1:], buf) })
		}
		x, err := NewXTSWith(append(make([]byte, 31), 1), implementation)
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Implementation(); got != implementation {
			t.Errorf("XTS: asked for %s, got %s", implementation, got)
		}
		mustPanic(t, "xts", "sm4: XTS input shorter than a block", func() { x.Encrypt(buf, buf[:15], iv) })
		mustPanic(t, "xts", "sm4: XTS tweak length must equal block size", func() { x.Encrypt(buf, buf, iv[:8]) })
		mustPanic(t, "xts", "crypto/cipher: output smaller than input", func() { x.Decrypt(buf[:16], buf[:32], iv) })
		mustPanic(t, "xts", "crypto/cipher: invalid buffer overlap", func() { x.Decrypt(buf[1:], buf[:32], iv) })
	})
}

// eachAEAD runs a test for GCM, CCM and GCM-SIV in every implementation.
func eachAEAD(t *testing.T, f func(t *testing.T, implementation string, a cipher.AEAD)) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		c := newTest(t, []byte("sixteen byte key"), implementation)
		g, err := cipher.NewGCM(c)
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.NewCCM(12, 16)
		if err != nil {
			t.Fatal(err)
		}
		t.Run("gcm", func(t *testing.T) { f(t, implementation, g) })
		short, err := cipher.NewGCMWithTagSize(c, 12)
		if err != nil {
			t.Fatal(err)
		}
		t.Run("tags of 12/gcm", func(t *testing.T) { f(t, implementation, short) })
		siv, err := c.NewGCMSIV(nil, []byte("sixteen byte key"))
		if err != nil {
			t.Fatal(err)
		}
		t.Run("ccm", func(t *testing.T) { f(t, implementation, m) })
		t.Run("gcm-siv", func(t *testing.T) { f(t, implementation, siv) })
	})
}

func TestAEADRefuses(t *testing.T) {
	eachAEAD(t, func(t *testing.T, implementation string, a cipher.AEAD) {
		r := rand.New(rand.NewPCG(14, 14))
		nonce, additional := random(r, 12), random(r, 20)
		for _, n := range []int{0, 1, 15, 16, 64, 100, 1008, 1025, 2048, 3000, 5000} {
			sealed := a.Seal(nil, nonce, random(r, n), additional)
			for range 20 {
				bad := bytes.Clone(sealed)
				bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
				dst := random(r, n)
				before := bytes.Clone(dst)
				if _, err := a.Open(dst[:0], nonce, bad, additional); err == nil {
					t.Fatalf("%d bytes: opened a forgery", n)
				}
				if !bytes.Equal(dst, before) {
					t.Fatalf("%d bytes: a forgery was written to dst", n)
				}
			}
			for i := range a.Overhead() {
				bad := bytes.Clone(sealed)
				bad[n+i] ^= 0x80
				if _, err := a.Open(nil, nonce, bad, additional); err == nil {
					t.Fatalf("%d bytes: byte %d of the tag does not count", n, i)
				}
			}
			if _, err := a.Open(nil, nonce, sealed, additional[1:]); err == nil {
				t.Fatalf("%d bytes: opened with other additional data", n)
			}
			if _, err := a.Open(nil, append(nonce[1:12:12], 0), sealed, additional); err == nil {
				t.Fatalf("%d bytes: opened with another nonce", n)
			}
		}
		for n := range 16 {
			if _, err := a.Open(nil, nonce, make([]byte, n), nil); err == nil {
				t.Fatalf("opened %d bytes", n)
			}
		}
	})
}

func TestAEADAppends(t *testing.T) {
	eachAEAD(t, func(t *testing.T, _ string, a cipher.AEAD) {
		nonce, plain := make([]byte, 12), []byte("the plaintext")
		prefix := []byte("prefix")
		short := a.Seal(prefix[:6:6], nonce, plain, nil)
		roomy := make([]byte, 6, 100)
		copy(roomy, prefix)
		long := a.Seal(roomy, nonce, plain, nil)
		if !bytes.Equal(short, long) || !bytes.HasPrefix(long, prefix) || &long[0] != &roomy[0] {
			t.Fatal("Seal does not append")
		}
		back, err := a.Open(roomy[:6:6], nonce, long[6:], nil)
		if err != nil || string(back) != "prefixthe plaintext" {
			t.Fatalf("Open does not append: %q (%v)", back, err)
		}
	})
}

func TestAEADPanics(t *testing.T) {
	eachAEAD(t, func(t *testing.T, implementation string, a cipher.AEAD) {
		buf := make([]byte, 200)
		nonce := make([]byte, 12)
		const io, ad = "crypto/cipher: invalid buffer overlap of output and input", "crypto/cipher: invalid buffer overlap of output and additional data"
		mustPanic(t, "seal", io, func() { a.Seal(buf[1:1], nonce, buf[:64], nil) })
		mustPanic(t, "seal", ad, func() { a.Seal(buf[:0], nonce, buf[:64], buf[70:75]) })
		mustPanic(t, "open", io, func() { a.Open(buf[1:1], nonce, buf[:64], nil) })
		mustPanic(t, "open", ad, func() { a.Open(buf[:0], nonce, buf[100:164], buf[10:12]) })
		for _, n := range []int{0, 11, 13} {
			name := t.Name()
			want := "crypto/cipher: incorrect nonce length given to " + strings.ToUpper(name[strings.LastIndex(name, "/")+1:])
			mustPanic(t, "seal", want, func() { a.Seal(nil, make([]byte, n), nil, nil) })
			mustPanic(t, "open", want, func() { a.Open(nil, make([]byte, n), make([]byte, 20), nil) })
		}
	})
}

func TestAEADSizes(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(15, 15))
		key := random(r, KeySize)
		c := newTest(t, key, implementation)
		for tag := 12; tag <= 16; tag++ {
			g, err := cipher.NewGCMWithTagSize(c, tag)
			if err != nil {
				t.Fatal(err)
			}
			whole, _ := cipher.NewGCM(c)
			plain := random(r, 50)
			if got, want := g.Seal(nil, key[:12], plain, nil), whole.Seal(nil, key[:12], plain, nil)[:50+tag]; !bytes.Equal(got, want) {
				t.Errorf("gcm with a tag of %d bytes: wrong", tag)
			}
			if _, err := g.Open(nil, key[:12], g.Seal(nil, key[:12], plain, nil), nil); err != nil || g.Overhead() != tag {
				t.Errorf("gcm with a tag of %d bytes does not open", tag)
			}
		}
		for nonce := 1; nonce < 200; nonce += 3 {
			g, err := cipher.NewGCMWithNonceSize(c, nonce)
			w, _ := cipher.NewGCMWithNonceSize(judge{c}, nonce)
			if err != nil || g.NonceSize() != nonce {
				t.Fatal(err)
			}
			n, plain := random(r, nonce), random(r, 70)
			if !bytes.Equal(g.Seal(nil, n, plain, n), w.Seal(nil, n, plain, n)) {
				t.Errorf("gcm with a nonce of %d bytes: wrong", nonce)
			}
		}
		for _, n := range []int{0, 33, 1500} {
			both, err := c.NewGCM(17, 13)
			if err != nil {
				t.Fatal(err)
			}
			whole, _ := cipher.NewGCMWithNonceSize(c, 17)
			nonce, plain := random(r, 17), random(r, n)
			if !bytes.Equal(both.Seal(nil, nonce, plain, nil), whole.Seal(nil, nonce, plain, nil)[:n+13]) {
				t.Errorf("gcm with a nonce of 17 and a tag of 13 bytes: wrong")
			}
		}
		for _, bad := range [][2]int{{12, 11}, {12, 17}, {0, 16}, {-1, 16}} {
			if _, err := c.NewGCM(bad[0], bad[1]); err == nil {
				t.Errorf("gcm took nonce and tag of %v bytes", bad)
			}
		}
		for _, bad := range [][2]int{{6, 16}, {14, 16}, {12, 2}, {12, 5}, {12, 18}} {
			if _, err := c.NewCCM(bad[0], bad[1]); err == nil {
				t.Errorf("ccm took nonce and tag of %v bytes", bad)
			}
		}
	})
}

// Tags of every length: nothing beyond dst is written, and a forgery writes nothing at all.
func TestTagsInPlace(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(33, 33))
		c := newTest(t, random(r, KeySize), implementation)
		whole, err := cipher.NewGCM(c)
		if err != nil {
			t.Fatal(err)
		}
		for tag := 12; tag <= 16; tag++ {
			a, err := cipher.NewGCMWithTagSize(c, tag)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range append(boundaries(4096+17), 1, 2, 3, 4, 5, 20, 33, 2047, 2049) {
				nonce, additional, plain := random(r, 12), random(r, n%37), random(r, n)
				want := whole.Seal(nil, nonce, plain, additional)[:n+tag]
				arena := random(r, n+tag+32)
				around := append(bytes.Clone(want), arena[n+tag:]...)
				copy(arena, plain)
				if a.Seal(arena[:0:n+tag], nonce, arena[:n], additional); !bytes.Equal(arena, around) {
					t.Fatalf("%d bytes sealed in place with a tag of %d: wrong, or wrote beyond it", n, tag)
				}
				arena[r.IntN(n+tag)] ^= 1
				forged := bytes.Clone(arena)
				_, err := a.Open(arena[:0:n], nonce, arena[:n+tag], additional)
				if err == nil || !bytes.Equal(arena, forged) {
					t.Fatalf("%d bytes and a tag of %d forged: opened or written to (%v)", n, tag, err)
				}
				copy(arena, want)
				copy(around, plain)
				_, err = a.Open(arena[:0:n], nonce, arena[:n+tag], additional)
				if err != nil || !bytes.Equal(arena, around) {
					t.Fatalf("%d bytes opened in place with a tag of %d: wrong, or wrote beyond it (%v)", n, tag, err)
				}
			}
		}
	})
}

func TestNoAllocations(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		c := newTest(t, []byte("sixteen byte key"), implementation)
		iv, buf, out := make([]byte, 16), make([]byte, 5000), make([]byte, 0, 5100)
		enc, dec, ctr := cipher.NewCBCEncrypter(c, iv), cipher.NewCBCDecrypter(c, iv), cipher.NewCTR(c, iv)
		g, _ := cipher.NewGCM(c)
		m, _ := c.NewCCM(12, 16)
		x, _ := NewXTSWith(append(make([]byte, 31), 1), implementation)
		other := newTest(t, []byte("another byte key"), implementation)
		streams := make([]CBCStream, 90)
		for i := range streams {
			b := buf[48*i:][:48]
			streams[i] = CBCStream{c, iv, b, b}
		}
		keyed := append([]CBCStream(nil), streams...)
		keyed[5].Cipher = other
		for _, n := range []int{16, 48, 80, 1024, 2048, 4992} {
			b := buf[:n]
			sealed := g.Seal(nil, iv[:12], b, iv)
			ccmSealed := m.Seal(nil, iv[:12], b, iv)
			for name, f := range map[string]func(){
				"encrypt":     func() { c.Encrypt(b, b) },
				"ecb":         func() { c.EncryptBlocks(b, b); c.DecryptBlocks(b, b) },
				"cbc encrypt": func() { enc.CryptBlocks(b, b) },
				"cbc decrypt": func() { dec.CryptBlocks(b, b) },
				"ctr":         func() { ctr.XORKeyStream(b, b); ctr.XORKeyStream(b[:5], b[:5]) },
				"gcm seal":    func() { g.Seal(out, iv[:12], b, iv) },
				"gcm open":    func() { g.Open(out, iv[:12], sealed, iv) },
				"ccm seal":    func() { m.Seal(out, iv[:12], b, iv) },
				"ccm open":    func() { m.Open(out, iv[:12], ccmSealed, iv) },
				"xts":         func() { x.Encrypt(b, b, iv); x.Decrypt(b[:n-1], b[:n-1], iv) },
				"streams":     func() { EncryptCBC(streams) },
				"keyed":       func() { EncryptCBC(keyed) },
			} {
				if n == 16 && name == "xts" {
					continue
				}
				if c.gmsm != nil && c.gmsm.modes().ctr != nil && strings.Contains(name, "cm ") {
					continue // a stream of gmsm's is made for each call
				}
				if got := testing.AllocsPerRun(3, f); got != 0 {
					t.Errorf("%s of %d bytes: %v allocations", name, n, got)
				}
			}
		}
	})
}

// A new key is one object. Over gmsm it is more by gmsm's own: each cipher, and the ECB of each direction.
func TestAllocationsOfKeys(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		k, err := kernelNamed(implementation)
		if err != nil {
			t.Fatal(err)
		}
		one, two := 1.0, 1.0
		if implementation == fallback {
			one, two = 1+1+2, 1+2+2
		}
		key := append(make([]byte, 31), 1)
		if got := testing.AllocsPerRun(10, func() { newCipher(key[:16], k) }); got > one {
			t.Errorf("New: %v allocations, want %v", got, one)
		}
		if got := testing.AllocsPerRun(10, func() { newXTS(key, k, ieee) }); got > two {
			t.Errorf("NewXTS: %v allocations, want %v", got, two)
		}
	})
}

// One cipher serves many goroutines.
func TestConcurrent(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		c := newTest(t, []byte("sixteen byte key"), implementation)
		g, _ := cipher.NewGCM(c)
		m, _ := c.NewCCM(12, 16)
		x, _ := NewXTSWith(append(make([]byte, 31), 1), implementation)
		nonce, plain := make([]byte, 12), bytes.Repeat([]byte("data"), 1000)
		sealed, ccmSealed := g.Seal(nil, nonce, plain, nil), m.Seal(nil, nonce, plain, nil)
		unit := make([]byte, len(plain))
		x.Encrypt(unit, plain, make([]byte, 16))
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 20 {
					if !bytes.Equal(g.Seal(nil, nonce, plain, nil), sealed) || !bytes.Equal(m.Seal(nil, nonce, plain, nil), ccmSealed) {
						t.Error("sealed otherwise beside other goroutines")
					}
					if back, err := g.Open(nil, nonce, sealed, nil); err != nil || !bytes.Equal(back, plain) {
						t.Error("opened otherwise beside other goroutines")
					}
					back := make([]byte, len(unit))
					x.Decrypt(back, unit, make([]byte, 16))
					c.EncryptBlocks(back, back)
					c.DecryptBlocks(back, back)
					if !bytes.Equal(back, plain) {
						t.Error("came back otherwise beside other goroutines")
					}
				}
			})
		}
		wg.Wait()
	})
}
