package document

import (
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cryptogauge/cryptogauge/result"
)

// Reports are shared, and the run files that they are made from hold what was typed and
// where libraries lie.

// homes are the directories of users as systems name them: whoever makes the report need
// not be who made the run.
var homes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[\s"'=:;,(@])(?:/(?:home|Users|var/home|export/home|usr/home)/[^/\s"':;,()]+|/(?:var/)?root|[A-Za-z]:\\Users\\[^\\\s"':;,()]+)($|[/\\\s"':;,()])`)
})

// WithoutHome gives a run whose texts name no home directory: a ~ stands in its place.
// Home is that of whoever makes the report; "" where there is none.
func WithoutHome(run *result.Run, home string) *result.Run {
	home = strings.ToValidUTF8(home, "\uFFFD")                                  // as the texts of a run file are
	known := regexp.MustCompile(regexp.QuoteMeta(home) + `($|[/\\ \t"':;,()])`) // not the beginning of another name
	return rewritten(run, func(text string) string {
		if len(home) > 1 {
			text = known.ReplaceAllString(text, "~${1}")
		}
		return homes().ReplaceAllString(text, "${1}~${2}")
	})
}

// Names are what a report without names must not hold beside paths.
type Names struct{ Host, User string }

// paths are absolute ones, where a path can begin. A word behind a space belongs to one
// if a separator follows in it, as in "/my files/x".
var paths = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[\s"'=:;,(@])(?:(?:~|\(path\))?/[^\s"':;,()]+(?: [^\s"':;,()/]+/[^\s"':;,()]+)*|~(?:$|[\s"':;,()])|[A-Za-z]:\\[^\s"';,()]+)`)
})

// WithoutNames gives a run whose texts name no place, machine or user: paths, the
// arguments of the command that are paths, and the names given.
func WithoutNames(run *result.Run, names Names) *result.Run {
	known := []string{} // one with spaces is not always found by its look
	for _, l := range run.Header.Libraries {
		if dir := path.Dir(l.Path); l.Path != "" && strings.Count(dir, "/") > 1 {
			known = append(known, l.Path, dir)
		}
	}
	out := rewritten(run, func(text string) string {
		for _, place := range known {
			text = strings.ReplaceAll(text, place, hiddenPath)
		}
		return paths().ReplaceAllString(text, "${1}"+hiddenPath)
	})
	out.Header.Command = anonymousCommand(run.Header.Command)
	hide := func(text string) string {
		for by, name := range map[string]string{"(host)": names.Host, "(user)": names.User} {
			// A name such as "root" or "go" is a word of the reports too.
			if len(name) > 2 && name != "root" && name != "localhost" {
				text = regexp.MustCompile(`(^|[^\pL\pN])`+regexp.QuoteMeta(name)+`($|[^\pL\pN])`).ReplaceAllString(text, "${1}"+by+"${2}")
			}
		}
		return text
	}
	places := []any{&out.Header.Title, &out.Header.Note, &out.Header.Command, &out.Header.Environment, &out.Header.Machine.Product, &out.Statuses, &out.End}
	for i := range out.Header.Libraries {
		out.Header.Libraries[i].Path = ""
		places = append(places, &out.Header.Libraries[i].Missing)
	}
	for i := range out.Trials {
		places = append(places, &out.Trials[i].Note)
	}
	for _, place := range places {
		v := reflect.ValueOf(place).Elem()
		v.Set(rewrite(v, hide))
	}
	return out
}

const hiddenPath = "(path)"

// pathFlags are those whose value is a path, however it looks.
var pathFlags = []string{"output", "dir", "library", "baseline", "baseline-dir", "sample", "pin-file", "store"}

// anonymousCommand leaves out the arguments that are paths, and the flags they belong to.
func anonymousCommand(command []string) (kept []string) {
	isPath := func(s string) bool {
		return strings.ContainsAny(s, `/\`) || strings.HasPrefix(s, "@") || strings.HasPrefix(s, "~")
	}
	for i := 0; i < len(command); i++ {
		name, value, joined := strings.Cut(strings.TrimLeft(command[i], "-"), "=")
		flag := strings.HasPrefix(command[i], "-")
		follows := flag && !joined && i+1 < len(command)
		switch {
		case flag && slices.Contains(pathFlags, name):
			if follows {
				i++
			}
		case flag && joined && isPath(value), !flag && isPath(command[i]):
		case follows && isPath(command[i+1]):
			i++
		default:
			kept = append(kept, command[i])
		}
	}
	return kept
}

// rewritten is a run with other texts; the one it is made from stays as it is.
func rewritten(run *result.Run, change func(string) string) *result.Run {
	texts := *run
	texts.Samples, texts.Artifacts = nil, nil
	out := rewrite(reflect.ValueOf(texts), change).Interface().(result.Run)
	out.Samples, out.Artifacts = run.Samples, run.Artifacts
	return &out
}

// rewrite copies a value, with every text in it changed.
func rewrite(v reflect.Value, change func(string) string) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v) // unexported fields too
	switch v.Kind() {
	case reflect.String:
		out.SetString(change(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(rewrite(v.Elem(), change))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			out.Index(i).Set(rewrite(v.Index(i), change))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(rewrite(v.Field(i), change))
			}
		}
	}
	return out
}
