package check

import (
	"math"
	"math/rand/v2"
	"testing"
)

// samples draws a trial's rounds under stress.
func samples(rnd *rand.Rand, n int, change func(share float64, i int) float64) (ratios, times []float64) {
	for i := range n {
		x := 0.01*rnd.NormFloat64() + math.Log(change(float64(i)/float64(n), i))
		ratios, times = append(ratios, x), append(times, 1e-6*math.Exp(x))
	}
	return ratios, times
}

func TestSteady(t *testing.T) {
	const trials = 50
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct {
		name         string
		change       func(share float64, i int) float64
		slower, tail bool
	}{
		{"steady", func(float64, int) float64 { return 1 }, false, false},
		{"a slow start", func(share float64, _ int) float64 { return 1 + 0.2*math.Max(0, 0.2-share) }, false, false},
		{"10 % slower in the end", func(share float64, _ int) float64 { return 1 + 0.12*share }, true, false},
		{"2 % slower in the end", func(share float64, _ int) float64 { return 1 + 0.02*share }, false, false},
		{"faster in the end", func(share float64, _ int) float64 { return 1.3 - 0.3*share }, false, false},
		{"a tail in the end", func(share float64, i int) float64 {
			if share > 0.75 && i%2 == 0 {
				return 3
			}
			return 1
		}, false, true},
		{"a tail throughout", func(_ float64, i int) float64 {
			if i%5 == 0 {
				return 3
			}
			return 1
		}, false, false},
	} {
		slower, tail := 0, 0
		for range 100 {
			ratios, times := samples(rnd, stressRounds, test.change)
			s := steady(ratios, times, trials)
			if !s.tested {
				t.Fatal("not tested")
			}
			if s.slower {
				slower++
			}
			if s.tail {
				tail++
			}
		}
		if test.slower && slower < 95 || !test.slower && !test.tail && slower > 1 || test.tail && tail < 95 || !test.tail && tail > 1 {
			t.Errorf("%s: slower in %d of 100, a longer tail in %d", test.name, slower, tail)
		}
	}
	if s := steady(make([]float64, 12), make([]float64, 12), 1); s.tested {
		t.Error("12 samples have no quarters")
	}
}

func TestSignTail(t *testing.T) {
	for _, test := range []struct {
		n, k int
		want float64
	}{{1, 1, 0.5}, {2, 2, 0.25}, {10, 10, 1. / 1024}, {10, 0, 1}, {4, 3, 5. / 16}} {
		if got := signTail(test.n, test.k); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%d of %d: %g, want %g", test.k, test.n, got, test.want)
		}
	}
}

func TestGrowth(t *testing.T) {
	const mib = 1 << 20
	for _, test := range []struct {
		name string
		at   func(i int) float64
		n    int
		grew bool
	}{
		{"steady", func(int) float64 { return 30 * mib }, 40, false},
		{"a leak", func(i int) float64 { return float64(30+i) * mib }, 40, true},
		{"a slow leak in a large worker", func(i int) float64 { return float64(800+i/2) * mib }, 40, false},
		{"a step at the start", func(i int) float64 {
			if i == 0 {
				return 10 * mib
			}
			return 60 * mib
		}, 40, false},
		{"a heap that breathes", func(i int) float64 { return float64(30+20*(i%5)) * mib }, 40, false},
		{"too short", func(i int) float64 { return float64(30+20*i) * mib }, 5, false},
	} {
		var reads []float64
		for i := range test.n {
			reads = append(reads, test.at(i))
		}
		if _, _, grew := growth(reads); grew != test.grew {
			t.Errorf("%s: grew %v", test.name, grew)
		}
	}
}
