package chunking

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/workarounds"
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
			{Command: "cryptogauge run chunking", Why: layout.Text{EN: "every cipher, mode and call size of the installed libraries", ZH: "已安装密码库的全部算法、工作模式与调用长度"}},
			{Command: "cryptogauge run chunking --library botan=/path/to/libbotan-3.so",
				Why: layout.Text{EN: "another version", ZH: "其他版本"}},
		},
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

// arounds are the workarounds, as implementations are called, in words.
var arounds = map[string]layout.Text{
	"ctr-bypass": {EN: "counters, the block function and XOR by the caller", ZH: "由调用方生成计数器、调用分组函数并异或"},
	"final":      {EN: "the flag FINAL on every call", ZH: "每次调用都带 FINAL 标志"},
	"oneshot":    {EN: "one call a message", ZH: "整条消息一次调用"},
	"coalesced":  {EN: "small writes copied together", ZH: "合并小块写入"},
}

// instead is what another row of a comparison does in the place of update: another way, or
// the same in an implementation of its own. It is named as parameters and implementations
// are, and in words.
func instead(r *document.Row) (name string, words layout.Text) {
	if way, _ := wayOf(r); way != "" && way != parameter.Update {
		return string(way), wayNames[way]
	}
	if known, ok := arounds[r.Implementation]; ok {
		return r.Implementation, layout.Say("%s (%s)", "%s（%s）", known, r.Implementation)
	}
	return r.Implementation, layout.Same(r.Implementation)
}

func (c *view) insteadOf(x *document.Comparison) string {
	name, _ := instead(c.ByID[x.Other])
	return name
}

// againstUpdate are the comparisons of a cipher's workarounds with update, where a
// page is handed over in calls of so many bytes.
func (c *view) againstUpdate(p *pattern, call int64) []*document.Comparison {
	var cs []*document.Comparison
	for i := range c.Doc.Comparisons {
		x := &c.Doc.Comparisons[i]
		base, other := c.ByID[x.Base], c.ByID[x.Other]
		if c.Compare(base, other) == nil || base.Bytes != page || !p.has(base) || base.Implementation != p.Implementation {
			continue
		}
		if way, size := wayOf(base); way == parameter.Update && size == call {
			cs = append(cs, x)
		}
	}
	named := func(x *document.Comparison) bool {
		return c.ByID[x.Other].Implementation != c.ByID[x.Base].Implementation
	}
	if slices.ContainsFunc(cs, named) { // they are those ways of calling, as people would use them
		return answer.Select(cs, named)
	}
	return cs
}

func (p *pattern) has(r *document.Row) bool {
	return r.Library == p.Library && r.Version == p.Version && r.CallPath == p.CallPath && r.Algorithm == p.Algorithm &&
		r.Mode == p.Mode
}

// bestAround is the workaround that is the fastest at a page, of those that are
// certainly faster than update; but what is for small writes is the last choice.
func (c *view) bestAround(p *pattern) (best *document.Comparison) {
	last := func(x *document.Comparison) bool { return c.ByID[x.Other].Implementation == "coalesced" }
	for _, x := range c.againstUpdate(p, page) {
		if x.Verdict == "faster" && (best == nil || last(best) && !last(x) || last(best) == last(x) && x.Ratio > best.Ratio) {
			best = x
		}
	}
	return best
}

func cipherName(r *document.Row) string  { return answer.CaseName(r.Algorithm, r.Mode) }
func libraryName(r *document.Row) string { return r.Library + " " + r.Version }

func (p *pattern) cipher() string  { return cipherName(p.Row) }
func (p *pattern) library() string { return libraryName(p.Row) }

// answers are the sentences, the most useful first: of each library what it cuts up and
// the ways around it, then what is healthy and what is inconclusive. The degraded
// ciphers one by one are findings.
func (c *view) answers() []layout.Answer {
	var first, then []*layout.Answer
	for _, slow := range answer.Grouped(c.slow, (*pattern).library) {
		first = slices.Concat(first, []*layout.Answer{answer.Short(c.explained(slow))}, c.advised(slow), []*layout.Answer{answer.Short(c.elsewhere(slow))})
	}
	first = append(c.mended(), first...)
	for _, of := range answer.Grouped(c.compared, (*pattern).library) {
		then = append(then, healthy(of), inconclusive(of))
	}
	for _, p := range c.compared {
		then = append(then, refused(p))
	}
	return answer.Said(append(first, then...)...)
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
		if i := slices.IndexFunc(p.slopes, func(s slope) bool { return s.OK && string(s.other) == c.insteadOf(x) }); i >= 0 {
			return &p.slopes[i]
		}
	}
	return p.worst
}

// costs says how many times as much a byte costs through update.
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
	for _, way := range []parameter.Manner{parameter.Update, p.worst.other} {
		if w := p.way(way); w != nil {
			ids = append(ids, w.RowIDs...)
		}
	}
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
	if len(slow) == 0 {
		return nil
	}
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

// elsewhere says how long a page takes in the cipher that a library is slowest in, by each way around it, and how long
// in other libraries: who may change the library gains more.
func (c *view) elsewhere(slow []*pattern) *layout.Answer {
	if len(slow) == 0 {
		return nil
	}
	worst := worstFirst(slow)[0]
	var said answer.Clauses
	var update *document.Row
	add := func(en, zh string, r *document.Row, name layout.Text) {
		if ns, ok := answer.Nanoseconds(r); ok {
			said.Add(layout.Say(en, zh, layout.FormatTime(ns), name), r.ID)
		}
	}
	for _, r := range c.waysAround([]*pattern{worst}) {
		x := r.faster[0]
		if update == nil {
			update = c.ByID[x.Base]
			add("by update %[1]s", "经 update %[1]s", update, layout.Text{})
		}
		add("%[2]s %[1]s", "%[2]s %[1]s", c.ByID[x.Other], r.short())
	}
	if update == nil {
		return nil
	}
	here := len(said.Parts)
	for _, r := range c.Rows {
		if _, around := doing[r.Implementation]; !around && r.Library != update.Library && r.CallPath == update.CallPath &&
			r.Environment == update.Environment && r.Case() == update.Case() {
			add("%[2]s %[1]s", "%[2]s %[1]s", r, layout.Same(libraryName(r)))
		}
	}
	if len(said.Parts) == here {
		return nil
	}
	return said.Sentence(layout.Plain, "%s of %s takes in %s %s; by update in %s.", "%s（%s）的耗时：%s %s；经 update，%s。", worst.cipher(), answer.SizeText(page), worst.library(),
		answer.List(said.Parts[:here]), answer.List(said.Parts[here:]))
}

// short is a remedy in a list.
func (r *remedy) short() layout.Text {
	if r.byHand() {
		return layout.Text{EN: "by hand", ZH: "自行编写"}
	}
	return layout.Say("with %s", "以 %s", r.name)
}

// remedy is a workaround of a library, with the comparisons of the ciphers that it speeds up
// with update: the best cipher first.
type remedy struct {
	library, name string
	faster        []*document.Comparison
}

// oneCall are the workarounds that change one argument or one call, the easiest first;
// coalesced comes after them, since it copies. The others the caller writes by hand.
var oneCall = []string{string(parameter.Final), string(parameter.Oneshot), "coalesced"}

// waysAround are what helps a library's slow ciphers for certain: each cipher by the easiest
// way that is faster, and by hand where that is faster still. The easiest come first.
func (c *view) waysAround(slow []*pattern) (all []*remedy) {
	add := func(p *pattern, x *document.Comparison) {
		name := c.insteadOf(x)
		r := answer.First(all, func(r *remedy) bool { return r.name == name })
		if r == nil {
			r = &remedy{library: p.Library, name: name}
			all = append(all, r)
		}
		r.faster = append(r.faster, x)
	}
	for _, p := range worstFirst(slow) {
		easy := c.easiestAround(p)
		if easy != nil {
			add(p, easy)
		}
		if x := p.around; x != nil && x != easy && (easy == nil || *x.Low > *easy.High) {
			add(p, x)
		}
	}
	rank := func(r *remedy) int { return (slices.Index(oneCall, r.name) + len(oneCall) + 1) % (len(oneCall) + 1) }
	slices.SortStableFunc(all, func(x, y *remedy) int { return cmp.Compare(rank(x), rank(y)) })
	return all
}

// easiestAround is the workaround that takes the least to write, of those that are certainly
// faster than update.
func (c *view) easiestAround(p *pattern) *document.Comparison {
	for _, name := range oneCall {
		for _, x := range c.againstUpdate(p, page) {
			if c.insteadOf(x) == name && answer.Decided(x, "faster") && (p.isDegraded() || *x.Low > degradedSlope) {
				return x
			}
		}
	}
	return nil
}

// gains are by how much a remedy pays, a cipher each.
func (c *view) gains(r *remedy) (said answer.Clauses) {
	for _, x := range r.faster {
		said.Add(layout.Say("%s %s (%s)", "%s %s 倍（%s）", cipherName(c.ByID[x.Base]),
			answer.Factor(x.Ratio), answer.Limits(x)), x.ID)
	}
	return said
}

var doing = map[string]layout.Text{
	"final":      {EN: "pass the flag FINAL on every call", ZH: "每次调用都带上 FINAL 标志"},
	"oneshot":    {EN: "hand over each message in one call", ZH: "每条消息一次调用传入"},
	"coalesced":  {EN: "copy small writes together", ZH: "先合并小块写入"},
	"ctr-bypass": {EN: "make the counters, call the block function and XOR yourself", ZH: "自行生成计数器、调用分组函数并异或"},
}

// origins say what to do about a remedy that is not what a manual says, and proofs how it was proven (proof.go of Botan's
// binding: a remedy that differs from update anywhere is refused, and has no number).
var origins = map[string]layout.Text{
	"final": {EN: "No manual describes this: check once, at start, that it gives the bytes of update. ", ZH: "手册未载明此法：请在启动时核对一次其输出与 update 相同。"},
}

var proofs = map[string]layout.Text{
	"final": {EN: " It is read from Botan's source, and its output was compared with update's before it was timed (1 to 4609 bytes, in calls of 1 to 4096).",
		ZH: "它依据 Botan 的源码；计时前已将其输出与 update 逐字节核对：消息 1 至 4609 字节，每次调用 1 至 4096 字节。"},
}

func (r *remedy) does() layout.Text { return cmp.Or(doing[r.name], wayNames[parameter.Manner(r.name)]) }

// byHand says that a remedy is written by the caller, who must get it right.
func (r *remedy) byHand() bool { return !slices.Contains(oneCall, r.name) }

// advised are the remedies, each with its code: first those of one argument or one call.
func (c *view) advised(slow []*pattern) (all []*layout.Answer) {
	for i, r := range c.waysAround(slow) {
		said := c.gains(r)
		mark, en, zh := layout.Choose, "%s: %s (%s). %[6]sMessages of %[4]s, times as fast as by update: %[5]s.", "%s：%s（%s）。%[6]s消息长度 %[4]s 时，速度为 update 的：%[5]s。"
		if r.byHand() {
			en, zh = "%s, by hand: %s (%s). Messages of %s, times as fast as by update: %s. Compare its output with update once, at start.",
				"%s，自行编写：%s（%s）。消息长度 %s 时，速度为 update 的：%s。启动时请与 update 的输出核对一次。"
			if i > 0 {
				mark = layout.Plain
			}
		}
		args := []any{libraryName(c.ByID[r.faster[0].Base]), r.does(), r.name, answer.SizeText(page), said.Join()}
		if !r.byHand() {
			args = append(args, origins[r.name])
		}
		a := said.Sentence(mark, en, zh, args...)
		a.Text, a.Listings = layout.Say("%s%s", "%s%s", a.Text, proofs[r.name]), listings(r.library, r.name)
		all = append(all, a)
	}
	return all
}

// line is the question in one sentence: the remedy of the library that needs one the most, or
// that none does.
func (c *view) line() layout.Answer {
	if len(c.slow) == 0 {
		return c.lineOfHealthy()
	}
	worst := worstFirst(c.slow)[0]
	l := answer.Summary{Mark: layout.Stop, Do: layout.Say("Avoid update for %s in %s, which splits its input", "%[2]s 的 %[1]s 不要直接用 update（会把输入切成小块）",
		worst.cipher(), worst.Library)}
	switch {
	case !worst.isDegraded():
		l.Do = layout.Say("Avoid update for %s in %s, which is slow", "%[2]s 的 %[1]s 不要直接用 update（很慢）", worst.cipher(), worst.Library)
	case !worst.measured():
		l.Do = layout.Say("Avoid update for %s in %s, which probably splits its input", "%[2]s 的 %[1]s 不要直接用 update（很可能会把输入切成小块）", worst.cipher(), worst.Library)
	}
	for i, r := range c.waysAround([]*pattern{worst}) {
		x := r.faster[0]
		part := layout.Say("by hand %s times (%s)", "自行编写为 %s 倍（%s）", answer.Factor(x.Ratio), answer.Limits(x))
		if i == 0 {
			part = layout.Say("%s, %s times as fast (%s)", "请%s，速度为 update 的 %s 倍（%s）", r.does(), answer.Factor(x.Ratio), answer.Limits(x))
			if r.name == "final" { // whose name speaks of an end
				part = layout.Say("with FINAL on every call, after which the stream goes on, %s times as fast (%s)",
					"请每次调用都带上 FINAL 标志（其后密钥流照常接续），速度为 update 的 %s 倍（%s）", answer.Factor(x.Ratio), answer.Limits(x))
			}
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
	ciphers := 0
	for _, of := range answer.Grouped(c.compared, (*pattern).library) {
		named := false
		for _, p := range of {
			if p.worst != nil && p.isHealthy() {
				if said.Evidence = append(said.Evidence, p.ways[0].RowIDs[0]); !named {
					said.Parts, named = append(said.Parts, layout.Same(libraryName(p.Row))), true
				}
				ciphers++
			} else if p.worst != nil {
				open.Add(layout.Say("%s %s %s times as much (%s)", "%s 的 %s 为 %s 倍（%s）", p.Library, p.cipher(), answer.Factor(p.worst.Ratio),
					answer.Interval(p.worst.Low, p.worst.High)), p.ways[0].RowIDs[0])
			}
		}
	}
	switch {
	case len(open.Parts) > 0:
		return answer.FirstSaid(open.Sentence(layout.Unclear, "Inconclusive whether update costs more per byte than another way: best estimate %s.",
			"update 每字节的代价是否高于其他方式，无法判定：最佳估计 %s。", open.Parts[0]))
	case ciphers > 0:
		return answer.FirstSaid(said.Sentence(layout.Choose, "Use update as it is in %s: input is not split (a byte costs less than %s times another way's), %s ciphers.",
			"%s 的 update 可放心使用：没有内部切块（每字节代价不到其他方式的 %s 倍），共 %s 种算法。", and(said.Parts), answer.Factor(degradedSlope), answer.Number(ciphers)))
	}
	return layout.Answer{}
}

// isHealthy says that every comparison of a cipher has an interval, and in none update
// may be degraded.
func (p *pattern) isHealthy() bool {
	return !slices.ContainsFunc(p.slopes, func(s slope) bool { return !s.OK || s.mayBeDegraded() })
}

func (s slope) mayBeDegraded() bool {
	return s.OK && s.other != parameter.Blocks && s.High > degradedSlope
}

func (w wayCost) unfit() bool { return !w.OK }

// healthy names the ciphers of a library of which it is certain that no way costs half
// as much a byte again.
func healthy(of []*pattern) *layout.Answer {
	var said answer.Clauses
	for _, p := range of {
		if p.worst != nil && p.isHealthy() {
			said.Add(layout.Same(p.cipher()), p.ways[0].RowIDs[0])
		}
	}
	return said.Sentence(layout.Plain, "%s: no internal pieces in %s; a byte of update costs less than %s times as much as in one call per message.",
		"%s：%s 没有内部切块；update 每字节的代价不到整条消息一次调用的 %s 倍。", of[0].library(), and(said.Parts), answer.Factor(degradedSlope))
}

func inconclusive(of []*pattern) *layout.Answer {
	var said answer.Clauses
	for _, p := range of {
		if p.isHealthy() || p.isDegraded() || slices.ContainsFunc(p.ways, wayCost.unfit) {
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
	i := slices.IndexFunc(p.ways, wayCost.unfit)
	if i < 0 {
		return nil
	}
	w := p.ways[i]
	return &layout.Answer{Mark: layout.Unclear, Evidence: w.RowIDs, Text: layout.Say(
		"%s, %s by %s: the cost model does not fit, so no cost per byte is given (%s).", "%s，%s，经 %s：代价模型与测量不符，因此不给出每字节代价（%s）。",
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
			way, _ := wayOf(c.ByID[x.Other])
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

// listings are what a caller of a library writes for a workaround, in C and in Go.
func listings(library, workaround string) (all []layout.Listing) {
	for _, l := range workarounds.All() {
		if l.Library == library && l.Implementation == workaround {
			all = append(all, layout.Listing{Title: layout.Say("In C: %s", "C 代码：%s", arounds[workaround]), Language: "c", Code: l.C},
				layout.Listing{Title: layout.Say("In Go, by cgo: %s", "Go 代码（cgo）：%s", arounds[workaround]), Language: "go", Code: l.Go})
		}
	}
	return all
}
