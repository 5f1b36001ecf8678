package render

import (
	"cmp"
	"strings"
	"unicode"

	textwidth "golang.org/x/text/width"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Options say how a report for people is drawn.
type Options struct {
	Lang  layout.Lang
	Width int  // columns of the text formats; 0 is 100
	Color bool // ANSI colours; the caller knows the terminal and NO_COLOR
	All   bool // everything that the run holds; otherwise text is a screen or two of it

	Run  string // how the command that shows everything names the run; "" is RUN
	Page bool   // report.html stands beside the run

	Repeat []string // flags that the commands to run next repeat: the language, where it was typed

	Title, Note string // the user's words, above everything in the formats that people read

	Links []Link // of the page's top, where the page is one of several
}

// titleOr is the user's title, else the usual one.
func (o Options) titleOr(usual layout.Text) layout.Text { return cmp.Or(layout.Same(o.Title), usual) }

// Link leads from a page to another.
type Link struct {
	Text layout.Text
	Href string
	Here bool // to the part that the page is of
}

const (
	defaultWidth = 100
	leastWidth   = 40
)

// Width measures text as terminals draw it, in columns: Chinese takes two, and
// characters of ambiguous width take one, whatever the locale of the reader.
func Width(s string) (columns int) {
	for _, r := range s {
		columns += runeWidth(r)
	}
	return columns
}

func runeWidth(r rune) int {
	const combining = 0x300 // U+0300 is the first that combines, and all wide ones come after it
	if r < combining {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0 // drawn over the character before
	}
	switch textwidth.LookupRune(r).Kind() {
	case textwidth.EastAsianWide, textwidth.EastAsianFullwidth:
		return 2
	}
	return 1
}

type painter struct {
	Options
	thrift thrift
}

func newPainter(o Options) *painter {
	o.Lang = cmp.Or(o.Lang, layout.English)
	o.Width = max(cmp.Or(o.Width, defaultWidth), leastWidth)
	return &painter{Options: o}
}

// say gives a text in the reader's language, fit for a line.
func (p *painter) say(t layout.Text) string { return Clean(t.In(p.Lang)) }

// Clean makes text from a run file harmless on a terminal: a library's error
// may hold escape sequences, and a sentence is one line.
func Clean(s string) string {
	if !strings.ContainsFunc(s, unprintable) {
		return s
	}
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unprintable(r) {
			return ' '
		}
		return r
	}, s)), " ")
}

func unprintable(r rune) bool {
	// Besides controls, format characters can reorder what is read.
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' || r == unicode.ReplacementChar
}

// ANSI sequences. Colour is never the only bearer of a meaning.
const (
	ansiReset  = "\x1b[0m"
	ansiBold   = "\x1b[1m"
	ansiFaint  = "\x1b[2m"
	ansiRed    = "\x1b[31m"
	ansiGreen  = "\x1b[32m"
	ansiYellow = "\x1b[33m"
	ansiBlue   = "\x1b[34m"
	ansiStruck = "\x1b[31;9m"
)

func (p *painter) paint(code, s string) string {
	if !p.Color || s == "" || code == "" {
		return s
	}
	return code + s + ansiReset
}

func (p *painter) bold(s string) string { return p.paint(ansiBold, s) }

func (p *painter) mark(m layout.Mark) string {
	code := map[layout.Mark]string{layout.Stop: ansiRed, layout.Choose: ansiGreen, layout.Beware: ansiYellow, layout.Unclear: ansiBlue}[m]
	return p.paint(code, m.Sign())
}

func (p *painter) trust(t document.Trust) string {
	code := map[string]string{document.TrustGood: ansiGreen, document.TrustFair: ansiYellow, document.TrustLow: ansiRed}[t.Level]
	return p.paint(code, p.say(t.LevelText()))
}

// Cut shortens s to at most w columns, with an ellipsis where it was longer.
func Cut(s string, w int) string {
	if Width(s) <= w {
		return s
	}
	return Prefix(s, w-1) + "…"
}

// Prefix is the longest beginning of s that fits into w columns.
func Prefix(s string, w int) string {
	for i, r := range s {
		if w -= runeWidth(r); w < 0 {
			return s[:i]
		}
	}
	return s
}

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

// Lines draws a sentence behind a prefix for a terminal of so many columns (0: the
// usual 100), as the reports do; what follows the first line is indented by the
// prefix. Nothing in the text can move the cursor.
func Lines(prefix, text string, columns int) []string {
	return hang(prefix, Width(prefix), Clean(text), max(cmp.Or(columns, defaultWidth), leastWidth))
}
