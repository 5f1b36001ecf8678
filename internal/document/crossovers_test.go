package document

import (
	"math"
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

var crossSizes = []int64{16, 64, 256, 1024, 4096}

// crossed is a run of two subjects at several sizes, a group a size, as an
// experiment declares them. The second's kernel changes with the size, and twice
// the noise of a round is the noise of a block.
func crossed(a, b func(n float64) float64, change func(*documenttest.Fixture)) *result.Run {
	f := documenttest.NewFixture(15, 7)
	wide := documenttest.GMSM
	for i, n := range crossSizes {
		if i == 2 {
			wide.Implementation = "avx512"
		}
		x := f.Trial("messages", documenttest.SM4("GCM", n), documenttest.TJFOC, documenttest.Plan{NS: a(float64(n))})
		y := f.Trial("messages", documenttest.SM4("GCM", n), wide, documenttest.Plan{NS: b(float64(n))})
		f.Group("messages", layout.FormatSize(n), "", []int{x, y}, result.Pair{Base: x, Other: y, Headline: true, Crossover: true})
	}
	if change != nil {
		change(f)
	}
	return f.End()
}

func linear(fixed, perByte float64) func(float64) float64 {
	return func(n float64) float64 { return fixed + perByte*n }
}

func TestCrossovers(t *testing.T) {
	bump := func(n float64) float64 { // slower at the ends, faster in the middle
		if n == 64 || n == 256 {
			return 500 + n
		}
		return 1500 + n
	}
	for _, test := range []struct {
		name    string
		a, b    func(float64) float64
		kinds   []string
		at      []float64
		between [][]int64
		turned  bool // A is the pair's other
	}{
		{"the second overtakes", linear(100, 2), linear(700, 1), []string{Overtakes}, []float64{600}, [][]int64{{256, 1024}}, false},
		{"the first overtakes", linear(700, 1), linear(100, 2), []string{Overtakes}, []float64{600}, [][]int64{{256, 1024}}, true},
		{"the first stays ahead", linear(100, 1), linear(200, 1.1), []string{Never}, nil, nil, false},
		{"the second stays ahead", linear(200, 1.1), linear(100, 1), []string{Never}, nil, nil, true},
		{"they are one", linear(200, 1), linear(200, 1), []string{Level}, nil, nil, false},
		{"too close to tell", linear(200, 1.005), linear(200, 1), []string{Undecided}, nil, nil, false},
		{"twice", linear(1000, 1), bump, []string{Overtakes, Overtakes}, []float64{27, 672}, [][]int64{{16, 64}, {256, 1024}}, false},
	} {
		d := Build(crossed(test.a, test.b, nil))
		if len(d.Crossovers) != len(test.kinds) {
			t.Errorf("%s: %d crossovers: %+v", test.name, len(d.Crossovers), d.Crossovers)
			continue
		}
		for i, c := range d.Crossovers {
			if c.Kind != test.kinds[i] || !slices.Equal(c.Sizes, crossSizes) || len(c.Comparisons) != len(crossSizes) {
				t.Errorf("%s: %+v", test.name, c)
			}
			if turned := c.A == d.Comparisons[0].Other; turned != (test.turned != (i > 0)) {
				t.Errorf("%s: a is %s", test.name, c.A)
			}
			if (c.Bytes == nil) != (test.at == nil) {
				t.Errorf("%s: at %v", test.name, c.Bytes)
			}
			if c.Bytes == nil {
				continue
			}
			// The log ratio is not linear between two sizes, so there is an error of interpolation.
			if math.Abs(math.Log(c.Bytes.Median/test.at[i])) > 0.25 || c.Bytes.Low == nil || *c.Bytes.Low > c.Bytes.Median || *c.Bytes.High < c.Bytes.Median {
				t.Errorf("%s: at %v, want %v", test.name, c.Bytes, test.at[i])
			}
			if !slices.Equal(c.Between, test.between[i]) || *c.Bytes.Low < float64(c.Between[0]) || *c.Bytes.High > float64(c.Between[1]) {
				t.Errorf("%s: between %v", test.name, c.Between)
			}
		}
	}
}

// TestCrossoversAreAskedFor: only pairs that ask have one, over the sizes at which
// both have a number, and one size is too few.
func TestCrossoversAreAskedFor(t *testing.T) {
	unasked := crossed(linear(100, 2), linear(700, 1), func(f *documenttest.Fixture) {
		for i := range f.Run.Groups {
			f.Run.Groups[i].Pairs[0].Crossover = i == 0
		}
	})
	if d := Build(unasked); len(d.Crossovers) != 0 {
		t.Errorf("asked for at one size: %+v", d.Crossovers)
	}
	wrong := crossed(linear(100, 2), linear(700, 1), func(f *documenttest.Fixture) { f.Status(7, result.Incorrect, "the tag is wrong") })
	if d := Build(wrong); len(d.Crossovers) != 0 {
		t.Errorf("with a wrong result at 1024 bytes: %+v", d.Crossovers)
	}
	absent := crossed(linear(100, 2), linear(700, 1), func(f *documenttest.Fixture) { f.Status(7, result.Crashed, "it ended") })
	if d := Build(absent); len(d.Crossovers) != 1 || !slices.Equal(d.Crossovers[0].Sizes, []int64{16, 64, 256, 4096}) ||
		!slices.Equal(d.Crossovers[0].Between, []int64{256, 4096}) {
		t.Errorf("without a result at 1024 bytes: %+v", d.Crossovers)
	}
}

// TestFewBlocksCrossNothing: without verdicts there is no crossover, whatever the
// medians do.
func TestFewBlocksCrossNothing(t *testing.T) {
	run := crossed(linear(100, 2), linear(700, 1), nil)
	run.Closed = slices.DeleteFunc(run.Closed, func(c result.Closed) bool { return c.Block >= 7 })
	for _, c := range Build(run).Crossovers {
		if c.Kind != Undecided || c.Bytes != nil {
			t.Errorf("%+v", c)
		}
	}
}

// TestKernelsOfALibraryAreKeptApart: two kernels side by side make two pairs.
func TestKernelsOfALibraryAreKeptApart(t *testing.T) {
	f := documenttest.NewFixture(15, 7)
	other := documenttest.Ours
	other.Implementation = "avx2+gfni"
	for _, n := range crossSizes {
		base := f.Trial("messages", documenttest.SM4("GCM", n), documenttest.GMSM, documenttest.Plan{NS: 300 + float64(n)})
		first := f.Trial("messages", documenttest.SM4("GCM", n), documenttest.Ours, documenttest.Plan{NS: 100 + float64(n)})
		second := f.Trial("messages", documenttest.SM4("GCM", n), other, documenttest.Plan{NS: 500 + 0.5*float64(n)})
		f.Group("messages", layout.FormatSize(n), "", []int{base, first, second},
			result.Pair{Base: base, Other: first, Headline: true, Crossover: true},
			result.Pair{Base: base, Other: second, Headline: true, Crossover: true})
	}
	d := Build(f.End())
	if len(d.Crossovers) != 2 || d.Crossovers[0].Kind != Never || d.Crossovers[1].Kind != Overtakes {
		t.Errorf("%+v", d.Crossovers)
	}
}

func TestFading(t *testing.T) {
	sizes := []int64{64, 1 << 10, 16 << 10, 256 << 10}
	for _, test := range []struct {
		name     string
		crossing float64 // ns
		kind     string
		low, hi  float64 // where it fades
	}{
		{"between two sizes", 100, Fades, 1800, 2300}, // 100 ns are 5 % of 2000 ns
		{"at every size", 1, Fades, 0, 0},
		{"at none", 1e6, Never, 0, 0},
	} {
		f := documenttest.NewFixture(15, 5)
		for _, n := range sizes {
			c := result.Case{Algorithm: "AES-128", Mode: "CTR", Operation: "encrypt", Bytes: n}
			loop := f.Trial("boundary", c, result.Subject{Library: "openssl", Version: "3", CallPath: "c-loop"}, documenttest.Plan{NS: 40 + float64(n)})
			cgo := f.Trial("boundary", c, result.Subject{Library: "openssl", Version: "3", CallPath: "cgo"}, documenttest.Plan{NS: 40 + float64(n) + test.crossing})
			f.Group("boundary", layout.FormatSize(n), "", []int{loop, cgo}, result.Pair{Base: loop, Other: cgo, Within: 0.05})
		}
		d := Build(f.End())
		if len(d.Crossovers) != 1 {
			t.Fatalf("%s: %+v", test.name, d.Crossovers)
		}
		c := d.Crossovers[0]
		if c.Kind != test.kind || c.Within != 0.05 || len(c.Sizes) != len(sizes) || (c.Bytes != nil) != (test.hi > 0) {
			t.Errorf("%s: %+v", test.name, c)
		}
		if c.Bytes != nil && (c.Bytes.Low == nil || c.Bytes.Median < test.low || c.Bytes.Median > test.hi) {
			t.Errorf("%s: %+v", test.name, c.Bytes)
		}
	}
}
