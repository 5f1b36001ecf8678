package sm4

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// eachOperation runs a test for every implementation and operation, by name.
func eachOperation(t *testing.T, f func(t *testing.T, implementation string, o operation)) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		for _, o := range operations {
			t.Run(o.name, func(t *testing.T) {
				t.Parallel()
				f(t, implementation, o)
			})
		}
	})
}

func TestEveryLength(t *testing.T) {
	eachOperation(t, func(t *testing.T, implementation string, o operation) {
		r := rand.New(rand.NewPCG(1, 1))
		for _, n := range everyLengthTo(4096) {
			if !o.takes(n) {
				continue
			}
			in, want := o.expect(t, r, n, n%70)
			c := newTest(t, in.key, implementation)
			// What lies before and behind must stay.
			const margin = 64
			arena := random(r, margin+len(want)+margin)
			around := bytes.Clone(arena)
			dst := arena[margin : margin+len(want) : margin+len(want)]
			if err := o.run(c, in, dst); err != nil {
				t.Fatalf("%d bytes: %v", n, err)
			}
			if !bytes.Equal(dst, want) {
				t.Fatalf("%d bytes: wrong", n)
			}
			copy(around[margin:], want)
			if !bytes.Equal(arena, around) {
				t.Fatalf("%d bytes: wrote outside dst", n)
			}
		}
	})
}

func TestInPlace(t *testing.T) {
	eachOperation(t, func(t *testing.T, implementation string, o operation) {
		r := rand.New(rand.NewPCG(2, 2))
		most := 4 * 2048
		if testing.Short() {
			most = 1024
		}
		for _, n := range boundaries(most) {
			if !o.takes(n) {
				continue
			}
			in, want := o.expect(t, r, n, 13)
			src, dst := o.lengths(n)
			buf := make([]byte, max(src, dst))
			copy(buf, in.src)
			in.src = buf[:src]
			if err := o.run(newTest(t, in.key, implementation), in, buf[:dst]); err != nil {
				t.Fatalf("%d bytes: %v", n, err)
			}
			if !bytes.Equal(buf[:dst], want) {
				t.Fatalf("%d bytes in place: wrong", n)
			}
		}
	})
}

// everyLengthTo are the lengths to most, and in short those around which a kernel changes, and the shortest.
func everyLengthTo(most int) []int {
	shortest := most + 1
	var lengths []int
	if testing.Short() {
		shortest, lengths = 150, boundaries(most)
	}
	for n := range shortest {
		lengths = append(lengths, n)
	}
	return lengths
}

// boundaries are the lengths around those where a kernel changes, up to most.
func boundaries(most int) (ns []int) {
	for _, at := range []int{0, 16, 48, 64, 128, 240, 256, 512, 1008, 1024, 2032, 2048, 3072, 4096, 6144, 8192, 32768, 36864, 65536} {
		for _, n := range []int{at - 17, at - 16, at - 1, at, at + 1, at + 15, at + 16, at + 17} {
			if n >= 0 && n <= most {
				ns = append(ns, n)
			}
		}
	}
	return ns
}

func TestOffsets(t *testing.T) {
	eachOperation(t, func(t *testing.T, implementation string, o operation) {
		r := rand.New(rand.NewPCG(3, 3))
		for _, n := range []int{16, 80, 272, 528, 1040, 2064, 4128} {
			in, want := o.expect(t, r, n, 13)
			c := newTest(t, in.key, implementation)
			from, to := make([]byte, len(in.src)+64), make([]byte, len(want)+64)
			src := in.src
			for offset := range 64 {
				in.src = from[offset:][:len(src)]
				copy(in.src, src)
				dst := to[(7*offset)%64:][:len(want)]
				if err := o.run(c, in, dst); err != nil || !bytes.Equal(dst, want) {
					t.Fatalf("%d bytes, offset %d: wrong (%v)", n, offset, err)
				}
			}
		}
	})
}

// Calls into assembly are cut at 32 KiB: above that the pieces must fit together.
func TestLong(t *testing.T) {
	eachOperation(t, func(t *testing.T, implementation string, o operation) {
		r := rand.New(rand.NewPCG(4, 4))
		lengths := []int{34816, 32768, 32784, 65536 + 3072, 100_000}
		if testing.Short() {
			lengths = lengths[:1]
		}
		for _, n := range lengths {
			in, want := o.expect(t, r, n, 40_000)
			got := make([]byte, len(want))
			if err := o.run(newTest(t, in.key, implementation), in, got); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d bytes: wrong (%v)", n, err)
			}
		}
	})
}
