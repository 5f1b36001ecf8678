package chunking

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

var Question = answer.Question{Name: "chunking", Narrowing: []string{"--algorithms", "--modes", "--libraries"},
	Layout: layOut,
	Asks: layout.Text{EN: "Why is a library far slower than it should be (Botan's CTR, say): does it split its input, and how can this be avoided?",
		ZH: "某个密码库为何慢得反常（如 Botan 的 CTR）：它是否在内部把输入切成小块，如何避免？"}}

// layOut lays out which libraries cut what they are given into small pieces, what
// that costs, and the way around it.
func layOut(v *answer.View) layout.Layout {
	c := newView(v)
	return layout.Layout{
		Title:    layout.Text{EN: "Internal pieces: libraries that split input into small pieces", ZH: "内部分块：把输入切成小块的密码库"},
		Line:     c.line(),
		Answers:  c.answers(),
		Headline: answer.NonEmpty(c.headline()),
		Tables:   c.tables(),
		Charts:   c.charts(),
		Findings: c.findings(),
		Next: []layout.Next{
			answer.Run("chunking", "every cipher, mode and call size of the installed libraries", "已安装密码库的全部算法、工作模式与调用长度"),
			answer.Run("chunking --library botan=/path/to/libbotan-3.so", "another version", "其他版本")},
	}
}

// Severities of pieces, by the ratio of what a byte costs by update to what it costs in
// another way, for certain. Below the lesser there are none.
const (
	pathologicalSlope = 3
	degradedSlope     = 1.5
)

type view struct {
	*answer.View
	patterns []*pattern
	compared []*pattern // of them in the everyday path, with another way to compare
	degraded []*pattern
	slow     []*pattern // these, and ciphers that something else is certainly much faster in than update
}

func newView(v *answer.View) *view {
	c := &view{View: v, patterns: patternsOf(v)}
	c.compared = answer.Select(c.patterns, func(p *pattern) bool { return len(p.slopes) > 0 })
	c.degraded = answer.Select(c.compared, (*pattern).isDegraded)
	for _, p := range c.patterns {
		if p.around = c.bestAround(p); p.isDegraded() || c.easiestAround(p) != nil || p.around != nil && *p.around.Low > degradedSlope {
			c.slow = append(c.slow, p)
		}
	}
	return c
}

func (p *pattern) severity() string {
	if p.worst.Low > pathologicalSlope {
		return "pathological"
	}
	return "degraded"
}

var wayNames = map[parameter.Manner]layout.Text{
	parameter.Update:  {EN: "update", ZH: "update"},
	parameter.Final:   {EN: "update with the flag FINAL", ZH: "带 FINAL 标志的 update"},
	parameter.Oneshot: {EN: "one call a message", ZH: "整条消息一次调用"},
	parameter.Blocks:  {EN: "the block function", ZH: "调用分组函数"},
}

// isOf says that a row is of the library's cipher by any call path, and has that it is by the same.
func (p *pattern) isOf(r *document.Row) bool {
	return r.Library == p.Library && r.Version == p.Version && r.Algorithm == p.Algorithm && r.Mode == p.Mode &&
		r.Implementation == p.Implementation
}

func (p *pattern) has(r *document.Row) bool { return p.isOf(r) && r.CallPath == p.CallPath }

func cipherName(r *document.Row) string { return answer.CaseName(r.Algorithm, r.Mode) }

func (p *pattern) cipher() string  { return cipherName(p.Row) }
func (p *pattern) library() string { return answer.Versioned(p.Row) }

// answers are of each library what it cuts up and
// the ways around it, then what is healthy and what is inconclusive. The degraded
// ciphers one by one are findings.
func (c *view) answers() []layout.Answer {
	var first, then []*layout.Answer
	for _, slow := range document.Grouped(c.slow, (*pattern).library) {
		first = slices.Concat(first, []*layout.Answer{answer.Short(c.explained(slow))}, c.advised(slow), []*layout.Answer{answer.Short(c.elsewhere(slow))})
	}
	if len(c.slow) == 0 {
		first = append(first, answer.Short(c.guess()))
	}
	first = append(c.mended(), first...)
	for _, of := range document.Grouped(c.compared, (*pattern).library) {
		then = append(then, healthy(of), inconclusive(of))
	}
	return answer.Said(slices.Concat(first, then, document.Mapped(c.compared, refused))...)
}

func and(parts []layout.Text) layout.Text {
	last := len(parts) - 1
	if last < 1 {
		return answer.List(parts)
	}
	return layout.Say("%s and %s", "%s、%s", answer.List(parts[:last]), parts[last])
}

// measured says that the pieces' length was estimated, and agreed that the library says a
// length that was.
func (p *pattern) measured() bool { return p.steps != nil && p.steps.OK }
func (p *pattern) agreed() bool {
	return p.measured() && p.said > 0 && float64(p.said) >= p.steps.Low && float64(p.said) <= p.steps.High
}

// span is how long the pieces are, in bytes: what was measured, or within that what the
// library says itself.
func (p *pattern) span() (bytes, low, high float64) {
	if n := float64(p.said); p.agreed() {
		return n, n, n
	}
	return p.steps.Bytes, p.steps.Low, p.steps.High
}

func (p *pattern) length() string {
	_, low, high := p.span()
	if low == high {
		return layout.FormatCount(low) + " B"
	}
	return layout.FormatCount(low) + "–" + layout.FormatCount(high) + " B"
}

// pieces words the estimated piece and what each costs: "pieces of 1 byte, 6.2 ns each".
func (p *pattern) pieces() layout.Text {
	_, least, most := p.pieceCost()
	each := layout.Say("%s each", "每块 %s", answer.Ranging(least, most))
	_, low, high := p.span()
	length := layout.Say("%s to %s bytes", "%s 至 %s 字节", layout.FormatCount(low), layout.FormatCount(high))
	if low == high {
		length = byteCount(high)
	}
	switch {
	case p.agreed():
		return layout.Say("pieces of %s, as the library itself says, %s", "%s 的小块（与该库自身所报一致），%s", length, each)
	case p.said > 0:
		return layout.Say("pieces of %s, though the library itself says %s, %s", "%s 的小块（该库自身所报为 %s），%s",
			length, byteCount(float64(p.said)), each)
	}
	return layout.Say("pieces of %s, %s", "%s 的小块，%s", length, each)
}

func byteCount(n float64) layout.Text {
	if n == 1 {
		return layout.Text{EN: "1 byte", ZH: "1 字节"}
	}
	return layout.Say("%s bytes", "%s 字节", layout.FormatCount(n))
}

// pieceCost is what each piece costs, in ns, with its interval: the price that a byte
// has more, times the bytes of a piece.
func (p *pattern) pieceCost() (ns, least, most float64) {
	bytes, low, high := p.span()
	return p.worst.Excess * bytes * 1e9, p.worst.ExcessLow * low * 1e9, p.worst.ExcessHigh * high * 1e9
}

func (p *pattern) unknownLength() layout.Text {
	if p.said > 0 {
		return layout.Say("their length could not be measured; the library itself says %s", "小块长度未能测定，该库自身所报为 %s",
			byteCount(float64(p.said)))
	}
	return layout.Text{EN: "their length could not be measured", ZH: "小块长度未能测定"}
}

// told is what update is compared with in words: the easiest way around it, where a byte of that was measured, else
// the way in which a byte costs the least for certain.
func (c *view) told(p *pattern) *slope {
	if x := c.easiestAround(p); x != nil {
		easiest := answer.First(p.slopes, func(s *slope) bool { return s.OK && string(s.other) == c.insteadOf(x) })
		return cmp.Or(easiest, p.worst)
	}
	return p.worst
}

func (c *view) costs(p *pattern) layout.Text {
	s := c.told(p)
	return layout.Say("a byte costs %s times as much (%s) as with %s", "每字节代价是“%[3]s”的 %[1]s 倍（%[2]s）", answer.Factor(s.Ratio),
		answer.Interval(s.Low, s.High), wayNames[s.other])
}

func (c *view) words(p *pattern) layout.Text {
	pieces := layout.Say("probably works in small pieces (%s)", "很可能在内部按小块处理（%s）", p.unknownLength())
	if p.measured() {
		pieces = layout.Say("works in %s", "在内部把输入切成 %s", p.pieces())
	}
	var ways []layout.Text
	for _, r := range c.waysAround([]*pattern{p}) {
		x := r.faster[0]
		ways = append(ways, layout.Say("%s (%s): at %s %s times as fast as update (%s)", "%s（%s）：消息长度 %s 时速度为 update 的 %s 倍（%s）",
			r.does(), r.name, answer.SizeText(page), answer.Factor(x.Ratio), answer.Limits(x)))
	}
	if len(ways) == 0 {
		ways = []layout.Text{layout.Say("no faster way was found for %s", "未发现 %s 有更快的方式", p.cipher())}
	}
	return layout.Say("%s: update of %s %s. At every call size %s. %s.", "%s 的 %s：update %s。无论每次调用多长，%s。%s。",
		p.library(), p.cipher(), pieces, c.costs(p), answer.Upper(answer.Semicolons(ways)))
}

// evidence are the rows whose times made the slopes, and the workaround. The steps rest
// on the rows of neighbouring lengths, of which there are dozens.
func (p *pattern) evidence() (ids []string) {
	ids = slices.Concat(p.way(parameter.Update).RowIDs, p.way(p.worst.other).RowIDs)
	if p.around != nil {
		ids = append(ids, answer.Evidence(p.around)...)
	}
	return ids
}

// worstFirst puts the cipher first in which update costs the most.
func worstFirst(slow []*pattern) []*pattern {
	times := func(p *pattern) float64 {
		if p.isDegraded() {
			return p.worst.Ratio
		}
		return p.around.Ratio
	}
	return slices.SortedStableFunc(slices.Values(slow), func(x, y *pattern) int { return cmp.Compare(times(y), times(x)) })
}

// explained says what a library does to its input, and then in which ciphers, by how much.
func (c *view) explained(slow []*pattern) *layout.Answer {
	var said answer.Clauses
	before := layout.Text{} // what those that are not degraded were set against last
	known, measured := slices.ContainsFunc(slow, (*pattern).isDegraded), slices.ContainsFunc(slow, (*pattern).measured)
	for _, p := range worstFirst(slow) {
		if !p.isDegraded() {
			if known { // the remedy says of these by how much it helps
				continue
			}
			x := cmp.Or(c.easiestAround(p), p.around)
			_, name := instead(c.ByID[x.Other])
			part := layout.Say("of %[4]s %[1]s takes %[2]s times as long as with %[3]s", "消息长度 %[4]s 时 %[1]s 的耗时为“%[3]s”的 %[2]s 倍",
				p.cipher(), answer.Factor(x.Ratio), name, answer.SizeText(page))
			if name == before {
				part = layout.Say("%s %s times", "%s 为 %s 倍", p.cipher(), answer.Factor(x.Ratio))
			}
			before = name
			said.Add(part, x.ID)
			continue
		}
		length := layout.Text{}
		switch {
		case p.measured():
			length = layout.Say(", pieces of %s", "，每块 %s", p.length())
		case measured:
			length = layout.Text{EN: ", probably in pieces too", ZH: "，很可能也是小块所致"}
		}
		said.Add(layout.Say("in %s %s%s", "%s %s%s", p.cipher(), c.costs(p), length),
			p.way(parameter.Update).RowIDs[0], p.way(c.told(p).other).RowIDs[0])
	}
	en, zh := "%s splits the input of update into small pieces, so larger calls do not help: %s.",
		"%s 的 update 在内部把输入切成小块，因此每次传入更多数据也无济于事：%s。"
	switch {
	case !known:
		en, zh = "%s is slow in update, as a library is that works in small pieces; too few blocks were measured to tell. Through update: %s.",
			"%s 的 update 很慢，像是在内部逐小块处理；测得的数据组太少，不足以判定。经 update：%s。"
	case !measured:
		en, zh = "%s probably splits the input of update into small pieces, so larger calls do not help: %s.",
			"%s 的 update 很可能在内部把输入切成小块（长度未知），因此每次传入更多数据也无济于事：%s。"
	}
	return said.Sentence(layout.Stop, en, zh, slow[0].library(), answer.Semicolons(said.Parts))
}

// line is the question in one sentence: the remedy of the library that needs one the most, or
// that none does.
func (c *view) line() layout.Answer {
	if len(c.slow) == 0 {
		return c.lineOfHealthy()
	}
	worst := worstFirst(c.slow)[0]
	why := layout.Text{EN: "splits its input", ZH: "会把输入切成小块"}
	switch {
	case !worst.isDegraded():
		why = layout.Text{EN: "is slow", ZH: "很慢"}
	case !worst.measured():
		why = layout.Text{EN: "probably splits its input", ZH: "很可能会把输入切成小块"}
	}
	l := answer.Summary{Mark: layout.Stop, Do: layout.Say("Avoid update for %s in %s, which %s",
		"%[2]s 的 %[1]s 不要直接用 update（%[3]s）", worst.cipher(), worst.Library, why)}
	for i, r := range c.waysAround([]*pattern{worst}) {
		x := r.faster[0]
		part := layout.Say("by hand %s times (%s)", "自行编写为 %s 倍（%s）", answer.Factor(x.Ratio), answer.Limits(x))
		if i == 0 {
			part = r.pays()
		}
		l.Pay(part, x)
	}
	if len(l.Pays) == 0 {
		l.Evidence = worst.evidence()
		l.Pay(c.costs(worst))
	}
	return l.Answer()
}

// lineOfHealthy says what no degraded cipher was found in, or what may be.
func (c *view) lineOfHealthy() layout.Answer {
	var said, open answer.Clauses
	for _, p := range slices.Concat(document.Grouped(c.compared, (*pattern).library)...) {
		if p.isHealthy() {
			said.Evidence = append(said.Evidence, p.ways[0].RowIDs[0])
			if name := layout.Same(p.library()); !slices.Contains(said.Parts, name) {
				said.Parts = append(said.Parts, name)
			}
		} else if p.worst != nil {
			open.Add(layout.Say("%s %s %s times as much (%s)", "%s 的 %s 为 %s 倍（%s）", p.Library, p.cipher(), answer.Factor(p.worst.Ratio),
				answer.Interval(p.worst.Low, p.worst.High)), p.ways[0].RowIDs[0])
		}
	}
	switch {
	case len(open.Parts) > 0:
		return answer.FirstSaid(open.Sentence(layout.Unclear,
			"Inconclusive whether update costs more per byte than another way: best estimate %s.",
			"update 每字节的代价是否高于其他方式，无法判定：最佳估计 %s。", open.Parts[0]))
	case len(said.Parts) > 0:
		return answer.FirstSaid(said.Sentence(layout.Choose,
			"Use update as it is in %s: input is not split (a byte costs less than %s times another way's), %s ciphers.",
			"%s 的 update 可放心使用：没有内部切块（每字节代价不到其他方式的 %s 倍），共 %s 种算法。",
			and(said.Parts), answer.Factor(degradedSlope), answer.Number(len(said.Evidence))))
	}
	return answer.FirstSaid(c.guess())
}

// isHealthy says that every comparison of a cipher has an interval, so that one is the worst, and in none update
// may be degraded.
func (p *pattern) isHealthy() bool {
	return !slices.ContainsFunc(p.slopes, func(s *slope) bool { return !s.OK || s.mayBeDegraded() })
}

func (s *slope) mayBeDegraded() bool {
	return s.OK && s.other != parameter.Blocks && s.High > degradedSlope
}

func (w *wayCost) unfit() bool { return !w.OK }

// healthy names the ciphers of a library of which it is certain that no way costs half
// as much a byte again.
func healthy(of []*pattern) *layout.Answer {
	var said answer.Clauses
	for _, p := range of {
		if p.isHealthy() {
			said.Add(layout.Same(p.cipher()), p.ways[0].RowIDs[0])
		}
	}
	return said.Sentence(layout.Plain, "%s: no internal pieces in %s; a byte of update costs less than %s times as much as in one call per message.",
		"%s：%s 没有内部切块；update 每字节的代价不到整条消息一次调用的 %s 倍。", of[0].library(), and(said.Parts), answer.Factor(degradedSlope))
}

func inconclusive(of []*pattern) *layout.Answer {
	var said answer.Clauses
	for _, p := range of {
		if p.isHealthy() || p.isDegraded() || slices.ContainsFunc(p.ways, (*wayCost).unfit) {
			continue
		}
		said.Evidence = append(said.Evidence, p.ways[0].RowIDs[0])
		most := 0 // blocks in which two ways could be fitted
		for _, s := range p.slopes {
			most = max(most, s.Blocks)
			if s.mayBeDegraded() {
				said.Add(layout.Say("%s %s times as much as with %[4]s (%[3]s)", "%s 为“%[4]s”的 %[2]s 倍（%[3]s）",
					p.cipher(), answer.Factor(s.Ratio), answer.Interval(s.Low, s.High), wayNames[s.other]))
			}
		}
		if p.worst == nil {
			said.Add(layout.Say("%s (too few blocks could be fitted: %s)", "%s（可拟合的数据组只有 %s 个，太少）", p.cipher(),
				answer.Number(most)))
		}
	}
	return said.Sentence(layout.Unclear, "%s: inconclusive whether update costs more per byte than another way: %s.",
		"%s：update 每字节代价是否高于其他方式，无法判定：%s。", of[0].library(), and(said.Parts))
}

// refused says where the cost model does not hold, so that no slope can be compared.
func refused(p *pattern) *layout.Answer {
	w := answer.First(p.ways, (*wayCost).unfit)
	if w == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Unclear, Evidence: w.RowIDs, Text: layout.Say(
		"%s, %s by %s: no cost per byte is given (%s).", "%s，%s，经 %s：不给出每字节代价（%s）。",
		p.library(), p.cipher(), wayNames[w.way], reason.Words(w.Reason))}
}

func (c *view) findings() (out []layout.Finding) {
	estimate := func(value, low, high float64) map[string]float64 {
		return map[string]float64{"value": value, "low": low, "high": high}
	}
	for _, p := range c.degraded {
		s := p.worst
		evidence := map[string]any{
			"library": p.Library, "version": p.Version, "call_path": p.CallPath, "algorithm": p.Algorithm, "mode": p.Mode,
			"way": parameter.Update, "against": s.other, "rows": p.evidence(),
			"slope_ratio":        estimate(s.Ratio, s.Low, s.High),
			"excess_ns_per_byte": estimate(s.Excess*1e9, s.ExcessLow*1e9, s.ExcessHigh*1e9),
			"confidence_level":   s.Level,
			"chunk_bytes":        nil, "chunk_ns": nil, "workaround": nil,
		}
		if p.said > 0 {
			evidence["said_bytes"] = p.said
		}
		if p.measured() {
			evidence["chunk_bytes"], evidence["chunk_ns"] = estimate(p.span()), estimate(p.pieceCost())
		} else if p.steps != nil {
			evidence["chunk_reason"] = p.steps.Reason
		}
		if x := p.around; x != nil {
			way := wayOf(c.ByID[x.Other])
			implementation := c.ByID[x.Other].Implementation
			if way != "" && way != parameter.Update {
				implementation = ""
			}
			evidence["workaround"] = map[string]any{"implementation": implementation, "way": way, "comparison": x.ID,
				"bytes": page, "ratio": x.Ratio, "low": *x.Low, "high": *x.High}
		}
		out = append(out, layout.Finding{Kind: "granularity", Severity: p.severity(), Text: c.words(p), Evidence: evidence})
	}
	return out
}
