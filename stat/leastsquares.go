package stat

import (
	"math"
	"slices"
)

// nonNegative returns the x of least squared residuals of rows·x = want, none of it below
// zero, among those in which only the columns of one of the subsets are not zero. Of few
// columns all subsets can be tried: the solution of a problem with such bounds is the
// unbounded one of the columns that are not zero (C. L. Lawson and R. J. Hanson, Solving
// Least Squares Problems, 1974, chapter 23).
func nonNegative(rows [][]float64, want []float64, subsets [][]int) (best []float64, ok bool) {
	least := math.Inf(1)
	for _, columns := range subsets {
		some := make([][]float64, len(rows))
		for i, row := range rows {
			for _, c := range columns {
				some[i] = append(some[i], row[c])
			}
		}
		x, solved := leastSquaresOf(some, want)
		if !solved || slices.Min(x) < 0 {
			continue
		}
		if left := sum(squares(some, want, x)); left < least {
			least, ok = left, true
			best = make([]float64, len(rows[0]))
			for j, c := range columns {
				best[c] = x[j]
			}
		}
	}
	return best, ok
}

// squares are the squared residuals of rows·x = want.
func squares(rows [][]float64, want, x []float64) []float64 {
	left := make([]float64, len(rows))
	for i, row := range rows {
		r := want[i]
		for j := range row {
			r -= row[j] * x[j]
		}
		left[i] = r * r
	}
	return left
}

func sum(xs []float64) (all float64) {
	for _, x := range xs {
		all += x
	}
	return all
}

// withoutOutliers leaves out, and names, what departs from the others' model by 3 % and by
// seven times their spread; nothing where these are more than a quarter, for then it is the
// model that is wrong. Departures are logarithms, and unknowns were taken from them.
func withoutOutliers[T any](all []T, departures []float64, unknowns int,
	name func(x T, percent float64) string) (kept []T, off []string) {
	// 1.4826 makes the median absolute deviation a standard deviation.
	n := float64(len(departures))
	limit := max(0.03, 7*1.4826*Median(fromMedian(slices.Clone(departures)))*n/(n-float64(unknowns)))
	for i, d := range departures {
		if math.Abs(d) > limit {
			off = append(off, name(all[i], 100*math.Expm1(d)))
		} else {
			kept = append(kept, all[i])
		}
	}
	if len(off) > len(departures)/4 {
		return all, nil
	}
	return kept, off
}

// centre takes the median of xs from each of them; scratch is reused, since blocks are many.
func centre(xs, scratch []float64) []float64 {
	scratch = append(scratch[:0], xs...)
	slices.Sort(scratch)
	middle := sortedQuantile(scratch, 0.5)
	for i := range xs {
		xs[i] -= middle
	}
	return scratch
}

// fromMedian replaces xs by the distances from their median.
func fromMedian(xs []float64) []float64 {
	centre(xs, nil)
	for i, x := range xs {
		xs[i] = math.Abs(x)
	}
	return xs
}

// different counts how many different values there are.
func different[T any](all []T, of func(T) float64) int {
	seen := map[float64]bool{}
	for _, x := range all {
		seen[of(x)] = true
	}
	return len(seen)
}

// rootMeanSquare is of logarithms of measured over fitted.
func rootMeanSquare(logs []float64) float64 {
	sum := 0.0
	for _, x := range logs {
		sum += x * x
	}
	return math.Sqrt(sum / float64(len(logs)))
}

// leastSquaresOf solves rows·x = want by least squares; ok is false where the columns
// depend on each other. By Householder reflections, columns scaled to length 1.
func leastSquaresOf(rows [][]float64, want []float64) (x []float64, ok bool) {
	n := len(rows)
	if n == 0 || n < len(rows[0]) {
		return nil, false
	}
	k := len(rows[0])
	scale := make([]float64, k)
	for j := range k {
		for _, row := range rows {
			scale[j] = math.Hypot(scale[j], row[j])
		}
		if !(scale[j] > 0) || math.IsInf(scale[j], 1) {
			return nil, false
		}
	}
	a := make([][]float64, n) // the columns, and beside them what is wanted
	for i, row := range rows {
		a[i] = make([]float64, 0, k+1)
		for j := range k {
			a[i] = append(a[i], row[j]/scale[j])
		}
		a[i] = append(a[i], want[i])
	}
	for j := range k {
		if !reflect(a, j) {
			return nil, false
		}
	}
	x = make([]float64, k)
	for j := k - 1; j >= 0; j-- {
		left := a[j][k]
		for l := j + 1; l < k; l++ {
			left -= a[j][l] * x[l]
		}
		x[j] = left / a[j][j]
	}
	for j := range k {
		x[j] /= scale[j]
		if math.IsNaN(x[j]) || math.IsInf(x[j], 0) {
			return nil, false
		}
	}
	return x, true
}

// reflect makes column j zero below the diagonal (A. S. Householder, J. ACM 5 (1958)
// 339); false where what is left of the column is nothing.
func reflect(a [][]float64, j int) bool {
	norm := 0.0
	for i := j; i < len(a); i++ {
		norm = math.Hypot(norm, a[i][j])
	}
	const dependent = 1e-10
	if !(norm > dependent) {
		return false
	}
	if a[j][j] > 0 {
		norm = -norm
	}
	v := make([]float64, len(a))
	for i := j; i < len(a); i++ {
		v[i] = a[i][j]
	}
	v[j] -= norm
	length := 0.0
	for i := j; i < len(a); i++ {
		length += v[i] * v[i]
	}
	for l := j; l < len(a[j]); l++ {
		dot := 0.0
		for i := j; i < len(a); i++ {
			dot += v[i] * a[i][l]
		}
		for i := j; i < len(a); i++ {
			a[i][l] -= 2 * dot / length * v[i]
		}
	}
	return true
}
