package render

import (
	"io"
	"math"
	"regexp"
	"strings"
	"sync"
	"text/template"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// WriteMarkdown writes the report for a pull request, in GitHub's Markdown:
// answers first, long tables folded, doubt as a numbered list at the end.
func WriteMarkdown(w io.Writer, docs []*document.Document, opts Options) error {
	if len(docs) == 0 {
		return nil
	}
	return writeMarkdown(w, "report.md.tmpl", docs, opts)
}

func writeMarkdown(w io.Writer, page string, data any, opts Options) error {
	opts.Color, opts.Width = false, math.MaxInt32 // Markdown wraps
	m := &markdown{painter: newPainter(opts)}
	parsed := template.Must(template.New(page).Funcs(m.functions()).ParseFS(htmlAssets, "assets/*.md.tmpl"))
	return buffered(w, "report", func(w io.Writer) error { return parsed.Execute(w, data) })
}

type markdown struct {
	*painter
	notes footnotes
}

func (m *markdown) functions() template.FuncMap {
	constant := func(t layout.Text) func() string { return func() string { return m.written(t) } }
	return template.FuncMap{
		"say": m.written, "report": m.title, "title": m.pageTitle, "head": m.headLines, "layouts": layouts, "cell": m.cell,
		"heading":     func(l layout.Layout) string { return Markdown(m.heading(l)) },
		"machine":     func(i int) string { return m.say(machineName(i)) },
		"short":       func(d *document.Document) []layout.Answer { return shortAnswers(d.Answers[len(d.WrongOutputs):]) },
		"findings":    m.otherFindings,
		"note":        func() string { return Markdown(m.Note) },
		"folded":      func(t layout.Table) bool { return len(t.Rows) >= 12 }, // away from a pull request's comment
		"sideBySide":  func(docs []*document.Document) []layout.Table { return sideBySide(docs, len(docs)) },
		"ratioTables": func(l layout.Layout) []layout.Table { return each(ratioCharts(l), ratioTable) },
		"notes":       func() []string { return each(m.notes.texts, Markdown) },
		"add":         func(i int) int { return i + 1 },
		"of":          constant(layout.Text{EN: "Notes", ZH: "注"}),
		"found":       constant(wordFindings), "noRows": constant(wordNoRows),
		"noVerdict": constant(NoVerdictBetweenMachines), "disclaimer": constant(Disclaimer),
	}
}

func (m *markdown) written(t layout.Text) string { return Markdown(m.say(t)) }

func (m *markdown) pageTitle(l layout.Layout) string { return m.written(m.titleOr(l.Title)) }

func (m *markdown) title(d *document.Document) string {
	title := layout.Text{EN: "cryptogauge report", ZH: "cryptogauge 测量报告"}
	switch {
	case d != nil && headline(d) != (layout.Text{}):
		title = headline(d)
	case d != nil && d.Suite != "":
		title = layout.Say("%s · %s", "%s · %s", title, d.Suite)
	}
	return m.written(m.titleOr(title))
}

func (m *markdown) headLines(d *document.Document) []string {
	lines := []string{
		"- **" + m.say(wordMachine) + "** " + Markdown(m.machine(d, math.MaxInt)+" · "+m.runFacts(d)),
		"- **" + m.say(wordConfidence) + " " + m.say(d.Trust.LevelText()) + "** · " + Markdown(strings.Join(m.confidence(d, len(d.Trust.Reasons)), " · ")),
	}
	if len(d.Notes) > 0 {
		lines = append(lines, "  "+Markdown(strings.Join(m.sayAll(d.Notes), wordSeparator.In(m.Lang))))
	}
	for _, part := range headParts(d, 0) {
		for _, line := range part.lines {
			lines = append(lines, "- **"+m.say(part.name)+"** "+m.written(line))
		}
	}
	if d.Partial {
		lines = append(lines, "- **"+Markdown(m.partialText(d))+"**")
	}
	return lines
}

func (m *markdown) otherFindings(d *document.Document) []string {
	return each(m.findings(otherFindings(d)), func(line string) string { return Markdown(strings.TrimSpace(line)) })
}

func (m *markdown) cell(row layout.TableRow, i int) string {
	if i >= len(row.Cells) {
		return ""
	}
	c := row.Cells[i]
	text := m.written(c.Text)
	switch {
	case text == "":
	case c.Struck:
		text = struckSign + " ~~" + text + "~~"
	case c.Faint:
		text = "_" + text + "_"
	}
	if c.New {
		text += " **" + m.say(wordNew) + "**"
	}
	if marks := m.notes.marksOf(m.sayAll(c.Footnotes)); marks != "" {
		text += " " + marks
	}
	return text
}

// Markdown keeps text from being read as Markdown or HTML, and from becoming a
// link or a mention, which GitHub makes of bare addresses, @names, #numbers and GH-numbers:
// a character without width stands in them.
func Markdown(s string) string {
	s = Clean(s)
	for _, link := range autolinks() {
		s = link.ReplaceAllString(s, "${1}\u200b${2}")
	}
	return markdownEscapes.Replace(s)
}

var autolinks = sync.OnceValue(func() []*regexp.Regexp {
	return each([]string{`([@#])([0-9A-Za-z])`, `(:)(//)`, `(?i)(www)(\.)`, `(?i)(GH-)([0-9])`}, regexp.MustCompile)
})

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "&", "&amp;", "<", "&lt;", ">", "&gt;", "*", `\*`, "`", "\\`", "_", `\_`, "[", `\[`, "]", `\]`, "~", `\~`,
	"#", `\#`, "$", "&#36;", "\u200b", "&#8203;",
)
