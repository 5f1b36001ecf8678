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

// withC takes from the rivals of the first row, of a Go library, the best one in C that lacks nothing beside it, if that is
// shown to be faster.
func (v *View) withC(a Advice, rows []*document.Row, rivals []rival) (*rival, []rival) {
	if a.Ways || inC(rows[0]) {
		return nil, rivals
	}
	lacks := func(r *document.Row) bool {
		return slices.ContainsFunc(rivals, func(o rival) bool { return o.row == r && o.gain.EN != "" })
	}
	best := First(rows, func(r *document.Row) bool { return inC(r) && v.advisable(r) && !lacks(r) })
	i := slices.IndexFunc(rivals, func(r rival) bool { return r.row == best && r.c.Verdict == "slower" })
	if i < 0 {
		return nil, rivals
	}
	return &rivals[i], Select(rivals, func(r rival) bool { return r.row != best })
}

// briefly is what to use in a few words, and what where C may be called.
func (a Advice) briefly(v *View, best *document.Row, inC *rival) layout.Text {
	do := layout.Say("use %s (%s)", "请用 %[2]s 的 %[1]s", a.Name(best), v.Name(best))
	switch {
	case inC != nil && a.Name(inC.row) == a.Name(best):
		do = layout.Say("use %s (%s; with C: %s)", "请用 %[2]s 的 %[1]s（可调用 C 时用 %[3]s）", a.Name(best), v.Name(best), v.Name(inC.row))
	case inC != nil:
		do = layout.Say("%s; with C: %s (%s)", "%[1]s（可调用 C 时用 %[3]s 的 %[2]s）", do, a.Name(inC.row), v.Name(inC.row))
	}
	return Upper(a.under(do))
}

// under says on what condition something is to be done.
func (a Advice) under(do layout.Text) layout.Text {
	if a.If.EN == "" {
		return do
	}
	return layout.Say("if %[2]s, %[1]s", "若%[2]s，%[1]s", do, a.If)
}

// aloneOrWithC is what to use in Go alone where there is something faster in C, which is said beside it.
func (v *View) aloneOrWithC(a Advice, best *document.Row, l *Summary, inC *rival) layout.Text {
	if inC == nil {
		return l.Do
	}
	l.Beside = v.callingC(a, best, *inC)
	return Upper(a.under(layout.Say("in Go alone use %s (%s)", "只用 Go 时请用 %[2]s 的 %[1]s", a.Name(best), v.Name(best))))
}

// callingC says what is faster where C may be called.
func (v *View) callingC(a Advice, best *document.Row, r rival) layout.Text {
	which := layout.Same(v.Name(r.row))
	if a.Name(r.row) != a.Name(best) {
		which = layout.Say("%s (%s)", "%[2]s 的 %[1]s", a.Name(r.row), v.Name(r.row))
	}
	faster := Ratio(turned(r.c), layout.Same(v.Name(best)))
	return layout.Say("with C, %s: %s", "可调用 C 时用 %s，%s", which, faster)
}
