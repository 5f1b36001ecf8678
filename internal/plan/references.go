package plan

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

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

// IsReference says whether a trial is one of the references.
func IsReference(t result.Trial) bool {
	return t.Subject.Library == HarnessLibrary && slices.Contains(ReferenceCases(), t.Case)
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
