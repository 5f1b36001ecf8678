package measure

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// world is what the fake workers live in: they take no time, and do at each verb
// what the plan's test says.
type world struct {
	t testing.TB

	// plant decides what a call answers: nil for all well, a *worker.Fault, or
	// a *worker.Died, after which the worker is dead. nth counts the trial's
	// calls of this verb over all blocks, from 1.
	plant func(verb string, c result.Case, nth int) error
	// sample may change a sample; nil leaves it at 10 ns a call.
	sample func(c result.Case, nth int, s *result.Sample)
	// about may change what opening tells.
	about func(c result.Case, a *worker.About)
	// ready may change what it says of a trial that is ready.
	ready func(*worker.Ready)
	// windows is how many samples a scenario's record carries.
	windows int

	mu       sync.Mutex
	counts   map[string]int    // verb and trial
	digests  map[string]string // sent to open, by trial and nth
	blocks   map[string]int    // likewise
	started  map[plan.WorkerKey]int
	alive    int
	deadline map[string]time.Duration // seen by a verb, the longest
	targets  map[string]time.Duration // of samples, by mode
}

func newWorld(t testing.TB) *world {
	return &world{t: t, counts: map[string]int{}, digests: map[string]string{}, blocks: map[string]int{}, started: map[plan.WorkerKey]int{},
		deadline: map[string]time.Duration{}, targets: map[string]time.Duration{}}
}

func (w *world) start(key plan.WorkerKey) (Worker, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.started[key]++
	w.alive++
	return &fakeWorker{world: w, key: key, open: map[int]result.Trial{}, checked: map[int]bool{}}, nil
}

func (w *world) count(verb string, t result.Trial) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := verb + " " + t.ID()
	w.counts[key]++
	return w.counts[key]
}

// errHangs is planted where a call is never answered.
var errHangs = errors.New("hangs")

// fakeWorker keeps the rules that a real one keeps: no call without an open
// handle, no check without a run since the last, nothing after death.
type fakeWorker struct {
	*world
	key     plan.WorkerKey
	open    map[int]result.Trial
	checked map[int]bool // nothing has run since
	dead    error
	stopped bool
}

func (f *fakeWorker) call(ctx context.Context, verb string, handle int) (nth int, err error) {
	if f.dead != nil {
		return 0, f.dead
	}
	t, there := f.open[handle]
	if !there {
		return 0, &worker.Fault{Kind: worker.Failed, Text: fmt.Sprintf("no handle %d for %q", handle, verb)}
	}
	if end, there := ctx.Deadline(); !there {
		f.t.Errorf("%s without a deadline", verb)
	} else {
		f.deadline[verb] = max(f.deadline[verb], time.Until(end))
	}
	nth = f.count(verb, t)
	if f.plant == nil {
		return nth, nil
	}
	if err = f.plant(verb, t.Case, nth); errors.Is(err, errHangs) {
		<-ctx.Done()
		err = &worker.Died{Reason: "no answer in time; it was killed", Hung: errors.Is(ctx.Err(), context.DeadlineExceeded)}
	}
	var died *worker.Died
	if errors.As(err, &died) {
		f.dead = err
	}
	return nth, err
}

func (f *fakeWorker) Open(ctx context.Context, handle int, t result.Trial, block int, digest string) (worker.About, error) {
	if (plan.WorkerKey{Library: t.Subject.Library, Version: t.Subject.Version, CallPath: t.Subject.CallPath, Environment: t.Subject.Environment, Copy: f.key.Copy}) != f.key {
		f.t.Errorf("%s opened in the worker of %v", t.ID(), f.key)
	}
	if _, there := f.open[handle]; there && f.dead == nil {
		return worker.About{}, &worker.Fault{Kind: worker.Failed, Text: "handle in use"}
	}
	f.open[handle] = t
	nth, err := f.call(ctx, "open", handle)
	if err != nil {
		delete(f.open, handle)
		return worker.About{}, err
	}
	f.digests[fmt.Sprint(t.ID(), " ", nth)] = digest
	f.blocks[fmt.Sprint(t.ID(), " ", nth)] = block
	a := worker.About{Implementation: "kernel of " + t.Case.Mode, Loop: "fake", Note: "n",
		Digest: "digest of " + t.Case.Mode, Scenario: t.Case.Operation == "scenario"}
	if f.about != nil {
		f.about(t.Case, &a)
	}
	return a, nil
}

func (f *fakeWorker) Ready(ctx context.Context, handle int, calls int64, target time.Duration) (worker.Ready, error) {
	_, err := f.call(ctx, "ready", handle)
	if calls == 0 {
		calls = 100
	}
	f.mu.Lock()
	f.targets[f.open[handle].Case.Mode] = target
	f.mu.Unlock()
	f.checked[handle] = true
	r := worker.Ready{Calls: calls, Allocs: 1, AllocBytes: 32}
	if f.ready != nil {
		f.ready(&r)
	}
	return r, err
}

func (f *fakeWorker) Run(ctx context.Context, handle int, calls int64) (result.Sample, error) {
	nth, err := f.call(ctx, "run", handle)
	if err != nil {
		return result.Sample{}, err
	}
	f.checked[handle] = false
	s := result.Sample{Calls: calls, Thread: 10 * calls, Process: 10 * calls, Wall: 10 * calls, Cycles: -1}
	if f.sample != nil {
		f.sample(f.open[handle].Case, nth, &s)
	}
	return s, nil
}

func (f *fakeWorker) Check(ctx context.Context, handle int) error {
	_, err := f.call(ctx, "check", handle)
	if err == nil && f.checked[handle] {
		return &worker.Fault{Kind: worker.Incorrect, Text: "nothing ran since the last check"}
	}
	f.checked[handle] = true
	return err
}

func (f *fakeWorker) Measure(ctx context.Context, handle int, seconds float64, block int) (result.Record, error) {
	_, err := f.call(ctx, "measure", handle)
	f.checked[handle] = false
	rec := result.Record{Metrics: []result.Metric{{Name: "block", Value: float64(block)}}}
	for range f.windows {
		rec.Samples = append(rec.Samples, result.Sample{Calls: 1, Thread: 10, Process: 20, Wall: 10, Cycles: -1})
	}
	return rec, err
}

func (f *fakeWorker) Close(ctx context.Context, handle int) error {
	_, err := f.call(ctx, "close", handle)
	delete(f.open, handle)
	return err
}

func (f *fakeWorker) Stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.stopped {
		f.alive--
	}
	f.stopped = true
}

// tape is a sink that remembers all, as a reader would find it, until its disk is full.
type tape struct {
	Memory
	room int // lines after which the disk is full; 0: never
	n    int
}

var errFull = errors.New("no space left on device")

func (s *tape) line(error) error {
	if s.n++; s.room > 0 && s.n > s.room {
		return errFull
	}
	return nil
}

func (s *tape) Trial(t result.TrialInfo) error     { return s.line(s.Memory.Trial(t)) }
func (s *tape) Group(g result.Group) error         { return s.line(s.Memory.Group(g)) }
func (s *tape) Opened(o result.Opened) error       { return s.line(s.Memory.Opened(o)) }
func (s *tape) Closed(c result.Closed) error       { return s.line(s.Memory.Closed(c)) }
func (s *tape) Status(c result.StatusChange) error { return s.line(s.Memory.Status(c)) }
func (s *tape) Sample(x result.Sample) error       { return s.line(s.Memory.Sample(x)) }
func (s *tape) Record(r result.Record) error       { return s.line(s.Memory.Record(r)) }

// fate is what the tape says of one trial.
type fate struct {
	status  result.Status
	reason  string
	samples int
	closed  int // blocks
	records int
}

// fates by case mode and library.
func (s *tape) fates() map[string]fate {
	all := map[string]fate{}
	for i, info := range s.Trials {
		f := fate{status: result.OK}
		for _, c := range s.Statuses {
			if c.Trial == i {
				f.status, f.reason = c.Status, c.Reason
			}
		}
		for _, x := range s.Samples {
			if int(x.Trial) == i {
				f.samples++
			}
		}
		for _, c := range s.Run.Closed {
			if c.Trial == i {
				f.closed++
			}
		}
		for _, r := range s.Records {
			if r.Trial == i {
				f.records++
			}
		}
		all[info.Subject.Library+" "+info.Case.Mode] = f
	}
	return all
}

// well checks what holds of every tape: what a line names was declared before,
// and a sample's trial was opened in its block.
func (s *tape) well(t *testing.T) {
	t.Helper()
	opened := map[[2]int]bool{}
	for _, r := range s.Records { // a scenario takes its samples by itself
		opened[[2]int{r.Trial, r.Block}] = true
	}
	for _, o := range s.Run.Opened {
		opened[[2]int{o.Trial, o.Block}] = true
		if o.Calls < 1 {
			t.Errorf("opened for %d calls", o.Calls)
		}
	}
	for i, info := range s.Trials {
		if info.Index != i {
			t.Errorf("trial %d is declared at place %d", info.Index, i)
		}
	}
	for i, g := range s.Groups {
		for _, index := range g.Trials {
			if g.Index != i || index < 0 || index >= len(s.Trials) {
				t.Errorf("group %d at place %d names trial %d", g.Index, i, index)
			}
		}
	}
	for _, x := range s.Samples {
		if !opened[[2]int{int(x.Trial), int(x.Block)}] {
			t.Errorf("a sample of trial %d in block %d, where it was not opened", x.Trial, x.Block)
		}
	}
	for _, c := range s.Statuses {
		if strings.Contains(c.Reason, "handle") || c.Reason == "" || strings.Contains(c.Reason, "since the last check") {
			t.Errorf("trial %d left for a reason of the laboratory's own: %q", c.Trial, c.Reason)
		}
	}
}

// trialOf makes a trial; equal libraries share a worker.
func trialOf(library, mode string) plan.Trial {
	return plan.Trial{Trial: result.Trial{Subject: result.Subject{Library: library, Version: "1", CallPath: "go"},
		Case: result.Case{Algorithm: "X", Mode: mode, Operation: "run"}}}
}

func scenarioOf(library, mode string) plan.Trial {
	t := trialOf(library, mode)
	t.Case.Operation = "scenario"
	return t
}

func groupOf(trials ...plan.Trial) plan.Group { return plan.Group{Name: "g", Trials: trials} }

func planOf(groups ...plan.Group) plan.Plan { return plan.Plan{Experiment: "e", Groups: groups} }

// small is enough of a config for most tests.
var small = plan.Config{Blocks: 3, Rounds: 4, Target: time.Millisecond, Seed: 1, Deadline: time.Minute}

// lab runs a plan in a world onto a tape.
func (w *world) lab(ctx context.Context, p plan.Plan, c plan.Config) (*tape, Outcome, error) {
	s := &tape{}
	l := &Lab{Start: w.start, Sink: s}
	o, err := l.Run(ctx, p, c)
	if w.alive != 0 {
		w.t.Errorf("%d workers were not stopped", w.alive)
	}
	return s, o, err
}
