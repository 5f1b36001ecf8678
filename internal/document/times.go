package document

import (
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Trials go by their index in the run, which is that of their row. The times are those that
// rows and comparisons rest on: the least disturbed sample of each round, corrected for the
// CPU's clock, of blocks that were closed.

// Times gives a trial's seconds per call on the clock of its headline, block by block, in
// order of time; NaN stands for a reading that was discarded.
func (d *Document) Times(trial int) [][]float64 {
	return d.built.index.times(trial, d.built.clockOf(trial))
}

// Paired gives the times of two trials of one group, aligned: base[i][j] and other[i][j]
// were measured in one round of one block, on the clock that a comparison of the two would
// use; NaN stands where one was not.
func (d *Document) Paired(base, other int) (x, y [][]float64) {
	p := d.built.pair(base, other)
	return p.base, p.other
}

// Floor is the noise floor of an experiment, as a share.
func (d *Document) Floor(experiment string) float64 { return d.built.floor(experiment) }

// BlockMedians are those of a trial's times, by the block's number.
func (d *Document) BlockMedians(trial int) map[int32]float64 {
	clock := d.built.clockOf(trial)
	return d.built.index.byBlock(trial, func(s *result.Sample) float64 { return d.built.index.seconds(clock, s) }, stat.Median)
}

// BlockMinima are the least times, as they were read: what others took from the clock is
// not in them, and a correction for it would add its own error.
func (d *Document) BlockMinima(trial int) map[int32]float64 {
	return d.built.index.byBlock(trial, d.built.clockOf(trial).Seconds, slices.Min)
}

// byBlock makes a value of the seconds of each block's samples.
func (x *SampleIndex) byBlock(trial int, seconds func(*result.Sample) float64, value func([]float64) float64) map[int32]float64 {
	of := map[int32]float64{}
	for i, block := range x.blocks(trial, seconds) {
		block = slices.DeleteFunc(block, math.IsNaN)
		if len(block) > 0 {
			of[x.trials[trial][i].block] = value(block)
		}
	}
	return of
}
