package streaming

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

var Question = answer.Question{Name: "streaming", Narrowing: []string{"--algorithms", "--chunks", "--libraries"},
	Layout: layOut,
	Asks: layout.Text{EN: "Which chunk size for big files, in memory and in files, and what does it cost in latency and memory?",
		ZH: "大文件加密应选多大的分块？数据在内存中与在文件中时有何不同？延迟与内存代价多大？"}}

// layOut lays out which chunk size is enough for big files, and what a larger one
// costs beside its speed.
func layOut(v *answer.View) layout.Layout {
	s := newView(v)
	chosen, sentences := s.Chosen(s.advice()...)
	return layout.Layout{
		Line:     answer.FirstSaid(s.line(), chosen),
		Title:    layout.Text{EN: "Big files in chunks", ZH: "大文件分块加密"},
		Answers:  answer.Beside(answer.Said(s.answers()...), sentences),
		Headline: answer.NonEmpty(s.headline()),
		Tables:   s.tables(),
		Charts:   s.charts(),
		Next: []layout.Next{
			answer.Run("streaming --chunks 64KiB,1MiB --dir /data", "your own chunks, on your own disk", "自定义分块大小，在自己的磁盘上测")},
	}
}

type view struct {
	*answer.View
	curves []*curve
	chunks []int64 // of all curves, rising
	usual  int64   // at which other things are told: where memory and files are compared, else the first
	packed []*packing
}

// kind is what a curve is about: a library's cipher in memory or through files.
type kind struct {
	subject, cipher string
	end             parameter.End
}

type curve struct {
	kind
	rows []*document.Row // by rising chunk
}

// pack is a kind of data at a chunk size, and packing its rows without and with compression.
type pack struct {
	data  parameter.Kind
	chunk int64
}
type packing struct {
	pack
	plain, zstd *document.Row
}

func compression(r *document.Row) parameter.Compression { return parameter.Compress.In(r.Parameters) }
func endOf(r *document.Row) parameter.End               { return parameter.IO.In(r.Parameters) }

func newView(v *answer.View) *view {
	s := &view{View: v}
	streams := answer.Select(v.Rows, func(r *document.Row) bool {
		return document.ChunkOf(r) > 0 && answer.Primary(v.Name(r))
	})
	plain := answer.Select(streams, func(r *document.Row) bool { return compression(r) == "" })
	for _, rows := range document.Grouped(plain, s.kindOf) {
		slices.SortFunc(rows, func(a, b *document.Row) int { return cmp.Compare(document.ChunkOf(a), document.ChunkOf(b)) })
		s.curves = append(s.curves, &curve{s.kindOf(rows[0]), rows})
	}
	packed := answer.Select(streams, func(r *document.Row) bool { return compression(r) != "" })
	for _, rows := range document.Grouped(packed, packOf) {
		of := func(c parameter.Compression) *document.Row { return answer.FirstWith(rows, compression, c) }
		s.packed = append(s.packed, &packing{packOf(rows[0]), of(parameter.Uncompressed), of(parameter.Zstd)})
	}
	s.chunks = slices.Sorted(slices.Values(answer.Values(plain, document.ChunkOf, nil)))
	if len(s.chunks) > 0 {
		s.usual = s.chunks[0]
	}
	ends := answer.First(v.Headlines(), func(c *document.Comparison) bool {
		base, other := v.ByID[c.Base], v.ByID[c.Other]
		return document.ChunkOf(base) == document.ChunkOf(other) && endOf(base) != endOf(other)
	})
	if ends != nil {
		s.usual = document.ChunkOf(v.ByID[ends.Base])
	}
	return s
}

func (s *view) kindOf(r *document.Row) kind {
	return kind{s.Name(r), answer.CaseName(r.Algorithm, r.Mode), endOf(r)}
}

func packOf(r *document.Row) pack { return pack{parameter.Data.In(r.Parameters), document.ChunkOf(r)} }

func (c *curve) at(chunk int64) *document.Row {
	return answer.FirstWith(c.rows, document.ChunkOf, chunk)
}

func (c *curve) name() string { return c.cipher + " " + c.subject }

// through is the same cipher and library through files, or nil.
func (s *view) through(c *curve) *curve {
	return answer.First(s.curves, func(other *curve) bool {
		return other.kind == kind{c.subject, c.cipher, parameter.File}
	})
}

// at are the curves of one end.
func (s *view) at(end parameter.End) []*curve {
	return answer.Select(s.curves, func(c *curve) bool { return c.end == end })
}

var ends = map[parameter.End]layout.Text{
	parameter.Memory: {EN: "memory", ZH: "内存"},
	parameter.File:   {EN: "files", ZH: "文件"},
}

var kinds = map[parameter.Kind]layout.Text{
	parameter.Text:    {EN: "text", ZH: "文本"},
	parameter.Records: {EN: "records", ZH: "结构化记录"},
	parameter.Random:  {EN: "random data", ZH: "随机数据"},
	parameter.Zeros:   layout.Same("zeros"),
	parameter.Sampled: {EN: "your sample", ZH: "自有样本"},
}

// line is the chunk that is enough for the first cipher of which that can be said.
func (s *view) line() *layout.Answer {
	for _, c := range s.curves {
		e, ok := s.enoughOf(c)
		if !ok || answer.IsNew(c.subject) {
			continue
		}
		chosen := e.row
		words, conclusive := e.words()
		l := answer.Summary{Mark: layout.Choose, Evidence: e.evidence}
		switch x := s.guess(c, e); {
		case e.last:
			l.Pay(words)
		case !conclusive && x != nil:
			chosen = s.ByID[x.Other]
			l.Pay(answer.Ratio(x, layout.Say("chunks of %s", "%s 分块", answer.SizeText(document.ChunkOf(e.row)))), x)
		default:
			if x := s.Against(e.row, e.fastest, 1); x != nil && x.Low != nil && x.High != nil {
				l.Pay(layout.Say("%s (%s: %s times, %s)", "%s（%s 为 %s 倍，%s）", e.gain(),
					answer.SizeText(document.ChunkOf(e.fastest)), answer.Factor(x.Ratio), answer.Limits(x)), x)
			}
		}
		l.Do = layout.Say("Encrypt in chunks of %s %[4]s (%[3]s, %[2]s)", "%[4]s请按 %[1]s 分块加密（%[2]s 的 %[3]s）",
			answer.SizeText(document.ChunkOf(chosen)), c.subject, c.cipher, in[c.end])
		if f := s.through(c); f != nil && f != c {
			if e, ok := s.enoughOf(f); ok && e.most <= clearEnough {
				l.Pay(layout.Say("through files in chunks of %s", "经文件时请按 %s 分块", answer.SizeText(document.ChunkOf(e.row))))
				l.Evidence = append(l.Evidence, e.evidence...)
			}
		}
		if first, known := chosen.Metrics["first_byte_ns"]; known {
			l.Costs = layout.Say("the first byte is out after %s", "%s 后输出首字节", layout.FormatTime(first.Value))
		}
		if !conclusive {
			l.Mark = layout.Unclear
		}
		return new(l.Answer())
	}
	return nil
}

// guess is the smallest chunk that is about as fast as any, by what is only an estimate, against the one that no verdict
// stands against; nil where that is it.
func (s *view) guess(c *curve, e enough) (found *document.Comparison) {
	const alike = 1.02
	best := alike
	for _, larger := range c.rows[slices.Index(c.rows, e.row)+1:] {
		if x := s.Declared(e.row, larger); x != nil && x.Ratio > best {
			best, found = alike*x.Ratio, x
		}
	}
	return found
}

var in = map[parameter.End]layout.Text{
	parameter.Memory: {EN: "in memory", ZH: "在内存中"},
	parameter.File:   {EN: "through files", ZH: "经文件时"},
}

// advice is which library to take for each cipher in chunks of the usual size, at each end.
func (s *view) advice() (all []answer.Advice) {
	for _, same := range document.Grouped(s.curves, func(c *curve) kind { return kind{cipher: c.cipher, end: c.end} }) {
		all = append(all, answer.Advice{Rows: document.Mapped(same, func(c *curve) *document.Row { return c.at(s.usual) }),
			Job:  layout.Say("chunks of %s in %s", "%s 分块（%s）", answer.SizeText(s.usual), ends[same[0].end]),
			Name: answer.CipherText, Secure: answer.Authenticated})
	}
	return all
}

func (s *view) answers() []*layout.Answer {
	var enough, files []*layout.Answer
	for i, c := range s.curves {
		if c.end != parameter.Memory {
			continue
		}
		e, f := s.enoughChunk(c), s.throughFiles(c)
		if i < 3 {
			e = answer.Short(e)
		}
		if i == 0 {
			f = answer.Short(f)
		}
		enough, files = append(enough, e), append(files, f)
	}
	if len(s.curves) > 0 {
		enough = append(enough, answer.Short(s.largest(s.curves[0])))
	}
	byData := document.Grouped(s.packed, func(p *packing) parameter.Kind { return p.data })
	return slices.Concat(enough, document.Mapped(s.curves, s.smallest), files,
		document.Mapped(byData, s.compressed), []*layout.Answer{s.bounds(), s.lengths()})
}

// enough is the smallest chunk of a curve from which on nothing is shown to be
// gained, and how much could be gained all the same.
type enough struct {
	row      *document.Row
	most     float64       // by which a larger chunk may be faster at most: 0.02 is 2 %; below 0 where it is shown slower
	fastest  *document.Row // the larger chunk that may be so
	evidence []string      // comparisons, and the row
	last     bool          // it is the largest chunk that was measured
}

// enoughOf finds the smallest chunk such that neither it nor any larger one is shown
// to be slower than a chunk larger still, by more than the margin of equivalence.
// That is: no verdict "faster" stands above it. It says nothing where a comparison
// has no interval, since what could not be seen is not what is not there.
func (s *view) enoughOf(c *curve) (e enough, ok bool) {
	for i, row := range slices.Backward(c.rows) {
		if _, shown := answer.Speed(row); !shown {
			return e, e.row != nil && !e.last
		}
		next, gains, known := s.gains(c, i)
		switch {
		case !known:
			return enough{}, false
		case gains:
			e.evidence = append(e.evidence, next.evidence...) // of what the next smaller one lacks
			return e, e.row != nil
		}
		next.evidence = append(next.evidence, row.ID)
		e = next
	}
	return e, e.row != nil && len(c.rows) > 1
}

// gains is the i-th chunk as if it were enough, and whether any larger one that it was compared with is shown to be
// faster. Known is false where there is no interval to say it with.
func (s *view) gains(c *curve, i int) (e enough, gains, known bool) {
	e = enough{row: c.rows[i], most: -1, last: i == len(c.rows)-1}
	known = e.last
	for _, larger := range c.rows[i+1:] {
		if x := s.Compare(e.row, larger); x != nil { // declared, and to be believed
			known, e.evidence = true, append(e.evidence, x.ID)
			if *x.High-1 >= e.most {
				e.most, e.fastest = *x.High-1, larger
			}
			gains = gains || x.Verdict == "faster"
		}
	}
	return e, gains, known
}

// clearEnough is a gain that an answer may leave open.
const clearEnough = 0.10

func (e enough) gain() layout.Text {
	switch {
	case e.most <= 0.005:
		return layout.Text{EN: "no larger one is faster", ZH: "更大的分块不会更快"}
	case e.most <= clearEnough:
		return layout.Say("larger ones gain at most %s %%", "更大的分块至多再快 %s%%", answer.Percent(1+e.most))
	}
	return layout.Text{EN: "whether larger ones are faster is inconclusive", ZH: "更大的分块是否更快，无法判定"}
}

// words says of one end what chunk is enough there. It is not said beyond a possible
// gain, since the intervals are too wide then.
func (e enough) words() (t layout.Text, conclusive bool) {
	where := in[endOf(e.row)]
	chunk := answer.SizeText(document.ChunkOf(e.row))
	switch {
	case e.last:
		return layout.Say("%s larger chunks are faster up to the largest measured, %s", "%s分块越大越快，直至所测最大的 %s", where,
			chunk), true
	case e.most > 1:
		return layout.Say("%s no chunk larger than %s was found to be faster, but a doubled speed would have gone unnoticed",
			"%s未能证明大于 %s 的分块更快，但即使快一倍，本次测量也分辨不出", where, chunk), false
	case e.most > clearEnough:
		return layout.Say("%s no chunk larger than %s was found to be faster, but a gain of up to %s %% would have gone unnoticed",
			"%s未能证明大于 %s 的分块更快，但 %s%% 以内的差异本次测量分辨不出", where, chunk, answer.Percent(1+e.most)), false
	case e.most <= 0.005:
		return layout.Say("%s chunks of %s are enough (no larger chunk is faster)", "%s %s 的分块已足够（更大的分块不会更快）", where,
			chunk), true
	}
	return layout.Say("%s chunks of %s are enough (larger ones gain at most %s %%)", "%s %s 的分块已足够（更大的分块至多再快 %s%%）",
		where, chunk, answer.Percent(1+e.most)), true
}

// enoughChunk answers the question for a cipher and library, at both ends. Our own is not
// recommended.
func (s *view) enoughChunk(c *curve) *layout.Answer {
	var said answer.Clauses
	all, last := true, false
	for _, end := range []*curve{c, s.through(c)} {
		if end == nil {
			continue
		}
		if e, ok := s.enoughOf(end); ok {
			part, conclusive := e.words()
			all, last = all && conclusive, last || e.last
			said.Add(part, e.evidence...)
		}
	}
	mark := layout.Choose
	switch {
	case !all:
		mark = layout.Unclear
	case last || answer.IsNew(c.subject):
		mark = layout.Plain
	}
	return said.Sentence(mark, "%s, %s: %s.", "%[2]s 的 %[1]s：%[3]s。", c.cipher, answer.Label(c.subject),
		answer.Semicolons(said.Parts))
}

// largest says whether the largest chunk is better than the usual one, and what it
// costs: how long its first byte takes, and how much memory.
func (s *view) largest(c *curve) *layout.Answer {
	usual, most := c.at(s.usual), c.rows[len(c.rows)-1]
	x := s.Compare(usual, most)
	if x == nil {
		return nil
	}
	var price layout.Text
	add := func(metric, en, zh string, show func(float64) string) {
		large, known := most.Metrics[metric]
		if small, both := usual.Metrics[metric]; known && both {
			price = layout.Say(en, zh, price, answer.Ranged(large, show), answer.Ranged(small, show))
		}
	}
	add("first_byte_ns", "%s; the first byte is out after %s, with the smaller chunk after %s",
		"%s；首字节输出时间为 %s，较小分块为 %s", layout.FormatTime)
	add("memory_beyond_baseline_bytes", "%s; it takes %s of memory, the smaller one %s", "%s；占用内存 %s，较小分块为 %s",
		answer.MemoryText)
	mark := answer.MarkOf(x)
	if x.Verdict == "same" || x.Verdict == "slower" {
		mark = layout.Beware
	}
	return s.chunkVersus(c, x, mark, price)
}

func (s *view) chunkVersus(c *curve, x *document.Comparison, mark layout.Mark, price layout.Text) *layout.Answer {
	size := func(id string) string { return answer.SizeText(document.ChunkOf(s.ByID[id])) }
	return &layout.Answer{Mark: mark, Evidence: answer.Evidence(x), Text: layout.Say(
		"%s, %s, in %s: the same data in chunks of %s %s%s.", "%[2]s 的 %[1]s，%[3]s：同样的数据按 %[4]s 分块%[5]s%[6]s。",
		c.cipher, answer.Label(c.subject), ends[c.end],
		size(x.Other), answer.Versus(x, layout.Say("in chunks of %s", "按 %s 分块", size(x.Base))), price)}
}

func (s *view) smallest(c *curve) *layout.Answer {
	for _, larger := range c.rows[1:] {
		if x := s.Compare(c.rows[0], larger); answer.Decided(x, "faster") {
			return s.chunkVersus(c, x, layout.Plain, layout.Text{})
		}
	}
	return nil
}

func (s *view) throughFiles(c *curve) *layout.Answer {
	files := s.through(c)
	if files == nil {
		return nil
	}
	return answer.Found(s.Compare(c.at(s.usual), files.at(s.usual)), layout.Text{EN: "in memory", ZH: "纯内存"},
		"%s, %s, chunks of %s, by wall time: through files, from and to the page cache, it %s.", "%[2]s 的 %[1]s，分块 %[3]s，按实际耗时：经文件（读写均在页缓存）%[4]s。",
		c.cipher, answer.Label(c.subject), answer.SizeText(s.usual))
}

// compressed says what zstd before encryption does to one kind of data, and how that
// depends on the chunk: what is written of the smallest and of the largest too.
func (s *view) compressed(all []*packing) *layout.Answer {
	all = answer.Select(all, func(p *packing) bool { return p.plain != nil && p.zstd != nil })
	if len(all) == 0 {
		return nil
	}
	at := cmp.Or(answer.First(all, func(p *packing) bool { return p.chunk == s.usual }), all[0])
	x := s.Compare(at.plain, at.zstd)
	share, known := at.zstd.Metrics["written_per_byte"]
	if x == nil || !known {
		return nil
	}
	said := answer.Clauses{Evidence: answer.Evidence(x)}
	for _, p := range []*packing{all[0], all[len(all)-1]} {
		if end, ok := p.zstd.Metrics["written_per_byte"]; ok && p != at {
			said.Add(layout.Say("%s in chunks of %s", "分块 %[2]s 时为 %[1]s", shareText(end.Value), answer.SizeText(p.chunk)),
				p.zstd.ID)
		}
	}
	var spread layout.Text
	if len(said.Parts) > 0 {
		spread = layout.Say(" (%s)", "（%s）", said.Join())
	}
	mark := answer.MarkOf(x)
	if share.Value >= 1 && x.Verdict == "slower" {
		mark = layout.Beware
	}
	return &layout.Answer{Mark: mark, Evidence: said.Evidence, Text: layout.Say(
		"zstd before encryption%s, %s in chunks of %s: %s of its length is written%s, and the stream %s.",
		"加密前用 zstd 压缩%s，%s，分块 %s：写出长度为原来的 %s%s，整个数据流%s。", s.packedWith(), kinds[at.data],
		answer.SizeText(at.chunk), shareText(share.Value), spread, answer.Versus(x,
			layout.Text{EN: "without compression", ZH: "不压缩"}))}
}

// shareText prints a share to a tenth of a percent, since what random data grows by
// is less than one.
func shareText(x float64) string { return layout.FormatNumber(100*x) + " %" }

func (s *view) lengths() *layout.Answer {
	var evidence []string
	for _, p := range s.packed {
		if p.zstd != nil && len(p.zstd.Security) > 0 {
			evidence = append(evidence, p.zstd.ID)
		}
	}
	if len(evidence) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Beware, Evidence: evidence, Text: layout.Text{
		EN: "Never compress secrets together with data that others choose: after compression, the length of each encrypted chunk reveals its content (CRIME, BREACH).",
		ZH: "切勿将机密与他人可控的数据一起压缩：先压缩后加密，分块长度会泄露内容（CRIME、BREACH 攻击）。"}}
}

// stages are the parts of a pipeline, in order, by the metrics of their mean time for a chunk.
var stages = []struct {
	metric     string
	name, does layout.Text
}{
	{"stage_read_ns", layout.Text{EN: "read", ZH: "读取"}, layout.Text{EN: "reading", ZH: "读取"}},
	{"stage_compress_ns", layout.Text{EN: "compress", ZH: "压缩"}, layout.Text{EN: "compression", ZH: "压缩"}},
	{"stage_seal_ns", layout.Text{EN: "seal", ZH: "加密"}, layout.Text{EN: "sealing", ZH: "加密"}},
	{"stage_write_ns", layout.Text{EN: "write", ZH: "写出"}, layout.Text{EN: "writing", ZH: "写出"}},
}

// bound is the stage that certainly takes the most of a row's time for a chunk, and its share; false where the intervals
// leave that open, or where there are none.
func bound(r *document.Row) (does layout.Text, share float64, ok bool) {
	all, longest := 0.0, -1
	var of []document.Metric
	for _, s := range stages {
		m, _ := answer.Metric(r, s.metric)
		if of = append(of, m); longest < 0 || m.Value > of[longest].Value {
			longest = len(of) - 1
		}
		all += m.Value
	}
	if all == 0 || of[longest].Low == nil {
		return layout.Text{}, 0, false
	}
	for i, m := range of {
		if i != longest && m.Value > 0 && (m.High == nil || *m.High >= *of[longest].Low) {
			return layout.Text{}, 0, false
		}
	}
	return stages[longest].does, of[longest].Value / all, true
}

// bounds says which stage bounds the pipelines at the usual chunk: in memory, through files, and with compression.
func (s *view) bounds() *layout.Answer {
	var said answer.Clauses
	add := func(r *document.Row, of layout.Text) {
		if does, share, ok := bound(r); ok {
			said.Add(layout.Say("%s, %s (%s of a chunk's time)", "%s：%s（占单个分块耗时的 %s）", of, does, layout.FormatShare(share)), r.ID)
		}
	}
	for _, c := range s.curves {
		if c.subject == s.curves[0].subject && c.cipher == s.curves[0].cipher {
			add(c.at(s.usual), layout.Say("%s of %s in %s", "%[2]s 的 %[1]s，%[3]s", c.cipher, answer.Label(c.subject), ends[c.end]))
		}
	}
	for _, p := range s.packed {
		if p.chunk == s.usual {
			add(p.zstd, layout.Say("%s with zstd", "%s 经 zstd", kinds[p.data]))
		}
	}
	return said.Sentence(layout.Plain, "What bounds the pipeline in chunks of %s: %s.", "分块 %s 时，流水线的瓶颈：%s。",
		answer.SizeText(s.usual), answer.Semicolons(said.Parts))
}
