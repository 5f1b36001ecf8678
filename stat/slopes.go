package stat

import (
	"fmt"
	"math"
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
			s.Refused++
			if s.Reason = a.Reason; a.OK {
				s.Reason = b.Reason
			}
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
	Low, High float64 // by the parts of the blocks, which must agree
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
// factor of two of what it should be, and the one of least squared residuals, relative
// to the time, is taken, a sixteenth of the lengths, those that fit it worst, left out.
// But steps of a byte are a line, which is the simplest there is: others are taken only
// where they leave less than half of what it leaves. Where they do not, High is the
// longest that would do nearly as well, and above sixteen nothing is known.
//
// A step is a few nanoseconds high, and on a machine that others use too a median of
// times is off by more. But others only ever add time: so of each length the least
// time of all blocks is taken. That has no exact interval. In its place the blocks are
// dealt into three parts, and each must find the steps by itself: the estimate is OK
// where all agree within a byte, or an eighth of it.
func FindSteps(lengths []float64, base, other [][]float64, excess float64) Steps {
	s := Steps{Blocks: min(len(base), len(other))}
	base, other = base[:s.Blocks], other[:s.Blocks]
	if s.Blocks < stepParts*leastPart {
		s.Reason = fmt.Sprintf("%d blocks are too few to look for steps in, it takes %d", s.Blocks, stepParts*leastPart)
		return s
	}
	if s.Bytes = stepOf(lengths, base, other, excess); s.Bytes == 0 {
		s.Reason = "too few lengths were measured"
		return s
	}
	s.Low, s.High = s.Bytes, s.Bytes
	for part := range stepParts {
		var ours, theirs [][]float64
		for i := part; i < s.Blocks; i += stepParts {
			ours, theirs = append(ours, base[i]), append(theirs, other[i])
		}
		g := stepOf(lengths, ours, theirs, excess)
		s.Low, s.High = min(s.Low, g), max(s.High, g)
	}
	s.OK = s.High-s.Low <= max(1, s.Bytes/8)
	if !s.OK {
		s.Reason = fmt.Sprintf("parts of the blocks find steps of %.0f to %.0f bytes", s.Low, s.High)
	} else if s.Bytes == 1 {
		if s.High = max(s.High, longestStep(lengths, base, other, excess)); s.High > mostUnsure {
			s.OK, s.Reason = false, fmt.Sprintf("steps of 1 to %.0f bytes would fit", s.High)
		}
	}
	return s
}

// simpler is how many times the squared residuals of the best candidate a line may
// leave and be taken for it.
const simpler = 2

// mostUnsure is up to how long steps may fit as well as a line and a line still be
// taken for steps of a byte.
const mostUnsure = 16

// longestStep is the longest candidate that fits as well as a line.
func longestStep(lengths []float64, base, other [][]float64, excess float64) (longest float64) {
	r := readingsOf(lengths, base, other)
	line := r.residual(1, excess)
	for _, g := range candidateSteps(r.n) {
		if r.residual(g, excess) <= simpler*line {
			longest = g
		}
	}
	return longest
}

// readings are what is fitted: lengths, their least times, and the difference to those
// of the other way.
type readings struct{ n, t, d []float64 }

func readingsOf(lengths []float64, base, other [][]float64) (r readings) {
	for j, n := range lengths {
		t, u := leastOf(base, j), leastOf(other, j)
		if isTime(t) && isTime(u) && n > 0 {
			r.n, r.t, r.d = append(r.n, n), append(r.t, t), append(r.d, t-u)
		}
	}
	return r
}

func leastOf(blocks [][]float64, j int) float64 {
	least := math.Inf(1)
	for _, seconds := range blocks {
		if j < len(seconds) && isTime(seconds[j]) {
			least = min(least, seconds[j])
		}
	}
	return least
}

// stepOf is the best candidate for the least times of some blocks; 0 where there are
// too few of them.
func stepOf(lengths []float64, base, other [][]float64, excess float64) float64 {
	r := readingsOf(lengths, base, other)
	const fewest = 8
	if len(r.n) < fewest || !(excess > 0) {
		return 0
	}
	best, least := 0.0, math.Inf(1)
	for _, g := range candidateSteps(r.n) {
		if left := r.residual(g, excess); left < least {
			best, least = g, left
		}
	}
	if r.residual(1, excess) <= simpler*least {
		return 1
	}
	return best
}

// candidateSteps are what is tried: every byte up to 64, then ever fewer, up to half
// of the longest message.
func candidateSteps(lengths []float64) (sets []float64) {
	longest := 0.0
	for _, n := range lengths {
		longest = max(longest, n)
	}
	for g := 1.0; g <= longest/2; {
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
	x, ok := leastSquaresOf(r.relative(part, rest), r.differences())
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
	rows, want := r.relative(nil, rest), r.differences()
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
	sum := 0.0
	for _, l := range left {
		sum += l
	}
	return sum / float64(len(left)-len(rows[0]))
}

// relative puts columns together, each divided by the times; part and rest may be nil.
func (r readings) relative(part, rest []float64) [][]float64 {
	rows := make([][]float64, len(r.t))
	for i, t := range r.t {
		if part != nil {
			rows[i] = append(rows[i], part[i]/t)
		}
		rows[i] = append(rows[i], r.n[i]/t, 1/t)
		if rest != nil {
			rows[i] = append(rows[i], rest[i]/t)
		}
	}
	return rows
}

func (r readings) differences() []float64 {
	x := make([]float64, len(r.t))
	for i, t := range r.t {
		x[i] = r.d[i] / t
	}
	return x
}

// residualsOf are the squared residuals of a least-squares fit; nil where there is none.
func residualsOf(rows [][]float64, want []float64) []float64 {
	x, ok := leastSquaresOf(rows, want)
	if !ok || len(rows) <= len(x) {
		return nil
	}
	left := make([]float64, len(rows))
	for i, row := range rows {
		r := want[i]
		for j := range row {
			r -= row[j] * x[j]
		}
		left[i] = r * r
	}
	return left
}
