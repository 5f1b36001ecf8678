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

// RatioChart draws the headline comparisons of an experiment.
func (v *View) RatioChart(label func(base, other *document.Row) layout.Text) []layout.Chart {
	return v.Ratios(HeadlineSpeeds, layout.Text{}, v.Headlines(), label)
}

var LengthAxis = layout.Axis{Title: layout.Text{EN: "key length", ZH: "密钥长度"}, Unit: "bit"}

// HeadlineRatios is the chart of the headline comparisons, which may be empty.
func (v *View) HeadlineRatios() (chart layout.Chart) {
	for _, c := range v.RatioChart(v.Contrast) {
		chart = c
	}
	return chart
}
