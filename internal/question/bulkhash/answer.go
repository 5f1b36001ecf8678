package bulkhash

import (
	"cmp"
	"fmt"
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

var Question = answer.Question{Name: "bulkhash", Narrowing: []string{"--algorithms", "--sizes", "--libraries"},
	Layout: layOut, Use: wayText,
	Asks: layout.Text{EN: "How should many messages be hashed, which of the usual advice helps, and what should replace MD5?",
		ZH: "大量消息应怎样计算杂凑？常见的建议哪些有效？应以什么取代 MD5？"}}

// layOut lays out which of the usual advice on hashing many messages holds, what to
// do instead, what could replace MD5, and what hashing a file depends on.
func layOut(v *answer.View) layout.Layout {
	b := newView(v)
	return layout.Layout{
		Title:    layout.Text{EN: "Hashing many messages", ZH: "大量消息的杂凑（哈希）"},
		Line:     b.line(),
		Answers:  b.answers(),
		Headline: answer.NonEmpty(b.headline()),
		Tables: answer.NonEmpty(append(document.Mapped(b.sizes, b.waysAt),
			b.otherHashes(), b.otherTimes(), b.crowds(), b.byChunk(), b.fileTimes())...),
		Charts: b.charts(),
		Next: []layout.Next{
			answer.Run("bulkhash --messages 1000000 --sizes 64", "a million messages of your size", "一百万条自定义长度的消息"),
			answer.Run("bulkhash", "every way, goroutines, and files", "全部方式、goroutine 与文件")},
	}
}

type view struct {
	*answer.View
	cpus  int
	sizes []int64 // of messages, in the plan's order
	asked []int64 // those at which everything was asked: they have comparisons that the answer stands on

	many, files, started []*document.Row // messages, files, goroutines
}

func newView(v *answer.View) *view {
	of := func(operation string) []*document.Row {
		return answer.Select(v.Rows, func(r *document.Row) bool { return r.Operation == operation })
	}
	b := &view{View: v, cpus: v.Doc.CPUs(), many: of(algorithm.HashMany), files: of(algorithm.HashFile),
		started: of(algorithm.Start)}
	b.sizes = answer.Values(b.many, answer.MessageSize, nil)
	bases := document.Mapped(v.Headlines(), func(c *document.Comparison) *document.Row { return v.ByID[c.Base] })
	b.asked = answer.Values(bases, answer.MessageSize, func(r *document.Row) bool { return r.Operation == algorithm.HashMany })
	return b
}

func wayOf(r *document.Row) way {
	return way{r.Library, r.Algorithm, parameter.Way.In(r.Parameters), parameter.Workers.In(r.Parameters),
		parameter.Batch.In(r.Parameters), r.Environment}
}

func wayText(r *document.Row) layout.Text { return wayOf(r).text() }

func (b *view) find(w way, size int64) *document.Row { return answer.FirstWith(b.at(size), wayOf, w) }

func (b *view) compare(base, other way, size int64) *document.Comparison {
	return b.Compare(b.find(base, size), b.find(other, size))
}

func (b *view) split() way { return md5By(parameter.Split).among(b.cpus) }

func (b *view) most() (n int) {
	for _, r := range b.many {
		if w := wayOf(r); w == md5By(parameter.Split).among(w.workers) {
			n = max(n, w.workers)
		}
	}
	return n
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
	case w.by == parameter.Counter && w.library == subject.Engine:
		return layout.Say("Coalescer, %s callers", "Coalescer，%s 个调用者", n)
	case w.by == parameter.Counter:
		return layout.Say("pool of %s, a counter", "%s 个工作 goroutine，计数器分发", n)
	}
	return texts[w.by]
}

func (b *view) fileRow(buffer parameter.Reading, chunk int64) *document.Row {
	return answer.First(b.files, func(r *document.Row) bool {
		return bufferOf(r) == buffer && (chunk == 0 || document.ChunkOf(r) == chunk)
	})
}

func bufferOf(r *document.Row) parameter.Reading { return parameter.Buffer.In(r.Parameters) }

// usualFileChunk is the chunk at which buffers are compared: the one of mmap.
func (b *view) usualFileChunk() int64 {
	if r := b.fileRow(parameter.MemoryMap, 0); r != nil {
		return document.ChunkOf(r)
	}
	return 0
}

var buffers = map[parameter.Reading]layout.Text{
	parameter.FromPool:  {EN: "from a sync.Pool", ZH: "取自 sync.Pool"},
	parameter.OnStack:   {EN: "on the stack", ZH: "在栈上"},
	parameter.PerFile:   {EN: "made for each file", ZH: "每个文件新分配"},
	parameter.CopyLoop:  layout.Same("io.Copy"),
	parameter.MemoryMap: {EN: "none: file mapped", ZH: "不用缓冲区：内存映射"},
}

func (b *view) answers() []layout.Answer {
	said := []*layout.Answer{answer.Short(b.lanes()), answer.Short(b.Caution(b.replacement(), algorithm.BrokenMD5, algorithm.BrokenSHA1))}
	said = append(said, answer.FirstShort(1, document.Mapped(b.asked, b.advice))...)
	return answer.Said(append(said, b.instead(),
		b.inLanes(), b.gathered(), b.goroutines(), b.fileChunks(), b.fileBuffers(), b.oneLong())...)
}

// What an advice may come to, in the order in which it is told.
var (
	holds         = layout.Text{EN: "faster", ZH: "有效"}
	nothingGained = layout.Text{EN: "no gain worth having", ZH: "收益可忽略"}
	loses         = layout.Text{EN: "slower", ZH: "反而变慢"}
	unclear       = layout.Text{EN: "inconclusive", ZH: "无法判定"}
	keptFromCPUs  = layout.Text{EN: "inconclusive, because the goroutines did not get all CPUs",
		ZH: "因 goroutine 未得到全部 CPU 而无法判定"}
	tooBusy      = layout.Text{EN: "machine too busy to judge", ZH: "机器过忙，不作判定"}
	tooFewBlocks = layout.Text{EN: "too few blocks for a verdict", ZH: "数据组太少，不足以判定"}

	outcomes = []layout.Text{holds, nothingGained, loses, unclear, keptFromCPUs, tooBusy, tooFewBlocks}
)

// worth is the factor from which on a way gains something for certain.
const worth = 1.05

type advised struct {
	what        layout.Text
	base, other way
}

func (b *view) usualAdvice() []advised {
	sum, fresh, pool := md5By(parameter.Sum), md5By(parameter.New), md5By(parameter.Channel).among(b.cpus)
	cpus := answer.Number(b.cpus)
	return []advised{
		{layout.Text{EN: "sync.Pool for md5.New", ZH: "用 sync.Pool 代替 md5.New"}, fresh, md5By(parameter.Pool)},
		{layout.Text{EN: "sync.Pool and a buffer for Sum", ZH: "sync.Pool 且为 Sum 提供缓冲区"}, fresh, md5By(parameter.PoolBuffer)},
		{layout.Text{EN: "strings without a copy", ZH: "字符串零拷贝"}, md5By(parameter.StringCopy), md5By(parameter.StringView)},
		{layout.Text{EN: "one goroutine per message", ZH: "每条消息一个 goroutine"}, sum, md5By(parameter.Spawn)},
		{layout.Text{EN: "one message per channel send", ZH: "经 channel 逐条分发"}, sum, pool.inBatches(1)},
		{layout.Say("batches of 256 to %s workers", "每批 256 条分给 %s 个工作 goroutine", cpus), sum, pool.inBatches(usualBatch)},
		{layout.Say("one range for each of %s goroutines", "%s 个 goroutine 各分一段", cpus), sum, b.split()},
		{layout.Say("%s goroutines instead of %s", "以 %s 个 goroutine 代替 %s 个", answer.Number(b.most()), cpus), b.split(),
			b.split().among(b.most())},
		{layout.Same(parameter.GOMAXPROCS.Is(2 * b.cpus)), b.split(), b.split().among(2 * b.cpus).under(2 * b.cpus)},
	}
}

// outcome says what an advice came to. Goroutines that did not have all CPUs gained
// less than they could have: as is seen by those that do nothing but hash, at the same
// size, since others may wait for each other.
func (b *view) outcome(c *document.Comparison) layout.Text {
	other, lost := b.ByID[c.Other], 1.0
	split := b.find(b.split(), answer.MessageSize(other))
	if n, short := answer.KeptFromCPUs(split, b.cpus); short && other.NsPerOp != nil &&
		other.NsPerOp.Clock == string(result.WallClock) {
		lost = float64(b.cpus) / n
	}
	switch {
	case c.TooBusy():
		return tooBusy
	case c.TooFewBlocks():
		return tooFewBlocks
	case *c.Low > worth:
		return holds
	case c.Verdict == "slower" && *c.High*lost < 1:
		return loses
	case *c.High < answer.WorthHaving && lost == 1:
		return nothingGained
	case lost > 1:
		return keptFromCPUs
	}
	return unclear
}

func (b *view) advice(size int64) *layout.Answer {
	parts := map[layout.Text][]layout.Text{}
	var said answer.Clauses
	for _, x := range b.usualAdvice() {
		if c := b.compare(x.base, x.other, size); c != nil {
			o := b.outcome(c)
			parts[o] = append(parts[o], adviceText(x.what, c, o))
			said.Evidence = append(said.Evidence, c.ID)
		}
	}
	var short []layout.Text // what can be acted on
	for _, o := range outcomes {
		if len(parts[o]) > 0 {
			said.Add(layout.Say("%s: %s", "%s：%s", o, answer.Join(parts[o])))
			if o == holds || o == loses {
				short = append(short, said.Parts[len(said.Parts)-1])
			}
		}
	}
	mark := layout.Plain
	switch {
	case len(parts[loses])+len(parts[nothingGained]) > 0:
		mark = layout.Beware
	case len(parts[holds]) == 0:
		mark = layout.Unclear
	}
	head := b.sized("Usual advice for MD5 of many messages (%s of %s)", "计算大量消息（%s 条 %s 消息）的 MD5 时，常见建议的效果", size)
	a := said.Sentence(mark, "%s: %s.", "%s：%s。", head, answer.Semicolons(said.Parts))
	if a != nil && len(short) > 0 {
		a.Brief = layout.Say("%s: %s.", "%s：%s。", head, answer.Semicolons(short))
	}
	return a
}

// adviceText is an advice with its ratio, as briefly as can be: a list has many.
func adviceText(what layout.Text, c *document.Comparison, outcome layout.Text) layout.Text {
	if outcome == loses && c.Ratio < 0.9 {
		return layout.Say("%s (%s times as long, %s)", "%s（耗时为 %s 倍，%s）", what, answer.Factor(1/c.Ratio),
			answer.LimitsSlower(c))
	}
	return layout.Say("%s (%s times as fast, %s)", "%s（速度为 %s 倍，%s）", what, answer.Factor(c.Ratio), answer.Limits(c))
}

func (b *view) instead() *layout.Answer {
	var said answer.Clauses
	mark := layout.Choose
	for _, size := range b.asked {
		c := b.compare(md5By(parameter.Sum), b.split(), size)
		if c == nil || b.cpus < 2 {
			continue
		}
		part := layout.Say("at %s this %s", "%s 时%s", answer.SizeText(size),
			answer.Versus(c, layout.Text{EN: "the loop alone", ZH: "单个循环"}))
		if n, short := answer.KeptFromCPUs(b.find(b.split(), size), b.cpus); short {
			part = layout.Say("%s, while the goroutines had %s of %s CPUs", "%s，期间 goroutine 只得到 %[3]s 个 CPU 中的 %[2]s 个",
				part, fmt.Sprintf("%.2f", n), answer.Number(b.cpus))
		}
		if said.Add(part, c.ID); b.outcome(c) != holds {
			mark = layout.Unclear
		}
	}
	return said.Sentence(mark,
		"Call md5.Sum in a plain loop: it allocates nothing. For more throughput split the messages among %s goroutines, one range each, or send batches: %s.",
		"请用普通循环调用 md5.Sum：不产生任何分配。要更快，则由 %s 个 goroutine 各处理一段，或分批处理：%s。",
		answer.Number(b.cpus), answer.Semicolons(said.Parts))
}

type replacement struct {
	library, algorithm string
	where              layout.Text // empty: everywhere
}

// replacements are made when they are asked for, since the table of algorithms is.
func replacements() []replacement {
	return []replacement{
		{subject.Go, algorithm.SHA256, layout.Text{}},
		{subject.Gmsm, algorithm.SM3, layout.Say("where Chinese standards are required (%s), ", "须符合国家标准（%s）时用 ",
			algorithm.Of(algorithm.SM3).Standard)},
		{subject.BLAKE3, algorithm.BLAKE3, layout.Text{EN: "where no standard is required, ", ZH: "没有合规要求时可用 "}},
	}
}

// replacement chooses what to use in the place of MD5, of what was measured, and says how fast that is in its place; the
// table has the sizes at which less was asked.
func (b *view) replacement() *layout.Answer {
	var said answer.Clauses
	for _, x := range replacements() {
		var at answer.Clauses
		for _, size := range b.asked {
			c := b.compare(md5By(parameter.Sum), way{library: x.library, algorithm: x.algorithm, by: parameter.Sum}, size)
			if c != nil {
				at.Tell(layout.Say("%s at %s", "%[2]s 时%[1]s", briefly(c), answer.SizeText(size)), c)
			}
		}
		if len(at.Parts) > 0 {
			said.Add(layout.Say("%s%s (%s), %s", "%s%s（%s），%s",
				x.where, x.algorithm, answer.Label(x.library), at.Join()), at.Evidence...)
		}
	}
	return said.Sentence(layout.Choose, "In place of MD5 and SHA-1, which only detect accidental changes, use %s. Speeds are compared with MD5, in a plain loop each.",
		"MD5 与 SHA-1 只能检测意外差错，请改用 %s。速度均在普通循环中与 MD5 相比。", answer.Semicolons(said.Parts))
}

// briefly words a comparison for a list whose base is named before it.
func briefly(c *document.Comparison) layout.Text {
	switch c.Verdict {
	case "faster":
		return layout.Say("%s times as fast (%s)", "速度为 %s 倍（%s）", answer.Factor(c.Ratio), answer.Limits(c))
	case "slower":
		return layout.Say("%s times as long (%s)", "耗时为 %s 倍（%s）", answer.Factor(1/c.Ratio), answer.LimitsSlower(c))
	case "same":
		return layout.Text{EN: "as fast", ZH: "一样快"}
	}
	if c.High != nil && *c.High < 1 {
		return layout.Say("about %s times as long (%s, %s)", "耗时约为 %s 倍（%s，%s）", answer.Factor(1/c.Ratio), answer.LimitsSlower(c), answer.Open(c))
	}
	return layout.Say("about %s times as fast (%s, %s)", "速度约为 %s 倍（%s，%s）", answer.Factor(c.Ratio), answer.Limits(c), answer.Open(c))
}

func (b *view) bySize(base, other way) (said answer.Clauses) {
	for _, size := range b.sizes {
		if c := b.compare(base, other, size); c != nil {
			said.Add(layout.Say("at %s %s", "%s 时%s", answer.SizeText(size), briefly(c)), c.ID)
			said.Found = append(said.Found, c)
		}
	}
	return said
}

func (b *view) inLanes() *layout.Answer {
	said := b.bySize(md5By(parameter.Sum), md5By(parameter.Counter).among(simdStreams).of("md5-simd"))
	return said.Sentence(layout.Plain,
		"MD5 of many messages at once in SIMD lanes (by md5-simd, fed by 16 goroutines; it is made for servers "+
			"with many callers, and hands every block over a channel), compared with a plain loop: %s.",
		"用 SIMD 多通道同时计算多条消息的 MD5（md5-simd，由 16 个 goroutine 提供数据；它面向调用者众多的服务器，"+
			"每个数据块都经 channel 传递），与普通循环相比：%s。", said.Join())
}

// byLanes is how messages are hashed in lanes: of files by a command, in Go by a function.
var byLanes = layout.Text{EN: "cryptogauge hash or multibuffer.SumMD5", ZH: "cryptogauge hash 或 multibuffer.SumMD5"}

func (b *view) lanes() *layout.Answer {
	said := b.bySize(md5By(parameter.Sum), md5By(parameter.Lanes).of(subject.Engine))
	return said.Sentence(answer.MarkOf(said.Found...),
		"Hash many messages in SIMD lanes (new): files by cryptogauge hash, messages at hand by multibuffer.SumMD5, "+
			"single messages of many goroutines by multibuffer.Coalescer. "+
			"MD5 on one core, compared with a plain loop over md5.Sum: %s.",
		"大量消息请用 SIMD 多通道计算（新）：文件用 cryptogauge hash，内存中的大量消息用 multibuffer.SumMD5，"+
			"许多 goroutine 各自的单条消息用 multibuffer.Coalescer。单核计算 MD5，与 md5.Sum 的普通循环相比：%s。", said.Join())
}

// line is the question in one sentence: lanes where they were measured, else the fastest way
// of those that were.
func (b *view) line() layout.Answer {
	for _, size := range b.sizes {
		c := b.compare(md5By(parameter.Sum), md5By(parameter.Lanes).of(subject.Engine), size)
		if c == nil {
			continue
		}
		l := answer.Summary{Mark: answer.MarkOf(c), Do: layout.Say("Hash in SIMD lanes (new; %s)", "请用 SIMD 多通道计算（新；%s）", byLanes),
			Costs: b.onlyAccidents()}
		if !answer.Differs(c) { // which advises nothing
			l.Do = layout.Say("SIMD lanes (new; %s)", "SIMD 多通道（新；%s）", byLanes)
		}
		l.Pay(answer.Ratio(c, layout.Say("md5.Sum at %s", "md5.Sum（%s）", answer.SizeText(size))), c)
		if c := b.compare(md5By(parameter.Sum), b.split(), size); c != nil && answer.Differs(c) {
			l.Pay(layout.Say("%s goroutines %s", "%s 个 goroutine 为 %s", answer.Number(b.cpus), answer.Times(c)), c)
		}
		return l.Answer()
	}
	return b.fastest()
}

// onlyAccidents says what MD5 is good for, and what to use else where that was measured.
func (b *view) onlyAccidents() layout.Text {
	text, x := layout.Text{EN: "MD5 only detects accidents", ZH: "MD5 只能检测意外差错"}, replacements()[0]
	r := b.find(way{library: x.library, algorithm: x.algorithm, by: parameter.Sum}, b.sizes[0])
	if r == nil || r.Status != result.OK {
		return text
	}
	return layout.Say("against attackers: %s, not MD5", "防攻击请用 %s，勿用 MD5", x.algorithm)
}

// fastest sets the fastest way that was measured against the plain loop, or else against the
// slowest way: of the first hash, at the first size.
func (b *view) fastest() layout.Answer {
	ways := answer.Select(b.many, func(r *document.Row) bool {
		return answer.IsTimed(r) && r.Environment == "" &&
			r.Algorithm == b.many[0].Algorithm && answer.MessageSize(r) == b.sizes[0]
	})
	if len(ways) < 2 {
		return layout.Answer{}
	}
	took := func(r *document.Row) float64 { return cmp.Or(r.WallNsPerOp, r.NsPerOp).Median }
	slices.SortStableFunc(ways, func(x, y *document.Row) int { return cmp.Compare(took(x), took(y)) })
	plain := func(by parameter.Manner) *document.Row {
		return answer.First(ways[1:], func(r *document.Row) bool { return wayOf(r).by == by })
	}
	best, base := ways[0], cmp.Or(plain(parameter.Sum), plain(parameter.New), ways[len(ways)-1])
	c := b.Against(base, best, len(ways))
	if c == nil {
		return layout.Answer{}
	}
	l := answer.Summary{Mark: answer.MarkOf(c), Do: layout.Say("Hash %s of %s by %s (%s)", "%[2]s 消息的 %[1]s：%[3]s（%[4]s）", best.Algorithm,
		answer.SizeText(b.sizes[0]), wayText(best), answer.Label(best.Library))}
	if len(best.Weaknesses()) > 0 {
		l.Costs = layout.Say("%[1]s only detects accidents", "%[1]s 只能检测意外差错", best.Algorithm)
	} else if c.Verdict == "faster" {
		l.Mark = layout.Choose
	}
	l.Pay(answer.Ratio(c, layout.Say("%s (%s)", "%s（%s）", wayText(base), answer.Label(base.Library))), c)
	return l.Answer()
}

func (b *view) gathered() *layout.Answer {
	calls := md5By(parameter.Counter).among(callers)
	said := b.bySize(calls, calls.of(subject.Engine))
	return said.Sentence(answer.MarkOf(said.Found...), "Single calls of 64 goroutines, combined into SIMD lanes by the Coalescer of %s, compared with md5.Sum: %s.",
		"64 个 goroutine 的单次调用由 %s 的 Coalescer 合并成多通道，与直接调用 md5.Sum 相比：%s。", answer.Label(subject.Engine), said.Join())
}

func (b *view) goroutines() *layout.Answer {
	var said answer.Clauses
	mark, few := layout.Plain, layout.Text{}
	for _, r := range b.started {
		count := parameter.Count.In(r.Parameters)
		if r.Status != result.OK {
			said.Add(layout.Say("%s: %s", "%s 个：%s", strconv.FormatInt(count, 10), answer.ReasonOf(r)), r.ID)
			continue
		}
		began, ok := answer.Metric(r, "start_ns")
		memory, told := answer.Metric(r, "memory_each_bytes")
		late, some := answer.Metric(r, "latency_p99_ns")
		if !ok || !told || !some {
			continue
		}
		if began.Low == nil {
			mark, few = layout.Unclear, layout.Text{EN: " Too few blocks (worker restarts) for intervals: these are single readings.",
				ZH: "数据组（每个数据组重启一次工作进程）过少，以上读数没有置信区间。"}
		}
		said.Add(layout.Say("%s goroutines: each takes %s to start, all together take %s of memory (%s each), 99 %% have started within %s",
			"%s 个：启动每个 %s，占用内存 %s（每个 %s），99%% 在 %s 内开始运行", strconv.FormatInt(count, 10), layout.FormatTime(began.Value),
			answer.MemoryText(memory.Value*float64(count)), answer.MemoryText(memory.Value),
			layout.FormatTime(late.Value)), r.ID)
	}
	return said.Sentence(mark, "Many goroutines at once: %s.%s", "同时存在大量 goroutine：%s。%s", answer.Semicolons(said.Parts),
		few)
}

func (b *view) fileChunks() *layout.Answer {
	usual := b.usualFileChunk()
	base := b.fileRow(parameter.FromPool, usual)
	var said answer.Clauses
	for _, r := range b.files {
		if c := b.Compare(base, r); c != nil && c.Headline && bufferOf(r) == parameter.FromPool {
			said.Add(layout.Say("%s %s", "%s %s", answer.SizeText(document.ChunkOf(r)), briefly(c)), c.ID)
		}
	}
	if base == nil {
		return nil
	}
	return said.Sentence(layout.Plain, "MD5 of a file of %s in the page cache, by chunk size, compared with chunks of %s: %s.",
		"对页缓存中 %s 的文件分块计算 MD5，与 %s 的分块相比：%s。", answer.SizeText(base.Bytes), answer.SizeText(usual), said.Join())
}

func (b *view) fileBuffers() *layout.Answer {
	usual := b.usualFileChunk()
	var said answer.Clauses
	var mapped layout.Text
	for _, buffer := range bufferOrder[1:] {
		at := usual
		if buffer == parameter.CopyLoop {
			at = 0
		}
		c := b.Compare(b.fileRow(parameter.FromPool, usual), b.fileRow(buffer, at))
		if c == nil {
			continue
		}
		said.Add(layout.Say("%s %s", "%s %s", buffers[buffer], briefly(c)), c.ID)
		if buffer == parameter.MemoryMap {
			mapped = layout.Text{EN: " If a mapped file is truncated while it is read, the program is killed by SIGBUS.", ZH: "映射的文件若在此期间被截短，程序会因 SIGBUS 终止。"}
		}
	}
	return said.Sentence(layout.Plain,
		"The buffer of such a file (%s), compared with one from a sync.Pool: %s. A buffer on the stack has at most 128 KiB; Go puts a larger one on the heap.%s",
		"此类文件的缓冲区（%s），与取自 sync.Pool 相比：%s。栈上的缓冲区至多 128 KiB，超过时 Go 会把它放到堆上。%s", answer.SizeText(usual), said.Join(), mapped)
}

func (b *view) oneLong() *layout.Answer {
	md5 := func(r *document.Row) bool { return r.Algorithm == algorithm.MD5 && r.Status == result.OK }
	r := cmp.Or(answer.First(b.files, md5), answer.First(b.many, md5))
	if r == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: []string{r.ID}, Text: layout.Text{
		EN: "One long MD5 can't be split among CPUs or lanes, since each block of 64 bytes starts from the state that the block before left; " +
			"only a tree hash such as BLAKE3, or a digest of the digests of parts, can be.",
		ZH: "单个长消息的 MD5 无法分给多个 CPU 或通道并行：每个 64 字节分组都从前一分组的结果状态开始；只有 BLAKE3 一类的树形杂凑，或对各部分摘要再取摘要，才能并行。"}}
}
