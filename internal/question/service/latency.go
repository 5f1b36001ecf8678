package service

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

// loadOf is the load of a row of requests that arrive at a constant rate; 0 for any other.
func loadOf(r *document.Row) int { return parameter.Load.In(r.Parameters) }

// arrivals are the rows of requests that arrive at a constant rate, by service.
func (v *serviceView) arrivals() [][]*document.Row {
	return document.Grouped(v.Select(func(r *document.Row) bool { return loadOf(r) > 0 }), of)
}

// maxBehind is the share of its schedule by which the client may be late (internal/arrival).
const maxBehind = 0.01

// behind says by which share of its schedule a row's client was late, and whether that is too much.
func behind(r *document.Row) (share float64, tooMuch bool) {
	m, _ := answer.Metric(r, "behind")
	return m.Value, m.Value > maxBehind
}

// percentiles are those that are told, in rising order.
var percentiles = []struct {
	name string
	of   func(*document.Distribution) *float64
}{{"p50", answer.P50}, {"p95", answer.P95}, {"p99", answer.P99}, {"p99.9", answer.P999}}

// percentile is one of a row's latency; nil where there is none. shown says whether it is the server's. The rule is
// load's: where half of it or more may be the client's own delay at the same percentile, it says more of the client.
func (v *serviceView) percentile(r *document.Row, of func(*document.Distribution) *float64) (ns *float64, shown bool) {
	d := v.Believed(r, "latency")
	if d == nil {
		return nil, false
	}
	ns = of(d)
	own := v.Believed(r, "schedule_error")
	if ns == nil || own == nil {
		return ns, ns != nil
	}
	late := of(own)
	return ns, late == nil || 2**late <= *ns
}

// saturation says what a load of 100 % is: what was reached in a closed loop, and whether the server or the client
// limited it.
func saturation(rows []*document.Row) layout.Text {
	busy, _ := answer.Metric(rows[0], "server_busy")
	m, _ := answer.Metric(rows[0], "rate_reached")
	rate, share := layout.FormatNumber(m.Value), fmt.Sprintf("%.0f", 100*busy.Value)
	if _, ok := saturatedAt(rows[0]); ok {
		return layout.Say("100 %% is %s requests/s, with the server's CPU %s %% busy", "100%% 为每秒 %s 个请求，此时服务器的 CPU 占用 %s%%", rate, share)
	}
	return layout.Say("100 %% is %s requests/s, where the client limits: the server's CPU is %s %% busy",
		"100%% 为每秒 %s 个请求，受限于客户端：服务器的 CPU 占用 %s%%", rate, share)
}

// saturatedAt is the rate at which the server's CPU was busy, in most blocks; false where the client limits.
func saturatedAt(r *document.Row) (document.Metric, bool) {
	busy, _ := answer.Metric(r, "server_busy")
	m, ok := answer.Metric(r, "saturated_rate")
	return m, ok && busy.Value >= busyEnough
}

// waiting says how long requests take at each load, service by service. Of percentiles that the client's own delay
// may have made it says that alone: what the machine did to it would read as what the load did to the requests.
func (v *serviceView) waiting() (out []*layout.Answer) {
	for _, rows := range v.arrivals() {
		var said answer.Clauses
		some, all := false, true
		for _, r := range rows {
			what, told := v.atLoad(r)
			if what == (layout.Text{}) {
				continue
			}
			some, all = some || told > 0, all && told == len(percentiles)
			said.Add(layout.Say("at %s %% %s", "%s%% 时%s", answer.Number(loadOf(r)), what), r.ID)
		}
		mark := layout.Beware
		switch {
		case !some:
			mark = layout.Unclear
		case all:
			mark = layout.Plain
		}
		out = append(out, said.Sentence(mark, "Latency under load, %s, from when each request was due (%s): %s.",
			"负载下的延迟，%s，自请求应发时刻起算（%s）：%s。", named(rows[0]), saturation(rows), answer.Semicolons(said.Parts)))
	}
	return out
}

// atLoad words a row's percentiles, or why there are none, and says how many are shown.
func (v *serviceView) atLoad(r *document.Row) (said layout.Text, told int) {
	share, overrun := behind(r)
	switch {
	case r.Status == result.Unstable:
		return layout.Say("inconclusive: %s", "无法判定（%s）", r.Why), 0
	case overrun:
		return layout.Say("discarded: the client was %s behind its schedule", "不予采用：客户端落后其计划 %s", layout.FormatShare(share)), 0
	case v.Believed(r, "latency") == nil && r.Status == result.OK:
		return unreached(r), 0
	}
	var shown answer.Clauses
	var hidden []layout.Text
	for _, p := range percentiles {
		switch ns, is := v.percentile(r, p.of); {
		case ns == nil:
		case is:
			shown.Add(layout.Say("%s %s", "%s %s", p.name, layout.FormatTime(*ns)))
		default:
			hidden = append(hidden, layout.Text{EN: p.name, ZH: p.name})
		}
	}
	told = len(shown.Parts)
	switch {
	case told == 0 && len(hidden) == 0:
		return layout.Text{}, 0
	case told == 0:
		return layout.Say("inconclusive, because half of each percentile or more may be the client's own delay",
			"无法判定，因为各百分位数的一半以上可能来自客户端自身的延误"), 0
	case len(hidden) == 0:
		return layout.Say("%s", " %s", shown.Join()), told
	}
	return layout.Say("%s (half of %s or more may be the client's own delay)", " %s（%s 的一半以上可能来自客户端自身的延误）",
		shown.Join(), answer.List(hidden)), told
}

// unreached says at which rate requests were sent that should have been sent faster; empty where there is none.
func unreached(r *document.Row) layout.Text {
	asked, _ := answer.Metric(r, "rate_asked")
	served, ok := answer.Metric(r, "rate_served")
	if !ok || served.Value >= asked.Value {
		return layout.Text{}
	}
	return layout.Say("discarded: %s of %s requests/s were reached", "不予采用：每秒应发 %[2]s 个请求，只达到 %[1]s 个", layout.FormatNumber(served.Value),
		layout.FormatNumber(asked.Value))
}

func (v *serviceView) latencies() layout.Table {
	shown := []answer.RowColumns{protectionColumn, connectionsColumn, answer.Library,
		answer.Figure("saturated at", "饱和速率", saturatedCell),
		answer.Printed("load", "负载", func(r *document.Row) string { return fmt.Sprintf("%d %%", loadOf(r)) }),
		answer.MetricShown("asked/s", "应发/秒", "rate_asked", layout.FormatNumber),
		answer.MetricShown("right/s", "正确响应/秒", "rate_served", layout.FormatNumber)}
	for _, p := range percentiles {
		shown = append(shown, answer.Figure(p.name, p.name, v.percentileCell(p.of)))
	}
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "Constant arrival rate: latency from when each request was due", ZH: "恒定到达速率：自应发时刻起的延迟"},
		Caption: layout.Text{
			EN: "Saturated at: right answers a second of a CPU that is wholly busy, by a closed loop over 16 connections in which the server's CPU was at " +
				"least 95 % busy; else the client limits. Loads are shares of what the loop reached. Percentiles: of all requests of all blocks. Error: how late the client was itself (p99). " +
				"Client: CPUs that it used. A client more than 1 % behind its schedule, or that does not reach the rate, is discarded: such a row has no percentiles; " +
				"nor is one shown of which half or more may be the client's own delay.",
			ZH: "饱和速率：CPU 完全占满时每秒的正确响应数，由 16 个连接的闭环折算，仅当服务器 CPU 占用率至少 95%；否则受限于客户端。负载取闭环所达速率的比例。" +
				"百分位数取自全部数据组的全部请求。误差：客户端自身的延误（p99）。客户端：其占用的 CPU 数。" +
				"客户端落后计划超过 1% 或未达到速率则不予采用，该行没有百分位数；一半以上可能来自客户端自身延误的百分位数也不显示。"},
		Columns: append(shown, answer.Figure("error", "误差", v.errorCell),
			answer.MetricFigure("client", "客户端", "generator_cpu", func(x float64) string { return fmt.Sprintf("%.2f", x) }),
			answer.Words("errors", "错误", errorsCell)),
	}.Of(slices.Concat(v.arrivals()...))
}

// overLoad draws the 99th percentile of each service's latency over the load; the others stand in the table.
func (v *serviceView) overLoad() []layout.Chart {
	drawn := func(r *document.Row) bool { _, shown := v.percentile(r, answer.P99); return shown }
	lines := document.Mapped(v.arrivals(), func(rows []*document.Row) answer.Line {
		return answer.Line{Name: named(rows[0]), Rows: answer.Select(rows, drawn)}
	})
	return v.OverLoad(layout.Text{EN: "p99 latency of a request over load", ZH: "请求的 p99 延迟与负载"},
		layout.Text{
			EN: "Load is the share of the rate of a closed loop at which requests arrive; latency counts from when a request was due, over all blocks. " +
				"Loads at which half of it or more may be the client's own delay are left out.",
			ZH: "负载为到达速率占闭环速率的比例；延迟自请求应发时刻起算，汇总所有数据组。一半以上可能来自客户端自身延误的负载未画出。"},
		lines)
}

// saturatedCell is the rate at which the server's CPU is busy, or that the client limits.
func saturatedCell(r *document.Row) layout.Cell {
	if _, ok := saturatedAt(r); ok {
		return answer.MetricCell(r, "saturated_rate", layout.FormatNumber)
	}
	if busy, ok := answer.Metric(r, "server_busy"); ok {
		c := answer.Faintly("client limits", "受限于客户端")
		c.Footnotes = []layout.Text{layout.Say("the server's CPU was %s %% busy while the client sent as fast as it can",
			"客户端全速发送时服务器的 CPU 占用 %s%%", fmt.Sprintf("%.0f", 100*busy.Value))}
		return c
	}
	return answer.Dash()
}

// percentileCell is a percentile of a row's latency, with a note where it may be the client's.
func (v *serviceView) percentileCell(of func(*document.Distribution) *float64) func(*document.Row) layout.Cell {
	return func(r *document.Row) layout.Cell {
		if ns, shown := v.percentile(r, of); ns != nil && !shown {
			c := answer.Dash()
			c.Footnotes = []layout.Text{{
				EN: "not shown: half of it or more may be the client's own delay",
				ZH: "不显示：一半以上可能来自客户端自身的延误",
			}}
			return c
		}
		return answer.Quantile(of)(v.Believed(r, "latency"))
	}
}

// errorCell is how late a row's client was itself, with a note where that is too much.
func (v *serviceView) errorCell(r *document.Row) layout.Cell {
	own := answer.Quantile(answer.P99)(v.Believed(r, "schedule_error"))
	if share, overrun := behind(r); overrun {
		own.Footnotes = []layout.Text{layout.Say("discarded: the client was %s behind its schedule", "不予采用：客户端落后其计划 %s", layout.FormatShare(share))}
	}
	return own
}

var failures = []struct {
	metric string
	name   layout.Text
}{
	{"errors_refused", layout.Text{EN: "refused", ZH: "被拒绝"}}, {"errors_reset", layout.Text{EN: "reset", ZH: "被重置"}},
	{"errors_timeout", layout.Text{EN: "timeout", ZH: "超时"}}, {"errors_wrong_body", layout.Text{EN: "wrong body", ZH: "正文不符"}},
	{"errors_other", layout.Text{EN: "other", ZH: "其他"}},
}

// errorsCell are a row's errors by their kind: a block's, in the median.
func errorsCell(r *document.Row) layout.Cell {
	var said answer.Clauses
	known := false
	for _, f := range failures {
		m, ok := answer.Metric(r, f.metric)
		known = known || ok
		if most := max(m.Value, *cmp.Or(m.High, new(float64))); most > 0 {
			said.Add(layout.Say("%s %s", "%[2]s %[1]s", layout.FormatCount(most), f.name))
		}
	}
	switch {
	case !known:
		return answer.Dash()
	case len(said.Parts) == 0:
		return answer.Faintly("none", "无")
	}
	return layout.Cell{Text: said.Join()}
}
