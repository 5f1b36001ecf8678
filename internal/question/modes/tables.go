package modes

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

var ()

// headlineTables are for the quick screen: SM4's modes, and what else to choose.
func (m *modesView) headlineTables() []layout.Table {
	return slices.DeleteFunc([]layout.Table{m.speeds(algorithm.SM4), m.others()}, func(t layout.Table) bool { return len(t.Rows) == 0 })
}

// speeds is the small table of an algorithm at the headline size: a line a
// library and direction, a column a mode.
func (m *modesView) speeds(name string) layout.Table {
	t := layout.Table{
		Title: layout.Say("%s, messages of %s, bytes per second of CPU time", "%s，消息长度 %s，每秒 CPU 时间处理的字节数",
			layout.Same(name), layout.Same(answer.SizeText(m.at))),
		Columns: []layout.Column{answer.LibraryColumn, answer.TextColumn("", "")},
	}
	// CFB and OFB are in the full tables: here there is room for what people choose from.
	modes := slices.DeleteFunc(m.modeNames(name), func(mode string) bool { return mode == algorithm.CFB || mode == algorithm.OFB })
	for _, mode := range modes {
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Same(mode)))
	}
	for _, op := range []string{algorithm.Encrypt, algorithm.Decrypt} {
		for _, lib := range m.libraries(name) {
			if !answer.Primary(lib) {
				continue
			}
			row := layout.TableRow{Cells: []layout.Cell{{Text: layout.Same(lib), New: answer.IsNew(lib)}, {Text: answer.Operation(op)}}}
			for _, mode := range modes {
				row.Cells = append(row.Cells, answer.Cell(m.Row(answer.Key{Subject: lib, Algorithm: name, Mode: mode, Operation: op, Bytes: m.at})))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// others is the small table of what is not SM4, at the headline size.
func (m *modesView) others() layout.Table {
	t := layout.Table{Title: layout.Say("Other ciphers for comparison, messages of %s", "其他算法对照，消息长度 %s", layout.Same(answer.SizeText(m.at))),
		Columns: []layout.Column{answer.TextColumn("Cipher", "算法"), answer.LibraryColumn, answer.NumberColumn(answer.Operation(algorithm.Encrypt)), answer.NumberColumn(answer.Operation(algorithm.Decrypt))}}
	for _, a := range m.algorithms() {
		if a == algorithm.SM4 {
			continue
		}
		for _, lib := range m.libraries(a) {
			for _, mode := range m.modeNames(a) {
				enc := m.Row(answer.Key{Subject: lib, Algorithm: a, Mode: mode, Operation: algorithm.Encrypt, Bytes: m.at})
				dec := m.Row(answer.Key{Subject: lib, Algorithm: a, Mode: mode, Operation: algorithm.Decrypt, Bytes: m.at})
				if enc == nil && dec == nil {
					continue
				}
				t.Rows = append(t.Rows, layout.TableRow{Cells: []layout.Cell{
					{Text: layout.Same(answer.CaseName(a, mode))}, {Text: layout.Same(lib)}, answer.Cell(enc), answer.Cell(dec)}})
			}
		}
	}
	return t
}

// tables are the full ones.
func (m *modesView) tables() []layout.Table {
	var out []layout.Table
	for _, a := range m.algorithms() {
		for _, op := range []string{algorithm.Encrypt, algorithm.Decrypt} {
			out = append(out, m.bySize(a, op))
		}
	}
	out = append(out, m.helpers(), m.Costs(), m.selection(), allowed(), rules(), m.repetition())
	return slices.DeleteFunc(out, func(t layout.Table) bool { return len(t.Rows) == 0 })
}

// bySize is one algorithm in one direction: a line a library and mode, a column a size.
func (m *modesView) bySize(algorithm, op string) layout.Table {
	t := layout.Table{Title: layout.Say("%s, %s", "%s，%s", layout.Same(algorithm), answer.Operation(op)),
		Columns: []layout.Column{answer.ModeColumn, answer.LibraryColumn, answer.TextColumn("Kernel", "实现")}}
	for _, size := range m.sizes {
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Same(answer.SizeText(size))))
	}
	t.Columns = append(t.Columns, answer.NumberColumn(layout.Text{EN: "allocs", ZH: "分配次数"}))
	for _, mode := range m.modeNames(algorithm) {
		for _, lib := range m.libraries(algorithm) {
			row := layout.TableRow{Cells: []layout.Cell{{Text: layout.Same(modeName(algorithm, mode))}, {Text: layout.Same(answer.LibraryOf(lib)), New: answer.IsNew(lib)}, {}}}
			var last *document.Row
			for _, size := range m.sizes {
				r := m.Row(answer.Key{Subject: lib, Algorithm: algorithm, Mode: mode, Operation: op, Bytes: size})
				c := answer.Cell(r)
				if r != nil {
					last = r
					row.Cells[0].Footnotes, c.Footnotes = answer.SplitNotes(c.Footnotes, r.Security)
				}
				row.Cells = append(row.Cells, c)
			}
			if last == nil {
				continue
			}
			row.RowID = last.ID
			row.Cells[2] = layout.Cell{Text: layout.Same(answer.Implementation(last))}
			row.Cells = append(row.Cells, answer.Allocations(last))
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// modeName names a line of a table that is of one algorithm.
func modeName(algorithm, mode string) string {
	if mode == "" {
		return algorithm
	}
	return mode
}

// helpers lists the one-call helpers. They do more inside the call than the rows
// above, so they have a table of their own.
func (m *modesView) helpers() layout.Table {
	t := layout.Table{
		Title: layout.Text{EN: "One-call helpers, not comparable with the rows above", ZH: "一次性调用的辅助函数，不可与上表比较"},
		Caption: layout.Text{EN: "Each call expands the key, allocates the output, and pads where the operation says so.",
			ZH: "它们在调用内部进行密钥扩展、分配输出，并按操作名所示进行填充。"},
		Columns: []layout.Column{answer.ModeColumn, answer.LibraryColumn, answer.TextColumn("What is done", "操作")},
	}
	for _, size := range m.sizes {
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Same(answer.SizeText(size))))
	}
	var order []answer.Key
	for _, r := range m.Rows {
		k := m.KeyOf(r)
		k.Bytes = 0
		if !answer.PlainOperation(r) && r.Operation != algorithm.Exposure && !slices.Contains(order, k) {
			order = append(order, k)
		}
	}
	for _, k := range order {
		row := layout.TableRow{Cells: []layout.Cell{{Text: layout.Same(answer.CaseName(k.Algorithm, k.Mode))}, {Text: layout.Same(k.Subject)}, {Text: answer.Operation(k.Operation)}}}
		for _, size := range m.sizes {
			k.Bytes = size
			row.Cells = append(row.Cells, answer.Cell(m.Row(k)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
