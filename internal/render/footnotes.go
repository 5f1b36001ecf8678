package render

import (
	"slices"
	"strconv"
	"strings"
)

// footnotes numbers doubts in the order in which they are met. Equal texts share
// a number.
type footnotes struct{ texts []string }

// marksOf numbers a cell's footnotes and returns the marks behind it: "¹,³".
func (f *footnotes) marksOf(notes []string) string {
	numbers := make([]int, len(notes))
	for i, note := range notes {
		at := slices.Index(f.texts, note)
		if at < 0 {
			at, f.texts = len(f.texts), append(f.texts, note)
		}
		numbers[i] = at + 1
	}
	slices.Sort(numbers)
	return strings.Join(each(numbers, superscript), ",")
}

var superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

func superscript(n int) string { return superscripts.Replace(strconv.Itoa(n)) }

func (p *painter) notes(f *footnotes) (lines []string) {
	for i, text := range f.texts {
		mark := superscript(i + 1)
		lines = append(lines, hang("  "+mark+" ", 3+Width(mark), text, p.Width)...)
	}
	return lines
}
