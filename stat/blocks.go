package stat

import (
	"math"
	"slices"
)

// blockMedians reduces samples to one value per block. The caller appends the
// values of a block, in time order, to values and calls endBlock; both buffers
// serve all blocks, so that a million samples need the memory of one block.
type blockMedians struct {
	values []float64
	steps  []float64

	medians []float64 // one per block that has values, in time order
	spreads []float64 // stepSpread of the rounds of blocks that have two or more
	samples int       // values seen
}

func (b *blockMedians) endBlock() {
	if len(b.values) > 0 {
		b.samples += len(b.values)
		if len(b.values) > 1 {
			var spread float64
			spread, b.steps = stepSpread(b.values, b.steps)
			b.spreads = append(b.spreads, spread)
		}
		slices.Sort(b.values)
		b.medians = append(b.medians, sortedQuantile(b.values, 0.5))
	}
	b.values = b.values[:0]
}

// stepSpread estimates the standard deviation of xs, two values or more, from
// the median distance of neighbours in time: a slow trend doesn't count, nor do
// a quarter of wild values. For normal noise the distance of two neighbours has
// the median 0.6745·√2 = 0.9539 standard deviations. The buffer is returned for
// the next call.
func stepSpread(xs, buffer []float64) (spread float64, steps []float64) {
	steps = buffer[:0]
	for i := 1; i < len(xs); i++ {
		steps = append(steps, math.Abs(xs[i]-xs[i-1]))
	}
	slices.Sort(steps)
	return sortedQuantile(steps, 0.5) / 0.9539, steps
}

// medianError is the standard error of a median of n normal values of standard
// deviation 1: √(π/2n), right for many and too large for few, by 25 % for 1 and 2,
// 8 % for 3, 3 % for 7.
func medianError(n float64) float64 { return math.Sqrt(math.Pi / 2 / n) }

// Thresholds of the two doubts below, chosen so that of ordinary runs, heavy
// tails included, at most 1 in 100 is warned (TestSimulatedDoubts).
const (
	driftErrors = 4.5 // drift is warned beyond so many standard errors
	blocksRatio = 3.2 // blocks are doubted beyond so many times what rounds explain

	// A spread between workers of 0.5 % is ordinary and is what blocks are for.
	// Doubt begins where it is twice the margin of a verdict.
	blocksSpread = 2 * Margin
)

// doubt looks at the block medians as logarithms, in time order, for what an
// interval can't show. Changes below the floor, or the margin of a verdict,
// change no answer and pass.
func (b *blockMedians) doubt(logs, spreads []float64, floor float64) (ws []Warning) {
	if len(logs) < 8 { // a quarter of one block is no median
		return nil
	}
	between, _ := stepSpread(logs, b.steps)

	quarter := len(logs) / 4
	drift := Median(logs[len(logs)-quarter:]) - Median(logs[:quarter])
	noise := math.Sqrt2 * between * medianError(float64(quarter))
	if math.Abs(drift) > max(floor, Margin, driftErrors*noise) {
		ws = append(ws, warn(CodeDrift, "drift: from the first to the last quarter of the blocks the value changed by %s", percent(drift)))
	}

	if len(spreads) == 0 {
		return ws
	}
	rounds := float64(b.samples) / float64(len(b.medians))
	explained := Median(spreads) * medianError(rounds)
	excess := math.Sqrt(max(0, between*between-explained*explained))
	if between > blocksRatio*explained && excess > max(floor, blocksSpread) {
		ws = append(ws, warn(CodeBlocks, "blocks differ by %s (SD) where their rounds explain %s: the worker process is part of the result", percent(between), percent(explained)))
	}
	return ws
}
