package stat

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// MaxRMS is the root mean square of relative residuals above which a fit is
// refused: then time isn't affine in size, and a rate would be invented.
const MaxRMS = 0.15

// Fit is the cost model t(n) = Fixed + PerByte·n. It is usable when OK; else
// Reason says why not, and Fixed and PerByte are zero.
type Fit struct {
	Fixed    float64 // seconds per call
	PerByte  float64 // seconds per byte
	RMS      float64 // of log(measured/fitted) over the sizes kept; 0.02 reads 2 %
	OK       bool
	Reason   string
	Warnings []Warning
}

// Rate returns the asymptotic rate in bytes per second, 0 when the fit isn't OK.
func (f Fit) Rate() float64 {
	if !f.OK {
		return 0
	}
	return 1 / f.PerByte
}

// HalfSize returns n½, the bytes per call at which half the asymptotic rate is
// reached: Fixed/PerByte, 0 when the fit isn't OK. (R. W. Hockney and C. R.
// Jesshope, Parallel Computers 2, 1988, section 1.3.2.)
func (f Fit) HalfSize() float64 {
	if !f.OK {
		return 0
	}
	return f.Fixed / f.PerByte
}

// FitAffine fits t(n) = Fixed + PerByte·n with Fixed ≥ 0 to one time in seconds
// (a median) for each of three sizes in bytes or more. Pairs with a NaN are left
// out.
//
// Residuals are relative, log(t/t(n)), so that 64 B counts like 10 MiB; on the
// absolute scale the largest size alone would decide. The fit is robust: up to a
// quarter of the sizes may be off by anything. A size that departs from the
// others' line by 3 % and by seven times their spread is left out and named in
// the warning "outlier". The rest is fitted by least squares. If more than a
// quarter would have to go, none does, for then it is the line that is wrong.
//
// Refused are: fewer than three sizes, a time that can't be, an RMS above
// [MaxRMS], and a time that grows from the smallest to the largest size by less
// than 1 % or twice the RMS, or falls.
func FitAffine(n, seconds []float64) Fit {
	points, reason := logPoints(n, seconds)
	if reason != "" {
		return refuseFit(reason)
	}
	if countSizes(points) < 3 {
		return Fit{Reason: fmt.Sprintf("%d sizes are too few for a fit, which takes 3", countSizes(points))}
	}
	kept, warnings := dropOutliers(points)
	fit := leastSquares(kept)
	fit.Warnings = append(warnings, fit.Warnings...)
	return fit
}

func refuseFit(reason string) Fit {
	return Fit{Reason: reason, Warnings: []Warning{{CodeInvalid, reason}}}
}

// point is one size, with the logarithm of its time.
type point struct{ n, logTime float64 }

func logPoints(n, seconds []float64) (points []point, reason string) {
	if len(n) != len(seconds) {
		return nil, fmt.Sprintf("%d sizes with %d times", len(n), len(seconds))
	}
	for i, size := range n {
		switch {
		case math.IsNaN(size) || math.IsNaN(seconds[i]):
		case size < 0 || math.IsInf(size, 1) || !isTime(seconds[i]):
			return nil, fmt.Sprintf("%v bytes in %v s is no measurement", size, seconds[i])
		default:
			points = append(points, point{size, math.Log(seconds[i])})
		}
	}
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.n, b.n) })
	return points, ""
}

func countSizes(points []point) int { return different(points, func(p point) float64 { return p.n }) }

// With h = n½ the model is log t = log PerByte + log(n+h): for a given h the
// slope is a mere average of offsets, so one unknown is left to search, and all
// residuals are relative by construction.
func offsets(points []point, h float64, buffer []float64) []float64 {
	buffer = buffer[:0]
	for _, p := range points {
		buffer = append(buffer, p.logTime-math.Log(p.n+h))
	}
	return buffer
}

// dropOutliers returns the points that agree on a line, and names the others.
func dropOutliers(points []point) (kept []point, ws []Warning) {
	spare := len(points) / 4
	if spare == 0 {
		return points, nil
	}
	// The line that suits all but spare sizes best: least trimmed absolute
	// deviations (after P. J. Rousseeuw, JASA 79 (1984) 871), which no size can
	// pull, however far out and at whichever end.
	var buffer []float64
	h := searchHalfSize(points, func(h float64) float64 {
		buffer = offsets(points, h, buffer)
		deviations := fromMedian(buffer)
		slices.Sort(deviations)
		return sum(deviations[:len(deviations)-spare])
	})
	departures := offsets(points, h, nil)
	centre(departures, nil)
	kept, names := withoutOutliers(points, departures, 2,
		func(p point, percent float64) string { return fmt.Sprintf("%.0f bytes (%+.3g %%)", p.n, percent) })
	if len(names) == 0 || countSizes(kept) < 3 {
		return points, nil
	}
	return kept, []Warning{warn(CodeOutlier, "sizes off the line of the others and left out: %s", strings.Join(names, ", "))}
}

// leastSquares fits sorted points of three sizes or more, and judges the fit.
func leastSquares(points []point) Fit {
	var buffer []float64
	h := searchHalfSize(points, func(h float64) float64 {
		buffer = offsets(points, h, buffer)
		_, rms := meanAndRMS(buffer)
		return rms
	})
	mean, rms := meanAndRMS(offsets(points, h, buffer))
	perByte := math.Exp(mean)
	fixed := h * perByte
	// NaN and overflow fail the comparison, too.
	if !(perByte > 0 && 1/perByte <= math.MaxFloat64 && fixed <= math.MaxFloat64) {
		return refuseFit("sizes or times too large to fit")
	}
	smallest, largest := points[0].n, points[len(points)-1].n
	growth := math.Log(largest+h) - math.Log(smallest+h)
	switch {
	case rms > MaxRMS:
		return Fit{RMS: rms, Reason: fmt.Sprintf("time is not affine in size: residuals of %.0f %% (rms); the limit is %.0f %%", 100*rms, 100*MaxRMS)}
	case growth <= max(0.01, 2*rms):
		return Fit{RMS: rms, Reason: "time hardly grows with size, or falls: no rate can be told"}
	}
	f := Fit{Fixed: fixed, PerByte: perByte, RMS: rms, OK: true}
	if smallest > 0 && math.Log1p(h/smallest) <= 2*rms {
		f.Warnings = []Warning{warn(CodeFixed, "the fixed cost is within the residuals, even at %.0f bytes: smaller sizes would show it", smallest)}
	}
	return f
}

// meanAndRMS are of the distances from the mean.
func meanAndRMS(xs []float64) (mean, rms float64) {
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	for _, x := range xs {
		rms += (x - mean) * (x - mean) / float64(len(xs))
	}
	return mean, math.Sqrt(rms)
}

// searchHalfSize returns the h ≥ 0 of least cost: on a grid of ten to the
// decade, from far below the smallest size (no fixed cost that could be seen) to
// far above the largest (no growth that could be seen), then between the
// neighbours of the best by golden section. A cost of NaN is never the least.
func searchHalfSize(points []point, cost func(h float64) float64) float64 {
	smallest := points[slices.IndexFunc(points, func(p point) bool { return p.n > 0 })].n
	low := math.Log(smallest) - 9*math.Ln10
	high := math.Log(points[len(points)-1].n) + 6*math.Ln10
	steps := int(math.Ceil((high - low) / math.Ln10 * 10))

	best, least := 0.0, cost(0)
	if math.IsNaN(least) {
		least = math.Inf(1)
	}
	at := low
	for i := range steps + 1 {
		x := low + (high-low)*float64(i)/float64(steps)
		if c := cost(math.Exp(x)); c < least {
			best, least, at = math.Exp(x), c, x
		}
	}
	width := (high - low) / float64(steps)
	x := goldenSection(func(x float64) float64 { return cost(math.Exp(x)) }, at-width, at+width)
	if cost(math.Exp(x)) < least {
		return math.Exp(x)
	}
	return best
}

// goldenSection returns the minimum of a function with a single one between a
// and b, to a part in 10⁹ (J. Kiefer, Proc. AMS 4 (1953) 502).
func goldenSection(f func(float64) float64, a, b float64) float64 {
	const part = 1 / math.Phi
	c, d := b-part*(b-a), a+part*(b-a)
	fc, fd := f(c), f(d)
	for b-a > 1e-9 {
		if fc < fd {
			b, d, fd = d, c, fc
			c = b - part*(b-a)
			fc = f(c)
		} else {
			a, c, fc = c, d, fd
			d = a + part*(b-a)
			fd = f(d)
		}
	}
	return (a + b) / 2
}
