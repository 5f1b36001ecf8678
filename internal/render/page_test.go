package render

import (
	"html"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// TestPageIsHarmless: whatever stands in a name, nothing of it is obeyed, and the page loads nothing.
func TestPageIsHarmless(t *testing.T) {
	const hostile = "<script>alert(1)</script>\x1b[31m\u202e|`x`"
	l := layout.Layout{Title: layout.Text{EN: "Costs", ZH: "费用"}, Whole: true,
		Answers: []layout.Answer{{Mark: layout.Plain, Text: layout.Same(hostile), Evidence: []string{}}},
		Tables: []layout.Table{{Title: layout.Same(hostile), Columns: []layout.Column{{Title: layout.Same("Machine")}},
			Rows: []layout.TableRow{{Cells: []layout.Cell{{Text: layout.Same(hostile), Footnotes: []layout.Text{layout.Same(hostile)}}}}}}}}
	for _, f := range []Format{FormatText, FormatMarkdown, FormatHTML} {
		for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
			var out strings.Builder
			if err := WritePage(&out, f, l, Options{Lang: lang, Note: hostile}); err != nil {
				t.Fatal(err)
			}
			page := out.String()
			if strings.ContainsAny(page, "\x1b\u202e") || f != FormatText && strings.Contains(page, "<script>alert") {
				t.Errorf("%s: a name is obeyed:\n%s", f, page)
			}
			if f == FormatMarkdown && (!strings.Contains(page, `\|`) || strings.Contains(page, "`x`")) {
				t.Errorf("a name is Markdown:\n%s", page)
			}
			if title := l.Title.In(lang); !strings.Contains(page, title) || strings.Count(page, "alert(1)") < 4 {
				t.Errorf("%s in %s lacks something:\n%s", f, lang, page)
			}
			if f == FormatHTML && (strings.Contains(page, "http://") || strings.Contains(page, "https://") || !strings.Contains(html.UnescapeString(page), Policy())) {
				t.Error("the page may load something")
			}
		}
	}
	var out strings.Builder
	if err := WritePage(&out, FormatCSV, l, Options{}); err == nil {
		t.Error("a page is written as CSV")
	}
}
