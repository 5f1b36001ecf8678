package report

import (
	"io"
	"strings"
	"testing"
)

// TestListings: lines of a program keep their indentation, and are not wrapped.
func TestListings(t *testing.T) {
	long := "rc := " + strings.Repeat("x", 200)
	d := &Document{Layouts: []Layout{{Experiment: "chunking", Title: Text{"Pieces", "小块"}, Listings: []Listing{
		{Title: Text{"In Go", "Go 代码"}, Language: "go", Code: "if true {\n\t" + long + "\n}\n"}}}}}
	for format, write := range map[string]struct {
		write func(io.Writer, []*Document, Options) error
		want  []string
	}{
		"text":     {WriteText, []string{"In Go\n  if true {\n      " + long + "\n  }\n"}},
		"markdown": {WriteMarkdown, []string{"**In Go**\n\n```go\nif true {\n    " + long + "\n}\n```\n"}},
		"html":     {HTML, []string{"<pre><code>if true {\n\t" + long + "\n}\n</code></pre>", "Go 代码"}},
	} {
		got := render(t, write.write, []*Document{d}, Options{Width: 80})
		for _, want := range write.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %q:\n%s", format, want, got)
			}
		}
	}
}
