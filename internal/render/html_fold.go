package render

import (
	"cmp"
	"compress/gzip"
	"encoding/ascii85"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// draw draws what is folded away, each in its place.
func (p *htmlPage) draw() error {
	for _, d := range p.Docs {
		for _, s := range d.Sections {
			if s.Layout.Whole { // stands on the page
				continue
			}
			if err := drawInto(&s.Drawn, "behind", s); err != nil {
				return err
			}
		}
		for _, t := range d.Numbers {
			if err := drawInto(&t.Drawn, "numbers", t); err != nil {
				return err
			}
		}
	}
	return nil
}

func drawInto(into *template.HTML, name string, data any) error {
	var b strings.Builder
	if err := htmlTemplate().ExecuteTemplate(&b, name, data); err != nil {
		return fmt.Errorf("drawing %s: %w", name, err)
	}
	*into = template.HTML(b.String())
	return nil
}

// fold takes off the page what is drawn on it when it is opened: fragments of HTML by the id
// of what they stand in, and the Markdown, as JSON, compressed. A browser unpacks it without
// a network.
func (p *htmlPage) fold(markdown [][2]string) (template.HTML, error) {
	fragments := map[string]template.HTML{}
	for _, d := range p.Docs {
		for _, s := range d.Sections {
			if !s.Layout.Whole {
				fragments[s.ID+"-all"], s.Drawn = s.Drawn, ""
			}
		}
		for _, t := range d.Numbers {
			fragments[t.ID], t.Drawn = t.Drawn, ""
		}
	}
	return packed(struct {
		Fragments map[string]template.HTML `json:"fragments"`
		Markdown  [][2]string              `json:"markdown"`
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
	written := json.NewEncoder(compressed)
	written.SetEscapeHTML(false) // the page's parser sees none of it
	err := cmp.Or(written.Encode(v), compressed.Close(), encoded.Close())
	return template.HTML(strings.ReplaceAll(page.String(), "<", "v")), err
}
