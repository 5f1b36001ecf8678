package stat

import (
	"math"
	"slices"
)

// Median returns the middle value of xs, the mean of the two middle values
// when their number is even, and NaN when xs is empty or holds a NaN.
func Median(xs []float64) float64 { return Quantile(xs, 0.5) }

// Quantile returns the p-quantile of xs, interpolated linearly between the two
// nearest order statistics (definition 7 of Hyndman and Fan, The American
// Statistician 50 (1996) 361; the default of R and NumPy). It is NaN when xs is
// empty or holds a NaN, or p is outside [0, 1].
func Quantile(xs []float64, p float64) float64 {
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	return sortedQuantile(sorted, p)
}

func sortedQuantile(sorted []float64, p float64) float64 {
	// slices.Sort puts NaN first.
	if len(sorted) == 0 || math.IsNaN(sorted[0]) || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	at := p * float64(len(sorted)-1)
	i := int(at)
	part := at - float64(i)
	if part == 0 || sorted[i] == sorted[i+1] {
		return sorted[i]
	}
	// Not low + part·(high−low): the difference may overflow.
	return (1-part)*sorted[i] + part*sorted[i+1]
}

// Interval is a two-sided confidence interval. Level is the level reached.
type Interval struct{ Low, High, Level float64 }

// MedianInterval returns the narrowest pair of order statistics, equally far
// from both ends, that holds the median of the distribution behind xs at the
// level asked or more. The level reached is exact for independent values of a
// continuous distribution; with ties it is at least that.
//
// When xs has too few values (see [MinBlocks]), holds a NaN, or the level is
// not between 0 and 1, ok is false. Too few values still give an interval, from
// the least to the greatest, with the level 1 − 2^(1−n) that it has.
func MedianInterval(xs []float64, level float64) (iv Interval, ok bool) {
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	return sortedInterval(sorted, level)
}

func sortedInterval(sorted []float64, level float64) (iv Interval, ok bool) {
	n := len(sorted)
	if n == 0 || math.IsNaN(sorted[0]) || !(level > 0 && level < 1) {
		return Interval{}, false
	}
	k, tail := signTest(n, (1-level)/2)
	if k == 0 {
		return Interval{sorted[0], sorted[n-1], 1 - math.Ldexp(1, 1-n)}, false
	}
	return Interval{sorted[k-1], sorted[n-k], 1 - 2*tail}, true
}

// signTest returns the greatest k with P(B < k) ≤ limit < 1/2 for B binomial
// over n fair coins, and that probability: the interval from the k-th value to
// the k-th last misses the median when fewer than k values fall on either side
// of it. k is 0 when even P(B < 1) = 2^−n is above the limit.
func signTest(n int, limit float64) (k int, tail float64) {
	i, p := 0, math.Ldexp(1, -n)
	if n > 1000 {
		// 2^−n nears underflow. Start 20 standard deviations (√n/2) below the
		// middle instead: what lies further out sums to less than 1e−80.
		i = int(float64(n)/2 - 10*math.Sqrt(float64(n)))
		p = math.Exp(logChoose(n, i) - float64(n)*math.Ln2)
		k = i
	}
	for ; 2*i < n && tail+p <= limit; i++ {
		tail += p
		k = i + 1
		p *= float64(n-i) / float64(i+1)
	}
	return k, tail
}

func logChoose(n, k int) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	in, _ := math.Lgamma(float64(k + 1))
	out, _ := math.Lgamma(float64(n - k + 1))
	return all - in - out
}

// LeastLevel is the lowest confidence level of an interval that is shown: below it, with fewer than 5
// blocks, a value stands alone.
const LeastLevel = 0.90

// RowLevel is the confidence level of the interval of one row, and of one comparison that is no part of a family:
// with fewer than 8 blocks an interval has less.
const RowLevel = 0.99

// MinBlocks returns the fewest values for which [MedianInterval] exists at a
// level: the least n with 2^(1−n) ≤ 1−level. It is 5 at [LeastLevel], 8 at 0.99 and 15 at
// FamilyLevel(160). No number of values gives level 1: the answer to that, and
// to NaN, is [math.MaxInt].
func MinBlocks(level float64) int {
	if !(level < 1) {
		return math.MaxInt
	}
	n := 1
	for math.Ldexp(1, 1-n) > 1-level {
		n++
	}
	return n
}
