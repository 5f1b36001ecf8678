package chain

import (
	"runtime"
	"testing"
)

// implementations are all that this build holds; the generic one is in every build.
var implementations = []struct {
	name     string
	add, mul func(a, b, turns uint64) (uint64, uint64)
}{
	{Implementation, add, mul},
	{"generic", addGeneric, mulGeneric},
}

// walk is the chain as the package comment defines it, one step a turn.
func walk(steps uint64, a, b uint64, op func(x, y uint64) uint64) (uint64, uint64) {
	for i := range steps {
		if i%2 == 0 {
			a = op(a, b)
		} else {
			b = op(b, a)
		}
	}
	return a, b
}

func sum(x, y uint64) uint64     { return x + y }
func product(x, y uint64) uint64 { return x * y }

func TestImplementations(t *testing.T) {
	for _, im := range implementations {
		t.Run(im.name, func(t *testing.T) {
			for _, turns := range []uint64{1, 2, 3, 7, 1000} {
				for _, start := range [][2]uint64{{1, 3}, {0, 0}, {1<<64 - 1, 1<<63 + 5}, {0x9e3779b97f4a7c15, 7}} {
					a, b := im.add(start[0], start[1], turns)
					if wa, wb := walk(turns*Unroll, start[0], start[1], sum); a != wa || b != wb {
						t.Errorf("add%v ×%d = %#x %#x, want %#x %#x", start, turns, a, b, wa, wb)
					}
					a, b = im.mul(start[0], start[1], turns)
					if wa, wb := walk(turns*Unroll, start[0], start[1], product); a != wa || b != wb {
						t.Errorf("mul%v ×%d = %#x %#x, want %#x %#x", start, turns, a, b, wa, wb)
					}
				}
			}
		})
	}
}

func TestPass(t *testing.T) {
	for _, x := range []uint64{0, 1, 1<<64 - 1} {
		if got := Pass(x); got != x {
			t.Errorf("Pass(%d) = %d", x, got)
		}
	}
}

func TestRoundsUp(t *testing.T) {
	const call = callTurns * Unroll
	for _, steps := range []uint64{0, 1, Unroll - 1, Unroll, Unroll + 1, 10 * Unroll, call - 1, call, call + 1, 2*call + 1} {
		rounded := turnsOf(steps) * Unroll
		if rounded < steps || rounded-steps >= Unroll {
			t.Fatalf("%d steps become %d", steps, rounded)
		}
		a, b := walk(rounded, startA, startB, sum)
		if got := Add(steps); got != a^b {
			t.Errorf("Add(%d) = %#x, want %#x", steps, got, a^b)
		}
		a, b = walk(rounded, startA, startB, product)
		if got := Mul(steps); got != a^b {
			t.Errorf("Mul(%d) = %#x, want %#x", steps, got, a^b)
		}
	}
	if got := turnsOf(1<<64 - 1); got != 1<<64/Unroll {
		t.Errorf("the largest number of steps takes %d turns", got)
	}
}

// TestAssembly keeps a build tag from dropping a kernel unseen.
func TestAssembly(t *testing.T) {
	must := !purego && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64")
	if must != (Implementation == "assembly") {
		t.Errorf("%s with purego=%v runs %q", runtime.GOARCH, purego, Implementation)
	}
}

func BenchmarkAdd(b *testing.B) {
	for b.Loop() {
		Add(1 << 16)
	}
}

func BenchmarkMul(b *testing.B) {
	for b.Loop() {
		Mul(1 << 16)
	}
}
