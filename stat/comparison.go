package stat

import (
	"math"
	"slices"
)

// Verdict is the answer of a [Comparison], about the other against the base.
type Verdict string

// The verdicts. Compare gives Inconclusive where the interval does not decide,
// or there is none.
const (
	Faster       Verdict = "faster"
	Slower       Verdict = "slower"
	Same         Verdict = "same"
	Inconclusive Verdict = "inconclusive"
)

const (
	// Margin is the difference in speed that counts as none: ratios from
	// 1/(1+Margin) to 1+Margin. Its ends are reciprocal, so that swapping the
	// two sides swaps Faster and Slower and nothing else.
	Margin = 0.005

	// MinFloor is the least noise floor. A single A/A pair may agree better by
	// luck than two workers do.
	MinFloor = 0.002

	floorLevel = 0.95
)

// Comparison is the speed of one trial against another's.
type Comparison struct {
	Ratio     float64 // other's speed over base's, which is base's time over other's
	Low, High float64 // interval for it, widened by the noise floor
	Asked     float64 // confidence level asked
	Level     float64 // confidence level that the interval reaches before widening
	Verdict   Verdict
	Stands    float64 // the highest level at which the verdict holds; 0 where there is none
	OK        bool    // Level is at least the level asked; else there is no verdict
	Blocks    int     // blocks in which at least one round has both sides
	Warnings  []Warning
}

// Compare sets other against base, in seconds per call, paired by round:
// base[i][j] and other[i][j] were measured in round j of block i, next to each
// other, so that what moves the machine moves both and leaves their ratio. NaN
// on either side discards the round. Blocks may differ in length; a round, or a
// block, that only one side has is left out with a warning.
//
// A block's value is the median of its rounds' log ratios, the result the median
// of the blocks, and the interval that of the sign test at level ([CompareFamily] chooses
// that of many), widened at both ends by the factor
// 1+floor. The verdict is [Faster] or [Slower] when the widened interval lies
// wholly outside the [Margin], [Same] when wholly inside it.
func Compare(base, other [][]float64, level, floor float64) Comparison {
	if w, ok := checkSettings(level, floor); !ok {
		return refuseComparison(w)
	}
	p, w, ok := pairRounds(base, other)
	if !ok {
		return refuseComparison(w)
	}
	e := estimateMedian(p.medians, level)
	c := Comparison{Verdict: Inconclusive, OK: e.ok, Asked: level, Level: e.Level, Blocks: len(p.medians)}
	c.Warnings = append(p.warnings(), e.warnings...)
	if c.Blocks == 0 {
		return c
	}
	c.Ratio = math.Exp(e.median)
	c.Low, c.High = widened(e.Low, e.High, floor)
	if c.Low == 0 || math.IsInf(c.High, 1) {
		return refuseComparison(warn(CodeInvalid, "a ratio of %v widened by %v overflows", c.Ratio, floor))
	}
	if c.OK {
		c.Verdict = judge(c.Low, c.High)
	}
	if c.Verdict != Inconclusive {
		c.Stands = stands(c.Verdict, p.medians, floor)
	}
	c.Warnings = append(c.Warnings, p.doubt(p.medians, p.spreads, floor)...)
	return c
}

func refuseComparison(w Warning) Comparison {
	return Comparison{Verdict: Inconclusive, Warnings: []Warning{w}}
}

// widened turns an interval of log ratios into one of ratios.
func widened(low, high, floor float64) (float64, float64) {
	return math.Exp(low) / (1 + floor), math.Exp(high) * (1 + floor)
}

func judge(low, high float64) Verdict {
	const slowest, fastest = 1 / (1 + Margin), 1 + Margin
	switch {
	case low > fastest:
		return Faster
	case high < slowest:
		return Slower
	case low >= slowest && high <= fastest:
		return Same
	}
	return Inconclusive
}

// NoiseFloor returns the relative difference that two trials of this run show
// without there being one: the greater of [MinFloor] and the distance from 1 of
// the ratio of a and b, one subject measured as two, between two workers. Shape
// and pairing are those of [Compare].
//
// The ratio counts when it is shown, that is when its own exact interval at 95 %
// leaves out 1, or there are too few blocks for one. How blocks scatter is in
// every interval already; the floor is for what all blocks share, which no
// interval sees. Simulated (TestSimulatedFloors), 15 × 7 rounds, intervals at
// 99 %, the worst of biases from 0.5 to 2 % shared by all blocks:
//
//	                                without bias   at the worst bias
//	floor                           +2 % found     covered   false verdicts
//	MinFloor alone                  94.8 %           0.1 %       95.5 %
//	the ratio always                90.8 %          97.1 %        0.1 %
//	the ratio if shown at 99 %      94.7 %          86.9 %        1.9 %
//	the ratio if shown at 95 %      94.2 %          92.3 %        0.4 %
//	the far end of its interval     26.2 %         100.0 %        0.0 %
//
// The fourth is the one that loses no power and keeps false verdicts under the
// 1 % promised, whatever the bias.
//
// Without a usable round nothing is shown and the answer is MinFloor: a caller
// that planned the pair must see that it ran. Times that can't be give NaN,
// which Compare and Summarize refuse.
func NoiseFloor(a, b [][]float64) float64 {
	p, _, ok := pairRounds(a, b)
	if !ok {
		return math.NaN()
	}
	e := estimateMedian(p.medians, floorLevel)
	if len(p.medians) == 0 || e.ok && e.Low <= 0 && 0 <= e.High {
		return MinFloor
	}
	return max(MinFloor, math.Expm1(math.Abs(e.median)))
}

// pairing is the log ratio of two trials, block by block, and what was lost on
// the way.
type pairing struct {
	blockMedians
	discarded int // rounds with a NaN
	unpaired  int // samples without a partner
}

func pairRounds(base, other [][]float64) (p pairing, w Warning, ok bool) {
	blocks := min(len(base), len(other))
	for i := range blocks {
		rounds := min(len(base[i]), len(other[i]))
		p.unpaired += max(len(base[i]), len(other[i])) - rounds
		for j := range rounds {
			x, y := base[i][j], other[i][j]
			if math.IsNaN(x) || math.IsNaN(y) {
				p.discarded++
				continue
			}
			ratio := x / y
			if !isTime(x) || !isTime(y) || !isTime(ratio) {
				return p, warn(CodeInvalid, "block %d, round %d: %v s against %v s, which no clock shows", i, j, x, y), false
			}
			p.values = append(p.values, math.Log(ratio))
		}
		p.endBlock()
	}
	for _, block := range slices.Concat(base[blocks:], other[blocks:]) {
		p.unpaired += len(block)
	}
	return p, Warning{}, true
}

func (p *pairing) warnings() (ws []Warning) {
	if p.discarded > 0 {
		ws = append(ws, warn(CodeDiscarded, "%d of %d rounds were discarded", p.discarded, p.discarded+p.samples))
	}
	if p.unpaired > 0 {
		ws = append(ws, warn(CodeUnpaired, "%d samples have no partner in their round and were left out", p.unpaired))
	}
	return ws
}

// FamilyLevel returns 1 − 0.01/m, the level at which each of m comparisons is
// made so that the whole table shows a false verdict in at most 1 % of runs
// (Bonferroni's inequality, so for comparisons that depend on each other, too).
// An m below 1 counts as 1.
func FamilyLevel(m int) float64 { return 1 - 0.01/float64(max(m, 1)) }

// Pair is a comparison to make: of other against base, as [Compare] takes them.
type Pair struct {
	Base, Other [][]float64
	Headline    bool // it is of the family
}

// CompareFamily makes comparisons whose verdicts are read together. m is how many headline
// comparisons were declared, whether or not all of them are among the pairs. Of the verdicts
// that it gives to these, at most 1 in 100 is expected to be wrong.
//
// The level is that of Benjamini and Hochberg, for intervals: the greatest R in m…1 such that
// at level 1 − 0.01·R/m at least R of the headline comparisons are decided; where there is
// none, R is 1. What is decided at that level has its interval and its verdict there; every
// other comparison has its interval at 99 % and no verdict. Pairs that are no headline are held
// to the same level. Where most comparisons are decided it is near 99 %, so that an interval
// hardly suffers from its neighbours; where none is, it is [FamilyLevel] of m.
//
// Simulated (TestSimulatedFamilies), m = 11, 12 blocks of 4 rounds: no more than 0.3 % of the
// verdicts are wrong, whether all, half or none of the pairs are equal. Each at 99 %, 3.5 % of
// the families of equal pairs show a false verdict, and 0.13 % do so.
//
// Reference: Y. Benjamini and D. Yekutieli, False Discovery Rate–Adjusted Multiple Confidence
// Intervals for Selected Parameters, JASA 100 (2005) 71.
func CompareFamily(pairs []Pair, m int, floor float64) []Comparison {
	cs := make([]Comparison, len(pairs))
	var stand []float64
	for i, p := range pairs {
		cs[i] = Compare(p.Base, p.Other, RowLevel, floor)
		if p.Headline {
			stand = append(stand, cs[i].Stands)
		}
	}
	level := sharedLevel(max(m, 1), stand)
	for i, p := range pairs {
		if c := &cs[i]; c.Stands >= level {
			*c = Compare(p.Base, p.Other, level, floor)
		} else {
			c.Verdict = Inconclusive
		}
	}
	return cs
}

// sharedLevel is the level of a family of m, of which some are decided up to the levels given.
func sharedLevel(m int, stand []float64) float64 {
	slices.Sort(stand)
	slices.Reverse(stand)
	for r := min(m, len(stand)); r > 1; r-- {
		if level := 1 - 0.01*float64(r)/float64(m); stand[r-1] >= level {
			return level
		}
	}
	return FamilyLevel(m)
}

// stands is the highest level at which the blocks give the verdict: of the widest of the
// intervals that do.
func stands(v Verdict, medians []float64, floor float64) float64 {
	sorted := slices.Sorted(slices.Values(medians))
	n, tail := len(sorted), 0.0
	p := math.Ldexp(1, -n) // that exactly k of the blocks lie on one side
	for k := range n / 2 {
		tail += p
		if low, high := widened(sorted[k], sorted[n-1-k], floor); judge(low, high) == v {
			return 1 - 2*tail
		}
		p *= float64(n-k) / float64(k+1)
	}
	return 0
}
