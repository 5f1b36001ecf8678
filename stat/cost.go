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
	lengths := different(kept, func(w Work) float64 { return w.Bytes / w.Messages })
	if need := m.terms() + 1; len(kept) < need || lengths < 2 {
		return Cost{Reason: fmt.Sprintf("%d readings at %d message lengths are too few for a fit: it takes %d at 2 or more", len(kept), lengths, need)}
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
type costTerms []float64

func (t costTerms) of(w Work) float64 { return t[0]*w.Calls + t[1]*w.Messages + t[2]*w.Bytes }

// costModel is which terms can be told apart.
type costModel struct{ merged bool }

func (m costModel) terms() int {
	if m.merged {
		return 2
	}
	return 3
}

// least returns the terms of least weighted squares, none below zero.
func (m costModel) least(work []Work, weight []float64) (costTerms, bool) {
	subsets := [][]int{{1}, {2}, {1, 2}}
	if !m.merged {
		subsets = [][]int{{0}, {1}, {0, 1}, {2}, {0, 2}, {1, 2}, {0, 1, 2}}
	}
	rows, want := make([][]float64, len(work)), make([]float64, len(work))
	for i, w := range work {
		rows[i] = []float64{w.Calls * weight[i], w.Messages * weight[i], w.Bytes * weight[i]}
		want[i] = w.Seconds * weight[i]
	}
	return nonNegative(rows, want, subsets)
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
	t, ok := m.absolute(work)
	if len(work) < 4 || !ok {
		return work, nil
	}
	kept, names := withoutOutliers(work, t.departures(work), m.terms(), func(w Work, percent float64) string {
		return fmt.Sprintf("%.0f bytes in %.0f calls (%+.3g %%)", w.Bytes, w.Calls, percent)
	})
	if len(names) == 0 || len(kept) <= m.terms() {
		return work, nil
	}
	return kept, []Warning{warn(CodeOutlier, "off the model of the others and left out: %s", strings.Join(names, ", "))}
}

// departures are the logarithms of measured over fitted.
func (t costTerms) departures(work []Work) []float64 {
	logs := make([]float64, len(work))
	for i, w := range work {
		logs[i] = math.Log(w.Seconds / t.of(w))
	}
	return logs
}

// judged fits, and says whether the fit may be used.
func (m costModel) judged(work []Work) Cost {
	t, ok := m.fit(work)
	if !ok {
		return refuseCost("no model of calls, messages and bytes has these times")
	}
	rms, share := rootMeanSquare(t.departures(work)), 0.0
	for _, w := range work {
		share = max(share, t[2]*w.Bytes/t.of(w))
	}
	switch {
	case !(rms <= MaxRMS):
		return Cost{Merged: m.merged, RMS: rms, Reason: fmt.Sprintf("time is not a sum of calls, messages and bytes: "+
			"residuals of %.0f %% (rms); the limit is %.0f %%", 100*rms, 100*MaxRMS)}
	case share <= max(0.01, 2*rms):
		return Cost{Merged: m.merged, RMS: rms, Reason: "time hardly grows with the bytes: no price of one can be told"}
	}
	return Cost{PerCall: t[0], PerMessage: t[1], PerByte: t[2], Merged: m.merged, RMS: rms, OK: true}
}
