//go:build unix

package sm4

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
		from, to := newGuarded(t, 1<<16+32), newGuarded(t, 1<<16+32)
		lengths := append(everyLengthTo(300), boundaries(36864+17)...)
		if testing.Short() {
			lengths = boundaries(2048)
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
		key, iv, additional := newGuarded(t, 16), newGuarded(t, 16), newGuarded(t, 4096)
		for n := range 200 {
			in, want := o.expect(t, r, 96, n)
			copy(key.last(16), in.key)
			copy(iv.last(16), in.iv)
			copy(additional.last(n), in.additional)
			in.key, in.iv, in.additional = key.last(16), iv.last(16), additional.last(n)
			got := make([]byte, len(want))
			if err := o.run(newTest(t, in.key, implementation), in, got); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d bytes of additional data: wrong (%v)", n, err)
			}
		}
	})
}

// The same for tags shorter than a block.
func TestGuardPagesOfTags(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(34, 34))
		c := newTest(t, random(r, KeySize), implementation)
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

func TestGuardPagesOfStreams(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(7, 7))
		for _, n := range []int{3, 16, 40, 64} {
			for _, keys := range []int{1, n} {
				streams, want := streamSet(t, r, implementation, n, 12, keys)
				for i := range streams {
					s := &streams[i]
					from, to := newGuarded(t, len(s.Src)), newGuarded(t, len(s.Src))
					copy(from.last(len(s.Src)), s.Src)
					s.Dst, s.Src = to.last(len(s.Src)), from.last(len(s.Src))
				}
				EncryptCBC(streams)
				for i, s := range streams {
					if !bytes.Equal(s.Dst, want[i]) {
						t.Fatalf("stream %d of %d: wrong", i, n)
					}
				}
			}
		}
	})
}

// The same for many messages: every buffer of each ends, or begins, where memory does.
func TestGuardPagesOfMany(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		k := testKernel(t, implementation)
		r := rand.New(rand.NewPCG(72, 72))
		const n = 20
		var from, to, small [n]guarded
		for i := range n {
			from[i], to[i], small[i] = newGuarded(t, 4096), newGuarded(t, 4096), newGuarded(t, 4096)
		}
		for round := range 60 {
			s := newManySet(t, r, implementation, n, keying(round)%keyings, func(i int) int { return (round*i + i) % 500 }, func(i int) int { return round * i % 100 })
			place := guarded.last
			if round%2 == 1 {
				place = guarded.first
			}
			moved := func(g guarded, b []byte) []byte {
				p := place(g, len(b))
				copy(p, b)
				return p
			}
			opened, _ := s.toOpen()
			for i := range s.gcm {
				m, o, x := &s.gcm[i], &opened[i], &s.ctr[i]
				o.AdditionalData, o.Src, o.Dst = bytes.Clone(m.AdditionalData), bytes.Clone(s.sealed[i]), make([]byte, len(m.Src))
				m.Src, m.Dst = moved(from[i], m.Src), place(to[i], len(m.Dst))
				m.AdditionalData = moved(small[i], m.AdditionalData)
				x.Src, x.Dst = m.Src, m.Dst[:len(m.Src)]
			}
			xorKeyStreamMany(s.ctr, k)
			for i, x := range s.ctr {
				if !bytes.Equal(x.Dst, s.stream[i]) {
					t.Fatalf("message %d, %d bytes: the key stream is wrong", i, len(x.Src))
				}
			}
			sealMany(s.gcm, k)
			for i, m := range s.gcm {
				if !bytes.Equal(m.Dst, s.sealed[i]) {
					t.Fatalf("message %d, %d bytes: sealed wrong", i, len(m.Src))
				}
			}
			for i := range opened {
				o, m := &opened[i], &s.gcm[i]
				o.Src, o.Dst, o.AdditionalData = m.Dst, place(from[i], len(m.Src)), m.AdditionalData
			}
			if err := openMany(opened, k); err != nil {
				t.Fatal(err)
			}
		}
	})
}
