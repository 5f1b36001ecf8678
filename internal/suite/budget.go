package suite

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// quickTime is what the short forms share, however many they are, where no budget is given.
const quickTime = time.Minute

// What full forms take at most where no budget is given: one alone, and all of them together. Their plans
// are estimated to take less; on a machine whose neighbours take its CPUs away samples are taken again, and
// a plan of five minutes took seven.
const (
	fullTime    = 5*time.Minute + 30*time.Second
	allFullTime = 42 * time.Minute
)

// budget is the time for everything, with what asking takes; 0: none, also where the user said how many
// blocks or rounds there are to be, or how precise it must be.
func (c Config) budget() time.Duration {
	switch {
	case c.Budget != 0:
		return max(0, c.Budget)
	case c.Selection.Short:
		return quickTime
	case c.Blocks > 0 || c.Rounds > 0 || c.Precision > 0:
		return 0
	}
	return min(allFullTime, time.Duration(len(c.Experiments))*fullTime)
}

// measuring is what a budget leaves when the report has had its share.
func measuring(budget time.Duration) time.Duration { return budget - budget/30 }

// cut makes the plans fit into what is left of the budget after spent. A gate keeps every row:
// there blocks alone end early.
func (s *Suite) cut(spent time.Duration) {
	s.whole = spent + s.Duration()
	left := measuring(s.cfg.budget()) - spent
	if s.cfg.budget() == 0 || s.cfg.EveryRow || s.Duration() <= left {
		return
	}
	const estimates = 0.9 // that share of what is left is planned: the rest is for what takes longer
	shares := s.shares(time.Duration(estimates * float64(left)))
	fit := plan.Cut
	if s.cfg.Thinned { // then every row is kept
		fit = plan.Thin
	}
	for i := range s.steps {
		st := &s.steps[i]
		p, c, gone := fit(st.Plan, st.Config, st.core, shares[i])
		c.Most, c.More = s.most(st.Config)
		st.Groups, st.Config, st.leftOut, st.Duration = p.Groups, c, gone, c.Duration(p)
		if i+1 < len(shares) { // what one leaves, or needs beyond its share, is the next one's
			shares[i+1] += shares[i] - st.Duration
		}
	}
}

// most is how many rounds and blocks a plan that is cut may have in the end, where it takes less than was thought:
// the time that the user gave is used, for narrower intervals.
func (s *Suite) most(c plan.Config) (rounds, blocks int) {
	const blocksOfNarrow = 21 // more hardly make an interval narrower
	rounds, blocks = c.Rounds, c.Blocks
	if s.cfg.Budget > 0 && s.cfg.Rounds == 0 {
		rounds *= 2
	}
	if s.cfg.Budget > 0 && s.cfg.Blocks == 0 {
		blocks = max(blocks, c.More, blocksOfNarrow)
	}
	return rounds, blocks
}

// LeastBudget is the shortest that can be kept: for asking the libraries, and for the fewest blocks
// that give an interval, of each experiment.
func LeastBudget(experiments int) time.Duration {
	const block = 50 * time.Millisecond // that measures one comparison
	least := asking(experiments, 0) + time.Duration(experiments)*plan.LeastBlocks*block
	return (least + time.Second - 1).Truncate(time.Second)
}

// asking is what asking the libraries took, rounded up so coarsely that the same command is
// given the same plan again.
func asking(experiments int, took time.Duration) time.Duration {
	usual := 700*time.Millisecond + time.Duration(experiments)*150*time.Millisecond
	for usual < took {
		usual += usual / 2
	}
	return usual
}

// shares divides a time between the experiments by what their short forms need, and gives none
// more than all of it takes.
func (s *Suite) shares(total time.Duration) []time.Duration {
	at := func(scale float64) (shares []time.Duration, sum time.Duration) {
		for _, st := range s.steps {
			least := st.core.Config.Duration(plan.Plan{Groups: st.core.Groups})
			shares = append(shares, min(st.Duration, time.Duration(scale*float64(least))))
			sum += shares[len(shares)-1]
		}
		return shares, sum
	}
	low, high := 0.0, 1.0
	for _, sum := at(high); sum < total && high < 1e6; _, sum = at(high) {
		high *= 2
	}
	for range 40 {
		middle := (low + high) / 2
		if _, sum := at(middle); sum < total {
			low = middle
		} else {
			high = middle
		}
	}
	shares, _ := at(low)
	return shares
}

// overrun is when whatever goes on is broken off.
func overrun(budget time.Duration) time.Duration { return budget + budget/16 }

// Cut is what is cut from the plan, as a run file's header says it.
func (s *Suite) Cut() (h result.Header) {
	if s.cfg.budget() == 0 {
		return h
	}
	h.Command, h.Budget, h.Whole = s.cfg.Typed, s.cfg.budget().Seconds(), s.whole.Seconds()
	h.Reserved, h.Compared = s.cfg.Reserved.Seconds(), s.cfg.Compared
	for _, st := range s.steps {
		h.LeftOut = append(h.LeftOut, s.named(st, st.leftOut)...)
	}
	return h
}

// named says of which experiment something is left out, where there are several.
func (s *Suite) named(st Step, list []result.LeftOut) []result.LeftOut {
	list = slices.Clone(list)
	for i := range list {
		if l := &list[i]; len(s.steps) > 1 {
			l.Cause = reason.Cause("cut-of", st.Experiment, l.Cause)
			l.What = reason.English(l.Cause)
		}
	}
	return list
}

// measured is what was left out of an experiment in the end: its rounds and blocks may have
// become more or fewer than planned.
func (s *Suite) measured(st Step, o measure.Outcome) []result.LeftOut {
	if o.Interrupted || o.Cause.Code == "precision" {
		return s.named(st, st.leftOut)
	}
	list, rounds, blocks := slices.Clone(st.leftOut), st.Config.Rounds, st.Config.Blocks
	takes := func(rounds, blocks int) time.Duration {
		c := st.Config
		c.Rounds, c.Blocks = rounds, blocks
		return c.Duration(st.Plan)
	}
	note := func(fewer result.Cause, saved time.Duration) {
		list = slices.DeleteFunc(list, func(l result.LeftOut) bool { return l.Code == fewer.Code })
		if saved > 0 {
			list = append(list, result.LeftOut{What: reason.English(fewer), Cause: fewer, Seconds: saved.Seconds()})
		}
	}
	note(plan.FewerRounds(o.Rounds, st.whole.Rounds), takes(st.whole.Rounds, blocks)-takes(o.Rounds, blocks))
	note(plan.FewerBlocks(o.Blocks, st.whole.Blocks), takes(rounds, st.whole.Blocks)-takes(rounds, o.Blocks))
	return s.named(st, list)
}
