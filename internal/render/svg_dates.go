package render

import (
	"math"
	"slices"
	"time"
)

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
