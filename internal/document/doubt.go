package document

import (
	"fmt"
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Limits beyond which a reading is doubted; measuring.md gives the reasons.
const (
	processExcess = 1.02 // process over thread time: other threads work for this one
	mostMoved     = 0.03 // of the fixed loop's time: more is a moving clock

	// A median of rounds and blocks shrugs off a few bad samples. They are
	// counted in the row's warnings always, and put under a reader's eyes from
	// this share on.
	shownShare = 0.10

	// mostBytesPerSecond is more than any processor moves through one core:
	// 128 bytes a cycle (two loads of 64) at 7 GHz. A rate above it means that
	// the work was not done.
	mostBytesPerSecond = 128 * 7e9
)

// face is what a trial's samples look like beside their times.
type face struct {
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
	starved     int     // CPU over wall below result.ContendedBelow
}

func (b *builder) faceOf(trial int, info *result.TrialInfo) face {
	f := face{clock: clockCPU, samples: b.index.count(trial), follows: b.index.clocks[trial].Share}
	process := make([]float64, 0, f.samples)
	cpu := make([]float64, 0, f.samples)
	both := make([]float64, 0, f.samples)
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
		f.clock, f.declared, cpu = Clock(info.Clock), true, both
	case info.Loop == "scenario":
		f.clock = clockWall
	case f.process > processExcess:
		f.clock, cpu = clockProcess, both
	}
	f.share = stat.Median(cpu)
	for _, share := range cpu {
		if share < result.ContendedBelow {
			f.starved++
		}
	}
	return f
}

func (f *face) count(s *result.Sample, spin float64) {
	if s.Throttled > 0 {
		f.throttled++
	}
	if s.Collections > 0 {
		f.collections++
	}
	if s.Migrated > 0 {
		f.migrated++
	}
	if s.SpinBefore <= 0 || s.SpinAfter <= 0 {
		return
	}
	before, after := float64(s.SpinBefore), float64(s.SpinAfter)
	switch {
	case apart(before, after):
		f.moved++
		if math.Abs(before/after-1) > mostLurched {
			f.lurched++
		}
	case spin > 0 && apart((before+after)/2, spin):
		f.away++
	}
}

// mostLurched is how far the clock may move within a sample that is believed. A
// step of a few percent is corrected for, and often the trial's own doing: wide
// vector instructions slow the clock down.
const mostLurched = 0.10

func apart(x, y float64) bool { return math.Abs(x/y-1) > mostMoved }

// medianSpin is the time that the fixed loop usually took in this run.
func medianSpin(run *result.Run) float64 {
	spins := make([]float64, 0, len(run.Samples))
	for i := range run.Samples {
		if s := run.Samples[i].SpinBefore; s > 0 {
			spins = append(spins, float64(s))
		}
	}
	if len(spins) == 0 {
		return 0
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

func (r *Row) doubt(d doubt) {
	r.Warnings = append(r.Warnings, reason.English(d.exact))
	if d.note.EN != "" && !slices.Contains(r.Notes, d.note) {
		r.Notes = append(r.Notes, d.note)
	}
}

// doubts lists what the samples themselves give reason to doubt.
func (f *face) doubts() (ds []doubt) {
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
		if c.n == 0 {
			continue
		}
		d := doubt{exact: c.what}
		if c.note == noteAway && f.follows > 0 {
			d.exact = reason.Cause("usual-rate", d.exact, layout.FormatShare(f.follows))
		} else if float64(c.n) >= shownShare*float64(f.samples) {
			d.note = c.note
		}
		ds = append(ds, d)
	}
	return ds
}

// statDoubts are the warnings of package stat in both languages.
func statDoubts(ws []stat.Warning, c Clock) (ds []doubt) {
	for _, w := range ws {
		if w.Code == stat.CodeDiscarded && c == clockWall {
			continue // said by the face, with its reason
		}
		ds = append(ds, doubt{reason.Parse(w.Text), statNotes[w.Code]})
	}
	return ds
}

// warningTexts are the sentences of warnings, never null.
func warningTexts(ws []stat.Warning) []string {
	texts := make([]string, 0, len(ws))
	for _, w := range ws {
		texts = append(texts, w.Text)
	}
	return texts
}
