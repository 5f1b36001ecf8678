package chunking

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/workarounds"
)

// remedy is a workaround of a library, with the comparisons of the ciphers that it speeds up
// with update: the best cipher first.
type remedy struct {
	library, name string
	faster        []*document.Comparison
}

// oneCall are the workarounds that change one argument or one call, the easiest first;
// coalesced comes after them, since it copies. The others the caller writes by hand.
var oneCall = []string{string(parameter.Final), string(parameter.Oneshot), "coalesced"}

type around struct {
	what, does layout.Text
	// note is what whoever writes it must know beside its code, which has no comments: it is read in both languages.
	note layout.Text
	// origin says what to do about one that is not what a manual says, and proof how it was proven (proof.go of
	// Botan's binding: a remedy that differs from update anywhere is refused, and has no number).
	origin, proof layout.Text
}

// arounds are the workarounds, as implementations are called.
var arounds = map[string]around{
	"ctr-bypass": {
		what: layout.Text{EN: "counters, the block function and XOR by the caller", ZH: "由调用方生成计数器、调用分组函数并异或"},
		does: layout.Text{EN: "make the counters, call the block function and XOR yourself", ZH: "自行生成计数器、调用分组函数并异或"},
		note: layout.Text{
			EN: "bc is a block cipher under the same key; hi and lo are the IV as two 64-bit big-endian numbers; counters and stream have 4096 bytes.",
			ZH: "bc 是设置了同一密钥的分组密码；hi、lo 是将 IV 按大端序读作两个 64 位整数；counters、stream 各 4096 字节。"}},
	"final": {
		what: layout.Text{EN: "the flag FINAL on every call", ZH: "每次调用都带 FINAL 标志"},
		does: layout.Text{EN: "pass the flag FINAL on every call", ZH: "每次调用都带上 FINAL 标志"},
		note: layout.Text{EN: "Every piece of the message has the flag, not only the last: the key stream goes on.",
			ZH: "消息的每一段都要带此标志，而不只是最后一段：密钥流会接着上一段继续。"},
		origin: layout.Text{EN: "No manual describes this: check once, at start, that its output equals that of update. ",
			ZH: "手册未载明此法：请在启动时核对一次其输出与 update 相同。"},
		proof: layout.Text{
			EN: " We found it in Botan's source; its output was compared with update's before it was timed (1 to 4609 bytes, in calls of 1 to 4096).",
			ZH: "此法得自 Botan 源码；计时前已将其输出与 update 逐字节核对：消息 1 至 4609 字节，每次调用 1 至 4096 字节。"}},
	"oneshot": {
		what: layout.Text{EN: "one call a message", ZH: "整条消息一次调用"},
		does: layout.Text{EN: "hand over each message in one call", ZH: "每条消息一次调用传入"},
		note: layout.Text{EN: "out has room for the tag.", ZH: "out 须留出认证标签的空间。"}},
	"coalesced": {
		what: layout.Text{EN: "small writes copied together", ZH: "合并小块写入"},
		does: layout.Text{EN: "copy small writes together", ZH: "先合并小块写入"},
		note: layout.Text{
			EN: "In buffer, of 4096 bytes, used bytes are waiting: hand them over, too, at the end. In Go, finals.Write is one call with the flag FINAL.",
			ZH: "buffer 为 4096 字节，其中 used 字节尚未交出，结束时也要交出。Go 代码中的 finals.Write 即一次带 FINAL 标志的调用。"}},
}

// instead is what another row of a comparison does in the place of update: another way, or
// the same in an implementation of its own. It is named as parameters and implementations
// are, and in words.
func instead(r *document.Row) (name string, words layout.Text) {
	if way := wayOf(r); way != "" && way != parameter.Update {
		return string(way), wayNames[way]
	}
	if known, ok := arounds[r.Implementation]; ok {
		return r.Implementation, layout.Say("%s (%s)", "%s（%s）", known.what, r.Implementation)
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
	cs := answer.Select(c.Comparisons, func(x *document.Comparison) bool {
		base := c.ByID[x.Base]
		return c.Compare(base, c.ByID[x.Other]) != nil && base.Bytes == page && p.has(base) &&
			wayOf(base) == parameter.Update && callOf(base) == call
	})
	named := func(x *document.Comparison) bool {
		return c.ByID[x.Other].Implementation != c.ByID[x.Base].Implementation
	}
	if slices.ContainsFunc(cs, named) { // they are those ways of calling, as people would use them
		return answer.Select(cs, named)
	}
	return cs
}

// bestAround is the workaround that is the fastest at a page, of those that are
// certainly faster than update; but what is for small writes is the last choice.
func (c *view) bestAround(p *pattern) *document.Comparison {
	faster := answer.Select(c.againstUpdate(p, page), func(x *document.Comparison) bool { return x.Verdict == "faster" })
	last := answer.Behind(func(x *document.Comparison) bool { return c.ByID[x.Other].Implementation == "coalesced" })
	slices.SortStableFunc(faster, func(x, y *document.Comparison) int {
		return cmp.Or(last(x, y), cmp.Compare(y.Ratio, x.Ratio))
	})
	return cmp.Or(faster...)
}

// elsewhere says how long a page takes in the cipher that a library is slowest in, by each way around it, and how long
// in other libraries: who may change the library gains more.
func (c *view) elsewhere(slow []*pattern) *layout.Answer {
	worst := worstFirst(slow)[0]
	var said answer.Clauses
	var update *document.Row
	add := func(name layout.Text, r *document.Row) {
		if ns, ok := answer.Nanoseconds(r); ok {
			said.Add(layout.Say("%s %s", "%s %s", name, layout.FormatTime(ns)), r.ID)
		}
	}
	for _, r := range c.waysAround([]*pattern{worst}) {
		x := r.faster[0]
		if update == nil {
			update = c.ByID[x.Base]
			add(layout.Text{EN: "by update", ZH: "经 update"}, update)
		}
		add(r.short(), c.ByID[x.Other])
	}
	if update == nil {
		return nil
	}
	here := len(said.Parts)
	for _, r := range c.Rows {
		if _, around := arounds[r.Implementation]; !around && r.Library != update.Library && r.CallPath == update.CallPath &&
			r.Environment == update.Environment && r.Case() == update.Case() {
			add(layout.Same(answer.Versioned(r)), r)
		}
	}
	if len(said.Parts) == here {
		return nil
	}
	return said.Sentence(layout.Plain, "%s of %s takes in %s %s; by update in %s.", "%s（%s）的耗时：%s %s；经 update，%s。", worst.cipher(), answer.SizeText(page), worst.library(),
		answer.List(said.Parts[:here]), answer.List(said.Parts[here:]))
}

func (r *remedy) short() layout.Text {
	if r.byHand() {
		return layout.Text{EN: "by hand", ZH: "自行编写"}
	}
	return layout.Say("with %s", "以 %s", r.name)
}

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
	slices.SortStableFunc(all, func(x, y *remedy) int { return cmp.Compare(ease(x.name), ease(y.name)) })
	return all
}

// easiestAround is the workaround that takes the least to write, of those that are certainly
// faster than update.
func (c *view) easiestAround(p *pattern) *document.Comparison {
	return c.easiest(answer.Select(c.againstUpdate(p, page), func(x *document.Comparison) bool {
		return slices.Contains(oneCall, c.insteadOf(x)) && x.Verdict == "faster" && (p.isDegraded() || *x.Low > degradedSlope)
	}))
}

// easiest is the first of those of some workarounds that take the least to write, or nil.
func (c *view) easiest(of []*document.Comparison) *document.Comparison {
	slices.SortStableFunc(of, func(x, y *document.Comparison) int {
		return cmp.Compare(ease(c.insteadOf(x)), ease(c.insteadOf(y)))
	})
	return cmp.Or(of...)
}

func (r *remedy) does() layout.Text {
	return cmp.Or(arounds[r.name].does, wayNames[parameter.Manner(r.name)])
}

// pays says what to do and by how much that is faster than update, with why it decides nothing where it does not.
func (r *remedy) pays() layout.Text {
	x, do := r.faster[0], layout.Say("%s", "请%s", r.does())
	undecided := x.Verdict == "inconclusive"
	switch {
	case r.name == "final" && undecided:
		do = layout.Text{EN: "with FINAL on every call", ZH: "请每次调用都带上 FINAL 标志"}
	case r.name == "final": // whose name speaks of an end
		do = layout.Text{EN: "with FINAL on every call, after which the stream goes on", ZH: "请每次调用都带上 FINAL 标志（其后密钥流照常接续）"}
	}
	if undecided {
		return layout.Say("%s, about %s times as fast (%s, %s)", "%s，速度约为 update 的 %s 倍（%s，%s）", do,
			answer.Factor(x.Ratio), answer.Limits(x), answer.Open(x))
	}
	return layout.Say("%s, %s times as fast (%s)", "%s，速度为 update 的 %s 倍（%s）", do, answer.Factor(x.Ratio), answer.Limits(x))
}

// guess is the remedy that may pay the most where too little was measured to find any cipher slow for certain: the
// easiest of the cipher in which one is the furthest ahead of update, by the whole interval.
func (c *view) guess() *layout.Answer {
	var worst *pattern
	var best *document.Comparison
	for _, p := range c.patterns {
		for _, x := range c.mayHelp(p) {
			if best == nil || x.Ratio > best.Ratio {
				worst, best = p, x
			}
		}
	}
	if best == nil {
		return nil
	}
	easiest := c.easiest(c.mayHelp(worst))
	r := &remedy{worst.Library, c.insteadOf(easiest), []*document.Comparison{easiest}}
	l := answer.Summary{Mark: layout.Unclear,
		Do: layout.Say("Avoid update for %s in %s", "%[2]s 的 %[1]s 不要直接用 update", worst.cipher(), worst.Library)}
	l.Pay(r.pays(), easiest)
	return new(l.Answer())
}

// mayHelp are the workarounds of one argument or one call whose whole interval is far above update. Nobody writes one by
// hand for a guess.
func (c *view) mayHelp(p *pattern) []*document.Comparison {
	return answer.Select(c.againstUpdate(p, page), func(x *document.Comparison) bool {
		return x.Low != nil && *x.Low > degradedSlope && slices.Contains(oneCall, c.insteadOf(x))
	})
}

// ease ranks the workarounds: those of one argument or one call first.
func ease(name string) int {
	return (slices.Index(oneCall, name) + len(oneCall) + 1) % (len(oneCall) + 1)
}

// byHand says that a remedy is written by the caller, who must get it right.
func (r *remedy) byHand() bool { return !slices.Contains(oneCall, r.name) }

// advised are the remedies, each with its code: first those of one argument or one call.
func (c *view) advised(slow []*pattern) (all []*layout.Answer) {
	for i, r := range c.waysAround(slow) {
		var said answer.Clauses
		for _, x := range r.faster {
			said.Add(layout.Say("%s %s (%s)", "%s %s 倍（%s）", cipherName(c.ByID[x.Base]),
				answer.Factor(x.Ratio), answer.Limits(x)), x.ID)
		}
		mark, en, zh := layout.Choose, "%s: %s (%s). %[6]sMessages of %[4]s, times as fast as by update: %[5]s.", "%s：%s（%s）。%[6]s消息长度 %[4]s 时，速度为 update 的：%[5]s。"
		if r.byHand() {
			en, zh = "%s, by hand: %s (%s). Messages of %s, times as fast as by update: %s. %sCompare its output with update once, at start.",
				"%s，自行编写：%s（%s）。消息长度 %s 时，速度为 update 的：%s。%s启动时请与 update 的输出核对一次。"
			if i > 0 {
				mark = layout.Plain
			}
		}
		a := said.Sentence(mark, en, zh, answer.Versioned(c.ByID[r.faster[0].Base]), r.does(), r.name, answer.SizeText(page),
			said.Join(), arounds[r.name].origin)
		a.Text, a.Listings = layout.Say("%s%s", "%s%s", a.Text, arounds[r.name].proof), listings(r.library, r.name)
		all = append(all, a)
	}
	return all
}

// listings are what a caller of a library writes for a workaround, in C and in Go.
func listings(library, workaround string) (all []layout.Listing) {
	for _, l := range workarounds.All() {
		if l.Library == library && l.Implementation == workaround {
			x := arounds[workaround]
			inC := layout.Say("In C: %s. %s", "C 代码：%s。%s", x.what, x.note)
			inGo := layout.Say("In Go, by cgo: %s. %s", "Go 代码（cgo）：%s。%s", x.what, x.note)
			all = append(all, layout.Listing{Title: inC, Language: "c", Code: l.C},
				layout.Listing{Title: inGo, Language: "go", Code: l.Go})
		}
	}
	return all
}

// versions are what a cipher is in two versions of a library: degraded in the older and healthy in the newer.
type versions struct{ older, newer *pattern }

// mended says from which version on a library no longer works in small pieces, where a run has several versions.
func (c *view) mended() (all []*layout.Answer) {
	var found []versions
	unversioned := func(p *pattern) string {
		return strings.Join([]string{p.Library, p.CallPath, p.Implementation, p.cipher()}, " ")
	}
	for _, same := range document.Grouped(c.compared, unversioned) {
		if v, ok := mendedIn(same); ok {
			found = append(found, v)
		}
	}
	for _, of := range document.Grouped(found, func(v versions) string { return v.older.library() + " " + v.newer.Version }) {
		var said answer.Clauses
		for _, v := range of {
			said.Add(layout.Same(v.older.cipher()), v.older.ways[0].RowIDs[0], v.newer.ways[0].RowIDs[0])
		}
		first := of[0]
		all = append(all, said.Sentence(layout.Choose,
			"%s: take version %s instead of a way around update: in %s update of %s works in small pieces, that of %s does not. Of the versions in this run it is the first that is mended.",
			"%s：请改用 %s 版，而不是绕开 update：处理 %s 时，%s 的 update 在内部切成小块，%s 不再如此。在本次运行的各版本中，它最早修复了此问题。",
			first.older.Library, first.newer.Version, and(said.Parts), first.older.Version, first.newer.Version))
	}
	return all
}

// mendedIn finds the newest version that is degraded and the first one behind it that certainly is not.
func mendedIn(same []*pattern) (v versions, ok bool) {
	rising := slices.SortedFunc(slices.Values(same), func(a, b *pattern) int { return compareVersions(a.Version, b.Version) })
	for _, p := range rising {
		switch {
		case p.isDegraded():
			v = versions{older: p}
		case v.older != nil && v.newer == nil && p.isHealthy() && compareVersions(v.older.Version, p.Version) < 0:
			v.newer = p
		}
	}
	return v, v.newer != nil
}

// compareVersions compares numbers between dots; what no number begins comes first.
func compareVersions(a, b string) int {
	number := func(s string) int {
		n, _ := strconv.Atoi(s[:len(s)-len(strings.TrimLeft(s, "0123456789"))])
		return n
	}
	for a != "" || b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		if c := cmp.Compare(number(x), number(y)); c != 0 {
			return c
		}
	}
	return 0
}
