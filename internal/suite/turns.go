package suite

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// turn is one experiment of several that share a budget. They take turns: first each is measured until an interval
// can be had, then until a verdict can, and then to its end. Where the machine is slower than was thought, or one of
// them waits in vain, all have fewer blocks then, where the last ones would have none.
type turn struct {
	*Step
	course *measure.Course
	got    measure.Outcome
	begun  bool
	took   time.Duration // so far
	strain result.Strain
}

// round is a turn of each experiment.
type round struct {
	blocks   int  // that each has in the end, at most
	cheapest bool // come first, and have all that they need; else time is shared by need
}

// rounds are those of a run. The second is for who needed more than was thought.
func (s *Suite) rounds() []round {
	most := 0
	for _, st := range s.steps {
		most = max(most, st.Config.Blocks)
	}
	last := round{blocks: most}
	if s.cfg.budget() == 0 || len(s.steps) < 2 || most <= plan.LeastBlocks {
		return []round{last}
	}
	return []round{{blocks: plan.LeastBlocks}, {plan.LeastBlocks, true}, {stat.MinBlocks(stat.RowLevel), true}, last}
}

func (s *Suite) takeTurns(ctx context.Context, lab *measure.Lab, state func() machine.State, progress func(measure.Progress)) (
	[]turn, error) {
	turns := make([]turn, len(s.steps))
	for i := range s.steps {
		turns[i] = turn{Step: &s.steps[i], course: lab.Begin(s.steps[i].Plan)}
	}
	progress = s.rising(progress)
	for _, r := range s.rounds() {
		order, all := r.order(turns)
		for _, i := range order {
			t := &turns[i]
			n := needs{own: t.need(r.blocks), whole: t.need(t.Config.Blocks), all: all}
			if t.begun && n.own == 0 {
				continue
			}
			lab.Progress = s.overall(turns, t.planned(t.got.Blocks, r.blocks), progress)
			err := t.take(ctx, s.limited(r, t.Config, n), r.blocks, state)
			if all -= n.own; err != nil || t.got.Interrupted {
				return turns, err
			}
		}
	}
	return turns, nil
}

// needs are the times on which a turn's share rests.
type needs struct {
	own   time.Duration // of the turn
	whole time.Duration // of its experiment, this turn and those of later rounds
	all   time.Duration // of all experiments, but for the turns of this round that are over
}

// order is that of a round's turns, and all is what their experiments still need.
func (r round) order(turns []turn) (order []int, all time.Duration) {
	for i := range turns {
		order = append(order, i)
		all += turns[i].need(turns[i].Config.Blocks)
	}
	if r.cheapest {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(turns[a].need(r.blocks), turns[b].need(r.blocks))
		})
	}
	return order, all
}

// take measures an experiment until it has so many blocks, or, where these are all, to its end.
func (t *turn) take(ctx context.Context, c plan.Config, blocks int, state func() machine.State) (err error) {
	if blocks < c.Blocks { // what is left of the time is for the others
		c.More = 0
	}
	at, from := time.Now(), state()
	t.got, err = t.course.Run(ctx, c, blocks)
	t.took += time.Since(at)
	t.suffered(state().Strain(from))
	return err
}

// suffered adds what others did during a turn.
func (t *turn) suffered(s result.Strain) {
	if t.begun {
		s.LoadBefore = t.strain.LoadBefore
	}
	s.StealSeconds += t.strain.StealSeconds
	s.CPUSeconds += t.strain.CPUSeconds
	s.UsedSeconds += t.strain.UsedSeconds
	s.OwnSeconds += t.strain.OwnSeconds
	s.Throttled += t.strain.Throttled
	t.begun, t.strain = true, s
}

// planned is how long the blocks from one to another should take.
func (t *turn) planned(from, to int) time.Duration {
	c := t.Config
	c.Blocks = max(0, min(to, t.Config.Blocks)-from)
	return c.Duration(t.Plan)
}

// need is how long it takes to have so many blocks: as those before took, where there are some.
func (t *turn) need(blocks int) time.Duration {
	missing := min(blocks, t.Config.Blocks) - t.got.Blocks
	switch {
	case missing <= 0 || t.got.Cause.Code == "precision":
		return 0
	case t.got.Blocks > 0:
		return t.took / time.Duration(t.got.Blocks) * time.Duration(missing)
	}
	return t.planned(0, blocks)
}

// limited is an experiment's config in a round. Its budget is the turn's part of what is left, or, where the cheapest come
// first, what the turn needs and a quarter. It is broken off where it has spent the part of its later rounds, too.
func (s *Suite) limited(r round, c plan.Config, n needs) plan.Config {
	budget, spent := s.cfg.budget(), time.Since(s.begun)
	if budget == 0 {
		return c
	}
	left := float64(max(time.Millisecond, measuring(budget)-spent))
	part := func(of time.Duration) time.Duration {
		return max(time.Millisecond, time.Duration(left*min(1, float64(of)/float64(max(n.all, 1)))))
	}
	most := part(n.whole)
	c.Budget = part(n.own)
	if r.cheapest {
		c.Budget = max(time.Millisecond, min(time.Duration(left), n.own+n.own/4))
		most = c.Budget
	}
	c.Limit = max(time.Millisecond, min(most*11/10, overrun(budget)-spent))
	return c
}

// overall turns the progress of a turn that should take so long into the run's: by what was planned, or by the time
// where that is further.
func (s *Suite) overall(turns []turn, share time.Duration, progress func(measure.Progress)) func(measure.Progress) {
	var before time.Duration
	for _, t := range turns {
		before += t.planned(0, t.got.Blocks)
	}
	return func(p measure.Progress) {
		p.Done = (float64(before) + p.Done*float64(share)) / float64(max(s.Duration(), 1))
		if budget := s.cfg.budget(); budget > 0 {
			p.Done = max(p.Done, float64(time.Since(s.begun))/float64(measuring(budget)))
		}
		progress(p)
	}
}

// rising keeps progress from falling, as it would where a turn came to less than was planned, and from going too far.
func (s *Suite) rising(progress func(measure.Progress)) func(measure.Progress) {
	reached := 0.0
	return func(p measure.Progress) {
		reached = min(1, max(reached, p.Done))
		p.Done = reached
		progress(p)
	}
}

func (s *Suite) outcome(turns []turn) (o Outcome, ends []result.ExperimentEnd) {
	for _, t := range turns {
		if !t.begun {
			o.leftOut = append(o.leftOut, s.named(*t.Step, t.Step.leftOut)...)
			continue
		}
		o.Interrupted = o.Interrupted || t.got.Interrupted
		o.leftOut = append(o.leftOut, s.measured(*t.Step, t.got)...)
		ends = append(ends, result.ExperimentEnd{Experiment: t.Experiment, Seconds: t.took.Seconds(), Strain: t.strain})
		if t.got.Cause.Code != "" {
			why := reason.Cause("stopped-early", t.Experiment, t.got.Blocks, t.Config.Blocks, t.got.Cause)
			o.Reasons = append(o.Reasons, why)
		}
	}
	return o, ends
}
