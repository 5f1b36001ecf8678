package plan

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// WithVersions sets the versions of a library against each other: in every group
// each trial against the first that does the same in another version, called in the
// same way. A library is in a run in two versions where the user gave two of its
// shared objects, and then this is what is asked.
func WithVersions(groups []Group) []Group {
	groups = slices.Clone(groups)
	for i := range groups {
		g := &groups[i]
		first := map[result.Trial]int{}
		g.Pairs = slices.Clone(g.Pairs)
		for j, t := range g.Trials {
			if t.Subject.CallPath == subject.Direct {
				continue // built in, of one version
			}
			unversioned := t.Trial
			unversioned.Subject.Version = ""
			base, there := first[unversioned]
			declared := func(p result.Pair) bool { return p.Base == base && p.Other == j }
			switch {
			case !there:
				first[unversioned] = j
			case g.Trials[base].Subject.Version != t.Subject.Version && !slices.ContainsFunc(g.Pairs, declared):
				g.Pairs = append(g.Pairs, result.Pair{Base: base, Other: j})
			}
		}
	}
	return groups
}
