package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// curves are blocks of log ratios that cross zero at the size at, with the slope
// per unit of log size, and noise of a block and of a size.
func curves(rng *rand.Rand, sizes []float64, blocks int, at, slope, ofBlock, ofSize float64) [][]float64 {
	all := make([][]float64, blocks)
	for i := range all {
		shift := ofBlock * rng.NormFloat64()
		all[i] = make([]float64, len(sizes))
		for j, n := range sizes {
			all[i][j] = slope*math.Log(n/at) + shift + ofSize*rng.NormFloat64()
		}
	}
	return all
}

var someSizes = []float64{16, 64, 128, 256, 1350, 4096}

func TestCrossFindsWhatWasPlanted(t *testing.T) {
	for _, at := range []float64{20, 100, 200, 256, 600, 4000} {
		c := Cross(someSizes, curves(rand.New(rand.NewPCG(1, 2)), someSizes, 15, at, 0.3, 0, 0), 0.99, 0)
		if !c.OK || c.Blocks != 15 || math.Abs(c.Size/at-1) > 1e-9 || math.Abs(c.Low/at-1) > 1e-9 || math.Abs(c.High/at-1) > 1e-9 {
			t.Errorf("planted at %v: %+v", at, c)
		}
		// A floor of 1 % moves a slope of 0.3 by a factor of exp(0.00995/0.3).
		c = Cross(someSizes, curves(rand.New(rand.NewPCG(1, 2)), someSizes, 15, at, 0.3, 0, 0), 0.99, 0.01)
		by := math.Exp(math.Log1p(0.01) / 0.3)
		if low, high := max(at/by, 16), min(at*by, 4096); math.Abs(c.Low/low-1) > 1e-9 || math.Abs(c.High/high-1) > 1e-9 || c.Size < c.Low || c.Size > c.High {
			t.Errorf("planted at %v with a floor: %+v, want %v to %v", at, c, low, high)
		}
	}
}

// TestCrossCovers: intervals at 99 % hold what was planted in 99 of 100 runs, also
// where the noise makes blocks cross several times, or not at all.
func TestCrossCovers(t *testing.T) {
	for _, noise := range []struct{ ofBlock, ofSize float64 }{{0.02, 0.01}, {0.1, 0.1}, {0.3, 0.3}} {
		rng := rand.New(rand.NewPCG(3, 4))
		const runs = 2000
		covered := 0
		for range runs {
			c := Cross(someSizes, curves(rng, someSizes, 15, 256, 0.3, noise.ofBlock, noise.ofSize), 0.99, 0)
			if c.Low <= 256 && 256 <= c.High {
				covered++
			}
		}
		if covered < runs*985/1000 {
			t.Errorf("noise %v: %d of %d intervals cover", noise, covered, runs)
		}
	}
}

func TestCrossingOfABlock(t *testing.T) {
	sizes := []float64{1, math.E, math.E * math.E}
	for _, test := range []struct {
		curve []float64
		want  float64 // logarithm
	}{
		{[]float64{-1, 1, 1}, 0.5},
		{[]float64{-1, 3, 1}, 0.25},
		{[]float64{-1, -1, 1}, 1.5},
		{[]float64{-1, 0, 1}, 1},
		{[]float64{-1, -1, -1}, 2}, // it does not cross: later than the last
		{[]float64{1, 1, 1}, 0},    // earlier than the first
		{[]float64{0, 0, 0}, 0},
		{[]float64{1, -1, 1}, 1}, // three crossings or none: half of it is below
	} {
		if got := crossingOf(sizes, test.curve, 0); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%v crosses at %v, want %v", test.curve, got, test.want)
		}
	}
}

func TestCrossWithoutBlocks(t *testing.T) {
	if c := Cross(someSizes, nil, 0.99, 0); c.OK || c.Blocks != 0 {
		t.Errorf("no blocks: %+v", c)
	}
	few := Cross(someSizes, curves(rand.New(rand.NewPCG(1, 2)), someSizes, 7, 256, 0.3, 0.01, 0.01), 0.99, 0)
	if few.OK || few.Blocks != 7 {
		t.Errorf("seven blocks: %+v", few)
	}
	nan := curves(rand.New(rand.NewPCG(1, 2)), someSizes, 9, 256, 0.3, 0.01, 0.01)
	nan[3][2] = math.NaN()
	if c := Cross(someSizes, nan, 0.99, 0); !c.OK || c.Blocks != 8 {
		t.Errorf("a block with a NaN: %+v", c)
	}
}
