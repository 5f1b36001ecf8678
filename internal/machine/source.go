package machine

import (
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// source is the tree that everything is read from. What is not there reads as
// empty; the callers decide whether that is an answer.
type source struct{ fsys fs.FS }

// text returns a file's contents without the space around them.
func (s source) text(path string) string {
	b, err := fs.ReadFile(s.fsys, path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// label returns the first line of a file that names something, without what
// can't be printed: it is shown to people.
func (s source) label(path string) string { return label(s.text(path)) }

func label(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	line = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, line)
	return strings.TrimSpace(line)
}

func (s source) number(path string) (int64, bool) { return parseInt(s.text(path)) }

func (s source) exists(path string) bool {
	_, err := fs.Stat(s.fsys, path)
	return err == nil
}

func parseInt(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// values returns what follows "key:" or "key=" on lines of their own, each once, and nothing that is empty.
func values(text, key, separator string) (list []string) {
	for line := range strings.Lines(text) {
		k, v, _ := strings.Cut(line, separator)
		if v = strings.TrimSpace(v); v != "" && strings.TrimSpace(k) == key && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// field returns the first of them.
func field(text, key, separator string) string { return append(values(text, key, separator), "")[0] }

// maxListed bounds a CPU list, so that garbage does not become a large slice.
const maxListed = 1 << 16

// parseList reads the kernel's list form, "0-3,8". A list that does not parse
// is no list.
func parseList(text string) []int {
	if text == "" {
		return nil
	}
	var list []int
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			high = low
		}
		from, ok1 := parseInt(low)
		to, ok2 := parseInt(high)
		if !ok1 || !ok2 || from < 0 || to < from || to >= maxListed {
			return nil
		}
		for n := from; n <= to; n++ {
			list = append(list, int(n))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func formatList(list []int) string {
	var parts []string
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n] == list[n-1]+1 {
			n++
		}
		part := strconv.Itoa(list[0])
		if n > 1 {
			part += "-" + strconv.Itoa(list[n-1])
		}
		parts, list = append(parts, part), list[n:]
	}
	return strings.Join(parts, ",")
}

// binarySize reads a size in bytes with the kernel's suffix: "48K", "2M",
// "24684092 kB". What does not parse is 0.
func binarySize(text string) int64 {
	digits := strings.TrimRight(text, " kKmMgGbB")
	n, ok := parseInt(digits)
	unit := strings.ToLower(strings.TrimSpace(text[len(digits):]) + " ")
	shift := 10 * (1 + strings.IndexByte("kmg", unit[0]))
	if !ok || n < 0 || n > math.MaxInt64>>shift {
		return 0
	}
	return n << shift
}
