package render

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// WriteText writes the report for a terminal, within opts.Width columns: a screen or two,
// unless all is asked for. Several documents are set side by side, a column a machine.
func WriteText(w io.Writer, docs []*document.Document, opts Options) error {
	if len(docs) == 0 {
		return nil
	}
	p := newPainter(opts)
	if p.Title == "" && len(docs) == 1 {
		p.Title = p.say(headline(docs[0]))
	}
	lines := p.report(docs)
	if words := p.words(); len(words) > 0 {
		lines = below(words, lines)
	}
	return writeLines(w, lines)
}

func (p *painter) report(docs []*document.Document) []string {
	switch d := docs[0]; {
	case len(docs) > 1:
		return p.several(docs)
	case p.All:
		return p.full(d)
	case d.Suite == suiteQuick && len(d.Layouts) > 0:
		return p.quick(d)
	default:
		return p.brief(d)
	}
}

// headline is the one sentence of a report that is a single decision; else empty.
func headline(d *document.Document) (line layout.Text) {
	if len(d.Layouts) == 1 && d.Layouts[0].Whole {
		line = d.Layouts[0].Line.Text
	}
	return line
}

// words are the user's, above everything.
func (p *painter) words() (lines []string) {
	if p.Title != "" {
		lines = each(wrap(Clean(p.Title), p.Width), p.bold)
	}
	if p.Note != "" {
		lines = append(lines, wrap(Clean(p.Note), p.Width)...)
	}
	return lines
}

func writeLines(w io.Writer, lines []string) error {
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return written("report", err)
}

func (p *painter) full(d *document.Document) []string {
	lines := p.head(d, 0)
	layouts := layouts(d)
	if len(layouts) == 0 {
		lines = append(lines, "", p.say(wordNoRows))
	}
	for _, l := range layouts {
		lines = append(lines, "")
		if !l.Whole { // its headline stands above
			lines = append(lines, p.bold(Cut(p.heading(l), p.Width)))
		}
		lines = append(lines, p.layout(l)...)
	}
	if found := otherFindings(d); len(found) > 0 {
		lines = append(append(lines, "", p.bold(p.say(wordFindings))), p.findings(found)...)
	}
	return p.claimed(lines)
}

// claimed are lines, and below them what a report is not.
func (p *painter) claimed(lines []string) []string {
	return below(lines, wrap(p.say(Disclaimer), p.Width))
}

// below puts lines under others with an empty one between, where there are any.
func below(above, lines []string) []string {
	if len(lines) == 0 {
		return above
	}
	return append(append(above, ""), lines...)
}

func (p *painter) heading(l layout.Layout) string {
	return cmp.Or(p.say(l.Title), Clean(l.Experiment))
}

func (p *painter) layout(l layout.Layout) (lines []string) {
	if len(l.Answers) > 0 {
		lines = append(p.question(l), p.answers(l.Answers)...)
	}
	notes := &footnotes{}
	tables := slices.Concat(l.Headline, l.Tables)
	if l.Whole {
		tables = l.Tables
	}
	for _, t := range tables {
		lines = below(lines, p.table(t, notes))
	}
	for _, c := range ratioCharts(l) { // the points of other charts stand in the tables
		lines = below(lines, slices.Concat(p.titled(c.Title), p.ratios(c), p.caption(c.Caption)))
	}
	return below(below(lines, p.notes(notes)), p.next(l.Next))
}

func (p *painter) question(l layout.Layout) []string {
	q := p.say(l.Question)
	if q == "" {
		return nil
	}
	prefix := p.say(layout.Text{EN: "Question: ", ZH: "问题："})
	return hang(prefix, Width(prefix), q, p.Width)
}

func (p *painter) table(t layout.Table, notes *footnotes) []string {
	lines := append(p.titled(t.Title), p.drawn(t, notes)...)
	return append(lines, p.caption(t.Caption)...)
}

func (p *painter) titled(t layout.Text) []string {
	if p.say(t) == "" {
		return nil
	}
	return each(wrap(p.say(t), p.Width), p.bold)
}

func (p *painter) caption(t layout.Text) []string {
	if text := p.say(t); text != "" {
		return hang(spaces(gridIndent), gridIndent, text, p.Width)
	}
	return nil
}

func (p *painter) next(commands []layout.Next) (lines []string) {
	label := p.say(layout.Text{EN: "next", ZH: "下一步"})
	for i, c := range commands {
		text := Clean(c.Command)
		if len(p.Repeat) > 0 && !strings.Contains(text, p.Repeat[0]) {
			text += " " + Clean(document.Typed(p.Repeat...))
		}
		for j, line := range pasteable(text, p.say(c.Why), p.Width-Width(label)-2) {
			prefix := spaces(Width(label))
			if i+j == 0 {
				prefix = p.bold(label)
			}
			lines = append(lines, prefix+"  "+line)
		}
	}
	return lines
}

// pasteable is a command with what it is for, in lines that a shell takes as they stand: what does not fit beside
// the command is a comment above it, and a long command goes on behind a backslash.
func pasteable(command, why string, w int) (lines []string) {
	if why != "" {
		if one := command + " # " + why; Width(one) <= w {
			return []string{one}
		}
		for _, line := range wrap(why, max(w-2, 10)) {
			lines = append(lines, "# "+line)
		}
	}
	if Width(command) <= w || strings.ContainsAny(command, `'"\`) { // within quotes a line goes on otherwise
		return append(lines, command)
	}
	parts := wrap(command, max(w-2, 10))
	for i := range parts[:len(parts)-1] {
		parts[i] += ` \`
	}
	return append(lines, parts...)
}

func (p *painter) findings(fs []layout.Finding) (lines []string) {
	for _, f := range fs {
		severity := cmp.Or(severityWords[f.Severity], layout.Same(f.Severity))
		prefix := "  " + p.say(severity) + p.say(layout.Text{EN: ": ", ZH: "："})
		lines = append(lines, hang(prefix, Width(prefix), p.say(f.Text), p.Width)...)
	}
	return lines
}

// listings draws those of an answer, below it. Lines of a program are wrapped only where the terminal is too
// narrow for them, and indented to show it.
func (p *painter) listings(ls []layout.Listing) (lines []string) {
	for _, l := range ls {
		lines = below(lines, hang(spaces(2*gridIndent), 2*gridIndent, p.say(l.Title), p.Width))
		for _, line := range l.Lines() {
			indent := len(line) - len(strings.TrimLeft(line, " "))
			for _, part := range codeLines(Clean(line[indent:]), p.Width-indent-3*gridIndent) {
				lines = append(lines, trimRight(spaces(indent+3*gridIndent)+part))
			}
		}
	}
	return lines
}

// codeLines are a line of code within so many columns. It has no comment, which would end in the midst.
func codeLines(line string, columns int) (parts []string) {
	if Width(line) <= columns {
		return []string{line}
	}
	const deeper = 4
	for i, part := range wrap(line, columns-deeper) {
		if i > 0 {
			part = spaces(deeper) + part
		}
		parts = append(parts, part)
	}
	return parts
}
