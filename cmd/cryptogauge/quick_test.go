package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// TestQuickScreenHasEveryQuestion: each question has its line on the screen after a quick run, of
// at most two lines and not cut, and all fit 60 lines with the command, the path and the prompt.
func TestQuickScreenHasEveryQuestion(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, unzip(t, "testdata/runs/quick.jsonl.gz"), 0o600); err != nil {
		t.Fatal(err)
	}
	doc, err := load(path, withoutHome)
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
		for _, columns := range []int{60, 80, 100, 140} {
			var out strings.Builder
			if err := render.WriteText(&out, []*document.Document{doc}, render.Options{Lang: lang, Width: columns}); err != nil {
				t.Fatal(err)
			}
			checkQuickScreen(t, out.String(), columns)
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
