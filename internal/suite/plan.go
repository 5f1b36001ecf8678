package suite

import (
	"cmp"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

type Step struct {
	plan.Plan
	Config   plan.Config
	Duration time.Duration // an estimate

	core    plan.Core
	whole   plan.Config // before it was cut
	leftOut []result.LeftOut
}

func (s *Suite) step(e plan.Experiment, offers plan.Offers) Step {
	short := s.cfg.Selection
	short.Short = true
	st := Step{Config: s.config(e, s.cfg.Selection),
		Plan: plan.Plan{Experiment: e.Name, EveryCPU: e.EveryCPU, Groups: s.groups(e, s.cfg.Selection, offers)}}
	if s.cfg.Keep != nil {
		st.Groups = plan.Only(st.Groups, s.cfg.Keep)
	}
	if s.cfg.References {
		st.Groups = plan.WithReferences(st.Groups)
	}
	if len(st.Groups) > 0 {
		st.core = plan.Core{Groups: s.groups(e, short, offers), Config: s.config(e, short)}
		if len(s.steps) == 0 { // once a run: what the harness costs does not depend on the question
			st.Groups = append(plan.Empties(offers), st.Groups...)
		}
		st.Groups = append(st.Groups, plan.Noise(offers)...)
	}
	st.Duration, st.whole = st.Config.Duration(st.Plan), st.Config
	return st
}

// config is an experiment's form with what the user says otherwise.
func (s *Suite) config(e plan.Experiment, selection plan.Selection) plan.Config {
	c := e.Form(selection).Config
	c.Seed, c.Deadline = s.cfg.Setting.Seed, s.cfg.Deadline
	c.Blocks, c.More, c.Enough = cmp.Or(s.cfg.Blocks, c.Blocks), s.cfg.More, s.cfg.Enough
	if s.cfg.Rounds > 0 { // as many as were asked for, of every trial
		c.Rounds, c.Least = s.cfg.Rounds, 0
	}
	c.Precision = cmp.Or(s.cfg.Precision, c.Precision)
	c.Target = cmp.Or(s.cfg.Target, c.Target)
	return c
}

// groups are what a form of an experiment asks of those that are offered.
func (s *Suite) groups(e plan.Experiment, selection plan.Selection, offers plan.Offers) []plan.Group {
	asked, missing := plan.Opened(e.Asked(selection, offers))
	groups := plan.WithVersions(e.Plan(selection, asked))
	if len(groups) > 0 || len(selection.Libraries) > 0 { // else the question may be nobody's at all
		groups = append(groups, missing...)
	}
	for _, g := range groups {
		for i := range g.Trials { // each with how long its worker takes to warm up
			g.Trials[i].WarmUp = s.workers.found[keyOf(g.Trials[i].Worker())].warmUp
		}
	}
	return groups
}

func (s *Suite) Trials() (n int) {
	for _, st := range s.steps {
		n += st.Plan.Trials()
	}
	return n
}

func (s *Suite) each(do func(plan.Group, plan.Trial)) {
	for _, st := range s.steps {
		for _, g := range st.Groups {
			for _, t := range g.Trials {
				do(g, t)
			}
		}
	}
}

func (s *Suite) Steps() []Step { return slices.Clone(s.steps) }

// Libraries are those of the planned trials; one that is not installed carries its reason.
func (s *Suite) Libraries() []result.Library {
	planned := map[string]bool{}
	s.each(func(_ plan.Group, t plan.Trial) { planned[t.Subject.Library] = true })
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

func (s *Suite) Duration() (d time.Duration) {
	for _, st := range s.steps {
		d += st.Duration
	}
	return d
}

// fits refuses goroutines, and messages that are hashed at once, that memory can't hold,
// where their number was asked for. The trials of a group are open at once; half of what
// is available is left to the rest.
func (s *Suite) fits(m result.Machine) error {
	room := m.Memory.Available
	if limit := m.Cgroup.MemoryLimit; limit > 0 && (room == 0 || limit < room) {
		room = limit
	}
	if room == 0 {
		return nil
	}
	room /= 2
	if asked := s.cfg.Selection.Messages; asked > 0 {
		if need := s.Greatest(plan.MessageRoom); need > room {
			return language.Errorf("--messages %d: with their digests in all libraries and a goroutine for each they take about %d MiB, "+
				"and half of the available memory is %d MiB: give fewer, or narrow the run with --sizes, --libraries or --algorithms",
				"--messages %d：连同各库的摘要与每条消息一个 goroutine，约需 %d MiB，而可用内存的一半为 %d MiB："+
					"请减少，或用 --sizes、--libraries、--algorithms 缩小范围", asked, need>>20, room>>20)
		}
	}
	if asked := s.cfg.Selection.Goroutines; len(asked) > 0 {
		if need := s.Greatest(plan.GoroutineRoom); need > room {
			most := slices.Max(asked)
			return language.Errorf("--goroutines %d: they need %d MiB at once "+
				"and half of the available memory is %d MiB: give %d or fewer, or narrow the run with --libraries or --algorithms",
				"--goroutines %d：同时需要 %d MiB，而可用内存的一半为 %d MiB：请给 %d 以内，或用 --libraries、--algorithms 缩小范围",
				most, need>>20, room>>20, max(1, int64(float64(most)*float64(room)/float64(need))))
		}
	}
	return nil
}

// Greatest is the most that a group of the plan needs.
func (s *Suite) Greatest(needs func(plan.Group) int64) (most int64) {
	for _, st := range s.steps {
		for _, g := range st.Groups {
			most = max(most, needs(g))
		}
	}
	return most
}
