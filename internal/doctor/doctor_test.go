package doctor

import (
	"math"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

func healthy() *Exam { return &Exam{Level: "good", Judgement: "believed"} }

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
		if e.Level != c.level || !strings.Contains(e.Judgement, c.why) {
			t.Errorf("%s: %s, %q; want %s with %q", name, e.Level, e.Judgement, c.level, c.why)
		}
		if c.level != "good" && len(e.Advice) == 0 {
			t.Errorf("%s: no advice on what would help", name)
		}
		for _, f := range e.Findings {
			if f.What == "" || strings.Contains(f.Value, "%!") || strings.Contains(f.Value, "NaN") {
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

// A pair's rounds must stand beside each other, whatever was taken again, and a
// disturbed sample must not pass for noise of the machine.
func TestNoiseComesFromTheLeastDisturbedSamples(t *testing.T) {
	s := &pairSink{}
	for range 2 {
		_ = s.Trial(result.TrialInfo{})
	}
	for b := range int32(noiseBlocks) {
		for r := range int32(noiseRounds) {
			for trial := range int32(2) {
				x := result.Sample{Trial: trial, Block: b, Round: r, Calls: 10, Thread: 1000 + int64(r), Process: 1000, Wall: 1000 + int64(r)}
				if trial == 1 && r%2 == 0 { // taken again: first disturbed and 30 % too long
					bad := x
					bad.Thread, bad.Wall = 1300, 3000
					_ = s.Sample(bad)
				}
				_ = s.Sample(x)
				if trial == 0 && r%2 == 1 { // and here after it
					bad := x
					bad.Thread, bad.Wall = 1300, 3000
					_ = s.Sample(bad)
				}
			}
		}
	}
	a, b := s.trials[0].times(), s.trials[1].times()
	for i := range a {
		for j := range a[i] {
			if a[i][j] != b[i][j] || a[i][j] != 100+float64(j)/10 {
				t.Fatalf("block %d round %d: %v and %v ns", i, j, a[i][j], b[i][j])
			}
		}
	}
	if floor := stat.NoiseFloor(a, b); floor != stat.MinFloor {
		t.Errorf("a noise floor of %v", floor)
	}
	if s.wall <= s.thread {
		t.Errorf("thread %v of wall %v: what others took counts", s.thread, s.wall)
	}

	lost := &pairSink{}
	_ = lost.Trial(result.TrialInfo{})
	if times := lost.trials[0].times(); !math.IsNaN(times[0][0]) {
		t.Errorf("a round that was never taken: %v", times[0])
	}
	if lost.refused() != nil {
		t.Error("nothing was refused")
	}
	_ = lost.Status(result.StatusChange{Reason: "wrong output"})
	if err := lost.refused(); err == nil || !strings.Contains(err.Error(), "wrong output") {
		t.Errorf("refused: %v", err)
	}
}
