package suite

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

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
	lab := &measure.Lab{Sink: out, Throttled: throttled, Start: s.start, Hangs: s.workers.hangs, Foreign: s.workers.foreign}
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
	return machine.ReadState, counter.Read, func() { _ = counter.Close() }
}

// start starts a worker for the laboratory, and shows it to who watches.
func (s *Suite) start(key plan.WorkerKey) (measure.Worker, error) {
	if s.cfg.Watch == nil {
		return s.workers.ForLab(key)
	}
	p, _, err := s.workers.Start(context.Background(), key)
	if err != nil {
		return nil, err
	}
	return s.cfg.Watch(key, p), nil
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
