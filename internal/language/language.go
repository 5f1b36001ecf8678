// Package language holds sentences in the languages that this program speaks,
// side by side.
package language

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
)

type Text struct {
	EN string `json:"en"`
	ZH string `json:"zh"`
}

type Lang string

const (
	English Lang = "en"
	Chinese Lang = "zh"
)

func (t Text) In(l Lang) string {
	if l == Chinese && t.ZH != "" {
		return t.ZH
	}
	return t.EN
}

// OfSession is the language of the environment's locale, in the order of setlocale(3).
func OfSession() Lang {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := os.Getenv(name); v != "" {
			if strings.HasPrefix(v, "zh") {
				return Chinese
			}
			break
		}
	}
	return English
}

// Same is a text that reads the same in every language, such as a number.
func Same(s string) Text { return Text{EN: s, ZH: s} }

// Say makes a text of two formats and the same arguments; arguments that are
// texts themselves take part in their own language.
func Say(en, zh string, args ...any) Text {
	return Text{Sprintf(English, en, spoken(English, args)...), Sprintf(Chinese, zh, spoken(Chinese, args)...)}
}

// spoken are arguments in a language: texts, and in Chinese errors, which English takes as they are.
func spoken(l Lang, args []any) []any {
	args = slices.Clone(args)
	for i, a := range args {
		switch a := a.(type) {
		case interface{ In(Lang) string }:
			args[i] = a.In(l)
		case error:
			if l == Chinese {
				args[i] = Of(a).ZH
			}
		}
	}
	return args
}

// Sprintf is [fmt.Sprintf] in one language: Chinese is closed up, but for the spaces in
// an argument, which may be a file's name.
func Sprintf(l Lang, format string, args ...any) string {
	if l != Chinese {
		return fmt.Sprintf(format, args...)
	}
	const kept = "\u303f" // stands for such a space meanwhile
	args = slices.Clone(args)
	for i, a := range args {
		if s, ok := a.(string); ok && betweenHan().MatchString(s) {
			args[i] = strings.ReplaceAll(s, " ", kept)
		}
	}
	return strings.ReplaceAll(closeUp(fmt.Sprintf(format, args...)), kept, " ")
}

// betweenHan is a space that stands between two Chinese characters or beside
// Chinese punctuation, where none belongs: a format can't know what it is given.
var betweenHan = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\p{Han}|[，。：；（）、“”]) +(\p{Han}|[，。：；（）、“”])`)
})

func closeUp(zh string) string {
	for {
		closed := betweenHan().ReplaceAllString(zh, "$1$2")
		if closed == zh {
			return zh
		}
		zh = closed
	}
}
