package render

import (
	"io"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// TestListings: lines of a program stand under the answer that recommends them, keep their indentation, and are wrapped only on a
// terminal that is too narrow for them, where nothing of them is lost.
func TestListings(t *testing.T) {
	long := "rc := " + strings.Repeat("x", 200)
	d := &document.Document{Layouts: []layout.Layout{{Experiment: "chunking", Title: layout.Text{EN: "Pieces", ZH: "小块"}, Answers: []layout.Answer{
		{Mark: layout.Choose, Text: layout.Text{EN: "Write this.", ZH: "请这样写。"}, Listings: []layout.Listing{
			{Title: layout.Text{EN: "In Go", ZH: "Go 代码"}, Language: "go", Code: "if true {\n\t" + long + "\n}\n"}}}}}}}
	for format, write := range map[string]struct {
		write func(io.Writer, []*document.Document, Options) error
		want  []string
	}{
		"text":     {WriteText, []string{"Write this.\n\n    In Go\n      if true {\n          " + long + "\n      }\n"}},
		"markdown": {WriteMarkdown, []string{"Write this.\n\n  **In Go**\n\n  ```go\n  if true {\n      " + long + "\n  }\n  ```\n"}},
		"html":     {WriteHTML, []string{"<pre><code>if true {\n\t" + long + "\n}\n</code></pre>", "Go 代码"}},
	} {
		got := render(t, write.write, []*document.Document{d}, Options{Width: 300, All: true})
		for _, want := range write.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %q:\n%s", format, want, got)
			}
		}
	}
	narrow := render(t, WriteText, []*document.Document{d}, Options{Width: 80, All: true})
	for line := range strings.Lines(narrow) {
		if len(strings.TrimSuffix(line, "\n")) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	if packed := strings.Join(strings.Fields(narrow), ""); !strings.Contains(packed, "iftrue{"+strings.Join(strings.Fields(long), "")+"}") {
		t.Errorf("something is lost:\n%s", narrow)
	}
}
