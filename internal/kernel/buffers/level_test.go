package buffers

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// What one look takes for apart is apart by a comparison of each buffer with each, and streams that lie in order, their IVs
// and keys between them, before them or in any order elsewhere, are taken for that.
func TestLevelOf(t *testing.T) {
	type keyed struct {
		key []byte
		Stream
	}
	r := rand.New(rand.NewPCG(73, 73))
	taken, overlapped := 0, 0
	for round := range 40_000 {
		const room = 128
		n := 1 + r.IntN(6)
		arena := make([]byte, n*room+room)
		others, inPlace := arena, r.IntN(2) == 0
		if r.IntN(2) == 0 {
			others = make([]byte, len(arena))
		}
		streams := make([]keyed, n)
		for i, other := range r.Perm(n) {
			if r.IntN(2) == 0 {
				other = i
			}
			own := arena[room*i:][:room]
			s := keyed{others[room*i:][:16], Stream{others[room*other+16:][:16], own[32:64], own[80:112]}}
			if inPlace {
				s.Src = s.Dst
			}
			streams[i] = s
		}
		disturbed := r.IntN(2) == 0
		if disturbed {
			s := &streams[r.IntN(n)]
			b := []*[]byte{&s.key, &s.IV, &s.Dst, &s.Src}[r.IntN(4)]
			*b = arena[r.IntN(len(arena)-32):][:len(*b)]
		}
		written, level := LevelOf(&streams[0].Stream, unsafe.Sizeof(streams[0]), n)
		var keys Hull
		for _, s := range streams {
			keys = keys.With(s.key)
		}
		level = level && written.Misses(keys, func(i int) []byte { return streams[i].key })
		overlaps := false
		for i, a := range streams {
			overlaps = overlaps || InexactOverlap(a.Dst, a.Src)
			for j, b := range streams {
				overlaps = overlaps || AnyOverlap(a.Dst, b.key) || AnyOverlap(a.Dst, b.IV) ||
					i != j && (AnyOverlap(a.Dst, b.Dst) || AnyOverlap(a.Dst, b.Src))
			}
		}
		switch {
		case level && overlaps:
			t.Fatalf("round %d: %d streams that overlap are taken for apart", round, n)
		case !level && !disturbed:
			t.Fatalf("round %d: %d streams in order are not taken for apart", round, n)
		case level:
			taken++
		case overlaps:
			overlapped++
		}
	}
	if taken < 5000 || overlapped < 5000 {
		t.Errorf("%d taken for apart and %d that overlap", taken, overlapped)
	}
}

// Lengths that CBC doesn't take are none that streams have in common.
func TestLevelOfLengths(t *testing.T) {
	b := func(n int) []byte { return make([]byte, n) }
	for name, s := range map[string][2]Stream{
		"an empty text":       {{b(16), nil, nil}, {b(16), nil, nil}},
		"half a block":        {{b(16), b(24), b(24)}, {b(16), b(24), b(24)}},
		"two lengths":         {{b(16), b(32), b(32)}, {b(16), b(48), b(48)}},
		"an output too short": {{b(16), b(32), b(32)}, {b(16), b(31), b(32)}},
		"an IV too short":     {{b(16), b(32), b(32)}, {b(15), b(32), b(32)}},
	} {
		for n := 1; n <= 2; n++ {
			_, level := LevelOf(&s[0], unsafe.Sizeof(s[0]), n)
			if one := name != "an empty text" && name != "half a block" && n == 1; level != one {
				t.Errorf("%d streams, %s: level %t", n, name, level)
			}
		}
	}
}
