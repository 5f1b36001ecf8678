package answer

import (
	"cmp"
	"slices"
	"unicode"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Summary is a question's answer in one sentence, for the screen that all questions share:
// what to do, by how much it pays, and what it costs.
type Summary struct {
	Mark     layout.Mark
	Do       layout.Text   // "Reuse buffers (go)"
	Pays     []layout.Text // the first is always said, the others as far as there is room
	Costs    layout.Text   // behind what it pays, so that no comparison seems to be about it
	Beside   layout.Text   // what else may be chosen, last, since nothing else is about that; empty: nothing
	Evidence []string
}

// mostColumns is how wide a line is at most; a Chinese character takes two columns.
const mostColumns = 164

// Pay adds by how much it pays, and what that rests on.
func (l *Summary) Pay(part layout.Text, cs ...*document.Comparison) {
	l.Pays, l.Evidence = append(l.Pays, part), append(l.Evidence, Evidence(cs...)...)
}

// Said is the summary as a sentence that stands or falls with a comparison.
func (l Summary) Said(c *document.Comparison) *layout.Answer {
	if c.Verdict == "inconclusive" {
		l.Mark = layout.Unclear
	}
	a := l.Answer()
	return &a
}

// Answer is the summary as a sentence.
func (l Summary) Answer() layout.Answer {
	said := l.guessed()
	first := min(len(l.Pays), 1)
	for _, part := range l.Pays[:first] {
		said = layout.Say("%s: %s", "%s：%s", said, part)
	}
	var end layout.Text // for which there is room before the others of what it pays
	with := func(part layout.Text) layout.Text { return layout.Say("%s; %s", "%s；%s", said, part) }
	fits := func(part layout.Text) bool {
		longer := layout.Say("%s%s", "%s%s", with(part), end)
		return part.EN != "" && max(Width(longer.EN), Width(longer.ZH)) < mostColumns
	}
	for _, part := range []layout.Text{l.Beside, l.Costs} {
		if fits(part) {
			end = layout.Say("; %s%s", "；%s%s", part, end)
		}
	}
	for _, part := range l.Pays[first:] {
		if fits(part) {
			said = with(part)
		}
	}
	return layout.Answer{Mark: l.Mark, Text: layout.Say("%s%s.", "%s%s。", said, end), Evidence: l.Evidence}
}

// guessed is what to do, as far as that is shown.
func (l Summary) guessed() layout.Text {
	if l.Mark == layout.Unclear {
		return layout.Say("Best guess: %s", "暂定：%s", l.Do)
	}
	return l.Do
}

// Width counts the columns of a sentence on a terminal.
func Width(s string) (n int) {
	for _, r := range s {
		n++
		if unicode.Is(unicode.Han, r) || '\u3000' <= r && r <= '\u303f' || '\uff01' <= r && r <= '\uff60' {
			n++
		}
	}
	return n
}

// Ratio words how many times as fast a comparison's other is as its base, with the
// interval: "1.48 times as fast (1.30–1.61) as SM4-CBC (gmsm)".
func Ratio(c *document.Comparison, base layout.Text) layout.Text {
	switch {
	case c.Low == nil || c.High == nil:
		return layout.Say("about %[1]s times as fast (%[3]s) as %[2]s", "速度约为 %[2]s 的 %[1]s 倍（%[3]s）", Factor(c.Ratio), base, Open(c))
	case c.Verdict == "same":
		return layout.Say("as fast as %s (within 0.5 %%)", "与 %s 一样快（差异在 0.5%% 以内）", base)
	case Differs(c) && small(c):
		en, zh := "%s %% faster (%s %%) than %s", "比 %[3]s 快 %[1]s%%（%[2]s%%）"
		if c.Verdict == "slower" {
			en, zh = "%s %% slower (%s %%) than %s", "比 %[3]s 慢 %[1]s%%（%[2]s%%）"
		}
		return layout.Say(en, zh, Percent(c.Ratio), Percents(c), base)
	case c.Verdict == "slower":
		return layout.Say("takes %s times as long (%s) as %s", "耗时是 %[3]s 的 %[1]s 倍（%[2]s）", Factor(1/c.Ratio), LimitsSlower(c), base)
	case c.Verdict == "faster":
		return layout.Say("%s times as fast (%s) as %s", "速度是 %[3]s 的 %[1]s 倍（%[2]s）", Factor(c.Ratio), Limits(c), base)
	}
	about := layout.Text{}
	if c.TooFewBlocks() || c.TooBusy() {
		about = layout.Text{EN: "about ", ZH: "约"}
	}
	if leansSlower(c) || c.Ratio < 1 {
		return layout.Say("takes %[5]s%[1]s times as long (%[2]s, %[3]s) as %[4]s", "耗时%[5]s是 %[4]s 的 %[1]s 倍（%[2]s，%[3]s）",
			Factor(1/c.Ratio), LimitsSlower(c), Open(c), base, about)
	}
	return layout.Say("%[5]s%[1]s times as fast (%[2]s, %[3]s) as %[4]s", "速度%[5]s是 %[4]s 的 %[1]s 倍（%[2]s，%[3]s）",
		Factor(c.Ratio), Limits(c), Open(c), base, about)
}

// Said are the sentences of a question in order, without those that there are none of.
func Said(all ...*layout.Answer) (said []layout.Answer) {
	for _, a := range all {
		if a != nil {
			said = append(said, *a)
		}
	}
	return said
}

// Short marks a sentence for the quick screen.
func Short(a *layout.Answer) *layout.Answer {
	if a != nil {
		a.Short = true
	}
	return a
}

// FirstShort marks the first so many sentences for the quick screen.
func FirstShort(n int, all []*layout.Answer) []*layout.Answer {
	for _, a := range all[:min(n, len(all))] {
		Short(a)
	}
	return all
}

// firstShort is the first of the sentences that are for the quick screen; nil without one.
func firstShort(all []layout.Answer) *layout.Answer {
	i := slices.IndexFunc(all, func(a layout.Answer) bool { return a.Short })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// Clauses are the parts of a sentence, and what it rests on.
type Clauses struct {
	Parts    []layout.Text
	Evidence []string
	Found    []*document.Comparison // that parts tell of
}

// Add adds a part and what it rests on.
func (c *Clauses) Add(part layout.Text, evidence ...string) {
	c.Parts, c.Evidence = append(c.Parts, part), append(c.Evidence, evidence...)
}

// Tell adds a part and the comparisons that it rests on.
func (c *Clauses) Tell(part layout.Text, found ...*document.Comparison) {
	c.Add(part, Evidence(found...)...)
	c.Found = append(c.Found, found...)
}

// Sentence is a sentence about them; nil where there is no part.
func (c *Clauses) Sentence(mark layout.Mark, en, zh string, args ...any) *layout.Answer {
	if len(c.Parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: mark, Evidence: c.Evidence, Text: layout.Say(en, zh, args...)}
}

// Join strings the parts together with the comma of each language.
func (c *Clauses) Join() layout.Text { return Join(c.Parts) }

// FirstSaid is the first sentence that there is, or none.
func FirstSaid(all ...*layout.Answer) layout.Answer {
	return *cmp.Or(slices.Concat(all, []*layout.Answer{{}})...)
}
