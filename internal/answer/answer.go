// Package answer is what the answers of all questions have in common: how a question's
// rows and comparisons are found, how they are worded, and the cells, columns and charts
// that show them, in English and Chinese. The questions' own answers are in packages of
// their own, below internal/question.
//
// A sentence is computed from comparisons and never says more than they do. It
// names its evidence, gives the ratio with its interval, and words the verdict
// that the statistics reached: a difference that is inconclusive is called so,
// and a number that is not there makes no sentence.
package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// Question is what the reports need to know of a question.
type Question struct {
	Name      string
	Narrowing []string                  // the flags of run that make it measure less
	Layout    func(*View) layout.Layout // of its rows and comparisons
	// Use words how a row's code is used, where that is called otherwise than its
	// parameters; nil where it never is.
	Use func(*document.Row) layout.Text
}

// Add gives a document its layouts and answers, in the order of the questions.
func Add(d *document.Document, questions []Question) {
	var wrong []layout.Finding
	d.WrongOutputs, wrong = wrongOutputs(d, questions)
	d.Answers, d.Findings = append(d.Answers, d.WrongOutputs...), append(d.Findings, wrong...)
	for _, q := range questions {
		v := newView(d, q.Name)
		if len(v.Rows) == 0 {
			continue
		}
		l := q.Layout(v)
		first := v.crashed()
		if a := v.fewBlocks(q.Narrowing); a != nil {
			first = append(first, *a)
		}
		l.Answers = slices.Concat(first, v.versions(), l.Answers)
		d.Layouts, d.Findings = append(d.Layouts, l), append(d.Findings, l.Findings...)
		d.Answers = append(d.Answers, l.Answers...)
	}
}

// View is one experiment's part of a document, with its look-ups.
type View struct {
	Doc        *document.Document
	Experiment string
	Rows       []*document.Row // of libraries, not of the harness
	ByID       map[string]*document.Row
	names      map[string]string // of the subjects, by row ID
	Pairs      map[[2]string]*document.Comparison
}

func newView(d *document.Document, experiment string) *View {
	v := &View{Doc: d, Experiment: experiment, ByID: map[string]*document.Row{}, names: map[string]string{}, Pairs: map[[2]string]*document.Comparison{}}
	for i := range d.Rows {
		r := &d.Rows[i]
		if r.Experiment != experiment || r.Library == "harness" || r.Missing() {
			continue
		}
		v.Rows = append(v.Rows, r)
		v.ByID[r.ID] = r
	}
	v.nameSubjects()
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		v.Pairs[[2]string{c.Base, c.Other}] = c
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
		c := result.Case{Algorithm: r.Algorithm, Mode: r.Mode, Operation: r.Operation, Bytes: r.Bytes, Parameters: r.Parameters}
		v.names[r.ID] = r.Who()
		if at := (once{r.Who(), c}); first[at] {
			v.names[r.ID] = r.Who() + " " + Implementation(r)
		} else {
			first[at] = true
		}
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
func IsNew(name string) bool { return name == Engine || strings.HasPrefix(name, Engine+" ") }

// Key names a row by what a person would ask for.
type Key struct {
	Subject, Algorithm, Mode, Operation string
	Bytes                               int64
}

func (v *View) KeyOf(r *document.Row) Key {
	return Key{v.Name(r), r.Algorithm, r.Mode, r.Operation, r.Bytes}
}

// Row returns the first row of a key, or nil.
func (v *View) Row(k Key) *document.Row {
	for _, r := range v.Rows {
		if v.KeyOf(r) == k {
			return r
		}
	}
	return nil
}

// Speed is the row's rate where it may be shown.
func Speed(r *document.Row) (bytesPerSecond float64, ok bool) {
	if r == nil || r.Status != result.OK || r.BytesPerSecond == nil {
		return 0, false
	}
	return *r.BytesPerSecond, true
}

// Compare returns the declared comparison of two rows with an interval, or nil.
func (v *View) Compare(base, other *document.Row) *document.Comparison {
	if base == nil || other == nil {
		return nil
	}
	c := v.Pairs[[2]string{base.ID, other.ID}]
	if c == nil || c.Low == nil || c.High == nil {
		return nil
	}
	return c
}

// Values returns the distinct values that a field has over rows that keep passes,
// in the order of the rows.
func Values[T comparable](rows []*document.Row, field func(*document.Row) T, keep func(*document.Row) bool) (out []T) {
	for _, r := range rows {
		if x := field(r); keep(r) && !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

func BytesOf(r *document.Row) int64 { return r.Bytes }

// Interval prints the ends of an interval as factors.
func Interval(low, high float64) string { return Factor(low) + "–" + Factor(high) }

// Factor prints a speed ratio to the precision that it has meaning in.
func Factor(x float64) string {
	switch {
	case x >= 99.5:
		return fmt.Sprintf("%.0f", x)
	case x >= 9.95:
		return fmt.Sprintf("%.1f", x)
	case x >= 1.095 || x <= 0.905:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.3f", x)
}

// Versus words a comparison of other's speed against base's, by its verdict. It
// reads on after a subject: "is 10.3 times as fast as CBC (10.2–10.4)". What is
// slower by much is worded by its time, which reads better than a small fraction.
func Versus(c *document.Comparison, than layout.Text) layout.Text {
	small := Abs(c.Ratio-1) < 0.1
	switch {
	case c.Verdict == "faster" && small:
		return layout.Say("is %s %% faster than %s (%s %%)", "比 %[2]s 快 %[1]s %%（%[3]s %%）", Percent(c.Ratio), than, Percents(c))
	case c.Verdict == "slower" && small:
		return layout.Say("is %s %% slower than %s (%s %%)", "比 %[2]s 慢 %[1]s %%（%[3]s %%）", Percent(c.Ratio), than, Percents(c))
	case c.Verdict == "faster":
		return layout.Say("is %s times as fast as %s (%s)", "的速度是 %[2]s 的 %[1]s 倍（%[3]s）", Factor(c.Ratio), than, Interval(*c.Low, *c.High))
	case c.Verdict == "slower":
		return layout.Say("takes %s times as long as %s (%s)", "耗时是 %[2]s 的 %[1]s 倍（%[3]s）", Factor(1/c.Ratio), than, Interval(1/(*c.High), 1/(*c.Low)))
	case c.Verdict == "same":
		return layout.Say("is as fast as %s (within 0.5 %%)", "与 %s 一样快（差异在 0.5 %% 以内）", than)
	}
	return layout.Say("is not shown to be faster or slower than %s (%s times as fast, inconclusive)", "与 %s 相比快慢无法判定（速度比 %s）", than, Interval(*c.Low, *c.High))
}

func Percent(ratio float64) string { return fmt.Sprintf("%.1f", 100*Abs(ratio-1)) }

// Percents prints an interval as a difference in percent, the nearer end first.
func Percents(c *document.Comparison) string {
	if c.Ratio >= 1 {
		return Percent(*c.Low) + "–" + Percent(*c.High)
	}
	return Percent(*c.High) + "–" + Percent(*c.Low)
}

func Abs(x float64) float64 { return max(x, -x) }
