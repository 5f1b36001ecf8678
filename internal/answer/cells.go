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

func Allocations(r *document.Row) layout.Cell {
	if r.AllocsPerOp == nil {
		return Dash()
	}
	return TextCell(layout.FormatCount(*r.AllocsPerOp))
}

func TextCell(s string) layout.Cell { return layout.Cell{Text: layout.Same(s)} }

// NameCell names a row's primitive, with what is to be said of its security.
func NameCell(r *document.Row) layout.Cell {
	security, _ := SplitNotes(r.Notes, r.Security)
	return layout.Cell{Text: PrimitiveName(r), Footnotes: security}
}

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
	return Figure(en, zh, func(r *document.Row) layout.Cell {
		if m, ok := Metric(r, name); ok {
			return TextCell(show(m.Value))
		}
		return Dash()
	})
}

// Nanoseconds is the row's time where it may be shown.
func Nanoseconds(r *document.Row) (ns float64, ok bool) {
	if r == nil || r.Status != result.OK || r.NsPerOp == nil {
		return 0, false
	}
	return r.NsPerOp.Median, true
}

func TimeCell(r *document.Row) layout.Cell {
	if ns, ok := Nanoseconds(r); ok {
		return r.ValueCell(layout.FormatTime(ns))
	}
	return Cell(r)
}

// TimeBeside is a row's time where its rate stands beside it, with what is to be noted.
func TimeBeside(r *document.Row) layout.Cell {
	c := TimeCell(r)
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

// P50 and P99 pick one of a distribution's percentiles; nil where there is none.
func P50(d *document.Distribution) *float64 { return &d.P50 }
func P99(d *document.Distribution) *float64 { return d.P99 }

// Quantile shows such a one of a distribution of times.
func Quantile(of func(*document.Distribution) *float64) func(*document.Distribution) layout.Cell {
	return func(d *document.Distribution) layout.Cell {
		if d == nil || of(d) == nil {
			return Dash()
		}
		return TextCell(layout.FormatTime(*of(d)))
	}
}
