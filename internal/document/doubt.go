package document

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Limits beyond which a reading is doubted; measuring.md gives the reasons.
const (
	processExcess = 1.02 // process over thread time: other threads work for this one
	mostMoved     = 0.03 // of the fixed loop's time: more is a moving clock

	// mostLurched is how far the clock may move within a sample that is believed. A
	// step of a few percent is corrected for, and often the trial's own doing: wide
	// vector instructions slow the clock down.
	mostLurched = 0.10

	// A median of rounds and blocks shrugs off a few bad samples. They are
	// counted in the row's warnings always, and put under a reader's eyes from
	// this share on.
	shownShare = 0.10

	// mostBytesPerSecond is more than any processor moves through one core:
	// 128 bytes a cycle (two loads of 64) at 7 GHz. A rate above it means that
	// the work was not done.
	mostBytesPerSecond = 128 * 7e9

	// muchGarbage, in bytes per nanosecond, costs a program with a small heap about 3 % in
	// collections (BenchmarkPrimitives of internal/library, which has them, against rows).
	muchGarbage = 0.1
)

type sampleStats struct {
	clock    result.Clock // of the headline
	declared bool         // by the trial itself, and not by what its samples show
	samples  int

	process float64 // median of process over thread time
	share   float64 // median of CPU over wall time, on the headline's CPU clock

	throttled   int // samples of which each is true
	collections int
	migrated    int
	moved       int     // the clock differs before and after
	lurched     int     // and by so much that no correction mends it
	away        int     // the clock differs from the run's
	follows     float64 // how much of the time goes with the clock and was corrected
}

func (b *builder) statsOf(trial int, info *result.TrialInfo) sampleStats {
	f := sampleStats{clock: result.ThreadClock, follows: b.index.clocks[trial].Share}
	b.index.each(trial, func(s *result.Sample) { f.count(s, b.spin) })
	share := func(of, whole result.Clock) float64 {
		shares := make([]float64, 0, f.samples)
		b.index.each(trial, func(s *result.Sample) {
			if ns := shownBy(whole, s); ns > 0 {
				shares = append(shares, float64(shownBy(of, s))/float64(ns))
			}
		})
		return stat.Median(shares)
	}
	f.process = share(result.ProcessClock, result.ThreadClock)
	busy := result.ThreadClock // whose share of the wall clock says how much others ran meanwhile
	switch {
	case info.Clock != "":
		f.clock, f.declared = info.Clock, true
		if f.clock != result.ThreadClock {
			busy = result.ProcessClock
		}
	case info.Loop == "scenario":
		f.clock = result.WallClock
	case f.process > processExcess:
		f.clock, busy = result.ProcessClock, result.ProcessClock
	}
	f.share = share(busy, result.WallClock)
	return f
}

func (f *sampleStats) count(s *result.Sample, usual float64) {
	f.samples++
	f.throttled += int(min(1, s.Throttled))
	f.collections += int(min(1, s.Collections))
	f.migrated += int(min(1, s.Migrated))
	if s.SpinBefore <= 0 || s.SpinAfter <= 0 {
		return
	}
	switch change := math.Abs(float64(s.SpinBefore)/float64(s.SpinAfter) - 1); {
	case change > mostMoved:
		f.moved++
		if change > mostLurched {
			f.lurched++
		}
	case usual > 0 && math.Abs(spin(s)/usual-1) > mostMoved:
		f.away++
	}
}

// medianSpin is the time that the fixed loop usually took in this run; NaN where it never ran.
func medianSpin(run *result.Run) float64 {
	var spins []float64
	for i := range run.Samples {
		if s := run.Samples[i].SpinBefore; s > 0 {
			spins = append(spins, float64(s))
		}
	}
	return stat.Median(spins)
}

// doubt is a warning on its way into a row: exact for programs, and coarse for
// footnotes, so that rows that share a doubt share its footnote. A doubt without
// a note is for programs alone.
type doubt struct {
	exact result.Cause
	note  layout.Text
}

func (r *Row) doubt(ds ...doubt) {
	for _, d := range ds {
		r.Warnings = append(r.Warnings, reason.English(d.exact))
		if d.note.EN != "" && !slices.Contains(r.Notes, d.note) {
			r.Notes = append(r.Notes, d.note)
		}
	}
}

func (r *Row) unstable(d doubt) {
	why := reason.Text(d.exact)
	r.Status, r.Reason, r.Cause, r.Why = result.Unstable, why.EN, d.exact, d.note
	if d.note == (layout.Text{}) {
		r.Why = why
	}
}

func (f *sampleStats) doubts() (ds []doubt) {
	if f.clock == result.ProcessClock && !f.declared {
		ds = append(ds, doubt{reason.Cause("process-time", fmt.Sprintf("%.3f", f.process)), noteProcess})
	}
	if f.throttled > 0 {
		ds = append(ds, doubt{reason.Cause("wall-throttled", f.throttled, f.samples), noteThrottled})
	}
	if f.clock != result.WallClock && !f.declared && f.share < result.ContendedBelow {
		ds = append(ds, doubt{reason.Cause("contention", layout.FormatShare(f.share)), noteContention})
	}
	for _, c := range []struct {
		n    int
		what result.Cause
		note layout.Text
	}{
		{f.moved, reason.Cause("clock-moved", f.moved, f.samples), noteMoved},
		{f.away, reason.Cause("clock-away", f.away, f.samples), noteAway},
		{f.collections, reason.Cause("gc-within", f.collections, f.samples), noteCollections},
		{f.migrated, reason.Cause("migrated", f.migrated, f.samples), noteMigrated},
	} {
		d := doubt{exact: c.what}
		switch {
		case c.n == 0:
			continue
		case c.note == noteAway && f.follows > 0:
			d.exact = reason.Cause("usual-rate", d.exact, layout.FormatShare(f.follows))
		case float64(c.n) >= shownShare*float64(f.samples):
			d.note = c.note
		}
		ds = append(ds, d)
	}
	return ds
}

// disqualify says why a row's number can't be believed; nil where it can.
func (f *sampleStats) disqualify(row *Row, s stat.Summary) *doubt {
	switch rate := float64(row.Bytes) / s.Median; {
	case s.Blocks == 0:
		for _, w := range s.Warnings {
			if w.Code == stat.CodeInvalid {
				return &doubt{reason.Parse(w.Text), whyInvalid}
			}
		}
		return &doubt{reason.Cause("no-reading"), whyFewBlocks}
	case rate > mostBytesPerSecond:
		most := layout.FormatRate(mostBytesPerSecond)
		return &doubt{reason.Cause("impossible-rate", layout.FormatRate(rate), most), whyImpossible}
	// A scenario may be too expensive for many blocks. Its value is shown alone.
	case s.Level < stat.LeastLevel && row.Loop != "scenario":
		return &doubt{reason.Cause("exact-blocks", s.Blocks, stat.MinBlocks(stat.LeastLevel)), whyFewBlocks}
	case 2*f.lurched > f.samples:
		return &doubt{reason.Cause("clock-moved-much", f.lurched, f.samples), whyMoving}
	}
	return nil
}

// ofSummary are the warnings of package stat that people read too.
func (f *sampleStats) ofSummary(s stat.Summary) (ds []doubt) {
	switch {
	case s.Level < stat.LeastLevel:
		ds = append(ds, doubt{reason.Cause("interval-blocks", s.Blocks), noteSpread})
	case s.Level < stat.RowLevel:
		ds = append(ds, lowerLevel(s.Blocks, s.Level))
	}
	for _, w := range s.Warnings {
		// What a wall clock discards is said with its reason.
		if note, known := statNotes[w.Code]; known && (w.Code != stat.CodeDiscarded || f.clock != result.WallClock) {
			ds = append(ds, doubt{reason.Parse(w.Text), note})
		}
	}
	return ds
}

// lowerLevel says that the interval of a row, or of its metrics, is at a lower level than others are.
func lowerLevel(blocks int, level float64) doubt {
	percent := strconv.FormatFloat(100*level, 'g', 4, 64)
	return doubt{reason.Cause("level-blocks", blocks, percent), layout.Say(noteLevel.EN, noteLevel.ZH, percent)}
}

// garbage says of calls that leave much of it what their time does not hold. A worker
// collects between samples (worker.collectAfter), so that one library's garbage does
// not fall to another; what a program pays for it depends on its heap.
func (f *sampleStats) garbage(row *Row) (ds []doubt) {
	if f.clock == result.ThreadClock && row.AllocBytesPerOp != nil && f.collections*2 <= f.samples &&
		*row.AllocBytesPerOp > muchGarbage*row.NsPerOp.Median {
		note := noteGarbage
		if row.Runtime != "" { // whose collector no experiment asks about
			note = noteGarbageElsewhere
		}
		ds = append(ds, doubt{reason.Cause("garbage", fmt.Sprintf("%.0f", *row.AllocBytesPerOp)), note})
	}
	return ds
}

// Footnotes for doubt, in both languages. They are coarse: the exact figures
// stand in the row's warnings.
var (
	noteProcess = layout.Text{EN: "other threads, such as a garbage collector, worked for this one: process CPU time is shown",
		ZH: "另有线程（如垃圾回收）参与工作，此处为进程 CPU 时间"}
	noteThrottled = layout.Text{EN: "wall readings taken while the CPU quota throttled the process were discarded",
		ZH: "CPU 配额限流期间的实际耗时读数已剔除"}
	noteContention = layout.Text{EN: "contention: the thread had a CPU for less than 90 % of the wall time",
		ZH: "存在争用：线程获得的 CPU 时间不足实际耗时的 90%"}
	noteMoved = layout.Text{EN: "the CPU frequency changed by more than 3 % during some samples",
		ZH: "部分采样期间 CPU 主频变动超过 3%"}
	noteAway = layout.Text{EN: "the CPU frequency was more than 3 % off the run's median in some samples",
		ZH: "部分采样的 CPU 主频偏离全程中位数超过 3%"}
	noteCollections = layout.Text{EN: "the garbage collector ran within some samples",
		ZH: "部分采样期间发生垃圾回收"}
	noteGarbage = layout.Text{EN: "garbage collection for these calls is not in their time; see cryptogauge run gc",
		ZH: "这些调用引起的垃圾回收不计入耗时（另见 cryptogauge run gc）"}
	noteMigrated = layout.Text{EN: "the thread moved to another CPU during some samples",
		ZH: "部分采样期间线程迁移到其他 CPU"}
	noteUnchecked = layout.Text{EN: "blocks whose output was not checked again at their end do not count",
		ZH: "结束时未复核输出的数据组不计入结果"}
	noteUnheld = layout.Text{EN: "unchecked: its output is held against nothing",
		ZH: "未核对：没有任何实现核对其输出"}
	noteGarbageElsewhere = layout.Text{EN: "garbage collection for these calls is not in their time",
		ZH: "这些调用引起的垃圾回收不计入耗时"}
	noteWarmUp = layout.Text{EN: "in some blocks calls still got faster when the warm-up ended",
		ZH: "部分数据组预热结束时，调用仍在变快"}
	noteSpread = layout.Text{EN: "too few blocks (worker restarts) for an interval: only the value is shown, no verdict",
		ZH: "数据组过少，没有置信区间：只列数值，不作判定"}
	noteLevel = layout.Text{EN: "few blocks (worker restarts): the interval is at %s %%, not at 99 %%",
		ZH: "数据组较少：置信区间为 %s%%，而非 99%%"}
	noteBehind = layout.Text{EN: "blocks in which the load generator was more than 1 % behind its schedule do not count",
		ZH: "压测程序落后计划超过 1% 的数据组不计入结果"}
)

var statNotes = map[string]layout.Text{
	stat.CodeDrift: {EN: "times drifted: the last quarter of the run differs from the first",
		ZH: "存在漂移：最后四分之一时段的结果与最初四分之一不同"},
	stat.CodeBlocks: {
		EN: "results differ more between worker processes than within one; a restart changes the number",
		ZH: "不同工作进程之间的差异大于同一进程内的波动：重启进程会改变结果"},
	stat.CodeTies: {EN: "most blocks show one and the same value: the clock may be too coarse",
		ZH: "多数数据组的数值完全相同：时钟分辨率可能不足"},
	stat.CodeDiscarded: {EN: "some samples were discarded",
		ZH: "部分采样已剔除"},
	stat.CodeUnpaired: {EN: "some samples have no partner in their round and were left out",
		ZH: "部分采样在同轮中无对应采样，未参与比较"},
}

// Why a row has no number, for people. Its Reason is the English one with its figures.
var (
	whyFewBlocks = layout.Text{EN: "fewer than 5 blocks (worker restarts): no interval, even at 90 %",
		ZH: "数据组不足 5 个，连 90% 置信区间也无法给出"}
	whyBehind = layout.Text{EN: "the load generator did not keep its schedule",
		ZH: "压测程序未能按计划时刻发出请求"}
	whyMoving = layout.Text{EN: "the CPU frequency changed by more than 10 % during most samples",
		ZH: "多数采样期间 CPU 主频变动超过 10%"}
	whyImpossible = layout.Text{EN: "the rate is more than a processor can do: the work was not done",
		ZH: "速率超出处理器物理上限：实际运算并未完成"}
	whyInvalid = layout.Text{EN: "a time that no clock shows",
		ZH: "出现时钟不可能给出的时间值"}
)
