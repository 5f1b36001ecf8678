package document

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// buildRows makes a row of every trial, with all but its numbers.
func (b *builder) buildRows() {
	b.spin = medianSpin(b.run)
	b.doc.Rows = make([]Row, len(b.run.Trials))
	b.faces = make([]face, len(b.run.Trials))
	ids := UniqueIDs{}
	for i := range b.run.Trials {
		info := &b.run.Trials[i]
		b.doc.Rows[i] = rowOf(info, ids)
		b.faces[i] = b.faceOf(i, info)
	}
	for i, g := range slices.Backward(b.run.Groups) { // the first group that names it
		for _, t := range g.Trials {
			row := &b.doc.Rows[t]
			row.Group, row.laboratory = i, row.laboratory || g.Kind != ""
		}
	}
	for _, s := range b.run.Statuses {
		row := &b.doc.Rows[s.Trial]
		// The first cause stands, but a wrong output is never hidden by a crash.
		if row.Status == result.OK || s.Status == result.Incorrect && row.Status != result.Incorrect {
			row.Status, row.Reason, row.Returned = s.Status, s.Reason, s.Returned
			row.Cause = reason.Read(s.Reason, s.Cause)
			row.Because = reason.Text(row.Cause)
		}
	}
	b.withhold()
	b.collectOpened()
}

func rowOf(info *result.TrialInfo, ids UniqueIDs) Row {
	c, s := info.Case, info.Subject
	row := Row{
		ID:         ids.Name(info.Experiment + "/" + info.Trial.ID()),
		Experiment: info.Experiment,
		Algorithm:  c.Algorithm, Mode: c.Mode, Operation: c.Operation, Bytes: c.Bytes, Parameters: c.Parameters,
		Library: s.Library, Version: s.Version, Implementation: s.Implementation, CallPath: s.CallPath, Environment: s.Environment,
		Status: result.OK, Metrics: map[string]Metric{}, Warnings: []string{}, Security: []string{},
		Standard: info.Standard, ConstantTime: info.ConstantTime, Loop: info.Loop, Note: info.Note,
		Trial: info.Index, Group: -1, Info: info,
	}
	if row.Standard == "" {
		row.Standard = algorithm.Standard(c.Algorithm, c.Mode, c.Operation)
	}
	if row.ConstantTime.Value == "" {
		row.ConstantTime.Value = "unknown"
	}
	if n := c.Parameter("messages"); n != "" && c.Parameter("sizes") == "mix" {
		row.Note = strings.TrimPrefix(row.Note+"; one call replays "+n+" messages: bytes and times are those of all together", "; ")
	}
	for _, note := range securityOf(c) {
		row.Security = append(row.Security, note.EN)
		row.Notes = append(row.Notes, note)
	}
	return row
}

// collectOpened sorts what opening told by trial. A trial's blocks that were
// never closed do not count here either.
func (b *builder) collectOpened() {
	closed := closedBlocks(b.run)
	b.opened = make([][]result.Opened, len(b.run.Trials))
	for _, o := range b.run.Opened {
		if closed[blockOf{o.Trial, o.Block}] {
			b.opened[o.Trial] = append(b.opened[o.Trial], o)
		}
	}
}

// fillRow computes a row's numbers, or says why it has none. A trial that left
// the comparison keeps its status and gets no number at all.
func (b *builder) fillRow(i int) {
	row := &b.doc.Rows[i]
	if row.Status != result.OK {
		return
	}
	records := b.recordsOf(i)
	f := &b.faces[i]
	switch {
	case f.samples > 0:
		b.fillTimes(row, f)
	case len(records) == 0 && b.index.open[i] > 0:
		row.unstable(layout.Text{}, reason.Cause("unchecked"))
	case len(records) == 0:
		row.unstable(layout.Text{}, reason.Cause("unmeasured"))
	}
	if open := b.index.open[i]; open > 0 {
		row.doubt(doubt{reason.Cause("samples-unchecked", open), noteUnchecked})
	}
	if row.Status == result.OK {
		b.fillRecords(row, records)
	}
}

// unstable says why a row's number can't be believed, and more coarsely where that is
// given, so that rows share a footnote.
func (r *Row) unstable(coarse layout.Text, why result.Cause) {
	exact := reason.Text(why)
	r.Status, r.Reason, r.Cause, r.Because = result.Unstable, exact.EN, why, coarse
	if coarse == (layout.Text{}) {
		r.Because = exact
	}
}

// fillTimes puts in what the samples say.
func (b *builder) fillTimes(row *Row, f *face) {
	s := stat.Summarize(b.index.times(row.Trial, f.clock), rowLevel, b.floor(row.Experiment))
	row.Samples, row.Blocks = s.Samples, s.Blocks
	for _, d := range f.doubts() {
		row.doubt(d)
	}
	b.fillAllocations(row)
	if because, why := disqualify(row, f, s); why.Code != "" {
		row.unstable(because, why)
		return
	}
	if !s.OK {
		row.doubt(doubt{reason.Cause("interval-blocks", s.Blocks), noteSpread})
	}
	for _, d := range statDoubts(s.Warnings, f.clock) {
		if d.note.EN != "" {
			row.doubt(d)
		}
	}
	row.NsPerOp = estimateNs(s, f.clock)
	if d, much := f.garbage(row); much {
		row.doubt(d)
	}
	wall := stat.Summarize(b.index.times(row.Trial, clockWall), rowLevel, b.floor(row.Experiment))
	if wall.Blocks > 0 {
		row.WallNsPerOp = estimateNs(wall, clockWall)
	}
	b.fillRates(row, f.clock, s.Median)
}

// disqualify says why a row's number can't be believed; nothing where it can.
func disqualify(row *Row, f *face, s stat.Summary) (because layout.Text, why result.Cause) {
	if s.Blocks == 0 {
		for _, w := range s.Warnings {
			if w.Code == stat.CodeInvalid {
				return becauseInvalid, reason.Parse(w.Text)
			}
		}
		return becauseFewBlocks, reason.Cause("no-reading")
	}
	if rate := float64(row.Bytes) / s.Median; rate > mostBytesPerSecond {
		return becauseImpossible, reason.Cause("impossible-rate", layout.FormatRate(rate), layout.FormatRate(mostBytesPerSecond))
	}
	// A scenario may be too dear for many blocks. Its value is shown alone.
	if !s.OK && row.Loop != "scenario" {
		return becauseFewBlocks, reason.Cause("exact-blocks", s.Blocks, stat.MinBlocks(rowLevel))
	}
	if 2*f.lurched > f.samples {
		return becauseMoving, reason.Cause("clock-moved-much", f.lurched, f.samples)
	}
	return layout.Text{}, result.Cause{}
}

func estimateNs(s stat.Summary, c Clock) *Estimate {
	e := &Estimate{Median: s.Median * 1e9, Clock: string(c)}
	if s.OK {
		e.Low, e.High = finite(s.Low*1e9), finite(s.High*1e9)
	}
	return e
}

// fillRates derives what follows from the time of a call.
func (b *builder) fillRates(row *Row, c Clock, seconds float64) {
	if row.Bytes <= 0 {
		return
	}
	row.BytesPerSecond = finite(float64(row.Bytes) / seconds)
	if c == clockWall {
		busy := medianOfBlocks(b.index.times(row.Trial, clockProcess))
		if busy > 0 {
			row.BusyBytesPerSecondPC = finite(float64(row.Bytes) / busy)
		}
	}
	cycles := medianOfBlocks(b.index.blocks(row.Trial, func(s *result.Sample) float64 {
		if s.Cycles < 0 || s.Calls <= 0 {
			return math.NaN()
		}
		return float64(s.Cycles) / float64(s.Calls)
	}))
	row.CyclesPerByte = finite(cycles / float64(row.Bytes))
}

// medianOfBlocks is the median of the blocks' medians, NaN where nothing is.
func medianOfBlocks(blocks [][]float64) float64 {
	medians := make([]float64, 0, len(blocks))
	var kept []float64
	for _, block := range blocks {
		kept = kept[:0]
		for _, x := range block {
			if !math.IsNaN(x) {
				kept = append(kept, x)
			}
		}
		if len(kept) > 0 {
			medians = append(medians, stat.Median(kept))
		}
	}
	if len(medians) == 0 {
		return math.NaN()
	}
	return stat.Median(medians)
}

// garbage says of calls that leave much of it what their time does not hold. A worker
// collects between samples (worker.collectAfter), so that one library's garbage does
// not fall to another; what a program pays for it depends on its heap.
func (f *face) garbage(row *Row) (d doubt, much bool) {
	if f.clock != clockCPU || row.AllocBytesPerOp == nil || f.collections*2 > f.samples || *row.AllocBytesPerOp <= muchGarbage*row.NsPerOp.Median {
		return d, false
	}
	return doubt{reason.Cause("garbage", fmt.Sprintf("%.0f", *row.AllocBytesPerOp)), noteGarbage}, true
}

// muchGarbage, in bytes per nanosecond, costs a program with a small heap about 3 % in
// collections (BenchmarkPrimitives of internal/library, which has them, against rows).
const muchGarbage = 0.1

func (b *builder) fillAllocations(row *Row) {
	opened := b.opened[row.Trial]
	if len(opened) == 0 {
		return
	}
	objects, bytes := make([]float64, len(opened)), make([]float64, len(opened))
	for i, o := range opened {
		objects[i], bytes[i] = o.Allocs, o.AllocBytes
	}
	row.AllocsPerOp = finite(stat.Median(objects))
	row.AllocBytesPerOp = finite(stat.Median(bytes))
}
