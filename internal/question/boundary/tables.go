package boundary

import (
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

var path = answer.Titled("Call path", "调用路径", func(r *document.Row) string { return r.CallPath })

func (b *view) library() answer.RowColumns {
	return answer.Titled("Library", "库", b.Versioned)
}

func (b *view) times(sizes []int64) answer.RowColumns {
	return answer.EachSize(sizes, func(r *document.Row, size int64) layout.Cell {
		return answer.TimeCell(b.single(r, r.CallPath, size))
	})
}

func (b *view) lines(name string) (lines []*document.Row) {
	for _, path := range paths {
		by := answer.Select(b.Rows, func(r *document.Row) bool { return r.CallPath == path && cipher(r) == name })
		for _, same := range document.Grouped(by, answer.Versioned) {
			lines = append(lines, same[0])
		}
	}
	return lines
}

func (b *view) headline() []layout.Table {
	sizes := b.sizes
	if len(sizes) > 3 {
		sizes = []int64{sizes[0], sizes[len(sizes)/2], sizes[len(sizes)-1]}
	}
	emptyLike := func(r *document.Row) *document.Row { return b.empty(r.CallPath) }
	return []layout.Table{answer.Table[*document.Row]{
		Title: layout.Say("Calling C: an empty call, and a message of %s", "调用 C：空调用与一条 %s 消息", b.ciphers[0]),
		Row:   ofSeveral,
		Columns: []answer.RowColumns{b.library(), path,
			answer.On(emptyLike, answer.Figure("empty call", "空调用", emptyTime)), b.times(sizes)},
	}.Of(b.lines(b.ciphers[0]))}
}

// ofSeveral says of a line that it rests on several rows.
func ofSeveral(*document.Row) *document.Row { return nil }

func emptyTime(r *document.Row) layout.Cell {
	if r == nil {
		return answer.Dash()
	}
	return layout.Cell{Text: layout.Same(layout.FormatTime(r.NsPerOp.Median)), Footnotes: r.Notes}
}

func (b *view) tables() []layout.Table {
	all := []layout.Table{b.emptyCalls()}
	for _, c := range b.ciphers {
		all = append(all, b.bySize(c), b.crossings(c), b.inBatches(c))
	}
	return answer.NonEmpty(append(all, b.fadings(), b.models())...)
}

func (b *view) emptyCalls() layout.Table {
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "An empty call", ZH: "空调用"},
		Caption: layout.Text{EN: "Into C: abs of the C library. In Go: a function in assembly that returns its argument. c-loop is C calling C.",
			ZH: "调用 C：C 库的 abs。Go 一侧：原样返回参数的汇编函数。c-loop 为 C 调用 C。"},
		Columns: []answer.RowColumns{path, answer.Figure("time", "耗时", emptyTime),
			answer.Figure("99 % interval", "99% 置信区间", func(r *document.Row) layout.Cell {
				if r.NsPerOp.Low == nil || r.NsPerOp.High == nil {
					return answer.Dash()
				}
				return answer.TextCell(answer.Ranging(*r.NsPerOp.Low, *r.NsPerOp.High))
			})},
	}.Of(answer.Present(document.Mapped(paths, b.empty)))
}

func (b *view) bySize(name string) layout.Table {
	return answer.Table[*document.Row]{
		Title:   layout.Say("%s, time per message", "%s，单条消息耗时", name),
		Row:     b.longest,
		Columns: []answer.RowColumns{b.library(), path, b.times(b.sizes)},
	}.Of(b.lines(name))
}

func (b *view) longest(r *document.Row) *document.Row {
	return answer.Last(document.Mapped(b.sizes, func(size int64) *document.Row { return b.single(r, r.CallPath, size) }))
}

func (b *view) crossings(name string) layout.Table {
	more := func(r *document.Row, size int64) *document.Comparison {
		return b.Compare(b.single(r, subject.CLoop, size), b.single(r, r.CallPath, size))
	}
	return answer.Table[*document.Row]{
		Title: layout.Say("%s, what the call into C adds to a message", "%s，调用 C 使一条消息增加的开销", name),
		Caption: layout.Text{EN: "Extra time in percent of a loop in C in the same library, which is called once for thousands of messages.",
			ZH: "以同一密码库在 C 内循环（数千条消息才调用一次）的耗时为 100%。"},
		Row: ofSeveral,
		Columns: []answer.RowColumns{b.library(), path,
			answer.EachSize(b.sizes, func(r *document.Row, size int64) layout.Cell {
				if c := more(r, size); c != nil {
					return answer.TextCell(signedShare(1/c.Ratio - 1))
				}
				return answer.Dash()
			})},
	}.Of(answer.Select(b.lines(name), func(r *document.Row) bool {
		return slices.Contains(crossingPaths, r.CallPath) &&
			slices.ContainsFunc(b.sizes, func(size int64) bool { return more(r, size) != nil })
	}))
}

func signedShare(x float64) string {
	if x < 0 {
		return "−" + layout.FormatShare(-x)
	}
	return "+" + layout.FormatShare(x)
}

func (b *view) batched(name string) []*document.Row {
	return answer.Select(b.Rows, func(r *document.Row) bool { return batchOf(r) > 1 && cipher(r) == name })
}

func (b *view) inBatches(name string) layout.Table {
	single := func(r *document.Row) *document.Row { return b.single(r, r.CallPath, r.Bytes/batchOf(r)) }
	versus := func(show func(*document.Comparison) string) func(*document.Row) layout.Cell {
		return func(r *document.Row) layout.Cell {
			if c := b.Compare(single(r), r); c != nil {
				return answer.TextCell(show(c))
			}
			return answer.TextCell("–")
		}
	}
	return answer.Table[*document.Row]{
		Title: layout.Say("%s, single calls compared with batches", "%s，逐条调用与批处理", name),
		Columns: []answer.RowColumns{
			answer.Titled("Library", "库", func(r *document.Row) string { return b.Versioned(r) + " " + r.CallPath }),
			answer.Printed("messages", "消息数", func(r *document.Row) string { return strconv.FormatInt(batchOf(r), 10) }),
			answer.Printed("size", "长度", func(r *document.Row) string { return answer.SizeText(r.Bytes / batchOf(r)) }),
			answer.On(single, answer.Figure("single", "逐条", answer.TimeCell)),
			answer.Figure("in a batch", "批处理", func(r *document.Row) layout.Cell {
				c := answer.Cell(r)
				if r.NsPerOp != nil {
					c.Text = layout.Same(layout.FormatTime(r.NsPerOp.Median / float64(batchOf(r))))
				}
				return c
			}),
			answer.Figure("ratio", "倍数", versus(func(c *document.Comparison) string { return answer.Factor(c.Ratio) })),
			answer.Figure("interval", "置信区间", versus(answer.Limits)),
		},
	}.Of(b.batched(name))
}

func (b *view) operation() answer.RowColumns {
	return slices.Concat(answer.Titled("Operation", "操作", cipher), b.library(), path)
}

func (b *view) fadings() layout.Table {
	row := func(c document.Crossover) *document.Row { return b.ByID[c.B] }
	return answer.Table[document.Crossover]{
		Title:   layout.Text{EN: "Message size from which the call from Go costs little", ZH: "从何种消息长度起可以忽略调用 C 的开销"},
		Caption: layout.Text{EN: "Exact intervals at 99 %, widened by the noise floor; between the measured sizes it is interpolated.", ZH: "99% 精确置信区间，已按本底噪声放宽；实测长度之间为插值。"},
		Row:     row,
		Columns: []answer.Columns[document.Crossover]{answer.On(row, b.operation()),
			answer.Printed("costs less than", "开销低于", func(c document.Crossover) string { return wholePercent(c.Within) }),
			answer.Words("from", "起始长度", func(c document.Crossover) layout.Cell {
				return layout.Cell{Text: fades(&c), Faint: c.Kind == document.Undecided}
			})},
	}.Of(answer.Select(b.Doc.Crossovers, func(c document.Crossover) bool { return fadingAway(c) && row(c) != nil }))
}

// models are the cost models: what a message costs before its first byte, and a byte.
func (b *view) models() layout.Table {
	return answer.Table[*document.Fit]{
		Title: layout.Text{EN: "Cost of a message and of a byte", ZH: "每条消息与每字节的代价"},
		Caption: layout.Text{
			EN: "Fitted as t(n) = fixed + n × per byte over all sizes. The paths of one library differ in the fixed part: the cost of the call.",
			ZH: "对所有长度拟合：t(n) = 固定开销 + n × 每字节开销。同一密码库各调用路径只差在固定开销，即从 Go 调用 C 的开销。"},
		Row: b.FitRow,
		Columns: []answer.Columns[*document.Fit]{answer.On(b.FitRow, b.operation()),
			answer.FitTerm("fixed", "固定开销", answer.NoFit, "fixed_ns", layout.FormatTime),
			answer.FitTerm("per byte", "每字节", nil, "ns_per_byte",
				func(x float64) string { return layout.FormatNumber(x) + " ns" }),
			answer.Misfit},
	}.Of(answer.Select(b.Fits(document.ModelAffine), func(f *document.Fit) bool { return batchOf(b.FitRow(f)) == 1 }))
}

func (b *view) charts() (all []layout.Chart) {
	if len(b.sizes) < 2 {
		return nil
	}
	for _, name := range b.ciphers {
		var lines []answer.Line
		for _, r := range b.lines(name) {
			lines = append(lines, answer.Line{Name: layout.Same(b.Versioned(r) + " " + r.CallPath),
				Rows: document.Mapped(b.sizes, func(size int64) *document.Row { return b.single(r, r.CallPath, size) })})
		}
		all = append(all, b.Lines(layout.Chart{
			Title: layout.Say("%s by call path: speed over message size", "%s，各调用路径：吞吐量与消息长度", name),
			Caption: layout.Text{EN: "c-loop is the library's own speed; the gap to the other paths is the cost of the call from Go.",
				ZH: "c-loop 为密码库自身的速度，其他调用路径与 c-loop 的差距即从 Go 调用 C 的开销。"},
		}, lines, answer.Point)...)
	}
	return all
}
