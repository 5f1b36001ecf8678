package answertest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/result"
)

// Timings make a run of rows with given times, of one kind of loop.
type Timings struct{ *documenttest.Fixture }

func NewTimings(blocks int) *Timings {
	m := &Timings{documenttest.NewFixture(blocks, 3)}
	m.Run.Header = result.Header{Schema: result.SchemaRun}
	return m
}

func (m *Timings) Trial(experiment string, s result.Subject, c result.Case, ns float64) int {
	i := m.Fixture.Trial(experiment, c, s, documenttest.Plan{NS: ns})
	t := &m.Run.Trials[i]
	t.Subject, t.Loop = s, "foreign"
	t.ConstantTime = result.ConstantTime{Value: "unknown", Basis: "no secret is involved"}
	return i
}

func (m *Timings) Group(experiment string, trials []int, pairs ...result.Pair) {
	m.Fixture.Group(experiment, fmt.Sprint(len(m.Run.Groups)), "", trials, pairs...)
}

// Disturb makes a trial take some times as long in every second block.
func (m *Timings) Disturb(trial int, times float64) {
	m.Plans[trial].Change = func(s *result.Sample) {
		if s.Block%2 == 1 {
			ns := int64(times * float64(s.Thread))
			s.Thread, s.Process, s.Wall = ns, ns, ns
		}
	}
}

// Document measures and reports.
func (m *Timings) Document(q answer.Question) *document.Document {
	d := document.Build(m.End())
	answer.Add(d, []answer.Question{q})
	return d
}

// Time adds a row that has a time and no rate.
func (s *Sheet) Time(experiment, library, algorithm, mode, operation, parameters string, ns float64) string {
	low, high := ns*0.99, ns*1.01
	r := &document.Row{ID: strings.Join([]string{experiment, algorithm, mode, operation, parameters, library}, "/"), Experiment: experiment,
		Algorithm: algorithm, Mode: mode, Operation: operation, Parameters: parameters, Library: library, Version: "v1", Status: result.OK,
		ConstantTime: result.ConstantTime{Value: "yes", Basis: "arithmetic"}, NsPerOp: &document.Estimate{Median: ns, Low: &low, High: &high}}
	s.Doc.Rows = append(s.Doc.Rows, r)
	return r.ID
}

// Times adds a comparison whose interval is 2 % wide.
func (s *Sheet) Times(base, other string, ratio float64) {
	verdict := "faster"
	if ratio < 1 {
		verdict = "slower"
	}
	s.Compare(base, other, ratio, ratio*0.99, ratio*1.01, verdict)
}

func Says(t *testing.T, d *document.Document, l layout.Lang, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(Texts(d, l), w) {
			t.Errorf("no sentence says %q in:\n%s", w, Texts(d, l))
		}
	}
}

// CheckKeyPairLayout demands what checkLayout does: texts are in both languages, tables line up, sentences name
// evidence that is there, and few of them are for the quick screen.
func CheckKeyPairLayout(t *testing.T, d *document.Document) {
	t.Helper()
	CheckLayout(t, d)
	short := 0
	for _, a := range d.Answers {
		if a.Short {
			short++
		}
	}
	if short < 2 || short > 4 {
		t.Errorf("%s has %d sentences on the quick screen", d.Layouts[0].Experiment, short)
	}
	if len(d.Layouts[0].Charts) < 2 {
		t.Errorf("%s has %d charts", d.Layouts[0].Experiment, len(d.Layouts[0].Charts))
	}
}

// Sheet builds documents by hand, as Build would.
type Sheet struct{ Doc document.Document }

func (s *Sheet) Row(library, mode, operation string, rate float64) string {
	r := &document.Row{ID: fmt.Sprintf("modes/SM4-%s/%s/%s", mode, operation, library), Experiment: "modes", Algorithm: algorithm.SM4,
		Mode: mode, Operation: operation, Bytes: 16384, Library: library, Version: "v1", Status: result.OK,
		ConstantTime: result.ConstantTime{Value: "yes", Basis: "instructions"}, BytesPerSecond: &rate, NsPerOp: &document.Estimate{Median: 16384 / rate * 1e9}}
	s.Doc.Rows = append(s.Doc.Rows, r)
	return r.ID
}

func (s *Sheet) Compare(base, other string, ratio, low, high float64, verdict string) {
	s.Doc.Comparisons = append(s.Doc.Comparisons, document.Comparison{ID: base + " ~ " + other, Base: base, Other: other,
		Ratio: ratio, Low: &low, High: &high, Verdict: verdict, Headline: true, Level: 0.9995, Blocks: 17})
}

func Texts(d *document.Document, l layout.Lang) string {
	var all []string
	for _, a := range d.Answers {
		all = append(all, a.Text.In(l))
	}
	return strings.Join(all, "\n")
}

// CheckLayout demands what holds of every experiment: sentences rest on rows or
// comparisons that are in the document, rows have a cell for every column, and every
// text is in both languages.
func CheckLayout(t *testing.T, d *document.Document) {
	t.Helper()
	CheckChinese(t, d)
	checkWidth(t, d)
	known := map[string]bool{}
	for _, r := range d.Rows {
		known[r.ID] = true
	}
	for _, c := range d.Comparisons {
		known[c.ID] = true
	}
	for _, a := range d.Answers {
		if len(a.Evidence) == 0 {
			t.Errorf("no evidence: %s", a.Text.EN)
		}
		for i, e := range a.Evidence {
			if slices.Contains(a.Evidence[:i], e) {
				t.Errorf("%q names %q twice", a.Text.EN, e)
			}
			if !known[e] {
				t.Errorf("%q rests on %q, which is not there", a.Text.EN, e)
			}
		}
		if strings.Contains(a.Text.EN+a.Text.ZH, "%!") {
			t.Errorf("%q, %q", a.Text.EN, a.Text.ZH)
		}
	}
	for _, l := range d.Layouts {
		checkTimes(t, l)
		for _, tab := range append(slices.Clone(l.Headline), l.Tables...) {
			for i, r := range tab.Rows {
				if len(r.Cells) != len(tab.Columns) {
					t.Errorf("%s: row %d has %d cells for %d columns", tab.Title.EN, i, len(r.Cells), len(tab.Columns))
				}
			}
		}
	}
}

// A rate as cells show it, and a time.
var (
	aRate = regexp.MustCompile(`^[0-9.]+ [kMGT]?B/s$`)
	aTime = regexp.MustCompile(`^[0-9.]+ (ns|µs|ms|s)$`)
)

// allocated are the titles of columns with rates that are no operation's.
var allocated = []string{"allocated"}

// checkTimes demands a time beside every rate: in the same table, or in another one of the layout with as many.
func checkTimes(t *testing.T, l layout.Layout) {
	t.Helper()
	all := append(slices.Clone(l.Headline), l.Tables...)
	count := func(tab layout.Table, of *regexp.Regexp) (n int) {
		for _, r := range tab.Rows {
			for i, c := range r.Cells {
				if of.MatchString(c.Text.EN) && !slices.Contains(allocated, tab.Columns[i].Title.EN) {
					n++
				}
			}
		}
		return n
	}
	for _, tab := range all {
		rates := count(tab, aRate)
		beside := func(other layout.Table) bool { return count(other, aTime) >= rates }
		if rates > 0 && !slices.ContainsFunc(all, beside) {
			t.Errorf("%q has %d rates, and nothing has their times", tab.Title.EN, rates)
		}
	}
}

// checkWidth demands that no line of a report is wider than its terminal, in columns.
func checkWidth(t *testing.T, d *document.Document) {
	t.Helper()
	for _, columns := range []int{40, 60, 80, 100} {
		for _, options := range []render.Options{{Lang: layout.English}, {Lang: layout.Chinese}, {Lang: layout.English, All: true}, {Lang: layout.Chinese, All: true}} {
			options.Width = columns
			var out strings.Builder
			if err := render.WriteText(&out, []*document.Document{d}, options); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(out.String()) {
				if w := answer.Width(strings.TrimSuffix(line, "\n")); w > columns {
					t.Errorf("%s, %d columns: %d: %s", options.Lang, columns, w, line)
				}
			}
		}
	}
}

// betweenHan finds a space that stands between two Chinese characters.
var betweenHan = regexp.MustCompile(`(\p{Han}|[，。：；（）、]) +(\p{Han}|[，。：；（）、])`)

func CheckChinese(t *testing.T, d *document.Document) {
	t.Helper()
	hasHan := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	}
	for _, l := range d.Layouts {
		all, names := []layout.Text{l.Title, l.Question}, []layout.Text{}
		for _, tab := range append(slices.Clone(l.Tables), l.Headline...) {
			all = append(all, tab.Title, tab.Caption)
			for _, r := range tab.Rows {
				for _, cell := range r.Cells {
					names = append(names, cell.Text)
				}
			}
		}
		for _, c := range l.Charts {
			all = append(all, c.Title, c.Caption)
			for _, s := range c.Series {
				names = append(names, s.Name)
			}
			for _, r := range c.Ratios {
				names = append(names, r.Label)
			}
		}
		for _, name := range names {
			if strings.Contains(name.ZH, "generic") {
				t.Errorf("in Chinese it is %s: %q", document.KernelText(name.ZH).ZH, name.ZH)
			}
		}
		for _, a := range l.Answers {
			all = append(all, a.Text)
		}
		for _, text := range all {
			if text == (layout.Text{}) { // a table without a caption
				continue
			}
			if !hasHan(text.ZH) || hasHan(text.EN) {
				t.Errorf("EN %q, ZH %q", text.EN, text.ZH)
			}
			if betweenHan.MatchString(text.ZH) {
				t.Errorf("a space stands between Chinese characters: %q", text.ZH)
			}
		}
	}
}

func VerdictOf(low, high float64) string {
	switch {
	case low > 1.005:
		return "faster"
	case high < 0.995:
		return "slower"
	case low >= 0.995 && high <= 1.005:
		return "same"
	}
	return "inconclusive"
}
