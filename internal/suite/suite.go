// Package suite runs experiments into one run file: it starts worker processes,
// asks them what they offer, makes the plans, measures them, in turns where they
// share a budget, and writes header, samples and end.
package suite

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// Config is what a run was asked to be.
type Config struct {
	Name        string // "quick", "full", or the experiments' names
	Experiments []plan.Experiment
	Selection   plan.Selection
	Setting     provider.Setting
	Typed       []string         // after the program's name, for the header
	Title, Note string           // the user's words, for the header
	Compared    *result.Compared // what the sides of a comparison are, for the header
	Workload    json.RawMessage  // that a plan is made for, for the header
	Tool        string           // version of cryptogauge

	// Zero values leave what the experiment's form says.
	Blocks, Rounds int
	Precision      float64
	Target         time.Duration // of one sample
	Budget         time.Duration // of everything, with what asking takes; below 0 there is none, for short forms too
	Reserved       time.Duration // kept beside the budget for a run that follows, which the header says
	EveryRow       bool          // is measured, however short the budget: blocks end early
	More           int           // blocks of each experiment where there is time for them; 0: no more than planned
	Enough         float64       // relative half-width of ratios that more blocks than planned need not make narrower; 0: none
	Thinned        bool          // by a short budget, but every row is measured: rounds and blocks are fewer

	// Deadline bounds how long a worker may stay silent beyond what a call should take;
	// 0 is a minute, or less where the budget is short.
	Deadline time.Duration
	Command  func(plan.WorkerKey) worker.Command
	// Native are the libraries that are not Go's, each in a worker of its own, and the sides of a comparison.
	Native []Native
	// Alone leaves out what this program's own worker offers, but for the harness.
	Alone bool

	// Probing is told which library is asked what it offers, and how many of all
	// questions were answered; nil where nobody watches.
	Probing func(library string, answered, of int)

	// Keep narrows the plan to some of its trials; nil keeps all.
	Keep func(result.Trial) bool
	// References adds fixed work to every group, to take ratios to.
	References bool
	// Watch sees every worker as it is started, and may stand between it and the
	// laboratory; nil where nobody watches.
	Watch func(plan.WorkerKey, *worker.Process) measure.Worker
	// State tells what others take of the machine; nil reads this machine's files.
	State func() machine.State
}

// Suite is a run that is planned and not yet begun.
type Suite struct {
	cfg       Config
	workers   *Workers
	libraries []result.Library
	counter   string
	steps     []Step
	begun     time.Time     // the budget runs from here
	whole     time.Duration // that all of it would take
}

// Prepare asks the workers what they offer and makes the plans.
func Prepare(ctx context.Context, cfg Config) (*Suite, error) {
	greeting := cfg.Deadline
	if cfg.Deadline == 0 {
		cfg.Deadline, greeting = cfg.patience()
	}
	if err := cfg.Selection.Validate(cfg.Experiments); err != nil {
		return nil, err
	}
	s := &Suite{cfg: cfg, begun: time.Now()}
	s.workers = NewWorkers(cfg.Command, cfg.Setting, cfg.Deadline).Beyond(cfg.Native).Pinned()
	s.workers.greeting, s.workers.alone, s.workers.watch = greeting, cfg.Alone, cfg.Watch
	subjects, err := s.discover(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.workers.unasked(); err != nil {
		return nil, err
	}
	subjects = s.asked(subjects)
	offers, err := s.probe(ctx, subjects)
	if err != nil {
		return nil, err
	}
	timed, err := s.timed(ctx, offers)
	if err != nil {
		return nil, err
	}
	offers = append(offers, timed...)
	for _, e := range cfg.Experiments {
		s.steps = append(s.steps, s.step(e, offers))
	}
	if err := s.idle(); err != nil {
		return nil, err
	}
	if s.Trials() == 0 {
		return nil, s.nothing()
	}
	if err := s.fits(machine.Read()); err != nil {
		return nil, err
	}
	s.cut(asking(len(cfg.Experiments), time.Since(s.begun)))
	return s, nil
}

// nothing says why there is nothing to measure: what was asked for, or what is not installed.
func (s *Suite) nothing() error {
	asked := s.cfg.Selection
	var missing []string
	for _, l := range s.libraries {
		if l.Missing != "" && !slices.Contains(missing, l.Library) {
			missing = append(missing, l.Library)
		}
	}
	switch narrowed := len(asked.Algorithms)+len(asked.Modes)+len(asked.Operations)+len(asked.Libraries) > 0; {
	case len(missing) > 0:
		return language.Errorf("nothing to measure: no library that is here offers what is asked for; not here: %s (cryptogauge doctor says why, and what to install)",
			"没有可测量的内容：本机现有的密码库都不提供所要求的测试项；缺少 %s（原因与安装方法见 cryptogauge doctor）", strings.Join(missing, ", "))
	case narrowed && asked.Short:
		return language.Errorf("nothing to measure in the short form, which leaves out much of what can be asked for: ask for the full form, without --quick",
			"简短形式中没有可测量的内容，因其略去了许多测试项：请去掉 --quick，运行完整形式")
	case narrowed:
		return language.Errorf("nothing to measure: no library offers what --algorithms, --modes, --operations and --libraries leave",
			"没有可测量的内容：没有密码库提供 --algorithms、--modes、--operations 与 --libraries 所限定的测试项")
	}
	return language.Errorf("nothing to measure: no library that is here offers what is asked for",
		"没有可测量的内容：本机现有的密码库都不提供所要求的测试项")
}

// leastPatience is how long a worker that does nothing else may stay silent in the
// shortest run, beside the time that it waits for a CPU.
const leastPatience = time.Second

// patience is how long a worker may stay silent, and how long it may take to start
// beside all the others. Who gave a run seconds does not wait a minute for what hangs.
func (c Config) patience() (silent, starting time.Duration) {
	budget := c.budget()
	if budget == 0 {
		return time.Minute, time.Minute
	}
	silent = min(time.Minute, max(leastPatience, budget/10))
	return silent, max(silent, min(loading, budget/4))
}

type Outcome struct {
	Interrupted bool
	Reasons     []result.Cause // why experiments stopped before their last block
	leftOut     []result.LeftOut
}

// Run measures everything into w. On an error of w the run ends there; what was
// written until then is a readable, partial run.
func (s *Suite) Run(ctx context.Context, w io.Writer, progress func(measure.Progress)) (Outcome, error) {
	state, throttled, done := s.strain()
	defer done()
	begun, before := time.Now(), state()
	cut := s.Cut()
	out, err := result.NewWriter(w, result.Header{
		Tool: s.cfg.Tool, Started: begun.UTC().Truncate(time.Millisecond), Command: s.cfg.Typed, Suite: s.cfg.Name,
		Title: s.cfg.Title, Note: s.cfg.Note, Compared: s.cfg.Compared, Workload: s.cfg.Workload,
		Seed: s.cfg.Setting.Seed, Mix: s.cfg.Setting.Mix, Own: s.cfg.Setting.Own.Known(), Logins: s.cfg.Selection.Logins, Machine: machine.Read(), Libraries: s.libraries,
		Environment: Environment(), CPU: s.workers.CPU(), Counter: s.counter,
		Budget: cut.Budget, Reserved: cut.Reserved, Whole: cut.Whole, LeftOut: cut.LeftOut,
	})
	if err != nil {
		return Outcome{}, err
	}
	if budget := s.cfg.budget(); budget > 0 {
		s.workers.until = s.begun.Add(overrun(budget))
	}
	if progress == nil {
		progress = func(measure.Progress) {}
	}
	lab := &measure.Lab{Sink: out, Throttled: throttled, Start: s.workers.ForLab, Hangs: s.workers.hangs,
		Foreign: s.workers.foreign, Over: s.workers.until}
	turns, err := s.takeTurns(ctx, lab, state, progress)
	o, ends := s.outcome(turns)
	if err != nil {
		return o, err
	}
	why := reason.Join(o.Reasons)
	return o, out.End(result.End{Partial: o.Interrupted, Reason: reason.English(why), Cause: why, LeftOut: o.leftOut,
		Seconds: time.Since(begun).Seconds(), Strain: state().Strain(before), Experiments: ends})
}

// strain is how a run learns what others take of the machine, at its ends and, of the
// quota, around every sample.
func (s *Suite) strain() (state func() machine.State, throttled func() int64, done func()) {
	if state = s.cfg.State; state != nil {
		return state, func() int64 { return state().Throttled }, func() {}
	}
	counter := machine.OpenThrottleCounter()
	return machine.ReadState, counter.Read, counter.Close
}

// Environment lists the variables that are set, as NAME=value, and change how the code
// under test runs.
func Environment() (set []string) {
	for _, name := range parameter.Variables() {
		// To all of them empty is not set, but to OpenSSL, which then has no instructions.
		if v, ok := os.LookupEnv(name); v != "" || ok && name == parameter.OpenSSLx86 {
			set = append(set, name+"="+v)
		}
	}
	return set
}
