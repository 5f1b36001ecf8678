package answer

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

// Not every program may call C, and the verb plan asks no library in C unless it is named. So the best row of a Go
// library is advised, and beside it the one in C that is faster.

func inC(r *document.Row) bool { return subject.Crosses(r.CallPath) }

// advisable says of a row with a number that it is secure, and of an established library.
func (v *View) advisable(r *document.Row) bool {
	return lackOf(r).none() && !IsNew(v.Name(r)) && (r.Info == nil || !r.Info.Unchecked)
}

// inGoFirst puts the first row of a Go library that may be advised before those of libraries in C.
func (v *View) inGoFirst(rows []*document.Row) []*document.Row {
	i := slices.IndexFunc(rows, func(r *document.Row) bool { return !inC(r) && v.advisable(r) })
	if i < 1 || !inC(rows[0]) || !v.advisable(rows[0]) {
		return rows
	}
	return slices.Concat(rows[i:i+1], rows[:i], rows[i+1:])
}

// withC takes from the rivals of the first row, of a Go library, the best one in C, if that is shown to be faster.
func (v *View) withC(a Advice, rows []*document.Row, rivals []rival) (*rival, []rival) {
	if a.Ways || inC(rows[0]) {
		return nil, rivals
	}
	best := First(rows, func(r *document.Row) bool { return inC(r) && v.advisable(r) })
	i := slices.IndexFunc(rivals, func(r rival) bool { return r.row == best && r.c.Verdict == "slower" })
	if i < 0 {
		return nil, rivals
	}
	return &rivals[i], Select(rivals, func(r rival) bool { return r.row != best })
}

// under says on what condition something is to be done.
func (a Advice) under(do layout.Text, inC *rival) layout.Text {
	if inC != nil {
		do = layout.Say("in Go alone, %s", "只用 Go 时%s", do)
	}
	if a.If.EN != "" {
		do = layout.Say("if %[2]s, %[1]s", "若%[2]s，%[1]s", do, a.If)
	}
	return do
}

// callingC says what is faster where C may be called.
func (v *View) callingC(a Advice, best *document.Row, r rival) layout.Text {
	which, much := layout.Same(v.Name(r.row)), turned(r.c)
	if a.Name(r.row) != a.Name(best) {
		which = layout.Say("%s (%s)", "%[2]s 的 %[1]s", a.Name(r.row), v.Name(r.row))
	}
	if small(much) {
		return layout.Say("with C, %s: %s %% faster (%s %%) than %s", "可调用 C 时用 %[1]s，比 %[4]s 快 %[2]s %%（%[3]s %%）",
			which, Percent(much.Ratio), Percents(much), v.Name(best))
	}
	return layout.Say("with C, %s: %s times as fast (%s) as %s", "可调用 C 时用 %[1]s，速度是 %[4]s 的 %[2]s 倍（%[3]s）",
		which, Factor(much.Ratio), Limits(much), v.Name(best))
}
