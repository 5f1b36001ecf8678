// Package suite runs experiments into one run file: it starts worker processes,
// asks them what they offer, makes the plans, measures them one after the other,
// and writes header, samples and end.
package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/experiment"
	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Config is what a run was asked to be.
type Config struct {
	Name        string // "quick", "full", or the experiments' names
	Experiments []experiment.Experiment
	Selection   experiment.Selection
	Setting     provider.Setting
	Typed       []string // after the program's name, for the header
	Tool        string   // version of cryptogauge

	// Zero values leave what the experiment's form says.
	Blocks, Rounds int
	Precision      float64
	Target         time.Duration // of one sample
	Budget         time.Duration // of all experiments together; below 0 there is none, whatever the forms say

	// Deadline bounds how long a worker may stay silent beyond what a call should take;
	// 0 is a minute, or less where the budget is short.
	Deadline time.Duration
	// Command says how to start a worker.
	Command func(measure.WorkerKey) worker.Command
	// Native are the libraries that are not Go's, each in a worker of its own.
	Native []Native

	// Probing is told which library is asked what it offers, and how many of all
	// questions were answered; nil where nobody watches.
	Probing func(library string, answered, of int)

	// Keep narrows the plan to some of its trials; nil keeps all.
	Keep func(result.Trial) bool
	// References adds fixed work to every group, to take ratios to.
	References bool
	// Watch sees every worker as it is started, and may stand between it and the
	// laboratory; nil where nobody watches.
	Watch func(measure.WorkerKey, *worker.Process) measure.Worker
}

// UsageError is a mistake in what was asked for, such as an unknown library.
type UsageError struct{ Text string }

func (e *UsageError) Error() string { return e.Text }

func usage(format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...)}
}

// Suite is a run that is planned and not yet begun.
type Suite struct {
	cfg       Config
	workers   *Workers
	libraries []result.Library
	counter   string
	steps     []step
	begun     time.Time // the budget runs from here
}

// step is one experiment of the run.
type step struct {
	name   string
	plan   measure.Plan
	config measure.Config
}

// Prepare asks the workers what they offer and makes the plans.
func Prepare(ctx context.Context, cfg Config) (*Suite, error) {
	greeting := cfg.Deadline
	if cfg.Deadline == 0 {
		cfg.Deadline, greeting = cfg.patience()
	}
	if err := cfg.Selection.Validate(cfg.Experiments); err != nil {
		return nil, &UsageError{err.Error()}
	}
	s := &Suite{cfg: cfg, begun: time.Now()}
	s.workers = NewWorkers(cfg.Command, cfg.Setting, cfg.Deadline).Beyond(cfg.Native).Pinned()
	s.workers.greeting = greeting
	subjects, err := s.discover(ctx)
	if err != nil {
		return nil, err
	}
	subjects = s.asked(subjects)
	offers, err := s.probe(ctx, subjects)
	if err != nil {
		return nil, err
	}
	for _, e := range cfg.Experiments {
		s.steps = append(s.steps, s.step(e, offers))
	}
	if s.Trials() == 0 {
		return nil, usage("nothing to measure: no library offers what --algorithms, --modes, --operations and --libraries leave")
	}
	if err := s.fits(machine.Read()); err != nil {
		return nil, err
	}
	return s, s.feasible()
}

// leastPatience is how long a worker that does nothing else may stay silent in the
// shortest run, on a busy machine.
const leastPatience = 3 * time.Second

// patience is how long a worker may stay silent, and how long it may take to start
// beside all the others. Who gave a run seconds does not wait a minute for what hangs.
func (c Config) patience() (silent, starting time.Duration) {
	budget := max(c.Budget, 0)
	for _, e := range c.Experiments {
		form := e.Form(c.Selection).Config.Budget
		if c.Budget != 0 || form == 0 {
			break
		}
		budget += form
	}
	if budget == 0 {
		return time.Minute, time.Minute
	}
	silent = min(time.Minute, max(leastPatience, budget/8))
	return silent, max(silent, min(loading, budget/2))
}

// discover asks for the libraries, and keeps those that were asked for.
func (s *Suite) discover(ctx context.Context) ([]result.Subject, error) {
	asked := s.cfg.Selection.Libraries
	wanted := func(library string) bool {
		return library == experiment.HarnessLibrary || len(asked) == 0 ||
			slices.ContainsFunc(asked, func(name string) bool { return strings.EqualFold(name, library) })
	}
	found, err := s.workers.Discover(ctx, wanted)
	if err != nil {
		return nil, err
	}
	s.libraries, s.counter = found.Libraries, found.Counter
	for _, name := range asked {
		if !slices.ContainsFunc(found.Known, func(known string) bool { return strings.EqualFold(known, name) }) {
			return nil, usage("unknown library %q; there are: %s", name, strings.Join(found.Known, ", "))
		}
	}
	return found.Subjects, nil
}

// asked leaves out the subjects that no experiment asks, and the libraries of them.
func (s *Suite) asked(all []result.Subject) []result.Subject {
	kept := slices.DeleteFunc(slices.Clone(all), func(sub result.Subject) bool {
		return !slices.ContainsFunc(s.cfg.Experiments, func(e experiment.Experiment) bool {
			return slices.Contains(e.Subjects(s.cfg.Selection, all), sub)
		})
	})
	s.libraries = slices.DeleteFunc(s.libraries, func(l result.Library) bool {
		return !slices.ContainsFunc(kept, func(sub result.Subject) bool { return sub.Library == l.Library })
	})
	return kept
}

// probe asks each library, in a worker of its own, which cases it offers. The
// libraries are asked side by side; the offers keep the subjects' order.
func (s *Suite) probe(ctx context.Context, subjects []result.Subject) (experiment.Offers, error) {
	var cases []result.Case
	for _, e := range s.cfg.Experiments {
		cases = append(cases, e.Narrow(s.cfg.Selection)...)
	}
	offers := make([]experiment.Offers, len(subjects))
	errs := make([]error, len(subjects))
	var wg sync.WaitGroup
	told := s.telling(len(subjects) * len(cases))
	for i, sub := range subjects {
		ask := cases
		if sub.Library == experiment.HarnessLibrary {
			ask = experiment.SelfCases()
		}
		wg.Go(func() { offers[i], errs[i] = s.probeSubject(ctx, sub, ask, told) })
	}
	wg.Wait()
	return slices.Concat(offers...), cmp.Or(errs...) // one is enough for a line
}

// telling tells Config.Probing of each answer.
func (s *Suite) telling(of int) func(library string) {
	if s.cfg.Probing == nil {
		return func(string) {}
	}
	var mu sync.Mutex
	answered := 0
	return func(library string) {
		mu.Lock()
		defer mu.Unlock()
		answered++
		s.cfg.Probing(library, min(answered, of), of)
	}
}

// probeBytes is the message size at which a case is probed: any cipher takes it,
// and a library that changes kernels with size runs its usual one.
const probeBytes = 1024

// probed is a case with the size that it is probed at.
func probed(c result.Case) result.Case {
	c.Bytes = probeBytes
	if n, fixed := provider.FixedBytes(c); fixed {
		c.Bytes = n
	}
	return c
}

func (s *Suite) probeSubject(ctx context.Context, sub result.Subject, cases []result.Case,
	told func(library string)) (experiment.Offers, error) {
	sized := slices.Clone(cases)
	for i, c := range cases {
		if sub.Library != experiment.HarnessLibrary || c.Algorithm != "empty" {
			sized[i] = probed(c)
		}
	}
	var offers experiment.Offers
	n, missing := s.workers.missing(sub)
	if missing {
		for _, c := range cases { // each is refused when it is its turn, with the reason
			if n.Has(c) {
				offers = append(offers, experiment.Offer{Subject: sub, Case: c})
			}
		}
		return offers, nil
	}
	err := s.workers.probe(ctx, sub, sized, func(i int, a worker.About, err error) {
		told(sub.Library)
		if errors.Is(err, errUnanswered) && (n.Has == nil || !n.Has(cases[i])) {
			return // nobody knows whether it has it
		}
		// One that dies will die again when it is measured, and be reported there.
		if fault := (*worker.Fault)(nil); !errors.As(err, &fault) || fault.Kind != worker.Absent {
			offers = append(offers, experiment.Offer{Subject: sub, Case: cases[i], Loop: a.Loop})
		}
	})
	return offers, err
}

func (s *Suite) step(e experiment.Experiment, offers experiment.Offers) step {
	c := e.Form(s.cfg.Selection).Config
	c.Seed, c.Deadline = s.cfg.Setting.Seed, s.cfg.Deadline
	if s.cfg.Blocks > 0 {
		c.Blocks = s.cfg.Blocks
	}
	if s.cfg.Rounds > 0 {
		c.Rounds = s.cfg.Rounds
	}
	if s.cfg.Precision > 0 {
		c.Precision = s.cfg.Precision
	}
	if s.cfg.Target > 0 {
		c.Target = s.cfg.Target
	}
	if s.cfg.Budget != 0 {
		c.Budget = max(0, s.cfg.Budget) / time.Duration(len(s.cfg.Experiments))
	}
	groups := experiment.WithVersions(e.Plan(s.cfg.Selection, e.Asked(s.cfg.Selection, offers)))
	s.refuse(groups)
	if s.cfg.Keep != nil {
		groups = experiment.Only(groups, s.cfg.Keep)
	}
	if s.cfg.References {
		groups = experiment.WithReferences(groups)
	}
	if len(groups) > 0 {
		self := experiment.Noise(offers)
		if len(s.steps) == 0 { // once a run: what the harness costs does not depend on the question
			self = append(self, experiment.Empties(offers)...)
		}
		groups = append(self, groups...)
	}
	return step{name: e.Name, plan: measure.Plan{Experiment: e.Name, Groups: groups}, config: c}
}

// refuse takes the time out of trials of libraries that can't be asked: they end when
// it is their turn for the first time.
func (s *Suite) refuse(groups []measure.Group) {
	for _, g := range groups {
		for i := range g.Trials {
			if _, missing := s.workers.missing(g.Trials[i].Subject); missing {
				g.Trials[i].Blocks, g.Trials[i].Window = 1, time.Nanosecond
			}
		}
	}
}

// feasible refuses a plan whose blocks can't carry an exact interval for all of
// its headline comparisons at once.
func (s *Suite) feasible() error {
	for _, st := range s.steps {
		need := stat.MinBlocks(stat.FamilyLevel(st.headlines()))
		if s.cfg.Blocks == 0 && st.config.Blocks < need {
			return fmt.Errorf("suite: internal error: %s declares %d headline comparisons, which need %d blocks", st.name, st.headlines(), need)
		}
	}
	return nil
}

// fits refuses goroutines and messages that memory can't hold. The trials of a group
// are open at once; half of what is available is left to the rest.
func (s *Suite) fits(m result.Machine) error {
	asked := s.cfg.Selection.Goroutines
	room := m.Memory.Available
	if limit := m.Cgroup.MemoryLimit; limit > 0 && (room == 0 || limit < room) {
		room = limit
	}
	if err := s.messagesFit(room); err != nil {
		return err
	}
	if len(asked) == 0 || room == 0 {
		return nil
	}
	var need int64
	for _, st := range s.steps {
		for _, g := range st.plan.Groups {
			var group int64
			for _, t := range g.Trials {
				n, _ := strconv.ParseInt(t.Case.Parameter("goroutines"), 10, 64)
				group += n * experiment.GoroutineBytes(t.Case)
			}
			need = max(need, group)
		}
	}
	if room /= 2; need <= room {
		return nil
	}
	most := slices.Max(asked)
	return usage("--goroutines %d: they need %d MiB at once and half of the available memory is %d MiB: give %d or fewer, or narrow the run with --libraries or --algorithms",
		most, need>>20, room>>20, max(1, int64(float64(most)*float64(room)/float64(need))))
}

// messagesFit is fits for messages that are hashed at once, where their number was
// asked for.
func (s *Suite) messagesFit(room int64) error {
	asked := s.cfg.Selection.Messages
	if asked == 0 || room == 0 {
		return nil
	}
	var need int64
	for _, st := range s.steps {
		for _, g := range st.plan.Groups {
			need = max(need, experiment.MessageRoom(g))
		}
	}
	if room /= 2; need <= room {
		return nil
	}
	return usage("--messages %d: with their digests in all libraries and a goroutine for each they take about %d MiB, and half of the available memory is %d MiB: give fewer, or narrow the run with --sizes, --libraries or --algorithms",
		asked, need>>20, room>>20)
}

// Trials counts the trials of all experiments.
func (s *Suite) Trials() (n int) {
	for _, st := range s.steps {
		n += st.plan.Trials()
	}
	return n
}

// Needs estimates the least wall time in which all headline comparisons of all
// experiments have their intervals.
func (s *Suite) Needs() (d time.Duration) {
	for _, st := range s.steps {
		d += st.config.Needs(st.plan, stat.MinBlocks(stat.FamilyLevel(st.headlines())))
	}
	return d
}

// headlines counts the declared headline comparisons, at least one.
func (st step) headlines() int {
	m := 0
	for _, g := range st.plan.Groups {
		for _, p := range g.Pairs {
			if p.Headline {
				m++
			}
		}
	}
	return max(m, 1)
}

// Step describes an experiment of the plan.
type Step struct {
	Experiment string
	Groups     []measure.Group
	Config     measure.Config
	Duration   time.Duration
}

// Steps returns the plan.
func (s *Suite) Steps() []Step {
	var steps []Step
	for _, st := range s.steps {
		steps = append(steps, Step{st.name, st.plan.Groups, st.config, st.config.Duration(st.plan)})
	}
	return steps
}

// Libraries are those of the planned trials; one that is not installed carries its reason.
func (s *Suite) Libraries() []result.Library {
	planned := map[string]bool{}
	for _, st := range s.steps {
		for _, g := range st.plan.Groups {
			for _, t := range g.Trials {
				planned[t.Subject.Library] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(s.libraries), func(l result.Library) bool { return !planned[l.Library] })
}

// Missing lists the libraries that can't be asked, each with the reason.
func (s *Suite) Missing() (lines []string) {
	for _, l := range s.libraries {
		if l.Missing != "" {
			lines = append(lines, l.Library+": "+l.Missing)
		}
	}
	return lines
}

// Duration estimates the wall time of the run.
func (s *Suite) Duration() (d time.Duration) {
	for _, st := range s.Steps() {
		d += st.Duration
	}
	return d
}

// Outcome is how a run ended.
type Outcome struct {
	Interrupted bool
	Reasons     []string // why experiments stopped before their last block
}

// Run measures everything into w. On an error of w the run ends there; what was
// written until then is a readable, partial run.
func (s *Suite) Run(ctx context.Context, w io.Writer, progress func(measure.Progress)) (Outcome, error) {
	begun, before := time.Now(), machine.ReadState()
	out, err := result.NewWriter(w, result.Header{
		Tool: s.cfg.Tool, Started: begun.UTC().Truncate(time.Millisecond), Command: s.cfg.Typed, Suite: s.cfg.Name,
		Seed: s.cfg.Setting.Seed, Mix: s.cfg.Setting.Mix, Machine: machine.Read(), Libraries: s.libraries, Environment: Environment(),
		CPU: s.workers.CPU(), Counter: s.counter,
	})
	if err != nil {
		return Outcome{}, err
	}
	throttle := machine.OpenThrottleCounter()
	defer throttle.Close()
	lab := &measure.Lab{Sink: out, Throttled: throttle.Read, Start: s.start, Hangs: s.workers.hangs}
	var o Outcome
	for i, st := range s.steps {
		lab.Progress = s.overall(i, progress)
		got, err := lab.Run(ctx, st.plan, s.limited(i, time.Since(s.begun)))
		if err != nil {
			return o, err
		}
		if got.Reason != "" {
			o.Reasons = append(o.Reasons, fmt.Sprintf("%s stopped with %d of %d blocks finished: %s", st.name, got.Blocks, st.config.Blocks, got.Reason))
		}
		if got.Interrupted {
			o.Interrupted = true
			break
		}
	}
	return o, out.End(s.end(o, begun, before))
}

// limited is a step's config, where what was asked and measured until now took so
// long of the budget. Asking leaves half of it.
func (s *Suite) limited(i int, spent time.Duration) measure.Config {
	c := s.steps[i].config
	if s.cfg.Budget <= 0 {
		return c
	}
	left := s.cfg.Budget - spent
	c.Budget = max(c.Budget/2, min(c.Budget, left/time.Duration(len(s.steps)-i)))
	c.Limit = max(c.Budget, left)
	return c
}

// start starts a worker for the laboratory, and shows it to who watches.
func (s *Suite) start(key measure.WorkerKey) (measure.Worker, error) {
	if s.cfg.Watch == nil {
		return s.workers.ForLab(key)
	}
	p, _, err := s.workers.Start(context.Background(), key)
	if err != nil {
		return nil, err
	}
	return s.cfg.Watch(key, p), nil
}

func (s *Suite) end(o Outcome, begun time.Time, before machine.State) result.End {
	after := machine.ReadState()
	moved := after.Sub(before)
	return result.End{Partial: o.Interrupted, Reason: strings.Join(o.Reasons, "; "), Seconds: time.Since(begun).Seconds(),
		Strain: result.Strain{StealSeconds: moved.CPU.Steal, CPUSeconds: moved.CPU.Total, Throttled: moved.Throttle.Count,
			LoadBefore: before.Load.One, LoadAfter: after.Load.One}}
}

// overall turns an experiment's progress into the run's.
func (s *Suite) overall(i int, progress func(measure.Progress)) func(measure.Progress) {
	if progress == nil {
		return nil
	}
	var before, all time.Duration
	for j, st := range s.Steps() {
		if j < i {
			before += st.Duration
		}
		all += st.Duration
	}
	this := s.Steps()[i].Duration
	return func(p measure.Progress) {
		p.Done = (float64(before) + p.Done*float64(this)) / float64(max(all, 1))
		progress(p)
	}
}

// variables are those that Go and the libraries read.
var variables = []string{"GODEBUG", "GOGC", "GOMEMLIMIT", "GOMAXPROCS", "DISABLE_GFNI", "DISABLE_SM4NI", "FORCE_SM4BLOCK_AESNI",
	"OPENSSL_ia32cap", "OPENSSL_armcap", "OPENSSL_CONF", "BOTAN_CLEAR_CPUID", "CRYPTOGAUGE_GCRYPT_DISABLE_HWF", "LD_PRELOAD", "LD_LIBRARY_PATH"}

// Environment lists the variables that are set, as NAME=value, and change how the code
// under test runs.
func Environment() (set []string) {
	for _, name := range variables {
		// To all of them empty is not set, but to OpenSSL, which then has no instructions.
		if v, ok := os.LookupEnv(name); v != "" || ok && name == "OPENSSL_ia32cap" {
			set = append(set, name+"="+v)
		}
	}
	return set
}
