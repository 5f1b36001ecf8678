package render

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// listings draws them. Lines of a program are wrapped only where the terminal is too
// narrow for them, and indented to show it.
func (p *painter) listings(ls []layout.Listing) (lines []string) {
	for _, l := range ls {
		lines = append(lines, "")
		lines = append(lines, p.titled(l.Title)...)
		for _, line := range l.Lines() {
			indent := len(line) - len(strings.TrimLeft(line, " "))
			parts := []string{Clean(line[indent:])}
			if indent += gridIndent; indent+width(parts[0]) > p.width {
				const deeper = 4
				parts = wrap(parts[0], p.width-indent-deeper)
				for i := range parts[1:] {
					parts[i+1] = spaces(deeper) + parts[i+1]
				}
			}
			for _, part := range parts {
				lines = append(lines, trimRight(spaces(indent)+part))
			}
		}
	}
	return lines
}
