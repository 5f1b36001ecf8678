package document

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
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

// Repeat takes what a second run of some of the comparisons says of them.
func (d *Document) Repeat(second *Document) {
	d.Repeated = true
	for i := range second.Comparisons {
		again := &second.Comparisons[i]
		if at := slices.IndexFunc(d.Comparisons, func(c Comparison) bool { return c.ID == again.ID }); at >= 0 {
			d.Comparisons[at].Again = &Again{again.Ratio, again.Low, again.High, again.Verdict}
		}
	}
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
