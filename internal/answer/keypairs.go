package answer

import (
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// What the answers about key pairs have in common: operations that have a time and
// no rate, named by algorithm, padding and how a key is held.

func microText(ns float64) string { return layout.Fixed(ns/1000, 9999.5, 99.995) }

// Micro are the columns of a row's microseconds, their interval, and operations per
// second of a CPU, and what a call allocates.
var Micro = slices.Concat(
	Figure("time in µs", "耗时（微秒）", func(r *document.Row) layout.Cell {
		if ns, ok := Nanoseconds(r); ok {
			return r.ValueCell(microText(ns))
		}
		return Cell(r)
	}),
	Figure("interval", "置信区间", func(r *document.Row) layout.Cell {
		if IsTimed(r) && r.NsPerOp.Low != nil && r.NsPerOp.High != nil {
			return TextCell(microText(*r.NsPerOp.Low) + "–" + microText(*r.NsPerOp.High))
		}
		return TextCell("–")
	}),
	Figure("per CPU-second", "每 CPU 每秒次数", PerSecond),
	Allocs,
	Figure("bytes", "分配字节", func(r *document.Row) layout.Cell {
		if r.AllocBytesPerOp == nil {
			return TextCell("–")
		}
		return TextCell(layout.FormatCount(*r.AllocBytesPerOp))
	}),
)

// KeyTable lists rows with their intervals and allocations.
func KeyTable(title layout.Text, rows []*document.Row) layout.Table {
	return Table[*document.Row]{Title: title, Columns: []Columns[*document.Row]{
		Titled("Scheme", "算法", AlgorithmOf), Library, Told("Operation", "操作", CaseText), Micro}}.Of(rows)
}

// Strength and PostQuantum are columns of what is known of an algorithm.
var (
	Strength = Printed("strength", "强度", func(a algorithm.Algorithm) string { return strconv.Itoa(a.Strength) })

	PostQuantum = Told("PQ", "抗量子", func(a algorithm.Algorithm) layout.Text {
		if a.PostQuantum {
			return Yes
		}
		return No
	})
)

// OverBytes draws what rows cost in time over what they cost in bytes, a line each.
func (v *View) OverBytes(axis, title layout.Text, rows []*document.Row, bytes func(*document.Row) int) []layout.Chart {
	lines := document.Mapped(Select(rows, IsTimed), func(r *document.Row) Line {
		return Line{Name: layout.Same(r.Algorithm + " " + r.Who()), Rows: []*document.Row{r}}
	})
	if len(lines) < 2 {
		return nil
	}
	return v.Lines(layout.Chart{Title: title, X: layout.Axis{Title: axis, Unit: "B"}, Y: TimeAxis,
		Caption: layout.Text{EN: "Further left and lower is cheaper.", ZH: "越靠左下越省。"}}, lines,
		func(r *document.Row) (layout.Point, bool) { return TimePoint(r, float64(bytes(r))) })
}
