package render

import (
	"html/template"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/stat"
)

// The ratio chart is a table whose middle column is drawn: a line a comparison,
// so that labels wrap, values are text and every line can be linked to.

// ratioHeight is the height of one line in pixels.
const ratioHeight = 30

// ratioOver is how far the grid reaches beyond a line, to meet its neighbours'
// where a label of two lines makes the row higher.
const ratioOver = 5

// ratioAxis is the axis that the lines of one chart share.
type ratioAxis struct {
	logScale
	marks []float64
}

// newRatioAxis covers the ratios, their intervals and the margin.
func newRatioAxis(ratios []layout.Ratio) ratioAxis {
	values := []float64{1 - 4*stat.Margin, 1 + 4*stat.Margin}
	for _, r := range ratios {
		values = append(values, r.Value)
		if r.HasInterval {
			values = append(values, r.Low, r.High)
		}
	}
	s := covering(values, 0.04)
	return ratioAxis{s, ratioTicks(s)}
}

// svgAxis draws the axis' labels.
func (a ratioAxis) svgAxis() template.HTML {
	var p svgPen
	p.open("svg", "class", "ratio", "width", "100%", "height", "20", "overflow", "visible", "aria-hidden", "true")
	for _, v := range a.marks {
		p.text(layout.Same(strconv.FormatFloat(v, 'g', 4, 64)+"×"), layout.Text{}, "class", "tick", "x", svgPercent(a.at(v)), "y", "13", "text-anchor", "middle")
	}
	p.close("svg")
	return p.html()
}

// svgLine draws one ratio over the margin, its interval and its verdict's sign.
func (a ratioAxis) svgLine(r layout.Ratio, lang layout.Lang) template.HTML {
	var p svgPen
	label := spokenRatio(r)
	h, mid := strconv.Itoa(ratioHeight), svgPixels(ratioHeight/2.0)
	above, below := svgPixels(-ratioOver), svgPixels(ratioHeight+ratioOver)
	p.open("svg", "class", "ratio", "role", "img", "width", "100%", "height", h, "overflow", "visible",
		"aria-label", label.In(lang), "data-label-en", label.EN, "data-label-zh", label.ZH)
	p.title(ratioTitle(r))
	for _, v := range a.marks {
		x := svgPercent(a.at(v))
		p.el("line", "class", "grid", "x1", x, "x2", x, "y1", above, "y2", below)
	}
	lo, hi := a.at(1/(1+stat.Margin)), a.at(1+stat.Margin)
	p.el("rect", "class", "margin", "x", svgPercent(lo), "width", svgPercent(hi-lo), "y", above, "height", svgPixels(ratioHeight+2*ratioOver))
	one := svgPercent(a.at(1))
	p.el("line", "class", "unity", "x1", one, "x2", one, "y1", above, "y2", below)
	if r.HasInterval {
		p.el("line", "class", "interval "+verdictClass(r.Verdict), "x1", svgPercent(a.at(r.Low)), "x2", svgPercent(a.at(r.High)), "y1", mid, "y2", mid)
		for _, v := range []float64{r.Low, r.High} {
			p.marker("interval "+verdictClass(r.Verdict), "M0-5V5", a.at(v), ratioHeight/2.0)
		}
	}
	p.marker("marker "+verdictClass(r.Verdict), verdictShape(r.Verdict), a.at(r.Value), ratioHeight/2.0)
	p.close("svg")
	return p.html()
}

func verdictClass(v string) string {
	switch v {
	case "faster", "slower", "same":
		return "v-" + v
	}
	return "v-inconclusive"
}

// verdictShape points to the side the verdict says.
func verdictShape(v string) string {
	switch v {
	case "faster":
		return "M-4.5-6L6 0L-4.5 6Z"
	case "slower":
		return "M4.5-6L-6 0L4.5 6Z"
	case "same":
		return "M-4.2-4.2H4.2V4.2H-4.2Z"
	}
	return "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0Z"
}

func ratioTitle(r layout.Ratio) string {
	s := layout.FormatRatio(r.Value) + "×"
	if r.HasInterval {
		s += " " + ratioSpan(r)
	}
	return s
}

func ratioSpan(r layout.Ratio) string {
	return "[" + layout.FormatRatio(r.Low) + ", " + layout.FormatRatio(r.High) + "]"
}

// spokenRatio is a line of the chart in words.
func spokenRatio(r layout.Ratio) layout.Text {
	v := document.VerdictText(r.Verdict)
	return layout.Text{
		EN: r.Label.In(layout.English) + ": " + ratioTitle(r) + ", " + v.EN,
		ZH: r.Label.In(layout.Chinese) + ":" + ratioTitle(r) + "," + v.ZH,
	}
}
