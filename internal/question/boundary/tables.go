package boundary

import (
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// calledBy are the lines of a table: Go's own, then each library by each path.
type calledBy struct {
	lib  libraryVersion
	path string
}

// lines are who computed an operand, in the order in which people look for them.
func (b *boundaryView) lines(o operand) (lines []calledBy) {
	for _, path := range append([]string{goPath}, append(slices.Clone(crossingPaths), loopPath)...) {
		for _, r := range b.Rows {
			if l := (calledBy{versionOf(r), path}); r.CallPath == path && operandOf(r) == o && !slices.Contains(lines, l) {
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// emptyCell is the time of an empty call by a path.
func (b *boundaryView) emptyCell(path string) layout.Cell {
	r := b.empty(path)
	if r == nil {
		return layout.Cell{Text: layout.Same("–"), Faint: true}
	}
	return layout.Cell{Text: layout.Same(layout.FormatTime(r.NsPerOp.Median)), Footnotes: r.Notes}
}

// headlineTables are for the quick screen: the first operand, by path and size.
func (b *boundaryView) headlineTables() []layout.Table {
	if len(b.ciphers) == 0 {
		return nil
	}
	o := b.ciphers[0]
	t := layout.Table{Title: layout.Say("Calling C: an empty call, and a message of %s", "调用 C：空调用与一条 %s 消息", o.name()),
		Columns: []layout.Column{answer.LibraryColumn, answer.PathColumn, answer.NumberColumn(layout.Text{EN: "empty call", ZH: "空调用"})}}
	sizes := b.sizes
	if len(sizes) > 3 {
		sizes = []int64{sizes[0], sizes[len(sizes)/2], sizes[len(sizes)-1]}
	}
	for _, size := range sizes {
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Same(answer.SizeText(size))))
	}
	for _, l := range b.lines(o) {
		row := layout.TableRow{Cells: []layout.Cell{answer.TextCell(b.who(l.lib)), answer.TextCell(l.path), b.emptyCell(l.path)}}
		for _, size := range sizes {
			row.Cells = append(row.Cells, answer.TimeCell(b.at(o, l.lib, l.path, size, 1)))
		}
		t.Rows = append(t.Rows, row)
	}
	return []layout.Table{t}
}

// tables are the full ones.
func (b *boundaryView) tables() []layout.Table {
	tables := []layout.Table{b.emptyCalls()}
	for _, o := range b.ciphers {
		tables = append(tables, b.bySize(o), b.crossings(o), b.inBatches(o))
	}
	tables = append(tables, b.fadings(), b.models())
	return slices.DeleteFunc(tables, func(t layout.Table) bool { return len(t.Rows) == 0 })
}

// emptyCalls is what a call around nothing takes, by path.
func (b *boundaryView) emptyCalls() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "An empty call", ZH: "空调用"},
		Caption: layout.Text{EN: "Into C: abs of the C library. In Go: a function in assembly that returns its argument. c-loop is C calling C.",
			ZH: "调用 C：C 库的 abs。Go 一侧：返回其参数的汇编函数。c-loop 为 C 调用 C。"},
		Columns: []layout.Column{answer.PathColumn, answer.NumberColumn(layout.Text{EN: "time", ZH: "耗时"}), answer.NumberColumn(layout.Text{EN: "99 % interval", ZH: "99 % 置信区间"})}}
	for _, path := range append([]string{goPath}, append(slices.Clone(crossingPaths), loopPath)...) {
		r := b.empty(path)
		if r == nil {
			continue
		}
		span := layout.Cell{Text: layout.Same("–"), Faint: true}
		if r.NsPerOp.Low != nil && r.NsPerOp.High != nil {
			span = answer.TextCell(answer.Ranging(*r.NsPerOp.Low, *r.NsPerOp.High))
		}
		t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Cells: []layout.Cell{answer.TextCell(path), b.emptyCell(path), span}})
	}
	return t
}

// bySize is the time of one message, a line a path, a column a size.
func (b *boundaryView) bySize(o operand) layout.Table {
	t := layout.Table{Title: layout.Say("%s, time per message", "%s，单条消息耗时", o.name()),
		Columns: []layout.Column{answer.LibraryColumn, answer.PathColumn}}
	for _, size := range b.sizes {
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Same(answer.SizeText(size))))
	}
	for _, l := range b.lines(o) {
		row := layout.TableRow{Cells: []layout.Cell{answer.TextCell(b.who(l.lib)), answer.TextCell(l.path)}}
		for _, size := range b.sizes {
			r := b.at(o, l.lib, l.path, size, 1)
			if r != nil {
				row.RowID = r.ID
			}
			row.Cells = append(row.Cells, answer.TimeCell(r))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// crossings is what a path takes more than the loop in C.
func (b *boundaryView) crossings(o operand) layout.Table {
	t := layout.Table{Title: layout.Say("%s, what the call into C adds to a message", "%s，调用 C 使一条消息增加的开销", o.name()),
		Caption: layout.Text{EN: "Extra time in percent of a loop in C in the same library, which is called once for thousands of messages.",
			ZH: "以同一密码库在 C 内循环（数千条消息才调用一次）的耗时为 100 %。"},
		Columns: []layout.Column{answer.LibraryColumn, answer.PathColumn}}
	for _, size := range b.sizes {
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Same(answer.SizeText(size))))
	}
	for _, l := range b.lines(o) {
		row := layout.TableRow{Cells: []layout.Cell{answer.TextCell(b.who(l.lib)), answer.TextCell(l.path)}}
		there := false
		for _, size := range b.sizes {
			c := b.Compare(b.at(o, l.lib, loopPath, size, 1), b.at(o, l.lib, l.path, size, 1))
			if c == nil {
				row.Cells = append(row.Cells, layout.Cell{Text: layout.Same("–"), Faint: true})
				continue
			}
			there = true
			row.Cells = append(row.Cells, answer.TextCell(signedShare(1/c.Ratio-1)))
		}
		if there && slices.Contains(crossingPaths, l.path) {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// signedShare prints how much more or less something takes.
func signedShare(x float64) string {
	if x < 0 {
		return "−" + layout.FormatShare(-x)
	}
	return "+" + layout.FormatShare(x)
}

// inBatches is single calls compared with batches.
func (b *boundaryView) inBatches(o operand) layout.Table {
	t := layout.Table{Title: layout.Say("%s, single calls compared with batches", "%s，逐条调用与批处理", o.name()),
		Columns: []layout.Column{answer.LibraryColumn, answer.NumberColumn(layout.Text{EN: "messages", ZH: "消息数"}), answer.NumberColumn(layout.Text{EN: "size", ZH: "长度"}),
			answer.NumberColumn(layout.Text{EN: "single", ZH: "逐条"}), answer.NumberColumn(layout.Text{EN: "in a batch", ZH: "批处理"}),
			answer.NumberColumn(layout.Text{EN: "ratio", ZH: "倍数"}), answer.NumberColumn(layout.Text{EN: "interval", ZH: "置信区间"})}}
	for _, r := range b.Rows {
		n := batchOf(r)
		if n == 1 || operandOf(r) != o {
			continue
		}
		single := b.at(o, versionOf(r), r.CallPath, r.Bytes/n, 1)
		row := layout.TableRow{RowID: r.ID, Cells: []layout.Cell{answer.TextCell(b.who(versionOf(r)) + " " + r.CallPath), answer.TextCell(strconv.FormatInt(n, 10)), answer.TextCell(answer.SizeText(r.Bytes / n)), answer.TimeCell(single), answer.Cell(r), answer.TextCell("–"), answer.TextCell("–")}}
		if r.NsPerOp != nil {
			row.Cells[4].Text = layout.Same(layout.FormatTime(r.NsPerOp.Median / float64(n)))
		}
		if c := b.Compare(single, r); c != nil {
			row.Cells[5], row.Cells[6] = answer.TextCell(answer.Factor(c.Ratio)), answer.TextCell(answer.Interval(*c.Low, *c.High))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// fadings lists from which size on a crossing is negligible.
func (b *boundaryView) fadings() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Message size from which the call from Go costs little", ZH: "从何种消息长度起可以忽略调用 C 的开销"},
		Caption: layout.Text{EN: "Exact intervals at 99 %, widened by the noise floor; between the measured sizes it is interpolated.", ZH: "99 % 精确置信区间，已按本底噪声放宽；实测长度之间为插值。"},
		Columns: []layout.Column{answer.TextColumn("Operation", "操作"), answer.LibraryColumn, answer.PathColumn, answer.NumberColumn(layout.Text{EN: "costs less than", ZH: "开销低于"}), answer.TextColumn("from", "起始长度")}}
	for _, c := range b.Doc.Crossovers {
		r := b.ByID[c.B]
		if c.Within <= 0 || r == nil {
			continue
		}
		t.Rows = append(t.Rows, layout.TableRow{RowID: c.B, Cells: []layout.Cell{answer.TextCell(operandOf(r).name()), answer.TextCell(b.who(versionOf(r))), answer.TextCell(r.CallPath),
			answer.TextCell(wholePercent(c.Within)), {Text: fades(&c), Faint: c.Kind == document.Undecided}}})
	}
	return t
}

// models are the cost models: what a message costs before its first byte, and a byte.
func (b *boundaryView) models() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Cost of a message and of a byte", ZH: "每条消息与每字节的代价"},
		Caption: layout.Text{EN: "Fitted as t(n) = fixed + n × per byte over all sizes. The paths of one library differ in the fixed part: the cost of the call.",
			ZH: "对所有长度拟合：t(n) = 固定开销 + n × 每字节开销。同一密码库各调用方式只差在固定开销，即从 Go 调用 C 的开销。"},
		Columns: []layout.Column{answer.TextColumn("Operation", "操作"), answer.LibraryColumn, answer.PathColumn, answer.NumberColumn(layout.Text{EN: "fixed", ZH: "固定开销"}),
			answer.NumberColumn(layout.Text{EN: "per byte", ZH: "每字节"}), answer.NumberColumn(layout.Text{EN: "misfit (rms)", ZH: "拟合误差（均方根）"})}}
	for _, f := range b.Doc.Fits {
		r := b.ByID[f.RowIDs[0]]
		if r == nil || f.Model != "affine" || batchOf(r) > 1 {
			continue
		}
		row := layout.TableRow{RowID: r.ID, Cells: []layout.Cell{answer.TextCell(operandOf(r).name()), answer.TextCell(b.who(versionOf(r))), answer.TextCell(r.CallPath)}}
		if f.OK {
			row.Cells = append(row.Cells, answer.TextCell(layout.FormatTime(f.Terms["fixed_ns"])), answer.TextCell(layout.FormatNumber(f.Terms["ns_per_byte"])+" ns"), answer.TextCell(layout.FormatShare(f.RMS)))
		} else {
			row.Cells = append(row.Cells, layout.Cell{Text: layout.Text{EN: "no fit", ZH: "不拟合"}, Faint: true, Footnotes: []layout.Text{reason.Words(f.Reason)}}, answer.TextCell("–"), answer.TextCell(layout.FormatShare(f.RMS)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// charts are the time per message over its size, a line a path.
func (b *boundaryView) charts() (out []layout.Chart) {
	if len(b.sizes) < 2 {
		return nil
	}
	for _, o := range b.ciphers {
		chart := layout.Chart{Kind: layout.SpeedOverSize, Title: layout.Say("%s by call path: speed over message size", "%s，各调用方式：吞吐量与消息长度", o.name()),
			Caption: layout.Text{EN: "c-loop is the library's own speed; the gap to the other paths is the cost of the call from Go.", ZH: "c-loop 为密码库自身的速度，其他调用方式与 c-loop 的差距即从 Go 调用 C 的开销。"}}
		for _, l := range b.lines(o) {
			s := layout.Series{Name: layout.Same(b.who(l.lib) + " " + l.path)}
			for _, size := range b.sizes {
				if r := b.at(o, l.lib, l.path, size, 1); r != nil {
					if p, ok := answer.Point(r); ok {
						s.Points, s.Model = append(s.Points, p), b.Model(r.ID)
					}
				}
			}
			if len(s.Points) > 0 {
				chart.Series = append(chart.Series, s)
			}
		}
		if len(chart.Series) > 0 {
			out = append(out, chart)
		}
	}
	return out
}
