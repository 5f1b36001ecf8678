package document

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// buildRows makes a row of every trial, with all but its numbers.
func (b *builder) buildRows() {
	b.spin = medianSpin(b.run)
	b.doc.Rows = make([]Row, len(b.run.Trials))
	b.stats = make([]sampleStats, len(b.run.Trials))
	ids := UniqueIDs{}
	for i := range b.run.Trials {
		info := &b.run.Trials[i]
		b.doc.Rows[i] = rowOf(info, ids)
		b.stats[i] = b.statsOf(i, info)
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
			row.Why = reason.Text(row.Cause)
		}
	}
	b.withhold()
	b.opened = byTrial(b, b.run.Opened, func(o *result.Opened) trialBlock { return trialBlock{o.Trial, o.Block} })
	b.records = byTrial(b, b.run.Records, func(r *result.Record) trialBlock { return trialBlock{r.Trial, r.Block} })
}

func rowOf(info *result.TrialInfo, ids UniqueIDs) Row {
	c, s := info.Case, info.Subject
	row := Row{
		ID:         ids.Name(info.Experiment + "/" + info.Trial.ID()),
		Experiment: info.Experiment,
		Algorithm:  c.Algorithm, Mode: c.Mode, Operation: c.Operation, Bytes: c.Bytes, Parameters: c.Parameters,
		Library: s.Library, Version: s.Version, Implementation: s.Implementation, CallPath: s.CallPath, Runtime: s.Runtime, Environment: s.Environment,
		Status: result.OK, Metrics: map[string]Metric{}, Warnings: []string{}, Security: []string{},
		Standard: cmp.Or(info.Standard, algorithm.Standard(c.Algorithm, c.Mode, c.Operation)), ConstantTime: info.ConstantTime, Loop: info.Loop, Note: info.Note,
		Trial: info.Index, Group: -1, Info: info,
	}
	row.ConstantTime.Value = cmp.Or(row.ConstantTime.Value, "unknown")
	if n := c.Parameter("messages"); n != "" && c.Parameter("sizes") == "mix" {
		row.Note = strings.TrimPrefix(row.Note+"; one call replays "+n+" messages: bytes and times are those of all together", "; ")
	}
	for _, note := range securityOf(c) {
		row.Security = append(row.Security, note.EN)
		row.Notes = append(row.Notes, note)
	}
	return row
}

// byTrial sorts what a run holds beside samples. A trial's blocks that were never closed do
// not count here either.
func byTrial[T any](b *builder, all []T, at func(*T) trialBlock) [][]*T {
	sorted := make([][]*T, len(b.run.Trials))
	for i := range all {
		if of := at(&all[i]); b.index.closed[of] {
			sorted[of.trial] = append(sorted[of.trial], &all[i])
		}
	}
	return sorted
}

// fillRow computes a row's numbers, or says why it has none. A trial that left
// the comparison keeps its status and gets no number at all.
func (b *builder) fillRow(i int) {
	row, f := &b.doc.Rows[i], &b.stats[i]
	if row.Status != result.OK {
		return
	}
	open := b.index.open[i]
	switch {
	case f.samples > 0:
		b.fillTimes(row, f)
	case len(b.records[i]) == 0 && open > 0:
		row.unstable(doubt{exact: reason.Cause("unchecked")})
	case len(b.records[i]) == 0:
		row.unstable(doubt{exact: reason.Cause("unmeasured")})
	}
	if row.Info.Unchecked {
		row.doubt(doubt{reason.Cause("output-unchecked"), noteUnheld})
	}
	if open > 0 {
		row.doubt(doubt{reason.Cause("samples-unchecked", open), noteUnchecked})
	}
	if row.Status == result.OK {
		b.fillRecords(row, b.records[i])
	}
}

func (b *builder) fillTimes(row *Row, f *sampleStats) {
	summary := func(c Clock) stat.Summary {
		return stat.Summarize(b.index.times(row.Trial, c), stat.RowLevel, b.noise.floor)
	}
	s := summary(f.clock)
	row.Samples, row.Blocks = s.Samples, s.Blocks
	row.doubt(f.doubts()...)
	row.AllocsPerOp = counted(medianOf(b.opened[row.Trial], func(o *result.Opened) float64 { return o.Allocs }))
	row.AllocBytesPerOp = counted(medianOf(b.opened[row.Trial], func(o *result.Opened) float64 { return o.AllocBytes }))
	row.fillWarmUp(b.opened[row.Trial])
	if d := f.disqualify(row, s); d != nil {
		row.unstable(*d)
		return
	}
	row.NsPerOp = estimateNs(s, f.clock)
	row.doubt(f.ofSummary(s)...)
	row.doubt(f.garbage(row)...)
	if wall := summary(clockWall); wall.Blocks > 0 {
		row.WallNsPerOp = estimateNs(wall, clockWall)
	}
	if process := summary(clockProcess); parameter.Sessions.Has(row.Parameters) && process.Blocks > 0 {
		e := estimateNs(process, clockProcess)
		row.Metrics[CPUPerCall] = Metric{Value: e.Median, Low: e.Low, High: e.High, Level: e.Level, Unit: "ns"}
	}
	b.fillRates(row, f.clock, s.Median)
}

// CPUPerCall is the metric of rows whose callers wait in sessions: the CPU time of a call on this machine.
const CPUPerCall = "cpu_ns_per_op"

// counted is nil where nobody counted.
func counted(n *float64) *float64 {
	if n != nil && *n < 0 {
		return nil
	}
	return n
}

func estimateNs(s stat.Summary, c Clock) *Estimate {
	e := &Estimate{Median: s.Median * 1e9, Clock: string(c)}
	if e.Level = shownLevel(s.Level, stat.RowLevel); e.Level > 0 {
		e.Low, e.High = finite(s.Low*1e9), finite(s.High*1e9)
	}
	return e
}

// shownLevel is the level that an interval is shown with: the one asked, where it was reached, or the
// highest that the blocks allow; 0 where that is too low to be shown.
func shownLevel(reached, asked float64) float64 {
	if reached < stat.LeastLevel {
		return 0
	}
	return min(reached, asked)
}

func (b *builder) fillRates(row *Row, c Clock, seconds float64) {
	if row.Bytes <= 0 {
		return
	}
	bytes := float64(row.Bytes)
	row.BytesPerSecond = finite(bytes / seconds)
	if busy := medianOfBlocks(b.index.times(row.Trial, clockProcess)); c == clockWall && busy > 0 {
		row.BusyBytesPerSecondPC = finite(bytes / busy)
	}
	row.CyclesPerByte = finite(medianOfBlocks(b.index.values(row.Trial, func(s *result.Sample) float64 {
		if s.Cycles < 0 || s.Calls <= 0 {
			return math.NaN()
		}
		return float64(s.Cycles) / float64(s.Calls)
	})) / bytes)
}

func medianOfBlocks(blocks [][]float64) float64 {
	var medians []float64
	for _, block := range blocks {
		if kept := slices.DeleteFunc(block, math.IsNaN); len(kept) > 0 {
			medians = append(medians, stat.Median(kept))
		}
	}
	return stat.Median(medians)
}

// medianOf is the median of a value of each; nil of none.
func medianOf[T any](all []*T, value func(*T) float64) *float64 {
	var xs []float64
	for _, x := range all {
		xs = append(xs, value(x))
	}
	return finite(stat.Median(xs))
}

// WarmUp is what a worker whose code is compiled while it runs did in each block before its first sample.
type WarmUp struct {
	Batches        float64 `json:"batches"`         // of calls, the median of the blocks
	Seconds        float64 `json:"seconds"`         // of wall time, likewise
	UnsteadyBlocks int     `json:"unsteady_blocks"` // in which calls still got faster at its end
}

// fillWarmUp says what runs a row's code, and how it was warmed up.
func (r *Row) fillWarmUp(opened []*result.Opened) {
	if r.Runtime == "" {
		return
	}
	opened = slices.DeleteFunc(slices.Clone(opened), func(o *result.Opened) bool { return o.WarmUp == nil })
	if len(opened) == 0 {
		r.Notes = append(r.Notes, layout.Say("run by %s", "由 %s 运行", r.Runtime))
		return
	}
	w := &WarmUp{
		Batches: *medianOf(opened, func(o *result.Opened) float64 { return float64(o.WarmUp.Batches) }),
		Seconds: *medianOf(opened, func(o *result.Opened) float64 { return float64(o.WarmUp.Nanoseconds) / 1e9 }),
	}
	for _, o := range opened {
		if o.WarmUp.Unsteady {
			w.UnsteadyBlocks++
		}
	}
	r.WarmUp = w
	said := fmt.Sprintf("warmed up in each block by %s batches of calls, %s", layout.FormatCount(w.Batches), layout.FormatTime(w.Seconds*1e9))
	r.Note = strings.TrimPrefix(r.Note+"; "+said, "; ")
	r.Notes = append(r.Notes, layout.Say("run by %s, after a warm-up of its compiler in each block", "由 %s 运行，每个数据组先预热其即时编译器", r.Runtime))
	if w.UnsteadyBlocks > 0 {
		r.doubt(doubt{reason.Cause("warm-up-unsteady", w.UnsteadyBlocks), noteWarmUp})
	}
}
