// Package language holds sentences in the languages that this program speaks,
// side by side.
package language

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
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
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))
	if strings.HasPrefix(locale, "zh") {
		return Chinese
	}
	return English
}

// Same is a text that reads the same in every language, such as a name. Figures are closed up in
// Chinese: 44% (40–48%) for 44 % (40–48 %), with its own brackets.
func Same(s string) Text { return Text{EN: s, ZH: closedFigures(s)} }

// figures is a text of nothing but numbers, with percent signs or units, and intervals in brackets.
var figures = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[±≤≥<>+−-]?[ \d](?:[\d.,–−+±≤≥<>×%() -]|[nµm]?s\b)*$`)
})

var chineseFigures = strings.NewReplacer(" %", "%", " (", "（", "(", "（", ")", "）")

// closedFigures are figures as Chinese writes them, and any other text as it is.
func closedFigures(s string) string {
	if !strings.Contains(s, " %") && !strings.Contains(s, " (") || !figures().MatchString(s) {
		return s
	}
	return chineseFigures.Replace(s)
}

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

// Sprintf is [fmt.Sprintf] in one language. Chinese is closed up, and apart from letters and digits
// beside it, and so are figures; what else stands in an argument is kept, which may be a file's name.
func Sprintf(l Lang, format string, args ...any) string {
	if l != Chinese {
		return fmt.Sprintf(format, args...)
	}
	const space, none = "\u303f", "\u303e" // stand for a space, and for that there is none, meanwhile
	args = slices.Clone(args)
	for i, a := range args {
		s, ok := a.(string)
		if !ok {
			continue
		}
		s = closedFigures(s)
		if betweenHan().MatchString(s) {
			s = strings.ReplaceAll(s, " ", space)
		}
		args[i] = apart(s, none)
	}
	return strings.NewReplacer(space, " ", none, "").Replace(apart(closeUp(fmt.Sprintf(format, args...)), " "))
}

// Where a Chinese character and a letter or digit meet.
var (
	afterHan  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\p{Han})([0-9A-Za-z])`) })
	beforeHan = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([0-9A-Za-z])(\p{Han})`) })
)

// apart puts something between a Chinese character and a letter or digit beside it.
func apart(zh, between string) string {
	with := "${1}" + between + "${2}"
	return beforeHan().ReplaceAllString(afterHan().ReplaceAllString(zh, with), with)
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

// Clip keeps a sentence on one line of a screen that quotes a file, whatever is in it.
func Clip(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// FormatSize prints a count of bytes exactly: "64 B", "16 KiB", "10 kB".
func FormatSize(bytes int64) string {
	for _, u := range []struct {
		name string
		size int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if bytes >= u.size && bytes%u.size == 0 {
			return strconv.FormatInt(bytes/u.size, 10) + " " + u.name
		}
	}
	return strconv.FormatInt(bytes, 10) + " B"
}
