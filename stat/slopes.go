package stat

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Slopes sets what a byte costs in one way of handing messages over against another.
type Slopes struct {
	// Ratio is base's time per byte over other's: 3 says that a byte costs three times
	// as much in base.
	Ratio, Low, High float64 // the interval widened by the noise floor
	// Excess is what a byte costs more in base, in seconds.
	Excess, ExcessLow, ExcessHigh float64
	Level                         float64 // that the intervals reach before widening
	OK                            bool    // Level is at least the level asked
	Blocks                        int     // in which both could be fitted
	Refused                       int     // in which one of the two could not
	Reason                        string  // why one of them could not, the last time
}

// CompareSlopes fits the cost model to each block of both ways ([FitCost]) and sets
// their prices of a byte against each other, block by block: base[i] and other[i]
// were measured in the same block. What a call and a message cost is no part of it,
// so neither the number of calls nor who crosses how often can be what differs: only
// what is done inside the calls, over and over.
//
// The value of a block is the ratio of its slopes, the result the median of the
// blocks, and the interval that of the sign test.
func CompareSlopes(base, other [][]Work, level, floor float64) Slopes {
	var s Slopes
	var logs, excess []float64
	for i := range min(len(base), len(other)) {
		if len(base[i]) == 0 || len(other[i]) == 0 {
			continue
		}
		a, b := FitCost(base[i]), FitCost(other[i])
		if !a.OK || !b.OK {
			s.Refused, s.Reason = s.Refused+1, cmp.Or(a.Reason, b.Reason)
			continue
		}
		logs = append(logs, math.Log(a.PerByte/b.PerByte))
		excess = append(excess, a.PerByte-b.PerByte)
	}
	s.Blocks = len(logs)
	if s.Blocks == 0 {
		return s
	}
	ratio, ok := MedianInterval(logs, level)
	more, _ := MedianInterval(excess, level)
	s.Ratio, s.Low, s.High = math.Exp(Median(logs)), math.Exp(ratio.Low)/(1+floor), math.Exp(ratio.High)*(1+floor)
	s.Excess, s.ExcessLow, s.ExcessHigh = Median(excess), more.Low, more.High
	s.Level, s.OK = ratio.Level, ok
	return s
}

// Steps is how time rises with the length of a message: by steps.
type Steps struct {
	Bytes     float64 // of one step, by all blocks
	Low, High float64 // the shortest and the longest that would fit
	OK        bool
	Reason    string // why not
	Blocks    int
}

// stepParts is in how many parts the blocks are dealt, each of which must find the
// steps by itself; leastPart is how many blocks a part must have.
const (
	stepParts = 3
	leastPart = 3
)

// FindSteps estimates of how many bytes a loop inside a call takes each turn, from
// the times of messages of neighbouring lengths: lengths[j] took base[i][j] seconds
// at least in block i, NaN where it was not measured, and other[i][j] by another way,
// in which there is no such loop. What the cipher itself does by blocks is in both and
// not in their difference.
//
// If a turn takes g bytes, the difference at n of them is
//
//	d(n) = fixed + slope·n − excess·(n mod g) + remainder·[g does not divide n]
//
// a line whose slope holds excess for each byte, less what the bytes that do not make
// up a turn have not cost yet, and what handling such a remainder costs: nothing, a
// turn of its own, or anything. What is known is excess, the price that turns add to a
// byte ([CompareSlopes]); a step is then excess·g high, which tells a true g from its
// multiples and divisors. For each candidate the terms are fitted, excess within a
// factor of two of what it should be, a sixteenth of the lengths, those that fit it
// worst, left out: once over all lengths, which tells long steps from short ones, and
// once with a line of its own for each row of neighbours, which tells short steps from
// each other. A candidate stands where in neither it leaves much more of the squared
// residuals, relative to the time, than that which leaves the least. Bytes is the one
// that fits the neighbours best, but steps of a byte are a line, which is the simplest
// there is: it is taken wherever it stands. Low and High are the shortest and the longest
// that stand. They are no exact interval, so the blocks are also dealt into three parts:
// what fits best in a part in which Bytes does not stand lies between them too. Where
// the longest is more than sixteen times the shortest, nothing is known.
func FindSteps(lengths []float64, base, other [][]float64, excess float64) Steps {
	s := Steps{Blocks: min(len(base), len(other))}
	base, other = base[:s.Blocks], other[:s.Blocks]
	if s.Blocks < stepParts*leastPart {
		s.Reason = fmt.Sprintf("%d blocks are too few to look for steps in, it takes %d", s.Blocks, stepParts*leastPart)
		return s
	}
	s.Bytes, s.Low, s.High = stepsOf(lengths, base, other, excess)
	if s.Bytes == 0 {
		s.Reason = "too few lengths were measured"
		return s
	}
	for part := range stepParts {
		var ours, theirs [][]float64
		for i := part; i < s.Blocks; i += stepParts {
			ours, theirs = append(ours, base[i]), append(theirs, other[i])
		}
		if g, low, high := stepsOf(lengths, ours, theirs, excess); g > 0 && (s.Bytes < low || s.Bytes > high) {
			s.Low, s.High = min(s.Low, g), max(s.High, g)
		}
	}
	s.OK = s.High <= mostUnsure*s.Low
	if !s.OK {
		s.Reason = fmt.Sprintf("steps of %.0f to %.0f bytes would fit", s.Low, s.High)
	}
	return s
}

// How many times the squared residuals of the best candidate another may leave and stand
// beside it: over all lengths, where time is no line for other reasons too, and among
// neighbours. Of the four dozen lengths that are measured the latter is a likelihood of
// a five-hundredth.
const (
	standsOverAll = 2
	standsNear    = 1.3
)

// mostUnsure is how many times the shortest candidate that stands the longest may be.
const mostUnsure = 16

// readings are what is fitted: lengths, their times, and the differences to those
// of the other way.
type readings struct {
	n, t  []float64
	want  []float64   // the differences, relative to the times
	terms [][]float64 // the columns of each length beside steps: a line, or one for each window
}

func readingsOf(lengths []float64, base, other [][]float64, of func([][]float64, int) float64) (r readings) {
	for j, n := range lengths {
		t, u := of(base, j), of(other, j)
		if isTime(t) && isTime(u) && n > 0 {
			r.n, r.t, r.want = append(r.n, n), append(r.t, t), append(r.want, (t-u)/t)
			r.terms = append(r.terms, []float64{n, 1})
		}
	}
	return r
}

// fewNeighbours is how many neighbouring lengths are too few for a slope of their own.
const fewNeighbours = 6

// windowsOf are the columns by which each window of lengths is fitted for itself: a row
// of neighbours has a level of its own, and a slope where it is long; all others have a
// level and a slope together. Over hundreds of bytes a time is no line, for reasons that
// have nothing to do with steps, and would hide those of a few bytes.
func windowsOf(lengths []float64) (terms [][]float64) {
	window, size := make([]int, len(lengths)), []int{0} // the window 0 has all that is in no row
	for i, n := range lengths {
		switch {
		case i > 0 && n == lengths[i-1]+1:
			window[i] = window[i-1]
		case i+1 < len(lengths) && lengths[i+1] == n+1: // the first of a row
			window[i], size = len(size), append(size, 0)
		}
		size[window[i]]++
	}
	for i, n := range lengths {
		row, w := make([]float64, 2*len(size)), window[i] // a level and a slope of each
		if row[2*w] = 1; size[w] >= fewNeighbours {
			row[2*w+1] = n
		}
		terms = append(terms, row)
	}
	return filled(terms)
}

// timesOf are those of a length in all blocks.
func timesOf(blocks [][]float64, j int) (times []float64) {
	for _, seconds := range blocks {
		if j < len(seconds) && isTime(seconds[j]) {
			times = append(times, seconds[j])
		}
	}
	return times
}

func leastOf(blocks [][]float64, j int) float64 {
	return slices.Min(append(timesOf(blocks, j), math.Inf(1)))
}

func medianOf(blocks [][]float64, j int) float64 { return Median(timesOf(blocks, j)) }

// leveled divides the times of each block by how slow the machine was in it.
func leveled(blocks [][]float64) [][]float64 {
	level := make([][]float64, len(blocks))
	for i, block := range blocks {
		var slow []float64
		for j, seconds := range block {
			if isTime(seconds) {
				slow = append(slow, seconds/medianOf(blocks, j))
			}
		}
		by := Median(slow)
		for _, seconds := range block {
			level[i] = append(level[i], seconds/by)
		}
	}
	return level
}

// stepsOf is the best candidate for the times of some blocks, and the shortest and the
// longest that stand beside it; 0 where there are too few lengths. Others only ever add
// time, so the least times of the blocks are the ones to look at; but where they slow the
// whole machine down for a while, the least are chance and the medians are steadier. So
// both are fitted, and that is taken which fits better.
func stepsOf(lengths []float64, base, other [][]float64, excess float64) (best, low, high float64) {
	least := math.Inf(1)
	for _, r := range []readings{readingsOf(lengths, base, other, leastOf), readingsOf(lengths, leveled(base),
		leveled(other), medianOf)} {
		const fewest = 8
		if len(r.n) < fewest || !(excess > 0) {
			return 0, 0, 0
		}
		stand, _ := r.standing(candidateSteps(r.n), excess, standsOverAll)
		r.terms = windowsOf(r.n)
		stand, left := r.standing(stand, excess, standsNear)
		if len(stand) == 0 || slices.Min(left) >= least {
			continue
		}
		least = slices.Min(left)
		best, low, high = stand[0], slices.Min(stand), slices.Max(stand)
		if best != 1 { // a line is taken where it stands
			best = stand[slices.Index(left, least)]
		}
	}
	return best, low, high
}

// standing are the candidates that fit nearly as well as the best of them, and what each
// leaves.
func (r readings) standing(candidates []float64, excess, times float64) (stand, left []float64) {
	var all []float64
	for _, g := range candidates {
		all = append(all, r.residual(g, excess))
	}
	least := slices.Min(all)
	for i, g := range candidates {
		if all[i] <= times*least {
			stand, left = append(stand, g), append(left, all[i])
		}
	}
	return stand, left
}

// candidateSteps are what is tried: every byte up to 64, then ever fewer, up to half
// of the longest message.
func candidateSteps(lengths []float64) (sets []float64) {
	for g := 1.0; g <= slices.Max(lengths)/2; {
		sets = append(sets, g)
		switch {
		case g < 64:
			g++
		case g < 128:
			g += 4
		default:
			g += 16
		}
	}
	return sets
}

// residual is what a candidate leaves by the handling of remainders that suits it best,
// as a mean square relative to the times.
func (r readings) residual(g, excess float64) float64 {
	short, beyond, rest := make([]float64, len(r.n)), make([]float64, len(r.n)), make([]float64, len(r.n))
	remainders := 0
	for i, n := range r.n {
		left := math.Mod(n, g)
		if short[i] = -left; left != 0 {
			beyond[i], rest[i] = g-left, 1 // a turn that is paid in full
			remainders++
		}
	}
	if remainders == 0 { // a step a byte: a line
		return r.meanSquare(nil, 0, nil)
	}
	least := min(r.bounded(short, excess, nil), r.bounded(beyond, excess, nil))
	// Of steps of two bytes, a remainder that costs anything would make a line again.
	if g > 2 && remainders < len(r.n) {
		least = min(least, r.bounded(short, excess, rest))
	}
	return least
}

// bounded fits with the price of a byte as a term, held within a factor of two.
func (r readings) bounded(part []float64, excess float64, rest []float64) float64 {
	x, ok := leastSquaresOf(r.relative(part, rest), r.want)
	price := excess
	if ok {
		price = min(max(x[0], excess/2), 2*excess)
	}
	return r.meanSquare(part, price, rest)
}

// meanSquare is the mean square of the relative residuals, by degree of freedom, of a
// line, steps of a given price and a remainder of any. It is fitted twice: the second
// time without the sixteenth that fits worst.
func (r readings) meanSquare(part []float64, price float64, rest []float64) float64 {
	rows, want := r.relative(nil, rest), slices.Clone(r.want)
	for i := range part {
		want[i] -= price * part[i] / r.t[i]
	}
	left := residualsOf(rows, want)
	if left == nil {
		return math.Inf(1)
	}
	worst := Quantile(left, 1-1.0/16)
	var keptRows [][]float64
	var keptWant []float64
	for i, l := range left {
		if l <= worst {
			keptRows, keptWant = append(keptRows, rows[i]), append(keptWant, want[i])
		}
	}
	if left = residualsOf(keptRows, keptWant); left == nil {
		return math.Inf(1)
	}
	return sum(left) / float64(len(left)-len(rows[0]))
}

// relative puts columns together, each divided by the times; part and rest may be nil.
func (r readings) relative(part, rest []float64) [][]float64 {
	rows := make([][]float64, len(r.t))
	for i, t := range r.t {
		rows[i] = make([]float64, 0, len(r.terms[i])+2)
		if part != nil {
			rows[i] = append(rows[i], part[i]/t)
		}
		for _, term := range r.terms[i] {
			rows[i] = append(rows[i], term/t)
		}
		if rest != nil {
			rows[i] = append(rows[i], rest[i]/t)
		}
	}
	return rows
}

// filled leaves out columns without a value, as of a window of which no length is left.
func filled(rows [][]float64) [][]float64 {
	for j := 0; len(rows) > 0 && j < len(rows[0]); {
		if slices.ContainsFunc(rows, func(row []float64) bool { return row[j] != 0 }) {
			j++
			continue
		}
		for i := range rows {
			rows[i] = slices.Concat(rows[i][:j], rows[i][j+1:])
		}
	}
	return rows
}

// residualsOf are the squared residuals of a least-squares fit; nil where there is none.
func residualsOf(rows [][]float64, want []float64) []float64 {
	rows = filled(rows)
	x, ok := leastSquaresOf(rows, want)
	if !ok || len(rows) <= len(x) {
		return nil
	}
	return squares(rows, want, x)
}
