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
	// Over is when all plans with a budget are broken off; from then on Start waits for no worker. Zero: never.
	Over time.Time

	trials, groups                 int // planned
	declaredTrials, declaredGroups int
	digests                        map[result.Case]string
}

type Outcome struct {
	Blocks      int          // completed
	Rounds      int          // of every group in a block, on average
	Interrupted bool         // the context ended
	Cause       result.Cause // why it stopped before all its blocks; empty where it did not
}

// Course is the measurement of one plan. It can be left after a block and gone on with later, which then takes
// fresh workers as any block does.
type Course struct{ run *run }

type run struct {
	*Lab
	plan   plan.Plan
	groups []*group
	next   int  // the number of the next block
	ended  int  // blocks that were measured to their end
	rounds int  // of those, that they did
	last   cost // of the last block, also where it was broken off

	// Of the current stretch:
	ctx    context.Context
	cfg    plan.Config
	goal   int // blocks in its end
	from   int // blocks at its beginning
	begun  time.Time
	mu     sync.Mutex
	waited time.Duration // for workers that never answered
	until  time.Time     // the end of the last such wait
	done   float64       // share of the current block
}

// Run measures one plan, all of it at once.
func (l *Lab) Run(ctx context.Context, p plan.Plan, c plan.Config) (Outcome, error) {
	return l.Begin(p).Run(ctx, c, c.Blocks)
}

// Begin gives a plan's trials their handles; nothing is measured yet.
func (l *Lab) Begin(p plan.Plan) *Course {
	if l.digests == nil {
		l.digests = map[result.Case]string{}
	}
	l.Hangs = cmp.Or(l.Hangs, &Hangs{})
	if l.Throttled == nil {
		l.Throttled = func() int64 { return 0 }
	}
	r := &run{Lab: l, plan: p}
	for _, pg := range p.Groups {
		g := &group{Group: pg, index: l.groups}
		l.groups++
		for _, pt := range pg.Trials {
			g.trials = append(g.trials, &trial{Trial: pt, handle: l.trials})
			l.trials++
		}
		r.groups = append(r.groups, g)
	}
	return &Course{r}
}

// Run goes on until so many of the config's blocks are there; where they are all, those come after them that
// there is time for. The config's budget is that of this stretch, and the outcome that of all so far. The error
// is for what ends the whole run: the sink refuses, or no worker can be started at all. When ctx ends, what was
// measured is checked, kept and closed, and Outcome says so.
func (c *Course) Run(ctx context.Context, cfg plan.Config, blocks int) (Outcome, error) {
	r := c.run
	r.ctx, r.cfg, r.goal, r.from = ctx, cfg, min(blocks, cfg.Blocks), r.ended
	r.begun, r.waited, r.until, r.done = time.Now(), 0, time.Time{}, 0
	why, err := r.blocks()
	return Outcome{Blocks: r.ended, Rounds: onAverage(r.rounds, r.ended), Interrupted: ctx.Err() != nil, Cause: why}, err
}

// onAverage is how many rounds a block had: one that was slower than the others does not make it less.
func onAverage(rounds, blocks int) int { return (rounds + blocks/2) / max(1, blocks) }

func (r *run) blocks() (why result.Cause, err error) {
	last := r.goal == r.cfg.Blocks
	for {
		if r.ended > 0 && r.precise() {
			return reason.Cause("precision"), nil
		}
		rounds, affordable := r.afford()
		if !affordable || r.ended >= r.most() || r.ended >= r.cfg.Blocks && r.settled() {
			break
		}
		took, err := r.block(r.next, rounds)
		if err != nil {
			return why, err
		}
		r.next, r.last = r.next+1, took
		switch {
		case r.ctx.Err() != nil:
			return reason.Cause("interrupted"), nil
		case r.stopped() && r.ended >= r.cfg.Blocks: // all that was planned is there
			return why, nil
		case r.stopped() && !last:
			return reason.Cause("budget-block"), nil
		case r.stopped():
			return reason.Cause("budget-block"), r.declareAll()
		}
		r.ended, r.rounds = r.ended+1, r.rounds+took.done
	}
	switch {
	case r.ended >= r.goal:
		return why, nil
	case last && r.ended == 0:
		err = r.declareAll()
	}
	return reason.Cause("budget"), err
}

// most is how many blocks this stretch ends with at most.
func (r *run) most() int {
	if r.goal < r.cfg.Blocks {
		return r.goal
	}
	return max(r.cfg.Blocks, r.cfg.More)
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
	d = limit - time.Since(r.begun)
	if !r.Over.IsZero() {
		d = min(d, time.Until(r.Over))
	}
	return d, r.cfg.Budget > 0
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
	most := max(r.cfg.Budget, time.Duration(float64(r.cfg.Limit)/overrun))
	share := most / time.Duration(max(1, min(plan.LeastBlocks, r.goal-r.from)))
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

// afford says how many rounds the blocks that are left can have within the budget, as the block
// before took; ok is false where not even one more fits. The first block is as it was planned.
func (r *run) afford() (rounds int, ok bool) {
	if r.cfg.Budget == 0 || r.next == 0 {
		return r.cfg.Rounds, true
	}
	remaining, left := r.remaining(), max(1, r.goal-r.ended)
	if remaining < r.last.rest+r.last.rounds {
		return 0, false
	}
	each := remaining/time.Duration(left) - r.last.rest
	return max(1, min(max(r.cfg.Rounds, r.cfg.Most), int(each/max(r.last.rounds, 1)))), true
}

func (r *run) progress(t *trial, b int, ns float64) {
	if r.Progress == nil {
		return
	}
	done := (float64(r.ended-r.from) + r.done) / float64(max(1, r.goal-r.from))
	if r.cfg.Budget > 0 {
		done = max(done, 1-float64(r.remaining())/float64(r.cfg.Budget))
	}
	r.Progress(Progress{Experiment: r.plan.Experiment, Block: b, Done: min(done, 1), Trial: t.Trial.Trial, NsPerCall: ns})
}

// settled says whether the ratio of every headline comparison is as narrow as the config calls enough, at the level at
// which all of them are judged together. It does not matter what the ratio is, so that no difference ends a run.
func (r *run) settled() bool {
	var ratios [][]float64 // block by block
	for _, g := range r.groups {
		for _, p := range g.Pairs {
			base, other := g.trials[p.Base], g.trials[p.Other]
			if g.Kind != "" || !p.Headline || base.lost || other.lost {
				continue
			}
			if len(base.medians) != len(other.medians) {
				return false
			}
			of := make([]float64, len(base.medians))
			for i, ns := range base.medians {
				of[i] = other.medians[i] / ns
			}
			ratios = append(ratios, of)
		}
	}
	for _, of := range ratios {
		iv, ok := stat.MedianInterval(of, stat.FamilyLevel(len(ratios)))
		if !ok || (iv.High-iv.Low)/2 > r.cfg.Enough*stat.Median(of) {
			return false
		}
	}
	return r.cfg.Enough > 0 && len(ratios) > 0
}

// precise says whether every trial of a headline comparison, or every trial
// where there is none, has an exact interval as narrow as was asked for.
func (r *run) precise() bool {
	if r.cfg.Precision <= 0 {
		return false
	}
	for _, t := range r.decisive() {
		iv, ok := stat.MedianInterval(t.medians, stat.RowLevel)
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
