package turns

import (
	"math"
	"slices"
)

// Time is how long f takes on the clock that Clock names, in nanoseconds.
func Time(f func()) int64 { return took(1, f) }

// Ratio is how many times as long the first of two takes as the second, by what they return themselves: the median over
// rounds of both in turns, and the interval of order statistics that holds it at 95 %.
func Ratio(rounds int, first, second func() int64) (median, low, high float64) {
	ratios := make([]float64, rounds)
	for i := range ratios {
		var a, b int64
		if i%2 == 0 {
			a, b = first(), second()
		} else {
			b, a = second(), first()
		}
		ratios[i] = float64(a) / float64(b)
	}
	slices.Sort(ratios)
	k := outside(rounds)
	return ratios[rounds/2], ratios[k], ratios[rounds-1-k]
}

// outside is how many of n values lie outside the interval of the median at each end: the most for which a fair coin
// that is thrown n times shows heads at most so often with a chance of no more than 2.5 %.
func outside(n int) int {
	chance, k := 0.0, 0
	for ; k <= n/2; k++ {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(n - k + 1))
		if chance += math.Exp(a - b - c - float64(n)*math.Ln2); chance > 0.025 {
			break
		}
	}
	return max(0, k-1)
}
