package bulkhash

import (
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "bulkhash", Narrowing: []string{"--algorithms", "--sizes", "--libraries"}, Layout: layOut, Use: wayText}

// layOut lays out which of the usual advice on hashing many messages holds, what to
// do instead, what could replace MD5, and what hashing a file depends on.
func layOut(v *answer.View) layout.Layout {
	b := newBulkView(v)
	return layout.Layout{
		Experiment: "bulkhash",
		Title:      layout.Text{EN: "Hashing many messages", ZH: "大量消息的杂凑"},
		Question: layout.Text{EN: "How should many messages be hashed, which of the usual advice helps, and what should replace MD5?",
			ZH: "大量消息应怎样计算杂凑？常见的建议哪些有效？应以什么取代 MD5？"},
		Answers:  b.answers(),
		Headline: b.headlineTables(),
		Tables:   b.tables(),
		Charts:   b.charts(),
		Next: []layout.Next{
			{Command: "cryptogauge run bulkhash --messages 1000000 --sizes 64", Why: layout.Text{EN: "a million messages of your size", ZH: "自定长度的一百万条消息"}},
			{Command: "cryptogauge run bulkhash", Why: layout.Text{EN: "every way, goroutines, and files", ZH: "全部方式、goroutine 与文件"}},
		},
	}
}

// bulkView is the view with what all parts of this layout need.
type bulkView struct {
	*answer.View
	cpus  int
	sizes []int64 // of messages, in the plan's order
	many  []*document.Row
	files []*document.Row
	burst []*document.Row // goroutines that were started
}

func newBulkView(v *answer.View) *bulkView {
	b := &bulkView{View: v, cpus: v.Doc.CPUs()}
	for _, r := range v.Rows {
		switch r.Operation {
		case algorithm.HashMany:
			b.many = append(b.many, r)
		case algorithm.HashFile:
			b.files = append(b.files, r)
		case algorithm.Start:
			b.burst = append(b.burst, r)
		}
	}
	b.sizes = answer.Values(b.many, messageSize, func(*document.Row) bool { return true })
	return b
}

// hashed is how many messages a call of a row hashes.
func hashed(r *document.Row) int64 { return max(1, whole(r, "messages")) }

// messageSize is how long each of them is.
func messageSize(r *document.Row) int64 { return r.Bytes / hashed(r) }

// whole reads a parameter that is a whole number; 0 where it is none.
func whole(r *document.Row, name string) int64 {
	n, err := strconv.ParseInt(r.Parameter(name), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// way is how many messages are hashed, and by whom.
type way struct {
	library, algorithm, name string
	workers, batch           int64
	environment              string
}

func wayOfMany(r *document.Row) way {
	return way{r.Library, r.Algorithm, r.Parameter("way"), whole(r, "workers"), whole(r, "batch"), r.Environment}
}

// find is the row of a way at a size, nil without one; of several kernels the first.
func (b *bulkView) find(w way, size int64) *document.Row {
	for _, r := range b.many {
		if wayOfMany(r) == w && messageSize(r) == size {
			return r
		}
	}
	return nil
}

// The ways that sentences are about, by MD5 of the standard library.
func (b *bulkView) alone(name string) way {
	return way{library: "go", algorithm: algorithm.MD5, name: name}
}
func (b *bulkView) spawned() way { return b.alone("spawn") }
func (b *bulkView) channel(batch int64) way {
	w := b.alone("channel")
	w.workers, w.batch = int64(b.cpus), batch
	return w
}
func (b *bulkView) split(workers int) way {
	w := b.alone("split")
	w.workers = int64(workers)
	return w
}

// most is the greatest number of goroutines that shared the messages out.
func (b *bulkView) most() (n int) {
	for _, r := range b.many {
		if r.Parameter("way") == "split" && r.Library == "go" && r.Environment == "" {
			n = max(n, int(whole(r, "workers")))
		}
	}
	return n
}

// twice is a goroutine for each of twice as many processors of the Go runtime as
// there are CPUs.
func (b *bulkView) twice() way {
	w := b.split(2 * b.cpus)
	w.environment = "GOMAXPROCS=" + strconv.Itoa(2*b.cpus)
	return w
}

// ofEngine is the way of the engine, in MD5.
func (w way) ofEngine(name string) way {
	w.library, w.name = answer.Engine, name
	return w
}

// headlines are the sizes at which everything was asked: those with comparisons that
// the answer stands on.
func (b *bulkView) headlines() (sizes []int64) {
	for _, size := range b.sizes {
		if slices.ContainsFunc(b.Doc.Comparisons, func(c document.Comparison) bool {
			base := b.ByID[c.Base]
			return c.Headline && base != nil && base.Operation == algorithm.HashMany && messageSize(base) == size
		}) {
			sizes = append(sizes, size)
		}
	}
	return sizes
}

// messagesAt is how many messages of a size a call hashes.
func (b *bulkView) messagesAt(size int64) int64 {
	for _, r := range b.many {
		if messageSize(r) == size {
			return hashed(r)
		}
	}
	return 0
}

// perMessage is the wall time and the CPU time of a message, in ns, where the row has
// them.
func perMessage(r *document.Row) (wall, cpu float64, ok bool) {
	if r == nil || r.Status != result.OK || r.NsPerOp == nil {
		return 0, 0, false
	}
	n := float64(hashed(r))
	wall, cpu = r.NsPerOp.Median/n, r.NsPerOp.Median/n
	if r.WallNsPerOp != nil {
		wall = r.WallNsPerOp.Median / n
	}
	if r.NsPerOp.Clock == string(result.WallClock) {
		cpu = 0
		if r.BusyBytesPerSecondPC != nil && *r.BusyBytesPerSecondPC > 0 {
			cpu = float64(messageSize(r)) / *r.BusyBytesPerSecondPC * 1e9
		}
	}
	return wall, cpu, true
}

// wayText names a way in a table or a sentence.
func wayText(r *document.Row) layout.Text {
	return wayOfMany(r).text()
}

func (w way) text() layout.Text {
	n := strconv.FormatInt(w.workers, 10)
	switch w.name {
	case "new":
		return layout.Text{EN: "plain loop, md5.New", ZH: "普通循环，md5.New"}
	case "sum":
		return layout.Text{EN: "plain loop, Sum", ZH: "普通循环，Sum"}
	case "pool":
		return layout.Text{EN: "sync.Pool, Sum(nil)", ZH: "sync.Pool，Sum(nil)"}
	case "pool-buffer":
		return layout.Text{EN: "sync.Pool, Sum into a buffer", ZH: "sync.Pool，Sum 写入缓冲区"}
	case "string-copy":
		return layout.Text{EN: "strings, []byte(s)", ZH: "字符串，[]byte(s)"}
	case "string-view":
		return layout.Text{EN: "strings, in place", ZH: "字符串，零拷贝"}
	case "spawn":
		return layout.Text{EN: "one goroutine per message", ZH: "每条消息一个 goroutine"}
	case "channel":
		if w.batch == 1 {
			return layout.Say("pool of %s, one message per send", "%s 个工作 goroutine，逐条传递", n)
		}
		return layout.Say("pool of %s, batches of %s", "%s 个工作 goroutine，每批 %s 条", n, strconv.FormatInt(w.batch, 10))
	case "split":
		if w.workers == 1 {
			return layout.Text{EN: "1 goroutine, all of them", ZH: "1 个 goroutine 处理全部"}
		}
		return layout.Say("%s goroutines, one range each", "%s 个 goroutine 各分一段", n)
	case "lanes":
		return layout.Text{EN: "SIMD lanes, one core", ZH: "多通道并行，单核"}
	case "counter":
		switch w.library {
		case "md5-simd":
			return layout.Say("SIMD lanes, %s streams", "多通道并行，%s 个流", n)
		case answer.Engine:
			return layout.Say("Coalescer, %s callers", "Coalescer，%s 个调用者", n)
		}
		return layout.Say("pool of %s, a counter", "%s 个工作 goroutine，计数器分发", n)
	}
	return layout.Same(w.name)
}

// fileRow is the row of a file that was hashed by a buffer and a chunk.
func (b *bulkView) fileRow(buffer string, chunk int64) *document.Row {
	for _, r := range b.files {
		if r.Parameter("buffer") == buffer && (document.ChunkOf(r) == chunk || chunk == 0) {
			return r
		}
	}
	return nil
}

// usualFileChunk is the chunk at which buffers are told apart: the one of mmap.
func (b *bulkView) usualFileChunk() int64 {
	if r := b.fileRow("mmap", 0); r != nil {
		return document.ChunkOf(r)
	}
	return 0
}

// bufferName names where the buffer of a file comes from.
func bufferName(buffer string) layout.Text {
	switch buffer {
	case "stack":
		return layout.Text{EN: "on the stack", ZH: "在栈上"}
	case "call":
		return layout.Text{EN: "made for each file", ZH: "每个文件新分配"}
	case "pool":
		return layout.Text{EN: "from a sync.Pool", ZH: "取自 sync.Pool"}
	case "mmap":
		return layout.Text{EN: "none: file mapped", ZH: "不用缓冲区：内存映射"}
	}
	return layout.Same(buffer)
}
