package document

import "github.com/cryptogauge/cryptogauge/result"

// Readings are the times of a run's samples as its document uses them: chosen of
// each round, corrected for the CPU's clock, of blocks that were closed. They are
// for who asks something that no row or comparison answers.
type Readings struct{ b builder }

// ReadingsOf sorts a run's samples. Trials go by their index in the run, which is
// that of their row in the document.
func ReadingsOf(run *result.Run) *Readings {
	r := &Readings{builder{run: run, doc: newDocument(run)}}
	r.b.index = IndexSamples(run)
	r.b.buildRows()
	return r
}

// Times gives a trial's times in seconds per call on the clock of its headline,
// block by block, in order of time; NaN stands for a reading that was discarded.
func (r *Readings) Times(trial int) [][]float64 {
	return r.b.index.times(trial, r.b.clockOf(trial))
}

// Paired gives the times of two trials of one group, aligned: base[i][j] and
// other[i][j] were measured in round j of block blocks[i], on the clock that a
// comparison of the two would use; NaN stands where one was not.
func (r *Readings) Paired(base, other int) (blocks []int, x, y [][]float64) {
	index := &r.b.index
	p := pairTrials(index, base, other, commonClock(r.b.clockOf(base), r.b.clockOf(other)))
	return index.common(base, other), p.base, p.other
}

// common lists the blocks that both trials have, in order.
func (x *SampleIndex) common(base, other int) (blocks []int) {
	has := map[int32]bool{}
	for _, s := range x.trials[other] {
		has[s.block] = true
	}
	for _, s := range x.trials[base] {
		if has[s.block] {
			blocks = append(blocks, int(s.block))
		}
	}
	return blocks
}
