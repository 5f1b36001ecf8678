package stat

import (
	"math"
	"slices"
)

// Crossing is the size at which one trial overtakes another.
type Crossing struct {
	Size      float64 // median of the blocks
	Low, High float64 // interval for it, widened by the noise floor
	Level     float64 // confidence level that the interval reaches before widening
	OK        bool    // Level is at least the level asked
	Blocks    int
}

// Cross says where a curve of log ratios rises through zero between its first and
// its last size, of which the caller has shown that it lies below zero at the one
// and above at the other (see [Compare]). sizes rise and are above 0;
// ratios[i][j] is the log of other's speed over base's in block i at sizes[j], and
// a block with a NaN is left out.
//
// Between two sizes the log ratio is taken to be linear in the log of the size. A
// block's crossing is the size up to which, on that scale, as much lies below it
// as the curve spends below zero: the crossing itself where there is one, the
// middle of them where noise makes three, and an end of the sizes for a block that
// does not cross. So every block has a value, the crossing is their median, and
// its interval is exact as that of any median.
//
// The noise floor, which all blocks share, moves the whole curve: the interval
// reaches from the crossing of the curve raised by it to that of the curve lowered.
func Cross(sizes []float64, ratios [][]float64, level, floor float64) Crossing {
	shift := math.Log1p(floor)
	var early, middle, late []float64
	for _, curve := range ratios {
		if len(curve) != len(sizes) || slices.ContainsFunc(curve, math.IsNaN) {
			continue
		}
		early = append(early, crossingOf(sizes, curve, shift))
		middle = append(middle, crossingOf(sizes, curve, 0))
		late = append(late, crossingOf(sizes, curve, -shift))
	}
	c := Crossing{Blocks: len(middle)}
	if c.Blocks == 0 {
		return c
	}
	c.Size = math.Exp(Median(middle))
	low, ok := MedianInterval(early, level)
	high, _ := MedianInterval(late, level)
	c.Low, c.High, c.Level, c.OK = math.Exp(low.Low), math.Exp(high.High), low.Level, ok
	return c
}

// crossingOf is the log of a block's crossing, its curve raised by shift.
func crossingOf(sizes, curve []float64, shift float64) float64 {
	below := math.Log(sizes[0])
	for i := 1; i < len(sizes); i++ {
		below += math.Log(sizes[i]/sizes[i-1]) * belowZero(curve[i-1]+shift, curve[i]+shift)
	}
	return below
}

// belowZero is the share of a line from a to b that lies below zero.
func belowZero(a, b float64) float64 {
	switch {
	case a >= 0 && b >= 0:
		return 0
	case a < 0 && b < 0:
		return 1
	case a < 0:
		return a / (a - b)
	default:
		return b / (b - a)
	}
}
