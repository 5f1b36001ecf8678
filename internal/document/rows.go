package document

import (
	"cmp"
	"fmt"
	"maps"
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
	b.doc.Rows = make([]*Row, len(b.run.Trials))
	b.stats = make([]sampleStats, len(b.run.Trials))
	ids := UniqueIDs{}
	for i := range b.run.Trials {
		info := &b.run.Trials[i]
		b.doc.Rows[i] = rowOf(info, ids)
		b.stats[i] = b.statsOf(i, info)
	}
	for i, g := range slices.Backward(b.run.Groups) { // the first group that names it
		for _, t := range g.Trials {
			row := b.doc.Rows[t]
			row.Group, row.laboratory = i, row.laboratory || g.Kind != ""
		}
	}
	for _, s := range b.run.Statuses {
		row := b.doc.Rows[s.Trial]
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

func rowOf(info *result.TrialInfo, ids UniqueIDs) *Row {
	c, s := info.Case, info.Subject
	row := &Row{
		ID:         ids.Name(info.Experiment + "/" + info.Trial.ID()),
		Experiment: info.Experiment,
		Algorithm:  c.Algorithm, Mode: c.Mode, Operation: c.Operation, Bytes: c.Bytes, Parameters: c.Parameters,
		Library: s.Library, Version: s.Version, Implementation: s.Implementation, CallPath: s.CallPath, Runtime: s.Runtime, Environment: s.Environment,
		Status: result.OK, Metrics: map[string]Metric{}, Warnings: []string{}, Security: []string{},
		Standard:     cmp.Or(info.Standard, algorithm.Standard(c.Algorithm, c.Mode, c.Operation)),
		ConstantTime: info.ConstantTime, Loop: info.Loop, Note: info.Note,
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
	row, f := b.doc.Rows[i], &b.stats[i]
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
	summary := func(c result.Clock) stat.Summary {
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
	if wall := summary(result.WallClock); wall.Blocks > 0 {
		row.WallNsPerOp = estimateNs(wall, result.WallClock)
	}
	if process := summary(result.ProcessClock); parameter.Sessions.Has(row.Parameters) && process.Blocks > 0 {
		e := estimateNs(process, result.ProcessClock)
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

func estimateNs(s stat.Summary, c result.Clock) *Estimate {
	e := &Estimate{Median: s.Median * 1e9, Clock: string(c)}
	e.Low, e.High, e.Level = shown(s.Low*1e9, s.High*1e9, s.Level, stat.RowLevel)
	return e
}

// shown is an interval with the level that it is shown with: the one asked, where it was reached, or the
// highest that the blocks allow; nothing where that is too low to be shown.
func shown(low, high, reached, asked float64) (_, _ *float64, level float64) {
	if reached < stat.LeastLevel {
		return nil, nil, 0
	}
	return finite(low), finite(high), min(reached, asked)
}

func (b *builder) fillRates(row *Row, c result.Clock, seconds float64) {
	if row.Bytes <= 0 {
		return
	}
	bytes := float64(row.Bytes)
	row.BytesPerSecond = finite(bytes / seconds)
	median := func(value func(*result.Sample) float64) float64 {
		return stat.Median(slices.Collect(maps.Values(b.index.byBlock(row.Trial, value, stat.Median))))
	}
	busy := median(b.index.on(result.ProcessClock))
	if c == result.WallClock && busy > 0 {
		row.BusyBytesPerSecondPC = finite(bytes / busy)
	}
	row.CyclesPerByte = finite(median(func(s *result.Sample) float64 {
		if s.Cycles < 0 || s.Calls <= 0 {
			return math.NaN()
		}
		return float64(s.Cycles) / float64(s.Calls)
	}) / bytes)
}

// medianOf is the median of a value of each; nil of none.
func medianOf[T any](all []*T, value func(*T) float64) *float64 {
	return finite(stat.Median(Mapped(all, value)))
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

// fillRecords puts in what a scenario measured: the median over blocks of each
// metric, and the histograms of all blocks as one. A metric that sums up such a
// histogram, as latency_p99_ns does, is that of all blocks too: two numbers of one
// name, from two populations, would contradict each other wherever a block was
// disturbed.
func (b *builder) fillRecords(row *Row, records []*result.Record) {
	blocks := len(Grouped(records, func(r *result.Record) int { return r.Block }))
	row.Blocks = max(row.Blocks, blocks)
	distributions := distributionsOf(row.ID, records)
	b.doc.Distributions = append(b.doc.Distributions, distributions...)
	alone, least := false, stat.RowLevel
	metrics := slices.Concat(Mapped(records, func(r *result.Record) []result.Metric { return r.Metrics })...)
	for _, same := range Grouped(metrics, func(m result.Metric) string { return m.Name }) {
		name, xs := same[0].Name, Mapped(same, func(m result.Metric) float64 { return m.Value })
		m := Metric{Value: stat.Median(xs), Unit: same[0].Unit}
		if v, ok := summary(distributions, name); ok {
			m.Value = v
		} else if finite(m.Value) == nil {
			continue
		} else if iv, _ := stat.MedianInterval(xs, stat.RowLevel); iv.Level >= stat.LeastLevel {
			m.Low, m.High, m.Level = shown(iv.Low, iv.High, iv.Level, stat.RowLevel)
			least = min(least, m.Level)
		} else if slices.Min(xs) != slices.Max(xs) { // a value that never varies needs no interval
			alone = true
		}
		row.Metrics[name] = m
	}
	if alone {
		row.doubt(doubt{reason.Cause("metrics-blocks", blocks), noteSpread})
	} else if least < stat.RowLevel {
		row.doubt(lowerLevel(blocks, least))
	}
	judgeSchedule(row, records, blocks)
}

// summary is the value of a metric that sums up one of the histograms, by its
// name: "latency_p99_ns" of the histogram "latency" in ns.
func summary(ds []Distribution, metric string) (value float64, ok bool) {
	for _, d := range ds {
		kind, prefixed := strings.CutPrefix(metric, d.Name+"_")
		kind, inUnit := strings.CutSuffix(kind, "_"+d.Unit)
		if !prefixed || !inUnit {
			continue
		}
		if v := map[string]*float64{"mean": &d.Mean, "p50": &d.P50, "p95": d.P95, "p99": d.P99}[kind]; v != nil {
			return *v, true
		}
	}
	return 0, false
}

// mostBehind is the share of its schedule by which a generator of requests may be
// late before latencies say more of it than of what served them. Blocks in which
// it was later hold no latencies.
const mostBehind = 0.01

// judgeSchedule says where the generator of a constant rate did not keep it. A row
// without a block in which it did has no percentiles to show.
func judgeSchedule(row *Row, records []*result.Record, blocks int) {
	late := slices.DeleteFunc(readingsOf(records, "behind"), func(share float64) bool { return !(share > mostBehind) })
	if len(late) == 0 {
		return
	}
	worst := layout.FormatShare(slices.Max(late))
	exact := reason.Cause("behind", worst, len(late), blocks, layout.FormatShare(mostBehind))
	if len(late) == len(records) {
		row.unstable(doubt{exact, whyBehind})
	} else {
		row.doubt(doubt{exact, noteBehind})
	}
}

func distributionsOf(rowID string, records []*result.Record) (ds []Distribution) {
	histograms := slices.Concat(Mapped(records, func(r *result.Record) []result.Histogram { return r.Histograms })...)
	for _, all := range Grouped(histograms, func(h result.Histogram) string { return h.Name }) {
		buckets := slices.Concat(Mapped(all, func(h result.Histogram) [][2]int64 { return h.Buckets })...)
		if d, ok := percentiles(buckets); ok {
			d.RowID, d.Name, d.Unit = rowID, all[0].Name, all[0].Unit
			ds = append(ds, d)
		}
	}
	return ds
}

// percentiles reads the usual ones off (value, count) pairs in any order. One
// that fewer than one value would lie beyond is left null: it would be the
// greatest value under another name.
func percentiles(buckets [][2]int64) (d Distribution, ok bool) {
	slices.SortFunc(buckets, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	for _, b := range buckets {
		d.Count += max(b[1], 0)
		d.Mean += float64(b[0]) * float64(max(b[1], 0))
	}
	if d.Count == 0 {
		return d, false
	}
	d.Mean /= float64(d.Count)
	at := func(p float64) float64 {
		rank := int64(p*float64(d.Count)+1-1e-9) - 1 // of the value, from 0: ceil(p·n)-1
		for _, b := range buckets {
			if rank -= max(b[1], 0); rank < 0 {
				return float64(b[0])
			}
		}
		return float64(buckets[len(buckets)-1][0])
	}
	beyond := func(p float64) *float64 {
		if float64(d.Count)*(1-p) < 1-1e-9 {
			return nil
		}
		v := at(p)
		return &v
	}
	d.P50, d.P90, d.Max = at(0.5), at(0.9), at(1)
	d.P95, d.P99, d.P999 = beyond(0.95), beyond(0.99), beyond(0.999)
	return d, true
}
