package render

import (
	"math"
	"slices"
	"time"
)

// logScale maps values to shares of an axis, equal ratios to equal lengths.
type logScale struct {
	lo, hi float64
}

// at is where a value stands, 0 at the low end and 1 at the high one. Values
// beyond the ends are drawn at the end.
func (s logScale) at(v float64) float64 {
	if !(v > 0) || !(s.hi > s.lo) {
		return 0
	}
	share := math.Log(v/s.lo) / math.Log(s.hi/s.lo)
	return min(max(share, 0), 1)
}

// covering is the scale over positive finite values, with a share of its length
// left free at both ends.
func covering(values []float64, free float64) logScale {
	lo, hi := math.Inf(1), 0.0
	for _, v := range values {
		if v > 0 && !math.IsInf(v, 0) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if hi == 0 {
		return logScale{1, 10}
	}
	if lo == hi {
		lo, hi = lo/1.5, hi*1.5
	}
	pad := math.Pow(hi/lo, free)
	return logScale{lo / pad, hi * pad}
}

func (s logScale) ticks(candidates []float64) []float64 {
	outside := func(v float64) bool { return v < s.lo*(1-1e-9) || v > s.hi*(1+1e-9) }
	return slices.DeleteFunc(slices.Clone(candidates), outside)
}

// nearest is the smallest distance between neighbouring ticks, as a share of the axis.
func (s logScale) nearest(ticks []float64) float64 {
	d := 1.0
	for i := 1; i < len(ticks); i++ {
		d = min(d, s.at(ticks[i])-s.at(ticks[i-1]))
	}
	return d
}

// sizeTicks are the sizes that were measured, where their labels fit beside
// each other; else the powers of two, sixteen or 1024 among them.
func sizeTicks(s logScale, measured []float64) []float64 {
	const room = 0.13 // a label is about an eighth of a phone's chart
	sizes := slices.Compact(slices.Sorted(slices.Values(measured)))
	if s.nearest(sizes) >= room {
		return sizes
	}
	for _, step := range []int{1, 2, 4, 10} {
		var powers []float64
		for e := 0; e <= 50; e += step {
			powers = append(powers, math.Exp2(float64(e)))
		}
		if on := s.ticks(powers); len(on) > 1 && s.nearest(on) >= room {
			return on
		}
	}
	return []float64{sizes[0], sizes[len(sizes)-1]}
}

// rateScale covers rates and ends on whole ticks; its ticks are 1, 2, 5 in
// every decade, the decades where those would stand too close, or more where
// they would be the two ends alone.
func rateScale(rates []float64) (logScale, []float64) {
	s := covering(rates, 0.03)
	var finest, fine, decades []float64
	for e := -3; e <= 15; e++ {
		p := math.Pow10(e)
		finest = append(finest, p, 1.2*p, 1.5*p, 2*p, 3*p, 4*p, 5*p, 7*p)
		fine = append(fine, p, 2*p, 5*p)
		decades = append(decades, p)
	}
	s.lo, s.hi = outward(fine, s)
	switch on := s.ticks(fine); {
	case len(on) < 3:
		return s, s.ticks(finest)
	case len(on) <= 8:
		return s, on
	}
	return s, s.ticks(decades)
}

// outward moves a scale's ends to the nearest tick outside.
func outward(ticks []float64, s logScale) (lo, hi float64) {
	lo, hi = s.lo, s.hi
	for _, v := range ticks {
		if v <= s.lo {
			lo = v
		}
	}
	for _, v := range slices.Backward(ticks) {
		if v >= s.hi {
			hi = v
		}
	}
	return lo, hi
}

// ratioSteps are ticks for ratios, from coarse to fine.
var ratioSteps = [][]float64{
	{0.0001, 0.01, 1, 100, 10000},
	{0.001, 0.01, 0.1, 1, 10, 100, 1000},
	{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100},
	{0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50},
	{0.125, 0.25, 0.5, 1, 2, 4, 8},
	{0.3, 0.5, 0.7, 1, 1.5, 2, 3},
	{0.4, 0.5, 0.6, 0.8, 1, 1.25, 1.5, 2, 2.5},
	{0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2},
	{0.94, 0.96, 0.98, 1, 1.02, 1.04, 1.06},
	{0.97, 0.98, 0.99, 1, 1.01, 1.02, 1.03},
}

// ratioTicks are the finest of ratioSteps whose labels fit.
func ratioTicks(s logScale) []float64 {
	const room = 0.12
	best := []float64{1}
	for _, step := range ratioSteps {
		if on := s.ticks(step); len(on) >= len(best) && s.nearest(on) >= room {
			best = on
		}
	}
	return best
}

// dateScale maps moments to shares of an axis, equal times to equal lengths.
type dateScale struct{ from, to float64 }

func (s dateScale) at(v float64) float64 {
	if !(s.to > s.from) {
		return 0.5
	}
	return min(max((v-s.from)/(s.to-s.from), 0), 1)
}

// covers is the scale over moments, with a share of its length left free at both ends.
func covers(moments []float64, free float64) dateScale {
	from, to := slices.Min(moments), slices.Max(moments)
	pad := (to - from) * free
	if from == to {
		pad = 12 * time.Hour.Seconds()
	}
	return dateScale{from - pad, to + pad}
}

func moment(v float64) time.Time { return time.Unix(int64(math.Round(v)), 0).UTC() }

// dateSteps are distances between labels, from fine to coarse, and how their moments are written.
var dateSteps = []struct {
	years, months, days int
	hours               int
	layout              string
}{
	{hours: 1, layout: "15:04"}, {hours: 3, layout: "15:04"}, {hours: 6, layout: "01-02 15:04"}, {hours: 12, layout: "01-02 15:04"},
	{days: 1, layout: "01-02"}, {days: 2, layout: "01-02"}, {days: 7, layout: "01-02"}, {days: 14, layout: "01-02"},
	{months: 1, layout: "2006-01"}, {months: 3, layout: "2006-01"}, {months: 6, layout: "2006-01"},
	{years: 1, layout: "2006"}, {years: 2, layout: "2006"}, {years: 5, layout: "2006"}, {years: 10, layout: "2006"},
}

// dateTicks are the finest whole hours, days, months or years whose labels fit, and how they are written.
func dateTicks(s dateScale) (ticks []float64, label func(float64) string) {
	const most = 6 // labels of ten letters on a phone
	for _, step := range dateSteps {
		at := moment(s.from)
		switch {
		case step.years > 0:
			at = time.Date(at.Year()-at.Year()%step.years, 1, 1, 0, 0, 0, 0, time.UTC)
		case step.months > 0:
			at = time.Date(at.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
		default:
			at = time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
		}
		ticks = nil
		for ; float64(at.Unix()) <= s.to && len(ticks) <= most; at = at.AddDate(step.years, step.months, step.days).Add(time.Duration(step.hours) * time.Hour) {
			if v := float64(at.Unix()); v >= s.from {
				ticks = append(ticks, v)
			}
		}
		if len(ticks) <= most {
			return ticks, func(v float64) string { return moment(v).Format(step.layout) }
		}
	}
	return []float64{s.from}, func(v float64) string { return moment(v).Format(time.DateOnly) }
}
