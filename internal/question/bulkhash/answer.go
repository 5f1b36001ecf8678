package bulkhash

import (
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "bulkhash", Narrowing: []string{"--algorithms", "--sizes", "--libraries"}, Layout: layOut, Use: wayText,
	Asks: layout.Text{EN: "How should many messages be hashed, which of the usual advice helps, and what should replace MD5?",
		ZH: "大量消息应怎样计算杂凑？常见的建议哪些有效？应以什么取代 MD5？"}}

// layOut lays out which of the usual advice on hashing many messages holds, what to
// do instead, what could replace MD5, and what hashing a file depends on.
func layOut(v *answer.View) layout.Layout {
	b := newBulkView(v)
	return layout.Layout{
		Experiment: "bulkhash",
		Title:      layout.Text{EN: "Hashing many messages", ZH: "大量消息的杂凑"},
		Answers:    b.answers(),
		Headline:   b.headlineTables(),
		Tables:     b.tables(),
		Charts:     b.charts(),
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

func wayOfMany(r *document.Row) way {
	return way{r.Library, r.Algorithm, parameter.Way.In(r.Parameters), parameter.Workers.In(r.Parameters),
		parameter.Batch.In(r.Parameters), r.Environment}
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

// split has the messages shared out among all CPUs.
func (b *bulkView) split() way { return md5By(parameter.Split).among(b.cpus) }

// most is the greatest number of goroutines that shared the messages out.
func (b *bulkView) most() (n int) {
	for _, r := range b.many {
		if r.Parameter("way") == "split" && r.Library == "go" && r.Environment == "" {
			n = max(n, int(whole(r, "workers")))
		}
	}
	return n
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

// texts are the ways that have no numbers.
var texts = map[parameter.Manner]layout.Text{
	parameter.New:        {EN: "plain loop, md5.New", ZH: "普通循环，md5.New"},
	parameter.Sum:        {EN: "plain loop, Sum", ZH: "普通循环，Sum"},
	parameter.Pool:       {EN: "sync.Pool, Sum(nil)", ZH: "sync.Pool，Sum(nil)"},
	parameter.PoolBuffer: {EN: "sync.Pool, Sum into a buffer", ZH: "sync.Pool，Sum 写入缓冲区"},
	parameter.StringCopy: {EN: "strings, []byte(s)", ZH: "字符串，[]byte(s)"},
	parameter.StringView: {EN: "strings, in place", ZH: "字符串，零拷贝"},
	parameter.Spawn:      {EN: "one goroutine per message", ZH: "每条消息一个 goroutine"},
	parameter.Lanes:      {EN: "SIMD lanes, one core", ZH: "多通道并行，单核"},
}

func (w way) text() layout.Text {
	n := answer.Number(w.workers)
	switch {
	case w.by == parameter.Channel && w.batch == 1:
		return layout.Say("pool of %s, one message per send", "%s 个工作 goroutine，逐条传递", n)
	case w.by == parameter.Channel:
		return layout.Say("pool of %s, batches of %s", "%s 个工作 goroutine，每批 %s 条", n, answer.Number(w.batch))
	case w.by == parameter.Split && w.workers == 1:
		return layout.Text{EN: "1 goroutine, all of them", ZH: "1 个 goroutine 处理全部"}
	case w.by == parameter.Split:
		return layout.Say("%s goroutines, one range each", "%s 个 goroutine 各分一段", n)
	case w.by == parameter.Counter && w.library == "md5-simd":
		return layout.Say("SIMD lanes, %s streams", "多通道并行，%s 个流", n)
	case w.by == parameter.Counter && w.library == ourEngine:
		return layout.Say("Coalescer, %s callers", "Coalescer，%s 个调用者", n)
	case w.by == parameter.Counter:
		return layout.Say("pool of %s, a counter", "%s 个工作 goroutine，计数器分发", n)
	}
	return texts[w.by]
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
