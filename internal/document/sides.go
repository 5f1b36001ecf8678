package document

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/stat"
)

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
		members = append(members, familyMember{at, stat.Pair{Base: slices.Concat(x.Base, y.Base), Other: slices.Concat(x.Other, y.Other), Headline: again.Headline}})
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

// blocksOf are the times that a comparison is made of.
func (d *Document) blocksOf(c *Comparison) stat.Pair {
	row := func(id string) *Row {
		return &d.Rows[slices.IndexFunc(d.Rows, func(r Row) bool { return r.ID == id })]
	}
	return d.built.pairOf(row(c.Base), row(c.Other))
}

// nameSides tells the subjects of sides apart: by the version, and by the side where that is the same.
func (b *builder) nameSides() {
	sides := map[string]map[string]bool{} // that have a name
	var rows []*Row
	for i := range b.doc.Rows {
		r := &b.doc.Rows[i]
		side := r.Side()
		if side == "" {
			continue
		}
		if r.who = strings.TrimSuffix(r.Library+"-"+r.Version, "-"); sides[r.who] == nil {
			sides[r.who] = map[string]bool{}
		}
		rows, sides[r.who][side] = append(rows, r), true
	}
	for _, r := range rows {
		if len(sides[r.who]) > 1 {
			r.who += "/" + r.Side()
		}
	}
}
