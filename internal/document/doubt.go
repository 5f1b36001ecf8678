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
	clock    Clock // of the headline
	declared bool  // by the trial itself, and not by what its samples show
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
	f := sampleStats{clock: clockCPU, follows: b.index.clocks[trial].Share}
	n := b.index.count(trial)
	process, cpu, both := make([]float64, 0, n), make([]float64, 0, n), make([]float64, 0, n)
	b.index.Each(trial, func(s *result.Sample) {
		f.count(s, b.spin)
		if s.Thread > 0 {
			process = append(process, float64(s.Process)/float64(s.Thread))
		}
		if s.Wall > 0 {
			cpu = append(cpu, float64(s.Thread)/float64(s.Wall))
			both = append(both, float64(s.Process)/float64(s.Wall))
		}
	})
	f.process = stat.Median(process)
	switch {
	case info.Clock != "":
		f.clock, f.declared = Clock(info.Clock), true
		if f.clock != clockCPU {
			cpu = both
		}
	case info.Loop == "scenario":
		f.clock = clockWall
	case f.process > processExcess:
		f.clock, cpu = clockProcess, both
	}
	f.share = stat.Median(cpu)
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
	if f.clock == clockProcess && !f.declared {
		ds = append(ds, doubt{reason.Cause("process-time", fmt.Sprintf("%.3f", f.process)), noteProcess})
	}
	if f.throttled > 0 {
		ds = append(ds, doubt{reason.Cause("wall-throttled", f.throttled, f.samples), noteThrottled})
	}
	if f.clock != clockWall && !f.declared && f.share < result.ContendedBelow {
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
	switch level := shownLevel(s.Level, stat.RowLevel); {
	case level == 0:
		ds = append(ds, doubt{reason.Cause("interval-blocks", s.Blocks), noteSpread})
	case level < stat.RowLevel:
		ds = append(ds, lowerLevel(s.Blocks, level))
	}
	for _, w := range s.Warnings {
		// What a wall clock discards is said with its reason.
		if note, known := statNotes[w.Code]; known && (w.Code != stat.CodeDiscarded || f.clock != clockWall) {
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
	if f.clock == clockCPU && row.AllocBytesPerOp != nil && f.collections*2 <= f.samples &&
		*row.AllocBytesPerOp > muchGarbage*row.NsPerOp.Median {
		note := noteGarbage
		if row.Runtime != "" { // whose collector no experiment asks about
			note = noteGarbageElsewhere
		}
		ds = append(ds, doubt{reason.Cause("garbage", fmt.Sprintf("%.0f", *row.AllocBytesPerOp)), note})
	}
	return ds
}
