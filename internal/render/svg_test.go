package render

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/stat"
)

func noHref(string) string { return "" }

// speedSVG draws the plot of a chart, "" where there is nothing to draw.
func speedSVG(t *testing.T, c layout.Chart, look int, href func(string) string) string {
	t.Helper()
	looks := map[string]int{}
	for i, s := range c.Series {
		looks[s.Name.EN] = look + i
	}
	plot := newSpeedPlot(c, looks, href)
	if plot == nil {
		return ""
	}
	plot.Lang = layout.English
	return drawn(t, "plot", plot)
}

// ratioSVG draws the lines of ratios.
func ratioSVG(t *testing.T, ratios ...layout.Ratio) (lines []string) {
	t.Helper()
	plot := newRatioPlot(layout.Chart{Ratios: ratios})
	for _, line := range plot.Lines {
		lines = append(lines, drawn(t, "line", line))
	}
	return lines
}

func drawn(t *testing.T, name string, data any) string {
	t.Helper()
	var b strings.Builder
	if err := htmlTemplate().ExecuteTemplate(&b, name, data); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSVGSpeedGolden(t *testing.T) {
	for i, name := range []string{"html/speed.svg", "html/speed-incorrect.svg"} {
		svg := speedSVG(t, sampleDocument().Layouts[0].Charts[i], 0, noHref)
		wellFormed(t, svg)
		golden(t, name, []byte(strings.ReplaceAll(svg, "><", ">\n<")+"\n"))
	}
}

func TestSVGRatiosGolden(t *testing.T) {
	ratios := sampleDocument().Layouts[0].Charts[2].Ratios
	svg := drawn(t, "axis", newRatioPlot(layout.Chart{Ratios: ratios}))
	for _, line := range ratioSVG(t, ratios...) {
		wellFormed(t, line)
		svg += line
	}
	golden(t, "html/ratios.svg", []byte(strings.ReplaceAll(svg, "><", ">\n<")+"\n"))
}

func TestSVGEscapes(t *testing.T) {
	c := sampleDocument().Layouts[0].Charts[0]
	c.Title = layout.Text{EN: hostile, ZH: hostile}
	for i := range c.Series {
		c.Series[i].Name = layout.Text{EN: hostile, ZH: hostile}
	}
	svg := speedSVG(t, c, 0, func(string) string { return `#"><script>` })
	lines := ratioSVG(t, layout.Ratio{Label: layout.Same(hostile), Value: 1, Verdict: hostile})
	for _, s := range append(lines, svg) {
		wellFormed(t, s)
		if strings.Contains(s, "<script") || strings.Contains(s, "<img") {
			t.Errorf("a name got through: %s", s)
		}
	}
}

func TestSVGNeverDrawsWhatIsNoNumber(t *testing.T) {
	points := func(ys ...float64) (ps []layout.Point) {
		for i, y := range ys {
			ps = append(ps, layout.Point{X: float64(int64(64) << i), Y: y, Low: y, High: y})
		}
		return ps
	}
	for name, ps := range map[string][]layout.Point{
		"one": points(1e8), "equal": points(1e8, 1e8), "zero": points(0, 1e8), "nan": points(math.NaN(), 1e8, math.Inf(1)),
		"nothing of use": points(0, math.NaN()), "no size": {{X: 0, Y: 1e8, Low: 1e8, High: 1e8}}, "none": nil,
	} {
		c := layout.Chart{Series: []layout.Series{{Name: layout.Same(name), Points: ps, Model: func(x float64) float64 { return math.NaN() }}}}
		svg := speedSVG(t, c, 9, noHref)
		if strings.Contains(svg, "NaN%") || strings.Contains(svg, `"NaN`) || strings.Contains(svg, "Inf%") || strings.Contains(svg, "LNaN") {
			t.Errorf("%s: %s", name, svg)
		}
		wellFormed(t, svg)
	}
	for _, r := range []layout.Ratio{{Value: math.NaN()}, {Value: 0, HasInterval: true}, {Value: math.Inf(1), Low: 1, High: math.Inf(1), HasInterval: true}} {
		svg := ratioSVG(t, r)[0]
		if strings.Contains(svg, "NaN%") || strings.Contains(svg, "Inf%") {
			t.Errorf("%v: %s", r, svg)
		}
	}
}

func TestLogScale(t *testing.T) {
	s := logScale{1, 100}
	for v, want := range map[float64]float64{1: 0, 10: 0.5, 100: 1, 0.1: 0, 1000: 1, 0: 0, -1: 0} {
		if got := s.at(v); math.Abs(got-want) > 1e-12 {
			t.Errorf("at(%v) = %v, want %v", v, got, want)
		}
	}
	if got := s.at(math.NaN()); got != 0 {
		t.Errorf("at(NaN) = %v", got)
	}
}

func TestSizeTicksAreSizesPeopleName(t *testing.T) {
	many := []float64{}
	for e := 4; e <= 24; e++ {
		many = append(many, math.Exp2(float64(e)))
	}
	for _, c := range []struct {
		measured []float64
		want     string
	}{
		{[]float64{64, 1 << 10, 16 << 10, 1 << 20, 10 << 20}, "64 B, 1 KiB, 16 KiB, 1 MiB, 10 MiB"},
		{[]float64{1 << 10, 64 << 10, 1 << 10}, "1 KiB, 64 KiB"},
		{[]float64{1000, 10000}, "1 kB, 10 kB"},
		{[]float64{16384}, "16 KiB"},
		{many, "16 B, 256 B, 4 KiB, 64 KiB, 1 MiB, 16 MiB"},
	} {
		var got []string
		for _, v := range sizeTicks(covering(c.measured, 0.02), c.measured) {
			got = append(got, layout.FormatSize(int64(v)))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%v: %s, want %s", c.measured, s, c.want)
		}
	}
}

func TestRateScaleEndsOnTicks(t *testing.T) {
	for _, c := range []struct {
		rates []float64
		want  string
	}{
		{[]float64{7.4e7, 2.1e9}, "50 MB/s, 100 MB/s, 200 MB/s, 500 MB/s, 1 GB/s, 2 GB/s, 5 GB/s"},
		{[]float64{3e8}, "100 MB/s, 200 MB/s, 500 MB/s"},
		{[]float64{1.2e9, 1.5e9}, "1 GB/s, 1.2 GB/s, 1.5 GB/s, 2 GB/s"},
		{[]float64{1e3, 1e9}, "1 kB/s, 10 kB/s, 100 kB/s, 1 MB/s, 10 MB/s, 100 MB/s, 1 GB/s"},
	} {
		s, ticks := rateScale(c.rates)
		var got []string
		for _, v := range ticks {
			got = append(got, tick(layout.Axis{Unit: "B/s"}, v))
		}
		if l := strings.Join(got, ", "); l != c.want {
			t.Errorf("%v: %s, want %s", c.rates, l, c.want)
		}
		if s.lo > slices.Min(c.rates) || s.hi < slices.Max(c.rates) {
			t.Errorf("%v does not fit on %v", c.rates, s)
		}
	}
}

func TestRatioAxisShowsTheMargin(t *testing.T) {
	for _, r := range []layout.Ratio{{Value: 1.002, Low: 0.999, High: 1.004, HasInterval: true}, {Value: 37}, {Value: 0.3}} {
		a := newRatioPlot(layout.Chart{Ratios: []layout.Ratio{r}})
		if a.axis.at(1/(1+stat.Margin)) <= 0 || a.axis.at(1+stat.Margin) >= 1 {
			t.Errorf("%v: the margin is off the axis", r)
		}
		if one := func(t svgTick) bool { return t.Label == "1×" }; !slices.ContainsFunc(a.Ticks, one) || len(a.Ticks) < 3 {
			t.Errorf("%v: marks %v", r, a.Ticks)
		}
	}
}

func TestNamesOfSeriesStayApart(t *testing.T) {
	c := layout.Chart{}
	for i := range 8 {
		y := 1e8 * (1 + 0.001*float64(i))
		c.Series = append(c.Series, layout.Series{Name: layout.Same("s"), Points: []layout.Point{{X: 64, Y: y, Low: y, High: y}, {X: 1024, Y: 10 * y, Low: 10 * y, High: 10 * y}}})
	}
	ends := nameEnds(c, func(rate float64) float64 { return 10 })
	for i := 1; i < len(ends); i++ {
		if ends[i].y-ends[i-1].y < nameHeight {
			t.Errorf("names at %v and %v", ends[i-1].y, ends[i].y)
		}
	}
}

// TestOtherAxes: a chart of other things than speed over size says so, in labels,
// in words and in what the pointer shows.
func TestOtherAxes(t *testing.T) {
	c := layout.Chart{Title: layout.Same("T"), X: layout.Axis{Title: layout.Text{EN: "goroutines", ZH: "goroutine 数"}, Unit: "1"},
		Y:      layout.Axis{Title: layout.Text{EN: "latency", ZH: "延迟"}, Unit: "ns"},
		Series: []layout.Series{{Name: layout.Same("gmsm"), Points: []layout.Point{{X: 1, Y: 50_000, Low: 50_000, High: 60_000}, {X: 64, Y: 2e6, Low: 2e6, High: 2e6}}}}}
	drawn := speedSVG(t, c, 0, func(string) string { return "#" })
	for _, want := range []string{"T: latency over goroutines for gmsm", "gmsm · 64 · 2.00 ms", "[50.0 µs, 60.0 µs]", ">100 µs<", ">64<"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("no %q in %s", want, drawn)
		}
	}
	if got := c.Axes(); got.EN != "Latency over goroutines; both axes are logarithmic, bars are 99 % intervals." || got.ZH != "延迟随goroutine 数的变化，双对数坐标；竖线为置信区间。" {
		t.Errorf("%+v", got)
	}
	if got := (layout.Chart{}).Axes().EN; !strings.HasPrefix(got, "Throughput over message size;") {
		t.Errorf("%s", got)
	}
}
