package render

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/stat"
)

// The charts are SVG without a script, drawn by assets/charts.svg.tmpl: positions across
// are percentages and positions down are pixels, so a chart fills any column from a
// phone to A4 while its text keeps the size of the page's text. Curves, which SVG can't
// place by percentage, stand in an inner picture whose viewBox is stretched. Colours are
// classes, given by the page's stylesheet for light, dark and paper.

// svgShapes are the markers of series: told apart by shape as well as by colour, drawn
// around the origin.
var svgShapes = []string{
	"M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z",                   // circle
	"M-3.6-3.6H3.6V3.6H-3.6Z",                              // square
	"M0-4.8L4.7 3.4H-4.7Z",                                 // triangle
	"M0-5L5 0L0 5L-5 0Z",                                   // diamond
	"M0 4.8L4.7-3.4H-4.7Z",                                 // triangle down
	"M-1.6-4.6H1.6V4.6H-1.6Z",                              // bar
	"M-4.6-1.6H4.6V1.6H-4.6Z",                              // lying bar
	"M0-5L1.5-1.5L5 0L1.5 1.5L0 5L-1.5 1.5L-5 0L-1.5-1.5Z", // star
}

// svgCross marks what must not be ranked.
const svgCross = "M-3.5-3.5L3.5 3.5M-3.5 3.5L3.5-3.5"

type svgTick struct{ At, Label string }

func svgTicks(marks []float64, at, label func(float64) string) []svgTick {
	return each(marks, func(v float64) svgTick { return svgTick{at(v), label(v)} })
}

func pixels(v float64) string      { return strconv.FormatFloat(v, 'f', 1, 64) }
func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 2, 64) + "%" }

// speedPlot is a chart of series as its template draws it. Axis labels hang
// outside, in room that the stylesheet leaves.
type speedPlot struct {
	layout.Chart
	ID           string
	Lang         layout.Lang
	Room         int // for the names at its right, in pixels
	Sizes, Rates []svgTick
	Lines        []speedLine
	Names        []speedName
	Moments      []svgTick // of changes
	high         float64
	x            func(value float64) (share float64)
	y            logScale
}

type speedLine struct {
	layout.Series
	Class, Shape         string
	Band, Fitted, Values string // paths; "" where there is nothing to draw
	Held, HeldBand       string // the same, of its levels
	Marks                []speedMark
}

// speedMark is a point, which names its value where the pointer rests and leads to its row.
type speedMark struct {
	Href, Title, X, Y string
	Low, High         string // of the interval; "" where there is none
	Name              layout.Text
	NameX, NameY      string // beside the point; "" where there is no room
	Anchor            string
}

type speedName struct {
	speedLine
	Leader, Y string
}

// speedHeight leaves room for the names of the series below each other.
func speedHeight(c layout.Chart) float64 { return max(300, 1.4*nameHeight*float64(len(c.Series))) }

// newSpeedPlot prepares a chart, nil where it has no point. looks gives a name its colour
// and marker; href links a point to its row.
func newSpeedPlot(c layout.Chart, looks map[string]int, href func(rowID string) string) *speedPlot {
	var xs, ys []float64
	for _, s := range c.Series {
		for _, pt := range s.Points {
			xs, ys = append(xs, pt.X), append(ys, pt.Y, pt.Low, pt.High)
		}
	}
	if len(xs) == 0 {
		return nil
	}
	d := &speedPlot{Chart: c, high: speedHeight(c), Room: namesWidth(c)}
	d.X, d.Y = c.Sides()
	y, rates := rateScale(ys)
	d.y = y
	d.Rates = svgTicks(rates, d.at, func(v float64) string { return tick(d.Y, v) })
	if d.X.Unit == layout.UnitDate {
		moments := covers(xs, 0.02)
		dates, label := dateTicks(moments)
		d.x = moments.at
		d.Sizes = svgTicks(dates, d.across, label)
	} else {
		sizes := covering(xs, 0.02)
		d.x = sizes.at
		d.Sizes = svgTicks(sizeTicks(sizes, xs), d.across, func(v float64) string { return tick(d.X, v) })
	}
	for i, s := range c.Series {
		look, known := looks[s.Name.EN]
		if !known {
			look = i
		}
		d.Lines = append(d.Lines, d.line(s, look, href))
	}
	d.Moments = each(c.Changes, func(m layout.Change) svgTick { return svgTick{d.across(m.X), m.Label} })
	d.namePoints()
	for _, e := range nameEnds(c, d.down) {
		d.Names = append(d.Names, speedName{d.Lines[e.series], "M4 " + pixels(e.at) + "L14 " + pixels(e.y), pixels(e.y)})
	}
	return d
}

func (d *speedPlot) down(rate float64) float64 { return d.high * (1 - d.y.at(rate)) }
func (d *speedPlot) at(rate float64) string    { return pixels(d.down(rate)) }
func (d *speedPlot) across(v float64) string   { return percent(d.x(v)) }

// Height is the plot's, and Below where the labels under it stand.
func (d *speedPlot) Height() string { return pixels(d.high) }
func (d *speedPlot) Below() string  { return pixels(d.high + 20) }

func (d *speedPlot) Label() layout.Text {
	names := listed(each(d.Series, func(s layout.Series) layout.Text { return s.Name }))
	in := func(l layout.Lang, over, of, before string) string {
		return d.Title.In(l) + over + d.Y.Title.In(l) + of + d.X.Title.In(l) + before + names.In(l)
	}
	return layout.Text{EN: in(layout.English, ": ", " over ", " for "), ZH: in(layout.Chinese, "：", "随", "的变化，")}
}

// HasModel says whether the legend explains the dashed line.
func (d *speedPlot) HasModel() bool {
	return slices.ContainsFunc(d.Series, func(s layout.Series) bool { return s.Model != nil && !s.Struck })
}

// mostBands is how many series are drawn with bands; more would hide each other, and the
// bars at the points say the same.
const mostBands = 6

func (d *speedPlot) line(s layout.Series, look int, href func(rowID string) string) speedLine {
	colour := look % len(svgShapes)
	l := speedLine{Series: s, Class: "s" + strconv.Itoa(colour), Shape: svgShapes[colour]}
	if look >= len(svgShapes) { // the second round of colours is dashed
		l.Class += " second"
	}
	if s.Struck {
		l.Class, l.Shape = "struck", svgCross
	} else {
		if len(d.Series) <= mostBands {
			l.Band = d.band(s.Points)
		}
		l.Fitted = d.path(fitted(s))
	}
	l.Values = d.path(s.Points)
	if s.Apart || len(s.Levels) > 0 {
		l.Band, l.Fitted, l.Values = "", "", ""
	}
	for _, held := range s.Levels {
		l.Held += d.path([]layout.Point{{X: held.From, Y: held.Y}, {X: held.To, Y: held.Y}})
		l.HeldBand += d.band([]layout.Point{{X: held.From, Low: held.Low, High: held.High}, {X: held.To, Low: held.Low, High: held.High}})
	}
	for _, pt := range s.Points {
		m := speedMark{Href: href(pt.RowID), Title: cmp.Or(pt.Name.EN, s.Name.EN) + " · " + value(d.X, pt.X) + " · " + value(d.Y, pt.Y),
			X: d.across(pt.X), Y: d.at(pt.Y), Name: pt.Name}
		if pt.Low < pt.Y || pt.High > pt.Y {
			m.Low, m.High = d.at(pt.Low), d.at(pt.High)
			m.Title += " [" + value(d.Y, pt.Low) + ", " + value(d.Y, pt.High) + "]"
		}
		if s.Struck {
			m.Title += " ✗"
		}
		l.Marks = append(l.Marks, m)
	}
	return l
}

// taken is where a point or its name is drawn: a share of the width, at a height.
type taken struct{ from, to, y float64 }

// namePoints places names beside points that stand apart, a line higher or lower where there is no room,
// those of the first series first. A name that would cover a point or another name is left out, and stands in
// the table; those of the first series are not.
func (d *speedPlot) namePoints() {
	const (
		cell  = 6.6 / 400 // of a letter, in a plot of so many pixels
		point = 6.0 / 400
	)
	var all []taken
	for _, s := range d.Series {
		for _, pt := range s.Points {
			x := d.x(pt.X)
			all = append(all, taken{x - point, x + point, d.down(pt.Y)})
		}
	}
	at := func(m *speedMark, x, y float64) bool {
		long := cell * float64(Width(m.Name.EN))
		for _, side := range []struct {
			taken
			dx, anchor string
		}{{taken{x + 2*point, x + 2*point + long, y}, "10", "start"}, {taken{x - 2*point - long, x - 2*point, y}, "-10", "end"}} {
			covers := func(o taken) bool {
				return math.Abs(o.y-y) < nameHeight-2 && o.to > side.from && o.from < side.to
			}
			if side.from >= 0 && side.to <= 1 && !slices.ContainsFunc(all, covers) {
				m.NameX, m.NameY, m.Anchor = side.dx, pixels(y), side.anchor
				all = append(all, side.taken)
				return true
			}
		}
		return false
	}
	place := func(m *speedMark, x, y float64) bool {
		return at(m, x, y) || y-nameHeight > 0 && at(m, x, y-nameHeight) || y+nameHeight < d.high && at(m, x, y+nameHeight)
	}
	for i, s := range d.Series {
		for j, pt := range s.Points {
			m, x, y := &d.Lines[i].Marks[j], d.x(pt.X), d.down(pt.Y)
			if s.Apart && !place(m, x, y) && i == 0 { // what matters most is named in any case
				m.NameX, m.NameY, m.Anchor = "10", pixels(y), "start"
				if x > 0.5 {
					m.NameX, m.Anchor = "-10", "end"
				}
			}
		}
	}
}

// path is drawn in the inner picture, which is 1000 wide and stretched over the plot.
func (d *speedPlot) path(pts []layout.Point) string {
	places := each(pts, func(p layout.Point) string { return pixels(1000*d.x(p.X)) + " " + d.at(p.Y) })
	return strings.TrimSuffix("M"+strings.Join(places, "L"), "M") // nothing of no point
}

func (d *speedPlot) band(pts []layout.Point) string {
	if len(pts) == 0 {
		return ""
	}
	ends := each(pts, func(p layout.Point) layout.Point { return layout.Point{X: p.X, Y: p.High} })
	for _, p := range slices.Backward(pts) {
		ends = append(ends, layout.Point{X: p.X, Y: p.Low})
	}
	return d.path(ends) + "Z"
}

// fitted follows the cost model between the smallest and the largest size of its series.
func fitted(s layout.Series) (pts []layout.Point) {
	const steps = 48
	if s.Model == nil || len(s.Points) == 0 {
		return nil
	}
	xs := each(s.Points, func(p layout.Point) float64 { return p.X })
	lo, hi := slices.Min(xs), slices.Max(xs)
	for i := range steps + 1 {
		x := lo * math.Pow(hi/lo, float64(i)/steps)
		if y := s.Model(x); y > 0 && !math.IsInf(y, 0) {
			pts = append(pts, layout.Point{X: x, Y: y})
		}
	}
	return pts
}

// tick labels a value of the axis with as many figures as it has.
func tick(a layout.Axis, v float64) string {
	units := map[string][]string{"B/s": {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"}, "ns": {"ns", "µs", "ms", "s"}}[a.Unit]
	if units == nil {
		return value(a, v)
	}
	for v >= 1000 && len(units) > 1 {
		v, units = v/1000, units[1:]
	}
	return strconv.FormatFloat(v, 'g', 4, 64) + " " + units[0]
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
	case layout.UnitDate:
		return moment(v).Format("2006-01-02 15:04")
	}
	return layout.FormatCount(v) + " " + a.Unit
}

type nameEnd struct {
	series int
	at, y  float64
}

const nameHeight = 15

// nameEnds places the names of ranked series, moved apart where lines end close to each
// other.
func nameEnds(c layout.Chart, down func(rate float64) float64) []nameEnd {
	var ends []nameEnd
	for i, s := range c.Series {
		if s.Struck || s.Apart || len(s.Points) == 0 {
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
	for i := range slices.Backward(ends) {
		ends[i].y = min(ends[i].y, floor)
		floor = ends[i].y - nameHeight
	}
	return ends
}

// Short is the name beside the line; the legend has all of it.
func (l speedLine) Short() layout.Text { return shorten(l.Name) }

func shorten(t layout.Text) layout.Text {
	const most = 22
	return layout.Text{EN: Cut(t.In(layout.English), most), ZH: Cut(t.In(layout.Chinese), most)}
}

func namesWidth(c layout.Chart) int {
	const cell = 6.6 // of the chart's lettering
	widest := 0.0
	for _, s := range c.Series {
		if s.Struck || s.Apart {
			continue
		}
		for _, l := range []layout.Lang{layout.English, layout.Chinese} {
			w := cell * float64(Width(shorten(s.Name).In(l)))
			if s.New {
				w += 4 + cell*float64(Width(wordNew.In(l)))
			}
			widest = max(widest, w)
		}
	}
	return int(widest) + 24
}

// ratioPlot is a table whose middle column is drawn, a line a comparison: labels wrap,
// values are text and every line can be linked to.
type ratioPlot struct {
	layout.Chart
	ID    string
	Ticks []svgTick
	Lines []ratioLine
	axis  logScale // of all lines
}

type ratioLine struct {
	layout.Ratio
	Chart        *ratioPlot
	Anchor, Href string
	Look         verdictLook
}

func newRatioPlot(c layout.Chart) *ratioPlot {
	d := &ratioPlot{Chart: c, axis: covering(append(spanned(c.Ratios), 1-4*stat.Margin, 1+4*stat.Margin), 0.04)}
	d.Ticks = svgTicks(ratioTicks(d.axis), d.At, func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) + "×" })
	d.Lines = each(c.Ratios, func(r layout.Ratio) ratioLine {
		return ratioLine{Ratio: r, Chart: d, Look: lookOf(r.Verdict)}
	})
	return d
}

// At is where a ratio stands; the margin is a bar of a width around 1.
func (d *ratioPlot) At(ratio float64) string { return percent(d.axis.at(ratio)) }
func (d *ratioPlot) MarginLow() string       { return d.At(1 / (1 + stat.Margin)) }
func (d *ratioPlot) MarginWidth() string {
	return percent(d.axis.at(1+stat.Margin) - d.axis.at(1/(1+stat.Margin)))
}

// Written is the ratio, and Span its interval.
func (l ratioLine) Written() string { return layout.FormatRatio(l.Value) + "×" }
func (l ratioLine) Span() string {
	if !l.HasInterval {
		return ""
	}
	return "[" + layout.FormatRatio(l.Low) + ", " + layout.FormatRatio(l.High) + "]"
}

// verdictLook repeats a verdict's colour as a sign, and as a shape that points to its side.
type verdictLook struct{ Class, Sign, Shape string }

var verdictLooks = map[string]verdictLook{
	string(stat.Faster): {"v-faster", "▲", "M-4.5-6L6 0L-4.5 6Z"},
	string(stat.Slower): {"v-slower", "▼", "M4.5-6L-6 0L4.5 6Z"},
	string(stat.Same):   {"v-same", "=", "M-4.2-4.2H4.2V4.2H-4.2Z"},
}

func lookOf(verdict string) verdictLook {
	const circle = "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0Z"
	return cmp.Or(verdictLooks[verdict], verdictLook{"v-inconclusive", "?", circle})
}
