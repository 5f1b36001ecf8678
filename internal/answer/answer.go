// Package answer says what a run's numbers mean: one file an experiment, which
// turns the rows and comparisons of a Document into sentences, tables and charts,
// in English and Chinese.
//
// A sentence is computed from comparisons and never says more than they do. It
// names its evidence, gives the ratio with its interval, and words the verdict
// that the statistics reached: a difference that is inconclusive is called so,
// and a number that is not there makes no sentence.
//
// To add an experiment: write a file with a func(*view) layout.Layout and add it
// to [layouts].
package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// layouts are the experiments' layouts, in reading order, and the flags of run
// that make each of them measure less.
var layouts = []struct {
	experiment string
	layout     func(*view) layout.Layout
	narrowing  []string
}{
	{"modes", modes, []string{"--sizes", "--modes", "--libraries"}},
	{"primitives", primitives, []string{"--algorithms", "--sizes", "--libraries"}},
	{"messages", messages, []string{"--algorithms", "--sizes", "--libraries"}},
	{"streaming", streaming, []string{"--algorithms", "--chunks", "--libraries"}},
	{"concurrency", concurrency, []string{"--algorithms", "--goroutines", "--libraries"}},
	{"gc", collector, []string{"--algorithms", "--sizes", "--libraries"}},
	{"rsa", rsa, []string{"--algorithms", "--operations", "--libraries"}},
	{"signatures", signatures, []string{"--algorithms", "--operations", "--libraries"}},
	{"exchange", exchange, []string{"--algorithms", "--operations", "--libraries"}},
	{"envelope", envelope, []string{"--modes", "--sizes", "--operations"}},
	{"handshake", handshake, []string{"--modes", "--libraries"}},
	{"boundary", boundary, []string{"--algorithms", "--sizes", "--libraries"}},
	{"chunking", chunking, []string{"--algorithms", "--modes", "--libraries"}},
	{"acceleration", acceleration, []string{"--algorithms", "--sizes", "--libraries"}},
	{"bulkhash", bulkhash, []string{"--algorithms", "--sizes", "--libraries"}},
}

// Add gives a document its layouts and answers.
func Add(d *document.Document) {
	var wrong []document.Finding
	d.WrongOutputs, wrong = wrongOutputs(d)
	d.Answers, d.Findings = append(d.Answers, d.WrongOutputs...), append(d.Findings, wrong...)
	for _, l := range layouts {
		v := newView(d, l.experiment)
		if len(v.rows) == 0 {
			continue
		}
		layout := l.layout(v)
		first := v.crashed()
		if a := v.fewBlocks(l.narrowing); a != nil {
			first = append(first, *a)
		}
		layout.Answers = slices.Concat(first, v.versions(), layout.Answers)
		d.Layouts = append(d.Layouts, layout)
		d.Answers = append(d.Answers, layout.Answers...)
	}
}

// view is one experiment's part of a document, with its look-ups.
type view struct {
	doc        *document.Document
	experiment string
	rows       []*document.Row // of libraries, not of the harness
	byID       map[string]*document.Row
	names      map[string]string // of the subjects, by row ID
	pairs      map[[2]string]*document.Comparison
}

func newView(d *document.Document, experiment string) *view {
	v := &view{doc: d, experiment: experiment, byID: map[string]*document.Row{}, names: map[string]string{}, pairs: map[[2]string]*document.Comparison{}}
	for i := range d.Rows {
		r := &d.Rows[i]
		if r.Experiment != experiment || r.Library == "harness" || r.Missing() {
			continue
		}
		v.rows = append(v.rows, r)
		v.byID[r.ID] = r
	}
	v.nameSubjects()
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		v.pairs[[2]string{c.Base, c.Other}] = c
	}
	return v
}

// nameSubjects names each row's subject as shortly as can be: by its library, and
// by its kernel as well where the library runs one case in several; of these the
// first is what the library runs by itself, and keeps the plain name.
func (v *view) nameSubjects() {
	type once struct {
		library string
		c       result.Case
	}
	first := map[once]bool{}
	for _, r := range v.rows {
		c := result.Case{Algorithm: r.Algorithm, Mode: r.Mode, Operation: r.Operation, Bytes: r.Bytes, Parameters: r.Parameters}
		v.names[r.ID] = r.Who()
		if at := (once{r.Who(), c}); first[at] {
			v.names[r.ID] = r.Who() + " " + implementation(r)
		} else {
			first[at] = true
		}
	}
}

// primary says whether a subject's name is a library's plain one.
func primary(name string) bool { return !strings.Contains(name, " ") }

// libraryOf is the library's part of a subject's name.
func libraryOf(name string) string {
	library, _, _ := strings.Cut(name, " ")
	return library
}

// calledOtherwise says that a subject's name names the way in which its library is
// called, which is not the everyday one (see document.Row.Who).
func calledOtherwise(name string) bool { return strings.Contains(name, "/") }

func (v *view) name(r *document.Row) string { return v.names[r.ID] }

// isNew says whether a subject's name is that of our own engine.
func isNew(name string) bool { return name == engine || strings.HasPrefix(name, engine+" ") }

// key names a row by what a person would ask for.
type key struct {
	subject, algorithm, mode, operation string
	bytes                               int64
}

func (v *view) keyOf(r *document.Row) key {
	return key{v.name(r), r.Algorithm, r.Mode, r.Operation, r.Bytes}
}

// row returns the first row of a key, or nil.
func (v *view) row(k key) *document.Row {
	for _, r := range v.rows {
		if v.keyOf(r) == k {
			return r
		}
	}
	return nil
}

// speed is the row's rate where it may be shown.
func speed(r *document.Row) (bytesPerSecond float64, ok bool) {
	if r == nil || r.Status != result.OK || r.BytesPerSecond == nil {
		return 0, false
	}
	return *r.BytesPerSecond, true
}

// compare returns the declared comparison of two rows with an interval, or nil.
func (v *view) compare(base, other *document.Row) *document.Comparison {
	if base == nil || other == nil {
		return nil
	}
	c := v.pairs[[2]string{base.ID, other.ID}]
	if c == nil || c.Low == nil || c.High == nil {
		return nil
	}
	return c
}

// values returns the distinct values that a field has over rows that keep passes,
// in the order of the rows.
func values[T comparable](rows []*document.Row, field func(*document.Row) T, keep func(*document.Row) bool) (out []T) {
	for _, r := range rows {
		if x := field(r); keep(r) && !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

func bytesOf(r *document.Row) int64 { return r.Bytes }

// say is layout.Say, which nearly every line here needs.
func say(en, zh string, args ...any) layout.Text { return layout.Say(en, zh, args...) }

// interval prints the ends of an interval as factors.
func interval(low, high float64) string { return factor(low) + "–" + factor(high) }

// factor prints a speed ratio to the precision that it has meaning in.
func factor(x float64) string {
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

// versus words a comparison of other's speed against base's, by its verdict. It
// reads on after a subject: "is 10.3 times as fast as CBC (10.2–10.4)". What is
// slower by much is worded by its time, which reads better than a small fraction.
func versus(c *document.Comparison, than layout.Text) layout.Text {
	small := abs(c.Ratio-1) < 0.1
	switch {
	case c.Verdict == "faster" && small:
		return say("is %s %% faster than %s (%s %%)", "比 %[2]s 快 %[1]s %%（%[3]s %%）", percent(c.Ratio), than, percents(c))
	case c.Verdict == "slower" && small:
		return say("is %s %% slower than %s (%s %%)", "比 %[2]s 慢 %[1]s %%（%[3]s %%）", percent(c.Ratio), than, percents(c))
	case c.Verdict == "faster":
		return say("is %s times as fast as %s (%s)", "的速度是 %[2]s 的 %[1]s 倍（%[3]s）", factor(c.Ratio), than, interval(*c.Low, *c.High))
	case c.Verdict == "slower":
		return say("takes %s times as long as %s (%s)", "耗时是 %[2]s 的 %[1]s 倍（%[3]s）", factor(1/c.Ratio), than, interval(1/(*c.High), 1/(*c.Low)))
	case c.Verdict == "same":
		return say("is as fast as %s (within 0.5 %%)", "与 %s 一样快（差异在 0.5 %% 以内）", than)
	}
	return say("is not shown to be faster or slower than %s (%s times as fast, inconclusive)", "与 %s 相比快慢无法判定（速度比 %s）", than, interval(*c.Low, *c.High))
}

func percent(ratio float64) string { return fmt.Sprintf("%.1f", 100*abs(ratio-1)) }

// percents prints an interval as a difference in percent, the nearer end first.
func percents(c *document.Comparison) string {
	if c.Ratio >= 1 {
		return percent(*c.Low) + "–" + percent(*c.High)
	}
	return percent(*c.High) + "–" + percent(*c.Low)
}

func abs(x float64) float64 { return max(x, -x) }
