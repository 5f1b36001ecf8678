package bulkhash

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

var (
	wayColumn   = answer.TextColumn("Way", "方式")
	wallColumn  = answer.NumberColumn(layout.Text{EN: "wall", ZH: "墙钟"})
	cpuColumn   = answer.NumberColumn(layout.Text{EN: "CPU", ZH: "CPU"})
	ratioColumn = answer.NumberColumn(layout.Text{EN: "speed ratio", ZH: "速度比"})
	waysCaption = layout.Text{
		EN: "Times are per message. Speed ratio, with its interval: compared with the plain loop over Sum (sync.Pool with md5.New, in place with []byte(s)). Use MD5 only to detect accidental changes, never against attackers.",
		ZH: "时间按每条消息计。速度比：相对于 Sum 的普通循环（sync.Pool 相对于 md5.New，零拷贝相对于 []byte(s)），附置信区间。MD5 只能检测意外差错，不能防范攻击者。"}
)

// headlineTables is one small table: the ways of the first size, and SHA-256.
func (b *bulkView) headlineTables() []layout.Table {
	if len(b.sizes) == 0 {
		return nil
	}
	size := b.sizes[0]
	t := layout.Table{Title: b.sized("Ways to hash %s messages of %s", "%s 条 %s 消息的杂凑方式", size), Caption: waysCaption,
		Columns: []layout.Column{answer.TextColumn("Hash", "算法"), wayColumn, answer.LibraryColumn, wallColumn, cpuColumn, ratioColumn}}
	for _, r := range b.many {
		if messageSize(r) != size || r.Environment != "" || !b.inHeadline(r) {
			continue
		}
		cells := append([]layout.Cell{answer.TextCell(r.Algorithm), {Text: wayText(r)}, {Text: layout.Same(r.Library), New: answer.IsNew(r.Library)}}, timeCells(r)...)
		t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Cells: append(cells, b.ratio(r))})
	}
	return answer.NonEmpty(t)
}

// inHeadline picks the rows of the small table: those that a headline comparison has
// as its other end, and the plain loop.
func (b *bulkView) inHeadline(r *document.Row) bool {
	if r.Parameter("way") == "sum" && r.Algorithm == algorithm.MD5 {
		return true
	}
	c := b.against(r)
	return c != nil && c.Headline
}

// sized puts a size and its number of messages into a title.
func (b *bulkView) sized(en, zh string, size int64) layout.Text {
	return layout.Say(en, zh, strconv.FormatInt(b.messagesAt(size), 10), answer.SizeText(size))
}

// against is the comparison of a row with what it is to be compared with in a table:
// the plain loop, or else what stands in its place.
func (b *bulkView) against(r *document.Row) *document.Comparison {
	if wayOfMany(r) == md5By(parameter.Sum) {
		return nil // what the others are compared with
	}
	size := messageSize(r)
	bases := []*document.Row{b.find(md5By(parameter.Sum), size), b.find(md5By(parameter.New), size), b.find(md5By(parameter.StringCopy), size),
		b.find(way{library: "gmsm", algorithm: algorithm.SM3, by: parameter.Sum}, size), b.find(way{library: "go", algorithm: algorithm.SHA256, by: parameter.Sum}, size),
		b.find(b.split(), size), b.find(md5By(parameter.Spawn), size)}
	counter := md5By(parameter.Counter)
	counter.workers = 64
	for _, base := range append(bases, b.find(counter, size)) {
		if c := b.Compare(base, r); c != nil {
			return c
		}
	}
	return nil
}

// ratio is its cell.
func (b *bulkView) ratio(r *document.Row) layout.Cell {
	c := b.against(r)
	if c == nil || r.Status != result.OK {
		return answer.Dash()
	}
	return answer.TextCell(answer.Factor(c.Ratio) + " (" + answer.Interval(*c.Low, *c.High) + ")")
}

// timeCells are the wall and the CPU time of a message, or why there are none.
func timeCells(r *document.Row) []layout.Cell {
	wall, cpu, ok := perMessage(r)
	if !ok {
		return []layout.Cell{answer.Cell(r), answer.Dash()}
	}
	cells := []layout.Cell{{Text: layout.Same(layout.FormatTime(wall)), Footnotes: answer.Doubts(r)}, answer.Dash()}
	if cpu > 0 {
		cells[1] = answer.TextCell(layout.FormatTime(cpu))
	}
	return cells
}

// tables are the full ones.
func (b *bulkView) tables() []layout.Table {
	var out []layout.Table
	for _, size := range b.sizes {
		out = append(out, b.waysAt(size))
	}
	return answer.NonEmpty(append(out, b.otherHashes(), b.crowds(), b.byChunk())...)
}

// waysAt is every way to hash messages of a size by MD5.
func (b *bulkView) waysAt(size int64) layout.Table {
	t := layout.Table{Title: b.sized("MD5 of %s messages of %s, by way", "%s 条 %s 消息的 MD5，各种方式", size),
		Caption: answer.JoinWith([]layout.Text{waysCaption, {EN: "More goroutines, and GOMAXPROCS, are compared with one range per CPU. The Coalescer, and one goroutine per message under GOMAXPROCS, are compared with the same way in the standard library. Memory: growth of the process by the first call.",
			ZH: "更多 goroutine、更大的 GOMAXPROCS：与每 CPU 一段相比。Coalescer，以及设了 GOMAXPROCS 的每条消息一个 goroutine：与标准库的同一方式相比。内存：首次调用使进程增长的字节数。"}}, " ", ""),
		Columns: []layout.Column{wayColumn, answer.LibraryColumn, wallColumn, cpuColumn, ratioColumn,
			answer.NumberColumn(layout.Text{EN: "allocs", ZH: "分配次数"}), answer.NumberColumn(layout.Text{EN: "bytes", ZH: "分配字节"}), answer.NumberColumn(layout.Text{EN: "memory", ZH: "内存"})}}
	for _, r := range b.many {
		if messageSize(r) != size || r.Algorithm != algorithm.MD5 {
			continue
		}
		name := wayText(r)
		if r.Environment != "" {
			name = layout.Say("%s, %s", "%s，%s", name, r.Environment)
		}
		cells := append([]layout.Cell{{Text: name}, {Text: layout.Same(r.Library), New: answer.IsNew(r.Library)}}, timeCells(r)...)
		cells = append(cells, b.ratio(r), eachOf(r, r.AllocsPerOp), eachOf(r, r.AllocBytesPerOp), answer.MetricCell(r, "memory_peak_bytes", answer.MemoryText))
		t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Cells: cells})
	}
	return t
}

// eachOf is what a call allocates, for each message.
func eachOf(r *document.Row, total *float64) layout.Cell {
	if total == nil || r.Status != result.OK {
		return answer.Dash()
	}
	each := *total / float64(hashed(r))
	if each < 0.005 { // a goroutine or two of a call
		each = 0
	}
	if whole := math.Round(each); whole > 0 && answer.Abs(each-whole) < 0.05*whole { // but for what a call allocates by itself
		return answer.TextCell(layout.FormatCount(whole))
	}
	return answer.TextCell(layout.FormatNumber(each))
}

// otherHashes sets other hash functions beside MD5, one at a time and in lanes.
func (b *bulkView) otherHashes() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Replacements for MD5", ZH: "替代 MD5 的算法"},
		Caption: layout.Text{EN: "Throughput on one core by message size; SIMD lanes hash many messages at once.", ZH: "单核吞吐量，按消息长度；多通道并行指同时处理许多条消息。"},
		Columns: []layout.Column{answer.TextColumn("Hash", "算法"), wayColumn, answer.LibraryColumn, answer.TextColumn("Kernel", "实现")}}
	for _, size := range b.sizes {
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Same(answer.SizeText(size))))
	}
	one := func(r *document.Row) bool {
		return (r.Parameter("way") == "sum" || r.Parameter("way") == "lanes") && r.Environment == ""
	}
	for _, w := range answer.Values(b.many, wayOfMany, one) {
		row := layout.TableRow{}
		for _, size := range b.sizes {
			r := b.find(w, size)
			if r != nil && row.RowID == "" {
				security, _ := answer.SplitNotes(r.Notes, r.Security)
				row.RowID = r.ID
				row.Cells = []layout.Cell{{Text: layout.Same(r.Algorithm), Footnotes: security}, {Text: wayText(r)}, {Text: layout.Same(r.Library), New: answer.IsNew(r.Library)}, answer.TextCell(answer.Implementation(r))}
			}
		}
		for _, size := range b.sizes {
			row.Cells = append(row.Cells, rateOf(b.find(w, size)))
		}
		t.Rows = append(t.Rows, row)
	}
	slices.SortStableFunc(t.Rows, func(x, y layout.TableRow) int { return cmp.Compare(hashOrder(x), hashOrder(y)) })
	return t
}

// hashOrder sorts MD5 to the front and the engine to the end.
func hashOrder(r layout.TableRow) int {
	switch {
	case r.Cells[2].New:
		return 2
	case r.Cells[0].Text.EN == algorithm.MD5:
		return 0
	}
	return 1
}

// rateOf is a row's rate without the notes on security, which stand beside its name.
func rateOf(r *document.Row) layout.Cell {
	c := answer.Cell(r)
	if r != nil && r.Status == result.OK {
		c.Footnotes = answer.Doubts(r)
	}
	return c
}

// crowds is what starting goroutines costs.
func (b *bulkView) crowds() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Many goroutines at once", ZH: "同时存在大量 goroutine"},
		Caption: layout.Text{EN: "Each row runs in its own process. First run: from the go statement to the goroutine's first instruction, over all blocks. Ready: wall time per goroutine until the last has started.",
			ZH: "每种数量各用一个新进程。首次运行：从 go 语句到该 goroutine 的第一条指令，汇总所有数据组。就绪：到最后一个开始运行为止的墙钟时间，按每个计。"},
		Columns: []layout.Column{answer.NumberColumn(answer.GoroutinesColumn), answer.NumberColumn(layout.Text{EN: "go statement", ZH: "go 语句"}), answer.NumberColumn(layout.Text{EN: "ready", ZH: "就绪"}),
			answer.NumberColumn(layout.Text{EN: "ended", ZH: "结束"}), answer.NumberColumn(layout.Text{EN: "memory each", ZH: "每个内存"}), answer.NumberColumn(layout.Text{EN: "of which stack", ZH: "其中栈"}),
			answer.NumberColumn(layout.Text{EN: "memory in all", ZH: "总内存"}), answer.NumberColumn(layout.Text{EN: "first run p50", ZH: "首次运行 p50"}), answer.NumberColumn(layout.Same("p99"))}}
	for _, r := range b.burst {
		n := whole(r, "count")
		cells := []layout.Cell{{Text: layout.Same(strconv.FormatInt(n, 10)), Footnotes: answer.Because(r)}}
		if r.Status != result.OK {
			cells = append(cells, layout.Cell{Text: r.StatusText(), Faint: true})
			for len(cells) < len(t.Columns) {
				cells = append(cells, answer.Dash())
			}
			t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Cells: cells})
			continue
		}
		ready, all := answer.Dash(), answer.Dash()
		if r.NsPerOp != nil {
			ready = answer.TextCell(layout.FormatTime(r.NsPerOp.Median))
		}
		if m, ok := answer.Metric(r, "memory_each_bytes"); ok {
			all = answer.TextCell(answer.MemoryText(m.Value * float64(n)))
		}
		cells = append(cells, answer.MetricCell(r, "start_ns", layout.FormatTime), ready, answer.MetricCell(r, "end_ns", layout.FormatTime),
			answer.MetricCell(r, "memory_each_bytes", answer.MemoryText), answer.MetricCell(r, "stack_each_bytes", answer.MemoryText), all,
			answer.MetricCell(r, "latency_p50_ns", layout.FormatTime), answer.MetricCell(r, "latency_p99_ns", layout.FormatTime))
		t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Cells: cells})
	}
	return t
}

var fileBufferOrder = []string{"pool", "stack", "call", "io.Copy", "mmap"}

// byChunk is the hash of a file, a line a chunk and a column a buffer.
func (b *bulkView) byChunk() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "MD5 of a file, by chunk and buffer", ZH: "文件的 MD5：按分块与缓冲区"},
		Caption: layout.Text{EN: "Wall time; the file lies in the page cache. In parentheses: bytes that a file's hash allocates. io.Copy makes a buffer of its own, of 32 KiB.",
			ZH: "按墙钟时间计；文件在页缓存中。括号内为计算一个文件时分配的字节数。io.Copy 自行分配 32 KiB 的缓冲区。"},
		Columns: []layout.Column{answer.ChunkColumn}}
	if len(b.files) == 0 {
		return t
	}
	for _, buffer := range fileBufferOrder {
		t.Columns = append(t.Columns, answer.NumberColumn(bufferName(buffer)))
	}
	chunks := answer.Values(b.files, document.ChunkOf, func(*document.Row) bool { return true })
	slices.Sort(chunks)
	for _, chunk := range chunks {
		row := layout.TableRow{Cells: []layout.Cell{answer.TextCell(answer.SizeText(chunk))}}
		for _, buffer := range fileBufferOrder {
			r := b.fileRow(buffer, chunk)
			c := rateOf(r)
			if r != nil && r.Status == result.OK && r.AllocBytesPerOp != nil {
				c.Text = layout.Same(c.Text.EN + " (" + answer.CallBytes(*r.AllocBytesPerOp) + ")")
			}
			row.Cells = append(row.Cells, c)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// charts are the ratios that the sentences stand on, throughput over batches and over
// goroutines, and that of a file over chunks.
func (b *bulkView) charts() (out []layout.Chart) {
	for _, c := range []layout.Chart{b.headlineRatios(), b.overBatches(), b.overGoroutines(), b.overChunks()} {
		if len(c.Ratios)+len(c.Series) > 0 {
			out = append(out, c)
		}
	}
	return out
}

func (b *bulkView) headlineRatios() layout.Chart {
	chart := layout.Chart{Kind: layout.Ratios,
		Title: layout.Text{EN: "Headline comparisons: speed of the first over the second", ZH: "主要比较：前者相对后者的速度"},
		Caption: layout.Text{EN: "Intervals hold for all headline comparisons together at 99 %, and are widened by the noise floor. Differences within ±0.5 % count as the same speed.",
			ZH: "置信区间对全部主要比较同时成立（合计 99 %），并已按本底噪声放宽。差异在 ±0.5 % 以内视为速度相同。"}}
	for _, c := range b.Doc.Comparisons {
		base, other := b.ByID[c.Base], b.ByID[c.Other]
		if !c.Headline || base == nil || other == nil || c.Ratio == 0 {
			continue
		}
		r := layout.Ratio{Label: layout.Say("%s / %s, %s", "%s / %s，%s", b.short(other, base), b.short(base, other), b.lengthText(other)), Value: c.Ratio, Verdict: c.Verdict, ID: c.ID}
		if c.Low != nil && c.High != nil {
			r.Low, r.High, r.HasInterval = *c.Low, *c.High, true
		}
		chart.Ratios = append(chart.Ratios, r)
	}
	return chart
}

// short names a row by what tells it from another.
func (b *bulkView) short(r, other *document.Row) layout.Text {
	if r.Operation == algorithm.HashFile {
		if r.Parameter("buffer") == other.Parameter("buffer") {
			return layout.Same(answer.SizeText(document.ChunkOf(r)))
		}
		return bufferName(r.Parameter("buffer"))
	}
	name := wayText(r)
	if r.Environment != "" {
		name = layout.Same(r.Environment)
	}
	if r.Algorithm != other.Algorithm {
		return layout.Same(r.Algorithm)
	}
	if r.Library != other.Library {
		return layout.Say("%s %s", "%s %s", r.Library, name)
	}
	return name
}

func (b *bulkView) lengthText(r *document.Row) layout.Text {
	if r.Operation == algorithm.HashFile {
		return layout.Text{EN: "file", ZH: "文件"}
	}
	return layout.Same(answer.SizeText(messageSize(r)))
}

// over draws a series a size of the rows that keep passes, at the place that at gives.
func (b *bulkView) over(chart layout.Chart, at func(*document.Row) float64, keep func(*document.Row) bool) layout.Chart {
	chart.Kind = layout.SpeedOverSize
	for _, size := range b.sizes {
		s := layout.Series{Name: layout.Same(answer.SizeText(size))}
		for _, r := range b.many {
			if p, ok := answer.Point(r); ok && messageSize(r) == size && r.Algorithm == algorithm.MD5 && r.Library == "go" && r.Environment == "" && keep(r) {
				p.X = at(r)
				s.Points = append(s.Points, p)
			}
		}
		slices.SortFunc(s.Points, func(x, y layout.Point) int { return cmp.Compare(x.X, y.X) })
		if len(s.Points) > 2 {
			chart.Series = append(chart.Series, s)
		}
	}
	return chart
}

func (b *bulkView) overBatches() layout.Chart {
	return b.over(layout.Chart{Title: layout.Text{EN: "Worker pool: throughput by batch size", ZH: "工作池：吞吐量与每批条数"},
		X: layout.Axis{Title: layout.Text{EN: "messages per batch", ZH: "每批条数"}, Unit: "1"}},
		func(r *document.Row) float64 { return float64(whole(r, "batch")) },
		func(r *document.Row) bool { return r.Parameter("way") == "channel" })
}

func (b *bulkView) overGoroutines() layout.Chart {
	return b.over(layout.Chart{Title: layout.Text{EN: "One range per goroutine: throughput by number of goroutines", ZH: "各分一段：吞吐量与 goroutine 数"},
		X: layout.Axis{Title: answer.GoroutinesColumn, Unit: "1"}},
		func(r *document.Row) float64 { return float64(whole(r, "workers")) },
		func(r *document.Row) bool { return r.Parameter("way") == "split" })
}

func (b *bulkView) overChunks() layout.Chart {
	chart := layout.Chart{Kind: layout.SpeedOverSize, Title: layout.Text{EN: "MD5 of a file: throughput over chunk size", ZH: "文件的 MD5：吞吐量与分块大小"},
		X: layout.Axis{Title: layout.Text{EN: "chunk size", ZH: "分块大小"}, Unit: "B"}}
	for _, buffer := range fileBufferOrder[:3] {
		s := layout.Series{Name: bufferName(buffer)}
		for _, r := range b.files {
			if p, ok := answer.ChunkPoint(r); ok && r.Parameter("buffer") == buffer {
				s.Points = append(s.Points, p)
			}
		}
		slices.SortFunc(s.Points, func(x, y layout.Point) int { return cmp.Compare(x.X, y.X) })
		if len(s.Points) > 1 {
			chart.Series = append(chart.Series, s)
		}
	}
	return chart
}
