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
	return lines[:min(len(lines), mostQuickLines)] // of a trust line of a hundred reasons
}

// screen is what stands on the quick screen, and how much of each is drawn.
type screen struct {
	p        *painter
	d        *document.Document
	sections []section
	tables   []layout.Table
	next     []layout.Next

	captions, reasons, notes, rows, keepTables, keepSections, keepNext int
}

type section struct {
	name    string
	answers []layout.Answer
	keep    int
	hidden  bool // with all of them
}

func newScreen(p *painter, d *document.Document) *screen {
	s := &screen{p: p, d: d}
	layouts := layouts(d)
	for _, l := range layouts {
		short := shortAnswers(l.Answers)
		for i := range short {
			if len(layouts) > 1 && short[i].Brief != (layout.Text{}) {
				short[i].Text = short[i].Brief
			}
		}
		if len(short) > 0 {
			s.sections = append(s.sections, section{name: l.Experiment, answers: short, keep: len(short)})
		}
		s.tables = append(s.tables, l.Headline...)
		s.next = append(s.next, l.Next...)
	}
	if len(s.tables) == 0 { // no experiment with an answer: show what there is
		for _, l := range layouts {
			s.tables = append(s.tables, l.Tables...)
		}
	}
	for _, t := range s.tables {
		s.rows = max(s.rows, len(t.Rows))
	}
	s.captions, s.reasons, s.notes = 1, mostQuickReasons, 12
	s.keepSections, s.keepTables, s.keepNext = len(s.sections), len(s.tables), min(len(s.next), 3)
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

// hide leaves out the answers of one of several experiments: the last that does not warn
// of anything, and the last where all do.
func (s *screen) hide() bool {
	if s.keepSections <= 1 {
		return false
	}
	last := -1
	for i, own := range s.sections {
		if !own.hidden && (last < 0 || !own.warns() || s.sections[last].warns()) {
			last = i
		}
	}
	s.sections[last].hidden = true
	s.keepSections--
	return true
}

func (s section) warns() bool { return s.answers[0].Mark == layout.Stop }

// tighten leaves out one thing more, the least missed first. It reports whether
// there was one.
func (s *screen) tighten() bool {
	// One question gets room for all that it said, of several each gets its best, and
	// their answers say in fewer lines what the tables do.
	several := len(s.sections) > 1
	answers, fewest, tables, reasons := 8, 3, s.keepTables, s.reasons
	if several {
		answers, fewest, tables, reasons = 2, 1, 0, 1
	}
	down := func(n *int, least int) func() bool {
		return func() bool {
			more := *n > least
			if more {
				*n--
			}
			return more
		}
	}
	trim := func(least int) func() bool { return func() bool { return s.trim(least) } }
	for _, step := range []func() bool{
		down(&s.captions, 0), down(&s.keepNext, 1), down(&s.notes, 5), down(&s.rows, 6), down(&s.keepTables, 3),
		trim(answers + 1), down(&s.keepTables, tables), trim(answers),
		down(&s.notes, 1), down(&s.rows, 3), down(&s.keepTables, 1), trim(fewest), down(&s.keepTables, 0),
		down(&s.reasons, reasons), s.hide, trim(0),
	} {
		if step() {
			return true
		}
	}
	return false
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
		if s.captions > 0 {
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
	all, hidden := s.countAnswers()
	if hidden == all {
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
		name := own.name
		for _, a := range own.answers[:own.shown()] {
			label := s.p.bold(Clean(name)) + spaces(longest-width(name)+1) + s.p.mark(a.Mark) + " "
			lines = append(lines, hang(label, longest+3, s.p.say(a.Text), s.p.width)...)
			name = ""
		}
	}
	return lines
}

func (s section) shown() int {
	if s.hidden {
		return 0
	}
	return s.keep
}

func (s *screen) countAnswers() (all, hidden int) {
	for _, own := range s.sections {
		all, hidden = all+len(own.answers), hidden+len(own.answers)-own.shown()
	}
	return all, hidden
}

func (s *screen) left(rows, notes int) string {
	_, answers := s.countAnswers()
	var parts []string
	for _, x := range []struct {
		n    int
		what layout.Text
	}{{answers, leftAnswers}, {len(s.tables) - s.keepTables, leftTables}, {rows, leftRows}, {notes, leftNotes}} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf(x.what.In(s.p.lang), x.n))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf(leftOut.In(s.p.lang), strings.Join(parts, layout.Text{EN: ", ", ZH: "、"}.In(s.p.lang)))
}
