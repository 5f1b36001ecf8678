package document

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// buildComparisons compares every declared pair whose rows both have a number.
// A row that can't be believed is not ranked, nor is a wrong one.
func (b *builder) buildComparisons() {
	ids, declared := UniqueIDs{}, map[string]int{} // headline comparisons of an experiment: the family that shares a level
	var all []familyMember
	for _, g := range b.run.Groups {
		for _, p := range g.Pairs {
			if p.Headline {
				declared[g.Experiment]++
			}
			base, other := b.doc.Rows[p.Base], b.doc.Rows[p.Other]
			if p.Base == p.Other || base.NsPerOp == nil || other.NsPerOp == nil || OutputsDiffer(base, other) {
				continue
			}
			c, pair := b.between(base, other, ids.Name(base.ID+" -> "+other.ID)), b.pairOf(base, other)
			c.Headline, pair.Headline = p.Headline, p.Headline
			all = append(all, familyMember{len(b.doc.Comparisons), pair, g.Experiment})
			b.doc.Comparisons = append(b.doc.Comparisons, c)
		}
	}
	for _, members := range Grouped(all, func(m familyMember) string { return m.experiment }) {
		experiment := members[0].experiment
		unranked, some := b.disturbed(experiment), false
		for i, s := range compareFamily(members, declared[experiment], b.noise.floor) {
			c := &b.doc.Comparisons[members[i].at]
			c.take(s, unranked)
			some = some || c.unranked
		}
		if some {
			b.unranked = append(b.unranked, experiment)
		}
	}
}

// disturbed says why the comparisons of an experiment have no verdict: it uses every CPU, and others
// used more than they may. It is empty where they have.
func (b *builder) disturbed(experiment string) layout.Text {
	every := slices.ContainsFunc(b.run.Groups, func(g result.Group) bool { return g.Experiment == experiment && g.EveryCPU })
	others, ok := b.strain(experiment).Others()
	if !every || !ok || others <= othersFair {
		return layout.Text{}
	}
	return reason.Text(reason.Cause("every-cpu", layout.FormatShare(others)))
}

// Unranked says why the comparisons of an experiment have no verdict; it is empty where they have.
func (d *Document) Unranked(experiment string) layout.Text {
	if d.built == nil {
		return layout.Text{}
	}
	return d.built.disturbed(experiment)
}

// familyMember is one of the comparisons that are read together, and where it stands.
type familyMember struct {
	at         int
	pair       stat.Pair
	experiment string // of the plan's comparisons only
}

func compareFamily(members []familyMember, declared int, floor float64) []stat.Comparison {
	pairs := Mapped(members, func(m familyMember) stat.Pair { return m.pair })
	return stat.CompareFamily(pairs, declared, floor)
}

func (b *builder) pairOf(base, other *Row) stat.Pair {
	p := b.pair(base.Trial, other.Trial)
	if x, y := base.Bytes, other.Bytes; x > 0 && y > 0 && x != y {
		p.perByte(float64(x), float64(y)) // of messages that differ in length speed is the rate
	}
	return stat.Pair{Base: p.base, Other: p.other}
}

// between is the comparison of two rows without its numbers.
func (b *builder) between(base, other *Row, id string) Comparison {
	x, y := b.clockOf(base.Trial), b.clockOf(other.Trial)
	c := Comparison{ID: id, Base: base.ID, Other: other.ID, Clock: string(commonClock(x, y)), Warnings: []string{}}
	if x != y {
		c.Warnings = append(c.Warnings, reason.English(reason.Cause("clocks-differ", c.Clock)))
	}
	return c
}

// take gives the comparison its numbers, and its verdict unless there is a reason for none.
func (c *Comparison) take(s stat.Comparison, unranked layout.Text) {
	c.Ratio, c.Verdict, c.Blocks = s.Ratio, string(s.Verdict), s.Blocks
	c.Low, c.High, c.Level = shown(s.Low, s.High, s.Level, s.Asked)
	for i, w := range s.Warnings {
		c.Warnings = slices.Insert(c.Warnings, i, w.Text)
	}
	// Who runs on one CPU waits for nobody: on its thread's clock others cost it no more than in any experiment.
	if c.unranked = unranked.EN != "" && c.Clock != string(result.ThreadClock); c.unranked {
		c.Verdict, c.Warnings = string(stat.Inconclusive), append(c.Warnings, unranked.EN)
	}
}

// TooBusy says that the machine was too busy to judge by the comparison, whose interval is clear of 1.
func (c *Comparison) TooBusy() bool {
	return c.unranked && c.clear()
}

// clear says that the interval lies to one side of what counts as the same.
func (c *Comparison) clear() bool {
	return c.Low != nil && c.High != nil && (*c.Low > 1+stat.Margin || *c.High < 1/(1+stat.Margin))
}

// TooFewBlocks says that there is no verdict for lack of blocks: there is no interval, or one that is clear of 1
// and not at the level of a verdict.
func (c *Comparison) TooFewBlocks() bool {
	return c.Verdict == string(stat.Inconclusive) && !c.unranked && (c.clear() || c.Low == nil || c.High == nil)
}

// VerdictText names the verdict, or says why there is none.
func (c *Comparison) VerdictText() layout.Text {
	switch {
	case c.TooBusy():
		return layout.Text{EN: "machine too busy to judge", ZH: "机器过忙，不作判定"}
	case c.TooFewBlocks():
		return layout.Text{EN: "too few blocks for a verdict", ZH: "数据组太少，不足以判定"}
	}
	return VerdictText(c.Verdict)
}

// AsRatio is the comparison as a chart of ratios has it, under a label.
func (c *Comparison) AsRatio(label layout.Text) layout.Ratio {
	r := layout.Ratio{Label: label, Value: c.Ratio, Verdict: c.Verdict, Says: c.VerdictText(), ID: c.ID}
	if c.Low != nil && c.High != nil {
		r.Low, r.High, r.HasInterval = *c.Low, *c.High, true
	}
	return r
}

// Compare compares two rows that the plan did not, where they took turns in the rounds
// of one group; else it is nil. Family is how many such comparisons are read together.
func (d *Document) Compare(base, other *Row, family int) *Comparison {
	if !d.comparable(base, other) {
		return nil
	}
	b := d.built
	c, p := b.between(base, other, base.ID+" -> "+other.ID), b.pairOf(base, other)
	c.take(stat.Compare(p.Base, p.Other, stat.FamilyLevel(family), b.noise.floor), b.disturbed(base.Experiment))
	return &c
}

// CompareEach compares rows with the best of them, as [Document.Compare] does; nil where they
// did not take turns. Which is the best was seen in the same numbers, so that any two of them
// might have been compared: all pairs of them are the family.
func (d *Document) CompareEach(bases []*Row, best *Row) []*Comparison {
	cs := make([]*Comparison, len(bases))
	var members []familyMember
	for i, base := range bases {
		if d.comparable(base, best) {
			c, p := d.built.between(base, best, base.ID+" -> "+best.ID), d.built.pairOf(base, best)
			p.Headline = true
			cs[i], members = &c, append(members, familyMember{at: i, pair: p})
		}
	}
	n := len(members)
	for i, s := range compareFamily(members, n*(n+1)/2, d.NoiseFloor) {
		cs[members[i].at].take(s, d.built.disturbed(best.Experiment))
	}
	return cs
}

func (d *Document) comparable(base, other *Row) bool {
	return d.built != nil && base != other && base.NsPerOp != nil && other.NsPerOp != nil &&
		slices.ContainsFunc(d.built.run.Groups, func(g result.Group) bool {
			return slices.Contains(g.Trials, base.Trial) && slices.Contains(g.Trials, other.Trial)
		})
}

// Side is the side of a comparison that the row is on; empty in other runs.
func (r *Row) Side() string { return parameter.Side(r.Environment) }

// OutputsDiffer says that two sides gave different outputs for one case: a speed of two different things
// is none. Where no digest is known of one of them, nothing is said.
func OutputsDiffer(x, y *Row) bool {
	if x.Side() == "" || x.Side() == y.Side() || x.Info == nil || y.Info == nil {
		return false
	}
	one, other := x.Info.Digest, y.Info.Digest
	return x.Info.Case == y.Info.Case && one != "" && other != "" && one != other
}

// Repeat takes what a second run of some of the comparisons says of them, by itself and, made of the blocks of both,
// with the first. The family of the latter is that of the second run.
func (d *Document) Repeat(second *Document) {
	d.Repeated = true
	var members []familyMember
	declared := 0
	for i := range second.Comparisons {
		again := &second.Comparisons[i]
		at := slices.IndexFunc(d.Comparisons, func(c Comparison) bool { return c.ID == again.ID })
		if at < 0 {
			continue
		}
		c := &d.Comparisons[at]
		c.Again = &Again{Ratio: again.Ratio, Low: again.Low, High: again.High, Verdict: again.Verdict, Level: again.Level}
		if again.Clock != c.Clock || c.unranked || again.unranked {
			continue
		}
		x, y := d.blocksOf(c), second.blocksOf(again)
		both := stat.Pair{Base: slices.Concat(x.Base, y.Base), Other: slices.Concat(x.Other, y.Other)}
		both.Headline = again.Headline
		members = append(members, familyMember{at: at, pair: both})
		if again.Headline {
			declared++
		}
	}
	for i, s := range compareFamily(members, declared, max(d.NoiseFloor, second.NoiseFloor)) {
		if s.OK {
			d.Comparisons[members[i].at].Again.Both = &Both{s.Ratio, s.Low, s.High, string(s.Verdict), s.Level, s.Blocks}
		}
	}
}

func (d *Document) blocksOf(c *Comparison) stat.Pair {
	return d.built.pairOf(d.Row(c.Base), d.Row(c.Other))
}

// Row is the row of that name; there is one.
func (d *Document) Row(id string) *Row {
	return d.Rows[slices.IndexFunc(d.Rows, func(r *Row) bool { return r.ID == id })]
}
