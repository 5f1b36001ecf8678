package render

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/stat"
)

func ratioCharts(l layout.Layout) []layout.Chart {
	return slices.DeleteFunc(slices.Clone(l.Charts), func(c layout.Chart) bool {
		return c.Kind != layout.Ratios || len(c.Ratios) == 0
	})
}

func ratioTable(c layout.Chart) layout.Table {
	t := layout.Table{Title: c.Title, Caption: c.Caption, Columns: []layout.Column{
		words(columnCompared), numbers(columnRatio), numbers(columnRatioInterval), words(columnVerdict),
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
	s, ok := scaleOf(c.Ratios, room)
	if !ok || room < leastBar {
		return g.draw()
	}
	g.columns = append(g.columns, gridColumn{width: room})
	for i, r := range c.Ratios {
		g.lines[i].cells = append(g.lines[i].cells, gridCell{text: s.bar(r)})
	}
	scale := fmt.Sprintf(p.say(ratioScale), layout.FormatRatio(math.Exp(s.low)), layout.FormatRatio(math.Exp(s.high)))
	return append(g.draw(), hang(spaces(gridIndent), gridIndent, scale, p.Width)...)
}

type scale struct {
	low, high float64 // logarithms
	cells     int
}

func scaleOf(ratios []layout.Ratio, cells int) (s scale, ok bool) {
	margin := math.Log1p(stat.Margin)
	s = scale{-2 * margin, 2 * margin, cells}
	for _, r := range ratios {
		for _, x := range []float64{r.Value, r.Low, r.High} {
			if x > 0 && !math.IsInf(x, 1) {
				s.low, s.high = min(s.low, math.Log(x)), max(s.high, math.Log(x))
				ok = true
			}
		}
	}
	return s, ok
}

func (s scale) cell(ratio float64) int {
	at := (math.Log(ratio) - s.low) / (s.high - s.low)
	return min(max(int(math.Round(at*float64(s.cells-1))), 0), s.cells-1)
}

// bar draws "··|-o--|···": the interval around its value, and the equivalence
// margin. Where the margin is narrower than two cells it is one bar.
func (s scale) bar(r layout.Ratio) string {
	cells := []byte(strings.Repeat(".", s.cells))
	set := func(ratio float64, c byte) { cells[s.cell(ratio)] = c }
	if r.HasInterval && r.Low > 0 && r.High >= r.Low {
		for i := s.cell(r.Low); i <= s.cell(r.High); i++ {
			cells[i] = '-'
		}
	}
	set(1/(1+stat.Margin), '|')
	set(1+stat.Margin, '|')
	if r.Value > 0 && !math.IsInf(r.Value, 1) {
		set(r.Value, 'o')
	}
	return string(cells)
}
