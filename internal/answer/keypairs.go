package answer

import (
	"fmt"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// What the answers about key pairs have in common: operations that have a time and
// no rate, named by algorithm, padding and how a key is held.

// KeyOperation names what is done with a key pair in both languages.
func KeyOperation(op string) layout.Text {
	switch op {
	case "sign":
		return layout.Text{EN: "signing", ZH: "签名"}
	case "verify":
		return layout.Text{EN: "verifying", ZH: "验签"}
	case "generate":
		return layout.Text{EN: "key generation", ZH: "密钥生成"}
	case "precompute":
		return layout.Text{EN: "Precompute", ZH: "预计算（Precompute）"}
	}
	switch op {
	case "encapsulate", "decapsulate", "session", "session-key":
		return ExchangeOperation(op)
	}
	return Operation(op)
}

// paddings are the modes of RSA as people write them.
var paddings = map[string]string{"PSS-SHA-256": "PSS", "OAEP-SHA-256": "OAEP", "PKCS1v15": "PKCS #1 v1.5", "PKCS1v15-SHA-256": "PKCS #1 v1.5"}

func Padding(mode string) string {
	if name, ok := paddings[mode]; ok {
		return name
	}
	return mode
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
		parts = append([]layout.Text{layout.Same(Padding(r.Mode))}, parts...)
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

// MicroCells are a row's microseconds, their interval, and operations per second
// of a CPU.
func MicroCells(r *document.Row) []layout.Cell {
	ns, ok := Nanoseconds(r)
	if !ok {
		return []layout.Cell{Cell(r), TextCell("–"), TextCell("–")}
	}
	between := TextCell("–")
	if e := r.NsPerOp; e.Low != nil && e.High != nil {
		between = TextCell(microText(*e.Low) + "–" + microText(*e.High))
	}
	return []layout.Cell{{Text: layout.Same(microText(ns)), Footnotes: r.Notes}, between, TextCell(layout.FormatNumber(1e9 / ns))}
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

var MicroColumns = []layout.Column{NumberColumn(layout.Text{EN: "time in µs", ZH: "耗时（微秒）"}), NumberColumn(layout.Text{EN: "interval", ZH: "置信区间"}),
	NumberColumn(layout.Text{EN: "per CPU-second", ZH: "每 CPU 每秒次数"})}

func AllocationCells(r *document.Row) []layout.Cell {
	cells := []layout.Cell{Allocations(r), TextCell("–")}
	if r.AllocBytesPerOp != nil {
		cells[1] = TextCell(layout.FormatCount(*r.AllocBytesPerOp))
	}
	return cells
}

var AllocationColumns = []layout.Column{NumberColumn(layout.Text{EN: "allocs", ZH: "分配次数"}), NumberColumn(layout.Text{EN: "bytes", ZH: "分配字节"})}

// Times words how many times as long base takes as other, whose speed is compared
// with it: the ratio of a comparison that others read as a speed.
func Times(c *document.Comparison) string {
	return Factor(c.Ratio) + " (" + Interval(*c.Low, *c.High) + ")"
}

// TimesSlower is the same the other way round: how many times as long other takes.
func TimesSlower(c *document.Comparison) string {
	return Factor(1/c.Ratio) + " (" + Interval(1/(*c.High), 1/(*c.Low)) + ")"
}

// Decided says whether a comparison has a verdict that is a difference.
func Decided(c *document.Comparison, verdict string) bool { return c != nil && c.Verdict == verdict }

// RatioChart draws the headline comparisons of an experiment.
func (v *View) RatioChart(label func(base, other *document.Row) layout.Text) []layout.Chart {
	chart := layout.Chart{Kind: layout.Ratios,
		Title: layout.Text{EN: "Headline comparisons: speed of the first over the second", ZH: "主要比较：前者相对后者的速度"},
		Caption: layout.Text{EN: "Intervals hold for all headline comparisons together at 99 %, and are widened by the noise floor. Differences within ±0.5 % count as the same speed.",
			ZH: "置信区间对全部主要比较同时成立（合计 99 %），并已按本底噪声放宽。差异在 ±0.5 % 以内视为速度相同。"}}
	for _, c := range v.Doc.Comparisons {
		base, other := v.ByID[c.Base], v.ByID[c.Other]
		if !c.Headline || base == nil || other == nil || c.Ratio == 0 {
			continue
		}
		r := layout.Ratio{Label: label(base, other), Value: c.Ratio, Verdict: c.Verdict, ID: c.ID}
		if c.Low != nil && c.High != nil {
			r.Low, r.High, r.HasInterval = *c.Low, *c.High, true
		}
		chart.Ratios = append(chart.Ratios, r)
	}
	if len(chart.Ratios) == 0 {
		return nil
	}
	return []layout.Chart{chart}
}

// TimePoint is a row's time as a point of a chart.
func TimePoint(r *document.Row, x float64) (layout.Point, bool) {
	ns, ok := Nanoseconds(r)
	if !ok || x <= 0 {
		return layout.Point{}, false
	}
	p := layout.Point{X: x, Y: ns, Low: ns, High: ns, RowID: r.ID}
	if e := r.NsPerOp; e.Low != nil && e.High != nil {
		p.Low, p.High = *e.Low, *e.High
	}
	return p, true
}

var (
	TimeAxis   = layout.Axis{Title: layout.Text{EN: "time of a call", ZH: "单次耗时"}, Unit: "ns"}
	LengthAxis = layout.Axis{Title: layout.Text{EN: "key length", ZH: "密钥长度"}, Unit: "bit"}
)
