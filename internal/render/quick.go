package render

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// The screen after a quick run fits a terminal of 60 lines with the command before it and
// the page's path and the prompt after it, at the usual width. At fewer columns it takes more.
const (
	mostQuickLines   = 56
	mostQuickReasons = 3 // wrong codes of which it is said how
	mostLineLines    = 2 // of one question
)

// suiteQuick and suiteFull are the runs that ask every question, as package suite names them.
const (
	suiteQuick = document.QuickSuite
	suiteFull  = "full"
)

// A thrift is what a screen that is too long does without; each does without what those before it do.
type thrift int

const (
	lavish       thrift = iota
	briefLeftOut        // what was left out takes one line
	briefTrust          // so does whatever of confidence would take a third
	briefMarks          // and what to do about what is left open
	briefClaim          // what the report is not takes one line
	briefWrong          // of one wrong code alone it is said how it is wrong
	briefHead           // so does the machine, and so do libraries that were named, and those that are missing
	leastScreen
)

// quick draws one screen: the machine, whether the run can be believed, a line for every
// question, and what to do next. No question goes for lack of room, but words around them do.
func (p *painter) quick(d *document.Document) (lines []string) {
	defer func(was thrift) { p.thrift = was }(p.thrift)
	for p.thrift = lavish; p.thrift < leastScreen; p.thrift++ {
		if lines = p.quickOnce(d); p.Width < defaultWidth || len(lines) <= mostQuickLines {
			break
		}
	}
	return lines
}

func (p *painter) quickOnce(d *document.Document) []string {
	reasons := mostQuickReasons
	if p.thrift >= briefWrong {
		reasons = 1
	}
	lines := p.head(d, reasons)
	if len(d.Rows) == 0 {
		lines = append(lines, "", p.say(wordNoRows))
	}
	said, longest := questionLines(d), 0
	for _, a := range said {
		longest = max(longest, Width(Clean(a.Experiment)))
	}
	longest = min(longest, p.Width/4)
	most := mostLineLines
	if p.Width < defaultWidth {
		most = 4 * mostLineLines
	}
	for i, a := range said {
		if i == 0 {
			lines = append(lines, "", p.bold(p.say(wordAnswer)))
		}
		name := Cut(Clean(a.Experiment), longest)
		label := p.bold(name) + spaces(longest-Width(name)+1) + p.mark(a.Mark) + " "
		lines = append(lines, p.within(most, label, longest+3, p.say(a.Text))...)
	}
	if open := leftOpen(d); len(open) > 0 { // said once for all of them
		said := layout.Say(
			"marks what this run leaves open. To decide it, close other programs and ask that question alone: %s",
			"表示本次运行未能判定。要得出结论，请关闭其他程序，再单独测量该问题：%s", alone(d, open[0]))
		if p.thrift >= briefMarks {
			said = layout.Say("marks what is left open. Close other programs, and ask it alone: %s",
				"表示未能判定：请关闭其他程序，单独测量：%s", alone(d, open[0]))
		}
		lines = append(lines, hang(p.mark(layout.Unclear)+" ", 2, p.say(likewise(said, open[1:])), p.Width)...)
	}
	var next []layout.Next
	if len(d.Layouts) > 0 {
		next = []layout.Next{{Command: alone(d, d.Layouts[0].Experiment),
			Why: layout.Text{EN: "one question in full; any name from the left", ZH: "完整测量一个问题；问题名见左列"}}}
	}
	return append(lines, p.foot(d, next)...)
}

// leftOpen names the questions that a run leaves open; of what was not measured the line says why, so it is named only
// where nothing else is open.
func leftOpen(d *document.Document) (open []string) {
	for i, a := range questionLines(d) {
		if a.Mark == layout.Unclear && (i < len(d.Layouts) || len(open) == 0) {
			open = append(open, a.Experiment)
		}
	}
	return open
}

func likewise(said layout.Text, others []string) layout.Text {
	if len(others) == 0 {
		return said
	}
	return layout.Say("%s; likewise %s", "%s；%s 同理", said, listed(each(others, layout.Same)))
}

// questionLines are a line for every question that the run asked.
func questionLines(d *document.Document) (lines []layout.Answer) {
	for _, l := range d.Layouts {
		l.Line.Experiment = l.Experiment
		lines = append(lines, l.Line)
	}
	return append(lines, d.Unmeasured...)
}

func alone(d *document.Document, experiment string) string {
	for _, l := range d.Layouts {
		if l.Experiment == experiment && l.Alone != "" {
			return l.Alone
		}
	}
	return "cryptogauge run " + experiment
}

// within draws a text in at most so many lines: its first sentences that fit, else its
// first clauses as a sentence (of a list: as its beginning), else words with an ellipsis.
func (p *painter) within(most int, label string, labelWidth int, text string) []string {
	lines := hang(label, labelWidth, text, p.Width)
	for _, ends := range [][]string{{". ", "。"}, {"; ", "；"}} {
		for shorter := before(text, ends); shorter != "" && len(lines) > most; shorter = before(shorter, ends) {
			lines = hang(label, labelWidth, asEnded(shorter, text), p.Width)
		}
	}
	if len(lines) > most {
		lines = hang(label, labelWidth, text, p.Width-2)[:most]
		lines[most-1] += unended
	}
	return lines
}

// unended stands where a sentence had to be cut.
const unended = " …"

// before is what stands before the last of some ends of a sentence or clause, with the end.
func before(text string, ends []string) string {
	most := 0
	for _, end := range ends {
		inside := strings.TrimSuffix(text, strings.TrimSpace(end))
		if i := strings.LastIndex(inside, end); i >= 0 {
			most = max(most, i+len(strings.TrimSpace(end)))
		}
	}
	return text[:most]
}

// asEnded ends a clause as the whole ends: as a sentence, or as a list of which more follows.
func asEnded(s, whole string) string {
	if !strings.HasSuffix(whole, ".") && !strings.HasSuffix(whole, "。") && strings.TrimRight(s, ";；") != s {
		return s + " …"
	}
	if clause, cut := strings.CutSuffix(s, ";"); cut {
		return clause + "."
	}
	if clause, cut := strings.CutSuffix(s, "；"); cut {
		return clause + "。"
	}
	return s
}
