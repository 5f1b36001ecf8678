package stat

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Work is what was done in one go, and the seconds that it took.
type Work struct{ Calls, Messages, Bytes, Seconds float64 }

// Cost is the cost model across a boundary, t = PerCall·calls + PerMessage·messages
// + PerByte·bytes, in seconds. It is usable when OK; else Reason says why not, and
// the terms are zero.
type Cost struct {
	PerCall, PerMessage, PerByte float64
	// Merged says that every message was one call: PerMessage holds the cost of both.
	Merged   bool
	RMS      float64 // of log(measured/fitted) over what was kept; 0.02 reads 2 %
	OK       bool
	Reason   string
	Warnings []Warning
}

// FitCost fits the model, no term of which is below zero: a call that gives time
// back would be an invention of the fit.
//
// Residuals are relative, so that a message of 1 KiB counts like one of 16 KiB. The
// fit is robust as that of [FitAffine] is: it begins with least absolute residuals,
// and up to a quarter of the readings that depart from the others' model by 3 % and
// by seven times their spread are left out and named in the warning "outlier".
//
// Refused are: fewer readings than terms and one more, messages of fewer than two
// lengths, a time that can't be, an RMS above [MaxRMS], and bytes that make up less
// of the longest message's time than 1 % or twice the RMS: then no price of a byte
// can be told.
func FitCost(work []Work) Cost {
	var kept []Work
	for _, w := range work {
		switch {
		case math.IsNaN(w.Seconds):
		case !isTime(w.Seconds) || !(w.Calls > 0 && w.Messages > 0 && w.Bytes > 0) || math.IsInf(w.Calls+w.Messages+w.Bytes, 1):
			return refuseCost(fmt.Sprintf("%v calls with %v messages and %v bytes in %v s is no measurement", w.Calls, w.Messages, w.Bytes, w.Seconds))
		default:
			kept = append(kept, w)
		}
	}
	m := costModel{merged: !slices.ContainsFunc(kept, func(w Work) bool { return w.Calls != w.Messages })}
	lengths := map[float64]bool{}
	for _, w := range kept {
		lengths[w.Bytes/w.Messages] = true
	}
	if need := len(m.terms()) + 1; len(kept) < need || len(lengths) < 2 {
		return Cost{Reason: fmt.Sprintf("%d readings of %d lengths are too few for a fit, which takes %d of 2", len(kept), len(lengths), need)}
	}
	kept, warnings := m.withoutOutliers(kept)
	c := m.judged(kept)
	c.Warnings = append(warnings, c.Warnings...)
	return c
}

func refuseCost(reason string) Cost {
	return Cost{Reason: reason, Warnings: []Warning{{CodeInvalid, reason}}}
}

// costTerms are the coefficients of calls, messages and bytes.
type costTerms [3]float64

func (t costTerms) of(w Work) float64 { return t[0]*w.Calls + t[1]*w.Messages + t[2]*w.Bytes }

// costModel is which terms can be told apart.
type costModel struct{ merged bool }

// terms are the places of the coefficients.
func (m costModel) terms() []int {
	if m.merged {
		return []int{1, 2}
	}
	return []int{0, 1, 2}
}

// least returns the terms of least weighted squares, none below zero. There are so
// few of them that all subsets are tried: the solution of a problem with such
// bounds is the unbounded one of the terms that are not zero (C. L. Lawson and R. J.
// Hanson, Solving Least Squares Problems, 1974, chapter 23).
func (m costModel) least(work []Work, weight []float64) (best costTerms, ok bool) {
	least := math.Inf(1)
	all := m.terms()
	for subset := 1; subset < 1<<len(all); subset++ {
		var columns []int
		for i, c := range all {
			if subset>>i&1 == 1 {
				columns = append(columns, c)
			}
		}
		t, solved := solveCost(work, weight, columns)
		if !solved || t[0] < 0 || t[1] < 0 || t[2] < 0 {
			continue
		}
		sum := 0.0
		for i, w := range work {
			r := (w.Seconds - t.of(w)) * weight[i]
			sum += r * r
		}
		if sum < least {
			best, least, ok = t, sum, true
		}
	}
	return best, ok
}

// solveCost solves the weighted normal equations of some of the terms.
func solveCost(work []Work, weight []float64, columns []int) (t costTerms, ok bool) {
	rows := make([][]float64, len(work))
	want := make([]float64, len(work))
	for i, w := range work {
		x := [3]float64{w.Calls, w.Messages, w.Bytes}
		rows[i] = make([]float64, len(columns))
		for j, c := range columns {
			rows[i][j] = x[c] * weight[i]
		}
		want[i] = w.Seconds * weight[i]
	}
	solution, ok := leastSquaresOf(rows, want)
	for j, c := range columns {
		if ok {
			t[c] = solution[j]
		}
	}
	return t, ok
}

// settled is how often weights that depend on the fit are made anew: after so many
// rounds they move a term by less than a part in ten thousand.
const settled = 10

// fit is by least squares of log(measured/fitted), which relative residuals about the
// geometric mean of both come close to.
func (m costModel) fit(work []Work) (costTerms, bool) {
	return m.reweighted(work, func(w Work, fitted float64) float64 { return 1 / math.Sqrt(w.Seconds*fitted) })
}

// absolute is by least absolute residuals: squares, each divided by the residual.
func (m costModel) absolute(work []Work) (costTerms, bool) {
	const smallest = 1e-4 // relative; below it a residual counts as none
	return m.reweighted(work, func(w Work, fitted float64) float64 {
		relative := math.Abs(math.Log(w.Seconds / fitted))
		return 1 / math.Sqrt(w.Seconds*fitted) / math.Sqrt(max(relative, smallest))
	})
}

func (m costModel) reweighted(work []Work, weigh func(w Work, fitted float64) float64) (t costTerms, ok bool) {
	weight := make([]float64, len(work))
	for i, w := range work {
		weight[i] = 1 / w.Seconds
	}
	for range settled {
		if t, ok = m.least(work, weight); !ok {
			return t, false
		}
		for i, w := range work {
			fitted := t.of(w)
			if !(fitted > 0) {
				return t, false
			}
			weight[i] = weigh(w, fitted)
		}
	}
	return t, true
}

// withoutOutliers returns the readings that agree on a model, and names the others.
func (m costModel) withoutOutliers(work []Work) (kept []Work, ws []Warning) {
	spare := len(work) / 4
	t, ok := m.absolute(work)
	if spare == 0 || !ok {
		return work, nil
	}
	departures := make([]float64, len(work))
	for i, w := range work {
		departures[i] = math.Log(w.Seconds / t.of(w))
	}
	spread := fromMedian(slices.Clone(departures))
	n, terms := float64(len(work)), float64(len(m.terms()))
	limit := max(0.03, 7*1.4826*Median(spread)*n/(n-terms))
	var names []string
	for i, w := range work {
		if math.Abs(departures[i]) > limit {
			names = append(names, fmt.Sprintf("%.0f bytes in %.0f calls (%+.3g %%)", w.Bytes, w.Calls, 100*math.Expm1(departures[i])))
			continue
		}
		kept = append(kept, w)
	}
	if len(names) == 0 || len(names) > spare || len(kept) <= len(m.terms()) {
		return work, nil
	}
	return kept, []Warning{warn(CodeOutlier, "off the model of the others and left out: %s", strings.Join(names, ", "))}
}

// judged fits, and says whether the fit may be used.
func (m costModel) judged(work []Work) Cost {
	t, ok := m.fit(work)
	if !ok {
		return refuseCost("no model of calls, messages and bytes has these times")
	}
	sum, share := 0.0, 0.0
	for _, w := range work {
		r := math.Log(w.Seconds / t.of(w))
		sum += r * r
		share = max(share, t[2]*w.Bytes/t.of(w))
	}
	rms := math.Sqrt(sum / float64(len(work)))
	switch {
	case !(rms <= MaxRMS):
		return Cost{Merged: m.merged, RMS: rms, Reason: fmt.Sprintf("time is not a sum of calls, messages and bytes: residuals of %.0f %% (rms), where %.0f %% may be", 100*rms, 100*MaxRMS)}
	case share <= max(0.01, 2*rms):
		return Cost{Merged: m.merged, RMS: rms, Reason: "time hardly grows with the bytes: no price of one can be told"}
	}
	return Cost{PerCall: t[0], PerMessage: t[1], PerByte: t[2], Merged: m.merged, RMS: rms, OK: true}
}

// leastSquaresOf solves rows·x = want by least squares; ok is false where the columns
// can't be told apart. By Householder reflections, columns scaled to length 1.
func leastSquaresOf(rows [][]float64, want []float64) (x []float64, ok bool) {
	n := len(rows)
	if n == 0 || n < len(rows[0]) {
		return nil, false
	}
	k := len(rows[0])
	a, b := make([][]float64, n), slices.Clone(want)
	scale := make([]float64, k)
	for j := range k {
		for _, row := range rows {
			scale[j] = math.Hypot(scale[j], row[j])
		}
		if !(scale[j] > 0) || math.IsInf(scale[j], 1) {
			return nil, false
		}
	}
	for i, row := range rows {
		a[i] = make([]float64, k)
		for j := range k {
			a[i][j] = row[j] / scale[j]
		}
	}
	for j := range k {
		if !reflect(a, b, j) {
			return nil, false
		}
	}
	x = make([]float64, k)
	for j := k - 1; j >= 0; j-- {
		sum := b[j]
		for l := j + 1; l < k; l++ {
			sum -= a[j][l] * x[l]
		}
		x[j] = sum / a[j][j]
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
func reflect(a [][]float64, b []float64, j int) bool {
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
	turn := func(at func(i int) *float64) {
		dot := 0.0
		for i := j; i < len(a); i++ {
			dot += v[i] * *at(i)
		}
		for i := j; i < len(a); i++ {
			*at(i) -= 2 * dot / length * v[i]
		}
	}
	for l := j; l < len(a[j]); l++ {
		turn(func(i int) *float64 { return &a[i][l] })
	}
	turn(func(i int) *float64 { return &b[i] })
	return true
}
