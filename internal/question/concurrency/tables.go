package concurrency

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

var ()

// headlineTables is one small table: the rates alone, of all CPUs, and past them.
func (c *concurrencyView) headlineTables() []layout.Table {
	t := layout.Table{
		Title: layout.Say("Throughput by number of goroutines that share a cipher, messages of %s", "吞吐量与共享 cipher 实例的 goroutine 数，消息长度 %s", c.size()),
		Caption: layout.Text{EN: "By the wall clock. Per busy CPU: per second of CPU time, with all CPUs busy.",
			ZH: "按墙钟时间计；每个繁忙 CPU：全部 CPU 同时工作时每秒 CPU 时间的吞吐量。"},
		Columns: []layout.Column{answer.CipherColumn, answer.LibraryColumn},
	}
	counts := []int{1, c.cpus}
	for _, x := range c.ciphers() {
		ns := c.counts(x)
		if slices.Contains(ns, 2) {
			counts = append(counts, 2)
		}
		if len(ns) > 0 {
			counts = append(counts, ns[len(ns)-1])
		}
	}
	slices.Sort(counts)
	counts = slices.Compact(counts)
	for _, n := range counts {
		t.Columns = append(t.Columns, answer.NumberColumn(answer.Number(n)))
	}
	t.Columns = append(t.Columns, answer.NumberColumn(layout.Text{EN: "per busy CPU", ZH: "每个繁忙 CPU"}))
	for _, x := range c.ciphers() {
		row := layout.TableRow{Cells: []layout.Cell{{Text: layout.Same(x.name())}, {Text: layout.Same(x.library), New: answer.IsNew(x.library)}}}
		any := false
		for _, n := range counts {
			r := c.shared(x, n)
			any = any || r != nil
			row.Cells = append(row.Cells, answer.Cell(r))
			if r != nil && row.RowID == "" {
				row.RowID = r.ID
			}
		}
		row.Cells = append(row.Cells, busyCell(c.shared(x, c.cpus)))
		if any {
			t.Rows = append(t.Rows, row)
		} else if r := c.held(x, c.many(), "shared"); r != nil { // one that is wrong where it is shared
			row.RowID = r.ID
			row.Cells[len(row.Cells)-2] = answer.Cell(r)
			t.Rows = append(t.Rows, row)
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []layout.Table{t}
}

// busyCell is the rate of a CPU in a row in which all were busy.
func busyCell(r *document.Row) layout.Cell {
	if r == nil || r.Status != result.OK || r.BusyBytesPerSecondPC == nil {
		return layout.Cell{Text: layout.Same("–"), Faint: true}
	}
	return answer.TextCell(layout.FormatRate(*r.BusyBytesPerSecondPC))
}

// tables are the full ones.
func (c *concurrencyView) tables() []layout.Table {
	var out []layout.Table
	at := c.at
	for _, size := range c.sizes {
		c.at = size
		out = append(out, c.closedLoop(), c.holdings(), c.busy())
	}
	c.at = at
	out = append(out, c.constantRate(), c.laws())
	return slices.DeleteFunc(out, func(t layout.Table) bool { return len(t.Rows) == 0 })
}

// parallelRows are the rows of goroutines at the size in hand that keep passes.
func (c *concurrencyView) parallelRows(keep func(*document.Row) bool) (rows []*document.Row) {
	for _, r := range c.Rows {
		if r.Goroutines() > 0 && r.Bytes == c.at && keep(r) {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b *document.Row) int { // GOMAXPROCS after the whole machine
		if x, y := cipherOfRow(a), cipherOfRow(b); x != y {
			return 0
		}
		return cmp.Or(cmp.Compare(a.Environment, b.Environment), cmp.Compare(a.Goroutines(), b.Goroutines()))
	})
	return rows
}

// closedLoop is what goroutines that share a cipher do and how long each of their
// requests takes.
func (c *concurrencyView) closedLoop() layout.Table {
	t := layout.Table{
		Title: layout.Say("Closed loop, one cipher shared, messages of %s", "闭环，共享一个 cipher 实例，消息长度 %s", c.size()),
		Caption: layout.Text{EN: "Mean and percentiles: latency of one request; the group heading gives the messages per request. Each goroutine starts its next request when the last is done; the latency includes waiting for a CPU. Mutexes: seconds that all goroutines together waited on mutexes per second.",
			ZH: "平均值与百分位数：单个请求的延迟，每个请求的消息条数见分组标题。goroutine 完成一个请求后立即开始下一个；延迟包含等待 CPU 的时间。互斥锁：全部 goroutine 每秒合计等待互斥锁的秒数。"},
		Columns: append([]layout.Column{answer.NumberColumn(answer.GoroutinesColumn), answer.NumberColumn(layout.Text{EN: "messages/s", ZH: "消息/秒"}),
			answer.NumberColumn(layout.Text{EN: "throughput", ZH: "吞吐量"})}, latencyColumns...),
	}
	t.Columns = append(t.Columns, answer.NumberColumn(layout.Text{EN: "mutexes", ZH: "互斥锁"}))
	var last layout.Text
	for _, r := range c.parallelRows(func(r *document.Row) bool { return r.Parameter("holding") == "shared" }) {
		row := layout.TableRow{RowID: r.ID, Cells: []layout.Cell{answer.TextCell(strconv.Itoa(r.Goroutines())), messagesPerSecond(r), answer.Cell(r)}}
		if under := layout.Say("%s, requests of %s", "%s，每个请求 %s", heading(r), requestText(r)); under != last {
			row.Group, last = under, under
		}
		row.Cells = append(row.Cells, c.latencyCells(r)...)
		waited := layout.Cell{Text: layout.Same("–"), Faint: true}
		if m, ok := answer.Metric(r, "mutex_wait"); ok {
			waited = answer.TextCell(strconv.FormatFloat(m.Value, 'f', 2, 64))
		}
		t.Rows = append(t.Rows, withCell(row, waited))
	}
	return t
}

func withCell(r layout.TableRow, c layout.Cell) layout.TableRow {
	r.Cells = append(r.Cells, c)
	return r
}

// heading names the cipher of a row, and the processors it was left.
func heading(r *document.Row) layout.Text {
	name := layout.Say("%s, %s", "%s，%s", answer.CaseName(r.Algorithm, r.Mode), answer.Label(r.Who()))
	if r.Environment == "" {
		return name
	}
	return layout.Say("%s, %s", "%s，%s", name, r.Environment)
}

// perSecond is how many messages a second a row makes.
func messagesPerSecond(r *document.Row) layout.Cell {
	if r.NsPerOp == nil || r.Status != result.OK {
		return layout.Cell{Text: layout.Same("–"), Faint: true}
	}
	messages, _ := messagesOf(r)
	return answer.TextCell(perThousand(float64(messages) * 1e9 / r.NsPerOp.Median))
}

// perThousand prints a count a second: "547 k", "3.21 M".
func perThousand(x float64) string {
	switch {
	case x >= 999.5e3:
		return layout.FormatNumber(x/1e6) + " M"
	case x >= 9999.5:
		return layout.FormatNumber(x/1e3) + " k"
	}
	return layout.FormatNumber(x)
}

// latencyColumns are of requests, of which each is many messages.
var latencyColumns = []layout.Column{answer.NumberColumn(layout.Text{EN: "request: mean", ZH: "单个请求：平均"}),
	answer.NumberColumn(layout.Same("p50")), answer.NumberColumn(layout.Same("p95")), answer.NumberColumn(layout.Same("p99"))}

// requestText says how many messages a row's requests are.
func requestText(r *document.Row) layout.Text {
	n := r.Parameter("request")
	if n == "1" {
		return layout.Text{EN: "1 message", ZH: "1 条消息"}
	}
	return layout.Say("%s messages", "%s 条消息", n)
}

// latencyCells are the mean and the percentiles of all requests of all blocks: of
// one population, so that a disturbed block shows in all of them or in none.
func (c *concurrencyView) latencyCells(r *document.Row) []layout.Cell {
	var mean, p50, p95, p99 *float64
	if d := c.distribution(r, "latency"); d != nil {
		mean, p50, p95, p99 = &d.Mean, &d.P50, d.P95, d.P99
	}
	return []layout.Cell{latencyCell(mean), latencyCell(p50), latencyCell(p95), latencyCell(p99)}
}

func latencyCell(ns *float64) layout.Cell {
	if ns == nil {
		return layout.Cell{Text: layout.Same("–"), Faint: true}
	}
	return answer.TextCell(layout.FormatTime(*ns))
}

// holdings sets the ways of holding a cipher side by side.
func (c *concurrencyView) holdings() layout.Table {
	n := c.many()
	t := layout.Table{
		Title:   layout.Say("Ways of holding the cipher, %s goroutines, messages of %s", "持有 cipher 实例的方式，%s 个 goroutine，消息长度 %s", answer.Number(n), c.size()),
		Columns: []layout.Column{answer.CipherColumn, answer.LibraryColumn},
	}
	for _, w := range ways {
		t.Columns = append(t.Columns, answer.NumberColumn(w.name))
	}
	for _, x := range c.ciphers() {
		row := layout.TableRow{Cells: []layout.Cell{{Text: layout.Same(x.name())}, {Text: layout.Same(x.library), New: answer.IsNew(x.library)}}}
		several := 0
		for _, w := range ways {
			r := c.held(x, n, w.parameter)
			if r != nil {
				several++
				row.RowID = cmp.Or(row.RowID, r.ID)
			}
			row.Cells = append(row.Cells, answer.Cell(r))
		}
		if several > 1 {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// busy sets the rate of each CPU when all are busy beside the rate of one alone.
func (c *concurrencyView) busy() layout.Table {
	t := layout.Table{
		Title:   layout.Say("Throughput per CPU when all CPUs are busy, messages of %s", "全部 CPU 繁忙时每个 CPU 的吞吐量，消息长度 %s", c.size()),
		Caption: layout.Say("Alone and per CPU: per second of CPU time, with 1 and with %s goroutines. All together: by the wall clock.", "“单独”与“每个 CPU”按 CPU 时间计（1 个与 %s 个 goroutine），“合计”按墙钟时间计。", answer.Number(c.cpus)),
		Columns: []layout.Column{answer.CipherColumn, answer.LibraryColumn, answer.NumberColumn(layout.Text{EN: "alone", ZH: "单独"}),
			answer.NumberColumn(layout.Text{EN: "per CPU, all busy", ZH: "全部繁忙时每个 CPU"}), answer.NumberColumn(layout.Text{EN: "all together", ZH: "合计"}), answer.NumberColumn(layout.Text{EN: "CPUs received", ZH: "实得 CPU 数"})},
	}
	if c.cpus < 2 {
		return t
	}
	for _, x := range c.ciphers() {
		one, all := c.shared(x, 1), c.shared(x, c.cpus)
		if one == nil || all == nil {
			continue
		}
		t.Rows = append(t.Rows, layout.TableRow{RowID: all.ID, Cells: []layout.Cell{{Text: layout.Same(x.name())},
			{Text: layout.Same(x.library), New: answer.IsNew(x.library)}, busyCell(one), busyCell(all), answer.Cell(all), hadCell(all)}})
	}
	return t
}

func hadCell(r *document.Row) layout.Cell {
	if n, ok := answer.CPUsHad(r); ok {
		return answer.TextCell(fmt.Sprintf("%.2f", n))
	}
	return layout.Cell{Text: layout.Same("–"), Faint: true}
}

// constantRate is how long requests took at each load.
func (c *concurrencyView) constantRate() layout.Table {
	t := layout.Table{
		Title: layout.Text{EN: "Constant arrival rate: latency from when each request was due", ZH: "恒定到达速率：自应到时刻起的延迟"},
		Caption: layout.Text{EN: "One CPU generates requests, the others serve them. Offered and served: requests per second. Mean and percentiles: over all requests of all blocks. Error: how late the load generator itself was (p99). A row whose generator was more than 1 % behind has no percentiles.",
			ZH: "一个 CPU 产生请求，其余 CPU 处理。请求/秒、完成/秒：发出与完成的请求数。均值与百分位数取自全部数据组的全部请求。误差：压测程序自身的延误（p99）。压测程序落后计划超过 1 % 的行不给出百分位数。"},
		Columns: append([]layout.Column{answer.CipherColumn, answer.LibraryColumn, answer.NumberColumn(layout.Text{EN: "message", ZH: "消息长度"}), answer.NumberColumn(layout.Text{EN: "per request", ZH: "每个请求"}), answer.NumberColumn(layout.Text{EN: "load", ZH: "负载"}),
			answer.NumberColumn(layout.Text{EN: "offered", ZH: "请求/秒"}), answer.NumberColumn(layout.Text{EN: "served", ZH: "完成/秒"})}, latencyColumns...),
	}
	t.Columns = append(t.Columns, answer.NumberColumn(layout.Text{EN: "error", ZH: "误差"}))
	rows := c.arrivals()
	if e := c.empty(); e != nil {
		rows = append(rows, e)
	}
	for _, r := range rows {
		name, size := layout.Same(answer.CaseName(r.Algorithm, r.Mode)), messagesText(r)
		request, load := requestText(r), r.Parameter("load")+" %"
		if r.Library == "harness" {
			name, size = layout.Text{EN: "an empty request", ZH: "空请求"}, layout.Same("–")
			request, load = layout.Same("–"), "–"
		}
		row := layout.TableRow{RowID: r.ID, Cells: []layout.Cell{{Text: name, Footnotes: answer.Because(r)}, {Text: layout.Same(r.Who()), New: answer.IsNew(r.Who())},
			{Text: size}, {Text: request}, answer.TextCell(load), rate(r, "rate_asked"), rate(r, "rate_served")}}
		row.Cells = append(row.Cells, c.latencyCells(r)...)
		own := latencyCell(nil)
		if d := c.anyDistribution(r, "schedule_error"); d != nil {
			own = latencyCell(d.P99)
		}
		if _, late := c.lateBy(r); late {
			own.Footnotes = []layout.Text{lateNote}
		}
		t.Rows = append(t.Rows, withCell(row, own))
	}
	return t
}

// lateNote stands beside the error of a generator that was too late.
var lateNote = layout.Text{
	EN: "the load generator itself was this late (p99): the percentiles of this row also contain the machine's delays",
	ZH: "压测程序自身延误已达此值（p99）：本行百分位数也包含机器造成的延误",
}

// rate is one of a row's numbers of requests a second: those asked for, or served.
func rate(r *document.Row, name string) layout.Cell {
	if m, ok := r.Metrics[name]; ok {
		return answer.TextCell(perThousand(m.Value))
	}
	return layout.Cell{Text: layout.Same("–"), Faint: true}
}

// laws shows the scaling laws, or why there are none.
func (c *concurrencyView) laws() layout.Table {
	t := layout.Table{
		Title: layout.Text{EN: "Universal Scalability Law, up to the number of CPUs", ZH: "通用可扩展性定律（USL），不超过 CPU 数"},
		Caption: layout.Text{EN: "X(n) = n·X(1) / (1 + σ(n−1) + κn(n−1)): the throughput of n goroutines. σ: share of the work that runs serially. κ: coordination cost per pair of goroutines.",
			ZH: "X(n) = n·X(1) / (1 + σ(n−1) + κn(n−1)) 为 n 个 goroutine 的吞吐量；σ 为串行部分的占比；κ 为每两个 goroutine 之间的协调开销。"},
		Columns: []layout.Column{answer.CipherColumn, answer.LibraryColumn, answer.NumberColumn(layout.Text{EN: "message", ZH: "消息长度"}), answer.NumberColumn(layout.Same("σ")), answer.NumberColumn(layout.Same("κ")),
			answer.NumberColumn(layout.Text{EN: "peak at", ZH: "峰值处"}), answer.NumberColumn(layout.Text{EN: "misfit (rms)", ZH: "拟合误差（均方根）"})},
	}
	for _, f := range c.Doc.Fits {
		if f.Model != "usl" || len(f.RowIDs) == 0 {
			continue
		}
		r := c.ByID[f.RowIDs[0]]
		if r == nil {
			continue
		}
		row := layout.TableRow{RowID: r.ID, Cells: []layout.Cell{{Text: layout.Same(answer.CaseName(r.Algorithm, r.Mode))}, {Text: layout.Same(r.Who()), New: answer.IsNew(r.Who())}, {Text: messagesText(r)}}}
		if !f.OK {
			row.Cells = append(row.Cells, layout.Cell{Text: layout.Text{EN: "no fit", ZH: "不拟合"}, Faint: true, Footnotes: []layout.Text{reason.Words(f.Reason)}}, answer.TextCell("–"), answer.TextCell("–"), answer.TextCell("–"))
			t.Rows = append(t.Rows, row)
			continue
		}
		peak := answer.TextCell("–")
		if n, ok := f.Terms["peak_workers"]; ok {
			peak = answer.TextCell(layout.FormatNumber(n))
		}
		row.Cells = append(row.Cells, answer.TextCell(layout.FormatNumber(f.Terms["sigma"])), answer.TextCell(layout.FormatNumber(f.Terms["kappa"])), peak, answer.TextCell(layout.FormatShare(f.RMS)))
		t.Rows = append(t.Rows, row)
	}
	return t
}
