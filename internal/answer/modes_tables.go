package answer

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// engine is the library name of cryptogauge's own engine, which is marked new.
const engine = "cryptogauge"

var (
	modeColumn    = layout.Column{Title: layout.Text{EN: "Mode", ZH: "工作模式"}}
	libraryColumn = layout.Column{Title: layout.Text{EN: "Library", ZH: "库"}}
)

func column(en, zh string) layout.Column {
	return layout.Column{Title: layout.Text{EN: en, ZH: zh}}
}

func numeric(t layout.Text) layout.Column { return layout.Column{Title: t, Numeric: true} }

// cell shows a row's rate, or why there is none.
func cell(r *document.Row) layout.Cell {
	if r == nil {
		return layout.Cell{Text: layout.Same("–"), Faint: true}
	}
	c := layout.Cell{Footnotes: r.Notes}
	if rate, ok := speed(r); ok {
		c.Text = layout.Same(layout.FormatRate(rate))
		return c
	}
	c.Text = r.StatusText()
	c.Struck = r.Status == result.Incorrect
	c.Faint = !c.Struck
	if r.Reason != "" {
		c.Footnotes = append([]layout.Text{reasonOf(r)}, c.Footnotes...)
	}
	return c
}

// reasonOf is why a row has no number: exact in English, as the run file has it, and
// in Chinese as exact as there are words for it.
func reasonOf(r *document.Row) layout.Text {
	t := reason.Said(r.Reason, r.Cause)
	if r.Status == result.Unstable {
		t.ZH = r.Because.ZH
	}
	return t
}

// headlineTables are for the quick screen: SM4's modes, and what else to choose.
func (m *modesView) headlineTables() []layout.Table {
	return slices.DeleteFunc([]layout.Table{m.speeds("SM4"), m.others()}, func(t layout.Table) bool { return len(t.Rows) == 0 })
}

// speeds is the small table of an algorithm at the headline size: a line a
// library and direction, a column a mode.
func (m *modesView) speeds(algorithm string) layout.Table {
	t := layout.Table{
		Title: say("%s, messages of %s, bytes per second of CPU time", "%s，消息长度 %s，每秒 CPU 时间处理的字节数",
			layout.Same(algorithm), layout.Same(sizeText(m.at))),
		Columns: []layout.Column{libraryColumn, column("", "")},
	}
	// CFB and OFB are in the full tables: here there is room for what people choose from.
	modes := slices.DeleteFunc(m.modeNames(algorithm), func(mode string) bool { return mode == "CFB" || mode == "OFB" })
	for _, mode := range modes {
		t.Columns = append(t.Columns, numeric(layout.Same(mode)))
	}
	for _, op := range []string{"encrypt", "decrypt"} {
		for _, lib := range m.libraries(algorithm) {
			if !primary(lib) {
				continue
			}
			row := layout.TableRow{Cells: []layout.Cell{{Text: layout.Same(lib), New: isNew(lib)}, {Text: operation(op)}}}
			for _, mode := range modes {
				row.Cells = append(row.Cells, cell(m.row(key{lib, algorithm, mode, op, m.at})))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// others is the small table of what is not SM4, at the headline size.
func (m *modesView) others() layout.Table {
	t := layout.Table{Title: say("Other ciphers for comparison, messages of %s", "其他算法对照，消息长度 %s", layout.Same(sizeText(m.at))),
		Columns: []layout.Column{column("Cipher", "算法"), libraryColumn, numeric(operation("encrypt")), numeric(operation("decrypt"))}}
	for _, a := range m.algorithms() {
		if a == "SM4" {
			continue
		}
		for _, lib := range m.libraries(a) {
			for _, mode := range m.modeNames(a) {
				enc := m.row(key{lib, a, mode, "encrypt", m.at})
				dec := m.row(key{lib, a, mode, "decrypt", m.at})
				if enc == nil && dec == nil {
					continue
				}
				t.Rows = append(t.Rows, layout.TableRow{Cells: []layout.Cell{
					{Text: layout.Same(caseName(a, mode))}, {Text: layout.Same(lib)}, cell(enc), cell(dec)}})
			}
		}
	}
	return t
}

func caseName(algorithm, mode string) string {
	if mode == "" {
		return algorithm
	}
	return algorithm + "-" + mode
}

// tables are the full ones.
func (m *modesView) tables() []layout.Table {
	var out []layout.Table
	for _, a := range m.algorithms() {
		for _, op := range []string{"encrypt", "decrypt"} {
			out = append(out, m.bySize(a, op))
		}
	}
	out = append(out, m.helpers(), m.costs(), m.selection(), allowed(), rules(), m.repetition())
	return slices.DeleteFunc(out, func(t layout.Table) bool { return len(t.Rows) == 0 })
}

// bySize is one algorithm in one direction: a line a library and mode, a column a size.
func (m *modesView) bySize(algorithm, op string) layout.Table {
	t := layout.Table{Title: say("%s, %s", "%s，%s", layout.Same(algorithm), operation(op)),
		Columns: []layout.Column{modeColumn, libraryColumn, column("Kernel", "实现")}}
	for _, size := range m.sizes {
		t.Columns = append(t.Columns, numeric(layout.Same(sizeText(size))))
	}
	t.Columns = append(t.Columns, numeric(layout.Text{EN: "allocs", ZH: "分配次数"}))
	for _, mode := range m.modeNames(algorithm) {
		for _, lib := range m.libraries(algorithm) {
			row := layout.TableRow{Cells: []layout.Cell{{Text: layout.Same(modeName(algorithm, mode))}, {Text: layout.Same(libraryOf(lib)), New: isNew(lib)}, {}}}
			var last *document.Row
			for _, size := range m.sizes {
				r := m.row(key{lib, algorithm, mode, op, size})
				c := cell(r)
				if r != nil {
					last = r
					row.Cells[0].Footnotes, c.Footnotes = split(c.Footnotes, r.Security)
				}
				row.Cells = append(row.Cells, c)
			}
			if last == nil {
				continue
			}
			row.RowID = last.ID
			row.Cells[2] = layout.Cell{Text: layout.Same(implementation(last))}
			row.Cells = append(row.Cells, allocations(last))
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// split takes the footnotes that say what a mode gives away from those that doubt
// a number: they belong beside the mode, once.
func split(notes []layout.Text, security []string) (ofMode, ofNumber []layout.Text) {
	for _, n := range notes {
		if slices.Contains(security, n.EN) {
			ofMode = append(ofMode, n)
		} else {
			ofNumber = append(ofNumber, n)
		}
	}
	return ofMode, ofNumber
}

// modeName names a line of a table that is of one algorithm.
func modeName(algorithm, mode string) string {
	if mode == "" {
		return algorithm
	}
	return mode
}

func allocations(r *document.Row) layout.Cell {
	if r.AllocsPerOp == nil {
		return layout.Cell{Text: layout.Same("–"), Faint: true}
	}
	return layout.Cell{Text: layout.Same(layout.FormatCount(*r.AllocsPerOp))}
}

// helpers lists the one-call helpers. They do more inside the call than the rows
// above, so they have a table of their own.
func (m *modesView) helpers() layout.Table {
	t := layout.Table{
		Title: layout.Text{EN: "One-call helpers, not comparable with the rows above", ZH: "一次性调用的辅助函数，不可与上表比较"},
		Caption: layout.Text{EN: "Each call expands the key, allocates the output, and pads where the operation says so.",
			ZH: "它们在调用内部进行密钥扩展、分配输出，并按操作名所示进行填充。"},
		Columns: []layout.Column{modeColumn, libraryColumn, column("What is done", "操作")},
	}
	for _, size := range m.sizes {
		t.Columns = append(t.Columns, numeric(layout.Same(sizeText(size))))
	}
	var order []key
	for _, r := range m.rows {
		k := m.keyOf(r)
		k.bytes = 0
		if !timed(r) && r.Operation != "exposure" && !slices.Contains(order, k) {
			order = append(order, k)
		}
	}
	for _, k := range order {
		row := layout.TableRow{Cells: []layout.Cell{{Text: layout.Same(caseName(k.algorithm, k.mode))}, {Text: layout.Same(k.subject)}, {Text: operation(k.operation)}}}
		for _, size := range m.sizes {
			k.bytes = size
			row.Cells = append(row.Cells, cell(m.row(k)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// costs shows the cost models: what a message costs before its first byte, the
// rate of long messages, and the size at which half of it is reached.
func (v *view) costs() layout.Table {
	t := layout.Table{
		Title: layout.Text{EN: "Cost of a message: fixed part, rate, and n½", ZH: "单条消息的代价：固定开销、渐近吞吐量与 n½"},
		Caption: layout.Text{EN: "Fitted as t(n) = fixed + n / rate over all sizes; n½ is the size at which half of the rate is reached.",
			ZH: "按 t(n) = 固定开销 + n / 吞吐量 对所有长度拟合；n½ 为达到渐近吞吐量一半时的消息长度。"},
		Columns: []layout.Column{modeColumn, libraryColumn, column("Operation", "操作"),
			numeric(layout.Text{EN: "fixed", ZH: "固定开销"}), numeric(layout.Text{EN: "rate", ZH: "渐近吞吐量"}),
			numeric(layout.Same("n½")), numeric(layout.Text{EN: "misfit (rms)", ZH: "拟合误差（均方根）"})},
	}
	for _, f := range v.doc.Fits {
		if len(f.RowIDs) == 0 || f.Model != "affine" {
			continue
		}
		r := v.byID[f.RowIDs[0]]
		if r == nil {
			continue
		}
		row := layout.TableRow{RowID: r.ID, Cells: []layout.Cell{{Text: layout.Same(caseName(r.Algorithm, r.Mode))}, {Text: layout.Same(v.name(r)), New: r.Who() == engine}, {Text: operation(r.Operation)}}}
		row.Cells = append(row.Cells, fitCells(f)...)
		t.Rows = append(t.Rows, row)
	}
	return t
}

// fitCells shows a cost model: fixed part, rate, n½ and misfit.
func fitCells(f document.Fit) []layout.Cell {
	if !f.OK {
		return []layout.Cell{{Text: layout.Text{EN: "no fit", ZH: "不拟合"}, Faint: true, Footnotes: []layout.Text{reason.Words(f.Reason)}},
			text("–"), text("–"), text(layout.FormatShare(f.RMS))}
	}
	return []layout.Cell{text(layout.FormatTime(f.Terms["fixed_ns"])), text(layout.FormatRate(f.Terms["bytes_per_second"])),
		text(layout.FormatNumber(f.Terms["half_size_bytes"]) + " B"), text(layout.FormatShare(f.RMS))}
}

func text(s string) layout.Cell { return layout.Cell{Text: layout.Same(s)} }
