package render

import (
	"cmp"
	"compress/gzip"
	"encoding/ascii85"
	"fmt"
	"html/template"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// fold draws what stands off the page until it is opened: fragments of HTML by the id
// of what they stand in, and the Markdown, as JSON, compressed. A browser unpacks it without
// a network.
func (p *htmlPage) fold(markdown [][2]string) (template.HTML, error) {
	fragments := map[string]string{}
	var failed error
	draw := func(id, name string, data any) {
		var b strings.Builder
		failed = cmp.Or(failed, htmlTemplate().ExecuteTemplate(&b, name, data))
		fragments[id] = b.String()
	}
	for _, d := range p.Docs {
		for _, s := range d.Sections {
			if !s.Layout.Whole { // which stands on the page
				draw(s.ID+"-all", "behind", s)
			}
		}
		for _, t := range d.Numbers {
			draw(t.ID, "numbers", t)
		}
	}
	if failed != nil {
		return "", fmt.Errorf("drawing what is folded away: %w", failed)
	}
	return packed(struct {
		Fragments map[string]string `json:"fragments"`
		Markdown  [][2]string       `json:"markdown"`
	}{fragments, markdown})
}

// markdownLines is the Markdown report in English and Chinese, line beside line: the
// numbers are the same, and so are compressed to little.
func markdownLines(docs []*document.Document, opts Options) ([][2]string, error) {
	var lines [][2]string
	for i, l := range []layout.Lang{layout.English, layout.Chinese} {
		var b strings.Builder
		opts.Lang = l
		if err := WriteMarkdown(&b, docs, opts); err != nil {
			return nil, err
		}
		n := 0
		for line := range strings.Lines(b.String()) {
			if n == len(lines) {
				lines = append(lines, [2]string{})
			}
			lines[n][i] = line
			n++
		}
	}
	return lines, nil
}

// packed is a value as JSON, compressed, in ASCII85, which takes less room than base64. Its < is a v, which it
// has no use for: nothing in it reads as HTML.
func packed(v any) (template.HTML, error) {
	var page strings.Builder
	encoded := ascii85.NewEncoder(&page)
	compressed, _ := gzip.NewWriterLevel(encoded, gzip.BestCompression) // the level is one that there is
	// Nothing is escaped for HTML: the page's parser sees none of it.
	err := cmp.Or(layout.WriteJSON(compressed, "", v), compressed.Close(), encoded.Close())
	return template.HTML(strings.ReplaceAll(page.String(), "<", "v")), err
}
