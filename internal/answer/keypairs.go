package answer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// What the answers about key pairs have in common: operations that have a time and
// no rate, named by algorithm, padding and how a key is held.

// KeyOperation names what is done with a key pair in both languages.
func KeyOperation(op string) layout.Text {
	switch op {
	case algorithm.Sign:
		return layout.Text{EN: "signing", ZH: "签名"}
	case algorithm.Verify:
		return layout.Text{EN: "verifying", ZH: "验签"}
	case algorithm.Generate:
		return layout.Text{EN: "key generation", ZH: "密钥生成"}
	case algorithm.Precompute:
		return layout.Text{EN: "Precompute", ZH: "预计算（Precompute）"}
	}
	switch op {
	case algorithm.Encapsulate, algorithm.Decapsulate, algorithm.Session, algorithm.SessionKey:
		return ExchangeOperation(op)
	}
	return Operation(op)
}

// heldText is how a private key is held, or what else its parameters say.
func heldText(parameters string) layout.Text {
	switch {
	case parameters == "crt=no":
		return layout.Text{EN: "without primes (no CRT)", ZH: "无素因子（不用 CRT）"}
	case parameters == "precomputed=no":
		return layout.Text{EN: "not precomputed", ZH: "未预计算"}
	case parameters == "za=precomputed":
		return layout.Text{EN: "ZA computed once", ZH: "ZA 预先算好"}
	case strings.HasPrefix(parameters, "draws="):
		return layout.Text{}
	}
	return layout.Same(parameters)
}

// CaseText names what a row does, without who does it.
func CaseText(r *document.Row) layout.Text {
	parts := []layout.Text{KeyOperation(r.Operation)}
	if r.Mode != "" {
		parts = append([]layout.Text{layout.Same(algorithm.Padding(r.Mode))}, parts...)
	}
	text := layout.Say("%s", "%s", parts[0])
	if len(parts) > 1 {
		text = layout.Say("%s %s", "%s %s", parts[0], parts[1])
	}
	if held := heldText(r.Parameters); held.EN != "" {
		text = layout.Say("%s, %s", "%s，%s", text, held)
	}
	return text
}

// Nanoseconds is the row's time where it may be shown.
func Nanoseconds(r *document.Row) (ns float64, ok bool) {
	if r == nil || r.Status != result.OK || r.NsPerOp == nil {
		return 0, false
	}
	return r.NsPerOp.Median, true
}

// TimeCell shows a row's time, or why there is none.
func TimeCell(r *document.Row) layout.Cell {
	ns, ok := Nanoseconds(r)
	if !ok {
		return Cell(r)
	}
	return layout.Cell{Text: layout.Same(layout.FormatTime(ns)), Footnotes: r.Notes}
}

// PerSecond is how often a CPU does what a row does in a second.
func PerSecond(r *document.Row) layout.Cell {
	if ns, ok := Nanoseconds(r); ok {
		return TextCell(layout.FormatNumber(1e9 / ns))
	}
	return TextCell("–")
}

func microText(ns float64) string {
	us := ns / 1000
	switch {
	case us >= 9999.5:
		return fmt.Sprintf("%.0f", us)
	case us >= 99.995:
		return fmt.Sprintf("%.1f", us)
	}
	return fmt.Sprintf("%.2f", us)
}

// Micro are the columns of a row's microseconds, their interval, and operations per
// second of a CPU, and what a call allocates.
var Micro = slices.Concat(
	Figure("time in µs", "耗时（微秒）", func(r *document.Row) layout.Cell {
		if ns, ok := Nanoseconds(r); ok {
			return layout.Cell{Text: layout.Same(microText(ns)), Footnotes: r.Notes}
		}
		return Cell(r)
	}),
	Figure("interval", "置信区间", func(r *document.Row) layout.Cell {
		if _, ok := Nanoseconds(r); ok && r.NsPerOp.Low != nil && r.NsPerOp.High != nil {
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
	return Table[*document.Row]{Title: title, Row: Itself, Columns: []Columns[*document.Row]{
		Words("Scheme", "算法", func(r *document.Row) layout.Cell { return TextCell(r.Algorithm) }), Library,
		Words("Operation", "操作",
			func(r *document.Row) layout.Cell { return layout.Cell{Text: CaseText(r)} }), Micro}}.Of(rows)
}

// Strength and PostQuantum are columns of what is known of an algorithm.
var (
	Strength = Figure("strength", "强度",
		func(a algorithm.Algorithm) layout.Cell { return TextCell(strconv.Itoa(a.Strength)) })

	PostQuantum = Words("PQ", "抗量子", func(a algorithm.Algorithm) layout.Cell {
		if a.PostQuantum {
			return layout.Cell{Text: Yes}
		}
		return layout.Cell{Text: No}
	})
)

// OverBytes draws what rows cost in time over what they cost in bytes, a line each.
func (v *View) OverBytes(axis, title layout.Text, rows []*document.Row, bytes func(*document.Row) int) []layout.Chart {
	var lines []Line
	for _, r := range rows {
		if _, ok := Nanoseconds(r); ok {
			lines = append(lines, Line{Name: layout.Same(r.Algorithm + " " + r.Who()), Rows: []*document.Row{r}})
		}
	}
	if len(lines) < 2 {
		return nil
	}
	return v.Lines(layout.Chart{Title: title, X: layout.Axis{Title: axis, Unit: "B"}, Y: TimeAxis,
		Caption: layout.Text{EN: "Further left and lower is cheaper.", ZH: "越靠左下越省。"}}, lines,
		func(r *document.Row) (layout.Point, bool) { return TimePoint(r, float64(bytes(r))) })
}

// KeyRatios draws the headline comparisons of key pairs.
func (v *View) KeyRatios() []layout.Chart { return v.RatioChart(ContrastKeys) }

// RatioChart draws the headline comparisons of an experiment.
func (v *View) RatioChart(label func(base, other *document.Row) layout.Text) []layout.Chart {
	return v.Ratios(HeadlineSpeeds, layout.Text{}, v.Headlines(), label)
}

// HeadlineRatios is the chart of the headline comparisons, which may be empty.
func (v *View) HeadlineRatios() (chart layout.Chart) {
	for _, c := range v.RatioChart(v.Contrast) {
		chart = c
	}
	return chart
}
