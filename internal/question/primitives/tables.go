package primitives

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

var primitiveColumn = layout.Column{Title: layout.Text{EN: "Primitive", ZH: "原语"}}

// perSecond is a row's operations per second, where it may be shown.
func perSecond(r *document.Row) (float64, bool) {
	if r == nil || r.Status != result.OK || r.NsPerOp == nil || r.NsPerOp.Median <= 0 {
		return 0, false
	}
	return 1e9 / r.NsPerOp.Median, true
}

// costColumns are those that every table of this experiment ends with.
func costColumns() []layout.Column {
	return []layout.Column{answer.NumberColumn(layout.Text{EN: "time", ZH: "单次耗时"}), answer.NumberColumn(layout.Text{EN: "rate", ZH: "吞吐量"}),
		answer.NumberColumn(layout.Text{EN: "per second", ZH: "每秒次数"}), answer.NumberColumn(layout.Text{EN: "allocs", ZH: "分配次数"})}
}

// costCells are the cells below them: the time of an operation, or why there is
// none; the rate where it has a size; how many are done in a second.
func costCells(r *document.Row) []layout.Cell {
	none := layout.Cell{Text: layout.Same("–"), Faint: true}
	took, ok := timeOf(r)
	if !ok {
		return []layout.Cell{answer.Cell(r), none, none, none}
	}
	rate := none
	if s, has := answer.Speed(r); has {
		rate = answer.TextCell(layout.FormatRate(s))
	}
	n, _ := perSecond(r)
	return []layout.Cell{{Text: took, Footnotes: answer.Doubts(r)}, rate, answer.TextCell(count(n)), answer.Allocations(r)}
}

// count prints how many there are with the prefix of a thousand or a million.
func count(n float64) string {
	switch {
	case n >= 999.5e3:
		return layout.FormatNumber(n/1e6) + " M"
	case n >= 999.5:
		return layout.FormatNumber(n/1e3) + " k"
	}
	return layout.FormatNumber(n)
}

// group is a table of rows that keep passes, with a line for each.
func (p *primitivesView) group(title, caption layout.Text, keep func(*document.Row) bool) layout.Table {
	t := layout.Table{Title: title, Caption: caption,
		Columns: append([]layout.Column{primitiveColumn, answer.LibraryColumn, answer.TextColumn("Kernel", "实现")}, costColumns()...)}
	for _, r := range p.Rows {
		if p.shown(r) && keep(r) {
			row := layout.TableRow{RowID: r.ID, Cells: []layout.Cell{answer.NameCell(r), {Text: layout.Same(r.Who()), New: answer.IsNew(r.Who())}, answer.TextCell(answer.Implementation(r))}}
			row.Cells = append(row.Cells, costCells(r)...)
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// headlineTables is the one for the quick screen: of each kind the one that
// people ask for, in the library that has it first.
func (p *primitivesView) headlineTables() []layout.Table {
	t := layout.Table{
		Title:   layout.Say("Primitives, messages of %s", "密码原语，消息长度 %s", layout.Same(answer.SizeText(p.at))),
		Columns: append([]layout.Column{primitiveColumn, answer.LibraryColumn}, costColumns()...),
	}
	for _, k := range []answer.Key{{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Encrypt}, {Algorithm: algorithm.SM4, Mode: algorithm.GCM, Operation: algorithm.Encrypt},
		{Algorithm: algorithm.SHA256, Operation: algorithm.Hash}, {Algorithm: algorithm.SM3, Operation: algorithm.Hash},
		{Algorithm: algorithm.RSA2048, Mode: rsaSignature, Operation: algorithm.Sign}, {Algorithm: algorithm.RSA2048, Mode: rsaSignature, Operation: algorithm.Verify},
		{Algorithm: algorithm.SM2, Operation: algorithm.Sign}, {Algorithm: algorithm.SM2, Operation: algorithm.Verify}} {
		r := p.first(k.Algorithm, k.Mode, k.Operation)
		if r == nil {
			continue
		}
		t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID,
			Cells: append([]layout.Cell{answer.NameCell(r), {Text: layout.Same(r.Who()), New: answer.IsNew(r.Who())}}, costCells(r)...)})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []layout.Table{t}
}

// tables are the full ones.
func (p *primitivesView) tables() []layout.Table {
	at := layout.Same(answer.SizeText(p.at))
	tables := []layout.Table{
		p.group(layout.Say("Messages of %s", "%s 消息", at),
			layout.Text{EN: "The key is set before; the output goes into a buffer that is reused. For key derivation the size is that of the result.",
				ZH: "密钥已预先设置，输出写入复用的缓冲区。密钥派生一项的长度指输出长度。"},
			func(r *document.Row) bool { return hasMessage(r) && !isSetup(r) }),
		p.group(layout.Text{EN: "One block, by itself", ZH: "单个分组"},
			layout.Text{EN: "16 bytes per call of cipher.Block, including the cost of the timing loop. For the rate of a mode on many blocks see above.",
				ZH: "通过 cipher.Block 处理 16 字节，含计时循环自身的开销（见空操作）。工作模式处理多个分组的速率另见上表，不可混用。"},
			func(r *document.Row) bool { return r.Mode == algorithm.OneBlock }),
		p.group(layout.Say("Setup before the first message, and a new cipher for each message of %s", "首条消息之前的开销，以及每条 %s 消息新建 cipher 实例", at),
			layout.Text{EN: "The constructor includes the key schedule; with a reused cipher this is paid once. New each time: constructor plus message.",
				ZH: "构造包含密钥扩展，复用密码对象时只需付出一次；“每次新建”为构造与加密消息之和。"}, isSetup),
		p.group(layout.Text{EN: "Public-key operations", ZH: "公钥密码"},
			layout.Text{EN: "RSA and ECDSA sign a ready digest; SM2 hashes the signer's identity and a message of 32 bytes in the call. What is encrypted is a key of 32 bytes.",
				ZH: "RSA 与 ECDSA 对已算好的摘要签名；SM2 在调用内对签名者标识与 32 字节消息做杂凑。加密的内容为 32 字节密钥。"}, rowHasKeyPair),
		p.bySize(), p.Costs(),
	}
	return slices.DeleteFunc(tables, func(t layout.Table) bool { return len(t.Rows) == 0 })
}

// bySize is the time of an operation at every size, where there are several.
func (p *primitivesView) bySize() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Time of an operation, by size", ZH: "各消息长度的单次耗时"},
		Columns: []layout.Column{primitiveColumn, answer.LibraryColumn}}
	if len(p.sizes) < 2 {
		return t
	}
	for _, size := range p.sizes {
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Same(answer.SizeText(size))))
	}
	for _, k := range p.messageKeys() {
		row := layout.TableRow{}
		for _, size := range p.sizes {
			k.Bytes = size
			r := p.Row(k)
			if r != nil && row.Cells == nil {
				row.RowID = r.ID
				row.Cells = []layout.Cell{answer.NameCell(r), {Text: layout.Same(k.Subject), New: answer.IsNew(k.Subject)}}
				for range p.sizes {
					row.Cells = append(row.Cells, layout.Cell{Text: layout.Same("–"), Faint: true})
				}
			}
			if r != nil {
				row.Cells[2+slices.Index(p.sizes, size)] = costCells(r)[0]
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// messageKeys are what was measured on messages, without their sizes, in order.
func (p *primitivesView) messageKeys() []answer.Key {
	return answer.Values(p.Rows, func(r *document.Row) answer.Key {
		k := p.KeyOf(r)
		k.Bytes = 0
		return k
	}, hasMessage)
}
