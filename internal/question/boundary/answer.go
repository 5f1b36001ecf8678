package boundary

import (
	"fmt"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

var Question = answer.Question{Name: "boundary", Ways: true, Narrowing: []string{"--algorithms", "--sizes", "--libraries"},
	Layout: layOut,
	Asks: layout.Text{EN: "What does calling C from Go cost, and from which message size does it no longer matter?",
		ZH: "从 Go 调用 C 的代价是多少？消息多长时可以忽略？"}}

// layOut lays out what it costs to call C from Go, from which size of message that
// no longer matters, and what batches give.
func layOut(v *answer.View) layout.Layout {
	b := newView(v)
	line, chosen := b.Chosen(b.advice()...)
	fading := answer.FirstShort(1, document.Mapped(b.beyond, b.fading))
	return layout.Layout{
		Line:  answer.FirstSaid(line, b.price()),
		Title: layout.Text{EN: "Calling C from Go (cgo, purego)", ZH: "从 Go 调用 C（cgo、purego）"},
		Answers: answer.Said(slices.Concat([]*layout.Answer{answer.Short(b.price())}, fading,
			document.Mapped(b.beyond, b.batches), document.Mapped(b.beyond, b.worthIt), chosen)...),
		Headline: b.headline(),
		Tables:   b.tables(),
		Charts:   b.charts(),
		Next: []layout.Next{
			answer.Run("boundary", "16 B to 1 MiB, CTR and SHA-256 too, and batches", "16 B 至 1 MiB，另有 CTR、SHA-256 与批处理")},
	}
}

type view struct {
	*answer.View
	sizes   []int64         // of messages, rising
	ciphers []string        // by name, and other operations
	beyond  []*document.Row // the first of each cipher and library behind the boundary
}

func newView(v *answer.View) *view {
	b := &view{View: v, ciphers: answer.Values(v.Rows, cipher, nil)}
	b.sizes = answer.Values(v.Rows, answer.BytesOf, func(r *document.Row) bool { return batchOf(r) == 1 })
	slices.Sort(b.sizes)
	libraries := answer.Select(v.Rows, func(r *document.Row) bool { return r.CallPath != subject.Direct })
	for _, rows := range document.Grouped(libraries, func(r *document.Row) [2]string {
		return [2]string{cipher(r), answer.Versioned(r)}
	}) {
		b.beyond = append(b.beyond, rows[0])
	}
	return b
}

func cipher(r *document.Row) string { return answer.CaseName(r.Algorithm, r.Mode) }

func alike(a, b *document.Row) bool {
	return cipher(a) == cipher(b) && answer.Versioned(a) == answer.Versioned(b)
}

// crossingPaths are those that cross once a call, the everyday one first, and paths all
// in the order in which people look for them.
var (
	crossingPaths = []string{subject.Cgo, subject.Purego}
	paths         = []string{subject.Direct, subject.Cgo, subject.Purego, subject.CLoop}
)

func pathName(path string) layout.Text {
	switch path {
	case subject.Direct:
		return layout.Text{EN: "Go's own assembly", ZH: "Go 自身的汇编"}
	case subject.CLoop:
		return layout.Text{EN: "a loop in C", ZH: "C 内循环"}
	}
	return layout.Same(path)
}

func batchOf(r *document.Row) int64 { return int64(max(1, parameter.Batch.In(r.Parameters))) }

// single is the row of the same as another by a path, for one message of a size.
func (b *view) single(like *document.Row, path string, bytes int64) *document.Row {
	return answer.First(b.Rows, func(r *document.Row) bool {
		return alike(r, like) && r.CallPath == path && r.Bytes == bytes && batchOf(r) == 1
	})
}

func (b *view) empty(path string) *document.Row {
	return b.Laboratory(func(r *document.Row) bool {
		return r.Mode == "crossing" && r.CallPath == path && r.NsPerOp != nil
	})
}

// advice is by which way to call each cipher with its shortest and its longest message, where a library
// in C is there to call.
func (b *view) advice() (all []answer.Advice) {
	if len(b.sizes) == 0 || len(b.beyond) == 0 {
		return nil
	}
	weak := func(r *document.Row) bool { return len(r.Weaknesses()) > 0 }
	ciphers := answer.Values(b.Rows, cipher, func(r *document.Row) bool { return !weak(r) })
	if len(ciphers) == 0 {
		ciphers = b.ciphers
	}
	for _, name := range ciphers {
		for _, size := range slices.Compact([]int64{b.sizes[0], b.sizes[len(b.sizes)-1]}) {
			rows := answer.Select(b.Rows, func(r *document.Row) bool {
				return cipher(r) == name && r.Bytes == size && batchOf(r) == 1 && r.Environment == ""
			})
			all = append(all, answer.Advice{Ways: true, Contrast: true, Sized: true, Rows: rows, Job: layout.Say("messages of %s", "%s 消息", answer.SizeText(size)),
				Name:   func(r *document.Row) layout.Text { return layout.Same(cipher(r)) },
				Usual:  func(r *document.Row) bool { return r.CallPath == subject.Cgo },
				Secure: answer.Authenticated,
				Costs: func(best *document.Row) layout.Text {
					r := b.empty(subject.Cgo)
					if r == nil {
						return layout.Text{}
					}
					return layout.Say("an empty call into C takes %s", "一次空的 C 调用耗时 %s", layout.FormatTime(r.NsPerOp.Median))
				}})
		}
	}
	return all
}

func (b *view) price() *layout.Answer {
	var said answer.Clauses
	for _, path := range crossingPaths {
		if r := b.empty(path); r != nil && r.NsPerOp.Low != nil && r.NsPerOp.High != nil {
			said.Add(layout.Say("%s by %s (%s)", "经 %[2]s 为 %[1]s（%[3]s）", layout.FormatTime(r.NsPerOp.Median), pathName(path),
				answer.Ranging(*r.NsPerOp.Low, *r.NsPerOp.High)), r.ID)
		}
	}
	var own layout.Text
	if r := b.empty(subject.Direct); r != nil {
		own = layout.Say("; a call of Go's own assembly %s", "；调用 Go 自身的汇编为 %s", layout.FormatTime(r.NsPerOp.Median))
		said.Evidence = append(said.Evidence, r.ID)
	}
	return said.Sentence(layout.Plain, "An empty call from Go into C and back costs %s%s. A message takes several calls.",
		"从 Go 到 C 再返回，一次空调用%s%s。一条消息需要多次调用。", said.Join(), own)
}

// crossover is the first of a kind of which a row like another, by a path, is a side.
func (b *view) crossover(like *document.Row, path string, is func(document.Crossover) bool) *document.Crossover {
	for i, c := range b.Doc.Crossovers {
		for _, id := range []string{c.A, c.B} {
			r := b.ByID[id]
			if r != nil && is(c) && alike(r, like) && r.CallPath == path {
				return &b.Doc.Crossovers[i]
			}
		}
	}
	return nil
}

func fadingAway(c document.Crossover) bool { return c.Within > 0 }
func overtaking(c document.Crossover) bool { return c.Within <= 0 }

// fading says from which size on a crossing costs less than the share that was
// declared, by each path.
func (b *view) fading(like *document.Row) *layout.Answer {
	var said answer.Clauses
	share, mark := 0.0, layout.Unclear
	for _, path := range crossingPaths {
		if c := b.crossover(like, path, fadingAway); c != nil {
			if share = c.Within; c.Kind != document.Undecided {
				mark = layout.Plain
			}
			said.Add(layout.Say("%s %s", "%s %s", pathName(path), fades(c)), append([]string{c.A, c.B}, c.Comparisons...)...)
		}
	}
	return said.Sentence(mark, "%s of %s: message sizes at which the call into C adds less than %s to the time: %s.",
		"%[2]s 的 %[1]s，调用 C 使耗时增加不到 %[3]s 的消息长度：%[4]s。",
		cipher(like), b.Versioned(like), wholePercent(share), answer.Semicolons(said.Parts))
}

func wholePercent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func fades(c *document.Crossover) layout.Text {
	switch {
	case c.Kind == document.Fades && c.Bytes != nil && c.Bytes.Low != nil && c.Bytes.High != nil:
		return layout.Say("from about %s on (%s)", "约 %s 起（%s）", answer.MemoryText(c.Bytes.Median), sizeRange(c.Bytes))
	case c.Kind == document.Fades && c.Bytes != nil:
		return layout.Say("from between %s and %s on", "自 %s 与 %s 之间起", answer.SizeText(c.Between[0]),
			answer.SizeText(c.Between[1]))
	case c.Kind == document.Fades:
		return layout.Say("at every measured size (from %s on)", "所有实测长度（%s 起）", answer.SizeText(c.Sizes[0]))
	case c.Kind == document.Never:
		return layout.Say("at no measured size (up to %s)", "在所有实测长度（至 %s）上均未达到", answer.SizeText(c.Sizes[len(c.Sizes)-1]))
	}
	return layout.Text{EN: "inconclusive", ZH: "无法判定"}
}

func sizeRange(e *document.Estimate) string {
	return answer.Span(*e.Low, *e.High, answer.MemoryText)
}

// batches says what handing over several messages in one crossing gives, at the
// shortest message and at the longest that it was tried with.
func (b *view) batches(like *document.Row) *layout.Answer {
	var all []*document.Comparison
	for _, r := range b.batched(cipher(like)) {
		if c := b.Compare(b.single(r, r.CallPath, r.Bytes/batchOf(r)), r); c != nil && alike(r, like) {
			all = append(all, c)
		}
	}
	if len(all) > 2 {
		all = []*document.Comparison{all[0], all[len(all)-1]}
	}
	var said answer.Clauses
	messages, mark := int64(0), layout.Plain
	for _, c := range all {
		messages = batchOf(b.ByID[c.Other])
		if c.Verdict == "faster" {
			mark = layout.Choose
		}
		said.Tell(layout.Say("at %s a batch %s", "%s 时批处理%s", answer.SizeText(b.ByID[c.Base].Bytes),
			answer.Versus(c, layout.Text{EN: "single calls", ZH: "逐条调用"})), c)
	}
	return said.Sentence(mark, "%s of %s, %d messages in one call into C: %s.", "%[2]s 的 %[1]s，%[3]d 条消息合为一次 C 调用：%[4]s。",
		cipher(like), b.Versioned(like), messages, said.Join())
}

func (b *view) worthIt(like *document.Row) *layout.Answer {
	for _, path := range crossingPaths {
		if c := b.crossover(like, path, overtaking); c != nil {
			mark, text := b.crossed(c, b.Versioned(like))
			return &layout.Answer{Mark: mark, Evidence: append([]string{c.A, c.B}, c.Comparisons...),
				Text: layout.Say("%s: %s.", "%s：%s。", cipher(like), text)}
		}
	}
	return nil
}

func (b *view) crossed(c *document.Crossover, who string) (layout.Mark, layout.Text) {
	least, most := answer.SizeText(c.Sizes[0]), answer.SizeText(c.Sizes[len(c.Sizes)-1])
	x, y := b.side(c.A), b.side(c.B)
	switch c.Kind {
	case document.Overtakes:
		where := layout.Say("between %s and %s", "%s 与 %s 之间", answer.SizeText(c.Between[0]), answer.SizeText(c.Between[1]))
		if c.Bytes.Low != nil && c.Bytes.High != nil {
			where = layout.Say("about %s (%s)", "约 %s（%s）", answer.MemoryText(c.Bytes.Median), sizeRange(c.Bytes))
		}
		return layout.Plain, layout.Say("%s is faster for short messages, and %s for long ones, from %s on",
			"短消息 %s 更快，长消息 %s 更快，分界为 %s", x, y, where)
	case document.Never:
		return layout.Plain, layout.Say("%s was never faster than %s, measured from %s to %s",
			"从 %[3]s 到 %[4]s，%[1]s 从未快过 %[2]s", y, x, least, most)
	case document.Level:
		return layout.Plain, layout.Say("%s and %s are equally fast from %s to %s", "从 %[3]s 到 %[4]s，%[1]s 与 %[2]s 相当", x,
			y, least, most)
	}
	return layout.Unclear, layout.Say("inconclusive whether calling %s is ever faster than Go's own",
		"调用 %s 是否会快于 Go 自身的实现，无法判定", who)
}

func (b *view) side(id string) layout.Text {
	r := b.ByID[id]
	if r.CallPath == subject.Direct {
		return layout.Text{EN: "Go's own", ZH: "Go 自身的实现"}
	}
	return layout.Say("%s by %s", "经 %[2]s 调用的 %[1]s", b.Versioned(r), pathName(r.CallPath))
}
