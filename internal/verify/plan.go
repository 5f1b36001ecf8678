// Package verify holds statements against what a run measured: it finds the rows that they
// name, makes the experiments that measure just those, judges, and writes the verdicts.
//
//	statements ──[New]──▶ [Planner] ──experiments──▶ a run ──document──▶ [Judge] ──▶ [Report] ──▶ text markdown junit openmetrics json
package verify

import (
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/statement"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Names of a run, and of the experiments in which statements are measured.
const (
	SuiteName          = "verify" // of a run of statements
	experiment         = "verify"
	experimentEveryCPU = "verify-every-cpu" // what uses all CPUs
)

// Form is how much of each row is measured.
var Form = plan.Config{Blocks: 15, Rounds: 5, Target: time.Millisecond}

// orders is how long a sample of a service's requests is at least. Each is an order to the client, that takes time of its
// own: in 1 ms it has two dozen requests over its sixteen connections, and TLS looks three times as dear as it is.
const orders = 15 * time.Millisecond

// Planner finds the rows of statements among what the experiments plan.
type Planner struct {
	Blocks int // that are measured where there is time for them: what has its own number has more in proportion

	statements  []statement.Statement
	workloads   []*Workload
	experiments []plan.Experiment
	seed        uint64
	found       []found // by statement, once libraries were asked
	problems    []error
}

// found is what a statement's selectors name.
type found struct {
	trials   []plan.Trial // one of each selector, in order; of a status any number
	everyCPU bool
}

// New is a planner of statements about rows and about the plans of workloads, unless a statement
// names an algorithm, a mode or an operation that no experiment has, or a way of calling or a kernel
// that there is nowhere. The error joins one for every such statement.
func New(statements []statement.Statement, workloads []*Workload, experiments []plan.Experiment, seed uint64) (*Planner, error) {
	var cases []result.Trial
	for _, e := range experiments {
		for _, c := range e.Cases {
			cases = append(cases, result.Trial{Case: c})
		}
	}
	var errs []error
	for _, s := range statements {
		for _, sel := range s.Selectors() {
			if known := sel.Only("algorithm", "mode", "operation"); len(known.All(cases)) == 0 {
				errs = append(errs, known.Nothing(cases))
			} else if err := misnamed(sel); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return &Planner{Blocks: Form.Blocks, statements: statements, workloads: workloads, experiments: experiments, seed: seed}, errors.Join(errs...)
}

// Libraries are those that the statements name, or none where one names none, or one that is
// not known by name. A plan is of all of them.
func (p *Planner) Libraries() (names []string) {
	if len(p.workloads) > 0 {
		return nil
	}
	for _, s := range p.statements {
		for _, sel := range s.Selectors() {
			name := sel.Get("library")
			if !slices.Contains(subject.Libraries(), name) {
				return nil
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Experiments measure what the statements need. They are planned once libraries were asked
// what they offer; [Planner.Problems] says then what could not be.
func (p *Planner) Experiments() (all []plan.Experiment) {
	for i, w := range p.workloads {
		e := w.Experiment(runtime.GOMAXPROCS(0))
		e.Name = experimentOf(i)
		all = append(all, e)
	}
	if !slices.ContainsFunc(p.statements, func(s statement.Statement) bool { return len(s.Selectors()) > 0 }) {
		return all
	}
	form := plan.Form{Config: Form}
	one := plan.Experiment{Name: experiment, Short: form, Full: form, Cases: p.cases(), Crossing: true,
		Make: func(n plan.Narrowed) []plan.Group { return p.groups(n.Offers, experiment) }}
	if all = append(all, one); !p.needsEveryCPU() {
		return all
	}
	every := one
	every.Name, every.EveryCPU, every.Cases = experimentEveryCPU, true, nil
	every.Make = func(n plan.Narrowed) []plan.Group { return p.groups(n.Offers, experimentEveryCPU) }
	return append(all, every)
}

// Empty says that libraries were asked and nothing is to be measured: what the statements
// name is not here, or no case of the laboratory.
func (p *Planner) Empty() bool {
	return len(p.workloads) == 0 && p.found != nil && len(p.problems) == 0 && !slices.ContainsFunc(p.found, func(f found) bool { return len(f.trials) > 0 })
}

// needsEveryCPU says whether a ratio or a row may be of what uses all CPUs: no other case is
// as it says, or it asks for parameters.
func (p *Planner) needsEveryCPU() bool {
	return slices.ContainsFunc(p.statements, func(s statement.Statement) bool {
		return s.Kind == statement.Latency || s.Kind != statement.Status && slices.ContainsFunc(s.Selectors(), func(sel statement.Selector) bool {
			for _, e := range p.experiments {
				for _, c := range e.Cases {
					if !e.EveryCPU && len(sel.Only("algorithm", "mode", "operation").All([]result.Trial{{Case: c}})) > 0 {
						return sel.Get("parameters") != ""
					}
				}
			}
			return true
		})
	})
}

// Problems are the statements that name no row, or several.
func (p *Planner) Problems() []error { return p.problems }

// cases are what libraries are asked for.
func (p *Planner) cases() (cases []result.Case) {
	for _, e := range p.experiments {
		for _, c := range e.Cases {
			t := []result.Trial{{Case: c}}
			if !slices.Contains(cases, c) && slices.ContainsFunc(p.statements, func(s statement.Statement) bool {
				return slices.ContainsFunc(s.Selectors(), func(sel statement.Selector) bool {
					return len(sel.Only("algorithm", "mode", "operation").All(t)) > 0
				})
			}) {
				cases = append(cases, c)
			}
		}
	}
	return cases
}

// candidate is a trial that an experiment plans.
type candidate struct {
	plan.Trial
	everyCPU bool
}

// candidates are the trials that the experiments would measure of what a selector says, once
// each. Of a status the short forms hold what matters.
func (p *Planner) candidates(sel statement.Selector, kind statement.Kind, offers plan.Offers) (all []candidate) {
	s := plan.Selection{Seed: p.seed, Short: kind == statement.Status && sel.Bytes() == 0}
	if name := sel.Get("algorithm"); name != "" {
		s.Algorithms = []string{name}
	}
	if name := sel.Get("library"); name != "" {
		s.Libraries = []string{name}
	}
	if n := sel.Bytes(); n > 0 {
		s.Sizes = []int64{n}
	}
	seen := map[result.Trial]bool{}
	for _, e := range p.experiments {
		for _, g := range e.Plan(s, e.Asked(s, offers)) {
			for _, t := range g.Trials {
				if g.Kind == "" && t.Subject.Library != subject.Harness && t.Case != plan.Unopened && !seen[t.Trial] {
					seen[t.Trial] = true
					all = append(all, candidate{t, e.EveryCPU})
				}
			}
		}
	}
	return all
}

// resolve finds what the statements name, once.
func (p *Planner) resolve(offers plan.Offers) {
	if p.found != nil {
		return
	}
	p.found = make([]found, len(p.statements))
	for i, s := range p.statements {
		for _, sel := range s.Selectors() {
			if err := p.find(&p.found[i], sel, s.Kind, offers); err != nil {
				p.problems = append(p.problems, err)
			}
		}
		if s.Kind == statement.Latency {
			p.found[i].arrive(s.At)
		}
		switch f := p.found[i].trials; {
		case len(f) < len(s.Selectors()):
			p.found[i].trials = nil // one alone says nothing of a ratio
		case s.Kind == statement.Ratio && f[0].Trial == f[1].Trial:
			p.problems = append(p.problems, s.Than.Place.Errorf("both sides name the same row", "两侧是同一行"))
		}
	}
}

// find adds what a selector names. A library that is not here names nothing, and is no mistake.
func (p *Planner) find(f *found, sel statement.Selector, kind statement.Kind, offers plan.Offers) error {
	all := p.candidates(sel, kind, offers)
	trials := make([]result.Trial, len(all))
	for i, c := range all {
		trials[i] = c.Trial.Trial
	}
	planned := sel.Without("implementation") // which many a library tells when it is opened
	var fit []result.Trial
	if kind == statement.Status {
		fit = planned.All(trials)
	} else {
		fit = planned.One(trials)
		if exact := sel.One(trials); len(exact) > 0 {
			fit = exact
		}
	}
	switch {
	case len(fit) == 0 && absent(sel, offers):
		return nil
	case len(fit) == 0:
		return sel.Nothing(p.everything(sel, offers))
	case len(fit) > 1 && kind != statement.Status:
		return sel.Several(fit)
	}
	for _, c := range all {
		if slices.Contains(fit, c.Trial.Trial) {
			f.trials, f.everyCPU = append(f.trials, c.Trial), f.everyCPU || c.everyCPU && kind != statement.Status
		}
	}
	return nil
}

// Arrivals at a rate: how many of them a window must have for a percentile, the least and the longest
// window, and how many windows there are.
const (
	enoughArrivals  = 300
	shortestWindow  = 500 * time.Millisecond
	longestWindow   = 4 * time.Second
	arrivalBlocks   = 12
	fewestArrivals  = int64(enoughArrivals / (longestWindow / time.Second))
	latencyMetric   = "latency_p99_ns"
	arrivalRequests = 1 // messages in a request
)

// arrives says whether requests for what a case does can arrive at a rate: the laboratory seals
// them with a cipher that authenticates.
func arrives(c result.Case) bool {
	return c.Operation == algorithm.Encrypt && c.Parameters == "" && algorithm.Authenticates(c.Algorithm, c.Mode)
}

// arrive makes the trial that was found one of requests that arrive at a rate; there is none
// where that can't be.
func (f *found) arrive(rate int64) {
	if len(f.trials) != 1 || !arrives(f.trials[0].Case) || rate < fewestArrivals {
		f.trials = nil
		return
	}
	t := plan.Trial{Trial: f.trials[0].Trial, Blocks: arrivalBlocks, Rounds: 1}
	t.Case = atRate(t.Case, rate)
	t.Window = min(longestWindow, max(shortestWindow, enoughArrivals*time.Second/time.Duration(rate)))
	f.trials, f.everyCPU = []plan.Trial{t}, true
}

// atRate is a case whose requests arrive so many times a second.
func atRate(c result.Case, rate int64) result.Case {
	c.Operation = algorithm.Arrival
	c.Parameters = parameter.Join(parameter.Rate.Is(int(rate)), parameter.Request.Is(arrivalRequests))
	return c
}

// absent says whether a selector names a library in C of which nothing is here.
func absent(sel statement.Selector, offers plan.Offers) bool {
	name := sel.Get("library")
	return slices.Contains(subject.Objects(), name) &&
		!slices.ContainsFunc(offers, func(o plan.Offer) bool { return o.Subject.Library == name })
}

// everything is what a selector would have to choose from if it said less: what leaves it
// without a row is found by leaving its parts out.
func (p *Planner) everything(sel statement.Selector, offers plan.Offers) (trials []result.Trial) {
	for _, less := range [][]string{nil, {"library"}, {"bytes"}, {"library", "bytes"}} {
		for _, c := range p.candidates(sel.Without(less...), statement.Row, offers) {
			if !slices.Contains(trials, c.Trial.Trial) {
				trials = append(trials, c.Trial.Trial)
			}
		}
	}
	return trials
}

// longest is the size up to which all rows take turns in one group.
const longest = plan.InterleaveUpTo

// groups are those of one of the experiments. Rows of short messages take turns with each
// other; the two of a ratio do so in any case.
func (p *Planner) groups(offers plan.Offers, of string) (groups []plan.Group) {
	if len(offers) == 0 {
		return nil
	}
	p.resolve(offers)
	short, ends := plan.NewBuilder(language.Text{EN: "statements", ZH: "各条声明"}),
		plan.NewBuilder(language.Text{EN: "how rows end", ZH: "各行的结果状态"})
	for i, s := range p.statements {
		f := p.found[i]
		if len(f.trials) == 0 || f.everyCPU != (of == experimentEveryCPU) {
			continue
		}
		if s.Kind == statement.Status {
			for _, t := range f.trials {
				once(ends.Add(t.Subject, t.Case), t)
			}
			continue
		}
		b := short
		if f.trials[0].Case.Operation == algorithm.Serve && f.trials[0].Window == 0 {
			b = plan.NewBuilder(language.Same(s.Name(i)))
			b.Group.Target = orders
		} else if slices.ContainsFunc(f.trials, func(t plan.Trial) bool { return t.Case.Bytes > longest || t.Window > 0 }) {
			b = plan.NewBuilder(language.Same(s.Name(i)))
		}
		for _, t := range f.trials {
			p.measured(b.Add(t.Subject, t.Case), t)
		}
		if s.Kind == statement.Ratio {
			b.Compare(f.trials[1].Trial, f.trials[0].Trial).Headline = true
		}
		if b != short {
			groups = append(groups, b.Groups()...)
		}
	}
	return slices.Concat(short.Groups(), groups, ends.Groups())
}

// once measures a trial as shortly as can be, for its output is what counts: in as few blocks as give
// a number, so that it casts no doubt on the run. A scenario gives one in a block.
func once(to *plan.Trial, t plan.Trial) {
	to.Blocks, to.Rounds, to.Window, to.Call, to.Exhibit, to.Copy = plan.LeastBlocks, 1, t.Window, t.Call, t.Exhibit, t.Copy
	if t.Window > 0 {
		to.Blocks = 1
	}
}

// measured is a trial of as many blocks as the experiment has, unless it is a scenario, which
// has as many as its own experiment gives it, and more in proportion where there is time for more.
func (p *Planner) measured(to *plan.Trial, t plan.Trial) {
	to.Window, to.Call, to.Exhibit, to.Copy = t.Window, t.Call, t.Exhibit, t.Copy
	switch call := t.Expected(); {
	case t.Window > 0 || t.Case.Operation == algorithm.Exposure:
		to.Blocks, to.Rounds = t.Blocks*p.Blocks/Form.Blocks, t.Rounds
	case call > 20*Form.Target: // blocks are worth more than rounds
		to.Rounds = 1
	case call > 5*Form.Target:
		to.Rounds = 2
	}
}
