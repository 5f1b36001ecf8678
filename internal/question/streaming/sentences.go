package streaming

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// answers are the sentences, the most useful first.
func (s *streamsView) answers() []layout.Answer {
	var out []layout.Answer
	add := func(a *layout.Answer) {
		if a != nil {
			a.Experiment = s.Experiment
			out = append(out, *a)
		}
	}
	for i, c := range s.curves {
		if !c.file {
			a := s.enoughChunk(c)
			if a != nil {
				a.Short = i < 3 || a.Short
			}
			add(a)
		}
	}
	if len(s.curves) > 0 {
		add(s.largest(s.curves[0]))
	}
	for _, c := range s.curves {
		add(s.smallest(c))
	}
	for i, c := range s.curves {
		if !c.file {
			add(s.throughFiles(c, i == 0))
		}
	}
	for _, data := range s.packedData() {
		add(s.compression(data))
	}
	add(s.lengths())
	return out
}

// enoughChunk answers the question for a cipher and library, at both ends.
func (s *streamsView) enoughChunk(c *curve) *layout.Answer {
	a := &layout.Answer{Mark: layout.Choose}
	var parts []layout.Text
	for _, end := range []*curve{c, s.partner(c)} {
		if end == nil {
			continue
		}
		e, ok := s.enoughOf(end)
		if !ok {
			continue
		}
		part, conclusive := e.words(end.file)
		if !conclusive {
			a.Mark = layout.Unclear
		} else if e.last && a.Mark == layout.Choose {
			a.Mark = layout.Plain
		}
		parts = append(parts, part)
		a.Evidence = append(a.Evidence, e.evidence...)
	}
	if len(parts) == 0 {
		return nil
	}
	if answer.IsNew(c.subject) && a.Mark == layout.Choose {
		a.Mark = layout.Plain // our own is not recommended
	}
	a.Text = layout.Say("%s, %s: %s.", "%[2]s 的 %[1]s：%[3]s。", c.cipher, answer.Label(c.subject), semicolons(parts))
	return a
}

// semicolons strings texts together that have commas and colons of their own.
func semicolons(parts []layout.Text) layout.Text {
	out := parts[0]
	for _, p := range parts[1:] {
		out = layout.Text{EN: out.EN + "; " + p.EN, ZH: out.ZH + "；" + p.ZH}
	}
	return out
}

// largest says whether the largest chunk is better than the usual one, and what it
// costs: how long its first byte takes, and how much memory.
func (s *streamsView) largest(c *curve) *layout.Answer {
	if len(c.rows) < 2 {
		return nil
	}
	usual, most := c.at(s.usual()), c.rows[len(c.rows)-1]
	x := s.Compare(usual, most)
	if x == nil {
		return nil
	}
	price := layout.Same("")
	for _, m := range []struct {
		metric   string
		show     func(document.Metric) layout.Text
		TextCell layout.Text
	}{
		{"first_byte_ns", answer.MetricTime, layout.Text{EN: "the first byte is out after %[1]s (%[2]s with the smaller chunk)", ZH: "首字节输出时间为 %[1]s（较小分块为 %[2]s）"}},
		{"memory_beyond_baseline_bytes", metricBytes, layout.Text{EN: "it takes %[1]s of memory (the smaller one %[2]s)", ZH: "占用内存 %[1]s（较小分块为 %[2]s）"}},
	} {
		large, known := most.Metrics[m.metric]
		small, both := usual.Metrics[m.metric]
		if known && both {
			clause := layout.Say(m.TextCell.EN, m.TextCell.ZH, m.show(large), m.show(small))
			price = layout.Text{EN: price.EN + "; " + clause.EN, ZH: price.ZH + "；" + clause.ZH}
		}
	}
	mark := answer.MarkOf(x)
	if x.Verdict != "faster" && x.Verdict != "inconclusive" {
		mark = layout.Beware
	}
	return &layout.Answer{Mark: mark, Short: true, Evidence: []string{x.ID, usual.ID, most.ID},
		Text: layout.Say("%s, %s, in %s: a chunk of %s %s%s.", "%[2]s 的 %[1]s，%[3]s：%[4]s 的分块%[5]s%[6]s。", c.cipher, answer.Label(c.subject), endNames[c.file],
			answer.SizeText(document.ChunkOf(most)), answer.Versus(x, layout.Say("one of %s", "%s 的分块", answer.SizeText(document.ChunkOf(usual)))), price)}
}

func metricBytes(m document.Metric) layout.Text { return answer.Ranged(m, answer.MemoryText) }

// smallest says what the smallest chunk loses against the first larger one that it
// is shown to lose against.
func (s *streamsView) smallest(c *curve) *layout.Answer {
	if len(c.rows) < 2 {
		return nil
	}
	for _, larger := range c.rows[1:] {
		if x := s.Compare(c.rows[0], larger); x != nil && x.Verdict == "faster" {
			return &layout.Answer{Mark: layout.Plain, Evidence: []string{x.ID, c.rows[0].ID, larger.ID},
				Text: layout.Say("%s, %s, in %s: a chunk of %s %s.", "%[2]s 的 %[1]s，%[3]s：%[4]s 的分块%[5]s。", c.cipher, answer.Label(c.subject), endNames[c.file],
					answer.SizeText(document.ChunkOf(larger)), answer.Versus(x, layout.Say("one of %s", "%s 的分块", answer.SizeText(document.ChunkOf(c.rows[0])))))}
		}
	}
	return nil
}

// throughFiles says what files cost against memory, on the wall clock.
func (s *streamsView) throughFiles(c *curve, short bool) *layout.Answer {
	files := s.partner(c)
	if files == nil {
		return nil
	}
	memory, file := c.at(s.usual()), files.at(s.usual())
	x := s.Compare(memory, file)
	if x == nil {
		return nil
	}
	return &layout.Answer{Mark: answer.MarkOf(x), Short: short, Evidence: []string{x.ID, memory.ID, file.ID},
		Text: layout.Say("%s, %s, chunks of %s: through files, from and to the page cache, it %s.", "%[2]s 的 %[1]s，分块 %[3]s：经文件（读写均在页缓存）%[4]s。",
			c.cipher, answer.Label(c.subject), answer.SizeText(s.usual()), answer.Versus(x, layout.Text{EN: "in memory", ZH: "纯内存"}))}
}

func (s *streamsView) packedData() (data []string) {
	for _, p := range s.packed {
		if !slices.Contains(data, p.data) {
			data = append(data, p.data)
		}
	}
	return data
}

// compression says what zstd before encryption does to one kind of data, and how
// that depends on the chunk.
func (s *streamsView) compression(data string) *layout.Answer {
	var at, first, last *packing
	for i := range s.packed {
		p := &s.packed[i]
		if p.data != data || p.plain == nil || p.zstd == nil {
			continue
		}
		if first == nil {
			first = p
		}
		last = p
		if p.chunk == s.usual() || at == nil {
			at = p
		}
	}
	if at == nil {
		return nil
	}
	x := s.Compare(at.plain, at.zstd)
	share, known := at.zstd.Metrics["written_per_byte"]
	if x == nil || !known {
		return nil
	}
	a := &layout.Answer{Mark: answer.MarkOf(x), Evidence: []string{x.ID, at.plain.ID, at.zstd.ID}}
	if share.Value >= 1 && x.Verdict == "slower" {
		a.Mark = layout.Beware
	}
	var ends []layout.Text // what is written of the smallest and of the largest chunks, unless that is said already
	for _, p := range []*packing{first, last} {
		end, ok := p.zstd.Metrics["written_per_byte"]
		if p != at && ok {
			ends = append(ends, layout.Say("%s in chunks of %s", "分块 %[2]s 时为 %[1]s", shareText(end.Value), answer.SizeText(p.chunk)))
			a.Evidence = append(a.Evidence, p.zstd.ID)
		}
	}
	spread := layout.Same("")
	if len(ends) > 0 {
		spread = layout.Say(" (%s)", "（%s）", answer.Join(ends))
	}
	a.Text = layout.Say("zstd before encryption%s, %s in chunks of %s: %s of its length is written%s, and the stream %s.",
		"加密前用 zstd 压缩%s，%s，分块 %s：写出长度为原来的 %s%s，整个数据流%s。",
		s.packedWith(), dataName(data), answer.SizeText(at.chunk), shareText(share.Value), spread, answer.Versus(x, layout.Text{EN: "without compression", ZH: "不压缩"}))
	return a
}

// shareText prints a share to a tenth of a percent, since what random data grows by
// is less than one.
func shareText(x float64) string { return layout.FormatNumber(100*x) + " %" }

// lengths warns of what compression gives away.
func (s *streamsView) lengths() *layout.Answer {
	var evidence []string
	for _, p := range s.packed {
		if p.zstd != nil && len(p.zstd.Security) > 0 {
			evidence = append(evidence, p.zstd.ID)
		}
	}
	if len(evidence) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Beware, Evidence: evidence,
		Text: layout.Text{EN: "Never compress secrets together with data that others choose: after compression, the length of each encrypted chunk reveals its content (CRIME, BREACH).",
			ZH: "切勿将机密与他人可控的数据一起压缩：先压缩后加密，分块长度会泄露内容（CRIME、BREACH 攻击）。"}}
}
