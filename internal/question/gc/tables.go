package gc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

var (
	heapColumn      = answer.Told("Live heap", "存活堆", (*cell).heapText)
	allocatedColumn = answer.MetricFigure("allocated", "分配速率", "alloc_bytes_per_second", layout.FormatRate)
)

func (g *view) lost(base, other *document.Row) layout.Cell {
	for _, r := range []*document.Row{other, base} {
		if r == nil || r.Status != result.OK {
			c := answer.Cell(r)
			c.Footnotes = c.Footnotes[:min(1, len(c.Footnotes))]
			return c
		}
	}
	c := g.Declared(base, other)
	switch {
	case c == nil || c.Ratio == 0:
		return answer.Dash()
	case c.Low == nil || c.High == nil:
		return layout.Cell{Text: layout.Same(lost(c)), Faint: true, Footnotes: []layout.Text{{
			EN: "too few blocks (worker restarts) for an interval: only the value is shown, no verdict",
			ZH: "数据组过少，没有置信区间：只列数值，不作判定"}}}
	case c.Verdict == "slower":
		return answer.TextCell(lost(c) + " (" + lostSpan(c) + ")")
	case c.Verdict == "same":
		return layout.Cell{Text: layout.Text{EN: "none", ZH: "无"}}
	case c.Verdict == "faster":
		return layout.Cell{Text: layout.Say("none: %s faster", "无：快 %s", layout.FormatShare(c.Ratio-1))}
	case c.TooBusy():
		return layout.Cell{Text: layout.Same(lost(c) + " (" + lostSpan(c) + ")"), Faint: true,
			Footnotes: []layout.Text{answer.Open(c)}}
	case 1-*c.Low <= muchLost:
		return layout.Cell{Text: layout.Say("none found (≤ %s)", "未发现（≤ %s）", share(1-*c.Low)), Faint: true}
	}
	undecided := layout.Say("undecided (≤ %s)", "无法判定（≤ %s）", share(1-*c.Low))
	return layout.Cell{Text: undecided, Faint: true, Footnotes: []layout.Text{{
		EN: "the interval reaches from no loss to a large one: close other programs, and run gc alone with a larger --budget or more --blocks",
		ZH: "置信区间从没有损失一直到损失很大：请关闭其他程序，单独运行 gc，并调大 --budget 或 --blocks"}}}
}

func (g *view) headline() layout.Table {
	longest := int64(0)
	for _, s := range g.cells {
		longest = max(longest, s.Bytes)
	}
	return answer.Table[*cell]{
		Title: layout.Text{EN: "Throughput lost compared with reused buffers", ZH: "相对复用缓冲区损失的吞吐量"},
		Row:   freshOf,
		Columns: []answer.Columns[*cell]{
			answer.Told("Operation", "操作", (*cell).who),
			heapColumn,
			answer.Figure("new buffers", "每次新建", g.lostFresh), answer.Figure("sync.Pool", "sync.Pool", g.lostPool),
			answer.On(freshOf, allocatedColumn, answer.Figure("collections", "回收次数", g.collectionsInShort)),
		},
	}.Of(answer.Select(g.cells, func(s *cell) bool {
		c := g.Declared(s.reused, s.fresh)
		return s.gogc == parameter.UsualGOGC && (!seals(s.Mode) || s.Bytes == longest) && s.heap <= smallHeap &&
			(s.heap == 0 && c != nil && c.Headline || s.heap > 0 && seals(s.Mode))
	}))
}

func freshOf(s *cell) *document.Row  { return s.fresh }
func poolOf(s *cell) *document.Row   { return s.pool }
func reusedOf(s *cell) *document.Row { return s.reused }

func (g *view) lostFresh(s *cell) layout.Cell { return g.lost(s.reused, s.fresh) }
func (g *view) lostPool(s *cell) layout.Cell  { return g.lost(s.reused, s.pool) }

// collectionsInShort leaves in how many windows there was none to the full table.
func (g *view) collectionsInShort(r *document.Row) layout.Cell {
	if m, ok := answer.Metric(r, "collections_per_second"); ok && m.Value == 0 {
		return layout.Cell{Text: layout.Text{EN: "none", ZH: "无"}}
	}
	return g.collections(r)
}

func (g *view) collections(r *document.Row) layout.Cell {
	m, ok := answer.Metric(r, "collections_per_second")
	if !ok {
		return answer.Dash()
	}
	if m.Value == 0 {
		return layout.Cell{Text: g.without(r)}
	}
	c := layout.Cell{Text: layout.Say("%s/s", "%s 次/s", layout.FormatNumber(m.Value))}
	if g.windows[r.Trial].empty > 0 {
		c.Footnotes = []layout.Text{g.without(r)}
	}
	return c
}

func (g *view) without(r *document.Row) layout.Text {
	n := g.windows[r.Trial]
	if n.empty == n.all {
		return layout.Say("none (%s windows)", "无（%s 个测量窗口）", answer.Number(n.all))
	}
	return layout.Say("none in %s of %s windows", "%[2]s 个测量窗口中 %[1]s 个无", answer.Number(n.empty), answer.Number(n.all))
}

func (g *view) inOrder() []*cell {
	return slices.Concat(document.Grouped(g.cells, func(s *cell) answer.Key { return s.Key })...)
}

func (g *view) losses() layout.Table {
	return answer.Table[*cell]{
		Title: layout.Text{EN: "Time of a call, and throughput lost compared with reused buffers, GOGC=100",
			ZH: "单次调用耗时与相对复用缓冲区损失的吞吐量，GOGC=100"},
		Caption: layout.Text{
			EN: "Losses are in CPU time of the process, garbage collection included, with exact intervals. " +
				"In wall time, garbage collection can run in parallel where a CPU is free.",
			ZH: "损失按进程 CPU 时间计算（计入垃圾回收器自身的开销），附精确置信区间。实际耗时中，若有空闲 CPU，回收器线程与被测线程并行。"},
		Row: freshOf, Group: (*cell).who,
		Columns: []answer.Columns[*cell]{heapColumn,
			answer.On(reusedOf, answer.Figure("reused", "复用", answer.CallTime)),
			answer.Figure("new: lost", "新建：损失", g.lostFresh), answer.Figure("pool: lost", "缓冲池：损失", g.lostPool),
			answer.On(reusedOf, answer.Figure("wall: reused", "实际耗时：复用", answer.WallTime)),
			answer.On(freshOf, answer.Figure("new", "新建", answer.WallTime)),
			answer.On(poolOf, answer.Figure("pool", "缓冲池", answer.WallTime)),
		},
	}.Of(answer.Select(g.inOrder(), func(s *cell) bool { return s.gogc == parameter.UsualGOGC }))
}

// garbage is what one call leaves, and how much of it the caller could save.
func (g *view) garbage() layout.Table {
	objects := answer.MetricFigure("objects", "对象", "alloc_objects_per_call", callObjects)
	bytes := func(en, zh string) answer.RowColumns {
		return answer.MetricFigure(en, zh, "alloc_bytes_per_call", answer.CallBytes)
	}
	return answer.Table[*cell]{
		Title: layout.Text{EN: "Bytes allocated per call: by the caller and inside the library",
			ZH: "单次调用的分配：调用方可避免的部分与库内部的部分"},
		Caption: layout.Text{EN: "What remains with reused buffers is allocated inside the library; a pool of the caller cannot avoid it.",
			ZH: "复用缓冲区后仍剩余的分配发生在库内部，调用方的缓冲池省不掉。"},
		Row: reusedOf,
		Columns: []answer.Columns[*cell]{
			answer.Told("Operation", "操作", (*cell).name),
			answer.By(func(s *cell) string { return s.Subject }),
			answer.On(freshOf, bytes("new", "新建"), objects),
			answer.On(poolOf, bytes("pool", "缓冲池"), objects),
			answer.On(reusedOf, bytes("reused", "复用"), objects),
		},
	}.Of(answer.Select(g.cells, (*cell).usual))
}

func callObjects(x float64) string {
	if x < 0.05 {
		return "0"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}

type worked struct {
	*cell
	buffers layout.Text
	row     *document.Row
}

// work is what garbage collection did in the rows that had some, and in the usual
// ones with new buffers that had none.
func (g *view) work() layout.Table {
	perSecond := func(x float64) string { return strings.Replace(layout.FormatRate(x), "B/s", "/s", 1) }
	row := func(w worked) *document.Row { return w.row }
	return answer.Table[worked]{
		Title: layout.Text{EN: "Garbage collection in numbers", ZH: "垃圾回收器的工作量"},
		Caption: layout.Text{
			EN: "Rates are per second of wall time. Of the CPU: the runtime's count of CPU time for marking and pauses " +
				"(without sweeping), as a share of the process's CPU time; it reads too high when other programs take the CPU. " +
				"Pauses: upper edges of the runtime's histogram buckets, up to 25 % too long; no p99 below 100 pauses.",
			ZH: "速率按实际秒数计。占比为运行时自身统计的标记与暂停 CPU 时间（不含清扫）与进程 CPU 时间之比，CPU 被抢占时会偏高。" +
				"暂停时间取运行时直方图区间的上界，至多偏大四分之一；不足一百次时不给出 p99。"},
		Row: row, Group: worked.who,
		Columns: []answer.Columns[worked]{
			answer.Told("Buffers", "缓冲区", func(w worked) layout.Text { return w.buffers }),
			answer.On(func(w worked) *cell { return w.cell }, heapColumn),
			answer.Printed("GOGC", "GOGC", func(w worked) string { return strconv.Itoa(w.gogc) }),
			answer.On(row, allocatedColumn,
				answer.MetricFigure("objects", "对象", "alloc_objects_per_second", perSecond),
				answer.Figure("collections", "回收次数", g.collections),
				answer.MetricFigure("of the CPU", "CPU 占比", "gc_cpu_share", layout.FormatShare),
				answer.On(g.pauses,
					answer.Figure("pause p50", "暂停 p50", answer.Quantile(answer.P50)),
					answer.Figure("p99", "p99", answer.Quantile(answer.P99)),
					answer.Figure("max", "最长", answer.Quantile(func(d *document.Distribution) *float64 { return &d.Max })))),
		},
	}.Of(g.working())
}

// working are the rows that there is something to tell of; that there was no collection
// is said once.
func (g *view) working() (rows []worked) {
	for _, s := range g.inOrder() {
		for _, w := range []worked{
			{s, layout.Text{EN: "new", ZH: "新建"}, s.fresh},
			{s, layout.Text{EN: "pool", ZH: "缓冲池"}, s.pool},
			{s, layout.Text{EN: "reused", ZH: "复用"}, s.reused},
		} {
			if _, ok := answer.Metric(w.row, "collections_per_second"); ok &&
				(g.pauses(w.row) != nil || w.row == s.fresh && s.usual()) {
				rows = append(rows, w)
			}
		}
	}
	return rows
}

func (g *view) underGOGC() layout.Table {
	all := slices.Compact(slices.Sorted(slices.Values(document.Mapped(g.cells, func(s *cell) int { return s.gogc }))))
	if len(all) < 2 {
		return layout.Table{}
	}
	return answer.Table[*cell]{
		Title: layout.Text{EN: "Throughput that new buffers lose, by GOGC", ZH: "各 GOGC 取值下新建缓冲区损失的吞吐量"},
		Caption: layout.Text{
			EN: "A greater GOGC collects less often and lets the heap grow: to 1.5 times the live data at 50, 2 times at 100, 5 times at 400.",
			ZH: "GOGC 越大，回收越少，堆增长越多：50 时约为存活数据的 1.5 倍，100 时 2 倍，400 时 5 倍。"},
		Row: freshOf, Group: (*cell).who,
		Columns: []answer.Columns[*cell]{heapColumn,
			answer.Each(all, func(n int) layout.Text { return layout.Same("GOGC=" + strconv.Itoa(n)) },
				func(s *cell, n int) layout.Cell {
					if other := g.among(s.Key, s.heap, n); other != nil {
						return g.lostFresh(other)
					}
					return answer.Dash()
				}),
		},
	}.Of(answer.Select(g.inOrder(), func(s *cell) bool {
		return s.gogc == parameter.UsualGOGC && (g.among(s.Key, s.heap, all[0]) != nil ||
			g.among(s.Key, s.heap, all[len(all)-1]) != nil)
	}))
}

func ratioLabel(_, other *document.Row) layout.Text {
	buffers := layout.Text{EN: "new buffers / reused buffers", ZH: "新建缓冲区 / 复用缓冲区"}
	if buffersOf(other) == parameter.Recycled {
		buffers = layout.Text{EN: "sync.Pool / reused buffers", ZH: "sync.Pool / 复用缓冲区"}
	}
	p := placeOf(other)
	parts := []layout.Text{buffers, p.who()}
	if p.heap > 0 {
		parts = append(parts, layout.Say("heap of %s", "存活堆 %s", p.heapText()))
	}
	return answer.Join(parts)
}
