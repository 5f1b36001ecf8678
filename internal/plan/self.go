package plan

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

var harness = result.Subject{Library: subject.Harness, Version: "1", CallPath: subject.Direct}

// SelfCases are the cases in which an experiment measures the laboratory itself:
// an empty operation of each kind of loop, and the operation of the A/A pair.
func SelfCases() []result.Case {
	cases := []result.Case{selfPair, Crossing}
	for _, loop := range algorithm.Loops() {
		cases = append(cases, Of(algorithm.Empty, loop, algorithm.Call))
	}
	return cases
}

// SelfOffers are the harness's offers where nobody has asked it yet.
func SelfOffers() (o Offers) {
	for _, c := range SelfCases() {
		o = append(o, Offer{Subject: harness, Case: c, Loop: c.Mode})
	}
	return o
}

// Crossing is an empty call by a way across a boundary, or by none.
var Crossing = Of(algorithm.Empty, algorithm.Crossing, algorithm.Call)

// selfPair is what the A/A pair runs: short, allowed by every policy, free of
// allocation, whose noise is GC's, and a chain of dependent
// instructions, which a neighbour on the same core hardly disturbs.
var selfPair = result.Case{Algorithm: algorithm.Planted, Mode: algorithm.AES128 + "-" + algorithm.CBC,
	Operation: algorithm.Encrypt, Parameters: parameter.Calls.Is(1)}

// Noise returns the group that every experiment carries in its blocks: the same
// trial in two workers, whose difference is the experiment's noise floor.
//
// It is measured last in a block: freshly started workers are still busy with
// themselves. Its samples are long enough for a clock, whatever the experiment's are.
func Noise(o Offers) []Group {
	title := language.Text{EN: "A/A between workers", ZH: "工作进程之间的 A/A 对照"}
	g := Group{Name: title.EN, Title: title, Kind: result.KindNoise, Rounds: 3, Target: time.Millisecond}
	for _, offer := range o {
		if offer.Subject.Library == subject.Harness && offer.Case == selfPair {
			t := result.Trial{Subject: offer.Subject, Case: offer.Case}
			t.Case.Bytes = 1024
			g.Trials = []Trial{{Trial: t}, {Trial: t, Copy: 1}}
			g.Pairs = []result.Pair{{Base: 0, Other: 1}}
		}
	}
	return []Group{g}
}

// Empties returns the group of the empty operations, one for each kind of loop
// that an offer of a library runs in.
func Empties(o Offers) []Group {
	b := NewBuilder(language.Text{EN: "empty operations", ZH: "空操作"})
	b.Group.Kind = result.KindHarness
	for _, offer := range o {
		runs := func(of Offer) bool { return of.Subject.Library != subject.Harness && of.Loop == offer.Case.Mode }
		if offer.Subject.Library == subject.Harness && offer.Case != selfPair && slices.ContainsFunc(o, runs) {
			b.Add(offer.Subject, offer.Case)
		}
	}
	return b.Groups()
}

// ReferenceCases are the fixed work, a kind each, that a gate measures beside
// everything else: it compares ratios to it, in which the state of the machine
// cancels out.
func ReferenceCases() []result.Case {
	steps := func(name, mode string, n int64) result.Case {
		return result.Case{Algorithm: name, Mode: mode, Operation: algorithm.Steps, Parameters: parameter.Steps.Is(n)}
	}
	return []result.Case{steps(algorithm.Chain, "add", 16384),
		steps(algorithm.Yardstick, "wide", 4096), steps(algorithm.Yardstick, "loads", 4096)}
}

func IsReference(t result.Trial) bool {
	return t.Subject.Library == subject.Harness && slices.Contains(ReferenceCases(), t.Case)
}

// WithReferences adds the references to every group in which something is timed
// in all blocks, behind its own trials.
func WithReferences(groups []Group) []Group {
	groups = slices.Clone(groups)
	for i := range groups {
		g := &groups[i]
		if !slices.ContainsFunc(g.Trials, func(t Trial) bool { return t.Blocks == 0 }) {
			continue
		}
		g.Trials = slices.Clone(g.Trials)
		for _, c := range ReferenceCases() {
			g.Trials = append(g.Trials, Trial{Trial: result.Trial{Subject: harness, Case: c}})
		}
	}
	return groups
}

// Only keeps some trials of a plan, and the groups that have any. The comparisons
// go: they are the whole plan's.
func Only(groups []Group, keep func(result.Trial) bool) (kept []Group) {
	for _, g := range groups {
		g.Trials = slices.DeleteFunc(slices.Clone(g.Trials), func(t Trial) bool { return !keep(t.Trial) })
		if g.Pairs = nil; len(g.Trials) > 0 {
			kept = append(kept, g)
		}
	}
	return kept
}
