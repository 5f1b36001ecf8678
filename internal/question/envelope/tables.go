package envelope

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

var (
	envelopeColumn = answer.TextColumn("Envelope", "信封")
	framing        = layout.Text{
		EN: "A new content key for each message, wrapped for the receiver. Reused: the key was wrapped before; each message has a new nonce. The payload uses AES-256-GCM unless named otherwise. Format of cryptogauge: wrapped key, nonce, ciphertext, tag. This is not PKCS #7 or GB/T 35275, whose enveloped data holds the same parts.",
		ZH: "每条消息使用新的内容密钥并为接收方封装；“重用”：密钥事先封装，每条消息使用新 nonce。未另注明时载荷使用 AES-256-GCM。cryptogauge 自有格式：依次存放封装后的密钥、nonce、密文、标签；并非 PKCS #7 或 GB/T 35275 格式，二者的数字信封含有相同的组成部分。"}
)

// headlineTables are for the quick screen.
func (e *envelopeView) headlineTables() []layout.Table {
	t := layout.Table{
		Title: layout.Say("Envelopes of %s, CPU time each", "%s 的信封，每个的 CPU 时间", layout.Same(answer.SizeText(e.at))),
		Columns: []layout.Column{envelopeColumn, answer.LibraryColumn, answer.NumberColumn(answer.Upper(waysShown[0].name)), answer.NumberColumn(answer.Upper(waysShown[1].name)),
			answer.NumberColumn(layout.Text{EN: "adds", ZH: "增加"})},
	}
	for _, mode := range e.modes {
		seal, open := e.rowAt(mode, algorithm.Seal, e.at), e.rowAt(mode, "open", e.at)
		r := seal
		if r == nil {
			r = open
		}
		if r == nil {
			continue
		}
		t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Cells: []layout.Cell{answer.TextCell(mode), answer.TextCell(r.Who()), answer.TimeCell(seal), answer.TimeCell(open), e.overheadCell(mode)}})
	}
	return answer.NonEmpty(t)
}

func (e *envelopeView) overheadCell(mode string) layout.Cell {
	n, r := e.overhead(mode)
	if r == nil {
		return answer.Dash()
	}
	return answer.TextCell(answer.SizeText(n))
}

// tables are the full ones.
func (e *envelopeView) tables() []layout.Table {
	var out []layout.Table
	for _, way := range waysShown {
		out = append(out, e.times(way.operation, way.name), e.shares(way.operation, way.name))
	}
	out = append(out, e.byLibrary())
	return answer.NonEmpty(append(out, e.reachTable(), e.Costs(), e.whatRan())...)
}

// all are the envelopes and, after them, the payloads alone.
func (e *envelopeView) all() []string {
	reused := answer.Values(e.Rows, func(r *document.Row) string { return r.Mode }, func(r *document.Row) bool { return !wraps(r) })
	return append(append([]string{}, e.modes...), reused...)
}

// any is a row of a mode, of the largest size that there is.
func (e *envelopeView) any(mode, operation string) *document.Row {
	for i := len(e.sizes) - 1; i >= 0; i-- {
		if r := e.rowAt(mode, operation, e.sizes[i]); r != nil {
			return r
		}
	}
	return nil
}

func (e *envelopeView) begin(mode string, r *document.Row) []layout.Cell {
	name := answer.TextCell(shortName(mode))
	if !wraps(r) {
		name = layout.Cell{Text: layout.Say("%s, reused", "%s，重用", layout.Same(mode))}
	}
	return []layout.Cell{name, answer.TextCell(r.Who())}
}

// times is one direction: a line an envelope, a column a size.
func (e *envelopeView) times(operation string, name layout.Text) layout.Table {
	t := layout.Table{Title: layout.Say("%s, CPU time per message", "%s，每条消息的 CPU 时间", answer.Upper(name)), Caption: framing,
		Columns: []layout.Column{envelopeColumn, answer.LibraryColumn}}
	for _, size := range e.sizes {
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Same(answer.SizeText(size))))
	}
	for _, mode := range e.all() {
		r := e.any(mode, operation)
		if r == nil {
			continue
		}
		row := layout.TableRow{RowID: r.ID, Cells: e.begin(mode, r)}
		for _, size := range e.sizes {
			row.Cells = append(row.Cells, answer.TimeCell(e.rowAt(mode, operation, size)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// shares is what the wrapped key takes of an envelope's time.
func (e *envelopeView) shares(operation string, name layout.Text) layout.Table {
	t := layout.Table{Title: layout.Say("%s: share of the time that a reused key would save", "%s：重用密钥可省去的时间占比", answer.Upper(name)),
		Caption: layout.Text{EN: "Compared in pairs with encrypting the payload alone; exact intervals. HPKE calls allocate their output, which is included.",
			ZH: "与只加密载荷成对比较；精确置信区间。HPKE 的调用自行分配输出缓冲区，这部分开销也计入。"},
		Columns: []layout.Column{envelopeColumn, answer.LibraryColumn}}
	for _, size := range e.sizes {
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Same(answer.SizeText(size))))
	}
	for _, mode := range e.modes {
		r := e.any(mode, operation)
		if r == nil {
			continue
		}
		row := layout.TableRow{RowID: r.ID, Cells: e.begin(mode, r)}
		for _, size := range e.sizes {
			s, ok := e.share(e.rowAt(mode, operation, size))
			if !ok {
				row.Cells = append(row.Cells, answer.Dash())
				continue
			}
			row.Cells = append(row.Cells, answer.TextCell(s.text()))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// reachTable says between which measured sizes the wrapped key stops mattering.
func (e *envelopeView) reachTable() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Message size from which key wrapping takes less than half and less than 5 % of the time", ZH: "密钥封装占总耗时一半以下、5 % 以下所需的消息长度"},
		Caption: layout.Text{EN: "a – b: still above at size a, below from size b on (whole interval); sizes between them were not measured.",
			ZH: "a – b：长度为 a 时仍高于该比例，b 起低于该比例（整个置信区间均满足）；两者之间未测量。"},
		Columns: []layout.Column{envelopeColumn, answer.LibraryColumn}}
	for _, way := range waysShown {
		for _, part := range []string{"< 50 %", "< 5 %"} {
			t.Columns = append(t.Columns, answer.NumberColumn(layout.Say("%s, %s", "%s，%s", way.name, layout.Same(part))))
		}
	}
	for _, mode := range e.modes {
		r := e.any(mode, waysShown[0].operation)
		if r == nil {
			r = e.any(mode, waysShown[1].operation)
		}
		if r == nil {
			continue
		}
		row := layout.TableRow{RowID: r.ID, Cells: e.begin(mode, r)}
		some := false
		for _, way := range waysShown {
			for _, limit := range []float64{half, hint} {
				r, ok := e.reaches(mode, way.operation, limit)
				some = some || ok
				if !ok {
					row.Cells = append(row.Cells, answer.Dash())
					continue
				}
				row.Cells = append(row.Cells, layout.Cell{Text: r.text()})
			}
		}
		if some {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// whatRan says which kernels wrapped and encrypted, and what a call allocates.
func (e *envelopeView) whatRan() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "What ran", ZH: "实际运行的实现"},
		Caption: layout.Text{EN: "Kernel: of the wrapped key / of the payload.", ZH: "实现：密钥封装 / 载荷。"},
		Columns: []layout.Column{envelopeColumn, answer.LibraryColumn, answer.TextColumn("", ""), answer.TextColumn("Kernel", "实现"),
			answer.TextColumn("constant time", "常数时间"), answer.NumberColumn(layout.Text{EN: "allocs", ZH: "分配次数"}), answer.NumberColumn(layout.Text{EN: "adds", ZH: "增加"})}}
	for _, mode := range e.all() {
		for _, way := range waysShown {
			if r := e.any(mode, way.operation); r != nil {
				cells := append(e.begin(mode, r), layout.Cell{Text: way.name}, answer.TextCell(answer.Implementation(r)), answer.ConstantTime(r), answer.Allocations(r), e.overheadCell(mode))
				t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Cells: cells})
			}
		}
	}
	return t
}

// charts are the comparisons between envelopes, and throughput over size.
func (e *envelopeView) charts() (out []layout.Chart) {
	ratios := layout.Chart{Kind: layout.Ratios,
		Title: layout.Say("Envelopes of %s: speed of the first over the second", "%s 的信封：前者相对后者的速度", layout.Same(answer.SizeText(e.at))),
		Caption: layout.Text{EN: "Intervals hold for all headline comparisons together at 99 %, and are widened by the noise floor. Differences within ±0.5 % count as the same speed.",
			ZH: "置信区间对全部主要比较同时成立（合计 99 %），并已按本底噪声放宽。差异在 ±0.5 % 以内视为速度相同。"}}
	for _, c := range e.Doc.Comparisons {
		base, other := e.ByID[c.Base], e.ByID[c.Other]
		if base == nil || other == nil || !c.Headline || !wraps(other) || c.Ratio == 0 {
			continue
		}
		name := func(r *document.Row) string { return shortName(r.Mode) + " (" + r.Who() + ")" }
		r := layout.Ratio{Label: layout.Say("%s: %s / %s", "%s：%s / %s", answer.Upper(wayName(base.Operation)), name(other), name(base)),
			Value: c.Ratio, Verdict: c.Verdict, ID: c.ID}
		if c.Low != nil && c.High != nil {
			r.Low, r.High, r.HasInterval = *c.Low, *c.High, true
		}
		ratios.Ratios = append(ratios.Ratios, r)
	}
	if len(ratios.Ratios) > 0 {
		out = append(out, ratios)
	}
	if len(e.sizes) < 2 {
		return out
	}
	for _, way := range waysShown {
		if c := e.overSize(way.operation, way.name); len(c.Series) > 0 {
			out = append(out, c)
		}
	}
	return out
}

func (e *envelopeView) overSize(operation string, name layout.Text) layout.Chart {
	chart := layout.Chart{Kind: layout.SpeedOverSize, Title: layout.Say("%s: throughput over message size", "%s：吞吐量与消息长度", answer.Upper(name))}
	for _, mode := range e.all() {
		r := e.any(mode, operation)
		if r == nil {
			continue
		}
		s := layout.Series{Name: e.begin(mode, r)[0].Text}
		for _, size := range e.sizes {
			r := e.rowAt(mode, operation, size)
			s.Struck = s.Struck || r != nil && r.Status == result.Incorrect
			if p, ok := answer.Point(r); ok {
				s.Points = append(s.Points, p)
				s.Model = e.Model(r.ID)
			}
		}
		if len(s.Points) > 0 || s.Struck {
			chart.Series = append(chart.Series, s)
		}
	}
	return chart
}

// byLibrary sets the libraries that have the same envelope side by side, at the size
// that envelopes are compared at and at the largest; it has no rows where each envelope
// is of one library.
func (e *envelopeView) byLibrary() layout.Table {
	sizes := slices.Compact([]int64{e.at, e.sizes[len(e.sizes)-1]})
	t := layout.Table{Title: layout.Text{EN: "The same envelope in several libraries, CPU time each", ZH: "同一种信封在各个库中，每个的 CPU 时间"},
		Columns: []layout.Column{envelopeColumn, answer.LibraryColumn}}
	for _, way := range waysShown {
		for _, size := range sizes {
			t.Columns = append(t.Columns, answer.NumberColumn(layout.Say("%s %s", "%s %s", answer.Upper(way.name), answer.SizeText(size))))
		}
	}
	for _, mode := range e.modes {
		libraries := answer.Values(e.Rows, func(r *document.Row) string { return r.Who() }, func(r *document.Row) bool { return r.Mode == mode && wraps(r) })
		if len(libraries) < 2 {
			continue
		}
		for _, who := range libraries {
			row := layout.TableRow{Cells: []layout.Cell{answer.TextCell(mode), answer.TextCell(who)}}
			for _, way := range waysShown {
				for _, size := range sizes {
					row.Cells = append(row.Cells, answer.TimeCell(e.rowOf(who, mode, way.operation, size)))
				}
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// rowOf is a library's row of an envelope.
func (e *envelopeView) rowOf(who, mode, operation string, size int64) *document.Row {
	for _, r := range e.Rows {
		if r.Who() == who && r.Mode == mode && r.Operation == operation && r.Bytes == size && wraps(r) {
			return r
		}
	}
	return nil
}
