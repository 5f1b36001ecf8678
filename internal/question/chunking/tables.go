package chunking

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

var (
	absent = layout.Cell{Text: layout.Same("–"), Faint: true}

	perByteColumn = answer.NumberColumn(layout.Text{EN: "ns per byte", ZH: "每字节（ns）"})
	misfitColumn  = answer.NumberColumn(layout.Text{EN: "misfit (rms)", ZH: "拟合误差（均方根）"})
	waysColumn    = answer.TextColumn("Way", "方式")
)

// perByte shows the price of a byte.
func perByte(w wayCost) layout.Cell {
	return answer.TextCell(layout.FormatNumber(w.Terms["ns_per_byte"]))
}

// headlineTables are for the quick screen: the sick ciphers and what to do.
func (c *chunkingView) headlineTables() []layout.Table {
	if len(c.sick) == 0 {
		return nil
	}
	t := layout.Table{Title: layout.Text{EN: "Cost per byte of update where it works in pieces, and what to use instead", ZH: "内部切块：经 update 每字节的代价与代替方式"},
		Columns: []layout.Column{answer.CipherColumn, answer.LibraryColumn, perByteColumn, answer.NumberColumn(layout.Text{EN: "times", ZH: "倍数"}), answer.NumberColumn(layout.Text{EN: "piece size", ZH: "小块"}),
			answer.TextColumn("instead", "代替方式"), answer.NumberColumn(layout.Text{EN: "at 4 KiB, times as fast", ZH: "4 KiB 时的速度倍数"})}}
	for _, s := range c.sick {
		w := s.pattern.way(wayUpdate)
		row := layout.TableRow{RowID: w.RowIDs[0], Cells: []layout.Cell{answer.TextCell(cipherName(s.pattern)), answer.TextCell(libraryName(s.pattern)), perByte(*w), answer.TextCell(answer.Factor(s.slope.Ratio)), s.pieceCells()[0], absent, absent}}
		if x := s.around; x != nil {
			row.Cells[5], row.Cells[6] = answer.TextCell(insteadName(c.ByID[x.Other])), answer.TextCell(answer.Factor(x.Ratio))
		}
		t.Rows = append(t.Rows, row)
	}
	return []layout.Table{t}
}

// insteadName is what another row of a comparison does, as parameters and
// implementations name it.
func insteadName(r *document.Row) string {
	if way, _ := r.Way(); way != "" && way != wayUpdate {
		return way
	}
	return r.Implementation
}

// whatIs explains the short names.
var whatIs = layout.Text{
	EN: "update: the usual streaming calls. final: the flag FINAL on every call. oneshot: the whole message in one final call. blocks: the block function; the caller implements the mode. ctr-bypass: a ready implementation of blocks. coalesced: small writes are combined first.",
	ZH: "update：通常的流式调用；final：每次调用都带 FINAL 标志；oneshot：整条消息在结束调用中一次给出；blocks：调用分组函数，由调用方实现工作模式。ctr-bypass 为 blocks 的成品实现；coalesced 合并小块写入。",
}

// verdicts is a line a cipher: its price of a byte by update and by the cheapest other
// way, the pieces, and the way around them.
func (c *chunkingView) verdicts() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Cost per byte: update and the cheapest other way", ZH: "每字节的代价：update 与最省时的其他方式"},
		Caption: whatIs,
		Columns: []layout.Column{answer.CipherColumn, answer.LibraryColumn, answer.NumberColumn(layout.Text{EN: "update, ns per byte", ZH: "update 每字节（ns）"}), answer.TextColumn("other way", "其他方式"),
			answer.NumberColumn(layout.Text{EN: "ratio", ZH: "倍数"}), answer.NumberColumn(layout.Text{EN: "interval", ZH: "置信区间"}), answer.TextColumn("", ""),
			answer.NumberColumn(layout.Text{EN: "piece size", ZH: "小块"}), answer.NumberColumn(layout.Text{EN: "cost per piece", ZH: "每块"})}}
	var sick, well []layout.TableRow
	for _, h := range c.compared {
		row := layout.TableRow{Cells: []layout.Cell{answer.TextCell(cipherName(h)), answer.TextCell(libraryName(h))}}
		if w := h.way(wayUpdate); w != nil && w.OK {
			row.RowID = w.RowIDs[0]
			row.Cells = append(row.Cells, perByte(*w))
		} else {
			row.Cells = append(row.Cells, absent)
		}
		s := h.worstSlope()
		if s == nil {
			row.Cells = append(row.Cells, absent, absent, absent, c.verdict(h), absent, absent)
			well = append(well, row)
			continue
		}
		row.Cells = append(row.Cells, answer.TextCell(s.other), answer.TextCell(answer.Factor(s.Ratio)), answer.TextCell(answer.Interval(s.Low, s.High)), c.verdict(h))
		i := slices.IndexFunc(c.sick, func(s sickness) bool { return s.pattern == h })
		if i < 0 {
			well = append(well, layout.TableRow{RowID: row.RowID, Cells: append(row.Cells, absent, absent)})
			continue
		}
		sick = append(sick, layout.TableRow{RowID: row.RowID, Cells: append(row.Cells, c.sick[i].pieceCells()...)})
	}
	t.Rows = append(sick, well...)
	return t
}

func (s sickness) pieceCells() []layout.Cell {
	if !s.told() {
		c := layout.Cell{Text: answer.Unknown, Faint: true}
		if s.steps != nil {
			c.Footnotes = []layout.Text{reason.Words(s.steps.Reason)}
		}
		if s.said > 0 {
			c.Footnotes = append(c.Footnotes, s.untoldLength())
		}
		return []layout.Cell{c, absent}
	}
	ns, least, most := s.pieceCost()
	each := layout.FormatTime(ns)
	if low, high := s.span(); low != high {
		each = answer.Ranging(least, most)
	}
	return []layout.Cell{answer.TextCell(s.length()), answer.TextCell(each)}
}

// verdict is what is held of a cipher.
func (c *chunkingView) verdict(h *pattern) layout.Cell {
	for _, s := range c.sick {
		if s.pattern == h && s.severity == "pathological" {
			return layout.Cell{Text: layout.Text{EN: "severe", ZH: "严重低效"}}
		} else if s.pattern == h {
			return layout.Cell{Text: layout.Text{EN: "degraded", ZH: "性能下降"}}
		}
	}
	switch {
	case slices.ContainsFunc(h.ways, func(w wayCost) bool { return !w.OK }):
		return layout.Cell{Text: layout.Text{EN: "no fit", ZH: "不拟合"}, Faint: true}
	case c.isHealthy(h):
		return layout.Cell{Text: layout.Text{EN: "healthy", ZH: "正常"}}
	}
	return layout.Cell{Text: layout.Text{EN: "inconclusive", ZH: "无法判定"}, Faint: true}
}

// tables are the full ones.
func (c *chunkingView) tables() []layout.Table {
	tables := []layout.Table{c.verdicts(), c.remedies(), c.models()}
	for _, name := range c.libraries() {
		tables = append(tables, c.sweep(name))
	}
	return slices.DeleteFunc(tables, func(t layout.Table) bool { return len(t.Rows) == 0 })
}

// remedies sets every way around against update, at a page in one call and in small
// ones.
func (c *chunkingView) remedies() layout.Table {
	t := layout.Table{Title: layout.Say("Instead of update, messages of %s", "代替 update，消息长度 %s", layout.Same(answer.SizeText(page))),
		Caption: layout.Text{EN: "Speed compared with update, both called from Go, with the exact interval. The output of every implementation was compared with update byte by byte before.",
			ZH: "与 update 相比的速度倍数（均由 Go 程序调用）及精确置信区间。各实现的输出事先都已与 update 逐字节核对。"},
		Columns: []layout.Column{answer.CipherColumn, answer.LibraryColumn, answer.NumberColumn(layout.Text{EN: "calls of", ZH: "每次调用"}), answer.NumberColumn(layout.Text{EN: "update", ZH: "update"}),
			answer.TextColumn("instead", "代替方式"), answer.NumberColumn(layout.Text{EN: "takes", ZH: "耗时"}), answer.NumberColumn(layout.Text{EN: "ratio", ZH: "倍数"}), answer.NumberColumn(layout.Text{EN: "interval", ZH: "置信区间"})}}
	for _, h := range c.compared {
		for _, call := range []int64{page, 64} {
			for _, x := range c.againstUpdate(h, call) {
				other := c.ByID[x.Other]
				t.Rows = append(t.Rows, layout.TableRow{RowID: other.ID, Cells: []layout.Cell{answer.TextCell(cipherName(h)), answer.TextCell(libraryName(h)), answer.TextCell(answer.SizeText(call)),
					answer.TimeCell(c.ByID[x.Base]), answer.TextCell(insteadName(other)), answer.TimeCell(other), answer.TextCell(answer.Factor(x.Ratio)), answer.TextCell(answer.Interval(*x.Low, *x.High))}})
			}
		}
	}
	return t
}

// models are the cost models of every way by every path.
func (c *chunkingView) models() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Cost of a call, of a message and of a byte", ZH: "每次调用、每条消息与每字节的代价"},
		Caption: layout.Text{EN: "Fitted as t = a × calls + c × messages + b × bytes. Where every message is one call, the message column includes the call. A model that misses the times by more than 15 % (rms) is not used.",
			ZH: "拟合模型：t = a × 调用数 + c × 消息数 + b × 字节数。每条消息只有一次调用时，调用开销并入“每条消息”一列。均方根误差超过 15 % 的模型不采用。"},
		Columns: []layout.Column{answer.CipherColumn, answer.LibraryColumn, answer.PathColumn, waysColumn, answer.NumberColumn(layout.Text{EN: "per call", ZH: "每次调用"}),
			answer.NumberColumn(layout.Text{EN: "per message", ZH: "每条消息"}), perByteColumn, misfitColumn}}
	for _, h := range c.patterns {
		for _, w := range h.ways {
			row := layout.TableRow{RowID: w.RowIDs[0], Cells: []layout.Cell{answer.TextCell(cipherName(h)), answer.TextCell(libraryName(h)), answer.TextCell(h.CallPath), answer.TextCell(w.way)}}
			t.Rows = append(t.Rows, layout.TableRow{RowID: row.RowID, Cells: append(row.Cells, modelCells(w)...)})
		}
	}
	return t
}

func modelCells(w wayCost) []layout.Cell {
	if !w.OK {
		return []layout.Cell{{Text: layout.Text{EN: "no fit", ZH: "不拟合"}, Faint: true, Footnotes: []layout.Text{reason.Words(w.Reason)}}, absent, absent, answer.TextCell(layout.FormatShare(w.RMS))}
	}
	call := absent
	if ns, there := w.Terms["call_ns"]; there {
		call = answer.TextCell(layout.FormatTime(ns))
	}
	return []layout.Cell{call, answer.TextCell(layout.FormatTime(w.Terms["message_ns"])), perByte(w), answer.TextCell(layout.FormatShare(w.RMS))}
}

// sweep is the time of a message of one library, a line a way and size of call.
func (c *chunkingView) sweep(library string) layout.Table {
	sizes := c.sizes()
	t := layout.Table{Title: layout.Say("%s: time of a message, by way and size of call", "%s：单条消息耗时，按方式与每次调用的长度", library),
		Columns: []layout.Column{answer.CipherColumn, waysColumn, answer.NumberColumn(layout.Text{EN: "calls of", ZH: "每次调用"})}}
	for _, size := range sizes {
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Same(answer.SizeText(size))))
	}
	for _, h := range c.compared {
		if libraryName(h) != library {
			continue
		}
		for _, w := range h.ways {
			for _, call := range append([]int64{64, 256, 1 << 10, 4 << 10}, 0) {
				row := layout.TableRow{Cells: []layout.Cell{answer.TextCell(cipherName(h)), answer.TextCell(w.way), answer.TextCell(answer.SizeText(call))}}
				if call == 0 {
					row.Cells[2] = layout.Cell{Text: layout.Text{EN: "whole message", ZH: "整条"}}
				}
				there := false
				for _, size := range sizes {
					r := c.swept(h, w.way, size, call)
					if r != nil {
						row.RowID, there = r.ID, true
					}
					row.Cells = append(row.Cells, answer.TimeCell(r))
				}
				if there {
					t.Rows = append(t.Rows, row)
				}
			}
		}
	}
	return t
}

// sizes are those of the messages that cost models are fitted over, rising.
func (c *chunkingView) sizes() []int64 {
	sizes := answer.Values(c.Rows, answer.BytesOf, func(r *document.Row) bool {
		way, _ := r.Way()
		return way != "" && r.Bytes >= 1<<10
	})
	slices.Sort(sizes)
	return sizes
}

// swept is the row of a message in calls of a size, all of it in one where that is 0.
func (c *chunkingView) swept(h *pattern, way string, size, call int64) *document.Row {
	for _, r := range c.Rows {
		name, n := r.Way()
		if name == way && r.Bytes == size && of(r, h) && r.Implementation == h.Implementation && (n == call && call < size || call == 0 && n >= size) {
			return r
		}
	}
	return nil
}

// charts are the speed of a message by way over its size, for each sick cipher, and
// the steps of its time over neighbouring lengths.
func (c *chunkingView) charts() (out []layout.Chart) {
	if r := c.gains(); len(r.Ratios) > 0 {
		out = append(out, r)
	}
	for _, s := range c.sick {
		if chart := c.byWay(s.pattern); len(chart.Series) > 1 {
			out = append(out, chart)
		}
		if chart := c.steps(s); len(chart.Series) > 0 {
			out = append(out, chart)
		}
	}
	return out
}

// gains are the workarounds against update.
func (c *chunkingView) gains() layout.Chart {
	chart := layout.Chart{Kind: layout.Ratios, Title: layout.Say("Ways to avoid update, messages of %s: speed compared with update", "代替 update 的方式，消息长度 %s：与 update 相比的速度倍数", layout.Same(answer.SizeText(page))),
		Caption: layout.Text{EN: "Intervals are exact, widened by the noise floor.", ZH: "精确置信区间，已按本底噪声放宽。"}}
	for _, s := range c.sick {
		for _, x := range c.againstUpdate(s.pattern, page) {
			chart.Ratios = append(chart.Ratios, layout.Ratio{Label: layout.Say("%s, %s: %s", "%s，%s：%s", libraryName(s.pattern), cipherName(s.pattern), layout.Same(insteadName(c.ByID[x.Other]))),
				Value: x.Ratio, Low: *x.Low, High: *x.High, HasInterval: true, Verdict: x.Verdict, ID: x.ID})
		}
	}
	return chart
}

// byWay is speed over message size, each message in one call, a line a way.
func (c *chunkingView) byWay(h *pattern) layout.Chart {
	chart := layout.Chart{Kind: layout.SpeedOverSize, Title: layout.Say("%s of %s by way of calling: speed over message size", "%[2]s 的 %[1]s，各调用方式：吞吐量与消息长度", cipherName(h), libraryName(h)),
		Caption: layout.Text{EN: "Each message in one call. The cipher is the same: what lies between the lines is how it is called.", ZH: "每条消息一次调用。算法相同，差别仅在调用方式。"}}
	for _, w := range h.ways {
		s := layout.Series{Name: layout.Same(w.way)}
		for _, size := range c.sizes() {
			if r := c.swept(h, w.way, size, 0); r != nil {
				if p, ok := answer.Point(r); ok {
					s.Points = append(s.Points, p)
				}
			}
		}
		if len(s.Points) > 0 {
			chart.Series = append(chart.Series, s)
		}
	}
	return chart
}

// steps is the time of neighbouring lengths.
func (c *chunkingView) steps(s sickness) layout.Chart {
	chart := layout.Chart{Kind: layout.SpeedOverSize,
		Title:   layout.Say("%s of %s through update: time of neighbouring lengths", "%[2]s 的 %[1]s，经 update：相邻长度的耗时", cipherName(s.pattern), libraryName(s.pattern)),
		Caption: layout.Text{EN: "Time rises by a step for each internal piece. Where a piece is one byte, it rises with every byte.", ZH: "每个内部小块使耗时上一个台阶；小块为 1 字节时，每增加一字节都上升。"},
		X:       layout.Axis{Title: layout.Text{EN: "message", ZH: "消息长度"}, Unit: "B"}, Y: layout.Axis{Title: layout.Text{EN: "time", ZH: "耗时"}, Unit: "ns"}}
	for _, id := range s.stepRows {
		r := c.ByID[id]
		way, _ := r.Way()
		i := slices.IndexFunc(chart.Series, func(x layout.Series) bool { return x.Name.EN == way })
		if i < 0 {
			i = len(chart.Series)
			chart.Series = append(chart.Series, layout.Series{Name: layout.Same(way)})
		}
		p := layout.Point{X: float64(r.Bytes), Y: r.NsPerOp.Median, Low: r.NsPerOp.Median, High: r.NsPerOp.Median, RowID: id}
		if r.NsPerOp.Low != nil && r.NsPerOp.High != nil {
			p.Low, p.High = *r.NsPerOp.Low, *r.NsPerOp.High
		}
		chart.Series[i].Points = append(chart.Series[i].Points, p)
	}
	return chart
}
