package bulkhash

import (
	"fmt"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

// answers are the sentences, the most useful first.
func (b *bulkView) answers() (out []layout.Answer) {
	add := func(as ...*layout.Answer) {
		for _, a := range as {
			if a != nil {
				a.Experiment = b.Experiment
				out = append(out, *a)
			}
		}
	}
	for i, size := range b.headlines() {
		a := b.advice(size)
		if a != nil {
			a.Short = i == 0
		}
		add(a)
	}
	add(b.instead(), b.replacements())
	add(b.inLanes()...)
	add(b.gathered(), b.goroutines(), b.fileChunks(), b.fileBuffers(), b.oneLong())
	return out
}

// The outcomes of an advice.
const (
	holds = iota
	nothingGained
	loses
	untold
	keptFrom // the CPUs, in part, by other programs
	outcomes
)

// worth is the factor from which on a way gains something for certain.
const worth = 1.05

// advised is a piece of advice: what to do, and in place of what.
type advised struct {
	what        layout.Text
	base, other way
}

// usualAdvice is what people are told to do about many messages.
func (b *bulkView) usualAdvice() []advised {
	plain := md5By(parameter.Sum)
	cpus := strconv.Itoa(b.cpus)
	return []advised{
		{layout.Text{EN: "sync.Pool for md5.New", ZH: "sync.Pool 代替 md5.New"}, md5By(parameter.New), md5By(parameter.Pool)},
		{layout.Text{EN: "sync.Pool and a buffer for Sum", ZH: "sync.Pool 且为 Sum 提供缓冲区"}, md5By(parameter.New), md5By(parameter.PoolBuffer)},
		{layout.Text{EN: "strings without a copy", ZH: "字符串零拷贝"}, md5By(parameter.StringCopy), md5By(parameter.StringView)},
		{layout.Text{EN: "one goroutine per message", ZH: "每条消息一个 goroutine"}, plain, md5By(parameter.Spawn)},
		{layout.Text{EN: "one message per channel send", ZH: "经 channel 逐条分发"}, plain, md5By(parameter.Channel).among(b.cpus).inBatches(1)},
		{layout.Say("batches of 256 to %s workers", "每批 256 条分给 %s 个工作 goroutine", cpus), plain, md5By(parameter.Channel).among(b.cpus).inBatches(256)},
		{layout.Say("one range for each of %s goroutines", "%s 个 goroutine 各分一段", cpus), plain, b.split()},
		{layout.Say("%s goroutines instead of %s", "以 %s 个 goroutine 代替 %s 个", answer.Number(b.most()), cpus), b.split(), b.split().among(b.most())},
		{layout.Say("GOMAXPROCS=%s", "GOMAXPROCS=%s", strconv.Itoa(2*b.cpus)), b.split(), b.split().among(2 * b.cpus).under(2 * b.cpus)},
	}
}

// robbed is by which factor more the goroutines of a row could have done, had other
// programs not had a part of the CPUs; 1 where they had none worth naming. It is seen
// by those that do nothing but hash, at the same size: others may wait for each other.
func (b *bulkView) robbed(r *document.Row) float64 {
	if r.NsPerOp == nil || r.NsPerOp.Clock != string(result.WallClock) {
		return 1
	}
	if n, ok := answer.CPUsHad(b.find(b.split(), messageSize(r))); ok && n < answer.AllTheirs*float64(b.cpus) {
		return float64(b.cpus) / n
	}
	return 1
}

// outcome says what an advice came to. Goroutines that did not have all CPUs gained
// less than they could have.
func (b *bulkView) outcome(c *document.Comparison, other *document.Row) int {
	lost := b.robbed(other)
	switch {
	case *c.Low > worth:
		return holds
	case c.Verdict == "slower" && *c.High*lost < 1:
		return loses
	case *c.High < answer.WorthHaving && lost == 1:
		return nothingGained
	case lost > 1:
		return keptFrom
	}
	return untold
}

// advice says which of the usual advice holds at a size.
func (b *bulkView) advice(size int64) *layout.Answer {
	var parts [outcomes][]layout.Text
	var evidence []string
	for _, x := range b.usualAdvice() {
		other := b.find(x.other, size)
		c := b.Compare(b.find(x.base, size), other)
		if c == nil {
			continue
		}
		o := b.outcome(c, other)
		parts[o] = append(parts[o], adviceText(x.what, c, o))
		evidence = append(evidence, c.ID)
	}
	if len(evidence) == 0 {
		return nil
	}
	a := &layout.Answer{Mark: layout.Plain, Evidence: evidence}
	var said, briefly []layout.Text
	for o, words := range []layout.Text{
		{EN: "Faster", ZH: "变快"}, {EN: "No gain", ZH: "没有收益"},
		{EN: "Slower", ZH: "变慢"}, {EN: "Inconclusive", ZH: "无法判定"},
		{EN: "Inconclusive, because other programs used some of the CPUs", ZH: "因其他程序占用了部分 CPU 而无法判定"},
	} {
		if len(parts[o]) > 0 {
			said = append(said, layout.Say("%s: %s.", "%s：%s。", words, answer.JoinWith(parts[o], ", ", "，")))
			if o == holds || o == loses {
				briefly = append(briefly, said[len(said)-1])
			}
		}
	}
	switch {
	case len(parts[loses])+len(parts[nothingGained]) > 0:
		a.Mark = layout.Beware
	case len(parts[holds]) == 0:
		a.Mark = layout.Unclear
	}
	worded := func(parts []layout.Text) layout.Text {
		return layout.Say("Usual advice for MD5 of many messages (%s of %s), with its effect on speed. %s", "对大批消息（%s 条 %s 消息）计算 MD5 的常见建议对速度的影响。%s",
			strconv.FormatInt(b.messagesAt(size), 10), answer.SizeText(size), answer.JoinWith(parts, " ", ""))
	}
	if a.Text = worded(said); len(briefly) > 0 { // what can be acted on
		a.Brief = worded(briefly)
	}
	return a
}

// adviceText is an advice with its ratio, as briefly as can be: a list has many.
func adviceText(what layout.Text, c *document.Comparison, outcome int) layout.Text {
	if outcome == loses && c.Ratio < 0.9 {
		return layout.Say("%s (%s times as long, %s)", "%s（耗时为 %s 倍，%s）", what, answer.Factor(1/c.Ratio), answer.Interval(1/(*c.High), 1/(*c.Low)))
	}
	return layout.Say("%s (%s times as fast, %s)", "%s（速度为 %s 倍，%s）", what, answer.Factor(c.Ratio), answer.Interval(*c.Low, *c.High))
}

// instead says what to do: a plain loop, and a range of the messages for each CPU.
func (b *bulkView) instead() *layout.Answer {
	var parts []layout.Text
	var evidence []string
	mark := layout.Choose
	for _, size := range b.headlines() {
		other := b.find(b.split(), size)
		c := b.Compare(b.find(md5By(parameter.Sum), size), other)
		if c == nil {
			continue
		}
		evidence = append(evidence, c.ID)
		part := layout.Say("at %s this %s", "%s 时%s", answer.SizeText(size), answer.Versus(c, layout.Text{EN: "the loop alone", ZH: "单个循环"}))
		if n, ok := answer.CPUsHad(other); ok && n < answer.AllTheirs*float64(b.cpus) {
			part = layout.Say("%s, while the goroutines had %s of %s CPUs", "%s，期间 goroutine 只得到 %[3]s 个 CPU 中的 %[2]s 个", part, fmt.Sprintf("%.2f", n), strconv.Itoa(b.cpus))
		}
		if b.outcome(c, other) != holds {
			mark = layout.Unclear
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 || b.cpus < 2 {
		return nil
	}
	return &layout.Answer{Mark: mark, Evidence: evidence,
		Text: layout.Say("Call md5.Sum in a plain loop: it allocates nothing. For more throughput split the messages among %s goroutines, one range each, or send batches: %s.",
			"请用普通循环调用 md5.Sum：不产生任何分配。要更快，则由 %s 个 goroutine 各处理一段，或分批处理：%s。", strconv.Itoa(b.cpus), answer.JoinWith(parts, "; ", "；"))}
}

// replacements says what MD5 and SHA-1 are good for, and what others cost in their place.
func (b *bulkView) replacements() *layout.Answer {
	var parts []layout.Text
	var evidence []string
	for _, size := range b.headlines() { // the table has the others
		md5 := b.find(md5By(parameter.Sum), size)
		var said []layout.Text
		for _, w := range []way{{library: "go", algorithm: algorithm.SHA256, by: parameter.Sum}, {library: "blake3", algorithm: algorithm.BLAKE3, by: parameter.Sum}, {library: "gmsm", algorithm: algorithm.SM3, by: parameter.Sum}} {
			r := b.find(w, size)
			if c := b.Compare(md5, r); c != nil {
				said = append(said, layout.Say("%s (%s, %s) %s", "%s（%s，%s）%s", w.algorithm, answer.Label(r.Library), answer.Implementation(r), briefly(c)))
				evidence = append(evidence, c.ID)
			}
		}
		if len(said) > 0 {
			parts = append(parts, layout.Say("at %s %s", "%s 时 %s", answer.SizeText(size), answer.Join(said)))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Beware, Short: true, Evidence: evidence,
		Text: layout.Say("Do not use MD5 or SHA-1 against attackers, who can make collisions; both only detect accidental changes. Speed of the replacements compared with MD5, in a plain loop: %s.",
			"不要用 MD5 与 SHA-1 防范攻击者：碰撞可以构造，二者只能检测意外差错。替代算法与 MD5 相比的速度（普通循环）：%s。", answer.JoinWith(parts, "; ", "；"))}
}

// briefly words a comparison for a list whose base is named before it.
func briefly(c *document.Comparison) layout.Text {
	switch c.Verdict {
	case "faster":
		return layout.Say("%s times as fast (%s)", "速度为 %s 倍（%s）", answer.Factor(c.Ratio), answer.Interval(*c.Low, *c.High))
	case "slower":
		return layout.Say("%s times as long (%s)", "耗时为 %s 倍（%s）", answer.Factor(1/c.Ratio), answer.Interval(1/(*c.High), 1/(*c.Low)))
	case "same":
		return layout.Text{EN: "as fast", ZH: "一样快"}
	}
	return layout.Say("inconclusive (%s times as fast)", "无法判定（速度比 %s）", answer.Interval(*c.Low, *c.High))
}

// inLanes says what many messages at once in vector registers gain, library by library.
func (b *bulkView) inLanes() (out []*layout.Answer) {
	for _, x := range []struct {
		way
		TextCell layout.Text
	}{
		{way{library: "md5-simd", algorithm: algorithm.MD5, by: parameter.Counter, workers: 16}, layout.Text{EN: "by 16 streams of md5-simd", ZH: "md5-simd 的 16 个流"}},
		{md5By(parameter.Lanes).of(ourEngine), layout.Say("by %s, on one core", "%s，单核", answer.Label(answer.Engine))},
	} {
		var parts []layout.Text
		var evidence []string
		for _, size := range b.sizes {
			if c := b.Compare(b.find(md5By(parameter.Sum), size), b.find(x.way, size)); c != nil {
				parts = append(parts, layout.Say("at %s %s", "%s 时%s", answer.SizeText(size), briefly(c)))
				evidence = append(evidence, c.ID)
			}
		}
		if len(parts) > 0 {
			out = append(out, &layout.Answer{Mark: layout.Plain, Evidence: evidence,
				Text: layout.Say("MD5 of many messages at once in SIMD lanes (%s), compared with a plain loop: %s.", "用 SIMD 多通道同时计算多条消息的 MD5（%s），与普通循环相比：%s。", x.TextCell, answer.Join(parts))})
		}
	}
	return out
}

// gathered says what gathering the single calls of many goroutines does.
func (b *bulkView) gathered() *layout.Answer {
	var parts []layout.Text
	var evidence []string
	mark := layout.Unclear
	for _, size := range b.sizes {
		w := md5By(parameter.Counter)
		w.workers = 64
		if c := b.Compare(b.find(w, size), b.find(w.of(ourEngine), size)); c != nil {
			parts = append(parts, layout.Say("at %s %s", "%s 时%s", answer.SizeText(size), briefly(c)))
			evidence = append(evidence, c.ID)
			if c.Verdict != "inconclusive" {
				mark = layout.Plain
			}
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: mark, Evidence: evidence,
		Text: layout.Say("Single calls of 64 goroutines, combined into SIMD lanes by the Coalescer of %s, compared with md5.Sum: %s.",
			"64 个 goroutine 的单次调用由 %s 的 Coalescer 合并成多通道，与直接调用 md5.Sum 相比：%s。", answer.Label(answer.Engine), answer.JoinWith(parts, ", ", "，"))}
}

// goroutines says what starting very many of them costs.
func (b *bulkView) goroutines() *layout.Answer {
	few := false
	var parts []layout.Text
	var evidence []string
	for _, r := range b.burst {
		n := answer.Number(int(whole(r, "count")))
		if r.Status != result.OK {
			parts = append(parts, layout.Say("%s: %s", "%s 个：%s", n, answer.ReasonOf(r)))
			evidence = append(evidence, r.ID)
			continue
		}
		began, ok := answer.Metric(r, "start_ns")
		memory, told := answer.Metric(r, "memory_each_bytes")
		late, some := answer.Metric(r, "latency_p99_ns")
		if !ok || !told || !some {
			continue
		}
		few = few || began.Low == nil
		total := memory.Value * float64(whole(r, "count"))
		parts = append(parts, layout.Say("%s goroutines: each takes %s to start, all together take %s of memory (%s each), 99 %% have started within %s", "%s 个：启动每个 %s，占用内存 %s（每个 %s），99 %% 在 %s 内开始运行",
			n, layout.FormatTime(began.Value), answer.MemoryText(total), answer.MemoryText(memory.Value), layout.FormatTime(late.Value)))
		evidence = append(evidence, r.ID)
	}
	if len(parts) == 0 {
		return nil
	}
	a := &layout.Answer{Mark: layout.Plain, Evidence: evidence,
		Text: layout.Say("Many goroutines at once: %s.", "同时存在大量 goroutine：%s。", answer.JoinWith(parts, "; ", "；"))}
	if few {
		a.Mark = layout.Unclear
		a.Text = layout.Say("%s Too few blocks (worker restarts) for intervals: these are single readings.", "%s数据组（工作进程每重启一次为一组）过少，以上读数没有置信区间。", a.Text)
	}
	return a
}

// fileChunks says how much of a file to read at a time.
func (b *bulkView) fileChunks() *layout.Answer {
	usual := b.usualFileChunk()
	base := b.fileRow("pool", usual)
	var parts []layout.Text
	var evidence []string
	for _, r := range b.files {
		if r == base || r.Parameter("buffer") != "pool" {
			continue
		}
		if c := b.Compare(base, r); c != nil && c.Headline {
			parts = append(parts, layout.Say("%s %s", "%s %s", answer.SizeText(document.ChunkOf(r)), briefly(c)))
			evidence = append(evidence, c.ID)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: evidence,
		Text: layout.Say("MD5 of a file of %s in the page cache, by chunk size, compared with chunks of %s: %s.", "对页缓存中 %s 的文件分块计算 MD5，与 %s 的分块相比：%s。", answer.SizeText(base.Bytes), answer.SizeText(usual), answer.Join(parts))}
}

// fileBuffers says where the buffer should come from.
func (b *bulkView) fileBuffers() *layout.Answer {
	usual := b.usualFileChunk()
	base := b.fileRow("pool", usual)
	var parts []layout.Text
	var evidence []string
	mapped := layout.Same("")
	for _, buffer := range []string{"stack", "call", "io.Copy", "mmap"} {
		at := usual
		if buffer == "io.Copy" {
			at = 0
		}
		r := b.fileRow(buffer, at)
		c := b.Compare(base, r)
		if c == nil {
			continue
		}
		parts = append(parts, layout.Say("%s %s", "%s %s", bufferName(buffer), briefly(c)))
		evidence = append(evidence, c.ID)
		if buffer == "mmap" {
			mapped = layout.Text{EN: " If a mapped file is truncated while it is read, the program is killed by SIGBUS.", ZH: "映射的文件若在此期间被截短，程序会因 SIGBUS 终止。"}
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: evidence,
		Text: layout.Say("The buffer of such a file (%s), compared with one from a sync.Pool: %s. A buffer on the stack has at most 128 KiB; Go puts a larger one on the heap.%s",
			"此类文件的缓冲区（%s），与取自 sync.Pool 相比：%s。栈上的缓冲区至多 128 KiB，超过时 Go 会把它放到堆上。%s", answer.SizeText(usual), answer.Join(parts), mapped)}
}

// oneLong says why none of this helps a single long message.
func (b *bulkView) oneLong() *layout.Answer {
	for _, r := range append(b.files, b.many...) {
		if r.Algorithm == algorithm.MD5 && r.Status == result.OK {
			return &layout.Answer{Mark: layout.Plain, Evidence: []string{r.ID},
				Text: layout.Text{EN: "One long MD5 can't be split among CPUs or lanes, since each block of 64 bytes starts from the state that the block before left; only a tree hash such as BLAKE3, or a digest of the digests of parts, can be.",
					ZH: "单个长消息的 MD5 无法分给多个 CPU 或通道并行：每个 64 字节分组都从前一分组的结果状态开始；只有 BLAKE3 一类的树形杂凑，或对各部分摘要再取摘要，才能并行。"}}
		}
	}
	return nil
}
