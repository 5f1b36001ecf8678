// Package reason words why something is as it is, in English and Chinese. Who knows why
// gives a code and what it says it of: the sentences of all codes stand below each other in
// one table (table.txt). Code and arguments cross the wall as [result.Cause], beside the
// English sentence; what has a sentence alone, such as a run file of an earlier version,
// is read by [Parse] (legacy.go).
package reason

import (
	"cmp"
	_ "embed" // table.txt, notes.txt
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/result"
)

type sentence struct{ code, en, zh string }

//go:embed table.txt
var tableText string

var table = sync.OnceValue(func() (all []sentence) {
	for lines := range records(tableText, 3) {
		all = append(all, sentence{lines[0], lines[1], lines[2]})
	}
	return all
})

// records are those of so many lines, with an empty line between them; # begins a comment.
func records(text string, lines int) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for record := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
			r := strings.Split(record, "\n")
			if !strings.HasPrefix(record, "#") && len(r) == lines && !yield(r) {
				return
			}
		}
	}
}

// foreign is what somebody else says, such as a library in C: quoted, and not translated.
const foreign = "foreign"

var sentences = sync.OnceValue(func() map[string]*sentence {
	m := map[string]*sentence{}
	for i := range table() {
		m[table()[i].code] = &table()[i]
	}
	return m
})

// GivenUp is the code of a trial that has no result because its library was given up.
const GivenUp = "given-up"

// Skipped says that a benchmark has no result because it skips itself.
func Skipped(c result.Cause) bool { return strings.HasPrefix(c.Code, "bench-skipped") }

type Error struct {
	cause   result.Cause
	wrapped []error
}

// New returns the error of a code. Arguments that are errors take part by their own
// reason, in their own words where they have none, and are wrapped.
func New(code string, args ...any) *Error {
	e := &Error{cause: result.Cause{Code: code, Args: make([]result.Argument, len(args))}}
	for i, arg := range args {
		switch arg := arg.(type) {
		case error:
			cause := Of(arg)
			e.cause.Args[i].Cause = &cause
			e.wrapped = append(e.wrapped, arg)
		case result.Cause:
			e.cause.Args[i].Cause = &arg
		default:
			e.cause.Args[i].Text = fmt.Sprint(arg)
		}
	}
	return e
}

// As returns an error that reads as the cause and wraps another.
func As(cause result.Cause, wrapped error) *Error { return &Error{cause, []error{wrapped}} }

// Wrapping adds an error that this one is.
func (e *Error) Wrapping(err error) *Error { return &Error{e.cause, append(e.wrapped, err)} }

func (e *Error) Error() string       { return English(e.cause) }
func (e *Error) Unwrap() []error     { return e.wrapped }
func (e *Error) Text() language.Text { return Text(e.cause) }

func (e *Error) AsCause() result.Cause { return e.cause }

func Of(err error) result.Cause {
	if e, ok := err.(interface{ AsCause() result.Cause }); ok {
		return e.AsCause()
	}
	return Parse(err.Error())
}

func Foreign(text string) result.Cause {
	return result.Cause{Code: foreign, Args: []result.Argument{{Text: text}}}
}

func Cause(code string, args ...any) result.Cause { return New(code, args...).cause }

// Join puts causes behind each other; of none it is the empty cause.
func Join(causes []result.Cause) (all result.Cause) {
	for i, c := range causes {
		if all = Cause("both", all, c); i == 0 {
			all = c
		}
	}
	return all
}

// Timing says whether a time depends on secrets, and how that is known. Its sentence is
// added by [Based], so that tables of libraries are made without reading that of codes.
func Timing(value, code string, args ...any) result.ConstantTime {
	return result.ConstantTime{Value: value, Cause: Cause(code, args...)}
}

// Based adds the sentence of how it is known.
func Based(t result.ConstantTime) result.ConstantTime {
	t.Basis = cmp.Or(t.Basis, English(t.Cause))
	return t
}

// Text is a cause's sentence. One of a code that is unknown here has none.
func Text(c result.Cause) language.Text {
	return language.Text{EN: in(language.English, c), ZH: in(language.Chinese, c)}
}

func English(c result.Cause) string { return in(language.English, c) }

func in(l language.Lang, c result.Cause) string {
	s := sentences()[c.Code]
	if s == nil || strings.Count(s.en, "%s")+strings.Count(s.en, "%q") != len(c.Args) {
		return ""
	}
	if c.Code == foreign {
		return said(c.Args[0].Text).In(l)
	}
	args := make([]any, len(c.Args))
	for i, a := range c.Args {
		args[i] = a.Text
		if a.Cause != nil {
			args[i] = in(l, *a.Cause)
		}
	}
	text := language.Sprintf(l, language.Text{EN: s.en, ZH: s.zh}.In(l), args...)
	if l == language.English {
		return singular(text)
	}
	return text
}

// singular says of one what the sentences say of several: "1 block is" where they have "1 blocks are".
func singular(text string) string {
	for _, noun := range [...]string{"block", "sample", "value", "size", "goroutine"} {
		before, after, found := strings.Cut(text, "1 "+noun+"s ")
		if !found || before != "" && !strings.HasSuffix(before, " ") { // 11 blocks
			continue
		}
		verb, rest, _ := strings.Cut(after, " ")
		switch verb {
		case "are":
			return before + "1 " + noun + " is " + rest
		case "have":
			return before + "1 " + noun + " has " + rest
		case "allow", "take":
			return before + "1 " + noun + " " + verb + "s " + rest
		}
	}
	return text
}

// said is what somebody else said: quoted in Chinese, but for what the system says, and
// for figures.
func said(text string) language.Text {
	if t, known := language.System(text); known {
		return t
	}
	if !strings.ContainsFunc(text, unicode.IsLetter) {
		return language.Text{EN: text, ZH: text}
	}
	return language.Text{EN: text, ZH: "“" + text + "”"}
}

// Said is what stood beside an English sentence, or in it alone, in both languages.
func Said(english string, c result.Cause) language.Text { return Text(Read(english, c)) }

// Read is the reason that stood beside an English sentence where its code is known
// here, else what the sentence says.
func Read(english string, c result.Cause) result.Cause {
	if English(c) != "" {
		return c
	}
	return Parse(english)
}

//go:embed notes.txt
var notesText string

var notes = sync.OnceValue(func() (ps []pattern) {
	for lines := range records(notesText, 2) {
		ps = append(ps, patternOf(sentence{en: lines[0], zh: lines[1]}))
	}
	return ps
})

// everyNote has those of earlier versions too.
var everyNote = sync.OnceValue(func() []pattern {
	ps := slices.Clone(notes())
	for _, note := range legacyNotes {
		if i := slices.IndexFunc(notes(), func(p pattern) bool { return p.en == note[1] }); i >= 0 {
			ps = append(ps, patternOf(sentence{en: note[0], zh: ps[i].zh}))
		}
	}
	return ps
})

// Note is what a library notes of how a trial is put together: sentences with "; " between
// them.
func Note(english string) (text language.Text) {
	for part := range strings.SplitSeq(english, "; ") {
		zh := said(part).ZH
		if p, args := closest(everyNote(), part); p != nil {
			zh = language.Sprintf(language.Chinese, p.zh, anys(args)...)
		} else if !strings.Contains(part, " ") {
			zh = part // a name
		}
		text.ZH += "；" + zh
	}
	return language.Text{EN: english, ZH: strings.TrimPrefix(text.ZH, "；")}
}

func anys(texts []string) (all []any) {
	for _, t := range texts {
		all = append(all, t)
	}
	return all
}
