package answer

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Table is a table before it is filled: a line of it shows an R, by its columns.
type Table[R any] struct {
	Title   layout.Text
	Caption layout.Text
	Columns []Columns[R]
	Row     func(R) *document.Row // that a line rests on; nil: the line itself where it is a row, else none
	Group   func(R) layout.Text   // the heading above lines that have the same
	// Beneath is what a second line below each has in the same columns, where Second is true or nil; nil: there is none.
	Beneath []Columns[R]
	Second  func(R) bool
}

// Columns are one or more columns beside each other: titles, and what an R has below them.
type Columns[R any] []column[R]

// RowColumns are columns that show something of a row.
type RowColumns = Columns[*document.Row]

type column[R any] struct {
	layout.Column
	cell func(R) layout.Cell
}

// Words is a column of words, aligned left.
func Words[R any](en, zh string, cell func(R) layout.Cell) Columns[R] {
	return Columns[R]{{layout.Column{Title: layout.Text{EN: en, ZH: zh}}, cell}}
}

// Figure is a column of numbers, aligned right.
func Figure[R any](en, zh string, cell func(R) layout.Cell) Columns[R] {
	return Columns[R]{{layout.Column{Title: layout.Text{EN: en, ZH: zh}, Numeric: true}, cell}}
}

// Titled and Printed are columns of what reads the same in every language, aligned left and
// right, and Told is one of texts.
func Titled[R any](en, zh string, text func(R) string) Columns[R] {
	return Words(en, zh, func(r R) layout.Cell { return TextCell(text(r)) })
}

func Printed[R any](en, zh string, text func(R) string) Columns[R] {
	return Figure(en, zh, func(r R) layout.Cell { return TextCell(text(r)) })
}

func Told[R any](en, zh string, text func(R) layout.Text) Columns[R] {
	return Words(en, zh, func(r R) layout.Cell { return layout.Cell{Text: text(r)} })
}

// Shown is a column of a number that not every line has.
func Shown[R, V any](en, zh string, of func(R) (V, bool), show func(V) string) Columns[R] {
	return Figure(en, zh, func(r R) layout.Cell {
		if v, ok := of(r); ok {
			return TextCell(show(v))
		}
		return Dash()
	})
}

// Known is a cell of what not every R has: a dash where it is nil, or 0.
func Known[R any, X comparable](of func(R) X, show func(X) string) func(R) layout.Cell {
	return func(r R) layout.Cell {
		var none X
		if x := of(r); x != none {
			return TextCell(show(x))
		}
		return Dash()
	}
}

// Each is a column of numbers for each of some values, such as sizes.
func Each[R, V any](values []V, title func(V) layout.Text, cell func(R, V) layout.Cell) (all Columns[R]) {
	for _, v := range values {
		t := title(v)
		all = append(all, Figure(t.EN, t.ZH, func(r R) layout.Cell { return cell(r, v) })...)
	}
	return all
}

// EachSize is Each of sizes of messages.
func EachSize[R any](sizes []int64, cell func(R, int64) layout.Cell) Columns[R] {
	return Each(sizes, func(n int64) layout.Text { return layout.Same(SizeText(n)) }, cell)
}

// On are columns that show something of an R, such as one of its rows.
func On[R, S any](of func(R) S, columns ...Columns[S]) (all Columns[R]) {
	for _, c := range slices.Concat(columns...) {
		all = append(all, column[R]{c.Column, Of(of, c.cell)})
	}
	return all
}

// Of is a cell of an R that shows something of it, such as one of its rows.
func Of[R, S any](of func(R) S, cell func(S) layout.Cell) func(R) layout.Cell {
	return func(r R) layout.Cell { return cell(of(r)) }
}

// Of fills the table, a line an R.
func (t Table[R]) Of(lines []R) layout.Table {
	columns, beneath := slices.Concat(t.Columns...), slices.Concat(t.Beneath...)
	filled := layout.Table{Title: t.Title, Caption: t.Caption}
	filled.Columns = document.Mapped(columns, func(c column[R]) layout.Column { return c.Column })
	var last layout.Text
	for _, r := range lines {
		line := layout.TableRow{}
		if row := t.row(r); row != nil {
			line.RowID = row.ID
		}
		if t.Group != nil && t.Group(r) != last {
			last = t.Group(r)
			line.Group = last
		}
		cells := func(of Columns[R]) []layout.Cell {
			return document.Mapped(of, func(c column[R]) layout.Cell { return c.cell(r) })
		}
		line.Cells = cells(columns)
		filled.Rows = append(filled.Rows, line)
		if len(beneath) > 0 && (t.Second == nil || t.Second(r)) {
			filled.Rows = append(filled.Rows, layout.TableRow{RowID: line.RowID, Cells: cells(beneath)})
		}
	}
	return filled
}

func (t Table[R]) row(line R) *document.Row {
	if t.Row != nil {
		return t.Row(line)
	}
	itself, _ := any(line).(*document.Row)
	return itself
}

// Columns of rows that many tables have.
var (
	Library = By((*document.Row).Who)
	Kernel  = Told("Kernel", "实现", KernelText)
	Rate    = Shown("rate", "吞吐量", Speed, layout.FormatRate)
	Allocs  = Figure("allocs", "分配次数", AllocsEach)
	Secrets = Words("constant time", "常数时间", func(r *document.Row) layout.Cell { return ConstantTime(r) })
)

// By is the column of who does it, by a subject's name.
func By[R any](name func(R) string) Columns[R] {
	return Words("Library", "库", func(r R) layout.Cell { return Named(name(r)) })
}

// Named shows a subject's name, marked where it is our own engine.
func Named(name string) layout.Cell { return layout.Cell{Text: layout.Same(name), New: IsNew(name)} }

var GoroutinesColumn = layout.Text{EN: "goroutines", ZH: "goroutine 数"}

func Dash() layout.Cell { return layout.Cell{Text: layout.Same("–"), Faint: true} }

// Faintly shows words in the place of a number.
func Faintly(en, zh string) layout.Cell {
	return layout.Cell{Text: layout.Text{EN: en, ZH: zh}, Faint: true}
}

// ConstantTime is the weaker of both directions, its basis as a footnote.
func ConstantTime(rows ...*document.Row) layout.Cell {
	weakest := result.ConstantTime{Value: "yes"}
	for _, r := range rows {
		if r == nil {
			continue
		}
		ct := r.ConstantTime
		if weakest.Basis == "" || ct.Value == "no" || ct.Value == "unknown" && weakest.Value == "yes" {
			weakest = ct
		}
	}
	c := layout.Cell{Text: cmp.Or(map[string]layout.Text{"yes": Yes, "no": No}[weakest.Value], Unknown)}
	if weakest.Basis != "" {
		c.Footnotes = []layout.Text{reason.Said(weakest.Basis, weakest.Cause)}
	}
	return c
}

// Cell shows a row's rate, or why there is none.
func Cell(r *document.Row) layout.Cell {
	if r == nil {
		return Dash()
	}
	if rate, ok := Speed(r); ok {
		return r.ValueCell(layout.FormatRate(rate))
	}
	wrong := r.Status == result.Incorrect
	c := layout.Cell{Text: r.StatusText(), Struck: wrong, Faint: !wrong, Footnotes: r.Notes}
	if r.Reason != "" {
		c.Footnotes = append([]layout.Text{ReasonOf(r)}, c.Footnotes...)
	}
	return c
}

// AllocsEach is how often a row's call allocates, for each of its messages.
func AllocsEach(r *document.Row) layout.Cell {
	if r.AllocsPerOp == nil {
		return Dash()
	}
	return TextCell(layout.FormatCount(*r.AllocsPerOp / float64(MessagesOf(r))))
}

func TextCell(s string) layout.Cell { return layout.Cell{Text: layout.Same(s)} }

// NameCell names a row's primitive, with what is to be said of its security.
func NameCell(r *document.Row) layout.Cell {
	security, _ := SplitNotes(r.Notes, r.Security)
	return layout.Cell{Text: PrimitiveName(r), Footnotes: security}
}

// NonEmpty leaves out tables without rows.
func NonEmpty(tables ...layout.Table) []layout.Table {
	return slices.DeleteFunc(tables, func(t layout.Table) bool { return len(t.Rows) == 0 })
}

func BytesCell(n int) layout.Cell {
	if n == 0 {
		return TextCell("–")
	}
	return TextCell(strconv.Itoa(n) + " B")
}

// MetricCell shows a metric of a row, or that there is none.
func MetricCell(r *document.Row, name string, show func(float64) string) layout.Cell {
	if r != nil {
		if m, ok := r.Metrics[name]; ok {
			return TextCell(show(m.Value))
		}
	}
	return Dash()
}

// MetricShown is a column of a metric of all rows that have it.
func MetricShown(en, zh, name string, show func(float64) string) Columns[*document.Row] {
	return Figure(en, zh, func(r *document.Row) layout.Cell { return MetricCell(r, name, show) })
}

// MetricFigure is a column of a metric of rows that may be believed.
func MetricFigure(en, zh, name string, show func(float64) string) Columns[*document.Row] {
	return Shown(en, zh, func(r *document.Row) (float64, bool) {
		m, ok := Metric(r, name)
		return m.Value, ok
	}, show)
}

// Nanoseconds is the row's time where it may be shown.
func Nanoseconds(r *document.Row) (ns float64, ok bool) {
	if r == nil || r.Status != result.OK || r.NsPerOp == nil {
		return 0, false
	}
	return r.NsPerOp.Median, true
}

// Took is a row's time as words, a dash without one.
func Took(r *document.Row) string {
	ns, ok := Nanoseconds(r)
	if !ok {
		return "–"
	}
	return layout.FormatTime(ns)
}

// IsTimed says that a row has such a time.
func IsTimed(r *document.Row) bool {
	_, ok := Nanoseconds(r)
	return ok
}

// TimeCell shows a row's time, or why there is none.
func TimeCell(r *document.Row) layout.Cell {
	if ns, ok := Nanoseconds(r); ok {
		return r.ValueCell(layout.FormatTime(ns))
	}
	return Cell(r)
}

// TimeBeside is the time of each of a row's messages where its rate stands beside it, with what is to be noted.
func TimeBeside(r *document.Row) layout.Cell {
	c := MessageTime(r)
	c.Footnotes = nil
	return c
}

var EachTime = Figure("time", "每次耗时", TimeBeside)

// PerSecond is how often a CPU does what a row does in a second.
func PerSecond(r *document.Row) layout.Cell {
	if ns, ok := Nanoseconds(r); ok {
		return TextCell(layout.FormatNumber(1e9 / ns))
	}
	return TextCell("–")
}

// CallTime is a row's time of a call on its clock, WallTime that of the wall's; neither
// asks whether the row may be believed.
func CallTime(r *document.Row) layout.Cell {
	return median(r, func(r *document.Row) *document.Estimate { return r.NsPerOp })
}

func WallTime(r *document.Row) layout.Cell {
	return median(r, func(r *document.Row) *document.Estimate { return r.WallNsPerOp })
}

func median(r *document.Row, of func(*document.Row) *document.Estimate) layout.Cell {
	if r == nil || of(r) == nil {
		return Dash()
	}
	return TextCell(layout.FormatTime(of(r).Median))
}

// P50, P95, P99 and P999 pick one of a distribution's percentiles; nil where there is none.
func P50(d *document.Distribution) *float64  { return &d.P50 }
func P95(d *document.Distribution) *float64  { return d.P95 }
func P99(d *document.Distribution) *float64  { return d.P99 }
func P999(d *document.Distribution) *float64 { return d.P999 }

// Quantile shows such a one of a distribution of times.
func Quantile(of func(*document.Distribution) *float64) func(*document.Distribution) layout.Cell {
	return func(d *document.Distribution) layout.Cell {
		if d == nil || of(d) == nil {
			return Dash()
		}
		return TextCell(layout.FormatTime(*of(d)))
	}
}
