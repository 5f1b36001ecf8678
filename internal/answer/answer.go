// Package answer is what the answers of all questions have in common: how a question's
// rows and comparisons are found, how they are worded, and the cells, columns and charts
// that show them, in English and Chinese. The questions' own answers are in packages of
// their own, below internal/question.
//
// A sentence is computed from comparisons and never says more than they do. It
// names its evidence, gives the ratio with its interval, and words the verdict
// that the statistics reached: a difference that is inconclusive is called so,
// and a number that is not there makes no sentence.
//
// A room finds its rows by [View.First], [View.Select] and [View.Row], and the comparison
// of two by [View.Compare]; [Versus] words it, [Clauses] collects the parts of a sentence,
// and [Said] lists the sentences. What a question says in one line is a [Summary], and which
// of some rows to choose an [Advice]. A table is one literal of [Table]: a column is a title
// and a function of what a line shows. Charts are drawn by [View.Ratios] and [View.Lines].
package answer

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Question is what the reports need to know of a question.
type Question struct {
	Name      string
	Asks      layout.Text               // in one line
	Narrowing []string                  // the flags of run that make it measure less
	Ways      bool                      // it is about the ways in which a library is called
	Verb      bool                      // a verb of its own asks it, and no suite does
	Layout    func(*View) layout.Layout // of its rows and comparisons
	// Use words how a row's code is used, where that is called otherwise than its
	// parameters; nil where it never is.
	Use func(*document.Row) layout.Text
	// Takes says whether a flag of run, with its value, narrows the question; nil where each does.
	Takes func(flag, value string) bool
}

// Add gives a document its layouts and answers, in the order of the questions.
func Add(d *document.Document, questions []Question) {
	var wrong []layout.Finding
	d.WrongOutputs, wrong = wrongOutputs(d, questions)
	noteRightForms(d)
	d.Answers, d.Findings = append(d.Answers, d.WrongOutputs...), append(d.Findings, wrong...)
	for _, q := range questions {
		v := NewView(d, q.Name)
		if len(v.Rows) == 0 {
			if q.asked(d.Suite) {
				d.Unmeasured = append(d.Unmeasured, layout.Answer{Experiment: q.Name, Mark: layout.Unclear, Text: unmeasured(d, q.Name)})
			}
			continue
		}
		l := q.everyday(v, q.Layout(v))
		var first []layout.Answer
		var few *layout.Answer
		if !q.Verb { // which says it of its cases
			if first, few = v.crashed(), v.fewBlocks(q.Narrowing); few != nil {
				first = append(first, *few)
			}
		}
		if l.Line.Text == (layout.Text{}) {
			l.Line = FirstSaid(firstShort(l.Answers), v.unanswered(few))
		}
		l.Alone, l.Next = q.alone(d), q.next(d, l.Next)
		if !q.Verb {
			l.Headline = NonEmpty(append([]layout.Table{v.brought(l.Headline)}, l.Headline...)...)
			first = slices.Concat(first, Said(v.cautions()), v.versions())
		}
		l.Experiment, l.Question, l.Answers = q.Name, q.Asks, slices.Concat(first, l.Answers)
		for i := range l.Answers {
			a := &l.Answers[i]
			a.Experiment, a.Evidence = q.Name, once(a.Evidence)
		}
		l.Line.Experiment, l.Line.Evidence = q.Name, once(l.Line.Evidence)
		if q.Verb { // its line stands above all others
			d.Answers = append(d.Answers, l.Line)
		}
		d.Layouts, d.Findings = append(d.Layouts, l), append(d.Findings, l.Findings...)
		d.Answers = append(d.Answers, l.Answers...)
		for _, c := range v.added {
			d.Comparisons = append(d.Comparisons, *c)
		}
	}
}

// once leaves out what stands before.
func once[T comparable](all []T) []T {
	seen := map[T]bool{}
	return slices.DeleteFunc(all, func(x T) bool {
		again := seen[x]
		seen[x] = true
		return again
	})
}

// View is one experiment's part of a document, with its look-ups.
type View struct {
	Doc         *document.Document
	Experiment  string
	Rows        []*document.Row // of libraries, not of the harness
	ByID        map[string]*document.Row
	Comparisons []*document.Comparison // of these rows, in the plan's order
	Pairs       map[[2]string]*document.Comparison
	laboratory  []*document.Row
	names       map[string]string      // of the subjects, by row ID
	added       []*document.Comparison // that the plan did not declare
	warned      bool                   // of code that is wrong
	cautioned   []algorithm.Weakness   // that sentences say
}

// NewView finds an experiment's part of a document.
func NewView(d *document.Document, experiment string) *View {
	v := &View{Doc: d, Experiment: experiment, ByID: map[string]*document.Row{}, names: map[string]string{},
		Pairs: map[[2]string]*document.Comparison{}}
	for _, r := range d.Rows {
		switch {
		case r.Experiment != experiment:
		case r.Library == subject.Harness:
			v.laboratory = append(v.laboratory, r)
		case !r.Missing():
			v.Rows, v.ByID[r.ID] = append(v.Rows, r), r
		}
	}
	v.nameSubjects()
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		v.Pairs[[2]string{c.Base, c.Other}] = c
		if v.ByID[c.Base] != nil && v.ByID[c.Other] != nil {
			v.Comparisons = append(v.Comparisons, c)
		}
	}
	return v
}

// nameSubjects names each row's subject as shortly as can be: by its library, and
// by its kernel as well where the library runs one case in several; of these the
// first is what the library runs by itself, and keeps the plain name.
func (v *View) nameSubjects() {
	type once struct {
		library string
		c       result.Case
	}
	first := map[once]bool{}
	for _, r := range v.Rows {
		at := once{r.Who(), r.Case()}
		if v.names[r.ID] = r.Who(); first[at] {
			v.names[r.ID] += " " + Implementation(r)
		}
		first[at] = true
	}
}

// Primary says whether a subject's name is a library's plain one.
func Primary(name string) bool { return !strings.Contains(name, " ") }

// LibraryOf is the library's part of a subject's name.
func LibraryOf(name string) string {
	library, _, _ := strings.Cut(name, " ")
	return library
}

// CalledOtherwise says that a subject's name names the way in which its library is
// called, which is not the everyday one (see document.Row.Who).
func CalledOtherwise(name string) bool { return strings.Contains(name, "/") }

func (v *View) Name(r *document.Row) string { return v.names[r.ID] }

// IsNew says whether a subject's name is that of our own engine.
func IsNew(name string) bool { return LibraryOf(name) == subject.Engine }

// Key names a row by what a person would ask for.
type Key struct {
	Subject, Algorithm, Mode, Operation string
	Bytes                               int64
}

func (v *View) KeyOf(r *document.Row) Key {
	return Key{v.Name(r), r.Algorithm, r.Mode, r.Operation, r.Bytes}
}

// Row returns the first row of a key, or nil.
func (v *View) Row(k Key) *document.Row { return FirstWith(v.Rows, v.KeyOf, k) }

// At is the first row of a key at a size, or nil.
func (v *View) At(k Key, bytes int64) *document.Row {
	k.Bytes = bytes
	return v.Row(k)
}

// AtEach are the rows of a key at some sizes; nil where there is none.
func (v *View) AtEach(k Key, sizes []int64) []*document.Row {
	return document.Mapped(sizes, func(size int64) *document.Row { return v.At(k, size) })
}

// Sizeless is a row's key without its size.
func (v *View) Sizeless(r *document.Row) Key {
	k := v.KeyOf(r)
	k.Bytes = 0
	return k
}

// First returns the first row of which is is true, or nil.
func (v *View) First(is func(*document.Row) bool) *document.Row { return First(v.Rows, is) }

// Select returns the rows of which is is true.
func (v *View) Select(is func(*document.Row) bool) []*document.Row { return Select(v.Rows, is) }

// First returns the first of which is is true, or nil.
func First[R any](all []*R, is func(*R) bool) *R {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i]
	}
	return nil
}

// FirstWith returns the first of which a field has a value, or nil.
func FirstWith[R any, V comparable](all []*R, field func(*R) V, value V) *R {
	return First(all, func(r *R) bool { return field(r) == value })
}

// Select returns those of which is is true.
func Select[R any](all []R, is func(R) bool) []R {
	return slices.DeleteFunc(slices.Clone(all), func(r R) bool { return !is(r) })
}

// Behind orders those of which is is true behind the others.
func Behind[R any](is func(R) bool) func(x, y R) int {
	place := func(r R) int {
		if is(r) {
			return 1
		}
		return 0
	}
	return func(x, y R) int { return place(x) - place(y) }
}

// Present are those that there are.
func Present[R any](all []*R) []*R {
	return Select(all, func(r *R) bool { return r != nil })
}

// Laboratory is the first of the laboratory's own rows, or nil.
func (v *View) Laboratory(is func(*document.Row) bool) *document.Row { return First(v.laboratory, is) }

// Metric is a row's metric where the row may be believed.
func Metric(r *document.Row, name string) (document.Metric, bool) {
	if r == nil || r.Status != result.OK {
		return document.Metric{}, false
	}
	m, ok := r.Metrics[name]
	return m, ok
}

// WorthHaving is the factor below which more goroutines than CPUs bring nothing worth having.
const WorthHaving = 1.1

// AllTheirs is the share of the CPUs that goroutines must have had for a sentence
// about what CPUs do when all are busy.
const AllTheirs = 0.9

// CPUsHad is how many CPUs the goroutines of a row had on average: fewer than they
// could use where they waited, or other programs had the rest.
func CPUsHad(r *document.Row) (cpus float64, ok bool) {
	rate, ok := Speed(r)
	if !ok || r.BusyBytesPerSecondPC == nil || *r.BusyBytesPerSecondPC <= 0 {
		return 0, false
	}
	return rate / *r.BusyBytesPerSecondPC, true
}

// KeptFromCPUs is how many CPUs the goroutines of a row had, and whether other programs kept
// them from the rest of as many as they could use.
func KeptFromCPUs(r *document.Row, of int) (cpus float64, short bool) {
	cpus, ok := CPUsHad(r)
	return cpus, ok && cpus < AllTheirs*float64(of)
}

// Speed is the row's rate where it may be shown.
func Speed(r *document.Row) (bytesPerSecond float64, ok bool) {
	if r == nil || r.Status != result.OK || r.BytesPerSecond == nil {
		return 0, false
	}
	return *r.BytesPerSecond, true
}

// Values returns the distinct values that a field has over rows that keep passes, or
// over all for nil, in the order of the rows.
func Values[T comparable](rows []*document.Row, field func(*document.Row) T, keep func(*document.Row) bool) []T {
	if keep != nil {
		rows = Select(rows, keep)
	}
	return once(document.Mapped(rows, field))
}

// Last is the last of some rows that there is, or nil.
func Last[R any](rows []*R) *R {
	for _, r := range slices.Backward(rows) {
		if r != nil {
			return r
		}
	}
	return nil
}

// IDs are those of rows, as evidence.
func IDs(rows []*document.Row) []string {
	return document.Mapped(rows, func(r *document.Row) string { return r.ID })
}

func BytesOf(r *document.Row) int64      { return r.Bytes }
func AlgorithmOf(r *document.Row) string { return r.Algorithm }
func ModeOf(r *document.Row) string      { return r.Mode }

// Distribution is a distribution of a row by its name, which is empty where a row has
// but one; nil where there is none.
func (v *View) Distribution(r *document.Row, name string) *document.Distribution {
	for i := range v.Doc.Distributions {
		if d := &v.Doc.Distributions[i]; r != nil && d.RowID == r.ID && (name == "" || d.Name == name) {
			return d
		}
	}
	return nil
}

// Believed is Distribution where the row may be believed.
func (v *View) Believed(r *document.Row, name string) *document.Distribution {
	if r == nil || r.Status != result.OK {
		return nil
	}
	return v.Distribution(r, name)
}
