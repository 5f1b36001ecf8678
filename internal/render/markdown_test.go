package render

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

func TestMarkdownGolden(t *testing.T) {
	docs := everyDocument()
	for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
		for _, name := range []string{"full", "partial", "several", "hostile"} {
			golden(t, name+"."+string(lang)+".md", []byte(render(t, WriteMarkdown, docs[name], Options{Lang: lang})))
		}
	}
}

// A row of another number of cells is not a table for GitHub.
func TestMarkdownTablesAreWhole(t *testing.T) {
	for name, docs := range everyDocument() {
		bars := 0
		for _, line := range strings.Split(render(t, WriteMarkdown, docs, Options{}), "\n") {
			if !strings.HasPrefix(line, "|") {
				bars = 0
				continue
			}
			n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			if bars != 0 && n != bars {
				t.Errorf("%s: a row has %d bars, the ones above have %d: %s", name, n, bars, line)
			}
			bars = n
		}
	}
}
