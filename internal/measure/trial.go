package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

type trial struct {
	plan.Trial
	handle   int // in its worker
	index    int // in the run file, once it is declared
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

func (b *block) open(t *trial) error {
	digest := "" // of the output that it must have, where its worker is given the same input as the others
	if !b.foreign(t) {
		digest = b.digests[t.Case]
	}
	err := b.call(t, t.should(), func(ctx context.Context, w Worker) (err error) {
		t.about, err = w.Open(ctx, t.handle, t.Trial.Trial, b.number, digest)
		return err
	})
	if derr := b.declare(t); derr != nil {
		return derr
	}
	if err != nil {
		return b.lose(t, err)
	}
	t.open, t.unproven = true, false
	if t.about.Digest != "" && !b.foreign(t) {
		b.digests[t.Case] = t.about.Digest
	}
	if !t.about.Scenario {
		return b.ready(t)
	}
	if t.measured { // and its worker has died since: the check needs an output to judge
		_, err := b.scenario(t)
		t.unproven = true
		if err != nil {
			return b.lose(t, err)
		}
	}
	return nil
}

func (r *run) foreign(t *trial) bool { return r.Foreign != nil && r.Foreign(t.Worker()) }

func (b *block) ready(t *trial) error {
	var ready worker.Ready
	err := b.call(t, t.should(), func(ctx context.Context, w Worker) (err error) {
		ready, err = w.Ready(ctx, t.handle, t.calls, b.pace.Target)
		return err
	})
	if err != nil {
		return b.lose(t, err)
	}
	switch {
	case !ready.Uncounted:
		t.opened.Allocs, t.opened.AllocBytes = ready.Allocs, ready.AllocBytes
	case t.calls == 0:
		t.opened.Allocs, t.opened.AllocBytes = -1, -1
	}
	t.opened.WarmUp = ready.WarmUp
	t.calls = ready.Calls
	t.opened.Trial, t.opened.Block, t.opened.Calls = t.index, b.number, ready.Calls
	return b.Sink.Opened(t.opened)
}

// declare numbers a trial in the order in which they come: where plans take turns, that of a plan whose first block
// was broken off may come after those of the next.
func (r *run) declare(t *trial) error {
	if t.declared {
		return nil
	}
	t.declared, t.index = true, r.declaredTrials
	r.declaredTrials++
	who := t.Trial.Trial
	who.Subject.Implementation = cmp.Or(t.about.Implementation, who.Subject.Implementation)
	return r.Sink.Trial(result.TrialInfo{Index: t.index, Experiment: r.plan.Experiment, Trial: who,
		Loop: t.about.Loop, Clock: t.about.Clock, ConstantTime: t.about.ConstantTime, Note: t.about.Note,
		Digest: t.about.Digest, Granularity: t.about.Granularity, Exhibit: t.Exhibit, Unchecked: t.about.Unchecked})
}

// sample takes one sample of a trial, or a scenario's record once a block. Where
// that kills the worker, the other trials that lived in it are opened, and so
// checked, again in a fresh one; the closing check judges what that one computed.
func (b *block) sample(t *trial, round int) (err error) {
	switch {
	case !t.open || t.measured || round >= t.RoundsIn(b.pace):
		return nil
	case !t.about.Scenario:
		err = b.calls(t, round)
	default:
		var rec result.Record
		if rec, err = b.scenario(t); err != nil {
			err = b.lose(t, err)
			break
		}
		t.measured, t.unproven = true, true
		err = b.record(t, rec)
	}
	if err != nil {
		return err
	}
	return b.openAll()
}

func (b *block) calls(t *trial, round int) error {
	var best result.Sample
	for range 1 + retakes {
		s, err := b.take(t)
		if err != nil {
			return b.lose(t, err)
		}
		t.unproven = true
		if err := b.write(t, s, round); err != nil {
			return err
		}
		if best.Calls == 0 || s.LessDisturbed(best) {
			best = s
		}
		if !s.Contended() || t.waits() || b.stopped() {
			break
		}
	}
	t.current = append(t.current, t.nsPerCall(best))
	return nil
}

func (b *block) write(t *trial, s result.Sample, round int) error {
	s.Trial, s.Block, s.Round = int32(t.index), int32(b.number), int32(round)
	if err := b.Sink.Sample(s); err != nil {
		return err
	}
	b.progress(t, b.number, t.nsPerCall(s))
	return nil
}

func (t *trial) nsPerCall(s result.Sample) float64 {
	return float64(worker.Told(t.about.Clock, s)) / float64(s.Calls)
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

func (b *block) take(t *trial) (s result.Sample, err error) {
	throttled := b.Throttled()
	err = b.call(t, t.should(), func(ctx context.Context, w Worker) (err error) {
		s, err = w.Run(ctx, t.handle, t.calls)
		return err
	})
	s.Throttled = int32(b.Throttled() - throttled)
	t.took = time.Duration(s.Wall)
	return s, err
}

// scenarioWindow is what a scenario may take in one block where its trial does
// not say.
const scenarioWindow = 2 * time.Second

func (b *block) scenario(t *trial) (rec result.Record, err error) {
	window := cmp.Or(t.Window, scenarioWindow)
	err = b.call(t, patience*window, func(ctx context.Context, w Worker) (err error) {
		rec, err = w.Measure(ctx, t.handle, window.Seconds(), b.number)
		return err
	})
	return rec, err
}

func (b *block) record(t *trial, rec result.Record) error {
	rec.Trial, rec.Block = t.index, b.number
	if err := b.Sink.Record(rec); err != nil {
		return err
	}
	for i, s := range rec.Samples {
		if err := b.write(t, s, i); err != nil {
			return err
		}
		t.current = append(t.current, t.nsPerCall(s))
	}
	return nil
}

func (b *block) close(t *trial) error {
	if !t.open {
		return nil
	}
	var left *result.Record
	err := b.call(t, t.should(), func(ctx context.Context, w Worker) error {
		if t.about.Records && len(t.current) > 0 {
			rec, err := w.Measure(ctx, t.handle, 0, b.number)
			if err != nil {
				return err
			}
			rec.Samples = nil // its calls were timed from outside
			left = &rec
		}
		if t.unproven {
			if err := w.Check(ctx, t.handle); err != nil {
				return err
			}
		}
		return w.Close(ctx, t.handle)
	})
	if err != nil {
		if err := b.lose(t, err); err != nil {
			return err
		}
		return b.openAll() // those that are still to be checked
	}
	t.open, t.closed = false, true
	if len(t.current) > 0 {
		t.medians = append(t.medians, stat.Median(t.current))
	} else if !t.measured {
		return nil // interrupted before its turn
	}
	if left != nil {
		if err := b.record(t, *left); err != nil {
			return err
		}
	}
	return b.Sink.Closed(result.Closed{Trial: t.index, Block: b.number})
}

// should is how long a call of the trial may take: several times as long as its last
// sample took, or, before there is one, as long as it was thought to take.
func (t *trial) should() time.Duration { return patience * max(t.took, 3*t.Expected(), t.WarmUp) }

// patience is how many times as long as expected an honest call may take.
const patience = 8

const grace = 3 * time.Second

// call makes one call to a trial's worker, bounded by the deadline and by the
// time that the call should take.
func (b *block) call(t *trial, should time.Duration, f func(context.Context, Worker) error) error {
	if b.Hangs.GivenUp(t.Worker()) {
		return worker.FaultOf(worker.Failed, reason.New(reason.GivenUp))
	}
	w, err := b.pool.worker(t.Worker())()
	if _, refused := errors.AsType[*worker.Fault](err); refused {
		return err // there can be no such worker here, which is nobody's crash
	}
	if err != nil {
		return worker.DiedOf(err)
	}
	if budget := b.cfg.Budget; budget > 0 { // who gave a run seconds does not wait a minute
		should = min(should, max(2*should/patience, budget/4))
	}
	ctx, cancel := context.WithTimeout(context.Background(), b.cfg.Deadline+should)
	defer cancel()
	stop := context.AfterFunc(b.ctx, func() { time.AfterFunc(grace, cancel) })
	defer stop()
	if left, limited := b.left(); limited { // then it is we who end it, and no library that hangs
		defer time.AfterFunc(left, cancel).Stop()
	}
	start := time.Now()
	err = f(ctx, w)
	if hung(err) && !b.stopped() {
		b.Hangs.Note(t.Worker(), err)
		b.wait(start)
	}
	return err
}

var statuses = map[string]result.Status{
	worker.Absent: result.Unsupported, worker.Unsupported: result.Unsupported, worker.Incorrect: result.Incorrect,
}

// lose takes a trial out of the comparison with the status that its error
// means. A worker that died is left behind, and with it all that was open there.
func (b *block) lose(t *trial, err error) error {
	_, dead := errors.AsType[*worker.Died](err)
	fault, failed := errors.AsType[*worker.Fault](err)
	status := result.Crashed
	switch {
	case dead:
		b.pool.drop(t.Worker())
		for _, other := range b.trials {
			if other.Worker() == t.Worker() {
				other.open = false
			}
		}
		if b.stopped() {
			return nil // it was we who ended it
		}
	case failed:
		status = cmp.Or(statuses[fault.Kind], result.Crashed)
	default:
		return fmt.Errorf("measuring %s: %w", t.ID(), err)
	}
	t.lost, t.open = true, false
	return b.Sink.Status(result.StatusChange{Trial: t.index, Block: b.number, Status: status, Reason: err.Error(),
		Cause: reason.Of(err), Returned: status == result.Crashed && !dead})
}
