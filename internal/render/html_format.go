package render

import (
	"math"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// The page prints quantities as the other formats do (units.go). What stands
// here is what only a page needs: axis labels, and intervals in the unit of
// their value.

// tickRate labels a rate of one significant figure: "200 MB/s", "1 GB/s".
func tickRate(v float64) string {
	return tickOf(v, "B/s", []tickUnit{{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}})
}

// tickTime labels a tick of an axis of times in nanoseconds.
func tickTime(v float64) string {
	return tickOf(v, "ns", []tickUnit{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}})
}

type tickUnit struct {
	size float64
	name string
}

func tickOf(v float64, least string, units []tickUnit) string {
	for _, u := range units {
		if v >= u.size {
			return strconv.FormatFloat(v/u.size, 'g', 4, 64) + " " + u.name
		}
	}
	return strconv.FormatFloat(v, 'g', 4, 64) + " " + least
}

// htmlTime prints nanoseconds to four figures, and the interval in the same
// unit: exact intervals are often narrower than three figures show.
func htmlTime(e document.Estimate) (value, interval string) {
	factor, unit := 1.0, "ns"
	for _, next := range []string{"µs", "ms", "s"} {
		if math.Abs(e.Median) < 1000*factor {
			break
		}
		factor, unit = factor*1000, next
	}
	write := func(ns float64) string { return figures(ns/factor, 4) }
	value = write(e.Median) + " " + unit
	if e.Low != nil && e.High != nil {
		interval = "[" + write(*e.Low) + ", " + write(*e.High) + "]"
	}
	return value, interval
}

// figures prints a number with so many significant figures and no exponent.
func figures(v float64, n int) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	whole := int(math.Floor(math.Log10(math.Abs(v)))) + 1
	return strconv.FormatFloat(v, 'f', min(max(n-whole, 0), 9), 64)
}

// htmlBytes prints a size that was computed, and so is not round.
func htmlBytes(v float64) string { return layout.FormatSI(v, "B", "kB", "MB", "GB", "TB") }
