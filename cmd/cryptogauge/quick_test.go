package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// keptRun is what the quick run of an earlier version says.
func keptRun(t *testing.T) *document.Document {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, unzip(t, "testdata/runs/quick.jsonl.gz"), 0o600); err != nil {
		t.Fatal(err)
	}
	doc, err := load(path, withoutHome)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestQuestionsAreTwoScreens: what a run of one question prints is at most two screens, and no
// line is wider than the terminal; what it does not show, --all does.
func TestQuestionsAreTwoScreens(t *testing.T) {
	t.Parallel()
	whole := keptRun(t)
	for _, l := range whole.Layouts {
		doc := *whole
		doc.Suite, doc.Layouts = l.Experiment, []layout.Layout{l}
		doc.Rows = slices.DeleteFunc(slices.Clone(doc.Rows), func(r *document.Row) bool { return r.Experiment != l.Experiment })
		for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
			for _, columns := range []int{60, 80, 100, 140} {
				brief, all := written(t, &doc, render.Options{Lang: lang, Width: columns}), written(t, &doc, render.Options{Lang: lang, Width: columns, All: true})
				lines := strings.Split(brief, "\n")
				if columns >= 80 && len(lines) > 100 {
					t.Errorf("%s, %s, %d columns: %d lines", l.Experiment, lang, columns, len(lines))
				}
				if i := slices.IndexFunc(lines, func(s string) bool { return render.Width(s) > columns }); i >= 0 {
					t.Errorf("%s, %s, %d columns: %q", l.Experiment, lang, columns, lines[i])
				}
				packed := strings.Join(strings.Fields(all), "")
				for _, a := range l.Answers {
					if !strings.Contains(packed, strings.Join(strings.Fields(render.Clean(a.Text.In(lang))), "")) {
						t.Errorf("%s, %s, %d columns: --all lacks %q", l.Experiment, lang, columns, a.Text.In(lang))
					}
				}
			}
		}
	}
}

func written(t *testing.T, doc *document.Document, o render.Options) string {
	t.Helper()
	var out strings.Builder
	if err := render.WriteText(&out, []*document.Document{doc}, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestQuickScreenHasEveryQuestion: each question has its line on the screen after a quick run, of
// at most two lines and not cut, and all fit 60 lines with the command, the path and the prompt.
func TestQuickScreenHasEveryQuestion(t *testing.T) {
	t.Parallel()
	doc := keptRun(t)
	for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
		for _, columns := range []int{60, 80, 100, 140} {
			checkQuickScreen(t, written(t, doc, render.Options{Lang: lang, Width: columns}), columns)
		}
	}
}

func checkQuickScreen(t *testing.T, screen string, columns int) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(screen, "\n"), "\n")
	const most = 60 - 4
	if columns >= 100 && len(lines) > most {
		t.Errorf("%d columns: %d lines:\n%s", columns, len(lines), screen)
	}
	taken, last := map[string]int{}, ""
	for _, line := range lines {
		if render.Width(line) > columns {
			t.Errorf("%d columns: %q", columns, line)
		}
		name, _, _ := strings.Cut(line, " ")
		switch {
		case question.Asked(name) != (layout.Text{}):
			last = name
		case last != "" && !strings.HasPrefix(line, "   "):
			last = ""
		}
		if last != "" {
			taken[last]++
			if strings.HasSuffix(line, "…") {
				t.Errorf("%d columns: %s is cut: %s", columns, last, line)
			}
		}
	}
	for _, e := range question.All() {
		if n := taken[e.Name]; n == 0 || n > 2 && columns >= 100 {
			t.Errorf("%d columns: %s takes %d lines:\n%s", columns, e.Name, n, screen)
		}
	}
}
