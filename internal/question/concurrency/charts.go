package concurrency

import (
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// charts are the ratios that the sentences stand on, throughput over goroutines,
// and latency over load.
func (c *concurrencyView) charts() (out []layout.Chart) {
	if r := c.headlineRatios(); len(r.Ratios) > 0 {
		out = append(out, r)
	}
	at := c.at
	for _, size := range c.sizes {
		c.at = size
		if ch := c.overGoroutines(); len(ch.Series) > 0 {
			out = append(out, ch)
		}
	}
	c.at = at
	if ch := c.overLoad(); len(ch.Series) > 0 {
		out = append(out, ch)
	}
	return out
}

func (c *concurrencyView) headlineRatios() layout.Chart {
	chart := layout.Chart{Kind: layout.Ratios,
		Title: layout.Text{EN: "Headline comparisons: throughput of the first over the second", ZH: "主要比较：前者相对后者的吞吐量"},
		Caption: layout.Text{EN: "Intervals hold for all headline comparisons together at 99 %, and are widened by the noise floor. Differences within ±0.5 % count as the same speed.",
			ZH: "置信区间对全部主要比较同时成立（合计 99 %），并已按本底噪声放宽。差异在 ±0.5 % 以内视为速度相同。"}}
	for _, x := range c.Doc.Comparisons {
		base, other := c.ByID[x.Base], c.ByID[x.Other]
		if !x.Headline || base == nil || other == nil || x.Ratio == 0 {
			continue
		}
		r := layout.Ratio{Label: hands(base, other), Value: x.Ratio, Verdict: x.Verdict, ID: x.ID}
		if x.Low != nil && x.High != nil {
			r.Low, r.High, r.HasInterval = *x.Low, *x.High, true
		}
		chart.Ratios = append(chart.Ratios, r)
	}
	return chart
}

// hands names what tells two rows of a cipher apart: how many goroutines, or how
// they hold it.
func hands(base, other *document.Row) layout.Text {
	cipher := layout.Same(answer.CaseName(base.Algorithm, base.Mode) + " " + base.Who())
	if base.Parameter("holding") != other.Parameter("holding") {
		return layout.Say("%s, %s / %s, %s goroutines, %s", "%s，%s / %s，%s 个 goroutine，%s",
			cipher, wayOf(other), wayOf(base), answer.Number(base.Goroutines()), messagesText(base))
	}
	return layout.Say("%s, %s / %s goroutines, %s", "%s，%s / %s 个 goroutine，%s", cipher, answer.Number(other.Goroutines()), answer.Number(base.Goroutines()), messagesText(base))
}

func wayOf(r *document.Row) layout.Text {
	for _, w := range ways {
		if w.parameter == r.Parameter("holding") {
			return w.name
		}
	}
	return layout.Same(r.Parameter("holding"))
}

// overGoroutines draws the ciphers that were measured over more than two numbers.
func (c *concurrencyView) overGoroutines() layout.Chart {
	chart := layout.Chart{Kind: layout.SpeedOverSize,
		Title: layout.Say("Throughput by number of goroutines that share a cipher, messages of %s", "吞吐量与共享 cipher 实例的 goroutine 数，消息长度 %s", c.size()),
		X:     layout.Axis{Title: answer.GoroutinesColumn, Unit: "1"}, Y: layout.Axis{Title: layout.Text{EN: "throughput", ZH: "吞吐量"}, Unit: "B/s"}}
	for _, x := range c.ciphers() {
		s := layout.Series{Name: layout.Same(x.library + " " + x.name()), New: answer.IsNew(x.library)}
		counts := c.counts(x)
		for _, n := range counts {
			r := c.shared(x, n)
			if p, ok := answer.Point(r); ok {
				// A rate's interval is of the bytes; the place is the goroutines'.
				p.X = float64(n)
				s.Points = append(s.Points, p)
			}
		}
		if len(counts) > 2 && len(s.Points) > 0 {
			chart.Series = append(chart.Series, s)
		}
	}
	return chart
}

// overLoad draws the 99th percentile of each cipher's latency over the load; the
// others stand in the table.
func (c *concurrencyView) overLoad() layout.Chart {
	chart := layout.Chart{Kind: layout.SpeedOverSize,
		Title: layout.Say("p99 latency over load, messages of %s", "p99 延迟与负载，消息长度 %s", c.size()),
		Caption: layout.Text{EN: "Load is the share of the saturated rate at which requests arrive; latency of one request (messages per request: see the table), counted from when it was due, over all blocks. Loads at which the load generator itself was late are left out.",
			ZH: "负载为到达速率占饱和速率的比例；延迟为含多条消息的一个请求的延迟（条数见表），从应到时刻算起，汇总所有数据组。压测程序自身延误过大的负载未画出。"},
		X: layout.Axis{Title: layout.Text{EN: "load", ZH: "负载"}, Unit: "%"}, Y: layout.Axis{Title: layout.Text{EN: "latency", ZH: "延迟"}, Unit: "ns"}}
	for _, x := range answer.Values(c.Rows, cipherOfRow, func(r *document.Row) bool { return r.Operation == algorithm.Arrival && r.Status == result.OK }) {
		s := layout.Series{Name: layout.Same(x.library + " " + x.name()), New: answer.IsNew(x.library)}
		for _, r := range c.arrivals() {
			d := c.distribution(r, "latency")
			load, err := strconv.ParseFloat(r.Parameter("load"), 64)
			if d == nil || d.P99 == nil || err != nil || cipherOfRow(r) != x || r.Bytes != c.at {
				continue
			}
			if _, late := c.lateBy(r); late {
				continue
			}
			s.Points = append(s.Points, layout.Point{X: load, Y: *d.P99, Low: *d.P99, High: *d.P99, RowID: r.ID})
		}
		if len(s.Points) > 1 {
			chart.Series = append(chart.Series, s)
		}
	}
	return chart
}
