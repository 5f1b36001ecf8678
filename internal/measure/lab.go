package measure

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Lab measures plans into one run. Trials and groups are numbered through all
// of its plans.
type Lab struct {
	Start     func(plan.WorkerKey) (Worker, error) // starts the worker that a trial names
	Sink      Sink
	Progress  func(Progress) // may be nil
	Throttled func() int64   // the cgroup's count of throttled periods; may be nil
	Hangs     *Hangs         // of libraries, also before the first plan; may be nil

	trials, groups int
	digests        map[result.Case]string
}

// Outcome is how a plan ended.
type Outcome struct {
	Blocks      int    // completed
	Interrupted bool   // the context ended
	Reason      string // why it stopped before all its blocks; empty where it did not
	Cause       result.Cause
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
	r.number()
	rounds := c.Rounds
	if c.Budget > 0 {
		rounds = min(rounds, 3) // until a block has told what one costs
	}
	for b := range c.Blocks {
		took, err := r.block(b, rounds)
		if err != nil {
			return r.outcome(b, result.Cause{}), err
		}
		if ctx.Err() != nil {
			return r.outcome(b, reason.Cause("interrupted")), nil
		}
		if r.stopped() {
			if err := r.declareAll(); err != nil {
				return r.outcome(b, result.Cause{}), err
			}
			return r.outcome(b, reason.Cause("budget-block")), nil
		}
		if r.precise() {
			return r.outcome(b+1, reason.Cause("precision")), nil
		}
		if b+1 == c.Blocks {
			break
		}
		var ok bool
		if rounds, ok = r.afford(took, c.Blocks-b-1); !ok {
			return r.outcome(b+1, reason.Cause("budget")), nil
		}
	}
	return r.outcome(c.Blocks, result.Cause{}), nil
}

// run is one plan on its way.
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
	done   float64 // share of the current block
}

type group struct {
	plan.Group
	index    int
	trials   []*trial
	declared bool
}

// number gives the plan's groups and trials their indices in the run.
func (r *run) number() {
	for _, pg := range r.plan.Groups {
		g := &group{Group: pg, index: r.Lab.groups}
		r.Lab.groups++
		for _, pt := range pg.Trials {
			g.trials = append(g.trials, &trial{Trial: pt, index: -1})
		}
		r.groups = append(r.groups, g)
	}
}

// declareAll declares the trials that no block has come to, so that nothing that was planned is missing
// without a word.
func (r *run) declareAll() error {
	for _, g := range r.groups {
		for _, t := range g.trials {
			if t.index < 0 {
				t.index = r.Lab.trials
				r.Lab.trials++
			}
			if err := r.declare(t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) outcome(blocks int, why result.Cause) Outcome {
	return Outcome{Blocks: blocks, Interrupted: r.ctx.Err() != nil, Reason: reason.English(why), Cause: why}
}

// overrun is how far a block may exceed the budget before it is broken off. A
// block that is nearly done is worth more than the second it costs.
const overrun = 1.1

// stopped says that nothing more is to be measured: the run was interrupted, or
// its budget is spent beyond what a block may overrun.
func (r *run) stopped() bool {
	over := r.cfg.Budget > 0 && float64(r.remaining()) < (1-overrun)*float64(r.cfg.Budget)
	return over || r.ctx.Err() != nil
}

// remaining is what is left of the budget, and of the time that bounds it and waiting
// together.
func (r *run) remaining() time.Duration {
	left := r.cfg.Budget - r.spent()
	if r.cfg.Limit > 0 {
		left = min(left, r.cfg.Limit-time.Since(r.begun))
	}
	return left
}

// spent is the time since the plan was begun, but for what was waited for workers that
// never answered: the budget is for the others, as long as there is time at all.
func (r *run) spent() time.Duration { return time.Since(r.begun) - r.waited }

// start starts a worker, and counts one that never greets.
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

// cost is where a block's time went.
type cost struct{ rounds, rest time.Duration }

// block measures every group once, in fresh workers.
func (r *run) block(b, rounds int) (cost, error) {
	var c cost
	start := r.spent()
	pool := newPool(r.start)
	defer pool.stop()
	pool.begin(r.workers())
	for i, g := range r.groups {
		r.done = float64(i) / float64(len(r.groups))
		took, err := r.group(pool, g, b, rounds)
		c.rounds += took
		if err != nil {
			return c, err
		}
		if r.stopped() {
			break
		}
	}
	c.rest = r.spent() - start - c.rounds
	c.rounds /= time.Duration(rounds)
	return c, nil
}

// workers lists the workers that still have a trial.
func (r *run) workers() (keys []plan.WorkerKey) {
	seen := map[plan.WorkerKey]bool{}
	for _, g := range r.groups {
		for _, t := range g.trials {
			if !t.lost && !seen[t.Worker()] && !r.Hangs.GivenUp(t.Worker()) {
				seen[t.Worker()] = true
				keys = append(keys, t.Worker())
			}
		}
	}
	return keys
}

// afford says how many rounds the blocks that are left can have within the
// budget; ok is false where not even one more block fits.
func (r *run) afford(last cost, left int) (rounds int, ok bool) {
	if r.cfg.Budget == 0 {
		return r.cfg.Rounds, true
	}
	remaining := r.remaining()
	if remaining < last.rest+last.rounds {
		return 0, false
	}
	each := remaining/time.Duration(left) - last.rest
	return max(1, min(r.cfg.Rounds, int(each/max(last.rounds, 1)))), true
}

// group opens a group's trials, samples them in rounds, checks and closes them.
// It returns the time that the rounds took.
func (r *run) group(pool *pool, g *group, b, rounds int) (time.Duration, error) {
	for _, t := range g.trials {
		t.open, t.measured, t.closed, t.current = false, false, false, t.current[:0]
	}
	if err := r.openAll(pool, g, b); err != nil {
		return 0, err
	}
	if err := r.declareGroup(g); err != nil {
		return 0, err
	}
	start := r.spent()
	order := balanced(len(g.trials), rounds, r.rand(b, g.index))
	for round := range rounds {
		for _, i := range order[round] {
			if r.stopped() {
				break
			}
			if err := r.sample(pool, g, g.trials[i], b, round); err != nil {
				return 0, err
			}
		}
	}
	took := r.spent() - start
	for _, t := range g.trials {
		if err := r.close(pool, g, t, b); err != nil {
			return took, err
		}
	}
	return took, nil
}

func (r *run) rand(b, group int) *rand.Rand {
	return rand.New(rand.NewPCG(r.cfg.Seed, uint64(b)<<32|uint64(group)))
}

// balanced draws an order of n trials for each round. Rounds come in couples that
// are each other's reverse, so each pair of trials occurs in both orders and every
// trial stands early as often as late; from couple to couple the order is rotated,
// so that neighbours change places too.
func balanced(n, rounds int, rnd *rand.Rand) [][]int {
	perm := rnd.Perm(n)
	orders := make([][]int, rounds)
	couples := (rounds + 1) / 2
	for r := range orders {
		orders[r] = make([]int, n)
		shift := r / 2 * n / couples
		for i := range n {
			orders[r][i] = perm[(i+shift)%n]
		}
		if r%2 == 1 {
			slices.Reverse(orders[r])
		}
	}
	return orders
}

// openAll opens the trials of a group that are not open. A worker that dies
// meanwhile takes with it what was open there, and blames one trial; so it goes
// on until none is left to open.
func (r *run) openAll(pool *pool, g *group, b int) error {
	for again := true; again; {
		again = false
		for _, t := range g.trials {
			if t.lost || t.open || t.closed || (t.Blocks > 0 && b >= t.Blocks) || r.stopped() {
				continue
			}
			if err := r.open(pool, g, t, b); err != nil {
				return err
			}
			again = again || t.lost
		}
	}
	return nil
}

func (r *run) declareGroup(g *group) error {
	if g.declared || r.stopped() {
		return nil
	}
	g.declared = true
	rec := result.Group{Index: g.index, Experiment: r.plan.Experiment, Name: g.Name, Kind: g.Kind}
	for _, t := range g.trials {
		rec.Trials = append(rec.Trials, t.index)
	}
	for _, p := range g.Pairs {
		p.Base, p.Other = g.trials[p.Base].index, g.trials[p.Other].index
		rec.Pairs = append(rec.Pairs, p)
	}
	return r.Sink.Group(rec)
}
