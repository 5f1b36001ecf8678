package chunking

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

var named = slices.Concat(answer.Titled("Cipher", "算法", cipherName), answer.Titled("Library", "库", answer.Versioned))

func rowOf(p *pattern) *document.Row { return p.Row }

func perByte(f *document.Fit) string { return layout.FormatNumber(f.Terms["ns_per_byte"]) }

// updateFit is the cost model of update, nil where there is none that holds.
func updateFit(p *pattern) *document.Fit {
	if w := p.way(parameter.Update); w != nil && w.OK {
		return w.Fit
	}
	return nil
}

func (c *view) updateRow(p *pattern) *document.Row {
	if f := updateFit(p); f != nil {
		return c.FitRow(f)
	}
	return nil
}

func ratio(s *slope) string { return answer.Factor(s.Ratio) }

func (c *view) headline() layout.Table {
	easiest := func(p *pattern) *document.Comparison { return cmp.Or(c.easiestAround(p), p.around) }
	byHand := func(p *pattern) *document.Comparison {
		if p.around == easiest(p) || p.around != nil && slices.Contains(oneCall, c.insteadOf(p.around)) {
			return nil
		}
		return p.around
	}
	faster := func(x *document.Comparison) string { return answer.Factor(x.Ratio) }
	return answer.Table[*pattern]{
		Title: layout.Text{EN: "Cost per byte of update where it works in pieces, and what to use instead", ZH: "内部切块：经 update 每字节的代价与代替方式"},
		Caption: layout.Say("Times as much: what a byte costs through update compared with what to use instead. Times as fast: messages of %s, compared with update; by hand with ctr-bypass.",
			"倍数：经 update 每字节的代价与代替方式相比。速度倍数：消息长度 %s，与 update 相比；自行编写即 ctr-bypass。", answer.SizeText(page)),
		Row: c.updateRow,
		Columns: []answer.Columns[*pattern]{answer.On(rowOf, named),
			answer.Figure("ns per byte", "每字节（ns）", answer.Known(updateFit, perByte)),
			answer.Figure("times as much", "倍数", func(p *pattern) layout.Cell { return answer.TextCell(ratio(c.told(p))) }),
			answer.Figure("piece size", "小块", pieceSize), answer.Words("instead", "代替方式", answer.Known(easiest, c.insteadOf)),
			answer.Figure("times as fast", "速度倍数", answer.Known(easiest, faster)),
			answer.Figure("by hand", "自行编写", answer.Known(byHand, faster))},
	}.Of(c.degraded)
}

func pieceSize(p *pattern) layout.Cell {
	switch {
	case !p.isDegraded():
		return answer.Dash()
	case p.measured():
		return answer.TextCell(p.length())
	}
	c := layout.Cell{Text: answer.Unknown, Faint: true}
	if p.steps != nil {
		c.Footnotes = append(c.Footnotes, reason.Words(p.steps.Reason))
	}
	if p.said > 0 {
		c.Footnotes = append(c.Footnotes, p.unknownLength())
	}
	return c
}

func pieceTime(p *pattern) layout.Cell {
	if !p.isDegraded() || !p.measured() {
		return answer.Dash()
	}
	ns, least, most := p.pieceCost()
	if _, low, high := p.span(); low != high {
		return answer.TextCell(answer.Ranging(least, most))
	}
	return answer.TextCell(layout.FormatTime(ns))
}

// verdicts is a line a cipher, the degraded first: its price of a byte by update and by the
// cheapest other way, the pieces, and the way around them.
func (c *view) verdicts() layout.Table {
	worst := func(p *pattern) *slope { return p.worst }
	rest := answer.Select(c.compared, func(p *pattern) bool { return !p.isDegraded() })
	return answer.Table[*pattern]{
		Title: layout.Text{EN: "Cost per byte: update and the cheapest other way", ZH: "每字节的代价：update 与最省时的其他方式"},
		Caption: layout.Text{
			EN: "update: the usual streaming calls. final: the flag FINAL on every call. oneshot: the whole message in one final call. " +
				"blocks: the block function; the caller implements the mode. ctr-bypass: a ready implementation of blocks. coalesced: small writes are combined first.",
			ZH: "update：通常的流式调用；final：每次调用都带 FINAL 标志；oneshot：整条消息在结束调用中一次给出；blocks：调用分组函数，由调用方实现工作模式。" +
				"ctr-bypass 为 blocks 的成品实现；coalesced 合并小块写入。"},
		Row: c.updateRow,
		Columns: []answer.Columns[*pattern]{answer.On(rowOf, named),
			answer.Figure("update, ns per byte", "update 每字节（ns）", answer.Known(updateFit, perByte)),
			answer.Words("other way", "其他方式", answer.Known(worst, func(s *slope) string { return string(s.other) })),
			answer.Figure("ratio", "倍数", answer.Known(worst, ratio)),
			answer.Figure("interval", "置信区间", answer.Known(worst, func(s *slope) string {
				return answer.Interval(s.Low, s.High)
			})), answer.Words("", "", verdict),
			answer.Figure("piece size", "小块", pieceSize), answer.Figure("cost per piece", "每块", pieceTime)},
	}.Of(append(slices.Clone(c.degraded), rest...))
}

func verdict(p *pattern) layout.Cell {
	switch {
	case p.isDegraded() && p.severity() == "pathological":
		return layout.Cell{Text: layout.Text{EN: "severe", ZH: "严重低效"}}
	case p.isDegraded():
		return layout.Cell{Text: layout.Text{EN: "degraded", ZH: "性能下降"}}
	case slices.ContainsFunc(p.ways, (*wayCost).unfit):
		return answer.Faintly("no fit", "不拟合")
	case p.isHealthy():
		return layout.Cell{Text: layout.Text{EN: "healthy", ZH: "正常"}}
	}
	return answer.Faintly("inconclusive", "无法判定")
}

func (c *view) tables() []layout.Table {
	all := []layout.Table{c.verdicts(), c.remedies(), c.models()}
	return answer.NonEmpty(append(all, document.Mapped(document.Grouped(c.compared, (*pattern).library), c.sweep)...)...)
}

func (c *view) remedies() layout.Table {
	var all []*document.Comparison
	for _, p := range c.compared {
		all = slices.Concat(all, c.againstUpdate(p, page), c.againstUpdate(p, smallCall))
	}
	base := func(x *document.Comparison) *document.Row { return c.ByID[x.Base] }
	other := func(x *document.Comparison) *document.Row { return c.ByID[x.Other] }
	return answer.Table[*document.Comparison]{
		Title: layout.Say("Instead of update, messages of %s", "代替 update，消息长度 %s", answer.SizeText(page)),
		Caption: layout.Text{EN: "Speed compared with update, both called from Go, with the exact interval. The output of every implementation was compared with update byte by byte before.",
			ZH: "与 update 相比的速度倍数（均由 Go 程序调用）及精确置信区间。各实现的输出事先都已与 update 逐字节核对。"},
		Row: other,
		Columns: []answer.Columns[*document.Comparison]{answer.On(base, named,
			answer.Printed("calls of", "每次调用", func(r *document.Row) string { return answer.SizeText(callOf(r)) }),
			answer.Figure("update", "update", answer.TimeCell)),
			answer.Titled("instead", "代替方式", c.insteadOf),
			answer.On(other, answer.Figure("takes", "耗时", answer.TimeCell)),
			answer.Printed("ratio", "倍数", func(x *document.Comparison) string { return answer.Factor(x.Ratio) }),
			answer.Printed("interval", "置信区间", answer.Limits)},
	}.Of(all)
}

func wayText(r *document.Row) string { return string(wayOf(r)) }

func (c *view) models() layout.Table {
	var all []*document.Fit
	for _, p := range c.patterns {
		for _, w := range p.ways {
			all = append(all, w.Fit)
		}
	}
	none := func(document.Fit) layout.Cell { return answer.Dash() }
	return answer.Table[*document.Fit]{
		Title: layout.Text{EN: "Cost of a call, of a message and of a byte", ZH: "每次调用、每条消息与每字节的代价"},
		Caption: layout.Text{EN: "Fitted as t = a × calls + c × messages + b × bytes. Where every message is one call, the message column includes the call. " +
			"A model that misses the times by more than 15 % (rms) is not used.",
			ZH: "拟合模型：t = a × 调用数 + c × 消息数 + b × 字节数。每条消息只有一次调用时，调用开销并入“每条消息”一列。均方根误差超过 15% 的模型不采用。"},
		Row: c.FitRow,
		Columns: []answer.Columns[*document.Fit]{
			answer.On(c.FitRow, named, answer.Titled("Call path", "调用路径", func(r *document.Row) string { return r.CallPath }),
				answer.Titled("Way", "方式", wayText)),
			answer.Figure("per call", "每次调用", func(f *document.Fit) layout.Cell {
				ns, several := f.Terms["call_ns"]
				switch {
				case !f.OK:
					return answer.NoFit(*f)
				case !several:
					return answer.Dash()
				}
				return answer.TextCell(layout.FormatTime(ns))
			}),
			answer.FitTerm("per message", "每条消息", none, "message_ns", layout.FormatTime),
			answer.FitFigure("ns per byte", "每字节（ns）", none, perByte), answer.Misfit},
	}.Of(all)
}

// swept are the rows of a message in a way, by rising size, in calls of a size or all of it
// in one; nil where there is none.
func (c *view) swept(p *pattern, way parameter.Manner, call int64) (all []*document.Row) {
	for _, size := range c.sizes() {
		all = append(all, answer.First(c.Rows, func(r *document.Row) bool {
			n := callOf(r)
			return wayOf(r) == way && r.Bytes == size && p.has(r) && (n == call && call < size || call == 0 && n >= size)
		}))
	}
	return all
}

func (c *view) sizes() []int64 {
	fitted := func(r *document.Row) bool { return wayOf(r) != "" && r.Bytes >= document.LeastFitted }
	return slices.Sorted(slices.Values(answer.Values(c.Rows, answer.BytesOf, fitted)))
}

func (c *view) sweep(of []*pattern) layout.Table {
	type line struct {
		*pattern
		way  parameter.Manner
		call int64
		rows []*document.Row
	}
	var lines []line
	for _, p := range of {
		for _, w := range p.ways {
			for _, call := range []int64{64, 256, 1 << 10, 4 << 10, 0} {
				if rows := c.swept(p, w.way, call); cmp.Or(rows...) != nil {
					lines = append(lines, line{p, w.way, call, rows})
				}
			}
		}
	}
	sizes := c.sizes()
	return answer.Table[line]{
		Title: layout.Say("%s: time of a message, by way and size of call", "%s：单条消息耗时，按方式与每次调用的长度", of[0].library()),
		Row:   func(l line) *document.Row { return answer.Last(answer.Present(l.rows)) },
		Columns: []answer.Columns[line]{
			answer.Titled("Cipher", "算法", line.cipher),
			answer.Titled("Way", "方式", func(l line) string { return string(l.way) }),
			answer.Figure("calls of", "每次调用", func(l line) layout.Cell {
				if l.call == 0 {
					return layout.Cell{Text: layout.Text{EN: "whole message", ZH: "整条"}}
				}
				return answer.TextCell(answer.SizeText(l.call))
			}),
			answer.EachSize(sizes, func(l line, size int64) layout.Cell {
				return answer.TimeCell(l.rows[slices.Index(sizes, size)])
			})},
	}.Of(lines)
}

func (c *view) charts() []layout.Chart {
	var all []*document.Comparison
	var charts []layout.Chart
	for _, p := range c.degraded {
		all = append(all, c.againstUpdate(p, page)...)
		charts = slices.Concat(charts, c.byWay(p), c.steps(p))
	}
	return append(c.Ratios(
		layout.Say("Ways to avoid update, messages of %s: speed compared with update",
			"代替 update 的方式，消息长度 %s：与 update 相比的速度倍数", answer.SizeText(page)),
		layout.Text{EN: "Intervals are exact, widened by the noise floor.", ZH: "精确置信区间，已按本底噪声放宽。"}, all,
		func(base, other *document.Row) layout.Text {
			name, _ := instead(other)
			return layout.Say("%s / %s, %s, %s", "%s / %s，%s，%s", name, parameter.Update,
				cipherName(base), answer.Versioned(base))
		}), charts...)
}

func (c *view) byWay(p *pattern) []layout.Chart {
	lines := document.Mapped(p.ways, func(w *wayCost) answer.Line {
		return answer.Line{Name: layout.Same(string(w.way)), Rows: c.swept(p, w.way, 0)}
	})
	charts := c.Lines(layout.Chart{
		Title: layout.Say("%s of %s by way of calling: speed over message size", "%[2]s 的 %[1]s，各调用方式：吞吐量与消息长度", p.cipher(),
			p.library()),
		Caption: layout.Text{EN: "Each message in one call. The cipher is the same: what lies between the lines is how it is called.",
			ZH: "每条消息一次调用。算法相同，差别仅在调用方式。"}}, lines, answer.Point)
	return slices.DeleteFunc(charts, func(chart layout.Chart) bool { return len(chart.Series) < 2 })
}

func (c *view) steps(p *pattern) []layout.Chart {
	lines := document.Mapped(document.Grouped(p.stepRows, wayText), func(rows []*document.Row) answer.Line {
		return answer.Line{Name: layout.Same(wayText(rows[0])), Rows: rows}
	})
	return c.Lines(layout.Chart{
		Title: layout.Say("%s of %s through update: time of neighbouring lengths", "%[2]s 的 %[1]s，经 update：相邻长度的耗时",
			p.cipher(), p.library()),
		Caption: layout.Text{EN: "Time rises by a step for each internal piece. Where a piece is one byte, it rises with every byte.",
			ZH: "每个内部小块使耗时上一个台阶；小块为 1 字节时，每增加一字节都上升。"},
		X: layout.Axis{Title: layout.Text{EN: "message", ZH: "消息长度"},
			Unit: "B"}, Y: layout.Axis{Title: layout.Text{EN: "time", ZH: "耗时"}, Unit: "ns"},
	}, lines, func(r *document.Row) (layout.Point, bool) { return answer.TimePoint(r, float64(r.Bytes)) })
}
