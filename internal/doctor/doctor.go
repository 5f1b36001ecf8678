// Package doctor examines the machine before it is believed: what it is, what
// its clocks and counters can do, what others take of it right now, how far
// apart two equal measurements come out; and judges.
package doctor

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/result"
)

// Deadline is how long a worker may stay silent during the examination.
const Deadline = 10 * time.Second

// Exam is what was found.
type Exam struct {
	Machine   result.Machine
	Findings  []Finding
	Level     string // "good", "fair", "poor"
	Judgement string // one sentence
	Advice    []string
}

// Finding is one line: what was looked at, and what was seen.
type Finding struct{ What, Value string }

func (e *Exam) find(what, format string, args ...any) {
	e.Findings = append(e.Findings, Finding{what, fmt.Sprintf(format, args...)})
}

// doubt lowers the level, with its reason and what would help.
func (e *Exam) doubt(level, why, advice string) {
	rank := map[string]int{"good": 0, "fair": 1, "poor": 2}
	if rank[level] > rank[e.Level] {
		e.Level, e.Judgement = level, why
	}
	e.Advice = append(e.Advice, advice)
}

// Examine takes about two seconds.
func Examine(ctx context.Context, w *suite.Workers) (Exam, error) {
	e := Exam{Machine: machine.Read(), Level: "good", Judgement: "this machine can be believed today"}
	e.cpu()
	e.clocks(w)
	before := machine.ReadState()
	floor, reach, busy, err := noise(ctx, w)
	if err != nil {
		return e, err
	}
	e.others(machine.ReadState().Sub(before), busy)
	e.noise(floor, reach)
	return e, e.libraries(ctx, w)
}

func (e *Exam) cpu() {
	c := e.Machine.CPU
	e.find("CPUs", "%d online, %d allowed (%s); %d cores in %d sockets, %d threads a core", c.Online, c.Allowed, c.AllowedList, c.Cores, c.Sockets, c.ThreadsPerCore)
	e.find("features", "%s", strings.Join(c.Features, " "))
	g := e.Machine.Cgroup
	quota := "none"
	if g.QuotaCPUs > 0 {
		quota = fmt.Sprintf("%.2f CPUs", g.QuotaCPUs)
		if g.QuotaCPUs < 1 {
			e.doubt("poor", "the quota is less than one CPU, so every measurement is throttled", "raise the cgroup's CPU quota to at least 1")
		}
	}
	e.find("quota", "%s; cpuset %s", quota, orNone(g.Cpuset))
	e.find("hypervisor", "%s", strings.TrimSpace(orNone(e.Machine.Hypervisor)+" "+e.Machine.Product))
	if c.ThreadsPerCore > 1 {
		e.Advice = append(e.Advice, "SMT is on: keep the sibling of the measuring CPU idle, or compare only within one run")
	}
	if c.Governor != "" && c.Governor != "performance" {
		e.Advice = append(e.Advice, "the frequency governor is "+c.Governor+"; \"performance\" keeps the clock steadier")
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func clockName(clock string) string {
	if clock == "read" {
		return "all three"
	}
	return clock + " clock"
}

func (e *Exam) clocks(w *suite.Workers) {
	for _, c := range clock.Cost() {
		e.find(clockName(c.Clock), "%.0f ns a read, resolution %d ns", c.Read, c.Resolution)
	}
	counter, err := clock.OpenCounter()
	if err != nil {
		e.find("cycle counter", "%v; cycles per byte will be left out", err)
	} else {
		counter.Close()
		e.find("cycle counter", "available")
	}
	e.find("clock rate", "%.2f GHz now, derived from dependent additions", clock.Frequency()/1e9)
	if cpu := w.CPU(); cpu >= 0 {
		e.find("measuring on", "CPU %d", cpu)
	} else {
		e.find("measuring on", "any CPU: threads can't be pinned on %s", runtime.GOOS)
	}
}

const (
	noiseBlocks = 10
	noiseRounds = 5
	noisePairs  = 3
)

// noise measures A/A pairs between two workers, as every run does. floor and reach are what a report
// would say of them, busy is how much of the wall clock the measuring thread got.
func noise(ctx context.Context, w *suite.Workers) (floor, reach, busy float64, err error) {
	var pairs plan.Plan
	for range noisePairs {
		pairs.Groups = append(pairs.Groups, plan.Noise(plan.SelfOffers())...)
	}
	kept := &measure.Memory{}
	lab := &measure.Lab{Start: w.ForLab, Sink: kept}
	_, err = lab.Run(ctx, pairs, plan.Config{Blocks: noiseBlocks, Rounds: noiseRounds, Target: time.Millisecond, Deadline: Deadline})
	if err != nil {
		return 0, 0, 0, err
	}
	return judgeNoise(&kept.Run)
}

func judgeNoise(run *result.Run) (floor, reach, busy float64, err error) {
	if len(run.Statuses) > 0 {
		return 0, 0, 0, fmt.Errorf("the measurement of the noise floor failed: %s", run.Statuses[0].Reason)
	}
	doc := document.Build(run)
	if doc.Resolution != nil {
		reach = *doc.Resolution
	}
	var thread, wall int64
	for _, s := range run.Samples {
		thread, wall = thread+s.Thread, wall+s.Wall
	}
	return doc.NoiseFloor, reach, float64(thread) / float64(max(wall, 1)), nil
}

func (e *Exam) others(moved machine.State, busy float64) {
	if moved.Load.Known && moved.CPU.Known {
		e.find("load", "%.2f over the last minute", moved.Load.One)
		e.find("steal", "%s of the CPUs' time during the examination", layout.FormatShare(moved.CPU.StealShare()))
	} else {
		e.find("load, steal", "unknown")
		if runtime.GOOS == "linux" {
			e.doubt("fair", "what others do to this machine is unknown, for /proc is not mounted", "mount it: mount -t proc proc /proc")
		}
	}
	e.find("throttling", "%d periods during the examination", moved.Throttle.Count)
	e.find("CPU / wall", "%s: what the measuring thread got of the clock on the wall", layout.FormatShare(busy))
	switch steal := moved.CPU.StealShare(); {
	case steal > 0.05:
		e.doubt("poor", "the hypervisor gives this machine's CPUs to others", "measure at another hour, or on a machine with dedicated CPUs")
	case steal > 0.01:
		e.doubt("fair", "the hypervisor takes some of the CPUs' time", "prefer the CPU clock's rows to wall times")
	}
	if cpus := float64(max(e.Machine.CPU.Online, 1)); moved.Load.One > cpus/2 {
		e.doubt("fair", "other work keeps this machine busy", "stop other work before measuring")
	}
	if moved.Throttle.Count > 0 {
		e.doubt("poor", "the cgroup's quota stops the process", "raise the cgroup's CPU quota, or measure with fewer CPUs busy")
	}
	if busy < result.ContendedBelow {
		e.doubt("fair", "other processes share the measuring CPU", "stop other work, or believe only rows on the CPU clock")
	}
}

func (e *Exam) noise(floor, reach float64) {
	e.find("noise floor", "%s: how far two equal measurements in two processes come apart for certain", layout.FormatShare(floor))
	e.find("resolution", "±%s: how closely they can be told to be equal in %d blocks; less does not show", layout.FormatShare(reach), noiseBlocks)
	switch {
	case reach > 0.20:
		e.doubt("poor", "equal measurements can't be told to be equal closer than 20 %", "stop other work; take more blocks: --blocks 31")
	case reach > 0.05:
		e.doubt("fair", "differences of a few percent will not show", "take more blocks: --blocks 31")
	}
	switch {
	case floor > 0.03:
		e.doubt("poor", "equal measurements differ by more than 3 %", "stop other work; take more blocks: --blocks 31")
	case floor > 0.01:
		e.doubt("fair", "differences below the noise floor will not show", "take more blocks: --blocks 31")
	}
}

func (e *Exam) libraries(ctx context.Context, w *suite.Workers) error {
	stock, err := suite.Take(ctx, question.All(), w)
	if err != nil {
		return err
	}
	var names, missing []string
	for _, s := range stock {
		if s.Missing.EN != "" {
			missing = append(missing, s.Library+": "+s.Missing.EN)
			continue
		}
		if name := s.Library + " " + s.Version; len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	e.find("libraries", "%s", strings.Join(names, ", "))
	for _, why := range missing {
		e.find("not here", "%s", why)
	}
	return nil
}
