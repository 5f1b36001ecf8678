package concurrency

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

var named = slices.Concat(answer.Titled("Cipher", "算法", cipherOf.name),
	answer.By(func(x cipherOf) string { return x.library }))

// headline is one small table: the rates alone, of all CPUs, and past them, with the times of a
// message. A cipher that is wrong where it is shared has a line too.
func (c view) headline() layout.Table {
	counts := c.headCounts()
	first := func(x cipherOf) *document.Row {
		return cmp.Or(document.Mapped(counts, func(n int) *document.Row { return c.shared(x, n) })...)
	}
	either := func(x cipherOf) *document.Row { return cmp.Or(first(x), c.shared(x, c.many())) }
	shown := func(cell, busy func(*document.Row) layout.Cell) answer.Columns[cipherOf] {
		return append(answer.Each(counts, answer.Number, func(x cipherOf, n int) layout.Cell {
			if n == counts[len(counts)-1] && first(x) == nil {
				return cell(either(x))
			}
			return cell(c.shared(x, n))
		}), answer.Figure("per busy CPU", "每个繁忙 CPU", func(x cipherOf) layout.Cell { return busy(c.shared(x, c.cpus)) })...)
	}
	return answer.Table[cipherOf]{
		Title: layout.Say("Throughput and time per message by number of goroutines that share a cipher, messages of %s",
			"吞吐量、每条消息耗时与共享 cipher 实例的 goroutine 数，消息长度 %s", c.size()),
		Caption: layout.Text{EN: "By the wall clock, all goroutines together. Per busy CPU: by CPU time, with all CPUs busy.",
			ZH: "按实际耗时计，全部 goroutine 合计；每个繁忙 CPU：全部 CPU 同时工作时按 CPU 时间计。"},
		Row:     either,
		Columns: []answer.Columns[cipherOf]{named, shown(answer.Cell, busyCell)},
		Beneath: []answer.Columns[cipherOf]{answer.Titled("", "", func(cipherOf) string { return "" }),
			answer.Told("", "", func(cipherOf) layout.Text { return layout.Text{EN: "time per message", ZH: "每条消息耗时"} }),
			shown(answer.TimeBeside, busyTime)},
		Second: func(x cipherOf) bool {
			return slices.ContainsFunc(counts, func(n int) bool { _, ok := answer.Speed(c.shared(x, n)); return ok })
		},
	}.Of(answer.Select(c.ciphers(), func(x cipherOf) bool { return either(x) != nil }))
}

// headCounts are the numbers of goroutines that the headline table shows: alone, two, one for
// each CPU, and the most of each cipher.
func (c view) headCounts() []int {
	counts := []int{1, c.cpus}
	for _, x := range c.ciphers() {
		ns := c.counts(x)
		if slices.Contains(ns, 2) {
			counts = append(counts, 2)
		}
		counts = append(counts, ns[max(0, len(ns)-1):]...)
	}
	return slices.Compact(slices.Sorted(slices.Values(counts)))
}

// busyTime is the CPU time of a message where all CPUs are busy.
func busyTime(r *document.Row) layout.Cell {
	if _, ok := answer.Speed(r); !ok || r.BusyBytesPerSecondPC == nil || *r.BusyBytesPerSecondPC <= 0 {
		return answer.Dash()
	}
	size := float64(r.Bytes) / float64(answer.MessagesOf(r))
	return answer.TextCell(layout.FormatTime(1e9 * size / *r.BusyBytesPerSecondPC))
}

var busyTimes = answer.Figure("time per message", "每条耗时", busyTime)

func busyCell(r *document.Row) layout.Cell {
	if r == nil || r.Status != result.OK || r.BusyBytesPerSecondPC == nil {
		return answer.Dash()
	}
	return answer.TextCell(layout.FormatRate(*r.BusyBytesPerSecondPC))
}

func (c view) tables() (all []layout.Table) {
	for _, size := range c.sizes {
		at := c
		at.at = size
		all = append(all, at.closedLoop())
		if size != c.at { // which the headline shows
			all = append(all, at.holdings())
		}
		all = append(all, at.busy())
	}
	return answer.NonEmpty(append(all, c.constantRate(), c.laws())...)
}

// sharing are the rows of goroutines that share a cipher at the size in hand, those with
// less than the whole machine last of each cipher.
func (c view) sharing() []*document.Row {
	all := answer.Select(c.Rows, func(r *document.Row) bool { return r.Bytes == c.at && holding(r) == parameter.Shared })
	slices.SortStableFunc(all, func(a, b *document.Row) int {
		if cipherOfRow(a) != cipherOfRow(b) {
			return 0
		}
		return cmp.Or(cmp.Compare(a.Environment, b.Environment), cmp.Compare(a.Goroutines(), b.Goroutines()))
	})
	return all
}

// closedLoop is what goroutines that share a cipher do and how long each of their
// requests takes.
func (c view) closedLoop() layout.Table {
	return answer.Table[*document.Row]{
		Title: layout.Say("Closed loop, one cipher shared, messages of %s", "闭环，共享一个 cipher 实例，消息长度 %s", c.size()),
		Caption: layout.Text{EN: "Mean and percentiles: latency of one request; the group heading gives the messages per request. " +
			"Each goroutine starts its next request when the last is done; the latency includes waiting for a CPU. " +
			"Mutexes: seconds that all goroutines together waited on mutexes per second.",
			ZH: "平均值与百分位数：单个请求的延迟，每个请求的消息条数见分组标题。goroutine 完成一个请求后立即开始下一个；" +
				"延迟包含等待 CPU 的时间。互斥锁：全部 goroutine 每秒合计等待互斥锁的秒数。"},
		Group: heading,
		Columns: []answer.RowColumns{
			answer.Printed("goroutines", "goroutine 数", func(r *document.Row) string { return strconv.Itoa(r.Goroutines()) }),
			answer.Shown("messages/s", "消息/秒", messagesPerSecond, perThousand),
			answer.Figure("throughput", "吞吐量", answer.Cell), c.latencies(),
			answer.MetricFigure("mutexes", "互斥锁", "mutex_wait", func(x float64) string { return fmt.Sprintf("%.2f", x) })},
	}.Of(c.sharing())
}

func heading(r *document.Row) layout.Text {
	return layout.Listed([]layout.Text{answer.CipherText(r), answer.Label(r.Who()), layout.Same(r.Environment),
		layout.Say("requests of %s", "每个请求 %s", requestText(r))})
}

func messagesPerSecond(r *document.Row) (rate float64, ok bool) {
	ns, ok := answer.Nanoseconds(r)
	return float64(answer.MessagesOf(r)) * 1e9 / ns, ok
}

func perThousand(x float64) string { return answer.Prefixed(x, 9999.5) }

func requestText(r *document.Row) layout.Text {
	return document.Counted(int(parameter.Request.In(r.Parameters)), "%d message", "%d messages", "%d 条消息")
}

// latencies are the mean and the percentiles of all requests of all blocks: of
// one population, so that a disturbed block shows in all of them or in none.
func (c view) latencies() answer.RowColumns {
	latency := func(r *document.Row) *document.Distribution { return c.Believed(r, "latency") }
	mean := func(d *document.Distribution) *float64 { return &d.Mean }
	return answer.On(latency, answer.Figure("request: mean", "单个请求：平均", answer.Quantile(mean)),
		answer.Figure("p50", "p50", answer.Quantile(answer.P50)), answer.Figure("p95", "p95", answer.Quantile(answer.P95)),
		answer.Figure("p99", "p99", answer.Quantile(answer.P99)))
}

// holdings is a line for each way in which the goroutines hold a cipher.
func (c view) holdings() layout.Table {
	n := c.many()
	var lines []*document.Row
	for _, x := range c.ciphers() {
		of := func(how parameter.Hold) *document.Row { return c.held(x, n, how) }
		if held := answer.Present(document.Mapped(parameter.Holding.Words, of)); len(held) > 1 {
			lines = append(lines, held...)
		}
	}
	return answer.Table[*document.Row]{
		Title: layout.Say("Ways of holding the cipher, %s goroutines, messages of %s",
			"持有 cipher 实例的方式，%s 个 goroutine，消息长度 %s", answer.Number(n), c.size()),
		Columns: []answer.RowColumns{answer.On(cipherOfRow, named),
			answer.Told("Held", "持有方式", func(r *document.Row) layout.Text { return ways[holding(r)] }),
			answer.Figure("throughput", "吞吐量", answer.Cell), answer.Figure("time per message", "每条消息耗时", answer.TimeBeside),
			answer.Figure("allocs per message", "每条消息分配次数", answer.AllocsEach)},
	}.Of(lines)
}

func (c view) busy() layout.Table {
	one := func(x cipherOf) *document.Row { return c.shared(x, 1) }
	all := func(x cipherOf) *document.Row { return c.shared(x, c.cpus) }
	return answer.Table[cipherOf]{
		Title: layout.Say("Throughput per CPU when all CPUs are busy, messages of %s", "全部 CPU 繁忙时每个 CPU 的吞吐量，消息长度 %s",
			c.size()),
		Caption: layout.Say("Alone and per CPU: per second of CPU time, with 1 and with %s goroutines. All together: by the wall clock.",
			"“单独”与“每个 CPU”按 CPU 时间计（1 个与 %s 个 goroutine），“合计”按实际耗时计。", answer.Number(c.cpus)),
		Row: all,
		Columns: []answer.Columns[cipherOf]{named, answer.On(one, answer.Figure("alone", "单独", busyCell), busyTimes),
			answer.On(all, answer.Figure("per CPU, all busy", "全部繁忙时每个 CPU", busyCell), busyTimes,
				answer.Figure("all together", "合计", answer.Cell),
				answer.Shown("CPUs received", "实得 CPU 数", answer.CPUsHad,
					func(n float64) string { return fmt.Sprintf("%.2f", n) }))},
	}.Of(answer.Select(c.ciphers(), func(x cipherOf) bool { return c.cpus > 1 && one(x) != nil && all(x) != nil }))
}

// constantRate is how long requests took at each load; the laboratory's own were empty.
func (c view) constantRate() layout.Table {
	load := func(r *document.Row) layout.Text { return layout.Same(r.Parameter("load") + " %") }
	of := func(text func(*document.Row) layout.Text) func(*document.Row) layout.Cell {
		return func(r *document.Row) layout.Cell {
			if r.Library == subject.Harness {
				return answer.TextCell("–")
			}
			return layout.Cell{Text: text(r)}
		}
	}
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "Constant arrival rate: latency from when each request was due", ZH: "恒定到达速率：自应到时刻起的延迟"},
		Caption: layout.Text{EN: "One CPU generates requests, the others serve them. Offered and served: requests per second. " +
			"Mean and percentiles: over all requests of all blocks. Error: how late the load generator itself was (p99). " +
			"A row whose generator was more than 1 % behind has no percentiles.",
			ZH: "一个 CPU 产生请求，其余 CPU 处理。请求/秒、完成/秒：发出与完成的请求数。均值与百分位数取自全部数据组的全部请求。" +
				"误差：压测程序自身的延误（p99）。压测程序落后计划超过 1% 的行不给出百分位数。"},
		Columns: []answer.RowColumns{answer.Words("Cipher", "算法", requested), answer.Library,
			answer.Figure("message", "消息长度", of(messagesText)),
			answer.Figure("per request", "每个请求", of(requestText)),
			answer.Figure("load", "负载", of(load)),
			answer.MetricShown("offered", "请求/秒", "rate_asked", perThousand),
			answer.MetricShown("served", "完成/秒", "rate_served", perThousand),
			c.latencies(), answer.Figure("error", "误差", c.scheduleError)},
	}.Of(answer.Present(append(c.arrivals(), c.Laboratory(isArrival))))
}

func requested(r *document.Row) layout.Cell {
	name := answer.CipherText(r)
	if r.Library == subject.Harness {
		name = layout.Text{EN: "an empty request", ZH: "空请求"}
	}
	return layout.Cell{Text: name, Footnotes: answer.Why(r)}
}

// scheduleError is how late the generator of a row's requests was, with a note where
// that is too late.
func (c view) scheduleError(r *document.Row) layout.Cell {
	own := answer.Quantile(answer.P99)(c.Distribution(r, "schedule_error"))
	if _, late := c.lateBy(r); late {
		own.Footnotes = []layout.Text{{
			EN: "the load generator itself was this late (p99): the percentiles of this row also contain the machine's delays",
			ZH: "压测程序自身延误已达此值（p99）：本行百分位数也包含机器造成的延误",
		}}
	}
	return own
}

func (c view) laws() layout.Table {
	return answer.Table[*document.Fit]{
		Title: layout.Text{EN: "Universal Scalability Law, up to the number of CPUs", ZH: "通用可扩展性定律（USL），不超过 CPU 数"},
		Caption: layout.Text{
			EN: "X(n) = n·X(1) / (1 + σ(n−1) + κn(n−1)): the throughput of n goroutines. σ: share of the work that runs serially. κ: coordination cost per pair of goroutines.",
			ZH: "X(n) = n·X(1) / (1 + σ(n−1) + κn(n−1)) 为 n 个 goroutine 的吞吐量；σ 为串行部分的占比；κ 为每两个 goroutine 之间的协调开销。"},
		Row: c.FitRow,
		Columns: []answer.Columns[*document.Fit]{
			answer.On(func(f *document.Fit) cipherOf { return cipherOfRow(c.FitRow(f)) }, named),
			answer.On(c.FitRow, answer.Figure("message", "消息长度",
				func(r *document.Row) layout.Cell { return layout.Cell{Text: messagesText(r)} })),
			answer.FitTerm("σ", "σ", answer.NoFit, "sigma", layout.FormatNumber),
			answer.FitTerm("κ", "κ", nil, "kappa", layout.FormatNumber),
			answer.FitTerm("peak at", "峰值处", nil, "peak_workers", layout.FormatNumber),
			answer.FitFigure("misfit (rms)", "拟合误差（均方根）", nil,
				func(f *document.Fit) string { return layout.FormatShare(f.RMS) })},
	}.Of(c.Fits(document.ModelScaling))
}

func (c view) charts() []layout.Chart {
	title := layout.Text{EN: "Headline comparisons: throughput of the first over the second", ZH: "主要比较：前者相对后者的吞吐量"}
	all := c.Ratios(title, layout.Text{}, c.Headlines(), contrast)
	for _, size := range c.sizes {
		at := c
		at.at = size
		all = append(all, at.overGoroutines()...)
	}
	return append(all, c.overLoad()...)
}

// contrast names what tells two rows of a cipher apart: how many goroutines, or how
// they hold it.
func contrast(base, other *document.Row) layout.Text {
	cipher := layout.Same(answer.CaseName(base.Algorithm, base.Mode) + " " + base.Who())
	if holding(base) != holding(other) {
		return layout.Say("%s, %s / %s, %s goroutines, %s", "%s，%s / %s，%s 个 goroutine，%s",
			cipher, ways[holding(other)], ways[holding(base)], answer.Number(base.Goroutines()), messagesText(base))
	}
	return layout.Say("%s, %s / %s goroutines, %s", "%s，%s / %s 个 goroutine，%s",
		cipher, answer.Number(other.Goroutines()), answer.Number(base.Goroutines()), messagesText(base))
}

func (x cipherOf) line(rows []*document.Row) answer.Line {
	return answer.Line{Name: layout.Same(x.library + " " + x.name()), New: answer.IsNew(x.library), Rows: rows}
}

func (c view) overGoroutines() []layout.Chart {
	lines := document.Mapped(c.ciphers(), func(x cipherOf) answer.Line {
		return x.line(document.Mapped(c.counts(x), func(n int) *document.Row { return c.shared(x, n) }))
	})
	return c.Lines(layout.Chart{
		Title: layout.Say("Throughput by number of goroutines that share a cipher, messages of %s",
			"吞吐量与共享 cipher 实例的 goroutine 数，消息长度 %s", c.size()),
		X: layout.Axis{Title: answer.GoroutinesColumn, Unit: "1"},
	}, answer.LinesOf(3, lines), answer.Over((*document.Row).Goroutines))
}

// overLoad draws the 99th percentile of each cipher's latency over the load; the
// others stand in the table.
func (c view) overLoad() []layout.Chart {
	drawn := func(r *document.Row) bool {
		d := c.Believed(r, "latency")
		_, late := c.lateBy(r)
		return r.Bytes == c.at && d != nil && d.P99 != nil && !late && parameter.Load.In(r.Parameters) > 0
	}
	lines := document.Mapped(document.Grouped(answer.Select(c.arrivals(), drawn), cipherOfRow),
		func(rows []*document.Row) answer.Line { return cipherOfRow(rows[0]).line(rows) })
	return c.OverLoad(layout.Say("p99 latency over load, messages of %s", "p99 延迟与负载，消息长度 %s", c.size()),
		layout.Text{EN: "Load is the share of the saturated rate at which requests arrive; latency of one request (messages per request: see the table), " +
			"counted from when it was due, over all blocks. Loads at which the load generator itself was late are left out.",
			ZH: "负载为到达速率占饱和速率的比例；延迟为含多条消息的一个请求的延迟（条数见表），从应到时刻算起，汇总所有数据组。" +
				"压测程序自身延误过大的负载未画出。"}, lines)
}
