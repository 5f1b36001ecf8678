package report

import "strings"

// Listing is lines of a program that a reader may want to write.
type Listing struct {
	Title    Text
	Language string // "c", "go": of the fence in Markdown
	Code     string
}

// lines are a listing's, as they are printed where there are no tabs.
func (l Listing) lines() []string {
	const tab = "    "
	return strings.Split(strings.TrimRight(strings.ReplaceAll(l.Code, "\t", tab), "\n"), "\n")
}

// listings draws them. Lines of a program are not wrapped: they would no longer be any.
func (p *painter) listings(ls []Listing) (lines []string) {
	for _, l := range ls {
		lines = append(lines, "")
		lines = append(lines, p.titled(l.Title)...)
		for _, line := range l.lines() {
			indent := len(line) - len(strings.TrimLeft(line, " "))
			lines = append(lines, trimRight(spaces(gridIndent+indent)+clean(line[indent:])))
		}
	}
	return lines
}

// listings writes them between fences.
func (m *markdown) listings(ls []Listing) {
	for _, l := range ls {
		m.add("**"+escapeMarkdown(m.say(l.Title))+"**", "", "```"+l.Language)
		m.add(l.lines()...)
		m.add("```", "")
	}
}
