// Package compare asks what changes from one side to another: from a version of a library, a revision or
// a program to the next. The verb compare asks it, and no suite does.
package compare

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Name is the experiment's, and a run's; SecondName is that of a run beside it, of what looked slower.
const (
	Name       = "compare"
	SecondName = "again"
)

// Questions are those whose headline rows sides are compared by: loops of calls on one thread.
var Questions = []string{"modes", "primitives", "messages", "signatures", "exchange", "rsa", "envelope"}

// Sides says how they are compared.
type Sides struct {
	Questions []plan.Experiment // whose rows are measured of the libraries that the laboratory knows
	Starts    bool              // each sample starts a process, beside which it must be long: startedSample
	Null      bool              // the first side is measured against itself, too
	Only      []result.Case     // a second run measures these alone; nil: all

	// Lacking, where it is not nil, takes by side what others have and it has not, by name: a short budget
	// leaves out rows that nothing is compared with.
	Lacking map[string][]string
}

// Blocks are how many a comparison has where the budget allows. The interval at 99 % reaches 0.38 standard
// deviations of a block to either side with 101, 0.54 with 51, 0.85 with 21.
const Blocks = 101

// Enough is the relative half-width of ratios at which more blocks than planned hardly decide more: a tenth of what a
// case may lose.
func Enough(tolerance float64) float64 { return tolerance / 10 }

// Verdict is how many blocks a verdict takes at the least.
var Verdict = stat.MinBlocks(leastLevel)

// startedSample is how long a sample is that starts a process. What measures the laboratory itself starts none,
// and at that length would take three quarters of the time.
const startedSample = 50 * time.Millisecond

// Experiment measures each case on all sides in turns, and sets the first of them against each other, and
// each later one against the one before.
func (x Sides) Experiment() plan.Experiment {
	e := plan.Experiment{
		Name:  Name,
		Short: plan.Form{Config: plan.Config{Blocks: 13, Rounds: 3, Least: 2, Target: 300 * time.Microsecond, Fewest: Verdict}},
		Full:  plan.Form{Config: plan.Config{Blocks: 15, Rounds: 8, Least: 4, Target: time.Millisecond}},
		Own:   true,
		Make:  x.plan,
	}
	if x.Starts {
		for _, f := range []*plan.Form{&e.Short, &e.Full} {
			f.Config.Rounds = 4
		}
	}
	for _, q := range x.Questions {
		for _, c := range q.Cases {
			if !slices.Contains(e.Cases, c) && plain(plan.Trial{Trial: result.Trial{Case: c}}) {
				e.Cases = append(e.Cases, c)
			}
		}
	}
	return e
}

// plain says of a trial that it is a loop of calls on one thread, and no scenario.
func plain(t plan.Trial) bool {
	c := t.Case
	return t.Window == 0 && !t.Exhibit && t.Copy == 0 && c.Operation != algorithm.Exposure && c.Operation != algorithm.Arrival &&
		!slices.ContainsFunc([]parameter.Key{parameter.Goroutines, parameter.Busy, parameter.Draws, parameter.Messages},
			func(k parameter.Key) bool { return k.Has(c.Parameters) })
}

// kin tells which trials of several sides belong together. Version and side are what differs between them.
type kin struct {
	result.Case
	library, implementation, path string // "" where the sides have no subject in common
}

type side struct {
	name   string
	trials []result.Trial
}

// coreCases is of how many cases a comparison consists at least, however short the budget.
const coreCases = 6

func (x Sides) plan(s plan.Narrowed) (groups []plan.Group) {
	sides := x.sides(s)
	kinOf := byCase
	if inCommon(sides) {
		kinOf = bySubject
	}
	var order []kin
	found := map[kin]map[string]result.Trial{} // by side
	for _, from := range sides {
		for _, t := range from.trials {
			k := kinOf(t)
			if found[k] == nil {
				found[k], order = map[string]result.Trial{}, append(order, k)
			}
			if _, there := found[k][from.name]; !there {
				found[k][from.name] = t
			}
		}
	}
	if x.Only != nil {
		order = slices.DeleteFunc(order, func(k kin) bool { return !slices.Contains(x.Only, k.Case) })
	}
	if order = spread(order); x.Lacking != nil {
		x.lack(sides)
	}
	alone := plan.NewBuilder(layout.Text{EN: "on one side alone", ZH: "仅一方具有"})
	for _, k := range order {
		g := x.group(k, sides, found[k])
		switch {
		case len(g.Pairs) > 0:
			groups = append(groups, g)
		case x.Only == nil:
			t := alone.Add(g.Trials[0].Subject, g.Trials[0].Case)
			t.Blocks, t.Rounds = plan.LeastBlocks, 1
		}
	}
	if s.Short {
		return groups[:min(len(groups), coreCases)]
	}
	return append(groups, alone.Groups()...)
}

func (x Sides) lack(sides []side) {
	for _, s := range sides {
		has := func(c result.Case) bool {
			return slices.ContainsFunc(s.trials, func(t result.Trial) bool { return t.Case == c })
		}
		x.Lacking[s.name] = nil
		for _, other := range sides {
			for _, t := range other.trials {
				if name := t.Case.Name(); !has(t.Case) && !slices.Contains(x.Lacking[s.name], name) {
					x.Lacking[s.name] = append(x.Lacking[s.name], name)
				}
			}
		}
	}
}

// group sets the sides against each other in one case.
func (x Sides) group(k kin, sides []side, of map[string]result.Trial) plan.Group {
	b := plan.NewBuilder(layout.Listed([]layout.Text{caseName(k.Case), layout.Same(k.library)}))
	if x.Starts {
		b.Group.Target = startedSample
	}
	var first, last result.Trial
	for _, from := range sides {
		if t, there := of[from.name]; there {
			b.Add(t.Subject, t.Case)
			b.Compare(first, t).Headline = true
			if last != first { // the step from the one before
				b.Compare(last, t).Headline = true
			}
			first, last = cmp.Or(first, t), t
		}
	}
	if first, there := of[sides[0].name]; x.Null && there { // held to the level of the others, and not of their number
		b.Group.Trials = append(b.Group.Trials, plan.Trial{Trial: first, Copy: 1})
		b.Group.Pairs = append(b.Group.Pairs, result.Pair{Base: 0, Other: len(b.Group.Trials) - 1, Headline: len(sides) == 1})
	}
	return b.Group
}

// sides are what is offered, by side, in the order of their names.
func (x Sides) sides(s plan.Narrowed) (all []side) {
	by := map[string]plan.Offers{}
	for _, o := range s.Offers {
		name := parameter.Side(o.Subject.Environment)
		if name != "" && o.Subject.CallPath != subject.CLoop { // else the laboratory's own, or not how a Go program calls
			by[name] = append(by[name], o)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		all = append(all, side{name, x.trials(s.Selection, by[name])})
	}
	return all
}

// longest is the longest message, unless sizes were asked for.
const longest = 64 << 10

// trials are those that the questions would measure of a side, and the cases that its worker brings. Where
// modes or operations are asked for, the short forms may have none of them.
func (x Sides) trials(s plan.Selection, offers plan.Offers) (trials []result.Trial) {
	add := func(t result.Trial) {
		if !slices.Contains(trials, t) {
			trials = append(trials, t)
		}
	}
	for _, q := range x.Questions {
		asked := s
		asked.Short = len(s.Modes) == 0 && len(s.Operations) == 0
		if len(q.Full.Sizes) == 0 {
			asked.Sizes = nil // of keys, and no messages
		}
		for _, g := range q.Plan(asked, offers) {
			for _, t := range g.Trials {
				if g.Kind == "" && plain(t) && parameter.WithoutSide(t.Subject.Environment) == "" &&
					(len(s.Sizes) > 0 || t.Case.Bytes <= longest) {
					add(t.Trial)
				}
			}
		}
	}
	for _, o := range offers {
		if o.Own {
			add(result.Trial{Subject: o.Subject, Case: o.Case})
		}
	}
	return trials
}

// inCommon says whether the sides have subjects that differ by no more than version and side.
func inCommon(sides []side) bool {
	names := func(of side) (all []kin) {
		for _, t := range of.trials {
			k := bySubject(t)
			k.Case = result.Case{}
			all = append(all, k)
		}
		return all
	}
	for _, other := range sides[min(1, len(sides)):] {
		first := names(sides[0])
		if !slices.ContainsFunc(names(other), func(k kin) bool { return slices.Contains(first, k) }) {
			return false
		}
	}
	return true
}

// byCase and bySubject say what a trial's kin are.
func byCase(t result.Trial) kin { return kin{Case: t.Case} }
func bySubject(t result.Trial) kin {
	return kin{t.Case, t.Subject.Library, t.Subject.Implementation, t.Subject.CallPath}
}

// spread orders cases so that the first few are of different algorithms: a short budget drops the last ones.
func spread(order []kin) []kin {
	seen, place := map[string]int{}, map[kin]int{}
	for _, k := range order {
		place[k] = seen[k.Algorithm]
		seen[k.Algorithm]++
	}
	order = slices.Clone(order)
	slices.SortStableFunc(order, func(a, b kin) int { return cmp.Compare(place[a], place[b]) })
	return order
}
