package stat

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// sweep is messages handed over in calls, with the times of a model; noise is the
// standard deviation of the relative error.
func sweep(t [3]float64, noise float64, r *rand.Rand) (work []Work) {
	for _, bytes := range []float64{1024, 4096, 16384} {
		for _, call := range []float64{64, 256, 1024, 4096, 16384} {
			if call > bytes {
				continue
			}
			w := Work{Calls: bytes / call, Messages: 1, Bytes: bytes}
			w.Seconds = (t[0]*w.Calls + t[1] + t[2]*bytes) * math.Exp(noise*r.NormFloat64())
			work = append(work, w)
		}
	}
	return work
}

func TestFitCost(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, terms := range [][3]float64{{60e-9, 200e-9, 0.3e-9}, {25e-9, 80e-9, 6.4e-9}, {0, 500e-9, 1e-9}, {30e-9, 0, 0.2e-9}} {
		c := FitCost(sweep(terms, 0, r))
		if !c.OK || c.Merged || c.RMS > 1e-6 || !near(c.PerByte, terms[2], 1e-6) ||
			math.Abs(c.PerCall-terms[0]) > 1e-13 || math.Abs(c.PerMessage-terms[1]) > 1e-13 {
			t.Errorf("%v: %+v", terms, c)
		}
		if c := FitCost(sweep(terms, 0.01, r)); !c.OK || !near(c.PerByte, terms[2], 0.05) || c.PerCall < 0 || c.PerMessage < 0 {
			t.Errorf("%v with noise of 1 %%: %+v", terms, c)
		}
	}
}

// TestFitCostIsRobust: a reading that is off by anything is left out and named.
func TestFitCostIsRobust(t *testing.T) {
	terms := [3]float64{60e-9, 200e-9, 0.3e-9}
	for _, factor := range []float64{0.3, 3, 100} {
		work := sweep(terms, 0.002, rand.New(rand.NewPCG(3, 4)))
		work[4].Seconds *= factor
		c := FitCost(work)
		if !c.OK || !near(c.PerByte, terms[2], 0.02) || len(c.Warnings) != 1 || c.Warnings[0].Code != CodeOutlier ||
			!strings.Contains(c.Warnings[0].Text, "4096 bytes in 16 calls") {
			t.Errorf("a reading off by %g: %+v", factor, c)
		}
	}
}

// TestFitCostWhole: where every message is one call, what a call costs is the message's.
func TestFitCostWhole(t *testing.T) {
	var work []Work
	for _, bytes := range []float64{1024, 4096, 16384} {
		work = append(work, Work{1, 1, bytes, 300e-9 + bytes*2e-9})
	}
	if c := FitCost(work); !c.OK || !c.Merged || c.PerCall != 0 || !near(c.PerMessage, 300e-9, 1e-6) || !near(c.PerByte, 2e-9, 1e-6) {
		t.Errorf("%+v", c)
	}
}

func TestFitCostRefuses(t *testing.T) {
	linear := sweep([3]float64{60e-9, 200e-9, 0.3e-9}, 0, rand.New(rand.NewPCG(5, 6)))
	change := func(f func(w *Work)) []Work {
		work := append([]Work(nil), linear...)
		for i := range work {
			f(&work[i])
		}
		return work
	}
	for name, test := range map[string]struct {
		work []Work
		says string
	}{
		"too few":       {linear[:2], "too few"},
		"one length":    {[]Work{{1, 1, 64, 1e-6}, {2, 1, 64, 1e-6}, {4, 1, 64, 1e-6}, {8, 1, 64, 1e-6}}, "at 1 message lengths"},
		"a square":      {change(func(w *Work) { w.Seconds = w.Bytes * w.Bytes * 1e-12 }), "residuals of"},
		"no growth":     {change(func(w *Work) { w.Seconds = 1e-6 }), "hardly grows"},
		"time is zero":  {change(func(w *Work) { w.Seconds = 0 }), "no measurement"},
		"no call":       {change(func(w *Work) { w.Calls = 0 }), "no measurement"},
		"all discarded": {change(func(w *Work) { w.Seconds = math.NaN() }), "too few"},
		"time is large": {change(func(w *Work) { w.Seconds = math.Inf(1) }), "no measurement"},
	} {
		c := FitCost(test.work)
		if c.OK || !strings.Contains(c.Reason, test.says) || c.PerByte != 0 {
			t.Errorf("%s: %+v, want %q", name, c, test.says)
		}
	}
}

func TestLeastSquaresOf(t *testing.T) {
	rows := [][]float64{{1, 1}, {1, 2}, {1, 3}, {1, 4}}
	x, ok := leastSquaresOf(rows, []float64{6, 5, 7, 10})
	if !ok || !near(x[0], 3.5, 1e-12) || !near(x[1], 1.4, 1e-12) {
		t.Errorf("%v, %t", x, ok)
	}
	if _, ok := leastSquaresOf([][]float64{{1, 2}, {2, 4}, {3, 6}}, []float64{1, 2, 3}); ok {
		t.Error("columns that depend on each other are solved")
	}
	for _, rows := range [][][]float64{nil, {{1, 2}}, {{0, 1}, {0, 2}}} {
		if _, ok := leastSquaresOf(rows, make([]float64, len(rows))); ok {
			t.Errorf("%v is solved", rows)
		}
	}
}

// blocksOf draws blocks of a sweep: each its own worker, whose times are off as one.
func blocksOf(terms [3]float64, count int, r *rand.Rand) (blocks [][]Work) {
	for range count {
		layout := 0.01 * r.NormFloat64()
		work := sweep(terms, 0.01, r)
		for i := range work {
			work[i].Seconds *= math.Exp(layout)
		}
		blocks = append(blocks, work)
	}
	return blocks
}

func TestCompareSlopes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	slow := blocksOf([3]float64{60e-9, 200e-9, 6.4e-9}, 15, r)
	fast := blocksOf([3]float64{30e-9, 90e-9, 0.16e-9}, 15, r)
	s := CompareSlopes(slow, fast, 0.9999, MinFloor)
	if !s.OK || s.Blocks != 15 || s.Low > 40 || s.High < 40 || s.High/s.Low > 1.2 || s.ExcessLow > 6.24e-9 || s.ExcessHigh < 6.24e-9 {
		t.Errorf("slopes of 40 to 1: %+v", s)
	}
	if s := CompareSlopes(slow[:4], fast, 0.9999, MinFloor); s.OK || s.Blocks != 4 {
		t.Errorf("four blocks: %+v", s)
	}
	for _, block := range slow {
		for i := range block {
			block[i].Seconds = block[i].Bytes * block[i].Bytes * 1e-12
		}
	}
	if s := CompareSlopes(slow, fast, 0.99, MinFloor); s.OK || s.Refused != 15 || !strings.Contains(s.Reason, "rms") {
		t.Errorf("what is no sum of calls and bytes: %+v", s)
	}
}

// TestCompareSlopesOfEquals: of ways that cost the same, with twice the crossings in
// one, none is said to cost more.
func TestCompareSlopesOfEquals(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates thousands of runs")
	}
	r := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		s := CompareSlopes(blocksOf([3]float64{120e-9, 300e-9, 0.9e-9}, 15, r), blocksOf([3]float64{60e-9, 100e-9, 0.9e-9}, 15, r), 0.9999, MinFloor)
		if !s.OK || s.Low > 1.5 || s.High < 1/1.5 {
			t.Fatalf("%+v", s)
		}
	}
}

// stepped draws blocks of the times of a call that loops over chunks of g bytes at
// cost seconds each, and handles a remainder in the way that round says, around a
// cipher that makes blocks of 64 bytes. Others add time to every reading: noise is the
// mean of what they add, as a share.
func stepped(lengths []float64, g, cost, noise float64, round func(float64) float64, r *rand.Rand) (blocks [][]float64) {
	for range 15 {
		var block []float64
		for _, n := range lengths {
			t := 150e-9 + 60e-9*math.Ceil(n/64)
			if g > 0 {
				t += cost * round(n/g)
			}
			block = append(block, t*(1+0.002*r.NormFloat64()+noise*r.ExpFloat64()))
		}
		blocks = append(blocks, block)
	}
	return blocks
}

func lengthsOf() (lengths []float64) {
	for n := 33.0; n <= 56; n++ {
		lengths = append(lengths, n)
	}
	for n := 72.0; n < 256; n += 16 {
		lengths = append(lengths, n)
	}
	for _, n := range []float64{128, 256, 512, 768} {
		lengths = append(lengths, n-1, n, n+1)
	}
	return lengths
}

func TestFindSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates thousands of runs")
	}
	r := rand.New(rand.NewPCG(11, 12))
	lengths := lengthsOf()
	for _, test := range []struct{ g, cost float64 }{
		{1, 6.3e-9}, {2, 10e-9}, {7, 12e-9}, {7, 40e-9}, {8, 12e-9}, {13, 15e-9}, {16, 20e-9}, {32, 30e-9}, {64, 30e-9}, {128, 60e-9}, {256, 100e-9},
	} {
		for name, round := range map[string]func(float64) float64{"floor": math.Floor, "ceil": math.Ceil} {
			const noise = 0.015
			s := FindSteps(lengths, stepped(lengths, test.g, test.cost, noise, round, r), stepped(lengths, 0, 0, noise, round,
				r), test.cost/test.g)
			if !s.OK || math.Abs(s.Bytes-test.g) > 1 || s.Low > test.g || s.High < test.g {
				t.Errorf("steps of %g bytes, %s: %+v", test.g, name, s)
			}
		}
	}
}

// TestFindStepsOnABusyMachine: a machine whose speed comes and goes for whole blocks, and
// on which a fifth of the readings are disturbed either way, still tells what a step is.
func TestFindStepsOnABusyMachine(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates thousands of runs")
	}
	lengths := lengthsOf()
	for seed := range uint64(2) {
		for _, test := range []struct{ g, cost, most float64 }{{1, 63e-9, 4}, {5, 88e-9, 5}, {5, 29e-9, 6}, {64, 384e-9,
			64}} {
			r := rand.New(rand.NewPCG(seed, 17))
			base, other := stepped(lengths, test.g, test.cost, 0, math.Ceil, r), stepped(lengths, 0, 0, 0, math.Ceil, r)
			for i := range base {
				speed := 0.75 + 0.4*r.Float64()
				for j := range lengths {
					base[i][j] *= speed * disturbed(r)
					other[i][j] *= speed * disturbed(r)
				}
			}
			s := FindSteps(lengths, base, other, test.cost/test.g)
			if !s.OK || s.Low > test.g || s.High < test.g || s.High > test.most {
				t.Errorf("seed %d, steps of %g bytes that cost %g ns: %+v", seed, test.g, test.cost*1e9, s)
			}
		}
	}
}

func disturbed(r *rand.Rand) float64 {
	x := 1 + 0.02*r.NormFloat64()
	if r.IntN(5) == 0 {
		x *= 0.8 + 0.5*r.Float64()
	}
	return x
}

func TestFindStepsRefuses(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates thousands of runs")
	}
	r := rand.New(rand.NewPCG(13, 14))
	lengths := lengthsOf()
	base, other := stepped(lengths, 7, 8e-9, 0.005, math.Floor, r), stepped(lengths, 0, 0, 0.005, math.Floor, r)
	if s := FindSteps(lengths, base[:8], other, 8e-9/7); s.OK || !strings.Contains(s.Reason, "too few") {
		t.Errorf("eight blocks: %+v", s)
	}
	if s := FindSteps(lengths[:5], base, other, 8e-9/7); s.OK || !strings.Contains(s.Reason, "too few lengths") {
		t.Errorf("five lengths: %+v", s)
	}
	for range 5 {
		drowned := stepped(lengths, 7, 0.1e-9, 0.2, math.Floor, r)
		if s := FindSteps(lengths, drowned, other, 0.1e-9/7); s.OK && s.Bytes > 2 {
			t.Errorf("steps far below the noise: %+v", s)
		}
	}
}
