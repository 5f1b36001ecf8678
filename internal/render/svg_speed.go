package render

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// speedHeight is the height of a chart's plot in pixels: enough for the names of
// its series below each other. Axis labels hang outside, in room that the
// stylesheet leaves.
func speedHeight(c layout.Chart) float64 { return max(300, 1.4*nameHeight*float64(len(c.Series))) }

// mostBands is how many series are drawn with bands; more would hide each other,
// and the bars at the points say the same.
const mostBands = 6

// speedChart draws speed over size. look gives each series its colour and
// marker, which stay the same through a section of the page; href links a point
// to its row.
type speedChart struct {
	chart layout.Chart
	look  []int
	href  func(rowID string) string
	high  float64
	x, y  logScale
	p     svgPen
}

// svgSpeed draws a chart of kind SpeedOverSize.
func svgSpeed(c layout.Chart, lang layout.Lang, look []int, href func(rowID string) string) template.HTML {
	var xs, ys []float64
	for _, s := range c.Series {
		for _, pt := range s.Points {
			xs, ys = append(xs, pt.X), append(ys, pt.Y, pt.Low, pt.High)
		}
	}
	if len(xs) == 0 {
		return ""
	}
	d := speedChart{chart: c, look: look, href: href, high: speedHeight(c), x: covering(xs, 0.02)}
	var rates []float64
	d.y, rates = rateScale(ys)

	d.chart.X, d.chart.Y = c.Sides()
	label := speedLabel(c)
	d.p.open("svg", "class", "speed", "role", "img", "width", "100%", "height", svgPixels(d.high),
		"overflow", "visible", "aria-label", label.In(lang),
		"data-label-en", label.In(layout.English), "data-label-zh", label.In(layout.Chinese))
	d.grid(sizeTicks(d.x, xs), rates)
	d.curves()
	for i := range c.Series {
		d.points(i)
	}
	d.names()
	d.p.close("svg")
	return d.p.html()
}

// speedLabel says in words what the chart shows.
func speedLabel(c layout.Chart) layout.Text {
	var en, zh []string
	for _, s := range c.Series {
		en, zh = append(en, s.Name.In(layout.English)), append(zh, s.Name.In(layout.Chinese))
	}
	x, y := c.Sides()
	return layout.Text{
		EN: c.Title.In(layout.English) + ": " + y.Title.In(layout.English) + " over " + x.Title.In(layout.English) + " for " + strings.Join(en, ", "),
		ZH: c.Title.In(layout.Chinese) + "：" + y.Title.In(layout.Chinese) + "随" + x.Title.In(layout.Chinese) + "的变化，" + strings.Join(zh, "、"),
	}
}

// tick labels a value of the axis.
func tick(a layout.Axis, v float64) string {
	switch a.Unit {
	case "B/s":
		return tickRate(v)
	case "ns":
		return tickTime(v)
	}
	return value(a, v)
}

// value writes a value of the axis where there is room for it.
func value(a layout.Axis, v float64) string {
	switch a.Unit {
	case "B":
		return layout.FormatSize(int64(v))
	case "B/s":
		return layout.FormatRate(v)
	case "ns":
		return layout.FormatTime(v)
	case "1":
		return layout.FormatCount(v)
	}
	return layout.FormatCount(v) + " " + a.Unit
}

func (d *speedChart) down(rate float64) float64 { return d.high * (1 - d.y.at(rate)) }

func (d *speedChart) grid(sizes, rates []float64) {
	for _, r := range rates {
		y := svgPixels(d.down(r))
		d.p.el("line", "class", "grid", "x1", "0", "x2", "100%", "y1", y, "y2", y)
		d.p.text(layout.Same(tick(d.chart.Y, r)), layout.Text{}, "class", "tick", "x", "-8", "y", y, "dy", "4", "text-anchor", "end")
	}
	for _, v := range sizes {
		x := svgPercent(d.x.at(v))
		d.p.el("line", "class", "grid", "x1", x, "x2", x, "y1", "0", "y2", svgPixels(d.high))
		d.p.text(layout.Same(tick(d.chart.X, v)), layout.Text{}, "class", "tick", "x", x, "y", svgPixels(d.high+20), "text-anchor", "middle")
	}
}

// stretched is the width of the inner picture that is stretched over the plot.
const stretched = 1000

// curves draws bands, cost models and lines, those that are not ranked first
// so that the others lie above them.
func (d *speedChart) curves() {
	d.p.open("svg", "width", "100%", "height", svgPixels(d.high), "preserveAspectRatio", "none",
		"viewBox", "0 0 "+strconv.Itoa(stretched)+" "+svgPixels(d.high), "overflow", "visible")
	for _, struck := range []bool{true, false} {
		for i, s := range d.chart.Series {
			if s.Struck != struck || len(s.Points) == 0 {
				continue
			}
			class := d.class(i)
			if !s.Struck && len(d.chart.Series) <= mostBands {
				d.p.el("path", "class", "band "+class, "d", d.band(s.Points))
			}
			if s.Model != nil && !s.Struck {
				d.p.el("path", "class", "model "+class, "d", d.model(s))
			}
			d.p.el("path", "class", "curve "+class, "d", d.path(s.Points, func(p layout.Point) float64 { return p.Y }))
		}
	}
	d.p.close("svg")
}

// class names a series' colour and dash; a second round of colours is dashed.
func (d *speedChart) class(series int) string {
	if d.chart.Series[series].Struck {
		return "struck"
	}
	class := "s" + strconv.Itoa(d.look[series]%len(svgShapes))
	if d.look[series] >= len(svgShapes) {
		class += " second"
	}
	return class
}

func (d *speedChart) path(pts []layout.Point, value func(layout.Point) float64) string {
	var b strings.Builder
	for i, p := range pts {
		b.WriteByte("LM"[min(1, max(0, 1-i))])
		b.WriteString(svgPixels(stretched*d.x.at(p.X)) + " " + svgPixels(d.down(value(p))))
	}
	return b.String()
}

func (d *speedChart) band(pts []layout.Point) string {
	back := slices.Clone(pts)
	slices.Reverse(back)
	return d.path(pts, func(p layout.Point) float64 { return p.High }) +
		strings.Replace(d.path(back, func(p layout.Point) float64 { return p.Low }), "M", "L", 1) + "Z"
}

// model follows the cost model between the smallest and the largest size of its series.
func (d *speedChart) model(s layout.Series) string {
	const steps = 48
	lo, hi := s.Points[0].X, s.Points[0].X
	for _, p := range s.Points {
		lo, hi = min(lo, p.X), max(hi, p.X)
	}
	var pts []layout.Point
	for i := range steps + 1 {
		x := lo * math.Pow(hi/lo, float64(i)/steps)
		if y := s.Model(x); y > 0 && !math.IsInf(y, 0) {
			pts = append(pts, layout.Point{X: x, Y: y})
		}
	}
	return d.path(pts, func(p layout.Point) float64 { return p.Y })
}

// points draws the markers of a series with their intervals; each names its
// value where the pointer rests, and leads to its row.
func (d *speedChart) points(series int) {
	s := d.chart.Series[series]
	class, shape := d.class(series), svgShapes[d.look[series]%len(svgShapes)]
	if s.Struck {
		shape = svgCross
	}
	for _, pt := range s.Points {
		d.p.open("a", "href", d.href(pt.RowID), "tabindex", "-1")
		d.p.title(d.pointTitle(s, pt))
		x := svgPercent(d.x.at(pt.X))
		if pt.Low < pt.Y || pt.High > pt.Y {
			d.p.el("line", "class", "interval "+class, "x1", x, "x2", x,
				"y1", svgPixels(d.down(pt.Low)), "y2", svgPixels(d.down(pt.High)))
		}
		d.p.marker("marker "+class, shape, d.x.at(pt.X), d.down(pt.Y))
		d.p.close("a")
	}
}

func (d *speedChart) pointTitle(s layout.Series, pt layout.Point) string {
	x, y := d.chart.X, d.chart.Y
	t := s.Name.EN + " · " + value(x, pt.X) + " · " + value(y, pt.Y)
	if pt.Low < pt.Y || pt.High > pt.Y {
		t += " [" + value(y, pt.Low) + ", " + value(y, pt.High) + "]"
	}
	if s.Struck {
		t += " ✗"
	}
	return t
}

// nameEnd is where a series' line ends and where its name is written.
type nameEnd struct {
	series int
	at, y  float64
}

// nameHeight is how far apart names are written.
const nameHeight = 15

// nameEnds places the names of ranked series, moved apart where lines end close
// to each other.
func nameEnds(c layout.Chart, down func(rate float64) float64) []nameEnd {
	var ends []nameEnd
	for i, s := range c.Series {
		if s.Struck || len(s.Points) == 0 {
			continue
		}
		last := slices.MaxFunc(s.Points, func(a, b layout.Point) int { return cmp.Compare(a.X, b.X) })
		y := down(last.Y)
		ends = append(ends, nameEnd{i, y, y})
	}
	slices.SortStableFunc(ends, func(a, b nameEnd) int { return cmp.Compare(a.at, b.at) })
	for i := 1; i < len(ends); i++ {
		ends[i].y = max(ends[i].y, ends[i-1].y+nameHeight)
	}
	floor := speedHeight(c)
	for i := len(ends) - 1; i >= 0; i-- {
		ends[i].y = min(ends[i].y, floor)
		floor = ends[i].y - nameHeight
	}
	return ends
}

// names writes each series' name at its right end.
func (d *speedChart) names() {
	for _, e := range nameEnds(d.chart, d.down) {
		s := d.chart.Series[e.series]
		d.p.open("g", "class", "name "+d.class(e.series))
		d.p.open("svg", "x", "100%", "y", "0", "overflow", "visible")
		d.p.el("path", "class", "leader", "d", "M4 "+svgPixels(e.at)+"L14 "+svgPixels(e.y))
		d.p.close("svg")
		d.p.text(shorten(s.Name), newMark(s.New), "x", "100%", "dx", "18", "y", svgPixels(e.y), "dy", "4")
		d.p.close("g")
	}
}

// nameCells is the longest name written beside a line; the legend has all of it.
const nameCells = 22

func shorten(t layout.Text) layout.Text {
	return layout.Text{EN: cut(t.In(layout.English), nameCells), ZH: cut(t.In(layout.Chinese), nameCells)}
}

// namesWidth is the room in pixels that the names at the right need.
func namesWidth(c layout.Chart) int {
	const cell = 6.6 // of the chart's lettering
	widest := 0.0
	for _, s := range c.Series {
		if s.Struck {
			continue
		}
		short, badge := shorten(s.Name), newMark(s.New)
		for _, l := range []layout.Lang{layout.English, layout.Chinese} {
			w := cell * float64(width(short.In(l)))
			if s.New {
				w += 4 + cell*float64(width(badge.In(l)))
			}
			widest = max(widest, w)
		}
	}
	return int(widest) + 24
}

func newMark(isNew bool) layout.Text {
	if isNew {
		return wordNew
	}
	return layout.Text{}
}
