package aes

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"math/rand/v2"
	"testing"
)

// compareGCM seals and opens with both, and in place.
func compareGCM(t *testing.T, ours, std cipher.AEAD, nonce, plain, additional []byte) {
	t.Helper()
	want := std.Seal(nil, nonce, plain, additional)
	if got := ours.Seal(nil, nonce, plain, additional); !bytes.Equal(got, want) {
		t.Fatalf("nonce of %d, %d bytes, %d additional, tag of %d: sealed otherwise",
			len(nonce), len(plain), len(additional), len(want)-len(plain))
	}
	back, err := ours.Open(want[:0], nonce, want, additional)
	if err != nil || !bytes.Equal(back, plain) {
		t.Fatalf("nonce of %d, %d bytes, %d additional: opened otherwise (%v)", len(nonce), len(plain), len(additional), err)
	}
}

// eachKey runs a test for every implementation and length of keys.
func eachKey(t *testing.T, f func(t *testing.T, r *rand.Rand, ours *Cipher, std cipher.Block)) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		for _, n := range []int{16, 24, 32} {
			r := rand.New(rand.NewPCG(61, uint64(n)))
			key := random(r, n)
			std, err := aes.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			f(t, r, newTest(t, key, implementation), std)
		}
	})
}

func TestNonces(t *testing.T) {
	eachKey(t, func(t *testing.T, r *rand.Rand, c *Cipher, b cipher.Block) {
		for n := 1; n <= 64; n++ {
			ours, err := cipher.NewGCMWithNonceSize(c, n)
			if err != nil {
				t.Fatal(err)
			}
			std, _ := cipher.NewGCMWithNonceSize(b, n)
			if ours.NonceSize() != n || ours.Overhead() != 16 {
				t.Fatalf("sizes of %d and %d", ours.NonceSize(), ours.Overhead())
			}
			for _, text := range []int{0, 1, 64, 200, 1100, 1600, 3333} {
				compareGCM(t, ours, std, random(r, n), random(r, text), random(r, r.IntN(40)))
			}
		}
		ours, _ := cipher.NewGCMWithNonceSize(c, 5000)
		std, _ := cipher.NewGCMWithNonceSize(b, 5000)
		compareGCM(t, ours, std, random(r, 5000), random(r, 50), nil)
	})
}

func TestTags(t *testing.T) {
	eachKey(t, func(t *testing.T, r *rand.Rand, c *Cipher, b cipher.Block) {
		std := newGCM(b)
		for tag := 12; tag <= 16; tag++ {
			ours, err := cipher.NewGCMWithTagSize(c, tag)
			if err != nil || ours.Overhead() != tag {
				t.Fatal(err)
			}
			if c.Implementation() == fallback {
				continue // see shortTagsOverrun
			}
			for _, text := range append(boundaries(4100), 2, 3, 20, 33) {
				nonce, plain, additional := random(r, 12), random(r, text), random(r, r.IntN(40))
				want := std.Seal(nil, nonce, plain, additional)[:text+tag]
				arena := random(r, text+tag+32)
				around := append(bytes.Clone(want), arena[text+tag:]...)
				copy(arena, plain)
				if ours.Seal(arena[:0:text+tag], nonce, arena[:text], additional); !bytes.Equal(arena, around) {
					t.Fatalf("%d bytes and a tag of %d: wrong, or wrote beyond it", text, tag)
				}
				copy(around, plain)
				_, err := ours.Open(arena[:0:text], nonce, arena[:text+tag], additional)
				if err != nil || !bytes.Equal(arena, around) {
					t.Fatalf("%d bytes and a tag of %d: opened otherwise, or wrote beyond it (%v)", text, tag, err)
				}
			}
		}
		for _, bad := range [][2]int{{12, 11}, {12, 17}, {0, 16}, {-1, 16}} {
			if _, err := c.NewGCM(bad[0], bad[1]); err == nil {
				t.Errorf("took nonce and tag of %v bytes", bad)
			}
		}
		both, err := c.NewGCM(17, 13)
		if c.Implementation() == fallback {
			if err == nil {
				t.Error("the standard library has no GCM with both")
			}
			return
		}
		long, _ := cipher.NewGCMWithNonceSize(b, 17)
		for _, n := range []int{0, 33, 1500} {
			nonce, plain := random(r, 17), random(r, n)
			if err != nil || !bytes.Equal(both.Seal(nil, nonce, plain, nil), long.Seal(nil, nonce, plain, nil)[:n+13]) {
				t.Errorf("a nonce of 17 and a tag of 13 bytes: wrong (%v)", err)
			}
		}
	})
}

func TestAdditionalData(t *testing.T) {
	eachKey(t, func(t *testing.T, r *rand.Rand, c *Cipher, b cipher.Block) {
		ours, std := newGCM(c), newGCM(b)
		additional := random(r, 70_000)
		var lengths []int
		for n := range 1700 {
			lengths = append(lengths, n)
		}
		for n := 1700; n <= 70_000; n += 1 + r.IntN(900) {
			lengths = append(lengths, n)
		}
		for _, n := range append(lengths, 65_535, 65_536, 65_537, 70_000) {
			compareGCM(t, ours, std, random(r, 12), random(r, r.IntN(2200)), additional[:n])
		}
		// Every pair of short lengths, where one call takes both.
		for text := range 140 {
			for n := range 40 {
				compareGCM(t, ours, std, random(r, 12), random(r, text), additional[:n])
			}
		}
	})
}

// A forgery is refused. Nothing is written to dst then, but for what the standard library does: it may clear dst.
func TestForgeries(t *testing.T) {
	eachKey(t, func(t *testing.T, r *rand.Rand, c *Cipher, _ cipher.Block) {
		for name, a := range map[string]cipher.AEAD{"": newGCM(c), "random nonce ": newRandom(c)} {
			nonce, additional := random(r, a.NonceSize()), random(r, 20)
			for _, n := range []int{0, 1, 15, 16, 64, 100, 1024, 1500, 1600, 3000, 5000} {
				sealed := a.Seal(nil, nonce, random(r, n), additional)
				for i := range 60 {
					bad := bytes.Clone(sealed)
					at := r.IntN(len(bad))
					if i < 16 {
						at = len(bad) - 1 - i // every byte of the tag
					}
					bad[at] ^= 1 << r.IntN(8)
					refused(t, a, nonce, bad, additional, name, c.Implementation())
				}
				refused(t, a, nonce, sealed, additional[1:], name, c.Implementation())
				for short := range a.Overhead() {
					refused(t, a, nonce, sealed[:min(short, len(sealed))], additional, name, c.Implementation())
				}
			}
		}
	})
}

func refused(t *testing.T, a cipher.AEAD, nonce, bad, additional []byte, name, implementation string) {
	t.Helper()
	dst := bytes.Repeat([]byte{0xa5}, len(bad))
	before := bytes.Clone(dst)
	back, err := a.Open(dst[:0], nonce, bad, additional)
	if err == nil || err.Error() != errOpen.Error() || back != nil {
		t.Fatalf("%s%d bytes: opened a forgery, or said %v", name, len(bad), err)
	}
	if implementation == fallback {
		dst = bytes.ReplaceAll(dst, []byte{0}, []byte{0xa5})
	}
	if !bytes.Equal(dst, before) {
		t.Fatalf("%s%d bytes: a forgery was written to dst", name, len(bad))
	}
}

func TestAppends(t *testing.T) {
	eachKey(t, func(t *testing.T, r *rand.Rand, c *Cipher, _ cipher.Block) {
		for _, a := range []cipher.AEAD{newGCM(c), newRandom(c)} {
			nonce, plain, prefix := make([]byte, a.NonceSize()), []byte("the plaintext"), []byte("prefix")
			short := a.Seal(prefix[:6:6], nonce, plain, nil)
			roomy := make([]byte, 6, 100)
			copy(roomy, prefix)
			long := a.Seal(roomy, nonce, plain, nil)
			if len(short) != len(long) || !bytes.HasPrefix(short, prefix) || !bytes.HasPrefix(long, prefix) || &long[0] != &roomy[0] {
				t.Fatal("Seal does not append")
			}
			for _, sealed := range [][]byte{short, long} {
				back, err := a.Open([]byte("prefix"), nonce, sealed[6:], nil)
				if err != nil || string(back) != "prefixthe plaintext" {
					t.Fatalf("Open does not append: %q (%v)", back, err)
				}
			}
		}
	})
}

// What one side seals with a random nonce the other opens, in place too.
func TestRandomNonce(t *testing.T) {
	eachKey(t, func(t *testing.T, r *rand.Rand, c *Cipher, b cipher.Block) {
		ours, std := newRandom(c), newRandom(b)
		if ours.NonceSize() != std.NonceSize() || ours.Overhead() != std.Overhead() {
			t.Fatalf("sizes of %d and %d", ours.NonceSize(), ours.Overhead())
		}
		for _, n := range append(boundaries(5000), 1, 5, 100) {
			plain, additional := random(r, n), random(r, 9)
			for _, sides := range [][2]cipher.AEAD{{ours, std}, {std, ours}} {
				sealed := sides[0].Seal(nil, nil, plain, additional)
				buf := make([]byte, n, n+28)
				copy(buf, plain)
				inPlace := sides[0].Seal(buf[:0], nil, buf, additional)
				if &inPlace[0] != &buf[:1][0] || bytes.Equal(inPlace[:12], sealed[:12]) {
					t.Fatalf("%d bytes: not in place, or the same nonce twice", n)
				}
				for _, text := range [][]byte{sealed, inPlace} {
					if back, err := sides[1].Open(nil, nil, text, additional); err != nil || !bytes.Equal(back, plain) {
						t.Fatalf("%d bytes: opened otherwise (%v)", n, err)
					}
					if back, err := sides[1].Open(text[:0], nil, text, additional); err != nil || !bytes.Equal(back, plain) {
						t.Fatalf("%d bytes in place: opened otherwise (%v)", n, err)
					}
				}
			}
		}
	})
	if _, err := NewGCMWithRandomNonce(struct{ cipher.Block }{}); err == nil {
		t.Error("took a block that is neither of this package nor of crypto/aes")
	}
}
