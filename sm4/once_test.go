package sm4

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"math/rand/v2"
	"testing"

	gmsm "github.com/emmansun/gmsm/sm4"
)

// Additional data of every length up to where it is hashed by itself, beside texts at which the fused
// kernels change: in how many powers of the hash key are needed, in how many groups and parts.
func TestAdditionalData(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(51, 51))
		key, nonce := random(r, KeySize), random(r, 12)
		b, _ := gmsm.NewCipher(key)
		want, err := cipher.NewGCM(judge{b})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 16, 17, 48, 63, 64, 96, 97, 112, 113, 240, 241, 496, 752, 928, 944, 960, 976, 992, 1008, 1009, 1264, 1520, 1521, 2048} {
			text := random(r, n)
			for size := range 100 {
				additional := random(r, size)
				sealed := want.Seal(nil, nonce, text, additional)
				got, err := newTest(t, key, implementation).NewGCM(12, 16)
				if err != nil {
					t.Fatal(err)
				}
				if out := got.Seal(nil, nonce, text, additional); !bytes.Equal(out, sealed) {
					t.Fatalf("%d bytes and %d of additional data: wrong", n, size)
				}
				if out, err := got.Open(nil, nonce, sealed, additional); err != nil || !bytes.Equal(out, text) {
					t.Fatalf("%d bytes and %d of additional data: does not open (%v)", n, size, err)
				}
				if out, err := SealOnce(nil, key, nonce, text, additional); err != nil || !bytes.Equal(out, sealed) {
					t.Fatalf("%d bytes and %d of additional data sealed once: wrong (%v)", n, size, err)
				}
				if out, err := OpenOnce(nil, key, nonce, sealed, additional); err != nil || !bytes.Equal(out, text) {
					t.Fatalf("%d bytes and %d of additional data: does not open once (%v)", n, size, err)
				}
			}
		}
	})
}

// What isn't authentic is neither opened nor written, at every length that a fused kernel takes; every bit of
// the tag counts.
func TestForgeriesOfEveryLength(t *testing.T) {
	r := rand.New(rand.NewPCG(52, 52))
	key, nonce := random(r, KeySize), random(r, 12)
	a, err := newTest(t, key, Implementations()[0]).NewGCM(12, 16)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 1600 {
		bad := a.Seal(nil, nonce, random(r, n), nil)
		bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
		dst := random(r, n)
		before := bytes.Clone(dst)
		_, kept := a.Open(dst[:0], nonce, bad, nil)
		_, once := OpenOnce(dst[:0], key, nonce, bad, nil)
		if kept == nil || once == nil || !bytes.Equal(dst, before) {
			t.Fatalf("%d bytes: a forgery was opened or written (%v, %v)", n, kept, once)
		}
	}
	sealed := a.Seal(nil, nonce, make([]byte, 40), nil)
	for bit := range 128 {
		bad := bytes.Clone(sealed)
		bad[40+bit/8] ^= 1 << (bit % 8)
		_, kept := a.Open(nil, nonce, bad, nil)
		if _, once := OpenOnce(nil, key, nonce, bad, nil); kept == nil || once == nil {
			t.Fatalf("bit %d of the tag does not count", bit)
		}
	}
}

func TestOnceIsMisused(t *testing.T) {
	buf, nonce := make([]byte, 200), make([]byte, 12)
	for n := range 40 {
		if n == KeySize {
			continue
		}
		want := KeySizeError(n)
		if _, err := SealOnce(nil, buf[:n], nonce, nil, nil); !errors.Is(err, want) {
			t.Errorf("sealed with a key of %d bytes: %v", n, err)
		}
		if _, err := OpenOnce(nil, buf[:n], nonce, buf[:40], nil); !errors.Is(err, want) {
			t.Errorf("opened with a key of %d bytes: %v", n, err)
		}
	}
	key := make([]byte, KeySize)
	for n := range 16 {
		if _, err := OpenOnce(nil, key, nonce, buf[:n], nil); !errors.Is(err, errOpen) {
			t.Errorf("opened %d bytes: %v", n, err)
		}
	}
	for _, n := range []int{10, 150} {
		text := buf[:n]
		const wrongNonce = "crypto/cipher: incorrect nonce length given to GCM"
		mustPanic(t, "nonce", wrongNonce, func() { SealOnce(nil, key, nonce[:11], text, nil) })
		mustPanic(t, "nonce", wrongNonce, func() { OpenOnce(nil, key, append(nonce, 0), append(text, buf[:16]...), nil) })
		const overlap = "crypto/cipher: invalid buffer overlap of output and "
		mustPanic(t, "input", overlap+"input", func() { SealOnce(buf[:1], key, nonce, text, nil) })
		mustPanic(t, "additional", overlap+"additional data", func() { SealOnce(buf[:0], key, nonce, make([]byte, n), buf[n:n+5]) })
		mustPanic(t, "input", overlap+"input", func() { OpenOnce(buf[:1], key, nonce, buf[:n+16], nil) })
	}
}

// What is made for a key is one object each, and a message under a key that is used once takes none.
func TestAllocationsOfModes(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		if implementation == fallback {
			t.Skip("gmsm makes objects of its own")
		}
		c := newTest(t, make([]byte, KeySize), implementation)
		iv := make([]byte, BlockSize)
		for name, f := range map[string]func(){
			"NewCTR":          func() { c.NewCTR(iv) },
			"NewGCM":          func() { c.NewGCM(12, 16) },
			"NewCBCEncrypter": func() { c.NewCBCEncrypter(iv) },
			"NewCBCDecrypter": func() { c.NewCBCDecrypter(iv) },
		} {
			if got := testing.AllocsPerRun(10, f); got > 1 {
				t.Errorf("%s: %v allocations", name, got)
			}
		}
		if !fastest.Fused() {
			return
		}
		out := make([]byte, 0, 200)
		sealed, _ := SealOnce(nil, iv, iv[:12], out[:64], nil)
		if got := testing.AllocsPerRun(10, func() {
			SealOnce(out, iv, iv[:12], out[100:164], nil)
			OpenOnce(out, iv, iv[:12], sealed, nil)
		}); got > 0 {
			t.Errorf("a key that is used once: %v allocations", got)
		}
	})
}
