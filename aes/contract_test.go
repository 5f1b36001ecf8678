package aes

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
)

func TestKeySize(t *testing.T) {
	for n := range 70 {
		_, err := NewCipher(make([]byte, n))
		_, want := aes.NewCipher(make([]byte, n))
		if fmt.Sprint(err) != fmt.Sprint(want) {
			t.Errorf("key of %d bytes: %v, want %v", n, err, want)
		}
		var size aes.KeySizeError
		if want != nil && !errors.As(err, &size) {
			t.Errorf("key of %d bytes: %T", n, err)
		}
		key := make([]byte, n)
		if n > 0 {
			key[0] = 1
		}
		if _, err := NewXTS(key); (err == nil) != (n == 32 || n == 48 || n == 64) {
			t.Errorf("XTS key of %d bytes: %v", n, err)
		}
	}
	if _, err := NewXTS(make([]byte, 32)); err == nil {
		t.Error("XTS took two equal keys")
	}
	if _, err := NewWith(make([]byte, 16), "abacus"); err == nil {
		t.Error("took an implementation that doesn't exist")
	}
	if _, err := NewXTSWith(make([]byte, 32), "abacus"); err == nil {
		t.Error("took an implementation that doesn't exist")
	}
	for _, n := range []int{0, 15, 20, 33} {
		var size KeySizeError
		if _, err := SealOnce(nil, make([]byte, n), make([]byte, 12), nil, nil); !errors.As(err, &size) {
			t.Errorf("sealed once with a key of %d bytes (%v)", n, err)
		}
		if _, err := OpenOnce(nil, make([]byte, n), make([]byte, 12), make([]byte, 16), nil); !errors.As(err, &size) {
			t.Errorf("opened once with a key of %d bytes (%v)", n, err)
		}
	}
	c, err := New(make([]byte, 16))
	if err != nil || c.Implementation() != Implementations()[0] || c.BlockSize() != BlockSize {
		t.Errorf("New did not take the fastest (%v)", err)
	}
	b, err := NewCipher(make([]byte, 16))
	if own, ours := b.(*Cipher); err != nil || ours != (len(Implementations()) > 1) || ours && own.Implementation() != Implementations()[0] {
		t.Errorf("NewCipher returned a %T (%v)", b, err)
	}
}

// caught is what f panics with.
func caught(f func()) (what any) {
	defer func() { what = recover() }()
	f()
	return nil
}

// Misuse panics as it does with crypto/aes, in the same words.
func TestPanicsAreTheStandardLibrarys(t *testing.T) {
	std, err := aes.NewCipher(make([]byte, 16))
	if err != nil {
		t.Fatal(err)
	}
	iv, buf := make([]byte, 16), make([]byte, 256)
	const nonce, short = 12, 11
	everyImplementation(t, func(t *testing.T, implementation string) {
		c := newTest(t, make([]byte, 16), implementation)
		for name, misuse := range map[string]func(b cipher.Block){
			"block short":         func(b cipher.Block) { b.Encrypt(buf, buf[:15]) },
			"block no room":       func(b cipher.Block) { b.Encrypt(buf[:15], buf) },
			"block overlap":       func(b cipher.Block) { b.Encrypt(buf[1:], buf) },
			"block back short":    func(b cipher.Block) { b.Decrypt(buf, buf[:15]) },
			"block back no room":  func(b cipher.Block) { b.Decrypt(buf[:15], buf) },
			"block back overlap":  func(b cipher.Block) { b.Decrypt(buf[1:], buf) },
			"cbc iv":              func(b cipher.Block) { cipher.NewCBCEncrypter(b, iv[:12]) },
			"cbc back iv":         func(b cipher.Block) { cipher.NewCBCDecrypter(b, iv[:12]) },
			"cbc parts":           func(b cipher.Block) { cipher.NewCBCEncrypter(b, iv).CryptBlocks(buf, buf[:17]) },
			"cbc no room":         func(b cipher.Block) { cipher.NewCBCEncrypter(b, iv).CryptBlocks(buf[:16], buf[:32]) },
			"cbc overlap":         func(b cipher.Block) { cipher.NewCBCEncrypter(b, iv).CryptBlocks(buf[1:], buf[:32]) },
			"cbc back parts":      func(b cipher.Block) { cipher.NewCBCDecrypter(b, iv).CryptBlocks(buf, buf[:17]) },
			"cbc back no room":    func(b cipher.Block) { cipher.NewCBCDecrypter(b, iv).CryptBlocks(buf[:16], buf[:32]) },
			"cbc back overlap":    func(b cipher.Block) { cipher.NewCBCDecrypter(b, iv).CryptBlocks(buf, buf[16:48]) },
			"set iv":              func(b cipher.Block) { setIV(cipher.NewCBCEncrypter(b, iv), iv[:3]) },
			"set iv back":         func(b cipher.Block) { setIV(cipher.NewCBCDecrypter(b, iv), iv[:3]) },
			"ctr iv":              func(b cipher.Block) { cipher.NewCTR(b, iv[:12]) },
			"ctr no room":         func(b cipher.Block) { cipher.NewCTR(b, iv).XORKeyStream(buf[:16], buf[:17]) },
			"ctr overlap":         func(b cipher.Block) { cipher.NewCTR(b, iv).XORKeyStream(buf[1:], buf[:32]) },
			"seal nonce":          func(b cipher.Block) { newGCM(b).Seal(nil, iv[:short], nil, nil) },
			"open nonce":          func(b cipher.Block) { newGCM(b).Open(nil, iv[:short], buf, nil) },
			"seal overlap":        func(b cipher.Block) { newGCM(b).Seal(buf[1:1], iv[:nonce], buf[:64], nil) },
			"seal additional":     func(b cipher.Block) { newGCM(b).Seal(buf[:0], iv[:nonce], buf[:64], buf[70:75]) },
			"open overlap":        func(b cipher.Block) { newGCM(b).Open(buf[1:1], iv[:nonce], buf[:64], nil) },
			"open additional":     func(b cipher.Block) { newGCM(b).Open(buf[:0], iv[:nonce], buf[100:164], buf[10:12]) },
			"random seal nonce":   func(b cipher.Block) { newRandom(b).Seal(nil, iv[:12], nil, nil) },
			"random open nonce":   func(b cipher.Block) { newRandom(b).Open(nil, iv[:12], buf, nil) },
			"random seal overlap": func(b cipher.Block) { newRandom(b).Seal(buf[1:1], nil, buf[:64], nil) },
			"random open overlap": func(b cipher.Block) { newRandom(b).Open(buf[1:1], nil, buf[:64], nil) },
		} {
			want := caught(func() { misuse(std) })
			if got := caught(func() { misuse(c) }); got != want || want == nil {
				t.Errorf("%s: panic %v, want %v", name, got, want)
			}
		}
		ecb := map[string]func(dst, src []byte){"encrypt": c.EncryptBlocks, "decrypt": c.DecryptBlocks}
		for name, f := range ecb {
			mustPanic(t, name, "crypto/cipher: input not full blocks", func() { f(buf, buf[:17]) })
			mustPanic(t, name, "crypto/cipher: output smaller than input", func() { f(buf[:16], buf[:32]) })
			mustPanic(t, name, "crypto/cipher: invalid buffer overlap", func() { f(buf[1:], buf[:32]) })
			f(nil, nil)
		}
		x, err := NewXTSWith(append(make([]byte, 31), 1), implementation)
		if err != nil || x.Implementation() != implementation {
			t.Fatal(err)
		}
		mustPanic(t, "xts", "aes: XTS input shorter than a block", func() { x.Encrypt(buf, buf[:15], iv) })
		mustPanic(t, "xts", "aes: XTS tweak length must equal block size", func() { x.Encrypt(buf, buf, iv[:8]) })
		mustPanic(t, "xts", "crypto/cipher: output smaller than input", func() { x.DecryptSector(buf[:16], buf[:32], 1) })
		mustPanic(t, "xts", "crypto/cipher: invalid buffer overlap", func() { x.EncryptSector(buf[1:], buf[:32], 1) })
		at := c.NewCTR(iv).(*CTR)
		mustPanic(t, "ctr at", "crypto/aes: len(dst) < len(src)", func() { at.XORKeyStreamAt(buf[:16], buf[:17], 1) })
		mustPanic(t, "ctr at", "crypto/aes: invalid buffer overlap", func() { at.XORKeyStreamAt(buf[1:], buf[:32], 1) })
	})
}

func setIV(m cipher.BlockMode, iv []byte) { m.(interface{ SetIV([]byte) }).SetIV(iv) }

func newGCM(b cipher.Block) cipher.AEAD {
	a, err := cipher.NewGCM(b)
	if err != nil {
		panic(err)
	}
	return a
}

func newRandom(b cipher.Block) cipher.AEAD {
	a, err := NewGCMWithRandomNonce(b)
	if err != nil {
		panic(err)
	}
	return a
}

// What is done once is refused as it is refused elsewhere.
func TestOnceRefuses(t *testing.T) {
	r := rand.New(rand.NewPCG(52, 52))
	key, nonce, buf := random(r, 16), random(r, 12), make([]byte, 3000)
	const wrongNonce = "crypto/cipher: incorrect nonce length given to GCM"
	const io, ad = "crypto/cipher: invalid buffer overlap of output and input", "crypto/cipher: invalid buffer overlap of output and additional data"
	for _, n := range []int{0, 16, 64, 96, 200, 1400} {
		plain, additional := random(r, n), random(r, 5)
		sealed, err := SealOnce(nil, key, nonce, plain, additional)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < len(sealed); at += 1 + at/20 {
			bad := bytes.Clone(sealed)
			bad[at] ^= 0x40
			dst := bytes.Repeat([]byte{0xa5}, n)
			before := bytes.Clone(dst)
			_, err := OpenOnce(dst[:0], key, nonce, bad, additional)
			if err == nil || err.Error() != errOpen.Error() || len(Implementations()) > 1 && !bytes.Equal(dst, before) {
				t.Fatalf("%d bytes, byte %d forged: opened, or written to dst (%v)", n, at, err)
			}
		}
		if _, err := OpenOnce(nil, key, nonce, sealed[:15], additional); err == nil {
			t.Fatal("opened less than a tag")
		}
		mustPanic(t, "seal", wrongNonce, func() { SealOnce(nil, key, nonce[:11], plain, nil) })
		mustPanic(t, "open", wrongNonce, func() { OpenOnce(nil, key, nonce[:11], sealed, nil) })
		if n > 0 {
			mustPanic(t, "seal", io, func() { SealOnce(buf[1:1], key, nonce, buf[:n], nil) })
			mustPanic(t, "seal", ad, func() { SealOnce(buf[:0], key, nonce, buf[:n], buf[n:n+4]) })
			mustPanic(t, "open", io, func() { OpenOnce(buf[1:1], key, nonce, buf[:n+16], nil) })
			mustPanic(t, "open", ad, func() { OpenOnce(buf[:0], key, nonce, buf[len(buf)-n-16:], buf[n/2:n/2+1]) })
		}
	}
	if fastest == kernel.None {
		return
	}
	out := make([]byte, 0, 200)
	if got := testing.AllocsPerRun(3, func() { SealOnce(out, key, nonce, buf[:90], nonce) }); got != 0 {
		t.Errorf("sealing once: %v allocations", got)
	}
}

// SetIV begins another message.
func TestSetIV(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(51, 51))
		c := newTest(t, random(r, 16), implementation)
		a, b, text := random(r, 16), random(r, 16), random(r, 96)
		for _, m := range []func(iv []byte) cipher.BlockMode{c.NewCBCEncrypter, c.NewCBCDecrypter} {
			got, want := make([]byte, 96), make([]byte, 96)
			x := m(a)
			x.CryptBlocks(got, text)
			setIV(x, b)
			x.CryptBlocks(got, text)
			m(b).CryptBlocks(want, text)
			if !bytes.Equal(got, want) || x.BlockSize() != BlockSize {
				t.Error("another IV, another message: wrong")
			}
		}
	})
}

// A cipher is at most 1 KiB until it needs more, and GCM a further object of less.
func TestSizes(t *testing.T) {
	if n := unsafe.Sizeof(Cipher{}); n > 512 {
		t.Errorf("a Cipher has %d bytes", n)
	}
	if n := unsafe.Sizeof(gcm{}); n > 512 {
		t.Errorf("a GCM has %d bytes", n)
	}
	if n := unsafe.Sizeof(kernel.Table{}); n > 3200 {
		t.Errorf("a table has %d bytes", n)
	}
}

func TestNoAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools")
	}
	everyImplementation(t, func(t *testing.T, implementation string) {
		c := newTest(t, []byte("sixteen byte key"), implementation)
		iv, buf, out := make([]byte, 16), make([]byte, 5000), make([]byte, 0, 5100)
		enc, dec, ctr := cipher.NewCBCEncrypter(c, iv), cipher.NewCBCDecrypter(c, iv), cipher.NewCTR(c, iv)
		g, _ := cipher.NewGCM(c)
		x, _ := NewXTSWith(append(make([]byte, 31), 1), implementation)
		for _, n := range []int{16, 48, 80, 1024, 2048, 4992} {
			b := buf[:n]
			sealed := g.Seal(nil, iv[:12], b, iv)
			for name, f := range map[string]func(){
				"encrypt":     func() { c.Encrypt(b, b); c.Decrypt(b, b) },
				"ecb":         func() { c.EncryptBlocks(b, b); c.DecryptBlocks(b, b) },
				"cbc encrypt": func() { enc.CryptBlocks(b, b) },
				"cbc decrypt": func() { dec.CryptBlocks(b, b) },
				"ctr":         func() { ctr.XORKeyStream(b, b); ctr.XORKeyStream(b[:5], b[:5]) },
				"gcm seal":    func() { g.Seal(out, iv[:12], b, iv) },
				"gcm open":    func() { g.Open(out, iv[:12], sealed, iv) },
				"xts":         func() { x.EncryptSector(b, b, 7); x.Decrypt(b, b, iv) },
			} {
				if got := testing.AllocsPerRun(3, f); got != 0 {
					t.Errorf("%s of %d bytes: %v allocations", name, n, got)
				}
			}
		}
		if implementation != fallback { // the standard library makes a stream for each
			at := ctr.(*CTR)
			if got := testing.AllocsPerRun(3, func() { at.XORKeyStreamAt(buf, buf, 77) }); got != 0 {
				t.Errorf("ctr at: %v allocations", got)
			}
		}
	})
}

// A new key is one object, and so is GCM. Over the standard library its own come on top.
func TestAllocationsOfKeys(t *testing.T) {
	for _, implementation := range Implementations() {
		if implementation == fallback {
			continue
		}
		key := append(make([]byte, 31), 1)
		c := newTest(t, key, implementation)
		for name, f := range map[string]func(){
			"New":    func() { New(key) },
			"NewXTS": func() { NewXTS(key) },
			"NewGCM": func() { cipher.NewGCM(c) },
			"NewCTR": func() { cipher.NewCTR(c, key[:16]) },
			"NewCBC": func() { cipher.NewCBCDecrypter(c, key[:16]) },
		} {
			if got := testing.AllocsPerRun(10, f); got > 1 {
				t.Errorf("%s: %v allocations, want 1", name, got)
			}
		}
	}
}

// One cipher serves many goroutines, from the first call on, which makes tables.
func TestConcurrent(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		nonce, plain := make([]byte, 12), bytes.Repeat([]byte("data"), 1000)
		reference := newGCM(newTest(t, []byte("sixteen byte key"), fallback))
		sealed := reference.Seal(nil, nonce, plain, nil)
		short := reference.Seal(nil, nonce, plain[:500], nil)
		for range 20 {
			c := newTest(t, []byte("sixteen byte key"), implementation)
			g := newGCM(c)
			x, _ := NewXTSWith(append(make([]byte, 31), 1), implementation)
			stream := c.NewCTR(make([]byte, 16)).(*CTR)
			unit, want := make([]byte, len(plain)), make([]byte, len(plain))
			x.EncryptSector(unit, plain, 3)
			stream.XORKeyStreamAt(want, plain, 5)
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					if !bytes.Equal(g.Seal(nil, nonce, plain, nil), sealed) || !bytes.Equal(g.Seal(nil, nonce, plain[:500], nil), short) {
						t.Error("sealed otherwise beside other goroutines")
					}
					if back, err := g.Open(nil, nonce, sealed, nil); err != nil || !bytes.Equal(back, plain) {
						t.Error("opened otherwise beside other goroutines")
					}
					back := make([]byte, len(unit))
					x.DecryptSector(back, unit, 3)
					c.EncryptBlocks(back, back)
					c.DecryptBlocks(back, back)
					if !bytes.Equal(back, plain) {
						t.Error("came back otherwise beside other goroutines")
					}
					stream.XORKeyStreamAt(back, plain, 5)
					if !bytes.Equal(back, want) {
						t.Error("streamed otherwise beside other goroutines")
					}
				})
			}
			wg.Wait()
		}
	})
}
