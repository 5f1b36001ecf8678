package render

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// longTable is the number of rows from which a table of a pull request's comment
// is folded away.
const longTable = 12

// WriteMarkdown writes the report for a pull request, in GitHub's Markdown:
// answers first, long tables folded, doubt as a numbered list at the end.
func WriteMarkdown(w io.Writer, docs []*document.Document, opts Options) error {
	m := markdown{painter: newPainter(Options{Lang: opts.Lang})}
	switch len(docs) {
	case 0:
		return nil
	case 1:
		m.document(docs[0])
	default:
		m.several(docs)
	}
	return writeLines(w, m.lines)
}

type markdown struct {
	*painter
	lines []string
	notes footnotes
}

func (m *markdown) add(lines ...string) { m.lines = append(m.lines, lines...) }

func (m *markdown) addf(format string, args ...any) { m.add(fmt.Sprintf(format, args...)) }

func (m *markdown) document(d *document.Document) {
	title := m.say(wordReport)
	if d.Suite != "" {
		title += " · " + Clean(d.Suite)
	}
	m.add("## "+escapeMarkdown(title), "")
	m.head(d)
	layouts := layouts(d)
	if len(layouts) == 0 {
		m.add(m.say(wordNoRows), "")
	}
	for _, l := range layouts {
		m.layout(l)
	}
	if found := otherFindings(d); len(found) > 0 {
		m.add("### "+m.say(wordFindings), "")
		for _, line := range m.findings(found) {
			m.add("- " + escapeMarkdown(strings.TrimSpace(line)))
		}
		m.add("")
	}
	m.foot()
}

func (m *markdown) head(d *document.Document) {
	m.addf("- **%s** %s", m.say(wordMachine), escapeMarkdown(m.machine(d)))
	m.addf("- **%s** %s · %s", m.say(wordTrust), m.say(d.Trust.LevelText()), escapeMarkdown(strings.Join(m.trustFacts(d), " · ")))
	if why := m.why(d.Trust); why != "" {
		m.add("  " + escapeMarkdown(why))
	}
	for _, part := range headParts(d, 0) {
		for _, line := range m.sayAll(part.lines) {
			m.addf("- **%s** %s", m.say(part.name), escapeMarkdown(line))
		}
	}
	if d.Partial {
		m.addf("- **%s**", escapeMarkdown(m.partial(d)))
	}
	m.add("")
}

// findings are drawn by the painter on lines of their own; Markdown wraps.
func (m *markdown) findings(fs []layout.Finding) []string {
	wide := *m.painter
	wide.width = 1 << 20
	return wide.findings(fs)
}

func (m *markdown) layout(l layout.Layout) {
	m.add("### "+escapeMarkdown(m.heading(l)), "")
	if q := m.say(l.Question); q != "" {
		m.add("_"+escapeMarkdown(q)+"_", "")
	}
	m.answers(l.Answers)
	for _, t := range l.Headline {
		m.table(t)
	}
	for _, c := range l.Charts {
		if c.Kind == layout.Ratios && len(c.Ratios) > 0 {
			m.table(ratioTable(c))
		}
	}
	for _, t := range l.Tables {
		m.table(t)
	}
	m.listings(l.Listings)
}

func (m *markdown) answers(as []layout.Answer) {
	for _, a := range as {
		m.addf("- %s %s", a.Mark.Sign(), escapeMarkdown(m.say(a.Text)))
	}
	if len(as) > 0 {
		m.add("")
	}
}

// table writes a table, folded where it is long.
func (m *markdown) table(t layout.Table) {
	title := escapeMarkdown(m.say(t.Title))
	folded := len(t.Rows) >= longTable
	switch {
	case folded:
		m.addf("<details><summary>%s (%d)</summary>", title, len(t.Rows))
		m.add("") // GitHub reads Markdown again after an empty line
	case title != "":
		m.add("**"+title+"**", "")
	}
	m.rows(t)
	m.add("")
	if caption := m.say(t.Caption); caption != "" {
		m.add(escapeMarkdown(caption), "")
	}
	if folded {
		m.add("</details>", "")
	}
}

func (m *markdown) rows(t layout.Table) {
	titles, rule := make([]string, len(t.Columns)), make([]string, len(t.Columns))
	for i, c := range t.Columns {
		titles[i], rule[i] = escapeMarkdown(m.say(c.Title)), "---"
		if c.Numeric {
			rule[i] = "--:"
		}
	}
	m.add(markdownRow(titles), markdownRow(rule))
	for _, row := range t.Rows {
		if group := m.say(row.Group); group != "" {
			heading := make([]string, len(t.Columns))
			heading[0] = "**" + escapeMarkdown(group) + "**"
			m.add(markdownRow(heading))
		}
		cells := make([]string, len(t.Columns))
		for i := range min(len(cells), len(row.Cells)) {
			cells[i] = m.markdownCell(row.Cells[i])
		}
		m.add(markdownRow(cells))
	}
}

func markdownRow(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }

func (m *markdown) markdownCell(c layout.Cell) string {
	text := escapeMarkdown(m.say(c.Text))
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

func (m *markdown) foot() {
	if len(m.notes.texts) > 0 {
		m.add("**"+m.say(wordNotes)+"**", "")
		for i, text := range m.notes.texts {
			m.addf("%d. %s", i+1, escapeMarkdown(text))
		}
		m.add("")
	}
	m.add("_" + escapeMarkdown(m.say(Disclaimer)) + "_")
}

func (m *markdown) several(docs []*document.Document) {
	m.add("## "+m.say(wordReport), "", escapeMarkdown(m.say(NoVerdictBetweenMachines)), "")
	for i, d := range docs {
		m.add("### "+m.say(machineName(i)), "")
		m.head(d)
		m.answers(shortAnswers(d.Answers[len(d.WrongOutputs):]))
	}
	for _, t := range sideBySide(docs, len(docs)) {
		m.table(t)
	}
	m.foot()
}

// escapeMarkdown keeps text from being read as Markdown or HTML, and from becoming a
// link or a mention, which GitHub makes of bare addresses, @names, #numbers and GH-numbers:
// a character without width stands in them.
func escapeMarkdown(s string) string {
	for _, link := range autolinks() {
		s = link.ReplaceAllString(s, "${1}\u200b${2}")
	}
	return markdownEscapes.Replace(s)
}

var autolinks = sync.OnceValue(func() (list []*regexp.Regexp) {
	for _, link := range []string{`([@#])([0-9A-Za-z])`, `(:)(//)`, `(?i)(www)(\.)`, `(?i)(GH-)([0-9])`} {
		list = append(list, regexp.MustCompile(link))
	}
	return list
})

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "&", "&amp;", "<", "&lt;", ">", "&gt;", "*", `\*`, "`", "\\`", "_", `\_`, "[", `\[`, "]", `\]`, "~", `\~`,
	"#", `\#`, "$", "&#36;", "\u200b", "&#8203;",
)
