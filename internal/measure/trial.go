package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// trial is the state of a trial over the blocks.
type trial struct {
	plan.Trial
	index    int
	about    worker.About
	declared bool
	lost     bool // left the comparison
	calls    int64
	opened   result.Opened // as calibrated in its first block, with the allocations last counted
	took     time.Duration // of its last sample
	medians  []float64     // ns per call, one a block

	// Of the current block:
	open     bool      // under its handle, in the worker that lives now
	unproven bool      // it has computed since its output was last checked
	measured bool      // a scenario that has given its record
	closed   bool      // checked, and given back
	current  []float64 // ns per call, one a round
}

// open opens and readies a trial in its worker, and declares it the first time.
func (r *run) open(pool *pool, g *group, t *trial, b int) error {
	if t.index < 0 {
		t.index = r.Lab.trials
		r.Lab.trials++
	}
	err := r.call(pool, t, t.should(), func(ctx context.Context, w Worker) (err error) {
		t.about, err = w.Open(ctx, t.index, t.Trial.Trial, r.digests[t.Case])
		return err
	})
	if derr := r.declare(t); derr != nil {
		return derr
	}
	if err != nil {
		return r.lose(pool, g, t, b, err)
	}
	t.open, t.unproven = true, false
	if t.about.Digest != "" {
		r.digests[t.Case] = t.about.Digest
	}
	if !t.about.Scenario {
		return r.ready(pool, g, t, b)
	}
	if t.measured { // and its worker has died since: the check needs an output to judge
		_, err := r.measure(pool, t, b)
		t.unproven = true
		if err != nil {
			return r.lose(pool, g, t, b, err)
		}
	}
	return nil
}

func (r *run) ready(pool *pool, g *group, t *trial, b int) error {
	var ready worker.Ready
	err := r.call(pool, t, t.should(), func(ctx context.Context, w Worker) (err error) {
		ready, err = w.Ready(ctx, t.index, t.calls, r.cfg.Target)
		return err
	})
	if err != nil {
		return r.lose(pool, g, t, b, err)
	}
	if t.calls == 0 || !ready.Uncounted {
		t.opened.Allocs, t.opened.AllocBytes = ready.Allocs, ready.AllocBytes
	}
	t.calls = ready.Calls
	t.opened.Trial, t.opened.Block, t.opened.Calls = t.index, b, ready.Calls
	return r.Sink.Opened(t.opened)
}

func (r *run) declare(t *trial) error {
	if t.declared {
		return nil
	}
	t.declared = true
	who := t.Trial.Trial
	if t.about.Implementation != "" {
		who.Subject.Implementation = t.about.Implementation
	}
	return r.Sink.Trial(result.TrialInfo{Index: t.index, Experiment: r.plan.Experiment, Trial: who,
		Loop: t.about.Loop, Clock: t.about.Clock, ConstantTime: t.about.ConstantTime, Note: t.about.Note,
		Digest: t.about.Digest, Granularity: t.about.Granularity, Exhibit: t.Exhibit})
}

// sample takes one sample of a trial, or a scenario's record once a block. Where
// that kills the worker, the other trials that lived in it are opened, and so
// checked, again in a fresh one; the closing check judges what that one computed.
func (r *run) sample(pool *pool, g *group, t *trial, b, round int) error {
	if !t.open || t.measured {
		return nil
	}
	take := r.calls
	if t.about.Scenario {
		take = r.scenario
	}
	if err := take(pool, g, t, b, round); err != nil {
		return err
	}
	return r.openAll(pool, g, b)
}

// calls samples an operation.
func (r *run) calls(pool *pool, g *group, t *trial, b, round int) error {
	var best result.Sample
	for range 1 + retakes {
		s, err := r.take(pool, t)
		if err != nil {
			return r.lose(pool, g, t, b, err)
		}
		t.unproven = true
		s.Trial, s.Block, s.Round = int32(t.index), int32(b), int32(round)
		if err := r.Sink.Sample(s); err != nil {
			return err
		}
		if best.Calls == 0 || s.LessDisturbed(best) {
			best = s
		}
		r.progress(t, b, t.nsPerCall(s))
		if !s.Contended() || t.waits() || r.stopped() {
			break
		}
	}
	t.current = append(t.current, t.nsPerCall(best))
	return nil
}

// nsPerCall is a sample's time per call on the trial's clock.
func (t *trial) nsPerCall(s result.Sample) float64 {
	ns := s.Thread
	switch t.about.Clock {
	case result.ProcessClock:
		ns = s.Process
	case result.WallClock:
		ns = s.Wall
	}
	return float64(ns) / float64(s.Calls)
}

// waits says that the measuring thread waits for others, so that its share of the
// wall time tells nothing.
func (t *trial) waits() bool { return t.about.Clock != "" && t.about.Clock != result.ThreadClock }

// retakes is how often a sample is taken again whose thread did not have its CPU
// for the whole time. Who takes the CPU away leaves cold caches, and a hypervisor
// that does so is charged to the thread in part: such samples read up to 30 % too
// long on the thread's own clock. They are kept in the file, all of them; what
// counts of a round is the one that was disturbed least (see result.Sample).
// The choice rests on who had the CPU and never on how long the sample took.
const retakes = 2

func (r *run) take(pool *pool, t *trial) (s result.Sample, err error) {
	throttled := r.throttled()
	err = r.call(pool, t, t.should(), func(ctx context.Context, w Worker) (err error) {
		s, err = w.Run(ctx, t.index, t.calls)
		return err
	})
	s.Throttled = int32(r.throttled() - throttled)
	t.took = time.Duration(s.Wall)
	return s, err
}

func (r *run) throttled() int64 {
	if r.Throttled == nil {
		return 0
	}
	return r.Throttled()
}

func (r *run) progress(t *trial, b int, ns float64) {
	if r.Progress == nil {
		return
	}
	done := (float64(b) + r.done) / float64(r.cfg.Blocks)
	if r.cfg.Budget > 0 {
		done = max(done, 1-float64(r.remaining())/float64(r.cfg.Budget))
	}
	r.Progress(Progress{Experiment: r.plan.Experiment, Block: b, Blocks: r.cfg.Blocks,
		Done: min(done, 1), Trial: t.Trial.Trial, NsPerCall: ns})
}

// scenarioWindow is what a scenario may take in one block where its trial does
// not say.
const scenarioWindow = 2 * time.Second

func (r *run) scenario(pool *pool, g *group, t *trial, b, _ int) error {
	rec, err := r.measure(pool, t, b)
	if err != nil {
		return r.lose(pool, g, t, b, err)
	}
	t.measured, t.unproven = true, true
	return r.record(t, rec, b)
}

// record writes a record down, and its samples one by one.
func (r *run) record(t *trial, rec result.Record, b int) error {
	rec.Trial, rec.Block = t.index, b
	if err := r.Sink.Record(rec); err != nil {
		return err
	}
	for i, s := range rec.Samples {
		s.Trial, s.Block, s.Round = int32(t.index), int32(b), int32(i)
		if err := r.Sink.Sample(s); err != nil {
			return err
		}
		t.current = append(t.current, t.nsPerCall(s))
		r.progress(t, b, t.nsPerCall(s))
	}
	return nil
}

func (r *run) measure(pool *pool, t *trial, b int) (rec result.Record, err error) {
	window := t.Window
	if window == 0 {
		window = scenarioWindow
	}
	err = r.call(pool, t, patience*window, func(ctx context.Context, w Worker) (err error) {
		rec, err = w.Measure(ctx, t.index, window.Seconds(), b)
		return err
	})
	return rec, err
}

// close checks what the last sample left, and gives the trial back.
func (r *run) close(pool *pool, g *group, t *trial, b int) error {
	if !t.open {
		return nil
	}
	var rec *result.Record
	err := r.call(pool, t, t.should(), func(ctx context.Context, w Worker) error {
		if t.about.Records && len(t.current) > 0 {
			left, err := w.Measure(ctx, t.index, 0, b)
			if err != nil {
				return err
			}
			rec = &left
		}
		if t.unproven {
			if err := w.Check(ctx, t.index); err != nil {
				return err
			}
		}
		return w.Close(ctx, t.index)
	})
	if err != nil {
		if err := r.lose(pool, g, t, b, err); err != nil {
			return err
		}
		return r.openAll(pool, g, b) // those that are still to be checked
	}
	t.open, t.closed = false, true
	if len(t.current) > 0 {
		t.medians = append(t.medians, median(t.current))
	} else if !t.measured {
		return nil // interrupted before its turn
	}
	if rec != nil {
		rec.Samples = nil // its calls were timed from outside
		if err := r.record(t, *rec, b); err != nil {
			return err
		}
	}
	return r.Sink.Closed(result.Closed{Trial: t.index, Block: b})
}

// should is how long a call of the trial may take: several times as long as its last
// sample took, or, before there is one, as long as it was thought to take.
func (t *trial) should() time.Duration {
	should := max(t.took, 3*plan.SlowestCall(t.Case.Bytes))
	if t.about.Loop != "" && !t.about.Scenario { // whose window is for measuring alone
		should = max(should, t.Window)
	}
	return patience * should
}

// patience is how many times as long as expected an honest call may take.
const patience = 8

// grace is how long a call may still take once the run was interrupted.
const grace = 3 * time.Second

// call makes one call to a trial's worker, bounded by the deadline and by the
// time that the call should take.
func (r *run) call(pool *pool, t *trial, should time.Duration, f func(context.Context, Worker) error) error {
	if r.Hangs.GivenUp(t.Worker()) {
		return worker.FaultOf(worker.Failed, reason.New(reason.GivenUp))
	}
	w, err := pool.get(t.Worker())
	if _, refused := errors.AsType[*worker.Fault](err); refused {
		return err // there can be no such worker here, which is nobody's crash
	}
	if err != nil {
		return worker.DiedOf(err)
	}
	if limit := r.cfg.Limit; limit > 0 { // who gave a run seconds does not wait a minute
		should = min(should, max(2*should/patience, limit/4))
	}
	ctx, cancel := context.WithTimeout(context.Background(), r.cfg.Deadline+should)
	defer cancel()
	stop := context.AfterFunc(r.ctx, func() { time.AfterFunc(grace, cancel) })
	defer stop()
	start := time.Now()
	err = f(ctx, w)
	if hung(err) && r.ctx.Err() == nil {
		r.Hangs.Note(t.Worker(), err)
		r.wait(start)
	}
	return err
}

// hung says that a call was waited for in vain.
func hung(err error) bool {
	died, ok := errors.AsType[*worker.Died](err)
	return ok && died.Hung
}

// lose takes a trial out of the comparison with the status that its error
// means. A worker that died is left behind, and with it all that was open there.
func (r *run) lose(pool *pool, g *group, t *trial, b int, err error) error {
	var fault *worker.Fault
	var died *worker.Died
	status := result.Crashed
	switch {
	case errors.As(err, &died):
		pool.drop(t.Worker())
		for _, other := range g.trials {
			if other.Worker() == t.Worker() {
				other.open = false
			}
		}
		if r.ctx.Err() != nil {
			return nil // it was we who ended it
		}
	case errors.As(err, &fault):
		status = statusOf(fault)
	default:
		return fmt.Errorf("measuring %s: %w", t.ID(), err)
	}
	t.lost, t.open = true, false
	return r.Sink.Status(result.StatusChange{Trial: t.index, Block: b, Status: status, Reason: err.Error(), Cause: reason.Of(err),
		Returned: status == result.Crashed && died == nil})
}

func statusOf(f *worker.Fault) result.Status {
	switch f.Kind {
	case worker.Absent, worker.Unsupported:
		return result.Unsupported
	case worker.Incorrect:
		return result.Incorrect
	}
	return result.Crashed
}
