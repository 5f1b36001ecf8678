package stat

import (
	"math"
	"slices"
)

// Summary is one trial in numbers. Times are in the unit of the samples,
// seconds per call.
type Summary struct {
	Median    float64 // of the block medians
	Low, High float64 // interval for it, widened by the noise floor
	Level     float64 // confidence level that the interval reaches before widening
	OK        bool    // Level is at least the level asked
	Blocks    int     // blocks that had a sample
	Samples   int     // samples used
	Warnings  []Warning
}

// Summarize describes one trial. blocks[i] holds the samples of block i in time
// order, NaN where one was discarded; blocks may be of any length, and an empty
// one is left out. level is that of the interval (0.99 for a row), floor the
// relative noise floor (see [NoiseFloor]) by which it is widened: Low is divided
// by 1+floor, High multiplied.
//
// With fewer than [MinBlocks] blocks OK is false and Low and High are the widest interval that they
// allow, from the least block median to the greatest, at the Level that it has.
func Summarize(blocks [][]float64, level, floor float64) Summary {
	if w, ok := checkSettings(level, floor); !ok {
		return Summary{Warnings: []Warning{w}}
	}
	var b blockMedians
	discarded := 0
	for i, block := range blocks {
		for j, seconds := range block {
			switch {
			case isTime(seconds):
				b.values = append(b.values, seconds)
			case math.IsNaN(seconds):
				discarded++
			default:
				return Summary{Warnings: []Warning{warn(CodeInvalid, "block %d, round %d took %v s, which no clock shows", i, j, seconds)}}
			}
		}
		b.endBlock()
	}
	return b.summary(level, floor, discarded)
}

func (b *blockMedians) summary(level, floor float64, discarded int) Summary {
	s := Summary{Blocks: len(b.medians), Samples: b.samples}
	if discarded > 0 {
		s.Warnings = append(s.Warnings, warn(CodeDiscarded, "%d of %d samples were discarded", discarded, discarded+b.samples))
	}
	e := estimateMedian(b.medians, level)
	s.Median, s.Low, s.High = e.median, e.Low/(1+floor), e.High*(1+floor)
	s.Level, s.OK = e.Level, e.ok
	if math.IsInf(s.High, 1) {
		return Summary{Warnings: []Warning{warn(CodeInvalid, "times up to %v s widened by %v overflow", e.High, floor)}}
	}
	s.Warnings = append(s.Warnings, e.warnings...)
	var logs, relative []float64
	for _, median := range b.medians {
		logs = append(logs, math.Log(median))
	}
	for _, spread := range b.spreads {
		relative = append(relative, spread/s.Median)
	}
	s.Warnings = append(s.Warnings, b.doubt(logs, relative, floor)...)
	return s
}

// estimate is what rows and comparisons have in common: a median of block
// medians, on whichever scale, and its interval before widening.
type estimate struct {
	median float64
	Interval
	ok       bool
	warnings []Warning
}

func estimateMedian(medians []float64, level float64) (e estimate) {
	if len(medians) == 0 {
		e.warnings = []Warning{warn(CodeFewBlocks, "no block has a sample")}
		return e
	}
	sorted := slices.Clone(medians)
	slices.Sort(sorted)
	e.median = sortedQuantile(sorted, 0.5)
	e.Interval, e.ok = sortedInterval(sorted, level)
	switch {
	case !e.ok:
		e.warnings = append(e.warnings, warn(CodeFewBlocks, "%d blocks are too few for an interval at %.4g %%, which takes %d: "+
			"theirs, from the least to the greatest, has %.4g %%", len(medians), 100*level, MinBlocks(level), 100*e.Level))
	case e.Low == e.High:
		e.warnings = append(e.warnings, warn(CodeTies, "most blocks show one and the same value: the interval is the noise floor alone, and the clock may be too coarse"))
	}
	return e
}
