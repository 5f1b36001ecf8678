package yardstick

import "testing"

// TestSame: the work is the same each time, differs with its length, and a step
// more changes its end, so none can be left out.
func TestSame(t *testing.T) {
	var table Table
	for name, walk := range map[string]func(uint64) uint64{"wide": Wide, "loads": table.Loads} {
		seen := map[uint64]uint64{}
		for steps := uint64(0); steps < 3000; steps++ {
			end := walk(steps)
			if other, there := seen[end]; there {
				t.Fatalf("%s: %d and %d steps end alike", name, other, steps)
			}
			seen[end] = steps
			if again := walk(steps); again != end {
				t.Fatalf("%s: %d steps end at %x and then at %x", name, steps, end, again)
			}
		}
	}
}

func TestWideIsXorshift(t *testing.T) {
	// The first step from 1 by hand: 1^1<<13 = 0x2001, ^>>7 = 0x2041, ^<<17.
	x := uint64(0x2001)
	x ^= x >> 7
	x ^= x << 17
	if x != 0x40822041 {
		t.Fatalf("%x", x)
	}
	want := uint64(0)
	for lane := uint64(1); lane <= 8; lane++ {
		y := lane
		y ^= y << 13
		y ^= y >> 7
		y ^= y << 17
		want ^= y
	}
	if got := Wide(1); got != want {
		t.Errorf("%x, want %x", got, want)
	}
}

func BenchmarkWide(b *testing.B) {
	for b.Loop() {
		Wide(1 << 12)
	}
}

func BenchmarkLoads(b *testing.B) {
	var table Table
	for b.Loop() {
		table.Loads(1 << 12)
	}
}
