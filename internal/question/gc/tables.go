package gc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

var (
	heapColumn = answer.TextColumn("Live heap", "存活堆")
	alone      = layout.Text{EN: "too few blocks (worker restarts) for an interval: only the value is shown, no verdict", ZH: "数据组过少，没有置信区间：只列数值，不作判定"}
)

// lost is the throughput that other loses against base, as its comparison has it.
func (g *collectorView) lost(base, other *document.Row) layout.Cell {
	if other == nil || base == nil {
		return answer.Dash()
	}
	for _, r := range []*document.Row{other, base} {
		if r.Status != result.OK {
			c := answer.Cell(r)
			c.Footnotes = c.Footnotes[:min(1, len(c.Footnotes))]
			return c
		}
	}
	c := g.Pairs[[2]string{base.ID, other.ID}]
	switch {
	case c == nil || c.Ratio == 0:
		return answer.Dash()
	case c.Low == nil || c.High == nil:
		return layout.Cell{Text: layout.Same(lossShare(1 - c.Ratio)), Faint: true, Footnotes: []layout.Text{alone}}
	}
	switch c.Verdict {
	case "slower":
		return answer.TextCell(lossShare(1-c.Ratio) + " (" + lossRange(c) + ")")
	case "same":
		return layout.Cell{Text: layout.Text{EN: "none", ZH: "无"}}
	case "faster":
		return layout.Cell{Text: layout.Say("none: %s faster", "无：快 %s", layout.FormatShare(c.Ratio-1))}
	}
	return layout.Cell{Text: layout.Say("none found (≤ %s)", "未发现（≤ %s）", lossShare(1-*c.Low)), Faint: true}
}

// lossShare prints a share of throughput; less than nothing is a gain.
func lossShare(x float64) string { return strings.Replace(layout.FormatShare(x), "-", "−", 1) }

// lossRange prints the interval of a loss, the smaller end first.
func lossRange(c *document.Comparison) string {
	return strings.TrimSuffix(lossShare(1-*c.High), " %") + "–" + lossShare(1-*c.Low)
}

func callTime(r *document.Row) layout.Cell {
	if r == nil || r.NsPerOp == nil {
		return answer.Dash()
	}
	return answer.TextCell(layout.FormatTime(r.NsPerOp.Median))
}

func wallCell(r *document.Row) layout.Cell {
	if r == nil || r.WallNsPerOp == nil {
		return answer.Dash()
	}
	return answer.TextCell(layout.FormatTime(r.WallNsPerOp.Median))
}

// headlineTables are for the quick screen.
func (g *collectorView) headlineTables() []layout.Table {
	t := layout.Table{
		Title: layout.Text{EN: "Throughput lost compared with reused buffers", ZH: "相对复用缓冲区损失的吞吐量"},
		Columns: []layout.Column{answer.OperationColumn, heapColumn,
			answer.NumberColumn(layout.Text{EN: "new buffers", ZH: "每次新建"}), answer.NumberColumn(layout.Text{EN: "sync.Pool", ZH: "sync.Pool"}),
			answer.NumberColumn(layout.Text{EN: "allocated", ZH: "分配速率"}), answer.NumberColumn(layout.Text{EN: "collections", ZH: "回收次数"})},
	}
	longest := int64(0)
	for _, s := range g.spots {
		longest = max(longest, s.bytes)
	}
	for _, s := range g.spots {
		if s.gogc != usualGOGC || s.sealing() && s.bytes != longest || s.heap > smallHeap || s.heap > 0 && !s.sealing() || s.heap == 0 && !g.decides(s) {
			continue
		}
		often := g.collections(s.fresh)
		if m, ok := gcMetric(s.fresh, "collections_per_second"); ok && m.Value == 0 {
			often = layout.Cell{Text: layout.Text{EN: "none", ZH: "无"}} // in how many windows is said by the full table
		}
		t.Rows = append(t.Rows, layout.TableRow{RowID: id(s.fresh), Cells: []layout.Cell{{Text: s.who()}, {Text: s.heapText()},
			g.lost(s.reused, s.fresh), g.lost(s.reused, s.pool),
			gcCell(s.fresh, "alloc_bytes_per_second", layout.FormatRate), often}})
	}
	return answer.NonEmpty(t)
}

// decides says whether the answer stands on what fresh buffers lose here.
func (g *collectorView) decides(s *spotRows) bool {
	if s.reused == nil || s.fresh == nil {
		return false
	}
	c := g.Pairs[[2]string{s.reused.ID, s.fresh.ID}]
	return c != nil && c.Headline
}

func id(r *document.Row) string {
	if r == nil {
		return ""
	}
	return r.ID
}

func gcCell(r *document.Row, name string, format func(float64) string) layout.Cell {
	m, ok := gcMetric(r, name)
	if !ok {
		return answer.Dash()
	}
	return answer.TextCell(format(m.Value))
}

// collections are how many there are in a second, or that there was none.
func (g *collectorView) collections(r *document.Row) layout.Cell {
	m, ok := gcMetric(r, "collections_per_second")
	if !ok {
		return answer.Dash()
	}
	switch n := g.seen[r.Trial]; {
	case m.Value == 0:
		return layout.Cell{Text: g.without(r)}
	case n.empty > 0:
		return layout.Cell{Text: layout.Say("%s/s", "%s 次/s", layout.FormatNumber(m.Value)), Footnotes: []layout.Text{g.without(r)}}
	}
	return layout.Cell{Text: layout.Say("%s/s", "%s 次/s", layout.FormatNumber(m.Value))}
}

// without says in how many windows there was no collection.
func (g *collectorView) without(r *document.Row) layout.Text {
	n := g.seen[r.Trial]
	if n.empty == n.all {
		return layout.Say("none (%s windows)", "无（%s 个测量窗口）", strconv.Itoa(n.all))
	}
	return layout.Say("none in %s of %s windows", "%[2]s 个测量窗口中 %[1]s 个无", strconv.Itoa(n.empty), strconv.Itoa(n.all))
}

// tables are the full ones.
func (g *collectorView) tables() []layout.Table {
	return answer.NonEmpty(g.losses(), g.garbage(), g.work(), g.underGOGC())
}

// heading is the group of the table rows of an operation, where it begins one.
func (s *spotRows) heading(t *layout.Table, last *spot) layout.Text {
	this := s.spot
	this.heap, this.gogc = 0, 0
	if len(t.Rows) > 0 && *last == this {
		return layout.Text{}
	}
	*last = this
	return s.who()
}

// losses sets the ways to have buffers side by side, under GOGC=100.
func (g *collectorView) losses() layout.Table {
	t := layout.Table{
		Title: layout.Text{EN: "Time of a call, and throughput lost compared with reused buffers, GOGC=100", ZH: "单次调用耗时与相对复用缓冲区损失的吞吐量，GOGC=100"},
		Caption: layout.Text{
			EN: "Losses are in CPU time of the process, garbage collection included, with exact intervals. In wall time, garbage collection can run in parallel where a CPU is free.",
			ZH: "损失按进程 CPU 时间计算（计入垃圾回收器自身的开销），附精确置信区间。墙钟时间中，若有空闲 CPU，回收器线程与被测线程并行。"},
		Columns: []layout.Column{heapColumn,
			answer.NumberColumn(layout.Text{EN: "reused", ZH: "复用"}), answer.NumberColumn(layout.Text{EN: "new: lost", ZH: "新建：损失"}), answer.NumberColumn(layout.Text{EN: "pool: lost", ZH: "缓冲池：损失"}),
			answer.NumberColumn(layout.Text{EN: "wall: reused", ZH: "墙钟：复用"}), answer.NumberColumn(layout.Text{EN: "new", ZH: "新建"}), answer.NumberColumn(layout.Text{EN: "pool", ZH: "缓冲池"})},
	}
	var last spot
	for _, s := range g.inOrder() {
		if s.gogc != usualGOGC {
			continue
		}
		t.Rows = append(t.Rows, layout.TableRow{RowID: id(s.fresh), Group: s.heading(&t, &last), Cells: []layout.Cell{{Text: s.heapText()}, callTime(s.reused),
			g.lost(s.reused, s.fresh), g.lost(s.reused, s.pool), wallCell(s.reused), wallCell(s.fresh), wallCell(s.pool)}})
	}
	return t
}

// inOrder are the spots, those of one operation together.
func (g *collectorView) inOrder() []*spotRows {
	place := map[spot]int{}
	of := func(s *spotRows) spot {
		k := s.spot
		k.heap, k.gogc = 0, 0
		return k
	}
	for _, s := range g.spots {
		if _, there := place[of(s)]; !there {
			place[of(s)] = len(place)
		}
	}
	spots := slices.Clone(g.spots)
	slices.SortStableFunc(spots, func(a, b *spotRows) int { return place[of(a)] - place[of(b)] })
	return spots
}

// garbage is what one call leaves, and how much of it the caller could save.
func (g *collectorView) garbage() layout.Table {
	t := layout.Table{
		Title: layout.Text{EN: "Bytes allocated per call: by the caller and inside the library", ZH: "单次调用的分配：调用方可避免的部分与库内部的部分"},
		Caption: layout.Text{EN: "What remains with reused buffers is allocated inside the library; a pool of the caller cannot avoid it.",
			ZH: "复用缓冲区后仍剩余的分配发生在库内部，调用方的缓冲池省不掉。"},
		Columns: []layout.Column{answer.OperationColumn, answer.LibraryColumn,
			answer.NumberColumn(layout.Text{EN: "new", ZH: "新建"}), answer.NumberColumn(layout.Text{EN: "objects", ZH: "对象"}),
			answer.NumberColumn(layout.Text{EN: "pool", ZH: "缓冲池"}), answer.NumberColumn(layout.Text{EN: "objects", ZH: "对象"}),
			answer.NumberColumn(layout.Text{EN: "reused", ZH: "复用"}), answer.NumberColumn(layout.Text{EN: "objects", ZH: "对象"})},
	}
	for _, s := range g.spots {
		if !s.usual() {
			continue
		}
		row := layout.TableRow{RowID: id(s.reused), Cells: []layout.Cell{{Text: s.name()}, {Text: layout.Same(s.library), New: answer.IsNew(s.library)}}}
		for _, r := range []*document.Row{s.fresh, s.pool, s.reused} {
			row.Cells = append(row.Cells, gcCell(r, "alloc_bytes_per_call", answer.CallBytes), gcCell(r, "alloc_objects_per_call", callObjects))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func callObjects(x float64) string {
	if x < 0.05 {
		return "0"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}

// work is what the collector did in the rows that made it work, and in the usual
// ones with fresh buffers that did not.
func (g *collectorView) work() layout.Table {
	t := layout.Table{
		Title: layout.Text{EN: "Garbage collection in numbers", ZH: "垃圾回收器的工作量"},
		Caption: layout.Text{
			EN: "Rates are per second of wall time. Of the CPU: the runtime's count of CPU time for marking and pauses (without sweeping), as a share of the process's CPU time; it reads too high when other programs take the CPU. Pauses: upper edges of the runtime's histogram buckets, up to 25 % too long; no p99 below 100 pauses.",
			ZH: "速率按墙钟秒计。占比为运行时自身统计的标记与暂停 CPU 时间（不含清扫）与进程 CPU 时间之比，CPU 被抢占时会偏高。暂停时间取运行时直方图区间的上界，至多偏大四分之一；不足一百次时不给出 p99。"},
		Columns: []layout.Column{answer.TextColumn("Buffers", "缓冲区"), heapColumn, answer.NumberColumn(layout.Same("GOGC")),
			answer.NumberColumn(layout.Text{EN: "allocated", ZH: "分配速率"}), answer.NumberColumn(layout.Text{EN: "objects", ZH: "对象"}),
			answer.NumberColumn(layout.Text{EN: "collections", ZH: "回收次数"}), answer.NumberColumn(layout.Text{EN: "of the CPU", ZH: "CPU 占比"}),
			answer.NumberColumn(layout.Text{EN: "pause p50", ZH: "暂停 p50"}), answer.NumberColumn(layout.Same("p99")), answer.NumberColumn(layout.Text{EN: "max", ZH: "最长"})},
	}
	var last spot
	for _, s := range g.inOrder() {
		for _, r := range []*document.Row{s.fresh, s.pool, s.reused} {
			if _, ok := gcMetric(r, "collections_per_second"); !ok || g.pauses(r) == nil && (r != s.fresh || !s.usual()) {
				continue // nothing to tell; that there was no collection is said once
			}
			row := g.workRow(s, r)
			row.Group = s.heading(&t, &last)
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func (g *collectorView) workRow(s *spotRows, r *document.Row) layout.TableRow {
	perSecond := func(x float64) string { return strings.Replace(layout.FormatRate(x), "B/s", "/s", 1) }
	row := layout.TableRow{RowID: r.ID, Cells: []layout.Cell{
		{Text: bufferNames[strings.TrimPrefix(strings.Split(r.Parameters, ",")[0], "buffers=")]}, {Text: s.heapText()}, answer.TextCell(strconv.Itoa(s.gogc)),
		gcCell(r, "alloc_bytes_per_second", layout.FormatRate), gcCell(r, "alloc_objects_per_second", perSecond),
		g.collections(r), gcCell(r, "gc_cpu_share", layout.FormatShare)}}
	d := g.pauses(r)
	if d == nil {
		return layout.TableRow{RowID: row.RowID, Cells: append(row.Cells, answer.Dash(), answer.Dash(), answer.Dash())}
	}
	p99 := answer.Dash()
	if d.P99 != nil {
		p99 = answer.TextCell(layout.FormatTime(*d.P99))
	}
	row.Cells = append(row.Cells, answer.TextCell(layout.FormatTime(d.P50)), p99, answer.TextCell(layout.FormatTime(d.Max)))
	return row
}

var bufferNames = map[string]layout.Text{
	"fresh":  {EN: "new", ZH: "新建"},
	"reused": {EN: "reused", ZH: "复用"},
	"pool":   {EN: "pool", ZH: "缓冲池"},
}

// underGOGC is the loss of fresh buffers under each GOGC.
func (g *collectorView) underGOGC() layout.Table {
	var all []int
	for _, s := range g.spots {
		if !slices.Contains(all, s.gogc) {
			all = append(all, s.gogc)
		}
	}
	slices.Sort(all)
	t := layout.Table{
		Title: layout.Text{EN: "Throughput that new buffers lose, by GOGC", ZH: "各 GOGC 取值下新建缓冲区损失的吞吐量"},
		Caption: layout.Text{EN: "A greater GOGC collects less often and lets the heap grow: to 1.5 times the live data at 50, 2 times at 100, 5 times at 400.",
			ZH: "GOGC 越大，回收越少，堆增长越多：50 时约为存活数据的 1.5 倍，100 时 2 倍，400 时 5 倍。"},
		Columns: []layout.Column{heapColumn},
	}
	if len(all) < 2 {
		return t
	}
	for _, n := range all {
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Same("GOGC="+strconv.Itoa(n))))
	}
	var last spot
	for _, s := range g.inOrder() {
		if s.gogc != usualGOGC || g.where(s.spot, s.heap, all[0]) == nil && g.where(s.spot, s.heap, all[len(all)-1]) == nil {
			continue
		}
		row := layout.TableRow{RowID: id(s.fresh), Group: s.heading(&t, &last), Cells: []layout.Cell{{Text: s.heapText()}}}
		for _, n := range all {
			c := answer.Dash()
			if other := g.where(s.spot, s.heap, n); other != nil {
				c = g.lost(other.reused, other.fresh)
			}
			row.Cells = append(row.Cells, c)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// charts are the ratios that the sentences stand on.
func (g *collectorView) charts() []layout.Chart {
	chart := layout.Chart{Kind: layout.Ratios,
		Title: layout.Text{EN: "Speed compared with reused buffers", ZH: "相对复用缓冲区的速度"},
		Caption: layout.Text{EN: "1 is no loss. Intervals hold for all headline comparisons together at 99 %, and are widened by the noise floor. Differences within ±0.5 % count as the same speed.",
			ZH: "1 表示没有损失。置信区间对全部主要比较同时成立（合计 99 %），并已按本底噪声放宽。差异在 ±0.5 % 以内视为速度相同。"}}
	for _, s := range g.spots {
		for _, other := range []*document.Row{s.fresh, s.pool} {
			if s.reused == nil || other == nil {
				continue
			}
			c := g.Pairs[[2]string{s.reused.ID, other.ID}]
			if c == nil || !c.Headline || c.Ratio == 0 {
				continue
			}
			r := layout.Ratio{Label: g.ratioLabel(s, other), Value: c.Ratio, Verdict: c.Verdict, ID: c.ID}
			if c.Low != nil && c.High != nil {
				r.Low, r.High, r.HasInterval = *c.Low, *c.High, true
			}
			chart.Ratios = append(chart.Ratios, r)
		}
	}
	if len(chart.Ratios) == 0 {
		return nil
	}
	return []layout.Chart{chart}
}

func (g *collectorView) ratioLabel(s *spotRows, other *document.Row) layout.Text {
	buffers := layout.Text{EN: "new buffers", ZH: "新建缓冲区"}
	if other == s.pool {
		buffers = layout.Same("sync.Pool")
	}
	parts := []layout.Text{s.who(), buffers}
	if s.heap > 0 {
		parts = append(parts, layout.Say("heap of %s", "存活堆 %s", s.heapText()))
	}
	return answer.Join(parts)
}
