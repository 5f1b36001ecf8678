package document

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// one builds a run of a single trial and returns its row.
func one(t *testing.T, blocks, rounds int, loop string, p documenttest.Plan) *Row {
	t.Helper()
	f := documenttest.NewFixture(blocks, rounds)
	f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, p)
	f.Run.Trials[0].Loop = loop
	return Build(f.End()).Rows[0]
}

func TestRowOfAQuietTrial(t *testing.T) {
	row := one(t, 15, 7, "block", documenttest.Plan{NS: 5000, Allocs: 2, Change: func(s *result.Sample) { s.Cycles = s.Calls * 12_000 }})
	if row.Status != result.OK || row.NsPerOp == nil || math.Abs(row.NsPerOp.Median/5000-1) > 0.01 {
		t.Fatalf("row %+v", row)
	}
	if e := row.NsPerOp; e.Clock != "cpu" || e.Low == nil || e.High == nil || *e.Low > e.Median || *e.High < e.Median {
		t.Errorf("estimate %+v", e)
	}
	if row.Samples != 105 || row.Blocks != 15 || len(row.Warnings) != 0 {
		t.Errorf("%d samples, %d blocks, warnings %q", row.Samples, row.Blocks, row.Warnings)
	}
	if got, want := *row.BytesPerSecond, 1024/row.NsPerOp.Median*1e9; math.Abs(got/want-1) > 1e-12 {
		t.Errorf("%v B/s, want %v", got, want)
	}
	if *row.AllocsPerOp != 2 || *row.AllocBytesPerOp != 64 || math.Abs(*row.CyclesPerByte-12_000.0/1024) > 1e-9 {
		t.Errorf("allocs %v, bytes %v, cycles %v", *row.AllocsPerOp, *row.AllocBytesPerOp, *row.CyclesPerByte)
	}
}

// Every doubt is raised by what should raise it, and by nothing less.
func TestDoubts(t *testing.T) {
	seldom := func(change func(*result.Sample)) func(*result.Sample) {
		return func(s *result.Sample) {
			if s.Block == 3 && s.Round == 3 {
				change(s)
			}
		}
	}
	moved := func(s *result.Sample) { s.SpinAfter = s.SpinBefore * 104 / 100 }
	for _, c := range []struct {
		name   string
		change func(*result.Sample)
		clock  string
		warned string      // in Warnings, "" for none
		noted  layout.Text // in Notes, zero for none but the security note
	}{
		{"nothing", nil, "cpu", "", layout.Text{}},
		{"process 1 % above thread", func(s *result.Sample) { s.Process = s.Thread * 101 / 100 }, "cpu", "", layout.Text{}},
		{"process 66 % above thread", func(s *result.Sample) { s.Process = s.Thread * 166 / 100 }, "process", "1.660 times", noteProcess},
		{"waiting for the CPU", func(s *result.Sample) { s.Wall = s.Thread * 2 }, "cpu", "a CPU for 50 % of its wall time", noteContention},
		{"one clock moved", seldom(moved), "cpu", "moved by more than 3 % during 1 of 105", layout.Text{}},
		{"a third moved", func(s *result.Sample) {
			if s.Round%3 == 0 {
				moved(s)
			}
		}, "cpu", "moved by more than 3 % during 45 of 105", noteMoved},
		{"the clock is another in some blocks", func(s *result.Sample) {
			if s.Block < 3 {
				s.SpinBefore, s.SpinAfter = 120_000, 120_000
			}
		}, "cpu", "off the run's median in 21 of 105", noteAway},
		{"collections", func(s *result.Sample) { s.Collections = 1 }, "cpu", "collector ran within 105 of 105", noteCollections},
		{"migrations", func(s *result.Sample) { s.Migrated = 1 }, "cpu", "on another CPU in 105 of 105", noteMigrated},
		{"throttled once", seldom(func(s *result.Sample) { s.Throttled, s.Wall = 1, s.Wall*100 }), "cpu", "1 of 105 wall readings", noteThrottled},
		{"drift", func(s *result.Sample) { s.Thread += s.Thread * int64(s.Block) / 100 }, "cpu", "drift", statNotes[stat.CodeDrift]},
		{"worker differs", func(s *result.Sample) { s.Thread += s.Thread * int64(s.Block*7%5) / 25 }, "cpu", "the worker process is part", statNotes[stat.CodeBlocks]},
	} {
		row := one(t, 15, 7, "block", documenttest.Plan{NS: 5000, Change: c.change})
		if row.Status != result.OK || row.NsPerOp.Clock != c.clock {
			t.Errorf("%s: status %v (%s), clock %v", c.name, row.Status, row.Reason, row.NsPerOp)
			continue
		}
		warnings := strings.Join(row.Warnings, "\n")
		if c.warned == "" && warnings != "" || !strings.Contains(warnings, c.warned) {
			t.Errorf("%s: warnings %q, want %q", c.name, warnings, c.warned)
		}
		if noted := slices.Contains(row.Notes, c.noted); c.noted != (layout.Text{}) && !noted || c.noted == (layout.Text{}) && len(row.Notes) != 1 {
			t.Errorf("%s: notes %q, want %q", c.name, row.Notes, c.noted)
		}
		if c.name == "throttled once" && math.Abs(row.WallNsPerOp.Median/5050-1) > 0.01 {
			t.Errorf("the throttled reading counts: %v", row.WallNsPerOp.Median)
		}
	}
}

// What can't be believed has a cause and no number.
func TestUnstable(t *testing.T) {
	for _, c := range []struct {
		name           string
		blocks, rounds int
		p              documenttest.Plan
		because        layout.Text
	}{
		{"four blocks", 4, 15, documenttest.Plan{NS: 5000}, whyFewBlocks},
		{"no samples", 15, 7, documenttest.Plan{Silent: true}, reason.Text(reason.Cause("unmeasured"))},
		{"no block closed", 15, 7, documenttest.Plan{NS: 5000, Open: true}, reason.Text(reason.Cause("unchecked"))},
		{"a clock that runs away", 15, 7, documenttest.Plan{NS: 5000, Change: func(s *result.Sample) { s.SpinAfter *= 2 }}, whyMoving},
		{"1 TB/s", 15, 7, documenttest.Plan{NS: 1}, whyImpossible},
		{"no time", 15, 7, documenttest.Plan{NS: 5000, Change: func(s *result.Sample) { s.Thread = 0 }}, whyInvalid},
		{"no calls", 15, 7, documenttest.Plan{NS: 5000, Change: func(s *result.Sample) { s.Calls = 0 }}, whyFewBlocks},
	} {
		row := one(t, c.blocks, c.rounds, "block", c.p)
		if row.Status != result.Unstable || row.Why != c.because || row.Reason == "" {
			t.Errorf("%s: status %v because of %q (%s)", c.name, row.Status, row.Why.EN, row.Reason)
		}
		if row.NsPerOp != nil || row.WallNsPerOp != nil || row.BytesPerSecond != nil {
			t.Errorf("%s: it has a number", c.name)
		}
	}
}

// Fewer blocks than a 99 % interval takes give the interval that they allow, with its level, and no verdict.
func TestLowerLevels(t *testing.T) {
	for blocks, want := range map[int]float64{5: 0.9375, 6: 0.96875, 7: 0.984375, 8: 0.99, 15: 0.99} {
		f := documenttest.NewFixture(blocks, 7)
		a := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 5000})
		b := f.Trial("modes", documenttest.SM4("ECB", 1024), documenttest.GMSM, documenttest.Plan{NS: 900})
		scenario := f.Trial("modes", documenttest.SM4("GCM", 1024), documenttest.GMSM, documenttest.Plan{Silent: true})
		f.Run.Trials[scenario].Loop = "scenario"
		f.Group("modes", "g", "", []int{a, b}, result.Pair{Base: a, Other: b, Headline: true})
		run := f.End()
		for block := range blocks {
			run.Records = append(run.Records, result.Record{Trial: scenario, Block: block,
				Metrics: []result.Metric{{Name: "rate", Value: float64(block), Unit: "1/s"}}})
		}
		doc := Build(run)
		row, c, m := doc.Rows[a], doc.Comparisons[0], doc.Rows[scenario].Metrics["rate"]
		if e := row.NsPerOp; row.Status != result.OK || e.Low == nil || e.Level != want || m.Low == nil || m.Level != want {
			t.Errorf("%d blocks: %v %+v, metric %+v, want the level %v", blocks, row.Status, e, m, want)
		}
		if decided := c.Verdict == "faster"; c.Low == nil || c.Level != want || decided != (blocks >= 8) {
			t.Errorf("%d blocks: comparison at %v is %s, want the level %v", blocks, c.Level, c.Verdict, want)
		}
		for _, r := range []*Row{row, doc.Rows[scenario]} {
			noted := slices.ContainsFunc(r.Notes, func(n layout.Text) bool { return strings.HasPrefix(n.EN, "few blocks") })
			if warned := strings.Contains(strings.Join(r.Warnings, ""), "not at 99 %"); warned != (blocks < 8) || noted != warned {
				t.Errorf("%d blocks: warnings %q, notes %q", blocks, r.Warnings, r.Notes)
			}
		}
	}
}

// A scenario that is too dear for eight blocks shows its value, on the wall
// clock, and no interval.
func TestScenarioOfFewBlocks(t *testing.T) {
	row := one(t, 3, 2, "scenario", documenttest.Plan{NS: 5000, Change: func(s *result.Sample) { s.Wall = 3 * s.Thread }})
	if row.Status != result.OK || row.NsPerOp.Clock != "wall" || row.NsPerOp.Low != nil || math.Abs(row.NsPerOp.Median/15000-1) > 0.02 {
		t.Errorf("row %v %+v", row.Status, row.NsPerOp)
	}
	if row.BusyBytesPerSecondPC == nil || math.Abs(*row.BusyBytesPerSecondPC / *row.BytesPerSecond - 3) > 0.1 {
		t.Errorf("busy rate %v of %v", row.BusyBytesPerSecondPC, row.BytesPerSecond)
	}
	if !slices.Contains(row.Notes, noteSpread) {
		t.Errorf("notes %q", row.Notes)
	}
}

// A trial that names its clock is read on it, and nothing is doubted on that account.
func TestDeclaredClock(t *testing.T) {
	for clock, want := range map[result.Clock]float64{result.ProcessClock: 20000, result.WallClock: 40000, "": 10000} {
		f := documenttest.NewFixture(15, 7)
		i := f.Trial("gc", documenttest.SM4("GCM", 1024), documenttest.GMSM, documenttest.Plan{NS: 10000, Change: func(s *result.Sample) { s.Process, s.Wall = 2*s.Thread, 4*s.Thread }})
		f.Run.Trials[i].Clock = clock
		if clock == "" {
			f.Plans[i].Change = nil
		}
		row := Build(f.End()).Rows[0]
		if row.Status != result.OK || math.Abs(row.NsPerOp.Median/want-1) > 0.02 || clock != "" && row.NsPerOp.Clock != string(clock) {
			t.Errorf("clock %q: %v %+v", clock, row.Status, row.NsPerOp)
		}
		if slices.Contains(row.Notes, noteProcess) || slices.Contains(row.Notes, noteContention) {
			t.Errorf("clock %q is doubted: %v", clock, row.Warnings)
		}
	}
}

// Of messages of different lengths the rates are compared.
func TestCompareRates(t *testing.T) {
	f := documenttest.NewFixture(15, 7)
	a := f.Trial("streaming", documenttest.SM4("GCM", 1<<10), documenttest.GMSM, documenttest.Plan{NS: 1000})
	b := f.Trial("streaming", documenttest.SM4("GCM", 4<<10), documenttest.GMSM, documenttest.Plan{NS: 2000})
	f.Group("streaming", "g", "", []int{a, b}, result.Pair{Base: a, Other: b, Headline: true})
	c := Build(f.End()).Comparisons[0]
	if c.Verdict != "faster" || math.Abs(c.Ratio-2) > 0.02 {
		t.Errorf("%+v", c)
	}
}

// Every comparison is widened by one noise floor, from the A/A blocks of all experiments.
func TestNoiseIsPooled(t *testing.T) {
	for _, c := range []struct {
		noises  []float64
		floor   float64
		verdict string
		reason  string
	}{
		{[]float64{1, 1, 1.03}, stat.MinFloor, "faster", ""},
		{[]float64{1.03, 1, 1.03}, 0.029, "inconclusive", "the same code twice differs in modes, gc (A/A)"},
		{[]float64{1.03, 1, 0.97, 1}, stat.MinFloor, "faster", "the same code twice differs in modes, gc (A/A)"},
	} {
		f := documenttest.NewFixture(15, 7)
		for i, noise := range c.noises {
			name := []string{"modes", "rsa", "gc", "envelope"}[i]
			x := f.Trial(name, documenttest.SM4("CTR", 1024), documenttest.GMSM, documenttest.Plan{NS: 1000})
			y := f.Trial(name, documenttest.SM4("CTR", 1024), documenttest.GMSM, documenttest.Plan{NS: 1000 * noise})
			f.Group(name, "A/A", result.KindNoise, []int{x, y}, result.Pair{Base: x, Other: y})
			a, b := f.Trial(name, documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 1000}), f.Trial(name, documenttest.SM4("ECB", 1024), documenttest.GMSM, documenttest.Plan{NS: 980})
			f.Group(name, "g", "", []int{a, b}, result.Pair{Base: a, Other: b, Headline: true})
		}
		d := Build(f.End())
		if math.Abs(d.NoiseFloor-c.floor) > 0.002 || d.Resolution == nil || *d.Resolution < d.NoiseFloor {
			t.Errorf("%v: the floor is %v, the resolution %v", c.noises, d.NoiseFloor, d.Resolution)
		}
		for _, x := range d.Comparisons {
			if x.Headline && x.Verdict != c.verdict {
				t.Errorf("%v: %s is %s", c.noises, x.ID, x.Verdict)
			}
		}
		if why := d.Trust.Reasons; (d.Trust.Level == "good") != (c.reason == "") || c.reason != "" && !strings.HasPrefix(why[0].EN, c.reason) {
			t.Errorf("%v: %+v", c.noises, d.Trust)
		}
	}
}

func TestOnlyClosedBlocksCount(t *testing.T) {
	f := documenttest.NewFixture(15, 7)
	f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 5000, Change: func(s *result.Sample) {
		if s.Block == 14 {
			s.Thread *= 50
		}
	}})
	run := f.End()
	run.Closed = run.Closed[:14]
	row := Build(run).Rows[0]
	if row.Blocks != 14 || row.Samples != 98 || *row.NsPerOp.High > 5100 {
		t.Errorf("%d blocks, %d samples, high %v", row.Blocks, row.Samples, *row.NsPerOp.High)
	}
	if !strings.Contains(strings.Join(row.Warnings, ""), "7 samples are of blocks whose output was not checked again") {
		t.Errorf("warnings %q", row.Warnings)
	}
}

func TestStatusOfAWrongAndCrashedTrial(t *testing.T) {
	f := documenttest.NewFixture(15, 7)
	x := f.Trial("modes", documenttest.SM4("GCM", 1024), documenttest.TJFOC, documenttest.Plan{NS: 100})
	f.Status(x, result.Crashed, "died")
	f.Status(x, result.Incorrect, "wrong tag")
	f.Status(x, result.Crashed, "died again")
	if row := Build(f.End()).Rows[0]; row.Status != result.Incorrect || row.Reason != "wrong tag" || row.NsPerOp != nil {
		t.Errorf("%v %q %v", row.Status, row.Reason, row.NsPerOp)
	}
}

func TestTwinsHaveIDsOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	doc := Build(documenttest.FullRun())
	for _, r := range doc.Rows {
		if seen[r.ID] {
			t.Errorf("%q stands twice", r.ID)
		}
		seen[r.ID] = true
	}
	if !seen["modes/SM4-CTR/encrypt/1024/gmsm@v0.44.0/avx2+gfni/go#2"] {
		t.Error("the twin has no #2")
	}
	for _, c := range doc.Comparisons {
		if seen[c.ID] || !seen[c.Base] || !seen[c.Other] {
			t.Errorf("comparison %q of %q and %q", c.ID, c.Base, c.Other)
		}
		seen[c.ID] = true
	}
}

func TestComparisons(t *testing.T) {
	doc := Build(documenttest.FullRun())
	// Three of the four headline comparisons have rows to compare, and all are decided: 1 − 0.01·3/4.
	if len(doc.Comparisons) != 5 { // six declared, one of them with a wrong row
		t.Fatalf("%d comparisons", len(doc.Comparisons))
	}
	for _, c := range doc.Comparisons {
		if c.Level != 0.9925 || c.Blocks != 15 || c.Low == nil || c.High == nil {
			t.Errorf("%s: level %v, %d blocks", c.ID, c.Level, c.Blocks)
		}
		if strings.Contains(c.Other, "tjfoc") {
			t.Errorf("a wrong row is ranked: %s", c.ID)
		}
		if strings.Contains(c.Other, "SM4-GCM") && (c.Clock != "process" || !strings.Contains(c.Warnings[0], "different clocks")) {
			t.Errorf("%s on %s, warnings %q", c.ID, c.Clock, c.Warnings)
		}
		if strings.Contains(c.Other, "cryptogauge") && (c.Verdict != "faster" || math.Abs(c.Ratio-1/0.98) > 0.01) {
			t.Errorf("%s: %s, %v", c.ID, c.Verdict, c.Ratio)
		}
	}
}

// Rounds are paired by their number, whatever is missing on either side, and a
// slow drift of both sides leaves the ratio.
func TestComparisonsArePairedByRound(t *testing.T) {
	f := documenttest.NewFixture(15, 7)
	drift := func(s *result.Sample) { s.Thread = s.Thread * int64(100+20*s.Round) / 100 }
	a := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 5000, Change: drift})
	b := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.Ours, documenttest.Plan{NS: 4000, Change: drift})
	f.Group("modes", "x", "", []int{a, b}, result.Pair{Base: a, Other: b, Headline: true})
	run := f.End()
	run.Samples = slices.DeleteFunc(run.Samples, func(s result.Sample) bool {
		return int(s.Trial) == a && s.Round == 0 || int(s.Trial) == b && s.Round == 6
	})
	if c := Build(run).Comparisons[0]; c.Verdict != "faster" || math.Abs(c.Ratio-1.25) > 0.005 {
		t.Errorf("ratio %v, %s", c.Ratio, c.Verdict)
	}
}

func TestNoiseFloorOfTheRun(t *testing.T) {
	for _, c := range []struct {
		twin, want float64
		trust      string
	}{{1.0005, stat.MinFloor, "good"}, {1.015, 0.015, "fair"}, {0.96, 0.0417, "low"}} {
		f := documenttest.NewFixture(15, 7)
		a := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 5000})
		b := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 5000 * c.twin})
		f.Group("modes", "A/A", result.KindNoise, []int{a, b})
		doc := Build(f.End())
		if math.Abs(doc.NoiseFloor-c.want) > 0.001 || doc.Trust.Level != c.trust {
			t.Errorf("twins that differ by %v: floor %v, trust %v %q", c.twin, doc.NoiseFloor, doc.Trust.Level, doc.Trust.Reasons)
		}
	}
}

func TestFits(t *testing.T) {
	doc := Build(documenttest.FullRun())
	if len(doc.Fits) != 2 {
		t.Fatalf("%d fits, want one for each of gmsm's ECB and CBC", len(doc.Fits))
	}
	ecb, cbc := doc.Fits[0], doc.Fits[1]
	if !ecb.OK || math.Abs(ecb.Terms["ns_per_byte"]/0.8-1) > 0.02 || math.Abs(ecb.Terms["fixed_ns"]/60-1) > 0.1 {
		t.Errorf("ECB %+v", ecb)
	}
	if !cbc.OK || math.Abs(cbc.Terms["bytes_per_second"]/2e8-1) > 0.02 || math.Abs(cbc.Terms["half_size_bytes"]/16-1) > 0.2 {
		t.Errorf("CBC %+v", cbc)
	}
	f := documenttest.NewFixture(15, 7)
	for _, size := range []int64{64, 1024, 16384} {
		f.Trial("modes", documenttest.SM4("CBC", size), documenttest.GMSM, documenttest.Plan{NS: 5000})
	}
	if fit := Build(f.End()).Fits[0]; fit.OK || fit.Reason == "" || len(fit.Terms) != 0 {
		t.Errorf("a time that does not grow is fitted: %+v", fit)
	}
}

// TestFitsOverChunks: of streams the time of a chunk is fitted over its size, one
// fit for each kind of source and sink, however long the streams were.
func TestFitsOverChunks(t *testing.T) {
	f := documenttest.NewFixture(15, 7)
	for io, rate := range map[string]float64{"memory": 0.5, "file": 1} {
		for _, chunk := range []int64{4096, 65536, 1 << 20, 8 << 20} {
			c := documenttest.SM4("GCM", max(chunk, 1<<20))
			c.Parameters = fmt.Sprintf("chunk=%d,io=%s", chunk, io)
			f.Trial("streaming", c, documenttest.GMSM, documenttest.Plan{NS: float64(c.Bytes) / float64(chunk) * (2000 + rate*float64(chunk))})
		}
	}
	doc := Build(f.End())
	if len(doc.Fits) != 2 {
		t.Fatalf("%d fits, want one for memory and one for files", len(doc.Fits))
	}
	for _, fit := range doc.Fits {
		want := 0.5
		if strings.Contains(fit.RowIDs[0], "io=file") {
			want = 1
		}
		if !fit.OK || len(fit.RowIDs) != 4 || math.Abs(fit.Terms["ns_per_byte"]/want-1) > 0.02 ||
			math.Abs(fit.Terms["fixed_ns"]/2000-1) > 0.1 || math.Abs(fit.Terms["half_size_bytes"]*want/2000-1) > 0.1 {
			t.Errorf("%+v", fit)
		}
	}
}

func TestRecords(t *testing.T) {
	run := documenttest.FullRun()
	run.Records = append(run.Records, result.Record{Trial: len(run.Trials) - 1, Block: 99, Metrics: []result.Metric{{Name: "repeated_share", Value: 9}}})
	doc := Build(run)
	row := doc.Rows[len(doc.Rows)-1]
	if row.Status != result.OK || row.NsPerOp != nil || row.Blocks != 15 {
		t.Errorf("row %v, %d blocks", row.Status, row.Blocks)
	}
	if m := row.Metrics["rate_served"]; m.Value != 1007 || m.Low == nil || *m.Low < 1000 || *m.High > 1014 || m.Unit != "1/s" {
		t.Errorf("metric %+v", m)
	}
	if m := row.Metrics["latency_p99_ns"]; m.Value != 1000 || m.Low != nil || m.Unit != "ns" {
		t.Errorf("the metric of what the histogram holds is not the histogram's: %+v", m)
	}
	if m := row.Metrics["repeated_share"]; m.Value != 0.42 || *m.Low != 0.42 {
		t.Errorf("metric %+v", m)
	}
	d := doc.Distributions[0]
	if len(doc.Distributions) != 1 || d.Count != 1500 || d.P50 != 100 || d.P90 != 200 || *d.P95 != 200 || *d.P99 != 1000 || d.Max != 1000 {
		t.Errorf("distribution %+v", d)
	}
}

func TestPercentiles(t *testing.T) {
	d, ok := percentiles([][2]int64{{30, 1}, {10, 1}, {20, 1}})
	if !ok || d.P50 != 20 || d.P90 != 30 || d.Max != 30 || d.P95 != nil || d.P999 != nil {
		t.Errorf("%+v", d)
	}
	if _, ok := percentiles([][2]int64{{5, 0}}); ok {
		t.Error("an empty histogram has percentiles")
	}
	if d, _ := percentiles([][2]int64{{1, 999}, {2, 1}}); d.P999 == nil || *d.P999 != 1 || d.Max != 2 {
		t.Errorf("%+v", d)
	}
}

// A file put together by hand, with its samples in any order, says the same.
func TestOrderOfSamples(t *testing.T) {
	run, shuffled := documenttest.FullRun(), documenttest.FullRun()
	rng := rand.New(rand.NewPCG(3, 4))
	rng.Shuffle(len(shuffled.Samples), func(i, j int) {
		shuffled.Samples[i], shuffled.Samples[j] = shuffled.Samples[j], shuffled.Samples[i]
	})
	before := slices.Clone(shuffled.Samples)
	a, b := Build(run), Build(shuffled)
	a.Run, b.Run, a.built, b.built = nil, nil, nil, nil
	for i := range a.Rows {
		a.Rows[i].Info, b.Rows[i].Info = nil, nil
	}
	if !reflect.DeepEqual(a, b) {
		t.Error("the order of the samples in the file changes the document")
	}
	if !slices.Equal(before, shuffled.Samples) {
		t.Error("Build changes the run")
	}
}

// TestChecked: an output counts as judged where one block at least came to its end.
func TestChecked(t *testing.T) {
	f := documenttest.NewFixture(3, 2)
	c := result.Case{Algorithm: "SM4", Mode: "CBC", Operation: "encrypt", Bytes: 64}
	all := f.Trial("modes", c, documenttest.GMSM, documenttest.Plan{NS: 100})
	c.Bytes = 65
	none := f.Trial("modes", c, documenttest.GMSM, documenttest.Plan{NS: 100, Open: true})
	c.Bytes = 66
	one := f.Trial("modes", c, documenttest.GMSM, documenttest.Plan{NS: 100, Open: true})
	run := f.End()
	run.Closed = append(run.Closed, result.Closed{Trial: one, Block: 1})
	d := Build(run)
	if !d.Checked(all) || d.Checked(none) || !d.Checked(one) {
		t.Errorf("all its blocks: %t, none: %t, one: %t", d.Checked(all), d.Checked(none), d.Checked(one))
	}
}
