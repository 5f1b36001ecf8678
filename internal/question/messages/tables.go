package messages

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// line is what a line of a table has: a cipher of a library, in one environment.
type line struct {
	name, algorithm, mode string
	withoutAES            bool
}

// lines are those of an operation, in the plan's order, ours last. Where turning AES
// instructions off changed no kernel, there is one line and not two: the second would
// say of the same code that it runs without what it never had.
func (m *messagesView) lines(op string) []line {
	found := answer.Values(m.Rows, func(r *document.Row) line { return line{m.Name(r), r.Algorithm, r.Mode, isWithoutAES(r)} },
		func(r *document.Row) bool { return r.Operation == op })
	found = slices.DeleteFunc(found, func(l line) bool { return l.withoutAES && !m.turnedOff(l, op) })
	slices.SortStableFunc(found, func(a, b line) int {
		switch {
		case answer.IsNew(a.name) == answer.IsNew(b.name):
			return 0
		case answer.IsNew(a.name):
			return 1
		}
		return -1
	})
	return found
}

// turnedOff says whether any row of a line without AES instructions ran another
// kernel than its twin with them, or has no twin.
func (m *messagesView) turnedOff(l line, op string) bool {
	twins := 0
	for _, r := range m.Rows {
		if !isWithoutAES(r) || m.Name(r) != l.name || r.Algorithm != l.algorithm || r.Mode != l.mode || r.Operation != op {
			continue
		}
		for _, twin := range m.Rows {
			if !isWithoutAES(twin) && twin.Who() == r.Who() && twin.Algorithm == r.Algorithm && twin.Mode == r.Mode &&
				twin.Operation == r.Operation && twin.Bytes == r.Bytes && twin.Parameters == r.Parameters {
				if twin.Implementation != r.Implementation {
					return true
				}
				twins++
				break
			}
		}
	}
	return twins == 0
}

func (m *messagesView) cellRow(l line, op string, bytes int64) *document.Row {
	return m.Row(answer.Key{Subject: l.name, Algorithm: l.algorithm, Mode: l.mode, Operation: op, Bytes: bytes})
}

var (
	aesColumn = answer.TextColumn("AES instr.", "AES 指令")
)

// messageTimeCell shows a row's time per message, or why there is none.
func messageTimeCell(r *document.Row) layout.Cell {
	c := answer.Cell(r)
	if r == nil || r.NsPerOp == nil {
		return c
	}
	c.Text = layout.Same(layout.FormatTime(r.NsPerOp.Median / float64(replayed(r))))
	return c
}

// rateCell shows a row's rate beside its time, which has the footnotes. Empty
// messages have none.
func rateCell(r *document.Row) layout.Cell {
	if _, ok := answer.Speed(r); !ok {
		return layout.Cell{Text: layout.Same("–"), Faint: true}
	}
	c := answer.Cell(r)
	c.Footnotes = nil
	return c
}

// begin makes the cells that name a line.
func (m *messagesView) begin(l line, r *document.Row) []layout.Cell {
	library := l.name // with its kernel, where it is not the library's first
	if l.withoutAES {
		library = answer.LibraryOf(l.name)
	}
	return []layout.Cell{answer.TextCell(answer.CaseName(l.algorithm, l.mode)), {Text: layout.Same(library), New: answer.IsNew(l.name)}, {Text: m.usesAES(r)}}
}

// any is the first row of a line, at the largest size that was measured.
func (m *messagesView) any(l line, op string) *document.Row {
	for _, size := range slices.Backward(m.sizes) {
		if r := m.cellRow(l, op, size); r != nil {
			return r
		}
	}
	return nil
}

// headlineTables are for the quick screen: time and throughput at the headline sizes.
func (m *messagesView) headlineTables() []layout.Table {
	op := m.main()
	t := layout.Table{Title: layout.Say("Small messages, %s: time per message, and bytes per second of CPU time", "小消息%s：单条耗时与每秒 CPU 时间处理的字节数", direction(op)),
		Columns: []layout.Column{answer.CipherColumn, answer.LibraryColumn, aesColumn}}
	for _, size := range m.heads {
		name := layout.Same(answer.SizeText(size))
		if m.mixed() {
			name = layout.Text{EN: "your mix", ZH: "您的分布"}
		}
		t.Columns = append(t.Columns, answer.NumberColumn(name), answer.NumberColumn(layout.Text{EN: "rate", ZH: "吞吐量"}))
	}
	for _, l := range m.lines(op) {
		r := m.any(l, op)
		if r == nil || !answer.Primary(l.name) && !l.withoutAES {
			continue
		}
		row := layout.TableRow{RowID: r.ID, Cells: m.begin(l, r)}
		for _, size := range m.heads {
			r := m.cellRow(l, op, size)
			row.Cells = append(row.Cells, messageTimeCell(r), rateCell(r))
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []layout.Table{t}
}

// tables are the full ones.
func (m *messagesView) tables() []layout.Table {
	var out []layout.Table
	for _, op := range []string{algorithm.Encrypt, algorithm.Decrypt} {
		if m.mixed() {
			out = append(out, m.mix(op))
			continue
		}
		out = append(out,
			m.bySize(op, layout.Say("%s, time per message", "%s，单条消息耗时", answer.Upper(direction(op))), messageTimeCell),
			m.bySize(op, layout.Say("%s, bytes per second of CPU time", "%s，每秒 CPU 时间处理的字节数", answer.Upper(direction(op))), answer.Cell))
	}
	out = append(out, m.kernels(), m.crossoverTable(), m.Costs())
	return slices.DeleteFunc(out, func(t layout.Table) bool { return len(t.Rows) == 0 })
}

// bySize is one direction: a line a cipher and library, a column a size.
func (m *messagesView) bySize(op string, name layout.Text, show func(*document.Row) layout.Cell) layout.Table {
	t := layout.Table{Title: name, Columns: []layout.Column{answer.CipherColumn, answer.LibraryColumn, aesColumn}}
	for _, size := range m.sizes {
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Same(answer.SizeText(size))))
	}
	for _, l := range m.lines(op) {
		r := m.any(l, op)
		row := layout.TableRow{RowID: r.ID, Cells: m.begin(l, r)}
		for _, size := range m.sizes {
			row.Cells = append(row.Cells, show(m.cellRow(l, op, size)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// kernels says what ran: which kernel on the shortest and on the longest
// messages, whether its time depends on secrets, and what a call allocates.
func (m *messagesView) kernels() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "What ran", ZH: "实际运行的实现"}, Caption: heeding,
		Columns: []layout.Column{answer.CipherColumn, answer.LibraryColumn, aesColumn, answer.TextColumn("", ""), answer.TextColumn("Kernel", "实现"),
			answer.TextColumn("constant time", "常数时间"), answer.NumberColumn(layout.Text{EN: "allocs", ZH: "分配次数"})}}
	for _, op := range []string{algorithm.Encrypt, algorithm.Decrypt} {
		for _, l := range m.lines(op) {
			r := m.any(l, op)
			kernel := answer.Implementation(r)
			if short := m.cellRow(l, op, m.sizes[0]); short != nil && answer.Implementation(short) != kernel {
				kernel = answer.Implementation(short) + " → " + kernel
			}
			allocs := answer.Allocations(r)
			if r.AllocsPerOp != nil {
				allocs = answer.TextCell(layout.FormatCount(*r.AllocsPerOp / float64(replayed(r))))
			}
			t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Cells: append(m.begin(l, r), layout.Cell{Text: direction(op)}, answer.TextCell(kernel), answer.ConstantTime(r), allocs)})
		}
	}
	return t
}

// heeding says who heeds that AES instructions are off.
var heeding = layout.Text{
	EN: "AES instr.: no means measured with " + WithoutAES + ", which go and gmsm obey. – means that the kernel uses no AES instructions that could be turned off (cryptogauge asks the CPU itself and uses GFNI). A CPU without AES instructions may also lack AVX2, which ChaCha20-Poly1305 still uses here. a → b: kernels for the shortest and the longest messages.",
	ZH: "AES 指令：“否”表示在 " + WithoutAES + " 下测得，go 与 gmsm 遵从该设置；“–”表示该实现没有可关闭的 AES 指令（cryptogauge 自行检测 CPU，使用 GFNI）。没有 AES 指令的 CPU 可能也没有 AVX2，而此处 ChaCha20-Poly1305 仍在使用 AVX2。a → b：最短与最长消息所用的实现。",
}

// mix is what a mix of sizes costs in one direction.
func (m *messagesView) mix(op string) layout.Table {
	t := layout.Table{Title: layout.Say("Your mix of message sizes, %s", "您的消息长度分布，%s", direction(op)), Caption: m.drawn(op),
		Columns: []layout.Column{answer.CipherColumn, answer.LibraryColumn, aesColumn,
			answer.NumberColumn(layout.Text{EN: "per message", ZH: "每条"}), answer.NumberColumn(layout.Text{EN: "1 GB", ZH: "每 1 GB"}), answer.NumberColumn(layout.Text{EN: "rate", ZH: "吞吐量"})}}
	for _, l := range m.lines(op) {
		r := m.any(l, op)
		each, whole := messageTimeCell(r), layout.Cell{Text: layout.Same("–"), Faint: true}
		if r.NsPerOp != nil && r.Bytes > 0 {
			whole = answer.TextCell(layout.FormatTime(r.NsPerOp.Median / float64(r.Bytes) * 1e9))
		}
		t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Cells: append(m.begin(l, r), each, whole, rateCell(r))})
	}
	return t
}

// drawn says what of the histogram was replayed.
func (m *messagesView) drawn(op string) layout.Text {
	var sum, weight float64
	if m.Doc.Run != nil {
		for _, s := range m.Doc.Run.Header.Mix {
			sum += float64(s.Bytes) * s.Weight
			weight += s.Weight
		}
	}
	for _, r := range m.Rows {
		if r.Operation == op && weight > 0 {
			n := replayed(r)
			return layout.Say("One call replays %s messages, drawn from the histogram in equal shares of its weight: %s on average, the histogram's mean is %s. 1 GB is 10^9 bytes.",
				"每次调用依次重放 %s 条报文，按权重分层抽自直方图：平均 %s，直方图的均值为 %s。1 GB 为 10^9 字节。",
				layout.FormatCount(float64(n)), roughSize(float64(r.Bytes)/float64(n)), roughSize(sum/weight))
		}
	}
	return layout.Text{}
}

// crossoverTable lists all crossovers.
func (m *messagesView) crossoverTable() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Crossovers: from which size on the second is faster", ZH: "交叉点：自何种长度起后者更快"},
		Caption: layout.Text{
			EN: "Exact intervals at 99 %, widened by the noise floor. That there is a crossover between two measured sizes is certain, by the verdicts at both; where it lies between them is interpolated.",
			ZH: "99 % 精确置信区间，已按本底噪声放宽。两个实测长度之间存在交叉点由两端的判定确定；其具体位置由插值得出。"},
		Columns: []layout.Column{answer.TextColumn("First", "前者"), answer.TextColumn("Second", "后者"), answer.TextColumn("", ""), answer.NumberColumn(layout.Text{EN: "size", ZH: "长度"}),
			answer.NumberColumn(layout.Text{EN: "interval", ZH: "置信区间"}), answer.TextColumn("between", "实测区间")}}
	for _, c := range m.Doc.Crossovers {
		a, b := m.ByID[c.A], m.ByID[c.B]
		if a == nil || b == nil {
			continue
		}
		row := layout.TableRow{RowID: a.ID, Cells: []layout.Cell{{Text: m.who(a)}, {Text: m.who(b)}, {Text: direction(a.Operation)}}}
		t.Rows = append(t.Rows, layout.TableRow{RowID: row.RowID, Cells: append(row.Cells, crossoverCells(c)...)})
	}
	return t
}

func crossoverCells(c document.Crossover) []layout.Cell {
	measured := answer.TextCell(answer.SizeText(c.Sizes[0]) + " – " + answer.SizeText(c.Sizes[len(c.Sizes)-1]))
	if c.Bytes == nil {
		kind := layout.Text{EN: "never", ZH: "从不"}
		switch c.Kind {
		case document.Level:
			kind = layout.Text{EN: "equal", ZH: "相当"}
		case document.Undecided:
			kind = layout.Text{EN: "inconclusive", ZH: "无法判定"}
		}
		return []layout.Cell{{Text: kind, Faint: c.Kind == document.Undecided}, answer.TextCell("–"), measured}
	}
	span := answer.TextCell("–")
	if c.Bytes.Low != nil && c.Bytes.High != nil {
		span = answer.TextCell(roughSizes(c.Bytes))
	}
	return []layout.Cell{answer.TextCell(roughSize(c.Bytes.Median)), span, answer.TextCell(answer.SizeText(c.Between[0]) + " – " + answer.SizeText(c.Between[1]))}
}
