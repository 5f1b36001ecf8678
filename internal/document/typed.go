package document

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
)

// What the user typed, and commands that go on from it.

// TypedFlag is a flag of a command with its value.
type TypedFlag struct{ Name, Value string }

// TypedFlags are the flags of a command that have these names, all of which take a value.
func TypedFlags(command []string, names ...string) (flags []TypedFlag) {
	for i := 0; i < len(command); i++ {
		name, value, joined := strings.Cut(strings.TrimLeft(command[i], "-"), "=")
		switch {
		case !strings.HasPrefix(command[i], "--") || !slices.Contains(names, name):
		case joined:
			flags = append(flags, TypedFlag{name, value})
		case i+1 < len(command):
			i++
			flags = append(flags, TypedFlag{name, command[i]})
		}
	}
	return flags
}

// Typed are the words of a command as a shell takes them: a path or a title may have spaces in it,
// or what a shell would run.
func Typed(words ...string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_./:=,@%+", r)
	}
	var quoted []string
	for _, word := range words {
		home := ""
		if name, rest, ok := strings.Cut(word, "~/"); ok && !strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) &&
			(name == "" || strings.HasSuffix(name, "=")) { // what reads name=~/path knows the home itself, as some shells do
			home, word = name+"~/", rest
		}
		if word == "" || strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		quoted = append(quoted, home+word)
	}
	return strings.Join(quoted, " ")
}

// WithoutFlags are the words of a command but for some flags, as they are typed, all of which take a value.
func WithoutFlags(command []string, flags ...string) (words []string) {
	for i := 0; i < len(command); i++ {
		flag, _, joined := strings.Cut(command[i], "=")
		switch {
		case !slices.Contains(flags, flag):
			words = append(words, command[i])
		case !joined:
			i++
		}
	}
	return words
}

// WithBudget is the command of a run with the budget that so many seconds need, rounded up.
func WithBudget(command []string, seconds float64) []string {
	words := slices.DeleteFunc(WithoutFlags(command, "--budget"), func(word string) bool { return word == "--dry-run" })
	const reserve = 1.1 // that the estimate may be short by
	need := fmt.Sprintf("%.0fs", 10*math.Ceil(reserve*seconds/10))
	if seconds >= 60 {
		need = fmt.Sprintf("%.0fm", math.Ceil(reserve*seconds/60))
	}
	return append(words, "--budget", need)
}
