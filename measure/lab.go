package measure

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/worker"
)

// Lab measures plans into one run. Trials and groups are numbered through all
// of its plans.
type Lab struct {
	Start     func(WorkerKey) (Worker, error) // starts the worker that a trial names
	Sink      Sink
	Progress  func(Progress) // may be nil
	Throttled func() int64   // the cgroup's count of throttled periods; may be nil

	trials, groups int
	digests        map[result.Case]string
}

// Outcome is how a plan ended.
type Outcome struct {
	Blocks      int    // completed
	Interrupted bool   // the context ended
	Reason      string // why it stopped before all its blocks; empty where it did not
}

// Run measures one plan. The error is for what ends the whole run: the sink
// refuses, or no worker can be started at all. When ctx ends, what was measured
// is checked, kept and closed, and Outcome says so.
func (l *Lab) Run(ctx context.Context, p Plan, c Config) (Outcome, error) {
	if l.digests == nil {
		l.digests = map[result.Case]string{}
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
			return r.outcome(b, ""), err
		}
		if ctx.Err() != nil {
			return r.outcome(b, "interrupted"), nil
		}
		if r.precise() {
			return r.outcome(b+1, "the precision asked for was reached"), nil
		}
		if b+1 == c.Blocks {
			break
		}
		var ok bool
		if rounds, ok = r.afford(took, c.Blocks-b-1); !ok {
			return r.outcome(b+1, "the budget was spent"), nil
		}
	}
	return r.outcome(c.Blocks, ""), nil
}

// run is one plan on its way.
type run struct {
	*Lab
	ctx    context.Context
	plan   Plan
	cfg    Config
	begun  time.Time
	groups []*group
	done   float64 // share of the current block
}

type group struct {
	Group
	index    int
	trials   []*trial
	declared bool
}

// trial is the state of a trial over the blocks.
type trial struct {
	Trial
	index    int
	about    worker.About
	declared bool
	lost     bool // left the comparison
	calls    int64
	opened   result.Opened // as calibrated in its first block
	took     time.Duration // of its last sample
	medians  []float64     // ns per call, one a block

	// Of the current block:
	open     bool      // under its handle, in the worker that lives now
	unproven bool      // it has computed since its output was last checked
	measured bool      // a scenario that has given its record
	closed   bool      // checked, and given back
	current  []float64 // ns per call, one a round
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

func (r *run) outcome(blocks int, reason string) Outcome {
	return Outcome{Blocks: blocks, Interrupted: r.ctx.Err() != nil, Reason: reason}
}

// cost is where a block's time went.
type cost struct{ rounds, rest time.Duration }

// block measures every group once, in fresh workers.
func (r *run) block(b, rounds int) (cost, error) {
	var c cost
	start := time.Now()
	pool := newPool(r.Start)
	defer pool.stop()
	pool.begin(r.workers())
	for i, g := range r.groups {
		r.done = float64(i) / float64(len(r.groups))
		took, err := r.group(pool, g, b, rounds)
		c.rounds += took
		if err != nil {
			return c, err
		}
		if r.ctx.Err() != nil {
			break
		}
	}
	c.rest = time.Since(start) - c.rounds
	c.rounds /= time.Duration(rounds)
	return c, nil
}

// workers lists the workers that still have a trial.
func (r *run) workers() (keys []WorkerKey) {
	seen := map[WorkerKey]bool{}
	for _, g := range r.groups {
		for _, t := range g.trials {
			if !t.lost && !seen[t.Worker()] {
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
	remaining := r.cfg.Budget - time.Since(r.begun)
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
	start := time.Now()
	order := balanced(len(g.trials), rounds, r.rand(b, g.index))
	for round := range rounds {
		for _, i := range order[round] {
			if r.ctx.Err() != nil {
				break
			}
			if err := r.sample(pool, g, g.trials[i], b, round); err != nil {
				return 0, err
			}
		}
	}
	took := time.Since(start)
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
			if t.lost || t.open || t.closed || (t.Once && b > 0) || r.ctx.Err() != nil {
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

// open opens and readies a trial in its worker, and declares it the first time.
func (r *run) open(pool *pool, g *group, t *trial, b int) error {
	if t.index < 0 {
		t.index = r.Lab.trials
		r.Lab.trials++
	}
	err := r.call(pool, t, 0, func(ctx context.Context, w Worker) (err error) {
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
	err := r.call(pool, t, 8*t.took, func(ctx context.Context, w Worker) (err error) {
		ready, err = w.Ready(ctx, t.index, t.calls, r.cfg.Target)
		return err
	})
	if err != nil {
		return r.lose(pool, g, t, b, err)
	}
	if t.calls == 0 {
		t.opened = result.Opened{Trial: t.index, Calls: ready.Calls, Allocs: ready.Allocs, AllocBytes: ready.AllocBytes}
	}
	t.calls = ready.Calls
	t.opened.Block = b
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
		Loop: t.about.Loop, ConstantTime: t.about.ConstantTime, Note: t.about.Note})
}

func (r *run) declareGroup(g *group) error {
	if g.declared || r.ctx.Err() != nil {
		return nil
	}
	g.declared = true
	rec := result.Group{Index: g.index, Experiment: r.plan.Experiment, Name: g.Name, Kind: g.Kind}
	for _, t := range g.trials {
		rec.Trials = append(rec.Trials, t.index)
	}
	for _, p := range g.Pairs {
		rec.Pairs = append(rec.Pairs, result.Pair{Base: g.trials[p.Base].index, Other: g.trials[p.Other].index, Headline: p.Headline})
	}
	return r.Sink.Group(rec)
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
		if best.Calls == 0 || s.Share() > best.Share() {
			best = s
		}
		r.progress(t, b, nsPerCall(s))
		if !s.Contended() || r.ctx.Err() != nil {
			break
		}
	}
	t.current = append(t.current, nsPerCall(best))
	return nil
}

func nsPerCall(s result.Sample) float64 { return float64(s.Thread) / float64(s.Calls) }

// retakes is how often a sample is taken again whose thread did not have its CPU
// for the whole time. Who takes the CPU away leaves cold caches, and a hypervisor
// that does so is charged to the thread in part: such samples read up to 30 % too
// long on the thread's own clock. They are kept in the file, all of them; what
// counts of a round is the one that was disturbed least (see result.Sample).
// The choice rests on who had the CPU and never on how long the sample took.
const retakes = 2

func (r *run) take(pool *pool, t *trial) (s result.Sample, err error) {
	throttled := r.throttled()
	err = r.call(pool, t, 8*t.took, func(ctx context.Context, w Worker) (err error) {
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
		done = max(done, float64(time.Since(r.begun))/float64(r.cfg.Budget))
	}
	r.Progress(Progress{Experiment: r.plan.Experiment, Block: b, Blocks: r.cfg.Blocks,
		Done: min(done, 1), Trial: t.Trial.Trial, NsPerCall: ns})
}

// scenarioSeconds is what a scenario may take in one block.
const scenarioSeconds = 2

func (r *run) scenario(pool *pool, g *group, t *trial, b, _ int) error {
	rec, err := r.measure(pool, t, b)
	if err != nil {
		return r.lose(pool, g, t, b, err)
	}
	t.measured, t.unproven = true, true
	rec.Trial, rec.Block = t.index, b
	return r.Sink.Record(rec)
}

func (r *run) measure(pool *pool, t *trial, b int) (rec result.Record, err error) {
	err = r.call(pool, t, scenarioSeconds*time.Second, func(ctx context.Context, w Worker) (err error) {
		rec, err = w.Measure(ctx, t.index, scenarioSeconds, b)
		return err
	})
	return rec, err
}

// close checks what the last sample left, and gives the trial back.
func (r *run) close(pool *pool, g *group, t *trial, b int) error {
	if !t.open {
		return nil
	}
	err := r.call(pool, t, 8*t.took, func(ctx context.Context, w Worker) error {
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
	return r.Sink.Closed(result.Closed{Trial: t.index, Block: b})
}

// grace is how long a call may still take once the run was interrupted.
const grace = 3 * time.Second

// call makes one call to a trial's worker, bounded by the deadline and by the
// time that the call should take.
func (r *run) call(pool *pool, t *trial, should time.Duration, f func(context.Context, Worker) error) error {
	w, err := pool.get(t.Worker())
	if err != nil {
		return &worker.Died{Reason: err.Error()}
	}
	ctx, cancel := context.WithTimeout(context.Background(), r.cfg.Deadline+should)
	defer cancel()
	stop := context.AfterFunc(r.ctx, func() { time.AfterFunc(grace, cancel) })
	defer stop()
	return f(ctx, w)
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
	return r.Sink.Status(result.StatusChange{Trial: t.index, Block: b, Status: status, Reason: err.Error()})
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
