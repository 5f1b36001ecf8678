package compare

import (
	"maps"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// sidesView is a run by cases and sides.
type sidesView struct {
	*answer.View
	sides     []named
	tolerance float64
	cases     []sided
	library   string // that all sides are versions of; "" where they are not
}

// named is a side and what people call it.
type named struct {
	result.Side
	label string // "gmsm v0.44.0", "./cmd/mybench"
	short string // where the sides are versions of one library, the version
}

// sided is a case, or what one side alone has, by side.
type sided struct {
	rows map[string]*document.Row
	null *document.Row // the first side's in another worker; nil where it was not measured against itself
}

func newSidesView(view *answer.View) *sidesView {
	v, d := &sidesView{View: view}, view.Doc
	of := map[string][]*document.Row{}
	for _, g := range d.Run.Groups {
		if g.Experiment == Name && g.Kind == "" {
			v.read(g, of)
		}
	}
	if d.Compared != nil {
		v.tolerance = d.Compared.Tolerance
		for _, s := range d.Compared.Sides {
			v.sides = append(v.sides, named{Side: s})
		}
	} else { // a run that was made otherwise
		for _, name := range slices.Sorted(maps.Keys(of)) {
			v.sides = append(v.sides, named{Side: result.Side{Side: name, Name: name}})
		}
	}
	v.name(of)
	return v
}

// read takes the rows of a group: those of one case, or, where nothing is compared, of what one side has.
func (v *sidesView) read(g result.Group, of map[string][]*document.Row) {
	one := sided{rows: map[string]*document.Row{}}
	for _, t := range g.Trials {
		r := v.Doc.Rows[t]
		side := r.Side()
		if side == "" || r.Library == subject.Harness || r.Missing() {
			continue
		}
		of[side] = append(of[side], r)
		switch {
		case len(g.Pairs) == 0:
			v.cases = append(v.cases, sided{rows: map[string]*document.Row{side: r}})
		case one.rows[side] != nil:
			one.null = r
		default:
			one.rows[side] = r
		}
	}
	if len(one.rows) > 0 {
		v.cases = append(v.cases, one)
	}
}

// name gives each side its label: what its rows say of themselves where that tells the sides apart, else
// what was typed.
func (v *sidesView) name(of map[string][]*document.Row) {
	var libraries, versions, labels, typed []string
	for i := range v.sides {
		s := &v.sides[i]
		library, version := v.said(of[s.Side.Side])
		if isProgram(s.Name) && version != s.Name { // a program's own version is that of a build
			library, version = "", ""
		}
		version = readable(version)
		s.label, s.short = strings.TrimSpace(library+" "+version), version
		if library == "" || version == "" {
			s.label = readable(s.Name)
		}
		libraries, versions, labels = append(libraries, library), append(versions, version), append(labels, s.label)
		typed = append(typed, readable(s.Name))
	}
	switch {
	case distinct(labels) == len(labels):
		if distinct(libraries) == 1 && libraries[0] != "" && !slices.Contains(versions, "") && len(versions) > 1 {
			v.library = libraries[0]
		}
	case distinct(typed) == len(typed):
		labels = typed
	}
	for i := range v.sides {
		s := &v.sides[i]
		s.label = labels[i]
		if slices.Index(labels, s.label) != i || slices.Contains(labels[i+1:], s.label) {
			s.label, s.short = s.label+" ("+s.Side.Side+")", s.Side.Side
		} else if v.library == "" {
			s.short = s.label
		}
	}
}

// isProgram says that a side was typed as a program at a path, or at a revision.
func isProgram(typed string) bool {
	_, revision, _ := strings.Cut(typed, "git:")
	return typed == "." || strings.HasPrefix(typed, "./") || strings.HasPrefix(typed, "../") || strings.HasPrefix(typed, "/") ||
		strings.HasPrefix(typed, "git:") && strings.Contains(revision, ":")
}

// readable is a side as it was typed, and the working directory as it reads within a sentence.
func readable(typed string) string {
	if typed == "." || strings.HasSuffix(typed, ":.") {
		return typed + "/"
	}
	return typed
}

// said are the library and the version of the rows of a side, where these agree.
func (v *sidesView) said(rows []*document.Row) (library, version string) {
	for _, r := range rows {
		if library != "" && library != r.Library {
			return "", ""
		}
		library, version = r.Library, r.Version
	}
	if library == subject.Go {
		version = strings.TrimPrefix(version, "go")
	}
	return library, version
}

func distinct(words []string) int {
	words = slices.Clone(words)
	slices.Sort(words)
	return len(slices.Compact(words))
}

// of is a side by its letter.
func (v *sidesView) of(side string) named {
	for _, s := range v.sides {
		if s.Side.Side == side {
			return s
		}
	}
	return named{label: side, short: side}
}

// first is the side that the others are held against.
func (v *sidesView) first() string {
	if len(v.sides) == 0 {
		return ""
	}
	return v.sides[0].Side.Side
}

// judge holds every side against the first.
func (v *sidesView) judge() (j Judgement) {
	for _, s := range v.sides[min(1, len(v.sides)):] {
		for _, c := range v.cases {
			base, other := c.rows[v.first()], c.rows[s.Side.Side]
			if base == nil && other == nil {
				continue
			}
			one := Judged{State: Only, Base: base, Other: other, Side: s.Side.Side}
			if base != nil && other != nil {
				one.Comparison = v.Declared(base, other)
				one.State = stateOf(v.Doc, base, other, one.Comparison, v.tolerance)
				one.decide(v.Doc, v.tolerance)
			}
			j.Cases = append(j.Cases, one)
		}
	}
	j.sort()
	return j
}
