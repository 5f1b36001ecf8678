package check

import (
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/stat"
)

// The speed of a trial is its time over a reference's, paired by round; the value
// of a block is the median of its rounds' log ratios, as in stat.Compare.

const (
	// leastTolerance is the slowdown that is never called one: a rebuilt program
	// lies elsewhere in memory, and that alone moves a median by a few percent.
	leastTolerance = 0.03
	// mostTolerance is beyond what a trial is guarded coarsely: its runs differ so
	// much that 15 % could hide among them.
	mostTolerance = 0.08
	// blur is how much further than its tolerance a trial's interval may reach and
	// still count as fine. Tolerance and blur are the least resolution: a slowdown of
	// that much passes for fine in at most 1 of 100 checks.
	blur = 0.01
	// mostResolution is beyond what a trial is guarded coarsely too, and sharp is the
	// slowdown that must be excluded of every trial guarded otherwise in a check that
	// ends fine.
	mostResolution = 0.12
	sharp          = 0.15
	// mostCoarse is the resolution beyond what a trial is not guarded at all, and the
	// slowdown that must be excluded of those guarded coarsely.
	mostCoarse = 0.5
	// leeway is how much more than its baseline's noise a trial may show and count as
	// fine: what a check that goes as the baseline went would show, and half of it for
	// the distance between the medians of two such runs, which is more in 1 of 100.
	leeway = 1.5

	// fineLevel is the level at which one trial is found fine. It is not divided by
	// the number of trials: a check is fine if all of them are, so a slow one would
	// have to slip through its own test (the intersection-union principle: R. L.
	// Berger, Technometrics 24 (1982) 295).
	fineLevel = 0.99
	// looks is how often a trial may be looked at: what is not fine is measured
	// again. Each look has its part of the error.
	looks = 3
)

// blockRatios gives the median log ratio of other over base, block by block; NaN
// for a block without a usable round.
func blockRatios(base, other [][]float64) []float64 {
	medians := make([]float64, len(base))
	for i := range base {
		logs, _ := logRatios(base[i], other[i])
		medians[i] = stat.Median(logs) // NaN of none
	}
	return medians
}

// logRatios are those of the usable rounds of a block, and other's times in them.
func logRatios(base, other []float64) (ratios, times []float64) {
	for j := range base {
		if r := math.Log(other[j] / base[j]); !math.IsNaN(r) && !math.IsInf(r, 0) {
			ratios, times = append(ratios, r), append(times, other[j])
		}
	}
	return ratios, times
}

func usable(xs []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(xs), math.IsNaN)
}

// passSpread cuts a baseline's blocks into its passes in order of time and returns
// how far their medians lie apart, as a share. It is the run-to-run spread over
// the minute that the baseline took; of days it knows nothing, which is what
// leastTolerance is for.
func passSpread(blocks []float64) float64 {
	var medians []float64
	for k := range speedPasses {
		if part := usable(blocks[k*len(blocks)/speedPasses : (k+1)*len(blocks)/speedPasses]); len(part) > 0 {
			medians = append(medians, stat.Median(part))
		}
	}
	if len(medians) < 2 {
		return math.Inf(1)
	}
	return math.Expm1(slices.Max(medians) - slices.Min(medians))
}

// shift is how many times as long a trial takes now as in the baseline, with two
// intervals: one that holds for all trials of the check at once, from which it is
// called slower, and its own, from which it is called fine.
type shift struct {
	ratio      float64
	low, high  float64 // for all at once
	least, top float64 // its own
	ok         bool    // there are blocks enough for both
}

// compare sets the blocks of now against those of the baseline, for one of m trials.
// The level is that of the family (stat.FamilyLevel), and not one that grows with what is found
// (stat.CompareFamily): a single false word "slower" fails the gate, so the chance that there is any is what
// counts, and not the share of them among all. Each side's interval has half of the error, so the quotient of their ends has all.
func compare(base, now []float64, m int) (s shift) {
	base, now = usable(base), usable(now)
	if len(base) == 0 || len(now) == 0 {
		return s
	}
	var all, own bool
	s.ratio, s.low, s.high, all = quotient(base, now, stat.FamilyLevel(m*looks))
	_, s.least, s.top, own = quotient(base, now, 1-(1-fineLevel)/looks)
	s.ok = all && own
	return s
}

// quotient is how many times the median of now is that of base, both logarithms, with its interval.
func quotient(base, now []float64, level float64) (ratio, low, high float64, ok bool) {
	x, okX := stat.MedianInterval(base, level)
	y, okY := stat.MedianInterval(now, level)
	ratio = math.Exp(stat.Median(now) - stat.Median(base))
	return ratio, math.Exp(y.Low - x.High), math.Exp(y.High - x.Low), okX && okY
}

// precision is the slowdown that counts as none and the one that will show, as shares.
type precision struct {
	tolerance, resolution float64
	sharp                 bool // 15 % would be found
	ok                    bool // what hides in the noise is less than mostCoarse
}

// precisionOf derives it from a baseline's blocks, of one of m trials.
func precisionOf(blocks []float64, m int) (p precision) {
	p.tolerance = max(leastTolerance, passSpread(blocks))
	again := compare(blocks, blocks, m) // a check that goes as the baseline went
	p.resolution = max(p.tolerance, leeway*(again.top-1)) + blur
	p.sharp = again.ok && p.tolerance <= mostTolerance && p.resolution <= mostResolution && (1+sharp)*again.low > 1+p.tolerance
	p.ok = again.ok && p.resolution <= mostCoarse
	return p
}

func (s shift) judge(tolerance, resolution float64) Verdict {
	slow, fast := 1+tolerance, 1/(1+tolerance)
	switch {
	case !s.ok:
		return Inconclusive
	case s.low > slow:
		return Slower
	case s.high < fast:
		return Faster
	case s.top < 1+resolution:
		return Fine
	}
	return Inconclusive
}

// judgeLooks is the verdict over all looks at one of m trials. Slower is only what
// each look shows by itself as well, if not as surely: a neighbour who came for one
// of them shows in no other.
func judgeLooks(base []float64, looks [][]float64, tolerance, resolution float64, m int) Verdict {
	v := compare(base, slices.Concat(looks...), m).judge(tolerance, resolution)
	for _, now := range looks {
		if v == Slower && stat.Median(now)-stat.Median(base) <= math.Log1p(tolerance) {
			return Inconclusive
		}
	}
	return v
}
