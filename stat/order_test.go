package stat

import (
	"math"
	"math/big"
	"slices"
	"testing"
)

func TestQuantile(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		xs   []float64
		p    float64
		want float64
	}{
		{nil, 0.5, nan},
		{[]float64{7}, 0, 7},
		{[]float64{7}, 0.5, 7},
		{[]float64{7}, 1, 7},
		{[]float64{3, 1}, 0.5, 2},
		{[]float64{3, 1, 2}, 0.5, 2},
		{[]float64{4, 1, 3, 2}, 0.5, 2.5},
		{[]float64{4, 1, 3, 2}, 0.25, 1.75}, // R: quantile(1:4, 0.25)
		{[]float64{4, 1, 3, 2}, 1, 4},
		{[]float64{1, 2}, -0.1, nan},
		{[]float64{1, 2}, 1.1, nan},
		{[]float64{1, 2}, nan, nan},
		{[]float64{1, nan, 2}, 0.9, nan},
		{[]float64{-math.MaxFloat64, math.MaxFloat64}, 0.5, 0},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, 0.3, math.MaxFloat64},
		{[]float64{1, inf, inf}, 0.75, inf},
	} {
		got := Quantile(c.xs, c.p)
		if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("Quantile(%v, %v) = %v, want %v", c.xs, c.p, got, c.want)
		}
	}
}

// tailsExactly returns P(B < k) of n fair coins with all its digits, for any k
// up to the middle: the row of Pascal's triangle, summed.
func tailsExactly(n int) func(k int) *big.Rat {
	sums := []*big.Int{new(big.Int)}
	choose := big.NewInt(1)
	for i := 0; 2*i <= n; i++ {
		sums = append(sums, new(big.Int).Add(sums[i], choose))
		choose = new(big.Int).Mul(choose, big.NewInt(int64(n-i)))
		choose.Quo(choose, big.NewInt(int64(i+1)))
	}
	all := new(big.Int).Lsh(big.NewInt(1), uint(n))
	return func(k int) *big.Rat { return new(big.Rat).SetFrac(sums[k], all) }
}

func TestMedianIntervalIsExact(t *testing.T) {
	ns := []int{999, 1000, 1001, 1002, 2500}
	for n := range 200 {
		ns = append(ns, n+1)
	}
	for _, n := range ns {
		tail := tailsExactly(n)
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = float64(n - i) // descending, so that it must be ordered
		}
		for _, level := range []float64{0.5, 0.9, 0.95, 0.99, FamilyLevel(50), FamilyLevel(160)} {
			iv, ok := MedianInterval(xs, level)
			if want := n >= MinBlocks(level); ok != want {
				t.Fatalf("n %d, level %v: ok %v, want %v", n, level, ok, want)
			}
			k := int(iv.Low) // the value is the rank
			if int(iv.High) != n+1-k {
				t.Fatalf("n %d, level %v: ranks %v and %v don't mirror", n, level, iv.Low, iv.High)
			}
			side, _ := tail(k).Float64()
			if math.Abs(iv.Level-(1-2*side)) > 1e-11 {
				t.Errorf("n %d, level %v: reached %.12f, exactly %.12f", n, level, iv.Level, 1-2*side)
			}
			if !ok {
				continue
			}
			asked := new(big.Rat).SetFloat64(1 - level)
			missed := func(k int) *big.Rat { return new(big.Rat).Mul(big.NewRat(2, 1), tail(k)) }
			if missed(k).Cmp(asked) > 0 {
				t.Errorf("n %d, level %v: rank %d misses more than asked", n, level, k)
			}
			if 2*(k+1) <= n && missed(k+1).Cmp(asked) <= 0 {
				t.Errorf("n %d, level %v: rank %d is wider than needed", n, level, k)
			}
		}
	}
}

func TestMedianIntervalRefuses(t *testing.T) {
	nan := math.NaN()
	eight := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	for _, c := range []struct {
		xs    []float64
		level float64
		want  Interval
	}{
		{nil, 0.99, Interval{}},
		{eight, 0, Interval{}},
		{eight, 1, Interval{}},
		{eight, nan, Interval{}},
		{append([]float64{nan}, eight...), 0.99, Interval{}},
		{eight[:7], 0.99, Interval{1, 7, 1 - 1./64}},
		{eight[:1], 0.99, Interval{1, 1, 0}},
	} {
		if got, ok := MedianInterval(c.xs, c.level); ok || got != c.want {
			t.Errorf("MedianInterval(%v, %v) = %v, %v; want %v, false", c.xs, c.level, got, ok, c.want)
		}
	}
}

func TestMinBlocks(t *testing.T) {
	for _, c := range []struct {
		level float64
		want  int
	}{
		{-1, 1}, {0, 1}, {0.5, 2}, {0.75, 3}, {0.750001, 4}, {0.95, 6}, {0.99, 8},
		{FamilyLevel(1), 8}, {FamilyLevel(50), 14}, {FamilyLevel(160), 15}, {FamilyLevel(163), 15}, {FamilyLevel(164), 16},
		{math.Nextafter(1, 0), 54}, {1, math.MaxInt}, {math.Inf(1), math.MaxInt}, {math.NaN(), math.MaxInt},
	} {
		if got := MinBlocks(c.level); got != c.want {
			t.Errorf("MinBlocks(%v) = %d, want %d", c.level, got, c.want)
		}
	}
	if FamilyLevel(0) != 0.99 || FamilyLevel(-3) != 0.99 {
		t.Error("a family of none is no family of one")
	}
}

func TestInputKeepsItsOrder(t *testing.T) {
	base, other := busy.pair(seeded(9), 15, 7, 1)
	base[3][2], other[5][5] = math.NaN(), math.NaN()
	n, s := []float64{1024, 64, 4096, 256, 16384}, []float64{5, 1, 17, 2, 65}
	all := [][]float64{n, s}
	all = append(append(all, base...), other...)
	var before [][]float64
	for _, xs := range all {
		before = append(before, slices.Clone(xs))
	}
	Median(base[0])
	Quantile(base[0], 0.9)
	MedianInterval(base[0], 0.5)
	Summarize(base, 0.99, 0)
	Compare(base, other, 0.99, 0)
	NoiseFloor(base, other)
	FitAffine(n, s)
	for i := range all {
		for j := range all[i] {
			if math.Float64bits(all[i][j]) != math.Float64bits(before[i][j]) {
				t.Fatalf("slice %d, value %d changed", i, j)
			}
		}
	}
}
