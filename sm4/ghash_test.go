package sm4

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

func (e fieldElement) bytes() (b [BlockSize]byte) {
	binary.BigEndian.PutUint64(b[:], e.high)
	binary.BigEndian.PutUint64(b[8:], e.low)
	return b
}

// Products by integer multiplication against those bit by bit, with all bits set as well: sums that carry
// into the next column would show.
func TestFieldProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 31))
	const all, fourth = ^uint64(0), everyFourth << 3
	elements := []fieldElement{{}, {1 << 63, 0}, {0, 1}, {all, all}, {everyFourth, everyFourth}, {fourth, fourth}}
	for i := range 128 {
		if i < 64 {
			elements = append(elements, fieldElement{0, 1 << i})
		} else {
			elements = append(elements, fieldElement{1 << (i - 64), 0})
		}
		elements = append(elements, fieldElement{r.Uint64(), r.Uint64()})
	}
	for _, a := range elements {
		m := newMultiplier(a)
		for _, b := range elements {
			if got, want := m.times(b).bytes(), multiply(a.bytes(), b.bytes()); got != want {
				t.Fatalf("%x · %x = %x, want %x", a.bytes(), b.bytes(), got, want)
			}
		}
	}
}

// Any cut of the data into calls gives the same hash, which is that of SP 800-38D, algorithm 2.
func TestPortableGHASH(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 32))
	c := newTest(t, random(r, KeySize), fallback)
	var h [BlockSize]byte
	c.Encrypt(h[:], h[:])
	for _, n := range []int{0, 1, 16, 31, 255, 256, 257, 272, 1000, 1024, 4096, 16384, 20000, 33000} {
		data := random(r, n)
		var want [BlockSize]byte
		for rest := data; len(rest) > 0; rest = rest[min(len(rest), BlockSize):] {
			for i, b := range rest[:min(len(rest), BlockSize)] {
				want[i] ^= b
			}
			want = multiply(want, h)
		}
		for _, cut := range []int{n, n / 2 &^ 15, min(n, 16), min(n, 336)} {
			g := &ghash{c: c}
			var acc kernel.Hash
			g.update(&acc, data[:cut])
			if cut%BlockSize == 0 || cut == n {
				g.update(&acc, data[cut:])
			}
			if got := acc.Sum(); got != want {
				t.Fatalf("%d bytes cut at %d: %x, want %x", n, cut, got, want)
			}
		}
		if len(data) >= BlockSize {
			continue
		}
		var padded, short kernel.Hash
		g := &ghash{c: c}
		g.update(&short, data)
		if n > 0 {
			g.update(&padded, append(bytes.Clone(data), make([]byte, BlockSize-n)...))
		}
		if padded != short {
			t.Fatalf("%d bytes: not padded with zeros", n)
		}
	}
}
