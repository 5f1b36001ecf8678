package suite

import (
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// stepOf is a step of so many trials, whose short form has a tenth of them.
func stepOf(name string, trials int) Step {
	groups := func(n int) []plan.Group {
		b := plan.NewBuilder(language.Same("g"))
		for i := range n {
			b.Add(result.Subject{Library: "go", CallPath: "go"}, result.Case{Algorithm: "SHA-256", Operation: "hash", Bytes: int64(i + 1)})
		}
		b.Compare(b.Group.Trials[0].Trial, b.Group.Trials[1].Trial).Headline = true
		return b.Groups()
	}
	c := plan.Config{Blocks: 15, Rounds: 7, Target: 2 * time.Millisecond}
	st := Step{Plan: plan.Plan{Experiment: name, Groups: groups(trials)}, Config: c, whole: c,
		core: plan.Core{Groups: groups(max(2, trials/10)), Config: c}}
	st.Duration = c.Duration(st.Plan)
	return st
}

// TestBudgetIsShared: by need, none gets more than all of it takes, and what is spent before
// is not had again.
func TestBudgetIsShared(t *testing.T) {
	t.Parallel()
	for _, budget := range []time.Duration{20 * time.Second, time.Minute, time.Hour} {
		s := &Suite{cfg: Config{Budget: budget}, steps: []Step{stepOf("a", 3), stepOf("b", 400), stepOf("c", 200)}}
		whole := s.Duration()
		s.cut(5 * time.Second)
		if full := whole+5*time.Second <= budget; full != (len(s.Cut().LeftOut) == 0) || s.Duration()+5*time.Second > budget {
			t.Errorf("%v: %v of %v, without %v", budget, s.Duration(), whole, s.Cut().LeftOut)
		}
		if budget >= time.Minute && s.steps[0].Duration != stepOf("a", 3).Duration {
			t.Errorf("%v: the shortest is cut to %v", budget, s.steps[0].Duration)
		}
		spent, need := 5*time.Second, s.Duration()
		for i, st := range s.steps {
			s.begun = time.Now().Add(-spent)
			c := s.limited(round{}, st.Config, needs{st.Duration, st.Duration, need})
			if c.Budget < s.steps[i].Duration || spent+c.Budget > budget || spent+c.Limit > budget*11/10 {
				t.Errorf("%v: experiment %d has %v and at most %v after %v", budget, i, c.Budget, c.Limit, spent)
			}
			if first := s.limited(round{cheapest: true}, st.Config, needs{st.Duration, st.Duration, need}); first.Budget < st.Duration || first.Budget > st.Duration*13/10 {
				t.Errorf("%v: experiment %d comes first and has %v, needs %v", budget, i, first.Budget, st.Duration)
			}
			need -= st.Duration
			spent += s.steps[i].Duration / 2 // each leaves half of its time to the next
		}
		s.begun = time.Now().Add(-budget)
		if over := s.limited(round{}, s.steps[2].Config, needs{need, need, need}); over.Limit > budget/10 {
			t.Errorf("%v: %v when it is spent", budget, over.Limit)
		}
	}
}

// TestThinned: where every row is wanted a short budget takes rounds and blocks, and no row.
func TestThinned(t *testing.T) {
	t.Parallel()
	for _, budget := range []time.Duration{time.Second, 20 * time.Second, 30 * time.Minute} {
		s := &Suite{cfg: Config{Budget: budget, Thinned: true}, steps: []Step{stepOf("a", 400)}}
		whole := s.Duration()
		s.cut(0)
		c, trials := s.steps[0].Config, 0
		for _, g := range s.steps[0].Groups {
			trials += len(g.Trials)
		}
		if trials != 400 {
			t.Errorf("%v: %d of 400 trials", budget, trials)
		}
		if fits := whole < budget; fits != (len(s.Cut().LeftOut) == 0) || fits != (c.Rounds == 7) || !fits && c.Blocks < plan.LeastBlocks {
			t.Errorf("%v of %v: %d rounds of %d blocks, without %v", budget, whole, c.Rounds, c.Blocks, s.Cut().LeftOut)
		}
		if s.Duration() > max(budget, whole/10) {
			t.Errorf("%v: %v are planned of %v", budget, s.Duration(), whole)
		}
	}
}

// TestLeastBudget: it has room for what is reserved for asking and for something to measure, and grows with the
// number of experiments.
func TestLeastBudget(t *testing.T) {
	t.Parallel()
	for n := time.Duration(1); n <= 60; n++ {
		least := LeastBudget(int(n))
		left := least - asking(int(n), 0)
		if left < n*100*time.Millisecond || left > time.Second+n*300*time.Millisecond || least%time.Second != 0 || least < LeastBudget(int(n-1)) {
			t.Errorf("%d experiments: %v, of which %v to measure", n, least, left)
		}
	}
	if LeastBudget(1) != 2*time.Second {
		t.Errorf("one experiment: %v", LeastBudget(1))
	}
}

// TestWhatWasMeasured: the end says how many rounds and blocks there were, whatever was planned.
func TestWhatWasMeasured(t *testing.T) {
	t.Parallel()
	s := &Suite{cfg: Config{Budget: 10 * time.Second}, steps: []Step{stepOf("a", 400)}}
	s.cut(0)
	st := s.steps[0]
	for _, test := range []struct {
		name string
		o    measure.Outcome
		want map[string]bool
	}{
		{"all of them", measure.Outcome{Blocks: 15, Rounds: 7}, map[string]bool{}},
		{"fewer rounds", measure.Outcome{Blocks: 15, Rounds: 2}, map[string]bool{"5 of 7 rounds": true}},
		{"fewer blocks", measure.Outcome{Blocks: 9, Rounds: 7, Cause: reason.Cause("budget")}, map[string]bool{"6 of 15 blocks": true}},
		{"precise", measure.Outcome{Blocks: 9, Rounds: 7, Cause: reason.Cause("precision")}, map[string]bool{}},
	} {
		thin := map[string]bool{}
		for _, l := range s.measured(st, test.o) {
			if l.Code == "cut-rounds" || l.Code == "cut-blocks" {
				thin[l.What] = true
			}
		}
		if len(thin) != len(test.want) {
			t.Errorf("%s: %v", test.name, thin)
		}
		for what := range test.want {
			if !thin[what] {
				t.Errorf("%s: %v", test.name, thin)
			}
		}
	}
}

// TestMore: blocks beyond those that were planned are had where there is time; only those that are
// fewer are left out.
func TestMore(t *testing.T) {
	t.Parallel()
	e := plan.Experiment{Name: "e", Full: plan.Form{Config: plan.Config{Blocks: 12, Rounds: 7, Target: time.Millisecond}}}
	s := &Suite{cfg: Config{Budget: time.Minute, EveryRow: true, Blocks: 15, More: 30}, steps: []Step{stepOf("e", 3)}}
	if c := s.config(e, plan.Selection{}); c.Blocks != 15 || c.More != 30 {
		t.Errorf("%+v", c)
	}
	for blocks, want := range map[int]string{30: "", 22: "", 15: "", 9: "6 of 15 blocks"} {
		left := s.measured(s.steps[0], measure.Outcome{Blocks: blocks, Rounds: 7})
		if len(left) > 1 || (len(left) == 1) != (want != "") || len(left) == 1 && left[0].What != want {
			t.Errorf("%d blocks leave out %v, want %q", blocks, left, want)
		}
	}
}

// TestMost: a plan that is cut to a budget that the user gave uses what is left of it in the end; where he said how many
// rounds or blocks, or gave no budget, there are no more.
func TestMost(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		cfg          Config
		rounds, more int
	}{
		{Config{Budget: 20 * time.Second}, 14, 21}, {Config{Budget: 20 * time.Second, Rounds: 7, Blocks: 15}, 7, 15},
		{Config{Selection: plan.Selection{Short: true}}, 7, 15},
	} {
		s := &Suite{cfg: tt.cfg, steps: []Step{stepOf("a", 900)}}
		if s.cut(0); s.steps[0].Config.Most != tt.rounds || s.steps[0].Config.More != tt.more || len(s.steps[0].leftOut) == 0 {
			t.Errorf("%+v: at most %d rounds and %d blocks", tt.cfg, s.steps[0].Config.Most, s.steps[0].Config.More)
		}
	}
}
