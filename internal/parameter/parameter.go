// Package parameter has a codec for every parameter of a case and every variable that
// a worker is started with. Who writes one and who reads it use the same codec, so
// that neither names it or its values as text.
//
//	c.Parameters = parameter.Join(parameter.Chunk.Is(64<<10), parameter.IO.Is(parameter.File))
//	...
//	chunk := parameter.Chunk.In(c.Parameters)
//
// What the codecs write are the canonical strings of package result, which run files
// and the names of rows hold: they must not change.
package parameter

import (
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Key is a codec, whatever the type of its values.
type Key interface {
	Name() string
	// Has says whether a canonical string sets the parameter, to whatever value.
	Has(canonical string) bool
	// reads says whether it is set to a value that it may have.
	reads(canonical string) bool
}

// name is a key's name, and how what it stands in is separated.
type name struct {
	text      string
	separator string // of parameters a comma; of an environment, whose values hold commas, a space
}

func (n name) Name() string   { return n.text }
func (n name) String() string { return n.text }

func (n name) Has(canonical string) bool {
	_, ok := n.value(canonical)
	return ok
}

func (n name) value(canonical string) (value string, ok bool) {
	for pair := range strings.SplitSeq(canonical, n.separator) {
		if k, v, both := strings.Cut(pair, "="); both && k == n.text {
			return v, true
		}
	}
	return "", false
}

// Number is a codec of whole numbers.
type Number[N int | int64] struct {
	name
	Least, Most N
}

// Is is the parameter with a value, canonical.
func (p Number[N]) Is(n N) string { return p.text + "=" + strconv.FormatInt(int64(n), 10) }

// In reads the parameter; it is 0 where it is not set, or is no number from Least to Most.
func (p Number[N]) In(canonical string) N {
	n, _ := p.Read(canonical)
	return n
}

// Read is In, and says whether there was a number.
func (p Number[N]) Read(canonical string) (N, bool) {
	text, _ := p.value(canonical) // no number is empty
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || int64(N(n)) != n || N(n) < p.Least || N(n) > p.Most || strconv.FormatInt(n, 10) != text {
		return 0, false
	}
	return N(n), true
}

func (p Number[N]) reads(canonical string) bool {
	_, ok := p.Read(canonical)
	return ok
}

// Word is a codec of words from a list.
type Word[W ~string] struct {
	name
	Words []W
}

// Is is the parameter with a value, canonical.
func (p Word[W]) Is(w W) string { return p.text + "=" + string(w) }

// In reads the parameter; it is empty where it is not set, or is none of the words.
func (p Word[W]) In(canonical string) W {
	text, _ := p.value(canonical)
	if !slices.Contains(p.Words, W(text)) {
		return ""
	}
	return W(text)
}

func (p Word[W]) reads(canonical string) bool { return p.In(canonical) != "" }

// Join is the canonical string of some parameters: sorted, separated by commas.
func Join(parameters ...string) string {
	parameters = slices.DeleteFunc(slices.Clone(parameters), func(p string) bool { return p == "" })
	slices.Sort(parameters)
	return strings.Join(parameters, ",")
}

// With sets parameters beside those that are there, or in their place.
func With(canonical string, parameters ...string) string {
	all := slices.Clone(parameters)
	for name, pair := range pairs(canonical) {
		if !slices.ContainsFunc(parameters, func(p string) bool { return strings.HasPrefix(p, name+"=") }) {
			all = append(all, pair)
		}
	}
	return Join(all...)
}

func Without(canonical string, keys ...Key) string {
	var kept []string
	for name, pair := range pairs(canonical) {
		if !slices.ContainsFunc(keys, func(k Key) bool { return k.Name() == name }) {
			kept = append(kept, pair)
		}
	}
	return Join(kept...)
}

// Beyond is the first of the parameters that is none of these, has a value that it
// can't have, or stands twice; empty where all are well.
func Beyond(canonical string, keys ...Key) string {
	var seen []string
	for name, pair := range pairs(canonical) {
		if seen = append(seen, name); slices.Contains(seen[:len(seen)-1], name) || !slices.ContainsFunc(keys, func(k Key) bool { return k.Name() == name && k.reads(pair) }) {
			return pair
		}
	}
	return ""
}

// Are says whether just these parameters are set, each once and in canonical order.
func Are(canonical string, keys ...Key) bool {
	n := 0
	for range pairs(canonical) {
		n++
	}
	return n == len(keys) && canonical == Join(strings.Split(canonical, ",")...) &&
		!slices.ContainsFunc(keys, func(k Key) bool { return !k.Has(canonical) })
}

// pairs are the parameters of a canonical string, by name.
func pairs(canonical string) iter.Seq2[string, string] {
	return func(yield func(name, pair string) bool) {
		for pair := range strings.SplitSeq(canonical, ",") {
			if name, _, _ := strings.Cut(pair, "="); pair != "" && !yield(name, pair) {
				return
			}
		}
	}
}
