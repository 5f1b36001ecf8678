package doctor

import (
	"runtime"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

func healthy() *Exam { return &Exam{Level: "good", Judgement: text("believed", "可信")} }

// TestLevels: the machine is judged as a report judges a run, and by its quota.
func TestLevels(t *testing.T) {
	quota := func(cpus float64) func(*Exam) {
		return func(e *Exam) { e.Machine.Cgroup.QuotaCPUs = cpus; e.cpu() }
	}
	measured := func(wall, apart int64, strain result.Strain) func(*Exam) {
		return func(e *Exam) {
			run := pairOf(func(take func(result.Sample), x result.Sample) {
				x.Thread += apart * int64(x.Trial)
				x.Process, x.Wall = x.Thread, x.Thread*wall/100
				take(x)
			})
			run.End = &result.End{Seconds: 2, Strain: strain}
			e.believe(run)
		}
	}
	quiet := result.Strain{CPUSeconds: 4, UsedSeconds: 2.1, OwnSeconds: 2}
	shared, throttled := quiet, quiet
	shared.UsedSeconds, throttled.Throttled = 2.9, 3
	for name, c := range map[string]struct {
		seen       []func(*Exam)
		level, why string
	}{
		"nothing":         {nil, "good", "believed"},
		"a quiet machine": {[]func(*Exam){quota(0), measured(101, 0, quiet)}, "good", "believed"},
		"half a CPU":      {[]func(*Exam){quota(0.5), measured(101, 0, quiet)}, "low", "quota"},
		"a shared CPU":    {[]func(*Exam){measured(105, 0, quiet)}, "fair", "took 4.8 %"},
		"a busy CPU":      {[]func(*Exam){measured(150, 0, quiet)}, "low", "took 33 %"},
		"others":          {[]func(*Exam){measured(101, 0, shared)}, "fair", "used 22 % of all CPUs"},
		"throttled":       {[]func(*Exam){measured(150, 0, throttled)}, "low", "quota stopped the program 3 times"},
		"some noise":      {[]func(*Exam){measured(101, 20, quiet)}, "fair", "the same code twice differs by 2.0 %"},
		"much noise":      {[]func(*Exam){measured(101, 40, quiet)}, "low", "the same code twice differs by 4.0 %"},
		"no /proc":        {[]func(*Exam){measured(101, 0, result.Strain{})}, "fair", "/proc is not mounted"},
	} {
		e := healthy()
		for _, see := range c.seen {
			see(e)
		}
		if c.level == "fair" && strings.HasPrefix(c.why, "/proc") && runtime.GOOS != "linux" {
			continue
		}
		if e.Level != c.level || !strings.Contains(e.Judgement.EN, c.why) {
			t.Errorf("%s: %s, %q; want %s with %q", name, e.Level, e.Judgement, c.level, c.why)
		}
		for _, f := range e.Findings {
			both := f.Value.EN + f.Value.ZH
			if f.What.EN == "" || f.What.ZH == "" || strings.Contains(both, "%!") || strings.Contains(both, "NaN") {
				t.Errorf("%s: finding %q: %q", name, f.What, f.Value)
			}
		}
	}
}

// Advice on the machine is kept, also where it does not set the level.
func TestAdviceIsKept(t *testing.T) {
	e := healthy()
	e.Machine.CPU.ThreadsPerCore, e.Machine.CPU.Governor, e.Machine.Cgroup.QuotaCPUs = 2, "powersave", 0.5
	e.cpu()
	if e.Level != "low" || len(e.Advice) != 3 {
		t.Errorf("%s with the advice %q", e.Level, e.Advice)
	}
}

// pairOf is a run of one A/A pair, whose samples add makes and may take again.
func pairOf(add func(take func(result.Sample), x result.Sample)) *result.Run {
	var kept measure.Memory
	for trial := range 2 {
		_ = kept.Trial(result.TrialInfo{Index: trial})
	}
	_ = kept.Group(result.Group{Kind: result.KindNoise, Trials: []int{0, 1}})
	for b := range int32(noiseBlocks) {
		for r := range int32(noiseRounds) {
			for trial := range int32(2) {
				add(func(x result.Sample) { _ = kept.Sample(x) },
					result.Sample{Trial: trial, Block: b, Round: r, Calls: 10, Thread: 1000 + int64(r), Process: 1000 + int64(r), Wall: 1000 + int64(r)})
			}
		}
		for trial := range 2 {
			_ = kept.Closed(result.Closed{Trial: trial, Block: int(b)})
		}
	}
	return &kept.Run
}

// A pair's rounds must stand beside each other, whatever was taken again, and a
// disturbed sample must not pass for noise of the machine.
func TestNoiseComesFromTheLeastDisturbedSamples(t *testing.T) {
	doc := document.Build(pairOf(func(take func(result.Sample), x result.Sample) {
		bad := x
		bad.Thread, bad.Process, bad.Wall = 1300, 1300, 3000
		if x.Trial == 1 && x.Round%2 == 0 { // taken again: first disturbed and 30 % too long
			take(bad)
		}
		take(x)
		if x.Trial == 0 && x.Round%2 == 1 { // and here after it
			take(bad)
		}
	}))
	if doc.NoiseFloor != stat.MinFloor || doc.Resolution == nil || *doc.Resolution > 2*stat.MinFloor {
		t.Errorf("a noise floor of %v, equal within %v", doc.NoiseFloor, doc.Resolution)
	}
	if taken := doc.Trust.Taken; taken == nil || *taken < 0.2 {
		t.Errorf("%v of the time: what others took counts", taken)
	}
}
