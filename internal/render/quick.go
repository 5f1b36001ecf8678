package render

import (
	"fmt"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// mostQuickLines leaves room on a screen of 50 lines for the command, the report's
// path and the next prompt.
const mostQuickLines = 47

// mostQuickReasons is how many lines say why a run is trusted less.
const mostQuickReasons = 3

// quick draws one screen: machine, trust, the answer, the headline tables, the
// next command. What does not fit is left out by rank, and the screen says so.
func (p *painter) quick(d *document.Document) []string {
	s := newScreen(p, d)
	lines := s.draw()
	for len(lines) > mostQuickLines && s.tighten() {
		lines = s.draw()
	}
	if len(lines) > mostQuickLines { // nothing is left to leave out: a trust line of a hundred reasons
		lines = lines[:mostQuickLines]
	}
	return lines
}

// screen is what stands on the quick screen, and how much of it is drawn.
type screen struct {
	p        *painter
	d        *document.Document
	sections []section
	tables   []layout.Table
	next     []layout.Next

	captions     bool
	reasons      int // lines that say why the run is trusted less
	notes        int // footnotes drawn
	rows         int // rows drawn of each table
	keepTables   int
	keepSections int // experiments whose answers are drawn
	keepNext     int
}

// section is the answers of one experiment, of which the first are kept.
type section struct {
	name    string
	answers []layout.Answer
	keep    int
	hidden  bool // with all of them
}

func newScreen(p *painter, d *document.Document) *screen {
	s := &screen{p: p, d: d, captions: true}
	for _, l := range layouts(d) {
		own := section{name: l.Experiment}
		for _, a := range l.Answers {
			if a.Short && len(layouts(d)) > 1 && a.Brief != (layout.Text{}) {
				a.Text = a.Brief
			}
			if a.Short {
				own.answers = append(own.answers, a)
			}
		}
		if len(own.answers) > 0 {
			own.keep = len(own.answers)
			s.sections = append(s.sections, own)
		}
		s.tables = append(s.tables, l.Headline...)
		s.next = append(s.next, l.Next...)
	}
	if len(s.tables) == 0 { // no experiment with an answer: show what there is
		for _, l := range layouts(d) {
			s.tables = append(s.tables, l.Tables...)
		}
	}
	for _, t := range s.tables {
		s.rows = max(s.rows, len(t.Rows))
	}
	s.reasons, s.notes = mostQuickReasons, 12
	s.keepSections = len(s.sections)
	s.keepTables, s.keepNext = len(s.tables), min(len(s.next), 3)
	return s
}

// trim leaves out an answer of the experiment that has the most, the last of
// these, as long as it has more than least.
func (s *screen) trim(least int) bool {
	longest := -1
	for i := range s.sections {
		if n := s.sections[i].keep; n > least && (longest < 0 || n >= s.sections[longest].keep) {
			longest = i
		}
	}
	if longest < 0 {
		return false
	}
	s.sections[longest].keep--
	return true
}

// hide leaves out the answers of one experiment: the last that does not warn of
// anything, and the last where all do.
func (s *screen) hide() {
	last := -1
	for i, own := range s.sections {
		if !own.hidden && (last < 0 || !own.warns() || s.sections[last].warns()) {
			last = i
		}
	}
	s.sections[last].hidden = true
	s.keepSections--
}

// warns says whether the first answer tells to stop something.
func (s section) warns() bool { return s.answers[0].Mark == layout.Stop }

// leastAnswers is how many answers an experiment keeps as long as there is a
// table to leave out: one question gets room for all that it said, of several
// each gets its best.
func (s *screen) leastAnswers() int {
	if len(s.sections) > 1 {
		return 2
	}
	return 8
}

// fewestAnswers is how many an experiment keeps to the last.
func (s *screen) fewestAnswers() int {
	if len(s.sections) > 1 {
		return 1
	}
	return 3
}

// tighten leaves out one thing more, the least missed first. It reports whether
// there was one.
func (s *screen) tighten() bool {
	switch {
	case s.captions:
		s.captions = false
	case s.keepNext > 1:
		s.keepNext--
	case s.notes > 5:
		s.notes--
	case s.rows > 6:
		s.rows--
	case s.keepTables > 3:
		s.keepTables--
	case s.trim(s.leastAnswers() + 1):
	case len(s.sections) > 1 && s.keepTables > 0: // their answers say the same in fewer lines
		s.keepTables--
	case s.trim(s.leastAnswers()):
	case s.notes > 1:
		s.notes--
	case s.rows > 3:
		s.rows--
	case s.keepTables > 1:
		s.keepTables--
	case s.trim(s.fewestAnswers()):
	case s.keepTables > 0:
		s.keepTables--
	case len(s.sections) > 1 && s.reasons > 1:
		s.reasons--
	case s.keepSections > 1:
		s.hide()
	case s.trim(0):
	default:
		return false
	}
	return true
}

func (s *screen) draw() []string {
	p := s.p
	lines := p.head(s.d, s.reasons)
	lines = append(lines, s.drawAnswers()...)
	if len(s.d.Rows) == 0 {
		lines = append(lines, "", p.say(wordNoRows))
	}
	notes := &footnotes{shown: s.notes}
	hiddenRows := 0
	for _, t := range s.tables[:s.keepTables] {
		hiddenRows += max(0, len(t.Rows)-s.rows)
		t.Rows = t.Rows[:min(len(t.Rows), s.rows)]
		lines = append(lines, "")
		lines = append(lines, p.titled(t.Title)...)
		lines = append(lines, p.grid(t, notes).draw()...)
		if s.captions {
			lines = append(lines, p.caption(t.Caption)...)
		}
	}
	lines = append(lines, p.notes(notes)...)
	if left := s.left(hiddenRows, notes.hidden()); left != "" {
		lines = append(lines, hang("  ", 2, left, p.width)...)
	}
	lines = append(lines, wrap(p.say(Disclaimer), p.width)...)
	return append(lines, p.next(s.next[:s.keepNext])...)
}

// drawAnswers draws the kept answers, behind the names of their experiments where
// there are several.
func (s *screen) drawAnswers() []string {
	if s.hiddenAnswers() == s.allAnswers() {
		return nil
	}
	lines := []string{"", s.p.bold(s.p.say(wordAnswer))}
	if len(s.sections) == 1 {
		return append(lines, s.p.answers(s.sections[0].answers[:s.sections[0].keep])...)
	}
	longest := 0
	for _, own := range s.sections {
		longest = max(longest, width(own.name))
	}
	for _, own := range s.sections {
		if own.hidden {
			continue
		}
		name := own.name
		for _, a := range own.answers[:own.keep] {
			label := s.p.bold(Clean(name)) + spaces(longest-width(name)+1) + s.p.mark(a.Mark) + " "
			lines = append(lines, hang(label, longest+3, s.p.say(a.Text), s.p.width)...)
			name = ""
		}
	}
	return lines
}

// hiddenAnswers counts the answers that are not drawn.
func (s *screen) hiddenAnswers() (n int) {
	for _, own := range s.sections {
		if own.hidden {
			n += len(own.answers)
		} else {
			n += len(own.answers) - own.keep
		}
	}
	return n
}

func (s *screen) allAnswers() (n int) {
	for _, own := range s.sections {
		n += len(own.answers)
	}
	return n
}

// left says what was left out; "" when nothing was.
func (s *screen) left(rows, notes int) string {
	var parts []string
	for _, x := range []struct {
		n    int
		what layout.Text
	}{
		{s.hiddenAnswers(), leftAnswers},
		{len(s.tables) - s.keepTables, leftTables},
		{rows, leftRows},
		{notes, leftNotes},
	} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf(x.what.In(s.p.lang), x.n))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf(leftOut.In(s.p.lang), strings.Join(parts, layout.Text{EN: ", ", ZH: "、"}.In(s.p.lang)))
}
