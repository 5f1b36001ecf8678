package render

import (
	"bytes"
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(got, []byte("%!")) {
		t.Errorf("%s: a sentence and its arguments don't fit each other", path)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; go test -update shows how:\n%s", path, got)
	}
}

// TestEveryFormat holds every format in the list against a golden file. The parts of a page
// have golden files of their own, in testdata/html.
func TestEveryFormat(t *testing.T) {
	extensions := map[Format]string{FormatText: "txt", FormatMarkdown: "md"}
	for _, f := range formats {
		if f.Name != FormatHTML {
			extension := cmp.Or(extensions[f.Name], string(f.Name))
			golden(t, "partial.en."+extension, []byte(render(t, f.Write, everyDocument()["partial"], Options{Lang: layout.English, All: true})))
		}
	}
}

// TestOfLibraries: what a reader looks at has no rows of the laboratory's own. Formats that programs read, which choose
// rows by their library, have them; and so has a page, in its table of all rows.
func TestOfLibraries(t *testing.T) {
	f := documenttest.NewFixture(9, 7)
	asked := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 5000})
	own := f.Trial("modes", result.Case{Algorithm: "empty-block", Operation: "call"}, result.Subject{Library: subject.Harness}, documenttest.Plan{NS: 5})
	f.Group("modes", "SM4", "", []int{asked})
	f.Group("modes", "call", "", []int{own})
	run := f.End()
	all := []Format{FormatHTML, FormatJSON, FormatCSV, FormatBenchfmt}
	for _, format := range formats {
		for machines := 1; machines <= 2; machines++ {
			docs := slices.Repeat([]*document.Document{document.Build(run)}, machines)
			text := render(t, format.Write, docs, Options{Lang: layout.English, All: true})
			if !strings.Contains(text, documenttest.GMSM.Library) {
				t.Errorf("%s of %d runs has no row of %s", format.Name, machines, documenttest.GMSM.Library)
			}
			if shown := strings.Contains(text, "empty-block"); shown && !slices.Contains(all, format.Name) {
				t.Errorf("%s of %d runs has a row of the laboratory's own: write Document.OfLibraries, not Rows", format.Name, machines)
			}
		}
	}
}

// TestRowsAlone: a format says which outputs are wrong, or has standard error say it. JSON says it where it has its answers.
func TestRowsAlone(t *testing.T) {
	for _, format := range formats {
		if format.Name == FormatJSON {
			continue
		}
		d := *everyDocument()["partial"][0]
		d.WrongOutputs = []layout.Answer{{Mark: layout.Stop, Text: layout.Same("wrongly-encrypted"), Brief: layout.Same("wrongly-encrypted")}}
		said := strings.Contains(render(t, format.Write, []*document.Document{&d}, Options{Lang: layout.English, All: true}), "wrongly-encrypted")
		if said == format.Name.RowsAlone() {
			t.Errorf("%s says which outputs are wrong: %v; RowsAlone: %v", format.Name, said, format.Name.RowsAlone())
		}
	}
}
