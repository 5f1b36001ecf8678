package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var sizes = []float64{64, 256, 1024, 4096, 16384, 65536, 1 << 20, 10 << 20}

// times of t(n) = fixed + perByte·n with relative noise of SD noise.
func times(rng *rand.Rand, n []float64, fixed, perByte, noise float64) (seconds []float64) {
	for _, x := range n {
		seconds = append(seconds, (fixed+perByte*x)*math.Exp(noise*rng.NormFloat64()))
	}
	return seconds
}

func near(got, want, part float64) bool { return math.Abs(got-want) <= part*math.Abs(want) }

func TestFitAffineExactLines(t *testing.T) {
	for _, c := range []struct{ fixed, perByte float64 }{
		{100e-9, 0.5e-9}, {1e-9, 5e-9}, {1e-3, 0.5e-9}, {20e-6, 1e-10}, {1, 1},
	} {
		f := FitAffine(sizes, times(seeded(1), sizes, c.fixed, c.perByte, 0))
		if !f.OK || !near(f.Fixed, c.fixed, 1e-6) || !near(f.PerByte, c.perByte, 1e-6) || f.RMS > 1e-6 || len(f.Warnings) > 0 {
			t.Errorf("%+v: %+v", c, f)
		}
		if !near(f.Rate(), 1/c.perByte, 1e-6) || !near(f.HalfSize(), c.fixed/c.perByte, 1e-6) {
			t.Errorf("%+v: rate %v, n½ %v", c, f.Rate(), f.HalfSize())
		}
	}
}

func TestFitAffineEdges(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name       string
		n, seconds []float64
		ok         bool
		reason     string // part of it
		codes      []string
	}{
		{"nothing", nil, nil, false, "too few", nil},
		{"two sizes", []float64{1, 2}, []float64{1, 2}, false, "2 sizes", nil},
		{"two sizes, one twice", []float64{1, 2, 2}, []float64{1, 2, 2}, false, "2 sizes", nil},
		{"two sizes and a NaN", []float64{1, 2, 3}, []float64{1, 2, nan}, false, "2 sizes", nil},
		{"unequal lengths", []float64{1, 2, 3}, []float64{1, 2}, false, "3 sizes with 2 times", []string{CodeInvalid}},
		{"three sizes", []float64{1, 2, 3}, []float64{3, 4, 5}, true, "", nil},
		{"size zero", []float64{0, 10, 20}, []float64{3, 4, 5}, true, "", nil},
		{"unordered", []float64{30, 10, 20}, []float64{5, 3, 4}, true, "", nil},
		{"no fixed cost", []float64{10, 20, 40}, []float64{1, 2, 4}, true, "", []string{CodeFixed}},
		{"negative fixed cost", []float64{10, 20, 40}, []float64{1, 2.1, 4.3}, true, "", []string{CodeFixed}},
		{"constant", []float64{10, 20, 40}, []float64{1, 1, 1}, false, "hardly grows", nil},
		{"falling", []float64{10, 20, 40}, []float64{1, 0.99, 0.98}, false, "hardly grows", nil},
		{"noise only", []float64{10, 20, 40, 80, 160}, []float64{1, 1.02, 0.99, 1.01, 1.02}, false, "hardly grows", nil},
		{"falling steeply", []float64{10, 20, 40}, []float64{4, 2, 1}, false, "not affine", nil},
		{"quadratic", []float64{10, 20, 40, 80, 160, 320}, []float64{1, 4, 16, 64, 256, 1024}, false, "not affine", nil},
		{"zero time", []float64{1, 2, 3}, []float64{0, 2, 3}, false, "no measurement", []string{CodeInvalid}},
		{"infinite time", []float64{1, 2, 3}, []float64{1, 2, inf}, false, "no measurement", []string{CodeInvalid}},
		{"negative size", []float64{-1, 2, 3}, []float64{1, 2, 3}, false, "no measurement", []string{CodeInvalid}},
		{"infinite size", []float64{1, 2, inf}, []float64{1, 2, 3}, false, "no measurement", []string{CodeInvalid}},
		{"overflow", []float64{1e-300, 2e-300, 3e-300}, []float64{1e300, 2e300, 3e300}, false, "too large", []string{CodeInvalid}},
	} {
		f := FitAffine(c.n, c.seconds)
		if f.OK != c.ok || !strings.Contains(f.Reason, c.reason) || (f.Reason == "") != c.ok || !slices.Equal(codes(f.Warnings), c.codes) {
			t.Errorf("%s: %+v", c.name, f)
		}
		if !f.OK && (f.Fixed != 0 || f.PerByte != 0 || f.Rate() != 0 || f.HalfSize() != 0) {
			t.Errorf("%s: refused, with numbers: %+v", c.name, f)
		}
	}
}

// One size off by anything, at either end or inside, moves nothing and is named.
func TestFitAffineOutlier(t *testing.T) {
	rng := seeded(8)
	for at := range sizes {
		for _, off := range []float64{0.1, 0.7, 1.3, 2, 100} {
			seconds := times(rng, sizes, 200e-9, 0.5e-9, 0.003)
			seconds[at] *= off
			f := FitAffine(sizes, seconds)
			// Without 64 and 256 B, n½ = 400 B is known less well.
			if !f.OK || !near(f.PerByte, 0.5e-9, 0.01) || !near(f.Fixed, 200e-9, 0.03) || !hasCode(f.Warnings, CodeOutlier) {
				t.Errorf("%.0f bytes off by %v: %+v", sizes[at], off, f)
			}
		}
	}
}

func TestSimulatedFits(t *testing.T) {
	rng := seeded(10)
	const runs = 1000
	var fixed, rate []float64
	named := share(runs, func() bool {
		f := FitAffine(sizes, times(rng, sizes, 200e-9, 0.5e-9, 0.01))
		fixed = append(fixed, math.Abs(f.Fixed/200e-9-1))
		rate = append(rate, math.Abs(f.Rate()/2e9-1))
		return hasCode(f.Warnings, CodeOutlier)
	})
	refused := share(runs, func() bool {
		return !FitAffine(sizes, times(rng, sizes, 200e-9, 0.5e-9, 0.4)).OK
	})
	t.Logf("1 %% noise: fixed cost within %.2g %%, rate within %.2g %% in 95 of 100; an outlier named in %.1f %%; 40 %% noise refused in %.0f %%",
		100*Quantile(fixed, 0.95), 100*Quantile(rate, 0.95), 100*named, 100*refused)
	if Quantile(fixed, 0.95) > 0.03 || Quantile(rate, 0.95) > 0.015 || named > 0.05 || refused < 0.9 {
		t.Error("out of bounds")
	}
}

func FuzzFitAffine(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5}, []byte{3, 5, 7, 9, 11})
	f.Add([]byte{0, 2, 2, 4}, []byte{3, 255, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f, 7})
	f.Fuzz(func(t *testing.T, x, y []byte) {
		n, seconds := floats(x), floats(y)
		if len(n) > 64 {
			return
		}
		seconds = seconds[:min(len(n), len(seconds))]
		fit := FitAffine(n, seconds)
		if !finite(fit.Fixed, fit.PerByte, fit.RMS, fit.Rate(), fit.HalfSize()) {
			t.Errorf("%+v", fit)
		}
		if fit.OK && !(fit.Fixed >= 0 && fit.PerByte > 0 && fit.RMS <= MaxRMS) || fit.OK == (fit.Reason != "") {
			t.Errorf("%+v", fit)
		}
	})
}

func BenchmarkFitAffine(b *testing.B) {
	seconds := times(seeded(5), sizes, 200e-9, 0.5e-9, 0.01)
	for b.Loop() {
		FitAffine(sizes, seconds)
	}
}
