package aes

import (
	"bytes"
	"crypto/cipher"
	"math/rand/v2"
	"sync"
	"testing"

	gmcipher "github.com/emmansun/gmsm/cipher"
)

func newCCM(t testing.TB, c *Cipher, nonceSize, tagSize int) cipher.AEAD {
	t.Helper()
	a, err := c.NewCCM(nonceSize, tagSize)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// SP 800-38C, appendix C: examples 1 to 3, and 4 with its 65536 bytes of additional data.
func TestCCMExamples(t *testing.T) {
	header := make([]byte, 65536)
	for i := range header {
		header[i] = byte(i)
	}
	for _, v := range []struct {
		nonce, additional []byte
		plain, sealed     string
	}{
		{header[16:23], header[:8], "20212223", "7162015b4dac255d"},
		{header[16:24], header[:16], "202122232425262728292a2b2c2d2e2f", "d2a1f0e051ea5f62081a7792073d593d1fc64fbfaccd"},
		{header[16:28], header[:20], "202122232425262728292a2b2c2d2e2f3031323334353637",
			"e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951"},
		{header[16:29], header, "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
			"69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72b4ac6bec93e8598e7f0dadbcea5b"},
	} {
		everyImplementation(t, func(t *testing.T, implementation string) {
			plain, want := unhex(t, v.plain), unhex(t, v.sealed)
			a := newCCM(t, newTest(t, header[0x40:0x50], implementation), len(v.nonce), len(want)-len(plain))
			if got := a.Seal(nil, v.nonce, plain, v.additional); !bytes.Equal(got, want) {
				t.Errorf("sealed %x, want %x", got, want)
			}
			if back, err := a.Open(nil, v.nonce, want, v.additional); err != nil || !bytes.Equal(back, plain) {
				t.Errorf("opened %x (%v)", back, err)
			}
		})
	}
}

// Every size of nonces and tags, against another implementation, in place, and with nothing written around.
func TestCCMSizes(t *testing.T) {
	eachKey(t, func(t *testing.T, r *rand.Rand, c *Cipher, b cipher.Block) {
		for nonceSize := 0; nonceSize <= 20; nonceSize++ {
			for tag := 0; tag <= 20; tag++ {
				a, err := c.NewCCM(nonceSize, tag)
				valid := nonceSize >= 7 && nonceSize <= 13 && tag >= 4 && tag <= 16 && tag%2 == 0
				if (err == nil) != valid {
					t.Fatalf("nonce of %d and tag of %d bytes: %v", nonceSize, tag, err)
				}
				if !valid {
					continue
				}
				other, err := gmcipher.NewCCMWithNonceAndTagSize(b, nonceSize, tag)
				if err != nil || a.NonceSize() != nonceSize || a.Overhead() != tag {
					t.Fatalf("sizes of %d and %d (%v)", a.NonceSize(), a.Overhead(), err)
				}
				for _, n := range []int{0, 1, 15, 16, 17, 47, 511, 512, 513, 1040, 1600} {
					nonce, additional, plain := random(r, nonceSize), random(r, r.IntN(60)), random(r, n)
					want := other.Seal(nil, nonce, plain, additional)
					arena := append(bytes.Clone(plain), random(r, tag+32)...)
					around := append(bytes.Clone(want), arena[n+tag:]...)
					if a.Seal(arena[:0:n+tag], nonce, arena[:n], additional); !bytes.Equal(arena, around) {
						t.Fatalf("nonce of %d, tag of %d, %d bytes: sealed otherwise in place", nonceSize, tag, n)
					}
					copy(around, plain)
					_, err := a.Open(arena[:0:n], nonce, arena[:n+tag], additional)
					if err != nil || !bytes.Equal(arena[:n], plain) || !bytes.Equal(arena[n:], around[n:]) {
						t.Fatalf("nonce of %d, tag of %d, %d bytes: opened otherwise in place (%v)", nonceSize, tag, n, err)
					}
				}
			}
		}
	})
}

// Additional data of 2^16−2^8 bytes and more have a length of six bytes.
func TestCCMLongHeaders(t *testing.T) {
	eachKey(t, func(t *testing.T, r *rand.Rand, c *Cipher, b cipher.Block) {
		a := newCCM(t, c, 12, 16)
		other, err := gmcipher.NewCCM(b)
		if err != nil {
			t.Fatal(err)
		}
		nonce, plain := random(r, 12), random(r, 40)
		for _, n := range []int{13, 14, 15, 30, 1<<16 - 1<<8 - 1, 1<<16 - 1<<8, 1<<16 - 1<<8 + 1, 1 << 16} {
			additional := random(r, n)
			if !bytes.Equal(a.Seal(nil, nonce, plain, additional), other.Seal(nil, nonce, plain, additional)) {
				t.Errorf("%d bytes of additional data: sealed otherwise", n)
			}
		}
	})
}

// A forgery is refused, and nothing is written to dst.
func TestCCMRefuses(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(63, 63))
		a := newCCM(t, newTest(t, random(r, 32), implementation), 12, 16)
		nonce, additional := random(r, 12), random(r, 20)
		for _, n := range []int{0, 1, 16, 100, 512, 1500} {
			sealed := a.Seal(nil, nonce, random(r, n), additional)
			for at := 0; at < len(sealed); at += 1 + at/16 {
				bad := bytes.Clone(sealed)
				bad[at] ^= 1 << r.IntN(8)
				dst := random(r, n)
				before := bytes.Clone(dst)
				if _, err := a.Open(dst[:0], nonce, bad, additional); err == nil || err.Error() != errOpen.Error() || !bytes.Equal(dst, before) {
					t.Fatalf("%d bytes, byte %d forged: opened, or written to dst (%v)", n, at, err)
				}
			}
			for i := n; i < len(sealed); i++ { // each byte of the tag counts
				bad := bytes.Clone(sealed)
				bad[i] ^= 0x80
				if _, err := a.Open(nil, nonce, bad, additional); err == nil {
					t.Fatalf("%d bytes: byte %d of the tag does not count", n, i-n)
				}
			}
			if _, err := a.Open(nil, nonce, sealed, additional[1:]); err == nil {
				t.Fatalf("%d bytes: opened with other additional data", n)
			}
		}
		for n := range 16 {
			if _, err := a.Open(nil, nonce, make([]byte, n), nil); err == nil {
				t.Fatalf("opened %d bytes", n)
			}
		}
	})
}

// What a nonce of 13 bytes leaves no room for is a panic to seal, and no message to open.
func TestCCMLongest(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		a := newCCM(t, newTest(t, make([]byte, 16), implementation), 13, 8)
		nonce := make([]byte, 13)
		sealed := a.Seal(nil, nonce, make([]byte, 1<<16-1), nil)
		if _, err := a.Open(nil, nonce, sealed, nil); err != nil {
			t.Fatal(err)
		}
		mustPanic(t, "seal", "crypto/cipher: message too large for CCM", func() { a.Seal(nil, nonce, make([]byte, 1<<16), nil) })
		if _, err := a.Open(nil, nonce, make([]byte, 1<<16+8), nil); err == nil {
			t.Error("opened a message that nobody can seal")
		}
	})
}

func TestCCMPanics(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		a := newCCM(t, newTest(t, make([]byte, 16), implementation), 12, 16)
		nonce, buf := make([]byte, 12), make([]byte, 200)
		const io, ad = "crypto/cipher: invalid buffer overlap of output and input", "crypto/cipher: invalid buffer overlap of output and additional data"
		mustPanic(t, "seal", io, func() { a.Seal(buf[1:1], nonce, buf[:64], nil) })
		mustPanic(t, "seal", ad, func() { a.Seal(buf[:0], nonce, buf[:64], buf[70:75]) })
		mustPanic(t, "open", io, func() { a.Open(buf[1:1], nonce, buf[:64], nil) })
		mustPanic(t, "open", ad, func() { a.Open(buf[:0], nonce, buf[100:164], buf[10:12]) })
		const length = "crypto/cipher: incorrect nonce length given to CCM"
		mustPanic(t, "seal", length, func() { a.Seal(nil, nonce[:11], nil, nil) })
		mustPanic(t, "open", length, func() { a.Open(nil, buf[:13], buf[:20], nil) })
	})
}

// A CCM serves many goroutines, without an allocation where a kernel works.
func TestCCMConcurrent(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		a := newCCM(t, newTest(t, make([]byte, 16), implementation), 12, 16)
		nonce, plain := make([]byte, 12), bytes.Repeat([]byte("data"), 500)
		sealed := a.Seal(nil, nonce, plain, nil)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 20 {
					back, err := a.Open(nil, nonce, a.Seal(nil, nonce, plain, nil), nil)
					if err != nil || !bytes.Equal(back, plain) {
						t.Error("came back otherwise beside other goroutines")
					}
				}
			})
		}
		wg.Wait()
		if raceEnabled || implementation == fallback {
			return
		}
		out := make([]byte, 0, 3000)
		for name, f := range map[string]func(){
			"seal": func() { a.Seal(out, nonce, plain, nonce) },
			"open": func() { a.Open(out, nonce, sealed, nil) },
		} {
			if got := testing.AllocsPerRun(3, f); got != 0 {
				t.Errorf("%s: %v allocations", name, got)
			}
		}
	})
}

// gmsm's CCM takes ours where it is given our cipher.
func TestCCMOfGMSM(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		a, err := gmcipher.NewCCMWithNonceAndTagSize(newTest(t, make([]byte, 16), implementation), 11, 10)
		if _, ours := a.(*ccmAEAD); err != nil || !ours {
			t.Errorf("%T (%v)", a, err)
		}
	})
}
