package history

import (
	"math"
	"slices"
	"sync"
)

// The test of Mann and Whitney (Annals of Mathematical Statistics 18 (1947) 50) holds for whatever distribution the
// noise between runs has, as long as it is the same on both sides, and one wild night weighs no more than any other.

// mostExact is the product of both sides' sizes up to which its distribution is counted out; beyond, it is taken as
// normal, which makes a rare outcome look more common than it is.
const mostExact = 600

// ranks are those of values, from 1; equal ones share their mean.
func ranks(xs []float64) []float64 {
	order := make([]int, len(xs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case xs[a] < xs[b]:
			return -1
		case xs[a] > xs[b]:
			return 1
		}
		return 0
	})
	of := make([]float64, len(xs))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && xs[order[to]] == xs[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			of[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return of
}

// logTail is the logarithm of the chance that, of m+n values in random order, the m have a sum of ranks as far from
// its mean as this one or further, on either side.
func logTail(sum float64, m, n int) float64 {
	mean := float64(m) * float64(n) / 2
	far := math.Abs(sum - float64(m)*float64(m+1)/2 - mean)
	if m*n <= mostExact {
		return min(0, math.Log(2*cumulative(m, n, int(math.Ceil(mean-far-1e-9)))))
	}
	return logNormalTail((far - 0.5) / math.Sqrt(mean*float64(m+n+1)/6))
}

// logNormalTail is the logarithm of the chance that a normal variable is further from 0 than z standard deviations.
func logNormalTail(z float64) float64 {
	switch {
	case z <= 0:
		return 0
	case z > 30:
		return math.Log(2) - z*z/2 - math.Log(z*math.Sqrt(2*math.Pi))
	}
	return math.Log(math.Erfc(z / math.Sqrt2))
}

// sizes are those of two sides.
type sizes struct{ m, n int }

var distributions sync.Map // sizes → cumulative distribution of U

// cumulative is the chance that U of m and n values in random order is u or less.
func cumulative(m, n, u int) float64 {
	switch {
	case u < 0:
		return 0
	case u >= m*n:
		return 1
	case m > n:
		m, n = n, m
	}
	known, ok := distributions.Load(sizes{m, n})
	if !ok {
		known, _ = distributions.LoadOrStore(sizes{m, n}, distribution(m, n))
	}
	return known.([]float64)[u]
}

// distribution counts it out: the greatest of all values belongs to one side or the other.
func distribution(m, n int) []float64 {
	of := make([][]float64, m+1) // of i and j values, for the j that the loop has come to
	for i := range of {
		of[i] = make([]float64, m*n+1)
		of[i][0] = 1
	}
	for j := 1; j <= n; j++ {
		for i := 1; i <= m; i++ {
			p := float64(i) / float64(i+j)
			for u := i * j; u >= 0; u-- { // of[i-1] is of j already, of[i] still of j-1
				v := (1 - p) * of[i][u]
				if u >= j {
					v += p * of[i-1][u-j]
				}
				of[i][u] = v
			}
		}
	}
	sum := make([]float64, m*n+1)
	total := 0.0
	for u, p := range of[m] {
		total += p
		sum[u] = total
	}
	return sum
}

// shift is by how much the values after lie above those before, with its interval (Hodges and Lehmann, Annals of
// Mathematical Statistics 34 (1963) 598). ok is false where there are too few values for an interval at the level.
func shift(before, after []float64, level float64) (by, low, high float64, ok bool) {
	m, n := len(before), len(after)
	all := make([]float64, 0, m*n)
	for _, x := range before {
		for _, y := range after {
			all = append(all, y-x)
		}
	}
	slices.Sort(all)
	by = (all[(len(all)-1)/2] + all[len(all)/2]) / 2
	beyond := outside(m, n, (1-level)/2)
	if beyond < 0 {
		return by, math.Inf(-1), math.Inf(1), false
	}
	return by, all[beyond], all[len(all)-1-beyond], true
}

// outside is how many of the differences may lie outside the interval on either side; below 0 where there is none.
func outside(m, n int, tail float64) int {
	if m*n > mostExact {
		z := math.Sqrt2 * math.Erfinv(1-2*tail)
		return int(float64(m)*float64(n)/2 - z*math.Sqrt(float64(m)*float64(n)*float64(m+n+1)/12) - 0.5)
	}
	u := -1
	for u+1 < m*n && cumulative(m, n, u+1) <= tail {
		u++
	}
	return u
}
