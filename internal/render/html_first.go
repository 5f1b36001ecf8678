package render

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// What a reader sees first: a line a question, and the few numbers that decide.

// htmlLine is a question's answer in one sentence, under the question's name.
type htmlLine struct {
	htmlAnswer
	Name layout.Text
	Link string // to the question's section
}

// lineOf is the sentence that stands for a question, where it has one.
func lineOf(l layout.Layout) []layout.Answer {
	switch short := shortAnswers(l.Answers); {
	case l.Line.Text != (layout.Text{}):
		return []layout.Answer{l.Line}
	case len(short) > 0:
		return short[:1]
	}
	return l.Answers[:min(1, len(l.Answers))]
}

// htmlFigure is one of the numbers on top of the page, with the name of its question.
type htmlFigure struct {
	layout.Figure
	Look verdictLook
	Says layout.Text // why it is not decided, where it is not, or why the faster one is not to be chosen
	Href string
}

// Weak says that the faster one is not to be chosen, Undecided that neither was found to be faster.
func (f htmlFigure) Weak() bool      { return f.Look.Class == weakClass }
func (f htmlFigure) Undecided() bool { return !f.Weak() && f.Look.Class != "v-faster" }

const mostFigures = 3

// figuresOf finds the comparisons, with intervals, that some of a question's sentences cite.
func figuresOf(l layout.Layout, answers []layout.Answer, p *htmlPlaces) (list []htmlFigure) {
	drawn := drawnIn(l)
	for _, id := range citedIn(answers) {
		if c := p.pair(id); c != nil {
			if f, ok := p.figure(c, drawn[id]); ok {
				f.Name = l.Title
				list = append(list, f)
			}
		}
	}
	return list
}

// citedIn is the evidence of sentences, each piece once.
func citedIn(answers []layout.Answer) (ids []string) {
	for _, a := range answers {
		ids = append(ids, a.Evidence...)
	}
	return distinct(ids, func(id string) string { return id })
}

// drawnIn is how a question's charts draw comparisons, under their names and with their verdicts.
func drawnIn(l layout.Layout) map[string]layout.Ratio {
	drawn := map[string]layout.Ratio{}
	for _, c := range l.Charts {
		for _, r := range c.Ratios {
			drawn[r.ID] = r
		}
	}
	return drawn
}

// figure is a comparison's number, where it has an interval.
func (p *htmlPlaces) figure(c *document.Comparison, drawn layout.Ratio) (htmlFigure, bool) {
	base, other := p.row(c.Base), p.row(c.Other)
	if base == nil || other == nil || c.Low == nil || c.High == nil || !(*c.Low > 0) {
		return htmlFigure{}, false
	}
	ratio, low, high := c.Ratio, *c.Low, *c.High
	look, says, label := lookOf(c.Verdict), c.VerdictText(), drawn.Label
	if ratio < 1 {
		base, other, ratio, low, high, label = other, base, 1/ratio, 1/high, 1/low, drawn.Reverse
		if c.Verdict == string(stat.Slower) {
			look = lookOf(string(stat.Faster))
		}
	}
	if weak := other.Weaknesses(); look.Class == "v-faster" && len(weak) > 0 {
		look.Class, says = weakClass, document.SecurityNote(weak[0])
	}
	number := layout.Figure{Value: layout.FormatNumber(ratio), Label: cmp.Or(label, ratioLabel(base, other)),
		Span: layout.FormatRange(low, high, "–", layout.FormatNumber)}
	return htmlFigure{number, look, says, p.evidence(c.ID)}, true
}

// weakClass is how the speed of a weak choice looks: it is not won by it.
const weakClass = "v-weak"

// look is how a comparison looks, of whose sides the faster one may be weak.
func (p *htmlPlaces) look(c *document.Comparison) verdictLook {
	look := lookOf(c.Verdict)
	if r := p.row(c.Other); c.Verdict == string(stat.Faster) && r != nil && len(r.Weaknesses()) > 0 {
		look.Class = weakClass
	}
	return look
}

func (f htmlFigure) rank() int {
	if f.Look.Class == "v-faster" {
		return 0
	}
	return 1
}

// newFigures chooses the numbers: decided ones first, of as many questions as there are.
func newFigures(d *document.Document, layouts []layout.Layout, p *htmlPlaces) (chosen []htmlFigure) {
	var first, others []htmlFigure
	for _, l := range layouts {
		for _, f := range l.Figures {
			chosen = append(chosen, htmlFigure{Figure: f, Href: p.evidence(f.Evidence)})
		}
	}
	if len(chosen) > 0 {
		return chosen[:min(len(chosen), mostFigures)]
	}
	for _, l := range layouts {
		list := figuresOf(l, lineOf(l), p)
		first, others = append(first, list[:min(1, len(list))]...), append(others, figuresOf(l, l.Answers, p)...)
	}
	slices.SortStableFunc(first, byDecision)
	slices.SortStableFunc(others, byDecision)
	chosen = distinct(append(first, others...), func(f htmlFigure) string { return f.Href + f.Value })
	for _, r := range d.OfLibraries() {
		if f, ok := p.timed(r); ok && len(d.Comparisons) == 0 {
			chosen = append(chosen, f)
		}
	}
	return chosen[:min(len(chosen), mostFigures)]
}

// distinct are things without those of which one of the same name stands before.
func distinct[T any](all []T, name func(T) string) []T {
	return each(document.Grouped(all, name), func(same []T) T { return same[0] })
}

func byDecision(a, b htmlFigure) int { return cmp.Compare(a.rank(), b.rank()) }

// timed is a row's time, where there is nothing to compare.
func (p *htmlPlaces) timed(r *document.Row) (htmlFigure, bool) {
	if r.NsPerOp == nil || r.NsPerOp.Low == nil || r.Status != result.OK {
		return htmlFigure{}, false
	}
	value, span := htmlTime(*r.NsPerOp)
	number := layout.Figure{Value: value, Span: span, Label: caseLabel(r, r.SizeName(), subjectName(r))}
	return htmlFigure{Figure: number, Href: p.evidence(r.ID)}, true
}

// Of a question at most so many comparisons and rows stand under its sentences.
const (
	mostCitedPairs = 4
	mostCitedRows  = 3
)

// cite draws what sentences rest on. What it draws is where evidence leads.
func (s *htmlSection) cite(answers []layout.Answer, p *htmlPlaces) {
	drawn := drawnIn(s.Layout)
	chart := layout.Chart{Title: wordEvidence}
	cited := layout.Table{Title: wordEvidence,
		Columns: []layout.Column{columnCase, columnLibrary, columnTime, columnInterval, columnRate}}
	var rows []*document.Row
	for _, id := range citedIn(answers) {
		if c := p.pair(id); c != nil && len(chart.Ratios) < mostCitedPairs {
			if r, ok := drawn[id]; ok {
				chart.Ratios = append(chart.Ratios, r)
			} else if base, other := p.row(c.Base), p.row(c.Other); base != nil && other != nil {
				chart.Ratios = append(chart.Ratios, c.AsRatio(ratioLabel(base, other)))
			}
		} else if r := p.row(id); r != nil && len(rows) < mostCitedRows {
			rows = append(rows, r)
		}
	}
	cited.Rows = each(rows, func(r *document.Row) layout.TableRow { return citedRow(r, rows) })
	if len(chart.Ratios) > 0 {
		s.Evidence = newForest(chart, s.ID+"-evidence", p)
	}
	s.Cited = newHTMLTable(cited, s.ID+"-cited", p)
}

// citedRow is a row among others, from which its implementation tells it where nothing else does.
func citedRow(r *document.Row, among []*document.Row) layout.TableRow {
	e := orZero(r.NsPerOp)
	rate := layout.Cell{}
	if hasRate(r) {
		rate = cell(layout.FormatRate(*r.BytesPerSecond))
	}
	name := caseLabel(r, r.SizeName())
	library := subjectCell(r)
	if slices.ContainsFunc(among, func(o *document.Row) bool {
		return o != r && caseLabel(o, o.SizeName()) == name && subjectName(o) == subjectName(r)
	}) {
		library.Text = layout.Listed([]layout.Text{library.Text, layout.Same(r.Implementation)})
	}
	return layout.TableRow{RowID: r.ID,
		Cells: []layout.Cell{{Text: name}, library, r.TimeCell(), intervalOf(e.Low, e.High, layout.FormatTime), rate}}
}
