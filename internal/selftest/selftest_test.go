package selftest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// rig is a machine of known speed, in place of the workers: what a call costs is
// given, and so is its noise, drawn from a fixed seed. So each test of the table
// can be shown what it must find, and what it must not.
type rig struct {
	cost  func(c result.Case, copy int) float64 // ns per call
	noise float64                               // SD of a sample, relative
	odd   float64                               // by how much, relative, trials of odd handles cost more

	ready error // what Ready says
	check error // what Check says after samples
	run   error // what Run says
	rnd   *rand.Rand
}

// honest costs what the case says: a planted call 100 ns, an addition one cycle
// of 0.4 ns, a multiplication three.
func honest() *rig {
	return &rig{noise: 0.003, rnd: rand.New(rand.NewPCG(1, 2)), cost: func(c result.Case, _ int) float64 {
		cycle := map[string]float64{"add": 0.4, "imul": 1.2}
		if steps := cycle[c.Mode]; steps > 0 {
			return 5 + steps*number(c, "steps")
		}
		return 20 + 100*number(c, "calls")
	}}
}

func number(c result.Case, name string) float64 {
	n, err := strconv.ParseFloat(c.Parameter(name), 64)
	if err != nil {
		panic("selftest: internal error: no number of " + name + " in " + c.Parameters)
	}
	return n
}

func (r *rig) start(key plan.WorkerKey) (measure.Worker, error) {
	return &rigWorker{rig: r, copy: key.Copy, open: map[int]result.Case{}}, nil
}

func (r *rig) session() *session {
	return &session{cfg: Config{Seed: 1, Start: r.start}, progress: func(float64) {}}
}

// rigWorker is a worker on the rig, as measure.Worker.
type rigWorker struct {
	*rig
	copy int
	open map[int]result.Case
}

func (w *rigWorker) Open(_ context.Context, handle int, t result.Trial, _ int, _ string) (worker.About, error) {
	w.open[handle] = t.Case
	return worker.About{Loop: "rig"}, nil
}

func (w *rigWorker) Ready(_ context.Context, handle int, calls int64, target time.Duration) (worker.Ready, error) {
	if calls == 0 {
		calls = max(1, int64(float64(target)/w.cost(w.open[handle], w.copy)))
	}
	return worker.Ready{Calls: calls}, w.ready
}

func (w *rigWorker) Run(_ context.Context, handle int, calls int64) (result.Sample, error) {
	ns := float64(calls) * w.cost(w.open[handle], w.copy) * math.Exp(w.noise*w.rnd.NormFloat64())
	ns *= 1 + w.odd*float64(handle%2)
	took := int64(max(1, ns))
	return result.Sample{Calls: calls, Thread: took, Process: took, Wall: took, Cycles: -1, SpinBefore: 1000, SpinAfter: 1000}, w.run
}

func (w *rigWorker) Check(context.Context, int) error { return w.check }
func (w *rigWorker) Close(context.Context, int) error { return nil }
func (w *rigWorker) Stop()                            {}
func (w *rigWorker) Measure(context.Context, int, float64, int) (result.Record, error) {
	return result.Record{}, errors.New("the rig has no scenarios")
}

// row finds a test of the table by the beginning of its name.
func row(t *testing.T, name string) test {
	t.Helper()
	for _, row := range table() {
		if strings.HasPrefix(row.name.EN, name) {
			return row
		}
	}
	t.Fatalf("the table has no %q", name)
	return test{}
}

// want runs a test of the table on a rig.
func want(t *testing.T, r *rig, name string, n int, want Verdict, says string) {
	t.Helper()
	got, v, err := row(t, name).run(t.Context(), r.session(), n)
	if err != nil || v != want || !strings.Contains(got.EN, says) || got.ZH == "" || got.ZH == got.EN {
		t.Errorf("%s: %s (%s), %v; want %s with %q", name, v, got, err, want, says)
	}
}

func TestOnAnHonestMachineEverythingIsReached(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates every figure at its whole length")
	}
	want(t, honest(), "A/A in one worker", 200, Reached, " of 200")
	want(t, honest(), "A/A between workers", 400, Reached, " of 400")
	want(t, honest(), "families of 11 equal things", 1000, Reached, "1 of 1000")
	want(t, honest(), "planted slowdown of 3 %", 50, Reached, "50 of 50; 0 in the wrong direction")
	want(t, honest(), "planted slowdown of 2 %", 50, Reached, "50 of 50; 0 in the wrong direction")
	want(t, honest(), "planted 3 %, two busy", 4, Reached, "4 found, 0 inconclusive of 4; 0 in the wrong direction")
	want(t, honest(), "known ratios", 450, Reached, " of 450; 0 in the wrong direction")
	want(t, honest(), "tables of 50", 10*tableCells, Reached, " of 10 tables")
	if runtime.GOARCH == "amd64" {
		want(t, honest(), "known cost", 0, Reached, "slope ratio ")
	} else {
		want(t, honest(), "known cost", 0, Skipped, "x86 only")
	}
}

// What no machine may do is a failure of the laboratory.
func TestWrongDirectionIsAFailure(t *testing.T) {
	inverted := honest()
	inverted.noise = 0.001 // so that even 1 % the wrong way is seen each time
	inverted.cost = func(c result.Case, _ int) float64 { return 1e6 / number(c, "calls") }
	want(t, inverted, "planted slowdown of 3 %", 10, Failed, "0 of 10; 10 in the wrong direction")
	want(t, inverted, "planted slowdown of 2 %", 10, Failed, "10 in the wrong direction")
	want(t, inverted, "planted 3 %, two busy", 4, Failed, "4 in the wrong direction")
	want(t, inverted, "known ratios", 18, Failed, "16 in the wrong direction") // all but the two of 100 against 100
}

// What noise or a strange machine may do is a miss.
func TestFiguresThatAreNotMetAreMissed(t *testing.T) {
	blind := honest()
	blind.noise = 0.001 // so that equal things are called the same each time
	blind.cost = func(result.Case, int) float64 { return 10_000 }
	want(t, blind, "planted slowdown of 3 %", 10, Missed, "0 of 10; 0 in the wrong direction")
	want(t, blind, "planted 3 %, two busy", 4, Missed, "0 found, 0 inconclusive of 4") // called the same, which is wrong

	noisy := honest()
	noisy.noise = 0.2
	want(t, noisy, "planted slowdown of 3 %", 20, Missed, "; 0 in the wrong direction")
	want(t, noisy, "planted 3 %, two busy", 4, Reached, "0 found, 4 inconclusive of 4") // it is allowed not to know

	// The same thing, 2 % slower in the second worker: no test within one worker sees it.
	slot := honest()
	same := slot.cost
	slot.cost = func(c result.Case, copy int) float64 { return same(c, 0) * (1 + 0.02*float64(copy)) }
	want(t, slot, "A/A in one worker", 20, Reached, " of 20")
	want(t, slot, "A/A between workers", 20, Missed, "20 of 20; 0 called the same")

	if runtime.GOARCH == "amd64" {
		short := honest()
		short.cost = func(c result.Case, copy int) float64 { return min(same(c, 0), 5+1.0*number(c, "steps")) }
		want(t, short, "known cost", 0, Missed, "slope ratio 2.5")
		leap := honest()
		leap.cost = func(c result.Case, _ int) float64 { return math.Pow(same(c, 0), 1.01) }
		want(t, leap, "known cost", 0, Missed, "double length 2.01")
	}

	// Every second trial of a table differs from the first: also a single table shows it.
	second := honest()
	second.odd = 0.02
	want(t, second, "tables of 50", tableCells, Missed, "1 of 1 tables")
	want(t, second, "tables of 50", 3*tableCells, Missed, "3 of 3 tables")
}

func TestWhatMustWorkAndDoesNotIsAnError(t *testing.T) {
	for name, broken := range map[string]*rig{
		"a wrong output before the samples": {ready: &worker.Fault{Kind: worker.Incorrect, Text: "wrong output"}},
		"a wrong output after them":         {check: &worker.Fault{Kind: worker.Incorrect, Text: "wrong output"}},
		"a library that gives up":           {run: &worker.Fault{Kind: worker.Failed, Text: "wrong output"}},
		"a worker that dies":                {run: &worker.Died{Reason: "wrong output"}},
	} {
		broken.cost, broken.rnd = honest().cost, honest().rnd
		for _, test := range []string{"A/A in one", "A/A between", "planted slowdown of 3", "planted 3 %, two busy", "known ratios", "known cost", "tables"} {
			got, _, err := row(t, test).run(t.Context(), broken.session(), 4)
			if err == nil || !strings.Contains(err.Error(), "wrong output") {
				t.Errorf("%s passed %s: %s, %v", test, name, got, err)
			}
		}
	}
	// It ends the self-test, which says where.
	dead := Config{Seed: 1, Budget: time.Second, Start: func(plan.WorkerKey) (measure.Worker, error) { return nil, errors.New("no workers today") }}
	err := Run(t.Context(), dead, func(o Outcome) { t.Errorf("there is an outcome: %v", o) })
	if err == nil || !strings.Contains(err.Error(), "no workers today") || !strings.HasPrefix(err.Error(), table()[0].name.EN+": ") {
		t.Errorf("without workers: %v", err)
	}
}

func TestLostSamplesAreNoticed(t *testing.T) {
	const lostBlock, lostRound = 3, 2
	read := func(lost func(measure.Memory) measure.Memory) measured {
		var kept measure.Memory
		for trial := range 2 {
			_ = kept.Trial(result.TrialInfo{Index: trial})
			for b := range int32(blocks) {
				for r := range int32(usual.rounds) {
					_ = kept.Sample(result.Sample{Trial: int32(trial), Block: b, Round: r, Calls: 2, Thread: 10, Process: 10, Wall: 10, SpinBefore: 1, SpinAfter: 1})
				}
				_ = kept.Closed(result.Closed{Trial: trial, Block: int(b)})
			}
		}
		kept = lost(kept)
		return measured{document.Build(&kept.Run), usual.rounds}
	}
	whole := read(func(m measure.Memory) measure.Memory { return m })
	if times := whole.times(0); len(times) != blocks || len(times[3]) != usual.rounds || times[3][2] != 5e-9 {
		t.Errorf("a whole run: %v", times)
	}
	if x, y := whole.paired(0, 1); len(x) != blocks || len(y) != blocks || y[3][2] != 5e-9 {
		t.Errorf("a whole pair: %v, %v", x, y)
	}
	if x, _ := whole.paired(1, 2); x != nil || whole.times(2) != nil {
		t.Error("a trial that is not there has times")
	}
	for name, lost := range map[string]func(measure.Memory) measure.Memory{
		"a sample": func(m measure.Memory) measure.Memory {
			m.Samples = slices.DeleteFunc(m.Samples, func(s result.Sample) bool {
				return s.Trial == 0 && s.Block == lostBlock && s.Round == lostRound
			})
			return m
		},
		"the check that closes a block": func(m measure.Memory) measure.Memory {
			m.Run.Closed = m.Run.Closed[1:]
			return m
		},
	} {
		short := read(lost)
		if times := short.times(0); times != nil {
			t.Errorf("without %s: %v", name, times)
		}
		for _, pair := range [][2]int{{0, 1}, {1, 0}} {
			if x, y := short.paired(pair[0], pair[1]); x != nil || y != nil {
				t.Errorf("without %s: %v, %v", name, x, y)
			}
		}
	}
}

func TestAnInterruptEndsIt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := Run(ctx, Config{Seed: 1, Budget: time.Second, Start: honest().start}, func(o Outcome) { t.Errorf("there is an outcome: %v", o) })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// The full form takes the counts of the table, whatever the budget; the short
// form keeps within reach of its budget and never falls below what can be judged.
func TestCounts(t *testing.T) {
	full := map[string]int{"A/A in one": 200, "A/A between": 400, "planted slowdown of 3": 50, "planted slowdown of 2": 50,
		"planted 3 %, two busy": 50, "known ratios": 1000, "tables": 5000}
	for name, n := range full {
		r := row(t, name)
		if got := r.count(Config{Full: true, Budget: time.Second}); got != n {
			t.Errorf("%s: %d in full, the table says %d", name, got, n)
		}
		last := 0
		for _, budget := range []time.Duration{time.Second, 30 * time.Second, time.Minute, 10 * time.Minute, 10 * time.Hour} {
			got := r.count(Config{Budget: budget})
			if got < last || got < 4 || got > n {
				t.Errorf("%s: %d with a budget of %s, %d with less", name, got, budget, last)
			}
			last = got
		}
	}
	if d := (Config{Budget: time.Minute}).Expected(); d > 75*time.Second {
		t.Errorf("with a budget of a minute it expects to take %s", d)
	}
	for _, budget := range []time.Duration{10 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute} {
		t.Logf("budget %s: expects %s", budget, Config{Budget: budget}.Expected())
	}
}

func TestAtMost(t *testing.T) {
	for _, c := range []struct {
		share   float64
		n, want int
	}{{4.0 / 200, 200, 4}, {12.0 / 400, 400, 12}, {4.0 / 200, 4, 1}, {1 - 48.0/50, 50, 2}, {1 - 45.0/50, 50, 5}, {0.03, 1000, 30}, {0.04, 100, 4}} {
		if got := atMost(c.share, c.n); got != c.want {
			t.Errorf("atMost(%v, %d) = %d, want %d", c.share, c.n, got, c.want)
		}
	}
}
