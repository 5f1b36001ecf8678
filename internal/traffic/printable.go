package traffic

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// printable is what a server said, for a terminal: what would move its cursor, colour it or ring its bell is escaped
// as in Go, and what is longer than a few lines is cut.
func printable(said string) string {
	const most = 500 // characters
	var b strings.Builder
	for n := 0; said != ""; n++ {
		if n == most {
			return b.String() + "…"
		}
		r, size := utf8.DecodeRuneInString(said)
		if !strconv.IsPrint(r) || r == utf8.RuneError && size == 1 {
			b.WriteString(strings.Trim(strconv.Quote(said[:size]), `"`))
		} else {
			b.WriteString(said[:size])
		}
		said = said[size:]
	}
	return b.String()
}
