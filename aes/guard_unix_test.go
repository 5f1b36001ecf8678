//go:build unix

package aes

import (
	"bytes"
	"crypto/cipher"
	"math/rand/v2"
	"testing"

	"golang.org/x/sys/unix"
)

// A guarded is memory between two pages that can't be touched.
type guarded struct{ all, inner []byte }

func newGuarded(t *testing.T, n int) guarded {
	t.Helper()
	page := unix.Getpagesize()
	size := (n + page - 1) &^ (page - 1)
	all, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(all) })
	for _, edge := range [][]byte{all[:page], all[page+size:]} {
		if err := unix.Mprotect(edge, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return guarded{all, all[page : page+size]}
}

// last and first are n bytes at the end and at the beginning.
func (g guarded) last(n int) []byte  { return g.inner[len(g.inner)-n:] }
func (g guarded) first(n int) []byte { return g.inner[:n:n] }

// Buffers that end, and that begin, where memory ends: a load or a store too wide is a fault.
func TestGuardPages(t *testing.T) {
	eachOperation(t, func(t *testing.T, implementation string, o operation) {
		r := rand.New(rand.NewPCG(5, 5))
		from, to := newGuarded(t, 1<<14), newGuarded(t, 1<<16+32)
		lengths := boundaries(8192 + 17)
		for n := range 300 {
			lengths = append(lengths, n)
		}
		for _, n := range lengths {
			if !o.takes(n) {
				continue
			}
			in, want := o.expect(t, r, n, 29)
			src := in.src
			c := newTest(t, in.key, implementation)
			for _, place := range []func(guarded, int) []byte{guarded.last, guarded.first} {
				in.src = place(from, len(src))
				copy(in.src, src)
				dst := place(to, len(want))
				if err := o.run(c, in, dst); err != nil || !bytes.Equal(dst, want) {
					t.Fatalf("%d bytes: wrong (%v)", n, err)
				}
			}
		}
	})
}

// The same for keys, IVs, additional data and single blocks.
func TestGuardPagesOfSmallThings(t *testing.T) {
	eachOperation(t, func(t *testing.T, implementation string, o operation) {
		r := rand.New(rand.NewPCG(6, 6))
		key, iv, additional := newGuarded(t, 64), newGuarded(t, 16), newGuarded(t, 4096)
		for n := range 200 {
			in, want := o.expect(t, r, 96, n)
			copy(key.last(len(in.key)), in.key)
			copy(iv.last(16), in.iv)
			copy(additional.last(n), in.additional)
			in.key, in.iv, in.additional = key.last(len(in.key)), iv.last(16), additional.last(n)
			got := make([]byte, len(want))
			if err := o.run(newTest(t, in.key, implementation), in, got); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d bytes of additional data: wrong (%v)", n, err)
			}
		}
	})
}

// The same for pieces of a stream, whose key stream is there already.
func TestGuardPagesOfPieces(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(36, 36))
		from, to := newGuarded(t, 512), newGuarded(t, 512)
		key, iv := random(r, 16), random(r, BlockSize)
		long := make([]byte, 1<<20)
		cipher.NewCTR(newTest(t, key, fallback), iv).XORKeyStream(long, long)
		for _, place := range []func(guarded, int) []byte{guarded.last, guarded.first} {
			stream, at := cipher.NewCTR(newTest(t, key, implementation), iv), 0
			for n := range 400 {
				for range 3 {
					src, dst := place(from, n), place(to, n)
					copy(src, random(r, n))
					stream.XORKeyStream(dst, src)
					for i := range dst {
						if dst[i] != src[i]^long[at+i] {
							t.Fatalf("a piece of %d bytes: byte %d is wrong", n, i)
						}
					}
					at += n
				}
			}
		}
	})
}

// The same for tags shorter than a block.
func TestGuardPagesOfTags(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		if implementation == fallback {
			return // see shortTagsOverrun
		}
		r := rand.New(rand.NewPCG(34, 34))
		c := newTest(t, random(r, 32), implementation)
		from, to := newGuarded(t, 4096), newGuarded(t, 4096)
		nonce := random(r, 12)
		for tag := 12; tag <= 16; tag++ {
			a, err := cipher.NewGCMWithTagSize(c, tag)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range append(boundaries(4096-16), 1, 2, 3, 4, 5, 20, 33, 145, 1010, 2047, 2050) {
				if n+tag > 4096 {
					continue
				}
				plain, sealed := from.last(n), to.last(n+tag)
				copy(plain, random(r, n))
				want := bytes.Clone(plain)
				a.Seal(sealed[:0], nonce, plain, nil)
				copy(from.last(n+tag), sealed)
				if _, err := a.Open(to.last(n)[:0], nonce, from.last(n+tag), nil); err != nil || !bytes.Equal(to.last(n), want) {
					t.Fatalf("%d bytes and a tag of %d: wrong (%v)", n, tag, err)
				}
			}
		}
	})
}
