package measure

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

type group struct {
	plan.Group
	index    int // in all plans
	trials   []*trial
	declared bool
}

type block struct {
	*run
	*group
	pool    pool
	number  int
	started time.Time
	pace    plan.Config // of the group that is measured
}

// cost is what a block took, and what it had for that.
type cost struct {
	rounds, rest time.Duration // of one round of all groups, and of what does not grow with rounds
	done         int           // rounds of a group, on average: in a late block fewer than were planned
}

func (r *run) block(number, rounds int) (c cost, err error) {
	start := r.spent()
	b := &block{run: r, number: number, started: time.Now()}
	b.pool = pool{start: r.start, workers: map[plan.WorkerKey]func() (Worker, error){}}
	defer b.pool.stop()
	b.pool.begin(r.workers())
	var inRounds time.Duration
	all, groups := 0, 0
	for i, g := range r.groups {
		r.done = float64(i) / float64(len(r.groups))
		b.group = g
		done, took, err := b.measure(max(rounds, g.Rounds))
		if err != nil {
			return c, err
		}
		if g.Rounds == 0 && done > 0 { // else they don't grow with the others
			c.rounds += took / time.Duration(done)
			inRounds += took
			all, groups = all+done, groups+1
		}
		if r.stopped() {
			break
		}
	}
	c.rest = r.spent() - start - inRounds
	if c.done = rounds; groups > 0 {
		c.done = onAverage(all, groups)
	}
	return c, nil
}

func (r *run) workers() (keys []plan.WorkerKey) {
	for _, g := range r.groups {
		for _, t := range g.trials {
			if key := t.Worker(); !t.lost && !slices.Contains(keys, key) && !r.Hangs.GivenUp(key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// measure opens a group's trials, samples them in rounds, checks and closes them.
// It returns how many rounds it did, and the time that they took.
func (b *block) measure(rounds int) (done int, took time.Duration, err error) {
	b.pace = b.cfg
	b.pace.Rounds, b.pace.Target = rounds, max(b.cfg.Target, b.Target)
	for _, t := range b.trials {
		t.open, t.measured, t.closed, t.current = false, false, false, t.current[:0]
	}
	if err := b.openAll(); err != nil {
		return 0, 0, err
	}
	if err := b.declareGroup(); err != nil {
		return 0, 0, err
	}
	start, sampled := b.spent(), 0
	drawn := rand.New(rand.NewPCG(b.cfg.Seed, uint64(b.number)<<32|uint64(b.index)))
	for round, order := range balanced(len(b.trials), rounds, drawn) {
		if round > 0 && (b.stopped() || b.late(b.started)) {
			break
		}
		for _, i := range order {
			if b.stopped() {
				break
			}
			if err := b.sample(b.trials[i], round); err != nil {
				return 0, 0, err
			}
		}
		sampled++
	}
	done, took = b.roundsDone(sampled), b.spent()-start
	for _, t := range b.trials {
		if err := b.close(t); err != nil {
			return done, took, err
		}
	}
	return done, took, nil
}

// roundsDone is how many of its rounds a group has done after the first so many; 0 where no trial of it is measured.
// Scenarios, and trials whose calls are long, are sampled in the first rounds alone: what is done of those in which
// something is sampled counts as the same part of all.
func (b *block) roundsDone(first int) int {
	last := 0 // in which a trial is sampled, counted from 1
	for _, t := range b.trials {
		switch {
		case t.open && t.about.Scenario:
			last = max(last, 1)
		case t.open:
			last = max(last, t.RoundsIn(b.pace))
		}
	}
	switch {
	case last == 0:
		return 0
	case first >= last:
		return b.pace.Rounds
	}
	return max(1, b.pace.Rounds*first/last)
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
		shift := r / 2 * n / couples
		orders[r] = slices.Concat(perm[shift:], perm[:shift])
		if r%2 == 1 {
			slices.Reverse(orders[r])
		}
	}
	return orders
}

// openAll opens the trials of a group that are not open. A worker that dies
// meanwhile takes with it what was open there, and blames one trial; so it goes
// on until none is left to open.
func (b *block) openAll() error {
	for again := true; again; {
		again = false
		for _, t := range b.trials {
			if t.lost || t.open || t.closed || (t.Blocks > 0 && b.number >= t.Blocks) || b.stopped() {
				continue
			}
			if err := b.open(t); err != nil {
				return err
			}
			again = again || t.lost
		}
	}
	return nil
}

func (b *block) declareGroup() error {
	if b.declared || b.stopped() {
		return nil
	}
	for _, t := range b.trials { // also those that no block opens any more
		if err := b.declare(t); err != nil {
			return err
		}
	}
	b.declared = true
	rec := result.Group{Index: b.declaredGroups, Experiment: b.plan.Experiment, Name: b.Name, Kind: b.Kind, EveryCPU: b.plan.EveryCPU && b.Kind == ""}
	b.declaredGroups++
	for _, t := range b.trials {
		rec.Trials = append(rec.Trials, t.index)
	}
	for _, p := range b.Pairs {
		p.Base, p.Other = b.trials[p.Base].index, b.trials[p.Other].index
		rec.Pairs = append(rec.Pairs, p)
	}
	return b.Sink.Group(rec)
}
