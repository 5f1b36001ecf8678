package boundary

import (
	"math"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// answers are the sentences, the most useful first.
func (b *boundaryView) answers() (out []layout.Answer) {
	add := func(a *layout.Answer, short bool) {
		if a != nil {
			a.Experiment, a.Short = b.Experiment, short
			out = append(out, *a)
		}
	}
	add(b.price(), true)
	for i, o := range b.ciphers {
		for j, lib := range b.versions {
			add(b.fading(o, lib), i == 0 && j == 0)
		}
	}
	for _, o := range b.ciphers {
		for _, lib := range b.versions {
			add(b.batches(o, lib), false)
		}
	}
	for _, o := range b.ciphers {
		for _, lib := range b.versions {
			add(b.worthIt(o, lib), false)
		}
	}
	return out
}

// price says what an empty call costs by each path.
func (b *boundaryView) price() *layout.Answer {
	var parts []layout.Text
	a := &layout.Answer{Mark: layout.Plain}
	for _, path := range crossingPaths {
		r := b.empty(path)
		if r == nil || r.NsPerOp.Low == nil || r.NsPerOp.High == nil {
			continue
		}
		parts = append(parts, layout.Say("%s by %s (%s)", "经 %[2]s 为 %[1]s（%[3]s）", layout.FormatTime(r.NsPerOp.Median), pathName(path), answer.Ranging(*r.NsPerOp.Low, *r.NsPerOp.High)))
		a.Evidence = append(a.Evidence, r.ID)
	}
	if len(parts) == 0 {
		return nil
	}
	list := parts[0]
	for _, p := range parts[1:] {
		list = layout.Say("%s, %s", "%s，%s", list, p)
	}
	own := layout.Same("")
	if r := b.empty(goPath); r != nil {
		own = layout.Say("; a call of Go's own assembly %s", "；调用 Go 自身的汇编为 %s", layout.FormatTime(r.NsPerOp.Median))
		a.Evidence = append(a.Evidence, r.ID)
	}
	a.Brief = layout.Say("An empty call from Go into C and back costs %s%s.", "从 Go 到 C 再返回，一次空调用%s%s。", list, own)
	a.Text = layout.Say("%s A message takes several calls.", "%s一条消息需要多次调用。", a.Brief)
	return a
}

// crossoverOf is the crossover of a kind that was asked for between two subjects'
// rows of an operand; nil without one.
func (b *boundaryView) crossoverOf(o operand, from, to func(*document.Row) bool, within bool) *document.Crossover {
	for i := range b.Doc.Crossovers {
		c := &b.Doc.Crossovers[i]
		x, y := b.ByID[c.A], b.ByID[c.B]
		if (c.Within > 0) != within || x == nil || y == nil || operandOf(x) != o {
			continue
		}
		if from(x) && to(y) || !within && from(y) && to(x) {
			return c
		}
	}
	return nil
}

func is(lib libraryVersion, path string) func(*document.Row) bool {
	return func(r *document.Row) bool { return versionOf(r) == lib && r.CallPath == path }
}

func isGo(r *document.Row) bool { return r.CallPath == goPath }

// fading says from which size on a crossing costs less than the share that was
// declared, by each path.
func (b *boundaryView) fading(o operand, lib libraryVersion) *layout.Answer {
	var parts []layout.Text
	a := &layout.Answer{Mark: layout.Plain}
	share, told := 0.0, false
	for _, path := range crossingPaths {
		c := b.crossoverOf(o, is(lib, loopPath), is(lib, path), true)
		if c == nil {
			continue
		}
		share, told = c.Within, told || c.Kind != document.Undecided
		parts = append(parts, layout.Say("%s %s", "%s %s", pathName(path), fades(c)))
		a.Evidence = append(a.Evidence, append([]string{c.A, c.B}, c.Comparisons...)...)
	}
	if len(parts) == 0 {
		return nil
	}
	if !told {
		a.Mark = layout.Unclear
	}
	list := parts[0]
	for _, p := range parts[1:] {
		list = layout.Say("%s; %s", "%s；%s", list, p)
	}
	a.Text = layout.Say("%s of %s: message sizes at which the call into C adds less than %s to the time: %s.", "%[2]s 的 %[1]s，调用 C 使耗时增加不到 %[3]s 的消息长度：%[4]s。",
		o.name(), b.who(lib), wholePercent(share), list)
	return a
}

// wholePercent prints a declared share, which is a round number.
func wholePercent(share float64) string { return strconv.Itoa(int(math.Round(100*share))) + " %" }

// fades words where a crossing comes within its share.
func fades(c *document.Crossover) layout.Text {
	least, most := c.Sizes[0], c.Sizes[len(c.Sizes)-1]
	switch {
	case c.Kind == document.Fades && c.Bytes != nil && c.Bytes.Low != nil && c.Bytes.High != nil:
		return layout.Say("from about %s on (%s)", "约 %s 起（%s）", roughBytes(c.Bytes.Median), roughBytes(*c.Bytes.Low)+"–"+roughBytes(*c.Bytes.High))
	case c.Kind == document.Fades && c.Bytes != nil:
		return layout.Say("from between %s and %s on", "自 %s 与 %s 之间起", answer.SizeText(c.Between[0]), answer.SizeText(c.Between[1]))
	case c.Kind == document.Fades:
		return layout.Say("at every measured size (from %s on)", "所有实测长度（%s 起）", answer.SizeText(least))
	case c.Kind == document.Never:
		return layout.Say("at no measured size (up to %s)", "没有一个实测长度（至 %s）", answer.SizeText(most))
	}
	return layout.Text{EN: "inconclusive", ZH: "无法判定"}
}

// roughBytes prints a size that is an estimate, in the unit that it reads best in.
func roughBytes(n float64) string {
	for _, u := range []struct {
		name string
		size float64
	}{{"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= u.size {
			return layout.FormatNumber(n/u.size) + " " + u.name
		}
	}
	return layout.FormatNumber(n) + " B"
}

// batches says what handing over several messages in one crossing gives, at the
// shortest message and at the longest that it was tried with.
func (b *boundaryView) batches(o operand, lib libraryVersion) *layout.Answer {
	var parts []layout.Text
	a := &layout.Answer{Mark: layout.Plain}
	var messages int64
	var all []*document.Comparison
	for _, size := range b.sizes {
		for _, r := range b.Rows {
			if n := batchOf(r); n > 1 && operandOf(r) == o && versionOf(r) == lib && r.Bytes == size*n {
				if c := b.Compare(b.at(o, lib, r.CallPath, size, 1), r); c != nil {
					messages, all = n, append(all, c)
					break
				}
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	shown := []*document.Comparison{all[0]}
	if len(all) > 1 {
		shown = append(shown, all[len(all)-1])
	}
	won := false
	for _, c := range shown {
		won = won || c.Verdict == "faster"
		parts = append(parts, layout.Say("at %s a batch %s", "%s 时批处理%s", answer.SizeText(b.ByID[c.Base].Bytes), answer.Versus(c, layout.Text{EN: "single calls", ZH: "逐条调用"})))
		a.Evidence = append(a.Evidence, c.ID, c.Base, c.Other)
	}
	if won {
		a.Mark = layout.Choose
	}
	list := parts[0]
	for _, p := range parts[1:] {
		list = layout.Say("%s, %s", "%s，%s", list, p)
	}
	a.Text = layout.Say("%s of %s, %d messages in one call into C: %s.", "%[2]s 的 %[1]s，%[3]d 条消息合为一次 C 调用：%[4]s。", o.name(), b.who(lib), messages, list)
	return a
}

// worthIt says from which size on it is faster to cross than to stay in Go.
func (b *boundaryView) worthIt(o operand, lib libraryVersion) *layout.Answer {
	for _, path := range crossingPaths {
		c := b.crossoverOf(o, isGo, is(lib, path), false)
		if c == nil {
			continue
		}
		first, second := b.ByID[c.A], b.ByID[c.B]
		a := &layout.Answer{Mark: layout.Plain, Evidence: append([]string{c.A, c.B}, c.Comparisons...)}
		least, most := answer.SizeText(c.Sizes[0]), answer.SizeText(c.Sizes[len(c.Sizes)-1])
		x, y := b.side(first), b.side(second)
		switch c.Kind {
		case document.Overtakes:
			where := layout.Say("between %s and %s", "%s 与 %s 之间", answer.SizeText(c.Between[0]), answer.SizeText(c.Between[1]))
			if c.Bytes.Low != nil && c.Bytes.High != nil {
				where = layout.Say("about %s (%s)", "约 %s（%s）", roughBytes(c.Bytes.Median), roughBytes(*c.Bytes.Low)+"–"+roughBytes(*c.Bytes.High))
			}
			a.Text = layout.Say("%s: %s is faster for short messages, and %s for long ones, from %s on.", "%s：短消息 %s 更快，长消息 %s 更快，分界为 %s。", o.name(), x, y, where)
		case document.Never:
			a.Text = layout.Say("%s: %s is faster than %s at no measured size from %s to %s.", "%s：从 %[4]s 到 %[5]s，%[2]s 从未快过 %[3]s。", o.name(), y, x, least, most)
		case document.Level:
			a.Text = layout.Say("%s: %s and %s are equally fast from %s to %s.", "%s：从 %[4]s 到 %[5]s，%[2]s 与 %[3]s 相当。", o.name(), x, y, least, most)
		default:
			a.Mark = layout.Unclear
			a.Text = layout.Say("%s: inconclusive whether calling %s is ever faster than Go's own.", "%s：调用 %s 是否会快于 Go 自身的实现，无法判定。", o.name(), b.who(lib))
		}
		return a
	}
	return nil
}

// side names who computes a row, and how he is called.
func (b *boundaryView) side(r *document.Row) layout.Text {
	if r.CallPath == goPath {
		return layout.Text{EN: "Go's own", ZH: "Go 自身的实现"}
	}
	return layout.Say("%s by %s", "经 %[2]s 调用的 %[1]s", b.who(versionOf(r)), pathName(r.CallPath))
}
