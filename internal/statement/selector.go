package statement

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Selector names rows by some of what tells them apart.
type Selector struct {
	Place Place
	Parts []Part
}

// Part is one thing that a selector says of a row.
type Part struct {
	Place Place
	Name  string
	Value string // sizes in bytes, without a unit
}

// part is what may be said of a row, and how a row is held against it.
type part struct {
	name string
	of   func(result.Trial) string
	is   func(t result.Trial, value string) bool
}

// parts are in the order in which a part that names nothing is looked for.
var parts = []part{
	{"algorithm", func(t result.Trial) string { return t.Case.Algorithm }, isAlgorithm},
	{"mode", func(t result.Trial) string { return t.Case.Mode }, isMode},
	{"operation", func(t result.Trial) string { return t.Case.Operation }, nil},
	{"library", func(t result.Trial) string { return t.Subject.Library }, nil},
	{"version", func(t result.Trial) string { return t.Subject.Version }, nil},
	{"call_path", func(t result.Trial) string { return t.Subject.CallPath }, nil},
	{"implementation", func(t result.Trial) string { return t.Subject.Implementation }, nil},
	{"environment", func(t result.Trial) string { return t.Subject.Environment }, nil},
	{"bytes", func(t result.Trial) string { return strconv.FormatInt(t.Case.Bytes, 10) }, nil},
	{"parameters", func(t result.Trial) string { return t.Case.Parameters }, hasParameters},
}

func isAlgorithm(t result.Trial, value string) bool {
	return slices.ContainsFunc(plan.AlgorithmNames(t.Case), func(name string) bool { return plan.Bare(name) == plan.Bare(value) })
}

// isMode takes a padding of RSA without its hash: PSS for PSS-SHA-256.
func isMode(t result.Trial, value string) bool {
	mode := t.Case.Mode
	return strings.EqualFold(mode, value) || algorithm.RSABits(t.Case.Algorithm) > 0 && len(mode) > len(value) && strings.EqualFold(mode[:len(value)], value) && mode[len(value)] == '-'
}

// hasParameters says whether the row has all of these parameters.
func hasParameters(t result.Trial, value string) bool {
	all := strings.Split(t.Case.Parameters, ",")
	lacks := func(p string) bool { return !slices.Contains(all, strings.TrimSpace(p)) }
	return !slices.ContainsFunc(strings.Split(value, ","), lacks)
}

func partOf(name string) part {
	return parts[slices.IndexFunc(parts, func(p part) bool { return p.name == name })]
}

func (p Part) fits(t result.Trial) bool {
	known := partOf(p.Name)
	if known.is != nil {
		return known.is(t, p.Value)
	}
	return strings.EqualFold(known.of(t), p.Value)
}

// Get is what the selector says of one thing; empty where it says nothing.
func (s Selector) Get(name string) string {
	for _, p := range s.Parts {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// String is what the selector says, in the order in which people say it.
func (s Selector) String() string {
	words := []string{s.Get("library"), result.Case{Algorithm: s.Get("algorithm"), Mode: s.Get("mode")}.Name()}
	if s.Get("algorithm") == "" {
		words[1] = s.Get("mode")
	}
	words = append(words, s.Get("operation"), shown("bytes", s.Get("bytes")))
	for _, p := range s.Without("library", "algorithm", "mode", "operation", "bytes").Parts {
		words = append(words, p.Value)
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// Bytes is the size that the selector gives; 0 where it gives none.
func (s Selector) Bytes() int64 {
	n, _ := strconv.ParseInt(s.Get("bytes"), 10, 64) // the parser has read it
	return n
}

// Without is the selector without some of its parts.
func (s Selector) Without(names ...string) Selector {
	s.Parts = slices.DeleteFunc(slices.Clone(s.Parts), func(p Part) bool { return slices.Contains(names, p.Name) })
	return s
}

// Only is the selector with only some of its parts.
func (s Selector) Only(names ...string) Selector {
	s.Parts = slices.DeleteFunc(slices.Clone(s.Parts), func(p Part) bool { return !slices.Contains(names, p.Name) })
	return s
}

func (s Selector) fits(t result.Trial) bool {
	return !slices.ContainsFunc(s.Parts, func(p Part) bool { return !p.fits(t) })
}

// All are the trials that fit.
func (s Selector) All(trials []result.Trial) []result.Trial {
	return slices.DeleteFunc(slices.Clone(trials), func(t result.Trial) bool { return !s.fits(t) })
}

// One are the trials that fit, where one is wanted: of what the selector leaves open, that with
// the fewest parameters is meant, in the usual environment where there is one.
func (s Selector) One(trials []result.Trial) []result.Trial {
	fit := s.All(trials)
	usual := func(t result.Trial) bool { return t.Subject.Environment == "" }
	if s.Get("environment") == "" && slices.ContainsFunc(fit, usual) {
		fit = slices.DeleteFunc(fit, func(t result.Trial) bool { return !usual(t) })
	}
	fewest := math.MaxInt
	for _, t := range fit {
		fewest = min(fewest, strings.Count(t.Case.Parameters, "="))
	}
	return slices.DeleteFunc(fit, func(t result.Trial) bool { return strings.Count(t.Case.Parameters, "=") > fewest })
}

// Nothing says which part of a selector names none of the trials, and what it could be.
func (s Selector) Nothing(trials []result.Trial) error {
	for _, p := range parts { // one that no trial has at all
		if of := s.Only(p.name); len(of.Parts) > 0 && len(of.All(trials)) == 0 {
			return of.Parts[0].unknown(trials)
		}
	}
	for _, p := range slices.Backward(parts) { // one without which there would be some
		of, others := s.Only(p.name), s.Without(p.name).All(trials)
		if len(of.Parts) > 0 && len(others) > 0 {
			return of.Parts[0].unknown(others)
		}
	}
	return s.Place.Errorf("no row is all of this at once: leave something out", "没有任何一行同时满足这些条件：请去掉其中一些")
}

// unknown says that a part names nothing among the trials, with the nearest of what they have.
func (p Part) unknown(trials []result.Trial) error {
	var known []string
	for _, t := range trials {
		if v := shown(p.Name, partOf(p.Name).of(t)); v != "" && !slices.Contains(known, v) {
			known = append(known, v)
		}
	}
	return p.among(known)
}

// Among says that a part of the selector is none of some names, with the nearest of them.
func (s Selector) Among(name string, known []string) error {
	return s.Only(name).Parts[0].among(known)
}

func (p Part) among(known []string) error {
	const most = 8
	value := shown(p.Name, p.Value)
	if len(known) == 0 {
		return p.Place.Errorf("%s %q names nothing: these rows have none, leave it out", "%s %q 没有对应的行：这些行没有该项，请去掉", p.Name, value)
	}
	if near := plan.Nearest(value, known); len(near) > 0 {
		return p.Place.Errorf("%s %q names nothing; nearest: %s", "%s %q 没有对应的行；最接近的有：%s", p.Name, value, strings.Join(near, ", "))
	}
	if more := len(known) - most; more > 0 {
		return p.Place.Errorf("%s %q names nothing; there are: %s and %d more", "%s %q 没有对应的行；可选的有：%s，另有 %d 项",
			p.Name, value, strings.Join(known[:most], ", "), more)
	}
	return p.Place.Errorf("%s %q names nothing; there are: %s", "%s %q 没有对应的行；可选的有：%s", p.Name, value, strings.Join(known, ", "))
}

// shown is the value of a part as reports print it.
func shown(name, value string) string {
	if n, err := strconv.ParseInt(value, 10, 64); name == "bytes" && err == nil {
		if n == 0 {
			return ""
		}
		return strings.ReplaceAll(language.FormatSize(n), " ", "")
	}
	return value
}

// Several says in what the trials differ that fit a selector which should name one.
func (s Selector) Several(fit []result.Trial) error {
	var differ []string
	for _, p := range parts {
		var values []string
		for _, t := range fit {
			v := cmp.Or(shown(p.name, p.of(t)), "none")
			if !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		const most = 8
		if more := len(values) - most; more > 0 {
			values = append(values[:most], "…")
		}
		if len(values) > 1 {
			differ = append(differ, p.name+": "+strings.Join(values, ", "))
		}
	}
	return s.Place.Errorf("this names %d rows; say which: %s", "这对应 %d 行；请指明是哪一行：%s", len(fit), strings.Join(differ, "; "))
}
