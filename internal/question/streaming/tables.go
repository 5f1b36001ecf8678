package streaming

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

var (
	cipherColumn  = answer.Titled("Cipher", "算法", func(k kind) string { return k.cipher })
	libraryColumn = answer.By(func(k kind) string { return k.subject })
	named         = slices.Concat(cipherColumn, libraryColumn, answer.Told("In", "介质", func(k kind) layout.Text { return ends[k.end] }))
	chunkColumn   = answer.Titled("Chunk", "分块", answer.SizeText)
	endsCaption   = layout.Text{
		EN: "Memory: each chunk is copied in and out of a buffer of 1 MiB (of one chunk, if that is larger); CPU time. Files: read from and written to the page cache, not synced; wall time.",
		ZH: "内存：读入、写出各复制一次，循环使用 1 MiB（分块更大时为一个分块）的缓冲区，按 CPU 时间计。文件：从页缓存读取，追加写入页缓存且不落盘同步，按实际耗时计。"}
)

// headline is a curve's rates, and under them the times of its chunks.
func (s *view) headline() layout.Table {
	shown := func(cell func(*document.Row) layout.Cell) answer.Columns[*curve] {
		return answer.EachSize(s.chunks, func(c *curve, chunk int64) layout.Cell { return cell(c.at(chunk)) })
	}
	return answer.Table[*curve]{
		Title: layout.Text{EN: "Big files: throughput by chunk, and the time of a chunk", ZH: "大文件：各分块大小的吞吐量与单个分块的耗时"}, Caption: endsCaption,
		Columns: []answer.Columns[*curve]{answer.On(func(c *curve) kind { return c.kind }, named), shown(answer.Cell)},
		Beneath: []answer.Columns[*curve]{answer.On(func(*curve) kind { return kind{} }, cipherColumn, libraryColumn),
			answer.Told("", "", func(*curve) layout.Text { return layout.Text{EN: "time", ZH: "每块耗时"} }), shown(chunkTime)},
		Second: func(c *curve) bool {
			return slices.ContainsFunc(c.rows, func(r *document.Row) bool { _, ok := answer.Speed(r); return ok })
		},
	}.Of(s.curves)
}

// chunkTime is the time of a chunk where its rate stands beside it; rows time whole streams.
func chunkTime(r *document.Row) layout.Cell {
	rate, ok := answer.Speed(r)
	if !ok {
		return answer.TimeBeside(r)
	}
	return answer.TextCell(layout.FormatTime(1e9 * float64(document.ChunkOf(r)) / rate))
}

var chunkTimes = answer.Figure("time", "每块耗时", chunkTime)

func (s *view) tables() (all []layout.Table) {
	latency := layout.Text{
		EN: "Wall time from the end of the previous chunk's write to the end of this one's (read, seal, write), over all blocks. No p99 below 100 chunks.",
		ZH: "从前一分块写完到本分块写完的实际耗时：读取、加密、写出；汇总所有数据组。不足一百个分块时不给出 99 百分位数。"}
	for _, end := range parameter.IO.Words {
		all = append(all, s.byChunk(end, layout.Say("Throughput by chunk, %s", "各分块大小的吞吐量，%s", ends[end]), endsCaption,
			answer.Cell), s.byChunk(end, layout.Say("Time of a chunk, %s", "单个分块的平均耗时，%s", ends[end]), layout.Text{}, chunkTime))
	}
	for _, end := range parameter.IO.Words {
		title := layout.Say("Latency of a chunk (p50 and p99), %s", "单个分块的延迟（中位数与 99 百分位），%s", ends[end])
		all = append(all, s.byChunk(end, title, latency, func(r *document.Row) layout.Cell {
			half, most := s.percentile(answer.P50)(r), s.percentile(answer.P99)(r)
			if !half.Faint {
				half.Text = layout.Say("%s · %s", "%s · %s", half.Text, most.Text)
			}
			return half
		}))
	}
	return answer.NonEmpty(append(all, s.prices(), s.stageTable(), s.chunkCosts(), s.compressions())...)
}

func (s *view) byChunk(end parameter.End, title, caption layout.Text,
	show func(*document.Row) layout.Cell) layout.Table {
	of := s.at(end)
	if len(of) == 0 {
		return layout.Table{}
	}
	return answer.Table[int64]{
		Title: title, Caption: caption,
		Columns: []answer.Columns[int64]{chunkColumn,
			answer.Each(of, func(c *curve) layout.Text { return layout.Same(c.name()) },
				func(chunk int64, c *curve) layout.Cell {
					cell := show(c.at(chunk))
					cell.New = answer.IsNew(c.subject)
					return cell
				})},
	}.Of(s.chunks)
}

// percentile shows one of the latency of a row's chunks, if only that there is none.
func (s *view) percentile(of func(*document.Distribution) *float64) func(*document.Row) layout.Cell {
	return func(r *document.Row) layout.Cell { return answer.Quantile(of)(s.Distribution(r, "chunk_latency")) }
}

// prices is what a chunk costs beside its speed: the smallest, the usual, 1 MiB and the
// largest.
func (s *view) prices() layout.Table {
	var priced []*document.Row
	for _, c := range s.curves {
		for i, chunk := range s.chunks {
			if r := c.at(chunk); r != nil && (i == 0 || i == len(s.chunks)-1 || chunk == s.usual || chunk == 1<<20) {
				priced = append(priced, r)
			}
		}
	}
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "Latency, memory and CPU share by chunk", ZH: "分块在吞吐量之外的代价"},
		Caption: layout.Text{EN: "Memory: the stream's buffers plus the growth of the process's peak resident memory while streams ran; " +
			"source, memory sink and expected output do not count. CPU share: CPU time of all threads of the process, in percent of wall time; " +
			"above 100 % other threads (such as the runtime's) worked too.",
			ZH: "基线以上的内存：数据流自身的缓冲区，加上运行期间进程常驻内存峰值的增长；数据源、内存中的写出端与预期输出计入基线。" +
				"CPU 占比：进程全部线程的 CPU 时间占实际耗时的比例；超过 100% 表示除数据流自身的线程外还有其他线程（如 Go 运行时）在工作。"},
		Columns: []answer.RowColumns{answer.On(s.kindOf, named), answer.On(document.ChunkOf, chunkColumn),
			answer.MetricShown("first byte", "首字节", "first_byte_ns", layout.FormatTime),
			answer.Figure("p50", "p50", s.percentile(answer.P50)),
			answer.Figure("p99", "p99", s.percentile(answer.P99)),
			answer.MetricShown("memory", "内存", "memory_beyond_baseline_bytes", answer.MemoryText),
			answer.MetricShown("CPU share", "CPU 占比", "cpu_share", layout.FormatShare),
			answer.MetricShown("written", "写出", "written_per_byte", shareText)},
	}.Of(priced)
}

func (s *view) chunkCosts() layout.Table {
	return answer.Table[*document.Fit]{
		Title: layout.Text{EN: "Cost of a chunk: fixed part, rate, and n½", ZH: "单个分块的代价：固定开销、渐近吞吐量与 n½"},
		Caption: layout.Text{EN: "Fitted as t(n) = fixed + n / rate over all chunk sizes; n½ is the chunk at which half of the rate is reached.",
			ZH: "按 t(n) = 固定开销 + n / 吞吐量，对所有分块大小拟合；n½ 为达到渐近吞吐量一半时的分块大小。"},
		Row: s.FitRow,
		Columns: []answer.Columns[*document.Fit]{
			answer.On(func(f *document.Fit) kind { return s.kindOf(s.FitRow(f)) }, named), answer.Fitted},
	}.Of(answer.Select(s.Fits(document.ModelAffine), func(f *document.Fit) bool {
		return compression(s.FitRow(f)) == "" && answer.Primary(s.Name(s.FitRow(f)))
	}))
}

// packedWith names the cipher and library of the streams with compression, of which
// a run has one; nothing where there is no such stream.
func (s *view) packedWith() layout.Text {
	for _, p := range s.packed {
		r := cmp.Or(p.plain, p.zstd)
		return layout.Say(", %s, %s", "，%[2]s 的 %[1]s", answer.CaseName(r.Algorithm, r.Mode), answer.Label(s.Name(r)))
	}
	return layout.Text{}
}

func (s *view) compressions() layout.Table {
	plain := func(p *packing) *document.Row { return p.plain }
	zstd := func(p *packing) *document.Row { return p.zstd }
	return answer.Table[*packing]{
		Title: layout.Say("zstd before encryption%s", "加密前用 zstd 压缩%s", s.packedWith()),
		Caption: layout.Text{EN: "Level 3, one frame a chunk, one goroutine, in memory. Rates are of the data before compression.",
			ZH: "3 级，每分块一帧，单 goroutine，在内存中。吞吐量按压缩前的数据计。"},
		Row: zstd,
		Columns: []answer.Columns[*packing]{
			answer.Told("Data", "数据", func(p *packing) layout.Text { return kinds[p.data] }),
			answer.On(func(p *packing) int64 { return p.chunk }, chunkColumn),
			answer.On(plain, answer.Figure("sealed only", "仅加密", answer.Cell), chunkTimes),
			answer.On(zstd, answer.Figure("zstd, then sealed", "先压缩再加密", answer.Cell), chunkTimes),
			answer.Figure("speed ratio", "速度比", func(p *packing) layout.Cell {
				if x := s.Compare(p.plain, p.zstd); x != nil {
					return answer.TextCell(answer.Figures(x))
				}
				return answer.TextCell("–")
			}),
			answer.On(zstd, answer.MetricShown("written", "写出", "written_per_byte", shareText))},
	}.Of(s.packed)
}

// ratioLabel says what stands against what: "chunks of 1 MiB / chunks of 4 KiB, AES-256-GCM go, memory".
func (s *view) ratioLabel(base, other *document.Row) layout.Text {
	parts := func(r *document.Row) []layout.Text {
		packed, end := layout.Text{}, ends[endOf(r)]
		if compression(r) != "" {
			packed, end = kinds[packOf(r).data], layout.Text{EN: "uncompressed", ZH: "不压缩"}
			if compression(r) != parameter.Uncompressed {
				end = layout.Same("zstd")
			}
		}
		return []layout.Text{end, layout.Say("chunks of %s", "分块 %s", answer.SizeText(document.ChunkOf(r))),
			layout.Same(answer.CaseName(r.Algorithm, r.Mode) + " " + s.Name(r)), packed}
	}
	return layout.Contrast(parts(other), parts(base))
}

func (s *view) charts() (all []layout.Chart) {
	all = s.RatioChart(s.ratioLabel)
	if len(s.chunks) < 2 {
		return all
	}
	for _, end := range parameter.IO.Words {
		lines := document.Mapped(s.at(end), func(c *curve) answer.Line {
			return answer.Line{Name: layout.Same(c.name()), New: answer.IsNew(c.subject), Rows: c.rows}
		})
		title := layout.Say("Throughput over chunk size, %s", "吞吐量与分块大小，%s", ends[end])
		chart := layout.Chart{Title: title, Caption: endsCaption, X: answer.ChunkAxis}
		all = append(all, s.Lines(chart, lines, answer.Over(document.ChunkOf))...)
	}
	for _, chart := range all {
		for i, series := range chart.Series {
			for _, p := range series.Points {
				chart.Series[i].Model = s.Model(p.RowID)
			}
		}
	}
	return all
}

func (s *view) stageTable() layout.Table {
	columns := []answer.RowColumns{answer.On(s.kindOf, named), answer.On(document.ChunkOf, chunkColumn),
		answer.Told("Data", "数据", packedData)}
	for _, of := range stages {
		columns = append(columns, answer.MetricFigure(of.name.EN, of.name.ZH, of.metric, layout.FormatTime))
	}
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "Stages of a chunk: mean wall time", ZH: "单个分块各阶段的平均实际耗时"},
		Caption: layout.Text{EN: "Timed for one chunk in every MiB. The stage that takes the most bounds the pipeline.",
			ZH: "每 1 MiB 计时一个分块。耗时最多的阶段即流水线的瓶颈。"},
		Columns: append(columns, answer.Words("bound by", "瓶颈", func(r *document.Row) layout.Cell {
			if does, _, ok := bound(r); ok {
				return layout.Cell{Text: does}
			}
			return answer.Dash()
		})),
	}.Of(s.Select(func(r *document.Row) bool {
		_, timed := answer.Metric(r, "stage_seal_ns")
		return timed && answer.Primary(s.Name(r))
	}))
}

// packedData names a row's data where compression is asked about, and that it is compressed.
func packedData(r *document.Row) layout.Text {
	switch compression(r) {
	case "":
		return layout.Same("–")
	case parameter.Uncompressed:
		return kinds[packOf(r).data]
	}
	return layout.Say("%s, zstd", "%s，zstd", kinds[packOf(r).data])
}
