package streaming

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

var (
	endColumn   = layout.Column{Title: layout.Text{EN: "In", ZH: "介质"}}
	endsCaption = layout.Text{
		EN: "Memory: each chunk is copied in and out of a buffer of 1 MiB (of one chunk, if that is larger); CPU time. Files: read from and written to the page cache, not synced; wall time.",
		ZH: "内存：读入、写出各复制一次，循环使用 1 MiB（分块更大时为一个分块）的缓冲区，按 CPU 时间计。文件：从页缓存读取，追加写入页缓存且不落盘同步，按墙钟时间计。"}
)

// headlineTables are for the quick screen: a line a cipher and end, a column a chunk.
func (s *streamsView) headlineTables() []layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Big files: throughput by chunk", ZH: "大文件：各分块大小的吞吐量"}, Caption: endsCaption,
		Columns: []layout.Column{answer.CipherColumn, answer.LibraryColumn, endColumn}}
	for _, chunk := range s.chunks {
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Same(answer.SizeText(chunk))))
	}
	for _, c := range s.curves {
		row := layout.TableRow{Cells: []layout.Cell{answer.TextCell(c.cipher), {Text: layout.Same(c.subject), New: answer.IsNew(c.subject)}, {Text: endNames[c.file]}}}
		for _, chunk := range s.chunks {
			row.Cells = append(row.Cells, answer.Cell(c.at(chunk)))
		}
		t.Rows = append(t.Rows, row)
	}
	return answer.NonEmpty(t)
}

// tables are the full ones.
func (s *streamsView) tables() []layout.Table {
	return answer.NonEmpty(s.throughput(false), s.throughput(true), s.latencies(false), s.latencies(true), s.prices(), s.chunkCosts(), s.compressions())
}

// byChunk is a table of one end: a line a chunk, a column a cipher and library.
func (s *streamsView) byChunk(file bool, title layout.Text, show func(*document.Row) layout.Cell) layout.Table {
	t := layout.Table{Title: title, Columns: []layout.Column{answer.ChunkColumn}}
	var curves []*curve
	for _, c := range s.curves {
		if c.file == file {
			curves = append(curves, c)
			t.Columns = append(t.Columns, answer.NumberColumn(layout.Same(c.name())))
		}
	}
	if len(curves) == 0 {
		return t
	}
	for _, chunk := range s.chunks {
		row := layout.TableRow{Cells: []layout.Cell{answer.TextCell(answer.SizeText(chunk))}}
		for _, c := range curves {
			cell := show(c.at(chunk))
			cell.New = answer.IsNew(c.subject)
			row.Cells = append(row.Cells, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (s *streamsView) throughput(file bool) layout.Table {
	t := s.byChunk(file, layout.Say("Throughput by chunk, %s", "各分块大小的吞吐量，%s", endNames[file]), answer.Cell)
	t.Caption = endsCaption
	return t
}

func (s *streamsView) latencies(file bool) layout.Table {
	t := s.byChunk(file, layout.Say("Latency of a chunk (p50 and p99), %s", "单个分块的延迟（中位数与 99 百分位），%s", endNames[file]), func(r *document.Row) layout.Cell {
		half := s.percentile(r, median)
		if half == none {
			return layout.Cell{Text: layout.Same(none), Faint: true}
		}
		return answer.TextCell(half + " · " + s.percentile(r, ninetyNinth))
	})
	t.Caption = layout.Text{EN: "Wall time from the end of the previous chunk's write to the end of this one's (read, seal, write), over all blocks. No p99 below 100 chunks.",
		ZH: "从前一分块写完到本分块写完的墙钟时间：读取、加密、写出；汇总所有数据组。不足一百个分块时不给出 99 百分位数。"}
	return t
}

func median(d document.Distribution) *float64      { return &d.P50 }
func ninetyNinth(d document.Distribution) *float64 { return d.P99 }

// percentile shows one of the latency of a row's chunks, "–" where there is none.
func (s *streamsView) percentile(r *document.Row, of func(document.Distribution) *float64) string {
	for _, d := range s.Doc.Distributions {
		if r != nil && d.RowID == r.ID && d.Name == "chunk_latency" && of(d) != nil {
			return layout.FormatTime(*of(d))
		}
	}
	return none
}

// none stands where there is no number.
const none = "–"

// priced are the chunks whose whole price is told: the smallest, the usual, 1 MiB and
// the largest.
func (s *streamsView) priced() (chunks []int64) {
	if len(s.chunks) == 0 {
		return nil
	}
	of := []int64{s.chunks[0], s.usual(), 1 << 20, s.chunks[len(s.chunks)-1]}
	for _, chunk := range s.chunks {
		if slices.Contains(of, chunk) {
			chunks = append(chunks, chunk)
		}
	}
	return chunks
}

// prices is what a chunk costs beside its speed.
func (s *streamsView) prices() layout.Table {
	t := layout.Table{
		Title: layout.Text{EN: "Latency, memory and CPU share by chunk", ZH: "分块在吞吐量之外的代价"},
		Caption: layout.Text{EN: "Memory: the stream's buffers plus the growth of the process's peak resident memory while streams ran; source, memory sink and expected output do not count. CPU share: CPU time of all threads of the process, in percent of wall time; above 100 % other threads (such as the runtime's) worked too.",
			ZH: "基线以上的内存：数据流自身的缓冲区，加上运行期间进程常驻内存峰值的增长；数据源、内存中的写出端与预期输出计入基线。CPU 占比：进程全部线程的 CPU 时间占墙钟时间的比例；超过 100 % 表示除数据流自身的线程外还有其他线程（如 Go 运行时）在工作。"},
		Columns: []layout.Column{answer.CipherColumn, answer.LibraryColumn, endColumn, answer.ChunkColumn,
			answer.NumberColumn(layout.Text{EN: "first byte", ZH: "首字节"}), answer.NumberColumn(layout.Text{EN: "p50", ZH: "p50"}), answer.NumberColumn(layout.Text{EN: "p99", ZH: "p99"}),
			answer.NumberColumn(layout.Text{EN: "memory", ZH: "内存"}), answer.NumberColumn(layout.Text{EN: "CPU share", ZH: "CPU 占比"}), answer.NumberColumn(layout.Text{EN: "written", ZH: "写出"})},
	}
	for _, c := range s.curves {
		for _, chunk := range s.priced() {
			r := c.at(chunk)
			if r == nil {
				continue
			}
			t.Rows = append(t.Rows, layout.TableRow{RowID: r.ID, Cells: []layout.Cell{answer.TextCell(c.cipher), {Text: layout.Same(c.subject), New: answer.IsNew(c.subject)},
				{Text: endNames[c.file]}, answer.TextCell(answer.SizeText(chunk)),
				answer.MetricCell(r, "first_byte_ns", layout.FormatTime), answer.TextCell(s.percentile(r, median)), answer.TextCell(s.percentile(r, ninetyNinth)), answer.MetricCell(r, "memory_beyond_baseline_bytes", answer.MemoryText),
				answer.MetricCell(r, "cpu_share", layout.FormatShare), answer.MetricCell(r, "written_per_byte", shareText)}})
		}
	}
	return t
}

// chunkCosts shows the cost models over chunk sizes.
func (s *streamsView) chunkCosts() layout.Table {
	t := layout.Table{
		Title: layout.Text{EN: "Cost of a chunk: fixed part, rate, and n½", ZH: "单个分块的代价：固定开销、渐近吞吐量与 n½"},
		Caption: layout.Text{EN: "Fitted as t(n) = fixed + n / rate over all chunk sizes; n½ is the chunk at which half of the rate is reached.",
			ZH: "按 t(n) = 固定开销 + n / 吞吐量 对所有分块大小拟合；n½ 为达到渐近吞吐量一半时的分块大小。"},
		Columns: []layout.Column{answer.CipherColumn, answer.LibraryColumn, endColumn, answer.NumberColumn(layout.Text{EN: "fixed", ZH: "固定开销"}),
			answer.NumberColumn(layout.Text{EN: "rate", ZH: "渐近吞吐量"}), answer.NumberColumn(layout.Same("n½")), answer.NumberColumn(layout.Text{EN: "misfit (rms)", ZH: "拟合误差（均方根）"})},
	}
	for _, f := range s.Doc.Fits {
		r := s.ByID[f.RowIDs[0]]
		if r == nil || s.isPacking(r) || !answer.Primary(s.Name(r)) {
			continue
		}
		row := layout.TableRow{RowID: r.ID, Cells: []layout.Cell{answer.TextCell(answer.CaseName(r.Algorithm, r.Mode)), {Text: layout.Same(s.Name(r)), New: answer.IsNew(s.Name(r))},
			{Text: endNames[r.Parameter("io") == "file"]}}}
		t.Rows = append(t.Rows, layout.TableRow{RowID: row.RowID, Cells: append(row.Cells, answer.FitCells(f)...)})
	}
	return t
}

// packedWith names the cipher and library of the streams with compression, of which
// a run has one; nothing where there is no such stream.
func (s *streamsView) packedWith() layout.Text {
	for _, p := range s.packed {
		for _, r := range []*document.Row{p.plain, p.zstd} {
			if r != nil {
				return layout.Say(", %s, %s", "，%[2]s 的 %[1]s", answer.CaseName(r.Algorithm, r.Mode), answer.Label(s.Name(r)))
			}
		}
	}
	return layout.Text{}
}

// compressions is what zstd does, by data and chunk.
func (s *streamsView) compressions() layout.Table {
	t := layout.Table{
		Title: layout.Say("zstd before encryption%s", "加密前用 zstd 压缩%s", s.packedWith()),
		Caption: layout.Text{EN: "Level 3, one frame a chunk, one goroutine, in memory. Rates are of the data before compression.",
			ZH: "3 级，每分块一帧，单 goroutine，在内存中。吞吐量按压缩前的数据计。"},
		Columns: []layout.Column{answer.TextColumn("Data", "数据"), answer.ChunkColumn, answer.NumberColumn(layout.Text{EN: "sealed only", ZH: "仅加密"}),
			answer.NumberColumn(layout.Text{EN: "zstd, then sealed", ZH: "先压缩再加密"}), answer.NumberColumn(layout.Text{EN: "speed ratio", ZH: "速度比"}), answer.NumberColumn(layout.Text{EN: "written", ZH: "写出"})},
	}
	for _, p := range s.packed {
		row := layout.TableRow{Cells: []layout.Cell{{Text: dataName(p.data)}, answer.TextCell(answer.SizeText(p.chunk)), answer.Cell(p.plain), answer.Cell(p.zstd), answer.TextCell("–"),
			answer.MetricCell(p.zstd, "written_per_byte", shareText)}}
		if p.zstd != nil {
			row.RowID = p.zstd.ID
		}
		if x := s.Compare(p.plain, p.zstd); x != nil {
			row.Cells[4] = answer.TextCell(answer.Factor(x.Ratio) + " (" + answer.Interval(*x.Low, *x.High) + ")")
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// charts are throughput over chunk sizes, one chart an end, with the cost models.
func (s *streamsView) charts() (out []layout.Chart) {
	if len(s.chunks) < 2 {
		return nil
	}
	for _, file := range []bool{false, true} {
		chart := layout.Chart{Kind: layout.SpeedOverSize, X: layout.Axis{Title: layout.Text{EN: "chunk size", ZH: "分块大小"}, Unit: "B"},
			Title: layout.Say("Throughput over chunk size, %s", "吞吐量与分块大小，%s", endNames[file]), Caption: endsCaption}
		for _, c := range s.curves {
			series := layout.Series{Name: layout.Same(c.name()), New: answer.IsNew(c.subject)}
			for _, r := range c.rows {
				if p, ok := answer.ChunkPoint(r); ok && c.file == file {
					series.Points, series.Model = append(series.Points, p), s.Model(r.ID)
				}
			}
			if len(series.Points) > 0 {
				chart.Series = append(chart.Series, series)
			}
		}
		if len(chart.Series) > 0 {
			out = append(out, chart)
		}
	}
	return out
}
