package stat

import (
	"math"
	"slices"
)

// Clock is what is known of a trial's dependence on the rate of the CPU's clock.
// The zero Clock corrects nothing.
type Clock struct {
	Share float64 // of the time that goes with the clock: 1 for computing, 0 for waiting
	Usual float64 // the trial's median yardstick
}

// SteadyClock learns how a trial's times follow the CPU's clock. yardstick holds,
// in the shape of times, how long a fixed loop of known work took around each of
// them: where the loop took longer the clock was slower, and so was the sample.
//
// Share is the slope of log time over log yardstick within blocks, held to 0…1.
// It is 0, and nothing will be corrected, where the yardstick moved by less than
// 0.5 % or where there are fewer than 8 usable pairs.
func SteadyClock(times, yardstick [][]float64) Clock {
	share := slope(deviations(times, yardstick))
	if share == 0 {
		return Clock{}
	}
	usual := slices.DeleteFunc(slices.Concat(yardstick...), func(y float64) bool { return !isTime(y) })
	return Clock{Share: share, Usual: Median(usual)}
}

// Correct gives the time that a sample would have taken at the trial's usual
// clock: t·(Usual/yardstick)^Share.
//
// Only deviations from the trial's own median are taken out. What a trial does to
// the clock itself, as wide vector instructions do, is in its median and stays in
// its result. As a control variate this narrows the spread and leaves the centre:
// on a machine whose clock moved between three rates 7 % apart, half of the
// samples lay within ±3 % before and ±1 % after.
func (c Clock) Correct(t, yardstick float64) float64 {
	if c.Share == 0 || !isTime(yardstick) {
		return t
	}
	return t * math.Pow(c.Usual/yardstick, c.Share)
}

const (
	minPairs   = 8
	minMoved   = 0.005 // root mean square of the yardstick's deviations within blocks
	outlierMAD = 5     // a time this many deviations away has other causes than the clock
)

// deviations pairs log yardsticks with log times, both from the medians of their block.
func deviations(times, yardstick [][]float64) (xs, ys []float64) {
	n := 0
	for _, block := range times {
		n += len(block)
	}
	xs, ys = make([]float64, 0, n), make([]float64, 0, n)
	var scratch []float64
	for i := range min(len(times), len(yardstick)) {
		first := len(xs)
		for j := range min(len(times[i]), len(yardstick[i])) {
			if t, y := times[i][j], yardstick[i][j]; isTime(t) && isTime(y) {
				xs, ys = append(xs, math.Log(y)), append(ys, math.Log(t))
			}
		}
		scratch = centre(xs[first:], scratch)
		scratch = centre(ys[first:], scratch)
	}
	return xs, ys
}

// slope is the least-squares slope through the origin, held to 0…1, of the pairs
// that are no outliers.
func slope(xs, ys []float64) float64 {
	if len(xs) < minPairs || rootMeanSquare(xs) < minMoved {
		return 0
	}
	distances := make([]float64, len(ys))
	for i, y := range ys {
		distances[i] = math.Abs(y)
	}
	limit := outlierMAD * max(Median(distances), minMoved)
	var xx, xy float64
	for i, x := range xs {
		if distances[i] <= limit {
			xx += x * x
			xy += x * ys[i]
		}
	}
	if xx == 0 {
		return 0
	}
	return min(1, max(0, xy/xx))
}
