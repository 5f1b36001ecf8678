package envelope

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

var framing = layout.Text{
	EN: "A new content key for each message, wrapped for the receiver. Reused: the key was wrapped before; each message has a new nonce. " +
		"The payload uses AES-256-GCM unless named otherwise. Format of cryptogauge: wrapped key, nonce, ciphertext, tag. " +
		"This is not PKCS #7 or GB/T 35275, whose enveloped data holds the same parts.",
	ZH: "每条消息使用新的内容密钥并为接收方封装；“重用”：密钥事先封装，每条消息使用新 nonce。未另注明时载荷使用 AES-256-GCM。" +
		"cryptogauge 自有格式：依次存放封装后的密钥、nonce、密文、标签；并非 PKCS #7 或 GB/T 35275 格式，二者的数字信封含有相同的组成部分。"}

var (
	libraryColumn = answer.Titled("Library", "库", (*document.Row).Who)
	nameColumn    = answer.Told("Envelope", "信封", lineName)
	fullColumn    = answer.Words("Envelope", "信封", answer.TextCell)
)

// lineName names a row's envelope, or its payload alone.
func lineName(r *document.Row) layout.Text {
	if !whole(r) {
		return layout.Say("%s, reused", "%s，重用", r.Mode)
	}
	return layout.Same(shortName(r.Mode))
}

func (e *envelopeView) adds() answer.Columns[string] {
	return answer.Shown("adds", "增加", func(mode string) (int64, bool) {
		n, r := e.overhead(mode)
		return n, r != nil
	}, answer.SizeText)
}

func (e *envelopeView) headline() layout.Table {
	first := func(mode string) *document.Row {
		return cmp.Or(e.rowAt(mode, algorithm.Seal, e.at), e.rowAt(mode, algorithm.Open, e.at))
	}
	return answer.Table[string]{
		Title: layout.Say("Envelopes of %s, CPU time each", "%s 的信封，每个的 CPU 时间", answer.SizeText(e.at)),
		Row:   first,
		Columns: []answer.Columns[string]{fullColumn, answer.On(first, libraryColumn),
			answer.Each(ways, upperName, func(mode, op string) layout.Cell { return answer.TimeCell(e.rowAt(mode, op, e.at)) }),
			e.adds()},
	}.Of(answer.Select(e.modes, func(mode string) bool { return first(mode) != nil }))
}

func upperName(operation string) layout.Text { return answer.Upper(answer.Direction(operation)) }

func (e *envelopeView) tables() (out []layout.Table) {
	for _, op := range ways {
		out = append(out, e.times(op), e.shares(op))
	}
	return answer.NonEmpty(append(out, e.byLibrary(), e.reachTable(), e.Costs(), e.whatRan())...)
}

// all are the envelopes and, after them, the payloads alone.
func (e *envelopeView) all() []string {
	reused := answer.Values(e.Rows, answer.ModeOf, func(r *document.Row) bool { return !whole(r) })
	return slices.Concat(e.modes, reused)
}

// largest is a mode's row of the largest size that there is, of the first of some operations
// that has one.
func (e *envelopeView) largest(operations ...string) func(mode string) *document.Row {
	return func(mode string) *document.Row {
		return cmp.Or(document.Mapped(operations, func(op string) *document.Row {
			return answer.Last(document.Mapped(e.sizes, func(size int64) *document.Row { return e.rowAt(mode, op, size) }))
		})...)
	}
}

// table is one of a line a mode, named by a row of some operations; modes without one are
// left out.
func (e *envelopeView) table(title, caption layout.Text, modes, operations []string,
	more ...answer.Columns[string]) layout.Table {
	row := e.largest(operations...)
	return answer.Table[string]{Title: title, Caption: caption, Row: row,
		Columns: append([]answer.Columns[string]{answer.On(row, nameColumn, libraryColumn)}, more...),
	}.Of(answer.Select(modes, func(mode string) bool { return row(mode) != nil }))
}

// times is one direction: a line an envelope, a column a size.
func (e *envelopeView) times(op string) layout.Table {
	return e.table(layout.Say("%s, CPU time per message", "%s，每条消息的 CPU 时间", upperName(op)), framing, e.all(),
		[]string{op},
		answer.EachSize(e.sizes,
			func(mode string, size int64) layout.Cell { return answer.TimeCell(e.rowAt(mode, op, size)) }))
}

func (e *envelopeView) shares(op string) layout.Table {
	return e.table(layout.Say("%s: share of the time that a reused key would save", "%s：重用密钥可省去的时间占比", upperName(op)),
		layout.Text{
			EN: "Compared in pairs with encrypting the payload alone; exact intervals. HPKE calls allocate their output, which is included.",
			ZH: "与只加密载荷成对比较；精确置信区间。HPKE 的调用自行分配输出缓冲区，这部分开销也计入。"},
		e.modes, []string{op}, answer.EachSize(e.sizes, func(mode string, size int64) layout.Cell {
			if c := e.alone(e.rowAt(mode, op, size)); c != nil {
				return answer.TextCell(savedText(c))
			}
			return answer.Dash()
		}))
}

// reachTable says between which measured sizes the wrapped key stops mattering.
func (e *envelopeView) reachTable() layout.Table {
	known := answer.Select(e.modes, func(mode string) bool {
		return slices.ContainsFunc(ways, func(op string) bool {
			_, ok := e.reaches(mode, op, half)
			return ok
		})
	})
	var reaches answer.Columns[string]
	for _, op := range ways {
		for _, part := range []struct {
			limit float64
			name  string
		}{{half, "< 50 %"}, {hint, "< 5 %"}} {
			name := layout.Say("%s, %s", "%s，%s", answer.Direction(op), part.name)
			reaches = append(reaches, answer.Figure(name.EN, name.ZH, func(mode string) layout.Cell {
				if r, ok := e.reaches(mode, op, part.limit); ok {
					return layout.Cell{Text: r.text()}
				}
				return answer.Dash()
			})...)
		}
	}
	return e.table(layout.Text{EN: "Message size from which key wrapping takes less than half and less than 5 % of the time",
		ZH: "密钥封装占总耗时一半以下、5% 以下所需的消息长度"},
		layout.Text{
			EN: "a – b: still above at size a, below from size b on (whole interval); sizes between them were not measured.",
			ZH: "a – b：长度为 a 时仍高于该比例，b 起低于该比例（整个置信区间均满足）；两者之间未测量。"},
		known, ways, reaches)
}

// whatRan says which kernels wrapped and encrypted, and what a call allocates.
func (e *envelopeView) whatRan() layout.Table {
	var rows []*document.Row
	for _, mode := range e.all() {
		rows = append(rows, document.Mapped(ways, func(op string) *document.Row { return e.largest(op)(mode) })...)
	}
	return answer.Table[*document.Row]{
		Title:   layout.Text{EN: "What ran", ZH: "实际运行的实现"},
		Caption: layout.Text{EN: "Kernel: of the wrapped key / of the payload.", ZH: "实现：密钥封装 / 载荷。"},
		Columns: []answer.RowColumns{nameColumn, libraryColumn,
			answer.DirectionColumn,
			answer.Kernel, answer.Secrets, answer.Allocs, answer.On(answer.ModeOf, e.adds())},
	}.Of(answer.Present(rows))
}

// charts are the comparisons between envelopes, and throughput over size.
func (e *envelopeView) charts() []layout.Chart {
	out := e.Ratios(layout.Say("Envelopes of %s: speed of the first over the second", "%s 的信封：前者相对后者的速度",
		answer.SizeText(e.at)),
		layout.Text{}, e.Headlines(), func(base, other *document.Row) layout.Text {
			if !whole(other) {
				return layout.Text{}
			}
			parts := func(r *document.Row) []layout.Text {
				return []layout.Text{layout.Same(shortName(r.Mode)), layout.Same(r.Who()), answer.Direction(r.Operation)}
			}
			return layout.Contrast(parts(other), parts(base))
		})
	if len(e.sizes) < 2 {
		return out
	}
	for _, op := range ways {
		var lines []answer.Line
		for _, mode := range e.all() {
			if r := e.largest(op)(mode); r != nil {
				lines = append(lines, answer.Line{Name: lineName(r),
					Rows: document.Mapped(e.sizes, func(size int64) *document.Row { return e.rowAt(mode, op, size) })})
			}
		}
		title := layout.Say("%s: throughput over message size", "%s：吞吐量与消息长度", upperName(op))
		out = append(out, e.Lines(layout.Chart{Title: title}, lines, answer.Point)...)
	}
	return out
}

// byLibrary sets the libraries that have the same envelope side by side, at the size
// that envelopes are compared at and at the largest; it has no rows where each envelope
// is of one library.
func (e *envelopeView) byLibrary() layout.Table {
	type owned struct{ mode, library string }
	var lines []owned
	for _, mode := range e.modes {
		libraries := answer.Values(e.Rows, (*document.Row).Who,
			func(r *document.Row) bool { return r.Mode == mode && whole(r) })
		for _, library := range libraries {
			if len(libraries) > 1 {
				lines = append(lines, owned{mode, library})
			}
		}
	}
	all := []answer.Columns[owned]{
		answer.On(func(o owned) string { return o.mode }, fullColumn),
		answer.Titled("Library", "库", func(o owned) string { return o.library })}
	for _, op := range ways {
		all = append(all, answer.Each(slices.Compact([]int64{e.at, e.sizes[len(e.sizes)-1]}),
			func(size int64) layout.Text {
				return layout.Say("%s %s", "%s %s", upperName(op), answer.SizeText(size))
			},
			func(o owned, size int64) layout.Cell {
				return answer.TimeCell(e.First(func(r *document.Row) bool {
					return r.Who() == o.library && r.Mode == o.mode && r.Operation == op && r.Bytes == size && whole(r)
				}))
			}))
	}
	return answer.Table[owned]{Columns: all,
		Title: layout.Text{EN: "The same envelope in several libraries, CPU time each",
			ZH: "同一种信封在各个库中，每个的 CPU 时间"}}.Of(lines)
}
