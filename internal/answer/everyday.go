package answer

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// everyday leaves in the headline tables of a question each library called as a Go program would call it: what other
// ways of calling it cost is a question of its own. A table of which rows are left out stands among the others whole.
func (q Question) everyday(v *View, l layout.Layout) layout.Layout {
	if q.Ways || q.Verb {
		return l
	}
	l.Headline = slices.Clone(l.Headline)
	for i, t := range l.Headline {
		group, rows := layout.Text{}, []layout.TableRow{}
		for _, line := range t.Rows {
			if line.Group != (layout.Text{}) {
				group = line.Group
			}
			if r := v.ByID[line.RowID]; r != nil && CalledOtherwise(v.Name(r)) {
				continue
			}
			line.Group, group = group, layout.Text{}
			rows = append(rows, line)
		}
		if len(rows) < len(t.Rows) && len(rows) > 0 {
			l.Tables = append(slices.Clip(l.Tables), t)
			l.Headline[i].Rows = rows
		}
	}
	return l
}
