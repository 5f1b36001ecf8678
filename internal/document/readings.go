package document

import (
	"cmp"
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Clock names one of the three clocks that a sample read.
type Clock string

const (
	clockCPU     = Clock(result.ThreadClock)
	clockProcess = Clock(result.ProcessClock)
	clockWall    = Clock(result.WallClock)
)

// Seconds returns a sample's time per call, NaN where the sample says nothing
// about it: a wall reading that fell into a throttled period.
func (c Clock) Seconds(s *result.Sample) float64 {
	ns := s.Thread
	switch c {
	case clockProcess:
		ns = s.Process
	case clockWall:
		ns = s.Wall
		if s.Throttled > 0 {
			return math.NaN()
		}
	}
	if s.Calls <= 0 {
		return math.NaN()
	}
	return float64(ns) / float64(s.Calls) * 1e-9
}

// commonClock is the clock on which two rows may be compared. Where one of them
// needs what other threads did, both are given it.
func commonClock(a, b Clock) Clock {
	switch {
	case a == b:
		return a
	case a == clockWall || b == clockWall:
		return clockWall
	}
	return clockProcess
}

// SampleIndex finds a trial's samples without copying them: a run may hold
// millions. Only blocks that were closed are in it, for only their output was
// checked again.
type SampleIndex struct {
	samples []result.Sample
	trials  [][]span // by trial
	order   []int32  // samples by trial, block, round
	open    []int    // by trial: samples in blocks that were not closed
	clocks  []stat.Clock
}

// seconds is a sample's time per call. On the CPU clocks it is the time at the
// clock rate that the trial usually had: other users of a shared CPU move its
// rate by several percent from one sample to the next.
func (x *SampleIndex) seconds(c Clock, s *result.Sample) float64 {
	t := c.Seconds(s)
	if c == clockWall {
		return t
	}
	return x.clocks[s.Trial].Correct(t, spin(s))
}

// spin is how long the fixed loop took around a sample, in ns.
func spin(s *result.Sample) float64 { return float64(s.SpinBefore+s.SpinAfter) / 2 }

// times returns the seconds of every sample of a trial, block by block.
func (x *SampleIndex) times(trial int, c Clock) [][]float64 {
	return x.blocks(trial, func(s *result.Sample) float64 { return x.seconds(c, s) })
}

// span is one block of one trial: order[from:to].
type span struct {
	block    int32
	from, to int32
}

func IndexSamples(run *result.Run) SampleIndex {
	x := SampleIndex{
		samples: run.Samples,
		trials:  make([][]span, len(run.Trials)),
		order:   make([]int32, len(run.Samples)),
		open:    make([]int, len(run.Trials)),
	}
	closed := closedBlocks(run)
	starts := make([]int32, len(run.Trials)+1)
	for i := range run.Samples {
		starts[run.Samples[i].Trial+1]++
	}
	for t := range run.Trials {
		starts[t+1] += starts[t]
	}
	next := slices.Clone(starts)
	for i := range run.Samples {
		t := run.Samples[i].Trial
		x.order[next[t]] = int32(i)
		next[t]++
	}
	for t := range run.Trials {
		x.split(t, starts[t], starts[t+1], closed)
	}
	x.clocks = make([]stat.Clock, len(run.Trials))
	for t := range run.Trials {
		x.clocks[t] = stat.SteadyClock(x.blocks(t, clockCPU.Seconds), x.blocks(t, spin))
	}
	return x
}

// split cuts a trial's samples into its closed blocks.
func (x *SampleIndex) split(trial int, from, to int32, closed map[blockOf]bool) {
	own := x.order[from:to]
	inOrder := func(a, b int32) int {
		s, t := &x.samples[a], &x.samples[b]
		return cmp.Or(cmp.Compare(s.Block, t.Block), cmp.Compare(s.Round, t.Round))
	}
	// They were written in that order; only a file put together by hand is not.
	if !slices.IsSortedFunc(own, inOrder) {
		slices.SortStableFunc(own, inOrder)
	}
	to = from + x.leastDisturbed(own)
	for i := from; i < to; {
		block, j := x.samples[x.order[i]].Block, i+1
		for j < to && x.samples[x.order[j]].Block == block {
			j++
		}
		if closed[blockOf{trial, int(block)}] {
			x.trials[trial] = append(x.trials[trial], span{block, i, j})
		} else {
			x.open[trial] += int(j - i)
		}
		i = j
	}
}

// leastDisturbed keeps of each round the sample for which the thread had its CPU
// the longest, at the front of own, and returns how many there are. A round holds
// several where one was contended and taken again.
func (x *SampleIndex) leastDisturbed(own []int32) int32 {
	kept := own[:0]
	for _, i := range own {
		s := &x.samples[i]
		if n := len(kept); n > 0 {
			last := &x.samples[kept[n-1]]
			if last.Block == s.Block && last.Round == s.Round {
				if s.LessDisturbed(*last) {
					kept[n-1] = i
				}
				continue
			}
		}
		kept = append(kept, i)
	}
	return int32(len(kept))
}

type blockOf struct{ trial, block int }

func closedBlocks(run *result.Run) map[blockOf]bool {
	m := make(map[blockOf]bool, len(run.Closed))
	for _, c := range run.Closed {
		m[blockOf{c.Trial, c.Block}] = true
	}
	return m
}

// count returns how many samples of a trial count.
func (x *SampleIndex) count(trial int) (n int) {
	for _, s := range x.trials[trial] {
		n += int(s.to - s.from)
	}
	return n
}

// Each calls f for every sample of a trial that counts, in order of time.
func (x *SampleIndex) Each(trial int, f func(*result.Sample)) {
	for _, s := range x.trials[trial] {
		for _, i := range x.order[s.from:s.to] {
			f(&x.samples[i])
		}
	}
}

// blocks returns a value of every sample of a trial, block by block.
func (x *SampleIndex) blocks(trial int, value func(*result.Sample) float64) [][]float64 {
	all := make([]float64, 0, x.count(trial))
	blocks := make([][]float64, 0, len(x.trials[trial]))
	for _, s := range x.trials[trial] {
		first := len(all)
		for _, i := range x.order[s.from:s.to] {
			all = append(all, value(&x.samples[i]))
		}
		blocks = append(blocks, all[first:])
	}
	return blocks
}

// pairs are the times of two trials, aligned: base[i][j] and other[i][j] were
// measured in one round of one block; NaN stands where one of them was not.
type pairs struct {
	base, other [][]float64
	blocks      []int32 // numbers of the blocks
	rounds      int     // with both
}

func pairTrials(x *SampleIndex, base, other int, c Clock) (p pairs) {
	a, b := x.trials[base], x.trials[other]
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].block < b[0].block:
			a = a[1:]
		case a[0].block > b[0].block:
			b = b[1:]
		default:
			p.block(x, a[0], b[0], c)
			a, b = a[1:], b[1:]
		}
	}
	return p
}

// perByte divides the times by the bytes of a call.
func (p *pairs) perByte(base, other float64) {
	for i := range p.base {
		for j := range p.base[i] {
			p.base[i][j] /= base
			p.other[i][j] /= other
		}
	}
}

// block merges the rounds of one block.
func (p *pairs) block(x *SampleIndex, a, b span, c Clock) {
	rounds := max(a.to-a.from, b.to-b.from)
	base, other := make([]float64, 0, rounds), make([]float64, 0, rounds)
	i, j := a.from, b.from
	for i < a.to || j < b.to {
		order := 0
		switch {
		case i == a.to:
			order = 1
		case j == b.to:
			order = -1
		default:
			order = cmp.Compare(x.samples[x.order[i]].Round, x.samples[x.order[j]].Round)
		}
		s, t := math.NaN(), math.NaN()
		if order <= 0 {
			s = x.seconds(c, &x.samples[x.order[i]])
			i++
		}
		if order >= 0 {
			t = x.seconds(c, &x.samples[x.order[j]])
			j++
		}
		base, other = append(base, s), append(other, t)
		if !math.IsNaN(s) && !math.IsNaN(t) {
			p.rounds++
		}
	}
	p.base, p.other, p.blocks = append(p.base, base), append(p.other, other), append(p.blocks, a.block)
}

// logRatios are the blocks' medians of the log ratio of other's speed to base's,
// by the block's number.
func (p *pairs) logRatios() map[int32]float64 {
	of := make(map[int32]float64, len(p.blocks))
	for i, block := range p.blocks {
		var ratios []float64
		for j := range p.base[i] {
			if r := math.Log(p.base[i][j] / p.other[i][j]); !math.IsNaN(r) {
				ratios = append(ratios, r)
			}
		}
		if len(ratios) > 0 {
			of[block] = stat.Median(ratios)
		}
	}
	return of
}
