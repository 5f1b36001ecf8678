package stat

import (
	"fmt"
	"math"
	"slices"
)

// PowerFit is the growth t(x) = Factor·x^Exponent. It is usable when OK; else
// Reason says why not, and the rest is zero but for RMS.
type PowerFit struct {
	Exponent  float64
	Low, High float64 // how far the exponent can be moved, see [FitPower]
	Factor    float64 // seconds at x = 1
	RMS       float64 // of log(measured/fitted); 0.02 reads 2 %
	OK        bool
	Reason    string
}

// At is the fitted time at x, 0 when the fit isn't OK.
func (f PowerFit) At(x float64) float64 {
	if !f.OK {
		return 0
	}
	return f.Factor * math.Pow(x, f.Exponent)
}

// Span is a measured time with its interval, in seconds. Where there is none Low
// and High equal Median.
type Span struct{ Median, Low, High float64 }

// FitPower fits a power law to one time for each of three different x or more, by
// least squares of the logarithms, so that residuals are relative.
//
// Few lengths are never on one line, and with three or four of them a standard
// error says little. So the uncertainty is stated as what it is: the exponents from
// Low to High come out when any one x is left out and every time is moved anywhere
// within its interval. A law that holds has a narrow range; one that bends has a
// wide one, even where the times are exact.
//
// Refused are: fewer than three different x, a value that can't be, and an RMS
// above [MaxRMS].
func FitPower(x []float64, times []Span) PowerFit {
	if len(x) != len(times) {
		return PowerFit{Reason: fmt.Sprintf("%d values with %d times", len(x), len(times))}
	}
	for i, t := range times {
		if !(x[i] > 0) || math.IsInf(x[i], 1) || !isTime(t.Median) || !isTime(t.Low) || !isTime(t.High) || t.Low > t.Median || t.High < t.Median {
			return PowerFit{Reason: fmt.Sprintf("%v in %v s (%v–%v) is no measurement", x[i], t.Median, t.Low, t.High)}
		}
	}
	if n := different(x, func(x float64) float64 { return x }); n < 3 {
		return PowerFit{Reason: fmt.Sprintf("%d values are too few for a power law, which takes 3", n)}
	}
	slope, middle, _ := loglog(x, times)
	fit := PowerFit{Exponent: slope, Low: slope, High: slope}
	logs := make([]float64, len(x))
	for i, t := range times {
		logs[i] = math.Log(t.Median) - middle - slope*math.Log(x[i])
	}
	if fit.RMS = rootMeanSquare(logs); fit.RMS > MaxRMS {
		return PowerFit{RMS: fit.RMS, Reason: fmt.Sprintf("the times depart from a power law by %.0f %% (rms)", 100*fit.RMS)}
	}
	fit.Factor, fit.OK = math.Exp(middle), true
	for leave := range len(x) + 1 { // the last leaves out none
		slope, _, reach := loglog(without(x, leave), without(times, leave))
		if !math.IsNaN(slope) {
			fit.Low, fit.High = min(fit.Low, slope-reach), max(fit.High, slope+reach)
		}
	}
	return fit
}

func without[T any](xs []T, i int) []T {
	if i >= len(xs) {
		return xs
	}
	return slices.Delete(slices.Clone(xs), i, i+1)
}

// loglog is the line through the logarithms: its slope, where it stands at x = 1,
// and how far the slope moves when every time moves to the worse end of its
// interval. The slope is a sum of the logarithms with weights, so that the worst is
// a sum as well. It is NaN where all x are the same.
func loglog(x []float64, times []Span) (slope, middle, reach float64) {
	meanX, meanT, n := 0.0, 0.0, float64(len(x))
	for i := range x {
		meanX += math.Log(x[i]) / n
		meanT += math.Log(times[i].Median) / n
	}
	square := 0.0
	for i := range x {
		d := math.Log(x[i]) - meanX
		square += d * d
	}
	if square == 0 {
		return math.NaN(), 0, 0
	}
	for i, t := range times {
		weight := (math.Log(x[i]) - meanX) / square
		slope += weight * math.Log(t.Median)
		reach += math.Abs(weight) * math.Log(max(t.High/t.Median, t.Median/t.Low))
	}
	return slope, meanT - slope*meanX, reach
}
