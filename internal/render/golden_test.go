package render

import (
	"bytes"
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/layout"
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
