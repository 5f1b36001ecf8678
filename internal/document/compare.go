package document

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// buildComparisons compares every declared pair whose rows both have a number.
// A row that can't be believed is not ranked, nor is a wrong one.
func (b *builder) buildComparisons() {
	declared := headlinePairs(b.run)
	ids := UniqueIDs{}
	for _, g := range b.run.Groups {
		level := stat.FamilyLevel(declared[g.Experiment])
		for _, p := range g.Pairs {
			base, other := &b.doc.Rows[p.Base], &b.doc.Rows[p.Other]
			if p.Base == p.Other || base.NsPerOp == nil || other.NsPerOp == nil {
				continue
			}
			c := b.compare(base, other, level)
			c.ID, c.Headline = ids.Name(base.ID+" -> "+other.ID), p.Headline
			b.doc.Comparisons = append(b.doc.Comparisons, c)
		}
	}
}

// headlinePairs counts the declared headline comparisons of each experiment:
// the family in which at most one run in a hundred may show a false verdict.
func headlinePairs(run *result.Run) map[string]int {
	n := map[string]int{}
	for _, g := range run.Groups {
		for _, p := range g.Pairs {
			if p.Headline {
				n[g.Experiment]++
			}
		}
	}
	return n
}

func (b *builder) compare(base, other *Row, level float64) Comparison {
	on := commonClock(b.clockOf(base.Trial), b.clockOf(other.Trial))
	p := b.pair(base.Trial, other.Trial)
	if x, y := base.Bytes, other.Bytes; x > 0 && y > 0 && x != y {
		p.perByte(float64(x), float64(y)) // of messages that differ in length speed is the rate
	}
	s := stat.Compare(p.base, p.other, level, b.floor(base.Experiment))
	c := Comparison{
		Base: base.ID, Other: other.ID, Ratio: s.Ratio, Verdict: string(s.Verdict),
		Clock: string(on), Level: shownLevel(s.Level, level), Blocks: s.Blocks, Warnings: []string{},
	}
	for _, w := range s.Warnings {
		c.Warnings = append(c.Warnings, w.Text)
	}
	if c.Level > 0 {
		c.Low, c.High = finite(s.Low), finite(s.High)
	}
	if b.clockOf(base.Trial) != b.clockOf(other.Trial) {
		c.Warnings = append(c.Warnings, reason.English(reason.Cause("clocks-differ", on)))
	}
	return c
}

// Compare compares two rows that the plan did not, where they took turns in the rounds
// of one group. Family is how many such comparisons are read together.
func (d *Document) Compare(base, other *Row, family int) (Comparison, bool) {
	if d.built == nil || base == other || base.NsPerOp == nil || other.NsPerOp == nil || !d.built.together(base.Trial, other.Trial) {
		return Comparison{}, false
	}
	c := d.built.compare(base, other, stat.FamilyLevel(family))
	c.ID = base.ID + " -> " + other.ID
	return c, true
}

func (b *builder) together(x, y int) bool {
	return slices.ContainsFunc(b.run.Groups, func(g result.Group) bool {
		return slices.Contains(g.Trials, x) && slices.Contains(g.Trials, y)
	})
}
