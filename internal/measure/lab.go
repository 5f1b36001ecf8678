package measure

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Lab measures plans into one run. Trials and groups are numbered through all
// of its plans.
type Lab struct {
	Start     func(plan.WorkerKey) (Worker, error) // starts the worker that a trial names
	Sink      Sink
	Progress  func(Progress) // may be nil
	Throttled func() int64   // the cgroup's count of throttled periods; may be nil
	Hangs     *Hangs         // of libraries, also before the first plan; may be nil
	// Foreign says whether a worker is somebody else's, whose input and digests may be its own: they are
	// noted, and not told to the others. May be nil.
	Foreign func(plan.WorkerKey) bool

	trials, groups int
	digests        map[result.Case]string
}

type Outcome struct {
	Blocks      int    // completed
	Rounds      int    // of every group in a block, on average
	Interrupted bool   // the context ended
	Reason      string // why it stopped before all its blocks; empty where it did not
	Cause       result.Cause
}

type run struct {
	*Lab
	ctx    context.Context
	plan   plan.Plan
	cfg    plan.Config
	begun  time.Time
	mu     sync.Mutex
	waited time.Duration // for workers that never answered
	until  time.Time     // the end of the last such wait
	groups []*group
	rounds int     // of all blocks
	done   float64 // share of the current block
}

// Run measures one plan. The error is for what ends the whole run: the sink
// refuses, or no worker can be started at all. When ctx ends, what was measured
// is checked, kept and closed, and Outcome says so.
func (l *Lab) Run(ctx context.Context, p plan.Plan, c plan.Config) (Outcome, error) {
	if l.digests == nil {
		l.digests = map[result.Case]string{}
	}
	if l.Hangs == nil {
		l.Hangs = &Hangs{}
	}
	r := &run{Lab: l, ctx: ctx, plan: p, cfg: c, begun: time.Now()}
	for _, pg := range p.Groups {
		g := &group{Group: pg, index: l.groups}
		l.groups++
		for _, pt := range pg.Trials {
			g.trials = append(g.trials, &trial{Trial: pt, index: l.trials})
			l.trials++
		}
		r.groups = append(r.groups, g)
	}
	blocks, why, err := r.blocks()
	return Outcome{Blocks: blocks, Rounds: onAverage(r.rounds, blocks), Interrupted: ctx.Err() != nil, Reason: reason.English(why), Cause: why}, err
}

// onAverage is how many rounds a block had: one that was slower than the others does not make it less.
func onAverage(rounds, blocks int) int { return (rounds + blocks/2) / max(1, blocks) }

func (r *run) blocks() (n int, why result.Cause, err error) {
	rounds := r.cfg.Rounds
	for b := 0; b < max(r.cfg.Blocks, r.cfg.More); b++ {
		took, err := r.block(b, rounds)
		if err != nil {
			return b, why, err
		}
		r.rounds += rounds
		switch {
		case r.ctx.Err() != nil:
			return b, reason.Cause("interrupted"), nil
		case r.stopped() && b >= r.cfg.Blocks: // all that was planned is there
			return b, why, nil
		case r.stopped():
			return b, reason.Cause("budget-block"), r.declareAll()
		case r.precise():
			return b + 1, reason.Cause("precision"), nil
		}
		var ok bool
		rounds, ok = r.afford(took, max(1, r.cfg.Blocks-b-1))
		switch {
		case b+1 >= r.cfg.Blocks && (!ok || b+1 >= r.cfg.More):
			return b + 1, why, nil
		case !ok:
			return b + 1, reason.Cause("budget"), nil
		}
	}
	return 0, why, nil
}

// declareAll declares the trials that no block has come to, so that nothing that was planned is missing
// without a word.
func (r *run) declareAll() error {
	for _, g := range r.groups {
		for _, t := range g.trials {
			if err := r.declare(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// overrun is how far a block may exceed the budget before it is broken off, where no limit
// says so. A block that is nearly done is worth more than the second it costs.
const overrun = 1.1

// left is how much time there is until everything is broken off; ok is false where nothing is.
func (r *run) left() (d time.Duration, ok bool) {
	limit := cmp.Or(r.cfg.Limit, time.Duration(overrun*float64(r.cfg.Budget)))
	return limit - time.Since(r.begun), r.cfg.Budget > 0
}

// stopped says that nothing more is to be measured: the run was interrupted, or its time is over.
func (r *run) stopped() bool {
	left, limited := r.left()
	return limited && left <= 0 || r.ctx.Err() != nil
}

func (r *run) remaining() time.Duration { return r.cfg.Budget - time.Since(r.begun) }

// late says that a block has taken so much of the budget that too few of its length would fit
// for an interval, so that one round of each group must do.
func (r *run) late(begun time.Time) bool {
	share := r.cfg.Budget / time.Duration(max(1, min(plan.LeastBlocks, r.cfg.Blocks)))
	return r.cfg.Budget > 0 && time.Since(begun) > share
}

// spent is the time since the plan was begun, but for what was waited for workers that never
// answered: what a block takes is told by the others.
func (r *run) spent() time.Duration { return time.Since(r.begun) - r.waited }

func (r *run) start(key plan.WorkerKey) (Worker, error) {
	begun := time.Now()
	w, err := r.Start(key)
	r.Hangs.Note(key, err)
	if hung(err) {
		r.wait(begun)
	}
	return w, err
}

// wait counts the time since begun as waited in vain; workers that start side by side
// are waited for at once.
func (r *run) wait(begun time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if begun.Before(r.until) {
		begun = r.until
	}
	r.until = time.Now()
	r.waited += r.until.Sub(begun)
}

// afford says how many rounds the blocks that are left can have within the budget, as blocks
// before took; ok is false where not even one more block fits.
func (r *run) afford(last cost, left int) (rounds int, ok bool) {
	if r.cfg.Budget == 0 {
		return r.cfg.Rounds, true
	}
	remaining := r.remaining()
	if remaining < last.rest+last.rounds {
		return 0, false
	}
	each := remaining/time.Duration(left) - last.rest
	return max(1, min(max(r.cfg.Rounds, r.cfg.Most), int(each/max(last.rounds, 1)))), true
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

const rowLevel = 0.99

// precise says whether every trial of a headline comparison, or every trial
// where there is none, has an exact interval as narrow as was asked for.
func (r *run) precise() bool {
	if r.cfg.Precision <= 0 {
		return false
	}
	for _, t := range r.decisive() {
		iv, ok := stat.MedianInterval(t.medians, rowLevel)
		if !t.lost && (!ok || (iv.High-iv.Low)/2 > r.cfg.Precision*stat.Median(t.medians)) {
			return false
		}
	}
	return true
}

func (r *run) decisive() []*trial {
	var headline, all []*trial
	for _, g := range r.groups {
		if g.Kind != "" {
			continue
		}
		for _, t := range g.trials {
			if !t.about.Scenario {
				all = append(all, t)
			}
		}
		for _, p := range g.Pairs {
			if p.Headline {
				headline = append(headline, g.trials[p.Base], g.trials[p.Other])
			}
		}
	}
	if len(headline) == 0 {
		return all
	}
	return headline
}
