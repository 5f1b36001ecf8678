package render

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// wrongLines say which code was wrong: of at most so many how, and of the others that
// it was; 0 is how of all of them.
func wrongLines(d *document.Document, most int) (lines []layout.Text) {
	sign := layout.Stop.Sign() + " "
	for i, a := range d.WrongOutputs {
		if most > 0 && i == most && a.Brief != (layout.Text{}) {
			more := alsoWrong(d.WrongOutputs[i:])
			return append(lines, layout.Text{EN: sign + more.EN, ZH: sign + more.ZH})
		}
		lines = append(lines, layout.Text{EN: sign + a.Text.EN, ZH: sign + a.Text.ZH})
	}
	return lines
}

// mostWrongNames is how many names of wrong code stand in one line.
const mostWrongNames = 12

func alsoWrong(as []layout.Answer) layout.Text {
	var en, zh []string
	as = slices.CompactFunc(slices.Clone(as), func(a, b layout.Answer) bool { return a.Brief == b.Brief }) // kernels of one name
	for _, a := range as[:min(len(as), mostWrongNames)] {
		en, zh = append(en, a.Brief.EN), append(zh, a.Brief.ZH)
	}
	line := layout.Say(wordAlsoWrong.EN, wordAlsoWrong.ZH, layout.Text{EN: strings.Join(en, ", "), ZH: strings.Join(zh, "、")})
	if left := len(as) - mostWrongNames; left > 0 {
		line = layout.Say(wordMoreWrong.EN, wordMoreWrong.ZH, line, left)
	}
	return line
}

// otherFindings are those that wrongLines does not say.
func otherFindings(d *document.Document) (fs []layout.Finding) {
	for _, f := range d.Findings {
		if f.Kind != layout.FindingIncorrect {
			fs = append(fs, f)
		}
	}
	return fs
}
