package decide

import (
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// ExperimentName is that of a plan's rows.
const ExperimentName = "plan"

// NewStep is a step that needs something done once a transaction.
func NewStep(need Need) Step { return Step{Name: string(need), Need: need, Per: 1} }

// Check gives a step the usual size, and refuses requirements that nothing can meet.
func (s *Step) Check() error {
	if s.Need.perMessage() && len(s.Sizes) == 0 {
		s.Sizes = []result.SizeShare{{Bytes: usualBytes, Weight: 1}}
	}
	if len(s.possible(s.Require)) > 0 {
		return nil
	}
	var others []language.Text
	for i, r := range s.Require {
		rest := slices.Delete(slices.Clone(s.Require), i, i+1)
		if names := s.possible(rest); len(names) > 0 {
			others = append(others, language.Say("without %s there would be %s", "去掉 %s 则有 %s", string(r), strings.Join(names, ", ")))
		}
	}
	if len(others) == 0 {
		others = append(others, language.Text{EN: "no single one of them alone is the reason", ZH: "去掉其中任何一项都仍没有候选"})
	}
	return language.Errorf("step %q: no candidate for %s meets %s; %s", "步骤 %q：%s没有候选能满足 %s；%s",
		s.Name, s.Need.Text(), strings.Join(namesOf(s.Require), ", "), answer.Semicolons(others))
}

// possible are the names of what can meet requirements, whoever does it, what runs today aside.
func (s *Step) possible(require []Requirement) (names []string) {
	proposed := *s
	proposed.Use = nil
	for _, v := range proposed.variants() {
		is := func(r Requirement) bool { return r.possible(v.main()) }
		if !slices.ContainsFunc(require, func(r Requirement) bool { return !is(r) }) {
			names = append(names, v.name())
		}
	}
	return names
}

// Experiment is what a workload needs measured: every candidate of every step, alone and with
// every CPU busy.
func (w *Workload) Experiment(cpus int) plan.Experiment {
	form := plan.Form{Config: plan.Config{Blocks: 12, Rounds: 4, Target: time.Millisecond}}
	return plan.Experiment{Name: ExperimentName, Short: form, Full: form, Cases: w.cases(), Beyond: w.runsC(),
		Make: func(n plan.Narrowed) []plan.Group { return w.groups(n.Offers, cpus) }}
}

// runsC says whether a library in C runs today. Such libraries are asked then without being named.
func (w *Workload) runsC() bool {
	return slices.ContainsFunc(w.Steps, func(s Step) bool {
		return s.Use != nil && slices.Contains(subject.Objects(), s.Use.Library)
	})
}

// cases are what libraries are asked for, each once.
func (w *Workload) cases() (cases []result.Case) {
	for i := range w.Steps {
		for _, v := range w.Steps[i].variants() {
			for _, p := range v.parts {
				c := p.Case
				if c.Bytes = 0; !slices.Contains(cases, c) {
					cases = append(cases, c)
				}
			}
		}
	}
	return cases
}

// Budget is the time that a plan takes where none is given.
func (w *Workload) Budget() time.Duration {
	const first, each, limit, most = 18 * time.Second, 6 * time.Second, 8 * time.Second, time.Minute
	budget := first + time.Duration(len(w.Steps)-1)*each
	if w.Limits.P99 > 0 {
		budget += limit
	}
	return min(budget, most)
}

// CheckTime is the part of a budget that the check has.
func (w *Workload) CheckTime(budget time.Duration) time.Duration {
	each := checkWindow + startBlock
	if w.Limits.P99 > 0 {
		each += allWatches
	}
	return min(time.Second+CheckBlocks*each, budget*2/5)
}

// groups are two a kind of step: its candidates one at a time, and with every CPU busy.
func (w *Workload) groups(offers plan.Offers, cpus int) (groups []plan.Group) {
	var alone, busy plan.Builders
	for i := range w.Steps {
		s := &w.Steps[i]
		name := string(s.Need)
		for _, v := range s.variants() {
			for _, p := range v.parts {
				c := p.Case
				for _, who := range plan.OneEach(offers.Subjects(c)) {
					of := language.Say("%s, %s", "%s，%s", name, plan.InBytes(c.Bytes))
					alone.Titled(of).Add(who, c)
					c := c
					c.Parameters = parameter.With(c.Parameters, parameter.Busy.Is(cpus))
					busy.Titled(language.Say("%s, every CPU busy", "%s，全部 CPU 繁忙", of)).Add(who, c).Rounds = 3 // long where they bear collections
				}
			}
		}
	}
	for _, b := range slices.Concat(alone, busy) {
		for i := range b.Group.Trials {
			b.Compare(b.Group.Trials[0].Trial, b.Group.Trials[i].Trial).Headline = true
		}
	}
	for _, b := range busy { // a sample keeps all CPUs busy for as long as one alone keeps one
		b.Group.Target = time.Duration(cpus) * 2 * time.Millisecond
	}
	for _, b := range slices.Concat(alone, busy) {
		groups = append(groups, b.Groups()...)
	}
	return groups
}
