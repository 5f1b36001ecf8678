package render

import (
	"math"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/stat"
)

func ratioCharts(l layout.Layout) []layout.Chart {
	return slices.DeleteFunc(slices.Clone(l.Charts), func(c layout.Chart) bool { return len(c.Ratios) == 0 })
}

func ratioTable(c layout.Chart) layout.Table {
	t := layout.Table{Title: c.Title, Caption: c.Caption, Columns: []layout.Column{
		words("speed of one / the other", "速度之比"), numbers("ratio", "比值"), numbers("interval", "置信区间"),
		words("verdict", "判定"),
	}}
	for _, r := range c.Ratios {
		interval := "–"
		if r.HasInterval {
			interval = layout.FormatRatio(r.Low) + " – " + layout.FormatRatio(r.High)
		}
		t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Cells: []layout.Cell{
			{Text: r.Label}, cell(layout.FormatRatio(r.Value)), cell(interval),
			{Text: r.Says, Faint: r.Verdict == string(stat.Inconclusive)},
		}})
	}
	return t
}

const (
	leastBar = 21
	mostBar  = 41
)

// ratios draws a chart of ratios in lines: numbers first, and a bar where there
// is room for one.
func (p *painter) ratios(c layout.Chart) []string {
	t := ratioTable(c)
	gs := p.grids(t, &footnotes{})
	if len(gs) > 1 {
		return p.drawn(t, &footnotes{})
	}
	g := gs[0]
	room := min(p.Width-g.total()-gridGap, mostBar)
	if room < leastBar {
		return g.draw()
	}
	margins := math.Pow(1+stat.Margin, 2)
	s := covering(append(spanned(c.Ratios), 1/margins, margins), 0)
	g.columns = append(g.columns, gridColumn{width: room})
	for i, r := range c.Ratios {
		g.lines[i].cells = append(g.lines[i].cells, gridCell{text: s.bar(r, room)})
	}
	return append(g.draw(), p.caption(layout.Say(
		"Scale %s to %s; the bars around 1 mark ±0.5 %%, within which speeds count as the same.",
		"刻度 %s 至 %s；1 两侧的竖线为 ±0.5%%，在此以内视为速度相同。",
		layout.FormatRatio(s.lo), layout.FormatRatio(s.hi)))...)
}

// spanned are the values that a scale of ratios covers; of a ratio without an interval some are 0.
func spanned(ratios []layout.Ratio) (values []float64) {
	for _, r := range ratios {
		values = append(values, r.Value, r.Low, r.High)
	}
	return values
}

// bar draws "··|-o--|···" in so many cells: the interval around its value, and the equivalence
// margin. Where the margin is narrower than two cells it is one bar.
func (s logScale) bar(r layout.Ratio, cells int) string {
	line := []byte(strings.Repeat(".", cells))
	at := func(ratio float64) int { return int(math.Round(s.at(ratio) * float64(cells-1))) }
	if r.HasInterval && r.Low > 0 && r.High >= r.Low {
		for i := at(r.Low); i <= at(r.High); i++ {
			line[i] = '-'
		}
	}
	line[at(1/(1+stat.Margin))] = '|'
	line[at(1+stat.Margin)] = '|'
	if r.Value > 0 && !math.IsInf(r.Value, 1) {
		line[at(r.Value)] = 'o'
	}
	return string(line)
}
