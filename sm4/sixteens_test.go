package sm4

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Every message is done once, by itself or in a group of at most sixteen, and no group has one that should have gone
// before.
func TestSorter(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 73))
	var s sorter
	for n := range 200 {
		s.reset()
		sizes := make([]int, n)
		for i := range sizes {
			sizes[i] = r.IntN(1 << r.IntN(13))
			s.add(i, sizes[i])
		}
		var done []int
		last := laneMost
		s.each(rawCost, func(i int) { done = append(done, i) }, func(group []uint32) {
			if len(group) == 0 || len(group) > 16 {
				t.Fatalf("a group of %d", len(group))
			}
			for _, i := range group {
				if of := (sizes[i] + laneUnit - 1) / laneUnit * laneUnit; of > last {
					t.Fatalf("%d bytes after a group of up to %d", sizes[i], last)
				} else {
					last = of
				}
				done = append(done, int(i))
			}
		})
		slices.Sort(done)
		for i, of := range done {
			if i != of {
				t.Fatalf("of %d messages: %v", n, done)
			}
		}
		if len(done) != n {
			t.Fatalf("%d messages of %d", len(done), n)
		}
	}
}

// Few messages, and those that are much longer than others, are done by themselves.
func TestLaneCost(t *testing.T) {
	for _, tt := range []struct {
		steps []uint8
		alone int
	}{
		{slices.Repeat([]uint8{1}, 16), 0},
		{slices.Repeat([]uint8{20}, 16), 0},
		{slices.Repeat([]uint8{1}, 40), 0},
		{[]uint8{1}, 1},
		{[]uint8{1, 1, 1}, 3},
		{append([]uint8{60}, slices.Repeat([]uint8{1}, 15)...), 1},
		{append([]uint8{60, 60}, slices.Repeat([]uint8{1}, 15)...), 2},
		{append([]uint8{3, 2}, slices.Repeat([]uint8{1}, 15)...), 0},
	} {
		if got := rawCost.alone(tt.steps); got != tt.alone {
			t.Errorf("steps %v: %d alone, want %d", tt.steps, got, tt.alone)
		}
	}
}
