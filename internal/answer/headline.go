package answer

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// mostBrought is how many rows of workers stand on the first screen.
const mostBrought = 6

// brought are operations of workers that the user named and that no headline table has, beside what the first built-in
// library takes for the same: of each case one size, that of the headline where there is such a row.
func (v *View) brought(headline []layout.Table) layout.Table {
	shown, usual := map[Key]bool{}, int64(0)
	for _, t := range headline {
		for _, line := range t.Rows {
			if r := v.ByID[line.RowID]; r != nil {
				shown[v.Sizeless(r)], usual = true, cmp.Or(usual, r.Bytes)
			}
		}
	}
	theirs := v.Select(func(r *document.Row) bool { return !builtIn(r) && r.Status == result.OK && !shown[v.Sizeless(r)] })
	rows := document.Mapped(document.Grouped(theirs, v.Sizeless), func(same []*document.Row) *document.Row {
		return cmp.Or(First(same, func(r *document.Row) bool { return r.Bytes == usual }), same[len(same)-1])
	})
	t := Table[*document.Row]{
		Title: layout.Text{EN: "Operations of your workers", ZH: "你的工作进程的操作"},
		Columns: []Columns[*document.Row]{
			Told("operation", "操作", func(r *document.Row) layout.Text {
				name := layout.Say("%s %s", "%s %s", CaseName(r.Algorithm, r.Mode), Operation(r.Operation))
				if r.Bytes > 0 {
					name = layout.Say("%s, %s", "%s，%s", name, SizeText(r.Bytes))
				}
				return name
			}),
			Library, Figure("time", "耗时", TimeCell), Figure("built in", "内置库", v.builtInTime),
		},
	}
	return t.Of(rows[:min(len(rows), mostBrought)])
}

// builtIn says that a row is of a library that the laboratory knows.
func builtIn(r *document.Row) bool { return slices.Contains(subject.Libraries(), r.Library) }

// builtInTime is what the first built-in library takes for a row's case, and which that is.
func (v *View) builtInTime(r *document.Row) layout.Cell {
	same := v.First(func(b *document.Row) bool { return builtIn(b) && b.Status == result.OK && b.Case() == r.Case() })
	if same == nil {
		return Dash()
	}
	cell := TimeCell(same)
	cell.Text = layout.Say("%s (%s)", "%s（%s）", cell.Text, v.Name(same))
	return cell
}

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
