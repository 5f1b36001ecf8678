package answer

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

// Intervals says under a chart of ratios what its intervals are.
var Intervals = layout.Text{
	EN: "Of the verdicts shown, at most 1 in 100 is expected to be wrong. Intervals are widened by the noise floor. " +
		"Differences within ±0.5 % count as the same speed.",
	ZH: "所列判定中，预期至多 1% 有误。置信区间已按本底噪声放宽。差异在 ±0.5% 以内视为速度相同。",
}

var HeadlineSpeeds = layout.Text{EN: "Headline comparisons: speed of the first over the second", ZH: "主要比较：前者相对后者的速度"}

// Headlines are the headline comparisons, in the plan's order.
func (v *View) Headlines() []*document.Comparison {
	return Select(v.Comparisons, func(c *document.Comparison) bool { return c.Headline })
}

// SizesOfHeadlines are the sizes that have a headline comparison, in the plan's order.
func (v *View) SizesOfHeadlines() []int64 {
	return Values(document.Mapped(v.Headlines(), func(c *document.Comparison) *document.Row { return v.ByID[c.Base] }), BytesOf, nil)
}

// Ratios draws comparisons, each under the label that its rows have; those that have none
// are left out. Without a caption it says what the intervals are, and there is no chart
// without ratios.
func (v *View) Ratios(title, caption layout.Text, comparisons []*document.Comparison,
	label func(base, other *document.Row) layout.Text) []layout.Chart {
	chart := layout.Chart{Title: title, Caption: cmp.Or(caption, Intervals)}
	for _, c := range comparisons {
		named := label(v.ByID[c.Base], v.ByID[c.Other])
		if c.Ratio == 0 || named == (layout.Text{}) {
			continue
		}
		chart.Ratios = append(chart.Ratios, c.AsRatio(named))
	}
	if len(chart.Ratios) == 0 {
		return nil
	}
	return []layout.Chart{chart}
}

// RatioChart draws the headline comparisons under the usual title.
func (v *View) RatioChart(label func(base, other *document.Row) layout.Text) []layout.Chart {
	return v.Ratios(HeadlineSpeeds, layout.Text{}, v.Headlines(), label)
}

// Line is a line of a chart before it is drawn.
type Line struct {
	Name layout.Text
	New  bool
	Rows []*document.Row // nil where one is missing
}

// LinesOf are the lines of at least so many rows.
func LinesOf(least int, lines []Line) []Line {
	return Select(lines, func(l Line) bool { return len(l.Rows) >= least })
}

// Lines draws lines, each row of one at its point; it is no chart without a line. Beside
// speed over size stands the cost model of the rows.
func (v *View) Lines(chart layout.Chart, lines []Line, point func(*document.Row) (layout.Point, bool)) []layout.Chart {
	for _, l := range lines {
		s := layout.Series{Name: l.Name, New: l.New}
		for _, r := range l.Rows {
			s.Struck = s.Struck || r != nil && r.Status == result.Incorrect
			if p, ok := point(r); ok {
				s.Points = append(s.Points, p)
				if chart.X == (layout.Axis{}) {
					s.Model = v.Model(r.ID)
				}
			}
		}
		if len(s.Points) > 0 || s.Struck {
			chart.Series = append(chart.Series, s)
		}
	}
	if len(chart.Series) == 0 {
		return nil
	}
	return []layout.Chart{chart}
}

// Point is a row's rate over its size.
func Point(r *document.Row) (layout.Point, bool) {
	y, ok := Speed(r)
	if !ok {
		return layout.Point{}, false
	}
	p := layout.Point{X: float64(r.Bytes), Y: y, Low: y, High: y, RowID: r.ID}
	if e := r.NsPerOp; e != nil && e.Low != nil && e.High != nil {
		// A short time is a high rate: the ends change places.
		p.Low, p.High = p.X/(*e.High)*1e9, p.X/(*e.Low)*1e9
	}
	return p, true
}

// Over is a row's rate over something else of it.
func Over[N int | int64](x func(*document.Row) N) func(*document.Row) (layout.Point, bool) {
	return func(r *document.Row) (layout.Point, bool) {
		p, ok := Point(r)
		p.X = float64(x(r))
		return p, ok
	}
}

// TimePoint is a row's time over x.
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

// OverLoad draws the 99th percentile of the latency of rows that have it over their load, for lines of two rows and more.
func (v *View) OverLoad(title, caption layout.Text, lines []Line) []layout.Chart {
	chart := layout.Chart{Title: title, Caption: caption,
		X: layout.Axis{Title: layout.Text{EN: "load", ZH: "负载"}, Unit: "%"},
		Y: layout.Axis{Title: layout.Text{EN: "latency", ZH: "延迟"}, Unit: "ns"}}
	return v.Lines(chart, LinesOf(2, lines), func(r *document.Row) (layout.Point, bool) {
		y := *v.Believed(r, "latency").P99
		return layout.Point{X: float64(parameter.Load.In(r.Parameters)), Y: y, Low: y, High: y, RowID: r.ID}, true
	})
}

var ChunkAxis = layout.Axis{Title: layout.Text{EN: "chunk size", ZH: "分块大小"}, Unit: "B"}

var TimeAxis = layout.Axis{Title: layout.Text{EN: "time of a call", ZH: "单次耗时"}, Unit: "ns"}

// Model is the cost model that a row took part in, as a rate over size.
func (v *View) Model(id string) func(float64) float64 {
	for _, f := range v.Doc.Fits {
		if f.OK && f.Model == "affine" && slices.Contains(f.RowIDs, id) {
			fixed, perByte := f.Terms["fixed_ns"], f.Terms["ns_per_byte"]
			return func(n float64) float64 { return n / (fixed + perByte*n) * 1e9 }
		}
	}
	return nil
}

// Contrast names two rows by what tells them apart, and what they share after it.
func (v *View) Contrast(base, other *document.Row) layout.Text {
	parts := func(r *document.Row) []layout.Text {
		name := CipherText(r)
		if r.Mode == algorithm.OneBlock {
			name = layout.Say("%s one block", "%s 单个分组", r.Algorithm)
		}
		return []layout.Text{name, Operation(r.Operation), document.KernelText(v.Name(r)), length(r)}
	}
	return layout.Contrast(parts(other), parts(base))
}

// ContrastKeys names two rows of key pairs by what tells them apart.
func ContrastKeys(base, other *document.Row) layout.Text {
	parts := func(r *document.Row) []layout.Text {
		return []layout.Text{layout.Same(r.Algorithm), paddedOperation(r), keyHeld(r), layout.Same(r.Who())}
	}
	return layout.Contrast(parts(other), parts(base))
}
