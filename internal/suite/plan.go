package suite

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// step is one experiment of the run.
type step struct {
	name   string
	plan   plan.Plan
	config plan.Config
}

func (s *Suite) step(e plan.Experiment, offers plan.Offers) step {
	c := e.Form(s.cfg.Selection).Config
	c.Seed, c.Deadline = s.cfg.Setting.Seed, s.cfg.Deadline
	if s.cfg.Blocks > 0 {
		c.Blocks = s.cfg.Blocks
	}
	if s.cfg.Rounds > 0 {
		c.Rounds = s.cfg.Rounds
	}
	if s.cfg.Precision > 0 {
		c.Precision = s.cfg.Precision
	}
	if s.cfg.Target > 0 {
		c.Target = s.cfg.Target
	}
	if s.cfg.Budget != 0 {
		c.Budget = max(0, s.cfg.Budget) / time.Duration(len(s.cfg.Experiments))
	}
	asked, missing := plan.Opened(e.Asked(s.cfg.Selection, offers))
	groups := plan.WithVersions(e.Plan(s.cfg.Selection, asked))
	if len(groups) > 0 || len(s.cfg.Selection.Libraries) > 0 { // else the question may be nobody's at all
		groups = append(groups, missing...)
	}
	if s.cfg.Keep != nil {
		groups = plan.Only(groups, s.cfg.Keep)
	}
	if s.cfg.References {
		groups = plan.WithReferences(groups)
	}
	if len(groups) > 0 {
		self := plan.Noise(offers)
		if len(s.steps) == 0 { // once a run: what the harness costs does not depend on the question
			self = append(self, plan.Empties(offers)...)
		}
		groups = append(self, groups...)
	}
	return step{name: e.Name, plan: plan.Plan{Experiment: e.Name, Groups: groups}, config: c}
}

// Trials counts the trials of all experiments.
func (s *Suite) Trials() (n int) {
	for _, st := range s.steps {
		n += st.plan.Trials()
	}
	return n
}

// Needs estimates the least wall time in which all headline comparisons of all
// experiments have their intervals.
func (s *Suite) Needs() (d time.Duration) {
	for _, st := range s.steps {
		d += st.config.Needs(st.plan, stat.MinBlocks(stat.FamilyLevel(st.headlines())))
	}
	return d
}

// headlines counts the declared headline comparisons, at least one.
func (st step) headlines() int {
	m := 0
	for _, g := range st.plan.Groups {
		for _, p := range g.Pairs {
			if p.Headline {
				m++
			}
		}
	}
	return max(m, 1)
}

// Step describes an experiment of the plan.
type Step struct {
	Experiment string
	Groups     []plan.Group
	Config     plan.Config
	Duration   time.Duration
}

// Steps returns the plan.
func (s *Suite) Steps() []Step {
	var steps []Step
	for _, st := range s.steps {
		steps = append(steps, Step{st.name, st.plan.Groups, st.config, st.config.Duration(st.plan)})
	}
	return steps
}

// Libraries are those of the planned trials; one that is not installed carries its reason.
func (s *Suite) Libraries() []result.Library {
	planned := map[string]bool{}
	for _, st := range s.steps {
		for _, g := range st.plan.Groups {
			for _, t := range g.Trials {
				planned[t.Subject.Library] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(s.libraries), func(l result.Library) bool { return !planned[l.Library] })
}

// Missing lists the libraries that can't be asked, each with the reason.
func (s *Suite) Missing() (lines []language.Text) {
	for _, l := range s.libraries {
		if l.Missing != "" {
			lines = append(lines, language.Say("%s: %s", "%s：%s", l.Library, reason.Said(l.Missing, l.Cause)))
		}
	}
	return lines
}

// Duration estimates the wall time of the run.
func (s *Suite) Duration() (d time.Duration) {
	for _, st := range s.Steps() {
		d += st.Duration
	}
	return d
}
