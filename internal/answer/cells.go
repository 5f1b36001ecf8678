package answer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

var PathColumn = TextColumn("Call path", "调用方式")

var GoroutinesColumn = layout.Text{EN: "goroutines", ZH: "goroutine 数"}

var OperationColumn = TextColumn("Operation", "操作")

func Dash() layout.Cell { return layout.Cell{Text: layout.Same("–"), Faint: true} }

// Faintly shows words in the place of a number.
func Faintly(en, zh string) layout.Cell {
	return layout.Cell{Text: layout.Text{EN: en, ZH: zh}, Faint: true}
}

// CallBytes prints bytes per call; a pool that the collector empties now and then
// allocates a fraction of one.
func CallBytes(x float64) string {
	if x < 999.5 {
		return fmt.Sprintf("%.0f B", x)
	}
	return strings.TrimSuffix(layout.FormatRate(x), "/s")
}

var CipherColumn = TextColumn("Cipher", "算法")

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
	c := layout.Cell{Text: Unknown}
	switch weakest.Value {
	case "yes":
		c.Text = Yes
	case "no":
		c.Text = No
	}
	if weakest.Basis != "" {
		c.Footnotes = []layout.Text{reason.Said(weakest.Basis, weakest.Cause)}
	}
	return c
}

var ModeColumn = layout.Column{Title: layout.Text{EN: "Mode", ZH: "工作模式"}}

var LibraryColumn = layout.Column{Title: layout.Text{EN: "Library", ZH: "库"}}

func TextColumn(en, zh string) layout.Column {
	return layout.Column{Title: layout.Text{EN: en, ZH: zh}}
}

func NumberColumn(t layout.Text) layout.Column { return layout.Column{Title: t, Numeric: true} }

// Cell shows a row's rate, or why there is none.
func Cell(r *document.Row) layout.Cell {
	if r == nil {
		return layout.Cell{Text: layout.Same("–"), Faint: true}
	}
	c := layout.Cell{Footnotes: r.Notes}
	if rate, ok := Speed(r); ok {
		c.Text = layout.Same(layout.FormatRate(rate))
		return c
	}
	c.Text = r.StatusText()
	c.Struck = r.Status == result.Incorrect
	c.Faint = !c.Struck
	if r.Reason != "" {
		c.Footnotes = append([]layout.Text{ReasonOf(r)}, c.Footnotes...)
	}
	return c
}

func Allocations(r *document.Row) layout.Cell {
	if r.AllocsPerOp == nil {
		return layout.Cell{Text: layout.Same("–"), Faint: true}
	}
	return layout.Cell{Text: layout.Same(layout.FormatCount(*r.AllocsPerOp))}
}

// Fits are the models of a kind that rest on the question's rows, and FitRow the first of
// those.
func (v *View) Fits(model string) (fits []*document.Fit) {
	for i := range v.Doc.Fits {
		if f := &v.Doc.Fits[i]; f.Model == model && len(f.RowIDs) > 0 && v.FitRow(f) != nil {
			fits = append(fits, f)
		}
	}
	return fits
}

func (v *View) FitRow(f *document.Fit) *document.Row { return v.ByID[f.RowIDs[0]] }

// Costs shows the cost models: what a message costs before its first byte, the
// rate of long messages, and the size at which half of it is reached.
func (v *View) Costs() layout.Table {
	return Table[*document.Fit]{
		Title: layout.Text{EN: "Cost of a message: fixed part, rate, and n½", ZH: "单条消息的代价：固定开销、渐近吞吐量与 n½"},
		Caption: layout.Text{
			EN: "Fitted as t(n) = fixed + n / rate over all sizes; n½ is the size at which half of the rate is reached.",
			ZH: "按 t(n) = 固定开销 + n / 吞吐量 对所有长度拟合；n½ 为达到渐近吞吐量一半时的消息长度。"},
		Row: v.FitRow,
		Columns: []Columns[*document.Fit]{
			On(v.FitRow,
				Words("Mode", "工作模式", func(r *document.Row) layout.Cell { return TextCell(CaseName(r.Algorithm, r.Mode)) }),
				Words("Library", "库", func(r *document.Row) layout.Cell { return Named(v.Name(r)) }),
				Words("Operation", "操作", func(r *document.Row) layout.Cell { return layout.Cell{Text: Operation(r.Operation)} })),
			Fitted,
		},
	}.Of(v.Fits(document.ModelAffine))
}

// Fitted are the columns of a cost model: fixed part, rate, n½ and misfit.
var Fitted = slices.Concat(
	FitFigure("fixed", "固定开销", NoFit, func(f *document.Fit) string { return layout.FormatTime(f.Terms["fixed_ns"]) }),
	FitFigure("rate", "渐近吞吐量", nil,
		func(f *document.Fit) string { return layout.FormatRate(f.Terms["bytes_per_second"]) }),
	FitFigure("n½", "n½", nil,
		func(f *document.Fit) string { return layout.FormatNumber(f.Terms["half_size_bytes"]) + " B" }),
	Misfit)

// FitFigure is a column of a number of models; of those that were refused it shows what
// refused does, or a dash for nil.
func FitFigure(en, zh string, refused func(document.Fit) layout.Cell,
	text func(*document.Fit) string) Columns[*document.Fit] {
	return Figure(en, zh, func(f *document.Fit) layout.Cell {
		switch {
		case f.OK:
			return TextCell(text(f))
		case refused != nil:
			return refused(*f)
		}
		return TextCell("–")
	})
}

// FitCells are the cells of a model.
func FitCells(f document.Fit) (cells []layout.Cell) {
	for _, c := range Fitted {
		cells = append(cells, c.cell(&f))
	}
	return cells
}

// NoFit stands where a model was refused.
func NoFit(f document.Fit) layout.Cell {
	c := Faintly("no fit", "不拟合")
	c.Footnotes = []layout.Text{reason.Words(f.Reason)}
	return c
}

// Misfit is by how much a model misses.
var Misfit = Figure("misfit (rms)", "拟合误差（均方根）",
	func(f *document.Fit) layout.Cell { return TextCell(layout.FormatShare(f.RMS)) })

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

var ChunkColumn = layout.Column{Title: layout.Text{EN: "Chunk", ZH: "分块"}}

// MetricCell shows a metric of a row, or that there is none.
func MetricCell(r *document.Row, name string, show func(float64) string) layout.Cell {
	if r != nil {
		if m, ok := r.Metrics[name]; ok {
			return TextCell(show(m.Value))
		}
	}
	return Dash()
}

// MetricFigure is a column of a metric of rows that may be believed.
func MetricFigure(en, zh, name string, show func(float64) string) Columns[*document.Row] {
	return Figure(en, zh, func(r *document.Row) layout.Cell {
		if m, ok := Metric(r, name); ok {
			return TextCell(show(m.Value))
		}
		return Dash()
	})
}

// CallTime is a row's time of a call on its clock, WallTime that of the wall's; neither
// asks whether the row may be believed.
func CallTime(r *document.Row) layout.Cell {
	if r == nil {
		return Dash()
	}
	return median(r.NsPerOp)
}

func WallTime(r *document.Row) layout.Cell {
	if r == nil {
		return Dash()
	}
	return median(r.WallNsPerOp)
}

func median(e *document.Estimate) layout.Cell {
	if e == nil {
		return Dash()
	}
	return TextCell(layout.FormatTime(e.Median))
}
