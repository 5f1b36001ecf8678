package report

import (
	"fmt"
	"strings"
)

// mostQuickLines is the screen's height without the line that the caller adds,
// the report's path: 45 in all.
const mostQuickLines = 44

// mostQuickReasons is how many lines say why a run is trusted less.
const mostQuickReasons = 3

// quick draws one screen: machine, trust, the answer, the headline tables, the
// next command. What does not fit is left out by rank, and the screen says so.
func (p *painter) quick(d *Document) []string {
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
	p       *painter
	d       *Document
	answers []Answer
	tables  []Table
	next    []string

	captions                bool
	notes                   int // footnotes drawn
	rows                    int // rows drawn of each table
	keepTables, keepAnswers int
	keepNext                int
}

func newScreen(p *painter, d *Document) *screen {
	s := &screen{p: p, d: d, captions: true}
	for _, l := range d.layouts() {
		for _, a := range l.Answers {
			if a.Short {
				s.answers = append(s.answers, a)
			}
		}
		s.tables = append(s.tables, l.Headline...)
		s.next = append(s.next, l.Next...)
	}
	if len(s.tables) == 0 { // no experiment with an answer: show what there is
		for _, l := range d.layouts() {
			s.tables = append(s.tables, l.Tables...)
		}
	}
	for _, t := range s.tables {
		s.rows = max(s.rows, len(t.Rows))
	}
	s.notes = 12
	s.keepTables, s.keepAnswers, s.keepNext = len(s.tables), len(s.answers), min(len(s.next), 3)
	return s
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
	case s.keepAnswers > 8:
		s.keepAnswers--
	case s.notes > 1:
		s.notes--
	case s.rows > 3:
		s.rows--
	case s.keepTables > 1:
		s.keepTables--
	case s.keepAnswers > 3:
		s.keepAnswers--
	case s.keepTables > 0:
		s.keepTables--
	case s.keepAnswers > 0:
		s.keepAnswers--
	default:
		return false
	}
	return true
}

func (s *screen) draw() []string {
	p := s.p
	lines := p.head(s.d, mostQuickReasons)
	if s.keepAnswers > 0 {
		lines = append(lines, "", p.bold(p.say(wordAnswer)))
		lines = append(lines, p.answers(s.answers[:s.keepAnswers])...)
	}
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

// left says what was left out; "" when nothing was.
func (s *screen) left(rows, notes int) string {
	var parts []string
	for _, x := range []struct {
		n    int
		what Text
	}{
		{len(s.answers) - s.keepAnswers, leftAnswers},
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
	return fmt.Sprintf(leftOut.In(s.p.lang), strings.Join(parts, Text{", ", "、"}.In(s.p.lang)))
}
