package render

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// hang wraps text to w columns behind a prefix; the lines after the first are
// indented by the prefix's width. Colour codes in the prefix take no columns, so
// the width is given.
func hang(prefix string, prefixWidth int, text string, w int) []string {
	lines := wrap(text, max(w-prefixWidth, 10))
	lines[0] = prefix + lines[0]
	for i := 1; i < len(lines); i++ {
		lines[i] = spaces(prefixWidth) + lines[i]
	}
	return lines
}

// wrap breaks text into lines of at most w columns; it returns one line at least. Where
// words of Chinese end, only a dictionary knows. So a line ends at a space or at
// punctuation, if it is half full then and what follows fits into the next; else it ends
// between any two characters, but neither before punctuation that closes nor behind some
// that opens.
func wrap(text string, w int) []string {
	var lines []string
	var line []byte
	used := 0
	units := breakable(text)
	for i, u := range units {
		gap := 0
		if u.spaced && len(line) > 0 {
			gap = 1
		}
		early := !u.inside && 2*used >= w && used+gap+phrase(units[i:]) > w && phrase(units[i:]) <= w
		if len(line) > 0 && (early || used+gap+u.width > w) {
			lines, line, used, gap = append(lines, string(line)), line[:0], 0, 0
		}
		for u.width > w { // a word longer than a line
			head := u.head(w)
			if head == "" {
				break
			}
			lines = append(lines, head)
			u.text = u.text[len(head):]
			u.width = Width(u.text)
		}
		line = append(append(line, spaces(gap)...), u.text...)
		used += gap + u.width
	}
	return append(lines, string(line))
}

type unit struct {
	text   string
	width  int
	spaced bool // a space stands before it
	inside bool // neither does, nor punctuation: a break may be inside a word
}

// phrase is the width up to the next space or punctuation.
func phrase(units []unit) int {
	w := units[0].width
	for _, u := range units[1:] {
		if !u.inside {
			break
		}
		w += u.width
	}
	return w
}

// joints are characters behind which a word that is too long may be broken:
// "ChaCha20-" and "Poly1305".
const joints = "-+/_,="

// joints cuts a unit behind each of its joints.
func (u unit) joints() (parts []string) {
	rest := u.text
	for i := strings.IndexAny(rest, joints); i >= 0 && i < len(rest)-1; i = strings.IndexAny(rest, joints) {
		parts, rest = append(parts, rest[:i+1]), rest[i+1:]
	}
	return append(parts, rest)
}

func (u unit) head(w int) string {
	head := ""
	for _, part := range u.joints() {
		if Width(head+part) > w {
			break
		}
		head += part
	}
	return cmp.Or(head, Prefix(u.text, w))
}

// longWord is the width beyond which a word in a table may be broken at its joints.
const longWord = 18

// unbroken is the width that wrapped text takes at least, if no word is to be
// broken, and long ones only at their joints.
func unbroken(text string) (w int) {
	for _, u := range breakable(text) {
		parts := []string{u.text}
		if u.width > longWord {
			parts = u.joints()
		}
		for _, part := range parts {
			w = max(w, Width(part))
		}
	}
	return w
}

// Characters that Chinese lines do not begin with, and that they do not end with.
const (
	noLineStart = "，。；：、！？）」』】》〉”’％…·,.;:!?)]}%"
	noLineEnd   = "（「『【《〈“‘([{"
)

// breakable cuts text into units: words between spaces, and within them each
// wide character by itself, with the punctuation that may not leave it.
func breakable(text string) (units []unit) {
	for _, word := range strings.Fields(text) {
		for i, piece := range pieces(word) {
			u := unit{text: piece, width: Width(piece), spaced: i == 0}
			if len(units) > 0 {
				before := &units[len(units)-1]
				if i == 0 && belongs(piece, before.text) { // "21 %" and "64 B" stay whole
					before.text, before.width = before.text+" "+piece, before.width+1+u.width
					continue
				}
				last, _ := utf8.DecodeLastRuneInString(before.text)
				first, _ := utf8.DecodeRuneInString(piece)
				u.inside = i > 0 && !strings.ContainsRune(noLineStart, last) && !strings.ContainsRune(noLineEnd, first)
			}
			units = append(units, u)
		}
	}
	return units
}

// measures are units of measurement, which don't leave their number.
var measures = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(([KMG]i?)?B\b|[nµm]?s\b|min\b|h\b)`) })

// belongs says whether a word is the unit of the number before it.
func belongs(word, before string) bool {
	last := before[len(before)-1]
	return strings.HasPrefix(word, "%") || '0' <= last && last <= '9' && measures().MatchString(word)
}

func pieces(word string) (out []string) {
	begin, last := 0, rune(0)
	for i, r := range word {
		breaks := last != 0 && (runeWidth(r) > 1 || runeWidth(last) > 1)
		if breaks && !strings.ContainsRune(noLineStart, r) && !strings.ContainsRune(noLineEnd, last) {
			out = append(out, word[begin:i])
			begin = i
		}
		last = r
	}
	return append(out, word[begin:])
}
