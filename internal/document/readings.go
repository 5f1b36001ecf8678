package document

import (
	"cmp"
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// asRead gives a sample's seconds per call as a clock showed them, NaN where the sample says
// nothing about it: a wall reading that fell into a throttled period.
func asRead(c result.Clock) func(*result.Sample) float64 {
	return func(s *result.Sample) float64 {
		if s.Calls <= 0 || c == result.WallClock && s.Throttled > 0 {
			return math.NaN()
		}
		return float64(shownBy(c, s)) / float64(s.Calls) * 1e-9
	}
}

// shownBy is what a clock showed of a sample, in ns.
func shownBy(c result.Clock, s *result.Sample) int64 {
	switch c {
	case result.ProcessClock:
		return s.Process
	case result.WallClock:
		return s.Wall
	}
	return s.Thread
}

// commonClock is the clock on which two rows may be compared. Where one of them
// needs what other threads did, both are given it.
func commonClock(a, b result.Clock) result.Clock {
	switch {
	case a == b:
		return a
	case a == result.WallClock || b == result.WallClock:
		return result.WallClock
	}
	return result.ProcessClock
}

// sampleIndex finds a trial's samples. Only blocks that were closed are in it, for
// only their output was checked again.
type sampleIndex struct {
	trials [][]block // by trial
	open   []int     // by trial: samples in blocks that were not closed
	closed map[trialBlock]bool
	clocks []stat.Clock
}

type block struct {
	number  int32
	samples []*result.Sample
}

type trialBlock struct{ trial, block int }

func indexSamples(run *result.Run) sampleIndex {
	n := len(run.Trials)
	x := sampleIndex{make([][]block, n), make([]int, n), map[trialBlock]bool{}, make([]stat.Clock, n)}
	for _, c := range run.Closed {
		x.closed[trialBlock{c.Trial, c.Block}] = true
	}
	counts := make([]int, n)
	for i := range run.Samples {
		counts[run.Samples[i].Trial]++
	}
	samples := make([][]*result.Sample, n)
	for t, count := range counts {
		samples[t] = make([]*result.Sample, 0, count)
	}
	for i := range run.Samples {
		s := &run.Samples[i]
		samples[s.Trial] = append(samples[s.Trial], s)
	}
	for t := range x.trials {
		x.split(t, samples[t])
		x.clocks[t] = stat.SteadyClock(x.values(t, asRead(result.ThreadClock)), x.values(t, spin))
	}
	return x
}

func (x *sampleIndex) split(trial int, samples []*result.Sample) {
	// They were written in that order; only a file put together by hand is not.
	slices.SortStableFunc(samples, func(s, t *result.Sample) int {
		return cmp.Or(cmp.Compare(s.Block, t.Block), cmp.Compare(s.Round, t.Round))
	})
	samples = leastDisturbed(samples)
	for from, to := 0, 0; from < len(samples); from = to {
		number := samples[from].Block
		for to < len(samples) && samples[to].Block == number {
			to++
		}
		if x.closed[trialBlock{trial, int(number)}] {
			x.trials[trial] = append(x.trials[trial], block{number, samples[from:to]})
		} else {
			x.open[trial] += to - from
		}
	}
}

// leastDisturbed keeps of each round the sample for which the thread had its CPU
// the longest. A round holds several where one was contended and taken again.
func leastDisturbed(samples []*result.Sample) []*result.Sample {
	kept := samples[:0]
	for _, s := range samples {
		n := len(kept) - 1
		switch {
		case n < 0 || kept[n].Block != s.Block || kept[n].Round != s.Round:
			kept = append(kept, s)
		case s.LessDisturbed(*kept[n]):
			kept[n] = s
		}
	}
	return kept
}

// on gives a sample's seconds per call on a clock. On the CPU clocks they are those at the
// clock rate that the trial usually had: other users of a shared CPU move its
// rate by several percent from one sample to the next.
func (x *sampleIndex) on(c result.Clock) func(*result.Sample) float64 {
	read := asRead(c)
	if c == result.WallClock {
		return read
	}
	return func(s *result.Sample) float64 { return x.clocks[s.Trial].Correct(read(s), spin(s)) }
}

// spin is how long the fixed loop took around a sample, in ns.
func spin(s *result.Sample) float64 { return float64(s.SpinBefore+s.SpinAfter) / 2 }

func (x *sampleIndex) times(trial int, c result.Clock) [][]float64 { return x.values(trial, x.on(c)) }

func (x *sampleIndex) values(trial int, value func(*result.Sample) float64) [][]float64 {
	values := make([][]float64, len(x.trials[trial]))
	all := make([]float64, 0, x.count(trial))
	for i, b := range x.trials[trial] {
		first := len(all)
		for _, s := range b.samples {
			all = append(all, value(s))
		}
		values[i] = all[first:]
	}
	return values
}

func (x *sampleIndex) count(trial int) (n int) {
	for _, b := range x.trials[trial] {
		n += len(b.samples)
	}
	return n
}

func (x *sampleIndex) byBlock(trial int, read func(*result.Sample) float64,
	value func([]float64) float64) map[int32]float64 {
	of := map[int32]float64{}
	for i, xs := range x.values(trial, read) {
		if xs = slices.DeleteFunc(xs, math.IsNaN); len(xs) > 0 {
			of[x.trials[trial][i].number] = value(xs)
		}
	}
	return of
}

// each calls f for every sample of a trial that counts, in order of time.
func (x *sampleIndex) each(trial int, f func(*result.Sample)) {
	for _, b := range x.trials[trial] {
		for _, s := range b.samples {
			f(s)
		}
	}
}

// pairs are the times of two trials, aligned: base[i][j] and other[i][j] were
// measured in one round of one block; NaN stands where one of them was not.
type pairs struct {
	base, other [][]float64
	blocks      []int32 // numbers of the blocks
}

func (x *sampleIndex) pair(base, other int, c result.Clock) (p pairs) {
	for _, a := range x.trials[base] {
		i, there := slices.BinarySearchFunc(x.trials[other], a.number, func(b block, number int32) int {
			return cmp.Compare(b.number, number)
		})
		if there {
			p.add(a, x.trials[other][i], x.on(c))
		}
	}
	return p
}

func (p *pairs) add(base, other block, read func(*result.Sample) float64) {
	rounds := max(len(base.samples), len(other.samples))
	xs, ys := make([]float64, 0, rounds), make([]float64, 0, rounds)
	for a, b := base.samples, other.samples; len(a)+len(b) > 0; {
		s, t := math.NaN(), math.NaN()
		first := len(b) == 0 || len(a) > 0 && a[0].Round <= b[0].Round
		if !first || len(a) > 0 && len(b) > 0 && a[0].Round == b[0].Round {
			t, b = read(b[0]), b[1:]
		}
		if first {
			s, a = read(a[0]), a[1:]
		}
		xs, ys = append(xs, s), append(ys, t)
	}
	p.base, p.other, p.blocks = append(p.base, xs), append(p.other, ys), append(p.blocks, base.number)
}

func (p *pairs) perByte(base, other float64) {
	for i := range p.base {
		for j := range p.base[i] {
			p.base[i][j] /= base
			p.other[i][j] /= other
		}
	}
}

// logRatios are the blocks' medians of the log ratio of other's speed to base's,
// by the block's number.
func (p *pairs) logRatios() map[int32]float64 {
	of := map[int32]float64{}
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

// Trials go by their index in the run, which is that of their row. The times that a
// document gives are those that its rows and comparisons rest on: the least disturbed
// sample of each round, corrected for the CPU's clock, of blocks that were closed.

// Times gives a trial's seconds per call on the clock of its headline, block by block, in
// order of time; NaN stands for a reading that was discarded.
func (d *Document) Times(trial int) [][]float64 {
	return d.built.index.times(trial, d.built.clockOf(trial))
}

// Raw calls f for each sample of a trial of a built document that counts, in order of time, with its seconds per call
// on the clock of its headline, as they were read; NaN where they were discarded.
func (d *Document) Raw(trial int, f func(s *result.Sample, seconds float64)) {
	read := asRead(d.built.clockOf(trial))
	d.built.index.each(trial, func(s *result.Sample) { f(s, read(s)) })
}

// Paired gives the times of two trials of one group, aligned: base[i][j] and other[i][j]
// were measured in one round of one block, on the clock that a comparison of the two would
// use; NaN stands where one was not.
func (d *Document) Paired(base, other int) (x, y [][]float64) {
	p := d.built.pair(base, other)
	return p.base, p.other
}

// Records are what a trial measured beside its times, of the blocks whose output was checked.
func (d *Document) Records(trial int) []*result.Record { return d.built.records[trial] }

// Checked says whether a trial's output was judged right at the end of a block. Where it was not, the time was over
// before, or the trial left the comparison.
func (d *Document) Checked(trial int) bool {
	return slices.ContainsFunc(d.Run.Closed, func(c result.Closed) bool { return c.Trial == trial })
}

// Readings are those of a metric in a trial's records.
func (d *Document) Readings(trial int, metric string) []float64 {
	return readingsOf(d.Records(trial), metric)
}

func readingsOf(records []*result.Record, metric string) (values []float64) {
	for _, r := range records {
		for _, m := range r.Metrics {
			if m.Name == metric {
				values = append(values, m.Value)
			}
		}
	}
	return values
}

// BlockMedians are those of a trial's times, by the block's number.
func (d *Document) BlockMedians(trial int) map[int32]float64 {
	return d.built.index.byBlock(trial, d.built.index.on(d.built.clockOf(trial)), stat.Median)
}

// BlockMinima are the least times, as they were read: what others took from the clock is
// not in them, and a correction for it would add its own error.
func (d *Document) BlockMinima(trial int) map[int32]float64 {
	return d.built.index.byBlock(trial, asRead(d.built.clockOf(trial)), slices.Min)
}
