package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// What a run of some questions prints of each: two screens at the usual width.
const (
	mostBriefLines   = 100
	mostAnswerLines  = 8
	leastAnswerLines = 2  // to which advice may be cut
	mostWholeLines   = 18 // of a decision with its steps, which is a screen of 60 lines with its headline
	mostWholeScreen  = 55
	wholeWidth       = 100
	mostBriefNext    = 2
)

// brief draws the answers that matter, the headline tables and the footnotes that they
// use, for each question; of a run of all of them the answers alone.
func (p *painter) brief(d *document.Document) []string {
	lines := p.head(d, mostQuickReasons)
	if len(d.Rows) == 0 {
		lines = append(lines, "", p.say(wordNoRows))
	}
	all, next := layouts(d), []layout.Next(nil)
	if len(all) == 1 {
		next = all[0].Next[:min(len(all[0].Next), mostBriefNext)]
	}
	foot := p.foot(d, next)
	for i, l := range all {
		room := mostBriefLines
		if l.Whole {
			room = mostWholeScreen * max(wholeWidth, p.Width) / p.Width
		}
		if i == 0 {
			room -= len(lines) + len(foot)
		}
		tables := slices.Concat(l.Headline, l.Tables)
		tables = tables[:min(len(tables), max(len(l.Headline), 1))]
		if d.Suite == suiteFull {
			tables = nil
		}
		lines = append(lines, p.share(l, tables, room)...)
	}
	var unmeasured []string
	for _, a := range d.Unmeasured {
		label := p.bold(Clean(a.Experiment)) + " " + p.mark(a.Mark) + " "
		unmeasured = append(unmeasured, hang(label, Width(Clean(a.Experiment))+3, p.say(a.Text), p.Width)...)
	}
	return append(below(lines, unmeasured), foot...)
}

func (p *painter) share(l layout.Layout, tables []layout.Table, room int) []string {
	lines := []string{""}
	if !l.Whole { // its headline stands above
		lines = append(lines, p.bold(Cut(p.heading(l), p.Width)))
	}
	said, code, drawn := p.matter(l)
	if len(drawn) > 0 {
		lines = append(lines, p.question(l)...)
	}
	lines = append(lines, drawn...)
	notes, shown, hiddenRows := &footnotes{}, 0, 0
	room -= len(lines) + 2 // what is left out is said last
	for _, t := range tables {
		drawn, used, hidden := p.fitting(t, notes, room)
		if len(drawn) == 0 {
			break
		}
		lines, notes = append(lines, drawn...), used
		room -= len(drawn)
		shown, hiddenRows = shown+1, hiddenRows+hidden
	}
	lines = below(lines, p.notes(notes))
	return append(lines, p.left(counts{
		{len(l.Answers) - said, layout.Text{EN: "%d more answers", ZH: "%d 条结论"}},
		{len(l.Headline) + len(l.Tables) - shown, layout.Text{EN: "%d more tables", ZH: "%d 张表"}},
		{hiddenRows, layout.Text{EN: "%d table rows", ZH: "表中 %d 行"}},
		{len(ratioCharts(l)), layout.Text{EN: "%d ratio charts", ZH: "%d 张速度比图"}},
		{listings(l.Answers) - code, layout.Text{EN: "%d listings", ZH: "%d 段代码"}},
	})...)
}

func listings(all []layout.Answer) (n int) {
	for _, a := range all {
		n += len(a.Listings)
	}
	return n
}

// fitting draws as many rows of a table as fit with the footnotes of all that is drawn, and
// says how many do not; nothing where none does.
func (p *painter) fitting(t layout.Table, before *footnotes, room int) (lines []string, notes *footnotes, hidden int) {
	for all := len(t.Rows); len(t.Rows) > 0; t.Rows = t.Rows[:len(t.Rows)-(len(t.Rows)+3)/4] {
		notes = &footnotes{texts: slices.Clone(before.texts)}
		lines = append([]string{""}, p.table(t, notes)...)
		if len(lines)+1+len(p.notes(notes)) <= room {
			return lines, notes, all - len(t.Rows)
		}
	}
	return nil, before, 0
}

// matter draws the answers that fit into a few lines of the terminal, and says how many. The code that is
// recommended stands below its sentence; it says how many listings that are.
func (p *painter) matter(l layout.Layout) (said, code int, lines []string) {
	for _, a := range p.mattering(l) {
		said, lines = said+1, append(lines, p.answerLines(a.Answer, a.lines)...)
		if a.Mark == layout.Choose && len(a.Listings) > 0 {
			code, lines = code+len(a.Listings), append(append(lines, p.listings(a.Listings)...), "")
		}
	}
	return said, code, lines
}

// A shownAnswer is an answer that takes at most so many lines.
type shownAnswer struct {
	layout.Answer
	lines int
}

// mattering are the answers that are shown: first the one that the question leads with, then those that
// advise or warn, then those that it calls short. For lack of room warnings go last, and all but the first are cut to
// their first sentences where this shows more of them. The answers are the same in each
// language: one takes the room that it takes in the language that needs most. No one takes all of it.
func (p *painter) mattering(l layout.Layout) (shown []shownAnswer) {
	for _, a := range l.Answers {
		if !a.Echo {
			shown = append(shown, shownAnswer{Answer: a})
		}
	}
	slices.SortStableFunc(shown[min(1, len(shown)):], func(a, b shownAnswer) int { return cmp.Compare(rank(a.Answer), rank(b.Answer)) })
	whole := p.fit(l, shown, func(_ layout.Answer, most int) int { return most })
	if concise := p.fit(l, shown, p.concise); len(concise) > len(whole) {
		return concise
	}
	return whole
}

// fit gives answers in the order of their weight lines as long as there are some; all but the first are cut.
func (p *painter) fit(l layout.Layout, all []shownAnswer, cut func(a layout.Answer, most int) int) []shownAnswer {
	most := mostAnswerLines
	if l.Whole { // its tables are small, and it says what to do in sentences
		most = mostWholeLines
	}
	room := most * max(defaultWidth, p.Width) / p.Width // as much text on a narrower terminal
	each := mostAnswerLines * max(defaultWidth, p.Width) / p.Width / 2
	shown := slices.Clone(all)
	for _, first := range []bool{true, false} { // what leads and what warns, and then the others
		for i := range shown {
			if first != (i == 0 || warns(shown[i].Answer)) {
				continue
			}
			a, most := shown[i].Answer, each
			if a.Mark == layout.Choose && a.Short && room >= leastAnswerLines { // what it begins with is better than nothing of it
				most = min(each, room)
			}
			if i > 0 && a.Mark != layout.Choose { // whose ratio stands at its end
				most = cut(a, most)
			}
			if takes := p.most(a, most); takes <= room {
				shown[i].lines, room = most, room-takes
			}
		}
	}
	return slices.DeleteFunc(shown, func(a shownAnswer) bool { return a.lines == 0 })
}

// concise is in how few lines an answer stands that ends with a sentence or clause in every language.
func (p *painter) concise(a layout.Answer, most int) int {
	for few := 1; few < most; few++ {
		ended := true
		p.inEach(func(in *painter) {
			lines := in.answerLines(a, few)
			ended = ended && !strings.HasSuffix(lines[len(lines)-1], unended)
		})
		if ended {
			return few
		}
	}
	return most
}

// rank orders the answers of a question but its first.
func rank(a layout.Answer) int {
	switch {
	case warns(a), a.Mark == layout.Choose:
		return 0
	case a.Short:
		return 1
	}
	return 2
}

func warns(a layout.Answer) bool { return a.Mark == layout.Stop || a.Mark == layout.Beware }

// most is how many lines an answer takes at most, in whatever language.
func (p *painter) most(a layout.Answer, within int) (lines int) {
	p.inEach(func(in *painter) { lines = max(lines, len(in.answerLines(a, within))) })
	return lines
}

func (p *painter) inEach(draw func(in *painter)) {
	for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
		in := *p
		in.Lang = lang
		draw(&in)
	}
}

func (p *painter) answerLines(a layout.Answer, most int) []string {
	return p.within(most, "  "+p.mark(a.Mark)+" ", 4, p.say(a.Text))
}

// counts are things by their number; those that there are none of are not said.
type counts []struct {
	n    int
	what layout.Text
}

func (c counts) said() (parts []layout.Text) {
	for _, x := range c {
		if x.n == 1 {
			x.what.EN = strings.TrimSuffix(x.what.EN, "s")
		}
		if x.n > 0 {
			parts = append(parts, layout.Say(x.what.EN, x.what.ZH, x.n))
		}
	}
	return parts
}

func (p *painter) left(all counts) []string {
	parts := all.said()
	if len(parts) == 0 {
		return nil
	}
	return hang("  ", 2, p.say(layout.Say("Not shown here: %s.", "此处未列出：%s。", listed(parts))), p.Width)
}

// foot ends a report that leaves something out: what the run left out, what the report is, the
// commands worth typing next, and last the one that shows everything.
func (p *painter) foot(d *document.Document, next []layout.Next) []string {
	lines := []string{""}
	left := []headPart{{wordLeftOut, leftOutLines(d, document.LeftOutLine)}, {wordDone, some(d.ShortDone())}}
	for _, part := range left {
		for _, text := range part.lines {
			label := p.say(part.name) + "  "
			shown := hang(p.bold(label), Width(label), p.say(text), p.Width)
			if p.thrift >= briefLeftOut {
				if len(shown) > 1 && part.name == wordLeftOut {
					text = document.LeftOutBriefly(d.Run)
				}
				shown = p.within(1, p.bold(label), Width(label), p.say(text))
			}
			lines = append(lines, shown...)
		}
	}
	claim := Disclaimer
	if p.thrift >= briefClaim {
		claim.EN = "A measurement: neither 密评 nor a product certification."
	}
	lines = append(lines, wrap(p.say(claim), p.Width)...)
	if headline(d) != (layout.Text{}) { // its own command shows all
		return below(lines, p.next(next))
	}
	all := layout.Next{Command: "cryptogauge report " + document.Typed(cmp.Or(p.Run, "RUN")) + " --all", Why: everything}
	if p.Page {
		all.Why = layout.Say("%s; report.html is the same as a page", "%s；report.html 为同一内容的网页", all.Why)
	}
	return below(lines, p.next(append(next, all)))
}
