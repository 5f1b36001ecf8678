package stat

import (
	"fmt"
	"math"
	"slices"
)

// LeastCPUs is the number of CPUs from which on a scaling law can be told from a
// straight line: with two even a program that scales perfectly, slowed by what two
// busy CPUs share, fits a serial share of nearly a half.
const LeastCPUs = 4

// Scaling is the Universal Scalability Law of N. J. Gunther (Guerrilla Capacity
// Planning, 2007, chapter 4): X(n) = Alone·n / (1 + Serial·(n−1) + Crosstalk·n·(n−1)).
// It is usable when OK; else Reason says why not, and the terms are zero.
type Scaling struct {
	Alone     float64 // X(1), in the unit of the rates
	Serial    float64 // σ, the share of the work that only one worker at a time can do
	Crosstalk float64 // κ, what each pair of workers costs each other
	RMS       float64 // of log(measured/fitted) over the counts kept
	OK        bool
	Reason    string
	Warnings  []Warning
}

// Peak is the number of workers beyond which more of them do less; +Inf where
// there is none. 0 when the fit isn't OK.
func (s Scaling) Peak() float64 {
	switch {
	case !s.OK:
		return 0
	case s.Crosstalk == 0:
		return math.Inf(1)
	}
	return max(1, math.Sqrt(max(0, 1-s.Serial)/s.Crosstalk))
}

// FitScaling fits the law to the rate that each number of workers reached. Counts
// above the number of CPUs are left out, since there workers wait for a CPU and
// not for each other.
//
// The law is linear in n/X: n/X = a + b·(n−1) + c·n·(n−1), a = 1/Alone, b = a·Serial,
// c = a·Crosstalk, none of them negative. It is fitted by least squares of relative
// residuals. Up to a quarter of the counts may be off by anything: one that departs
// by more than 3 % from a fit without it, which is three times as close as a fit
// with it, is left out and named in the warning "outlier".
//
// Refused are: fewer than [LeastCPUs] CPUs or different counts up to them, a rate
// that can't be, and an RMS above [MaxRMS].
func FitScaling(workers, rates []float64, cpus int) Scaling {
	if cpus < LeastCPUs {
		return Scaling{Reason: fmt.Sprintf("a scaling law takes %d CPUs to fit, and there are %d", LeastCPUs, cpus)}
	}
	points, reason := scalePoints(workers, rates, cpus)
	if reason != "" {
		return Scaling{Reason: reason, Warnings: []Warning{{CodeInvalid, reason}}}
	}
	if n := distinctCounts(points); n < LeastCPUs {
		return Scaling{Reason: fmt.Sprintf("a scaling law takes rates of %d different numbers of workers up to the CPUs, and there are %d",
			LeastCPUs, n)}
	}
	kept, warnings := dropScaleOutliers(points)
	s := fitScale(kept)
	s.Warnings = warnings
	if s.RMS > MaxRMS {
		return Scaling{RMS: s.RMS, Warnings: warnings,
			Reason: fmt.Sprintf("the rates depart from the law by %.0f %%, more than %.0f %%", 100*s.RMS, 100*MaxRMS)}
	}
	s.OK = true
	return s
}

// scalePoint is a number of workers and their rate.
type scalePoint struct{ n, rate float64 }

func scalePoints(workers, rates []float64, cpus int) (points []scalePoint, reason string) {
	if len(workers) != len(rates) {
		return nil, fmt.Sprintf("%d numbers of workers with %d rates", len(workers), len(rates))
	}
	for i, n := range workers {
		switch x := rates[i]; {
		case math.IsNaN(n) || math.IsNaN(x) || n > float64(cpus):
		case n < 1 || !(x > 0) || math.IsInf(x, 1):
			return nil, fmt.Sprintf("%v workers at a rate of %v is no measurement", n, x)
		default:
			points = append(points, scalePoint{n, x})
		}
	}
	return points, ""
}

func distinctCounts(points []scalePoint) int {
	return different(points, func(p scalePoint) float64 { return p.n })
}

// dropScaleOutliers leaves out what can't be on the curve of the others.
func dropScaleOutliers(points []scalePoint) (kept []scalePoint, warnings []Warning) {
	kept = slices.Clone(points)
	for range len(points) / 4 {
		whole, best, at := fitScale(kept), Scaling{RMS: math.Inf(1)}, -1
		for i := range kept {
			rest := slices.Delete(slices.Clone(kept), i, i+1)
			if distinctCounts(rest) < LeastCPUs {
				continue
			}
			if s := fitScale(rest); s.RMS < best.RMS {
				best, at = s, i
			}
		}
		if at < 0 {
			break
		}
		off := math.Abs(math.Log(kept[at].rate / best.rate(kept[at].n)))
		if off < 0.03 || whole.RMS < 3*best.RMS {
			break
		}
		warnings = append(warnings, Warning{CodeOutlier, fmt.Sprintf("the rate of %v workers is %.0f %% off the others' curve and was left out", kept[at].n, 100*off)})
		kept = slices.Delete(kept, at, at+1)
	}
	return kept, warnings
}

func (s Scaling) rate(n float64) float64 {
	return s.Alone * n / (1 + s.Serial*(n-1) + s.Crosstalk*n*(n-1))
}

// fitScale finds w, none of it negative, so that w·(1, n−1, n(n−1)) is n/X for every
// point, in relative terms.
func fitScale(points []scalePoint) Scaling {
	rows, want := make([][]float64, len(points)), make([]float64, len(points))
	for i, p := range points {
		scale := p.rate / p.n
		rows[i], want[i] = []float64{scale, scale * (p.n - 1), scale * p.n * (p.n - 1)}, 1
	}
	w, ok := nonNegative(rows, want, [][]int{{0, 1, 2}, {0, 1}, {0, 2}, {0}})
	if !ok || w[0] <= 0 {
		return Scaling{RMS: math.Inf(1)}
	}
	s := Scaling{Alone: 1 / w[0], Serial: w[1] / w[0], Crosstalk: w[2] / w[0]}
	logs := make([]float64, len(points))
	for i, p := range points {
		logs[i] = math.Log(p.rate / s.rate(p.n))
	}
	s.RMS = rootMeanSquare(logs)
	return s
}
