package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// long is a run of one question that has far more to say than two screens hold.
func long() *document.Document {
	d := named("modes", withLayouts(document.Build(documenttest.FullRun())))
	d.Rows = slices.DeleteFunc(d.Rows, func(r *document.Row) bool { return r.Experiment != "modes" })
	l := &d.Layouts[0]
	for i := range 30 {
		l.Answers = append(l.Answers, layout.Answer{Mark: layout.Plain, Text: layout.Text{EN: fmt.Sprintf("Fact %d.", i), ZH: fmt.Sprintf("事实 %d。", i)}})
	}
	l.Answers = append(l.Answers, layout.Answer{Mark: layout.Choose, Text: layout.Text{EN: "Choose this.", ZH: "请选用它。"},
		Listings: []layout.Listing{{Title: layout.Same("In Go"), Language: "go", Code: "return nil"}}},
		layout.Answer{Mark: layout.Plain, Text: layout.Text{EN: "By hand.", ZH: "亲手写。"}, Listings: []layout.Listing{{Title: layout.Same("In C"), Code: "by hand"}}})
	for i := range 90 {
		row := l.Headline[0].Rows[1]
		row.Cells = append([]layout.Cell(nil), row.Cells...)
		row.Cells[0].Text = layout.Same(fmt.Sprintf("row %d", i))
		row.Cells[2].Footnotes = []layout.Text{layout.Same(fmt.Sprintf("doubt %d", i))}
		l.Headline[0].Rows = append(l.Headline[0].Rows, row)
	}
	return d
}

// TestBriefIsTwoScreens: what a run of one question prints fits two screens, says advice first,
// has no footnote that no cell names, and says how much of what is left out; --all has all of it.
func TestBriefIsTwoScreens(t *testing.T) {
	for _, w := range []int{80, 100, 140} {
		for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
			docs := []*document.Document{long()}
			brief := render(t, WriteText, docs, Options{Lang: lang, Width: w, Run: "results/x"})
			if n := strings.Count(brief, "\n"); n > mostBriefLines {
				t.Errorf("%s, width %d: %d lines", lang, w, n)
			}
			for i := range 90 {
				doubt := fmt.Sprintf("doubt %d\n", i)
				if strings.Contains(brief, doubt) && !strings.Contains(brief, fmt.Sprintf("  row %d ", i)) {
					t.Errorf("%s, width %d: footnote %q of no row", lang, w, doubt)
				}
			}
			if i, j := strings.Index(brief, "✓"), strings.Index(brief, "·  "); i < 0 || j >= 0 && j < i {
				t.Errorf("%s, width %d: advice is not first:\n%s", lang, w, brief)
			}
			if lang == layout.English && !strings.Contains(strings.Join(strings.Fields(brief), " "),
				"30 more answers, 1 more table, 68 table rows, 1 ratio chart, 1 listing.") && w == 100 {
				t.Errorf("it does not say what is left out:\n%s", brief)
			}
			if !strings.Contains(brief, "cryptogauge report results/x --all") {
				t.Errorf("it does not say how to see the rest:\n%s", brief)
			}
			all := render(t, WriteText, docs, Options{Lang: lang, Width: w, All: true})
			for _, a := range docs[0].Layouts[0].Answers {
				if words := strings.Fields(a.Text.In(lang)); !strings.Contains(all, words[0]) {
					t.Errorf("--all lacks %q", a.Text.In(lang))
				}
			}
			for i := range 90 {
				if !strings.Contains(all, fmt.Sprintf("row %d ", i)) || !strings.Contains(all, fmt.Sprintf("doubt %d\n", i)) {
					t.Fatalf("--all lacks row or footnote %d", i)
				}
			}
			verdict := newPainter(Options{Lang: lang}).say(layout.Text{EN: "verdict", ZH: "判定"})
			if !strings.Contains(brief, "      return nil\n") || !strings.Contains(all, "      by hand\n") ||
				!strings.Contains(all, verdict) {
				t.Error("--all lacks the listing or the chart")
			}
		}
	}
}

// TestFullRunSaysAnswersOnly: a run of all questions prints of each what matters, and no table.
func TestFullRunSaysAnswersOnly(t *testing.T) {
	d := crowd(named(suiteFull, withLayouts(document.Build(documenttest.FullRun()))))
	d.Unmeasured = []layout.Answer{{Experiment: "chunking", Mark: layout.Unclear, Text: layout.Text{EN: "not measured: openssl could not be opened", ZH: "未测量"}}}
	got := render(t, WriteText, []*document.Document{d}, Options{})
	if strings.Contains(got, "Thread CPU time") || strings.Count(got, "✗ Stop using ECB") != len(d.Layouts) || !strings.Contains(got, "chunking ? not measured: openssl") {
		t.Error(got)
	}
}

// TestAdviceIsCutBeforeItIsLeftOut: of advice for which there is little room the beginning is said, where it names what is
// faster than what is advised.
func TestAdviceIsCutBeforeItIsLeftOut(t *testing.T) {
	p := newPainter(Options{})
	three := layout.Same(strings.Repeat("a word and another ", 14) + "end.")
	slower := layout.Same("Speed as a multiple of the others': X 0.50 (slower); " + strings.Repeat("Y 6.37 (6.29–6.46), ", 20) + "Z 9.73.")
	l := layout.Layout{Answers: []layout.Answer{{Mark: layout.Plain, Text: three}, {Mark: layout.Choose, Short: true, Text: three},
		{Mark: layout.Choose, Short: true, Text: slower}}}
	said, _, lines := p.matter(l)
	if all := strings.Join(lines, "\n"); said != 3 || len(lines) > mostAnswerLines || !strings.Contains(all, "X 0.50 (slower).") {
		t.Errorf("%d answers in %d lines:\n%s", said, len(lines), all)
	}
}

// TestLongCode: code that is too long for a narrow terminal can be copied from it all the same.
func TestLongCode(t *testing.T) {
	for line, want := range map[string][]string{
		"n := 1":                              {"n := 1"},
		"n := f(one, two, three, four, five)": {"n := f(one, two,", "    three, four,", "    five)"},
	} {
		if got := codeLines(line, 20); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
