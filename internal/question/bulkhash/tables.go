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
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

var waysCaption = layout.Text{
	EN: "Times are per message. Speed ratio, with its interval: compared with the plain loop over Sum (sync.Pool with md5.New, in place with []byte(s)). " +
		"A lane is a slot of a vector register: each hashes a message of its own, all at once. Use MD5 only to detect accidental changes, never against attackers.",
	ZH: "时间按每条消息计。速度比：相对于 Sum 的普通循环（sync.Pool 相对于 md5.New，零拷贝相对于 []byte(s)），附置信区间。每个通道占向量寄存器的一格，各算一条消息，同时进行。MD5 只能检测意外差错，不能防范攻击者。"}

var (
	hash    = answer.Titled("Hash", "算法", func(r *document.Row) string { return r.Algorithm })
	library = answer.By(func(r *document.Row) string { return r.Library })
	manner  = answer.Told("Way", "方式", func(r *document.Row) layout.Text {
		return layout.Listed([]layout.Text{wayText(r), layout.Same(r.Environment)})
	})
	times = append(answer.Figure("wall", "实际耗时", wall), answer.Figure("CPU", "CPU 时间", cpu)...)
)

func wall(r *document.Row) layout.Cell {
	if r.Status != result.OK || r.NsPerOp == nil {
		return answer.Cell(r)
	}
	ns := cmp.Or(r.WallNsPerOp, r.NsPerOp).Median
	each := layout.FormatTime(ns / float64(answer.MessagesOf(r)))
	return layout.Cell{Text: layout.Same(each), Footnotes: answer.Doubts(r)}
}

// cpu is the CPU time of a message; of what goes by the wall's clock it is known by the
// rate of a busy CPU.
func cpu(r *document.Row) layout.Cell {
	switch {
	case r.Status != result.OK || r.NsPerOp == nil:
	case r.NsPerOp.Clock != string(result.WallClock):
		return answer.TextCell(layout.FormatTime(r.NsPerOp.Median / float64(answer.MessagesOf(r))))
	case r.BusyBytesPerSecondPC != nil && *r.BusyBytesPerSecondPC > 0:
		return answer.TextCell(layout.FormatTime(float64(answer.MessageSize(r)) / *r.BusyBytesPerSecondPC * 1e9))
	}
	return answer.Dash()
}

// against is the comparison of a row with what it is to be compared with in a table:
// the plain loop, which has none, or else what stands in its place.
func (b *view) against(r *document.Row) *document.Comparison {
	return answer.First(b.Comparisons, func(c *document.Comparison) bool {
		return b.Compare(b.ByID[c.Base], r) == c && wayOf(r) != md5By(parameter.Sum)
	})
}

func (b *view) ratio() answer.RowColumns {
	return answer.Shown("speed ratio", "速度比", func(r *document.Row) (*document.Comparison, bool) {
		c := b.against(r)
		return c, c != nil && r.Status == result.OK
	}, answer.Figures)
}

func (b *view) headline() layout.Table {
	if len(b.sizes) == 0 {
		return layout.Table{}
	}
	bases := map[string]bool{} // what a ratio is of stands in the same table
	for _, r := range b.at(b.sizes[0]) {
		if c := b.against(r); c != nil && c.Headline && r.Environment == "" {
			bases[c.Base] = true
		}
	}
	return answer.Table[*document.Row]{
		Title: b.sized("Ways to hash %s messages of %s", "%s 条 %s 消息的杂凑方式",
			b.sizes[0]), Caption: waysCaption,
		Columns: []answer.RowColumns{hash, manner, library, times, b.ratio()},
	}.Of(answer.Select(b.at(b.sizes[0]), func(r *document.Row) bool {
		c := b.against(r)
		return r.Environment == "" && (c != nil && c.Headline || bases[r.ID] || r.Algorithm == algorithm.MD5 && wayOf(r).by == parameter.Sum)
	}))
}

// sized says of a size how many messages there are, and of how many bytes.
func (b *view) sized(en, zh string, size int64) layout.Text {
	return layout.Say(en, zh, strconv.FormatInt(answer.MessagesOf(b.at(size)[0]), 10), answer.SizeText(size))
}

func (b *view) at(size int64) []*document.Row {
	return answer.Select(b.many, func(r *document.Row) bool { return answer.MessageSize(r) == size })
}

func (b *view) waysAt(size int64) layout.Table {
	return answer.Table[*document.Row]{
		Title: b.sized("MD5 of %s messages of %s, by way", "%s 条 %s 消息的 MD5，各种方式", size),
		Caption: layout.Say("%s %s", "%s%s", waysCaption, layout.Text{EN: "More goroutines, and GOMAXPROCS, are compared with one range per CPU. " +
			"The Coalescer, and one goroutine per message under GOMAXPROCS, are compared with the same way in the standard library. Memory: growth of the process by the first call.",
			ZH: "更多 goroutine、更大的 GOMAXPROCS：与每 CPU 一段相比。Coalescer，以及设了 GOMAXPROCS 的每条消息一个 goroutine：与标准库的同一方式相比。内存：首次调用使进程增长的字节数。"}),
		Columns: []answer.RowColumns{manner, library, times, b.ratio(),
			answer.Figure("allocs", "分配次数", func(r *document.Row) layout.Cell { return eachOf(r, r.AllocsPerOp) }),
			answer.Figure("bytes", "分配字节", func(r *document.Row) layout.Cell { return eachOf(r, r.AllocBytesPerOp) }),
			answer.MetricShown("memory", "内存", "memory_peak_bytes", answer.MemoryText)},
	}.Of(answer.Select(b.at(size), func(r *document.Row) bool { return r.Algorithm == algorithm.MD5 }))
}

func eachOf(r *document.Row, total *float64) layout.Cell {
	if total == nil || r.Status != result.OK {
		return answer.Dash()
	}
	each := *total / float64(answer.MessagesOf(r))
	if each < 0.005 { // a goroutine or two of a call
		each = 0
	}
	// But for what a call allocates by itself.
	if whole := math.Round(each); whole > 0 && answer.Abs(each-whole) < 0.05*whole {
		return answer.TextCell(layout.FormatCount(whole))
	}
	return answer.TextCell(layout.FormatNumber(each))
}

// otherWays are other hash functions beside MD5, one at a time and in lanes: MD5 first, the
// engine last.
func (b *view) otherWays() []way {
	ways := answer.Values(b.many, wayOf, func(r *document.Row) bool {
		w := wayOf(r)
		return (w.by == parameter.Sum || w.by == parameter.Lanes) && w.environment == ""
	})
	order := func(w way) int {
		established := w.library != subject.Engine
		return slices.Index([]bool{established && w.algorithm == algorithm.MD5, established, true}, true)
	}
	slices.SortStableFunc(ways, func(x, y way) int { return cmp.Compare(order(x), order(y)) })
	return ways
}

func (b *view) first(w way) *document.Row { return answer.FirstWith(b.many, wayOf, w) }

func (b *view) otherHashes() layout.Table {
	return answer.Table[way]{
		Title: layout.Text{EN: "Replacements for MD5", ZH: "替代 MD5 的算法"},
		Caption: layout.Text{EN: "Throughput on one core by message size; SIMD lanes hash many messages at once.",
			ZH: "单核吞吐量，按消息长度；多通道并行指同时处理许多条消息。"},
		Row: b.first,
		Columns: []answer.Columns[way]{answer.On(b.first, answer.Words("Hash", "算法", func(r *document.Row) layout.Cell {
			security, _ := answer.SplitNotes(r.Notes, r.Security)
			return layout.Cell{Text: layout.Same(r.Algorithm), Footnotes: security}
		}), manner, library, answer.Kernel),
			answer.EachSize(b.sizes, func(w way, size int64) layout.Cell { return rateOf(b.find(w, size)) })},
	}.Of(b.otherWays())
}

func (b *view) otherTimes() layout.Table {
	return answer.Table[way]{
		Title: layout.Text{EN: "Replacements for MD5: time per message", ZH: "替代 MD5 的算法：每条消息耗时"}, Row: b.first,
		Columns: []answer.Columns[way]{answer.On(b.first, hash, manner, library),
			answer.EachSize(b.sizes, func(w way, size int64) layout.Cell { return timeOf(b.find(w, size)) })},
	}.Of(b.otherWays())
}

// timeOf is the time of one of a row's messages where its rate stands beside it.
func timeOf(r *document.Row) layout.Cell {
	if !answer.IsTimed(r) {
		return answer.Dash()
	}
	c := wall(r)
	c.Footnotes = nil
	return c
}

// rateOf is a row's rate without the notes on security, which stand beside its name.
func rateOf(r *document.Row) layout.Cell {
	c := answer.Cell(r)
	if r != nil && r.Status == result.OK {
		c.Footnotes = answer.Doubts(r)
	}
	return c
}

func (b *view) crowds() layout.Table {
	count := func(r *document.Row) layout.Cell {
		return layout.Cell{Text: layout.Same(r.Parameter("count")), Footnotes: answer.Why(r)}
	}
	started := func(r *document.Row) layout.Cell {
		if r.Status != result.OK {
			return layout.Cell{Text: r.StatusText(), Faint: true}
		}
		return answer.MetricCell(r, "start_ns", layout.FormatTime)
	}
	inAll := func(r *document.Row) (bytes float64, ok bool) {
		m, ok := answer.Metric(r, "memory_each_bytes")
		return m.Value * float64(parameter.Count.In(r.Parameters)), ok
	}
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "Many goroutines at once", ZH: "同时存在大量 goroutine"},
		Caption: layout.Text{EN: "Each row runs in its own process. First run: from the go statement to the goroutine's first instruction, over all blocks. " +
			"Ready: wall time per goroutine until the last has started.",
			ZH: "每种数量各用一个新进程。首次运行：从 go 语句到该 goroutine 的第一条指令，汇总所有数据组。就绪：到最后一个开始运行为止的实际耗时，按每个计。"},
		Columns: []answer.RowColumns{answer.Figure("goroutines", "goroutine 数", count),
			answer.Figure("go statement", "go 语句", started), answer.Shown("ready", "就绪", answer.Nanoseconds, layout.FormatTime),
			answer.MetricFigure("ended", "结束", "end_ns", layout.FormatTime),
			answer.MetricFigure("memory each", "每个内存", "memory_each_bytes", answer.MemoryText),
			answer.MetricFigure("of which stack", "其中栈", "stack_each_bytes", answer.MemoryText),
			answer.Shown("memory in all", "总内存", inAll, answer.MemoryText),
			answer.MetricFigure("first run p50", "首次运行 p50", "latency_p50_ns", layout.FormatTime),
			answer.MetricFigure("p99", "p99", "latency_p99_ns", layout.FormatTime)},
	}.Of(b.started)
}

var bufferOrder = []parameter.Reading{parameter.FromPool, parameter.OnStack, parameter.PerFile, parameter.CopyLoop,
	parameter.MemoryMap}

func (b *view) byChunk() layout.Table {
	return b.ofFiles(layout.Text{EN: "MD5 of a file, by chunk and buffer", ZH: "文件的 MD5：按分块与缓冲区"},
		layout.Text{EN: "Wall time; the file lies in the page cache. In parentheses: bytes that a file's hash allocates. io.Copy makes a buffer of its own, of 32 KiB.",
			ZH: "按实际耗时计；文件在页缓存中。括号内为计算一个文件时分配的字节数。io.Copy 自行分配 32 KiB 的缓冲区。"},
		func(r *document.Row) layout.Cell {
			c := rateOf(r)
			if r != nil && r.Status == result.OK && r.AllocBytesPerOp != nil {
				c.Text = layout.Same(c.Text.EN + " (" + answer.CallBytes(*r.AllocBytesPerOp) + ")")
			}
			return c
		})
}

func (b *view) fileTimes() layout.Table {
	return b.ofFiles(layout.Text{EN: "MD5 of a file, by chunk and buffer: time per file", ZH: "文件的 MD5：按分块与缓冲区，每个文件耗时"},
		layout.Text{}, timeOf)
}

func (b *view) ofFiles(title, caption layout.Text, show func(*document.Row) layout.Cell) layout.Table {
	chunks := slices.Sorted(slices.Values(answer.Values(b.files, document.ChunkOf, nil)))
	return answer.Table[int64]{Title: title, Caption: caption,
		Columns: []answer.Columns[int64]{answer.Titled("Chunk", "分块", answer.SizeText),
			answer.Each(bufferOrder, func(buffer parameter.Reading) layout.Text { return buffers[buffer] },
				func(chunk int64, buffer parameter.Reading) layout.Cell { return show(b.fileRow(buffer, chunk)) })},
	}.Of(chunks)
}

func (b *view) charts() []layout.Chart {
	batch := func(r *document.Row) int { return wayOf(r).batch }
	workers := func(r *document.Row) int { return wayOf(r).workers }
	return slices.Concat(b.RatioChart(contrast),
		b.over(parameter.Channel, batch, layout.Text{EN: "Worker pool: throughput by batch size", ZH: "工作池：吞吐量与每批条数"},
			layout.Text{EN: "messages per batch", ZH: "每批条数"}),
		b.over(parameter.Split, workers, layout.Text{EN: "One range per goroutine: throughput by number of goroutines",
			ZH: "各分一段：吞吐量与 goroutine 数"},
			answer.GoroutinesColumn),
		b.overChunks())
}

func contrast(base, other *document.Row) layout.Text {
	length := layout.Same(answer.SizeText(answer.MessageSize(other)))
	if other.Operation == algorithm.HashFile {
		length = layout.Text{EN: "file", ZH: "文件"}
	}
	return layout.Say("%s / %s, %s", "%s / %s，%s", short(other, base), short(base, other), length)
}

func short(r, other *document.Row) layout.Text {
	name := wayText(r)
	switch {
	case r.Operation == algorithm.HashFile && bufferOf(r) == bufferOf(other):
		return layout.Same(answer.SizeText(document.ChunkOf(r)))
	case r.Operation == algorithm.HashFile:
		return buffers[bufferOf(r)]
	case r.Algorithm != other.Algorithm:
		return layout.Same(r.Algorithm)
	case r.Environment != "":
		name = layout.Same(r.Environment)
	}
	if r.Library != other.Library {
		return layout.Say("%s %s", "%s %s", r.Library, name)
	}
	return name
}

// over draws a line a size of the standard library's rows of a way, over its numbers.
func (b *view) over(by parameter.Manner, at func(*document.Row) int, title, axis layout.Text) []layout.Chart {
	lines := document.Mapped(b.sizes, func(size int64) answer.Line {
		rows := answer.Select(b.at(size), func(r *document.Row) bool {
			w := wayOf(r)
			return w == md5By(by).among(w.workers).inBatches(w.batch)
		})
		return answer.Line{Name: layout.Same(answer.SizeText(size)), Rows: rated(rows, at)}
	})
	chart := layout.Chart{Title: title, X: layout.Axis{Title: axis, Unit: "1"}}
	return b.Lines(chart, answer.LinesOf(3, lines), answer.Over(at))
}

func (b *view) overChunks() []layout.Chart {
	lines := document.Mapped(bufferOrder[:3], func(buffer parameter.Reading) answer.Line {
		rows := answer.Select(b.files, func(r *document.Row) bool { return bufferOf(r) == buffer })
		return answer.Line{Name: buffers[buffer], Rows: rated(rows, document.ChunkOf)}
	})
	return b.Lines(layout.Chart{X: answer.ChunkAxis,
		Title: layout.Text{EN: "MD5 of a file: throughput over chunk size", ZH: "文件的 MD5：吞吐量与分块大小"}},
		answer.LinesOf(2, lines), answer.Over(document.ChunkOf))
}

// rated are those of some rows that have a rate, by what they are drawn over.
func rated[N int | int64](rows []*document.Row, at func(*document.Row) N) []*document.Row {
	rows = answer.Select(rows, func(r *document.Row) bool { _, ok := answer.Speed(r); return ok })
	slices.SortFunc(rows, func(x, y *document.Row) int { return cmp.Compare(at(x), at(y)) })
	return rows
}
