package answer

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Table is a table before it is filled: a line of it shows an R, by its columns.
type Table[R any] struct {
	Title   layout.Text
	Caption layout.Text
	Columns []Columns[R]
	Row     func(R) *document.Row // that a line rests on; nil where a line has several
	Group   func(R) layout.Text   // the heading above lines that have the same
}

// Columns are one or more columns beside each other: titles, and what an R has below them.
type Columns[R any] []column[R]

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
	columns := slices.Concat(t.Columns...)
	filled := layout.Table{Title: t.Title, Caption: t.Caption}
	for _, c := range columns {
		filled.Columns = append(filled.Columns, c.Column)
	}
	var last layout.Text
	for _, r := range lines {
		line := layout.TableRow{}
		if t.Row != nil && t.Row(r) != nil {
			line.RowID = t.Row(r).ID
		}
		if t.Group != nil && t.Group(r) != last {
			last = t.Group(r)
			line.Group = last
		}
		for _, c := range columns {
			line.Cells = append(line.Cells, c.cell(r))
		}
		filled.Rows = append(filled.Rows, line)
	}
	return filled
}

// Itself is the row that a line shows, of a table with a line a row.
func Itself(r *document.Row) *document.Row { return r }

// Columns of rows that many tables have.
var (
	Library = Words("Library", "库", WhoCell)
	Kernel  = Words("Kernel", "实现", func(r *document.Row) layout.Cell { return layout.Cell{Text: KernelText(r)} })
	Allocs  = Figure("allocs", "分配次数", Allocations)
	Secrets = Words("constant time", "常数时间", func(r *document.Row) layout.Cell { return ConstantTime(r) })
)

// WhoCell names who does a row, marked where it is our own engine.
func WhoCell(r *document.Row) layout.Cell { return Named(r.Who()) }

// Named shows a subject's name, marked where it is our own engine.
func Named(name string) layout.Cell { return layout.Cell{Text: layout.Same(name), New: IsNew(name)} }
