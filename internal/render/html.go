package render

import (
	"bufio"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

//go:embed assets/report.html.tmpl assets/report.css assets/report.js
var htmlAssets embed.FS

// WriteHTML writes documents as one page that needs nothing beside it: no network,
// no script to be read, and both languages inside. Several documents are
// several machines: one table with a column a machine, and then each in turn.
func WriteHTML(w io.Writer, docs []*document.Document, opts Options) error {
	if len(docs) == 0 {
		return fmt.Errorf("nothing to report")
	}
	page, err := newHTMLPage(docs, opts)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(w)
	if err := htmlTemplate().Execute(buffered, page); err != nil {
		return fmt.Errorf("writing the HTML report: %w", err)
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("writing the HTML report: %w", err)
	}
	return nil
}

// htmlTemplate is parsed when a page is first asked for: most commands never do.
var htmlTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("report.html.tmpl").Funcs(template.FuncMap{
		"clean":      Clean,
		"both":       htmlBoth,
		"say":        func(en, zh string) template.HTML { return htmlBoth(layout.Text{EN: en, ZH: zh}) },
		"disclaimer": func() layout.Text { return Disclaimer },
		"css":        func() template.CSS { return template.CSS(htmlAsset("report.css")) },
		"js":         func() template.JS { return template.JS(htmlAsset("report.js")) },
	}).ParseFS(htmlAssets, "assets/report.html.tmpl"))
})

func htmlAsset(name string) string {
	b, err := htmlAssets.ReadFile("assets/" + name)
	if err != nil {
		panic("report: internal error: " + err.Error())
	}
	return string(b)
}

// htmlBoth puts a text on the page in both languages, of which the stylesheet
// shows one.
func htmlBoth(t layout.Text) template.HTML {
	t = layout.Text{EN: Clean(t.In(layout.English)), ZH: Clean(t.In(layout.Chinese))}
	en, zh := t.EN, t.ZH
	if en == zh {
		return template.HTML(template.HTMLEscapeString(en))
	}
	var b strings.Builder
	for _, l := range []layout.Lang{layout.English, layout.Chinese} {
		b.WriteString(`<span lang="` + htmlLang(l) + `">` + template.HTMLEscapeString(t.In(l)) + `</span>`)
	}
	return template.HTML(b.String())
}

// htmlLang is a language's tag, as fonts are chosen by it.
func htmlLang(l layout.Lang) string {
	if l == layout.Chinese {
		return "zh-Hans"
	}
	return "en"
}
