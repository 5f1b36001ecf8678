package doctor

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

func healthy() *Exam { return &Exam{Level: "good", Judgement: text("believed", "可信")} }

// state is what moved during an examination: a share of the CPUs' time stolen,
// periods throttled.
func state(steal float64, throttled int64) (s machine.State) {
	s.CPU.Known, s.Load.Known = true, true
	s.CPU.Total, s.CPU.Steal = 1, steal
	s.Throttle.Count = throttled
	return s
}

func TestLevels(t *testing.T) {
	quota := func(cpus float64) func(*Exam) {
		return func(e *Exam) { e.Machine.Cgroup.QuotaCPUs = cpus; e.cpu() }
	}
	others := func(steal float64, throttled int64, busy float64) func(*Exam) {
		return func(e *Exam) { e.others(state(steal, throttled), busy) }
	}
	noise := func(floor float64) func(*Exam) { return func(e *Exam) { e.noise(floor, 0.01) } }
	for name, c := range map[string]struct {
		seen  []func(*Exam)
		level string
		why   string
	}{
		"nothing":                       {nil, "good", "believed"},
		"a quiet machine":               {[]func(*Exam){quota(0), others(0, 0, 1), noise(stat.MinFloor)}, "good", "believed"},
		"at the edges of quiet":         {[]func(*Exam){quota(1), others(0.01, 0, result.ContendedBelow), noise(0.01)}, "good", "believed"},
		"some steal":                    {[]func(*Exam){others(0.02, 0, 1)}, "fair", "hypervisor"},
		"much steal":                    {[]func(*Exam){others(0.06, 0, 1)}, "poor", "hypervisor"},
		"throttled once":                {[]func(*Exam){others(0, 1, 1)}, "poor", "quota"},
		"half a CPU":                    {[]func(*Exam){quota(0.5)}, "poor", "quota"},
		"a shared CPU":                  {[]func(*Exam){others(0, 0, 0.8)}, "fair", "share"},
		"some noise":                    {[]func(*Exam){noise(0.02)}, "fair", "noise floor"},
		"much noise":                    {[]func(*Exam){noise(0.04)}, "poor", "3 %"},
		"the worst counts, found first": {[]func(*Exam){others(0.06, 0, 0.8), noise(0.02)}, "poor", "hypervisor"},
		"the worst counts, found last":  {[]func(*Exam){others(0.02, 0, 0.8), noise(0.04)}, "poor", "3 %"},
	} {
		e := healthy()
		for _, see := range c.seen {
			see(e)
		}
		if e.Level != c.level || !strings.Contains(e.Judgement.EN, c.why) {
			t.Errorf("%s: %s, %q; want %s with %q", name, e.Level, e.Judgement, c.level, c.why)
		}
		if c.level != "good" && len(e.Advice) == 0 {
			t.Errorf("%s: no advice on what would help", name)
		}
		for _, f := range e.Findings {
			both := f.Value.EN + f.Value.ZH
			if f.What.EN == "" || f.What.ZH == "" || strings.Contains(both, "%!") || strings.Contains(both, "NaN") {
				t.Errorf("%s: finding %q: %q", name, f.What, f.Value)
			}
		}
	}
}

// Every doubt leaves its advice, also those that don't set the level.
func TestAdviceIsKept(t *testing.T) {
	e := healthy()
	e.Machine.CPU.ThreadsPerCore, e.Machine.CPU.Governor = 2, "powersave"
	e.cpu()
	e.others(state(0.06, 3), 0.5)
	e.noise(0.05, 0.01)
	if e.Level != "poor" || len(e.Advice) != 6 {
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
	floor, reach, busy, err := judgeNoise(pairOf(func(take func(result.Sample), x result.Sample) {
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
	if err != nil || floor != stat.MinFloor || reach > 2*stat.MinFloor {
		t.Errorf("a noise floor of %v, equal within %v, %v", floor, reach, err)
	}
	if busy > 0.9 {
		t.Errorf("%v of the wall clock: what others took counts", busy)
	}
}

func TestNoiseThatIsThereIsFound(t *testing.T) {
	floor, reach, _, err := judgeNoise(pairOf(func(take func(result.Sample), x result.Sample) {
		x.Thread, x.Process, x.Wall = x.Thread+40*int64(x.Trial), x.Process+40*int64(x.Trial), x.Wall+40*int64(x.Trial)
		take(x)
	}))
	if err != nil || floor < 0.035 || floor > 0.045 || reach < 0.035 {
		t.Errorf("a noise floor of %v, equal within %v, %v; want 4 %%", floor, reach, err)
	}
}

func TestNoiseThatWasNotMeasured(t *testing.T) {
	run := pairOf(func(take func(result.Sample), x result.Sample) { take(x) })
	run.Statuses = append(run.Statuses, result.StatusChange{Reason: "wrong output"})
	if _, _, _, err := judgeNoise(run); err == nil || !strings.Contains(err.Error(), "wrong output") {
		t.Errorf("refused: %v", err)
	}
}
