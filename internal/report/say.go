package report

import (
	"fmt"
	"regexp"
	"slices"
)

// Say makes a text of two formats and the same arguments; arguments that are
// texts themselves take part in their own language.
func Say(en, zh string, args ...any) Text {
	in := func(l Lang) []any {
		out := slices.Clone(args)
		for i, a := range out {
			if t, ok := a.(Text); ok {
				out[i] = t.In(l)
			}
		}
		return out
	}
	return Text{EN: fmt.Sprintf(en, in(English)...), ZH: closeUp(fmt.Sprintf(zh, in(Chinese)...))}
}

// betweenHan is a space that stands between two Chinese characters or beside
// Chinese punctuation, where none belongs: a format can't know what it is given.
var betweenHan = regexp.MustCompile(`(\p{Han}|[，。：；（）、]) +(\p{Han}|[，。：；（）、])`)

func closeUp(zh string) string {
	for {
		closed := betweenHan.ReplaceAllString(zh, "$1$2")
		if closed == zh {
			return zh
		}
		zh = closed
	}
}
