package render

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

//go:embed assets
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
	return buffered(w, "HTML report", func(w io.Writer) error { return htmlTemplate().Execute(w, page) })
}

func htmlAsset(name string) string {
	b, err := htmlAssets.ReadFile("assets/" + name)
	if err != nil {
		panic("render: internal error: " + err.Error())
	}
	return string(b)
}

// Stylesheet is what the page looks like, and charts beside it.
func Stylesheet() string { return htmlAsset("report.css") }

// WriteChart draws a chart of speed for a page that has this package's [Stylesheet]. Its texts are in both languages, of
// which data-lang of the page shows one, but for what it says of itself to readers who don't see it, which is in l. Href
// leads from a point to its row.
func WriteChart(w io.Writer, c layout.Chart, l layout.Lang, href func(row string) string) error {
	plot := newSpeedPlot(c, seriesLooks([]layout.Chart{c}), href)
	if plot == nil {
		return nil
	}
	plot.Lang = l
	return htmlTemplate().ExecuteTemplate(w, "speed", plot)
}

// Policy is the content security policy of the page: it loads nothing, and runs and looks like nothing but its own
// script and style, which it names by their digests.
var Policy = sync.OnceValue(func() string {
	return "default-src 'none'; img-src data:; style-src " + digestOf("report.css") + "; script-src " + digestOf("report.js") +
		"; base-uri 'none'; form-action 'none'"
})

func digestOf(asset string) string {
	sum := sha256.Sum256([]byte(htmlAsset(asset)))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// htmlTemplate is parsed when a page is first asked for: most commands never do.
var htmlTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("report.html.tmpl").Funcs(template.FuncMap{
		"clean":      Clean,
		"both":       htmlBoth,
		"sentence":   htmlSentence,
		"say":        func(en, zh string) template.HTML { return htmlBoth(layout.Text{EN: en, ZH: zh}) },
		"same":       func(s string) template.HTML { return htmlBoth(layout.Same(s)) },
		"text":       func(en, zh string) layout.Text { return layout.Text{EN: en, ZH: zh} },
		"title":      func(s string) template.HTML { return "<title>" + htmlBoth(layout.Same(s)) + "</title>" },
		"labels":     htmlLabels,
		"languages":  func() []layout.Lang { return []layout.Lang{layout.English, layout.Chinese} },
		"tag":        htmlTag,
		"badge":      wordNew.In,
		"disclaimer": func() layout.Text { return Disclaimer },
		"severity":   func(s string) layout.Text { return severityWords[s] },
		"words":      reason.Words,
		"ratio":      layout.FormatRatio,
		"share":      layout.FormatShare,
		"css":        func() template.CSS { return template.CSS(Stylesheet()) },
		"js":         func() template.JS { return template.JS(htmlAsset("report.js")) },
		"policy":     Policy,
	}).Funcs(cellFuncs()).ParseFS(htmlAssets, "assets/*.html.tmpl", "assets/*.svg.tmpl"))
})

// htmlBoth puts a text on the page in both languages, of which the stylesheet
// shows one. Figures stand there once, as English spaces them: a page has thousands.
func htmlBoth(t layout.Text) template.HTML {
	in := func(l layout.Lang) string { return template.HTMLEscapeString(Clean(t.In(l))) }
	en, zh := in(layout.English), in(layout.Chinese)
	if en == zh || t == layout.Same(t.EN) {
		return template.HTML(en)
	}
	return template.HTML(`<span lang="en">` + en + `</span><span lang="zh-Hans">` + zh + `</span>`)
}

// What stays on one line of a page: intervals with what encloses them, and numbers with their unit.
var (
	intervals = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[(（]?\d[\d.]*–\d[\d.]*( ?%| [nµm]?s\b)?[)）]?`)
	})
	unitsOf = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\d) (%|[nµm]?s\b|([KMG]i?)?B\b|倍)`) })
)

// htmlSentence is htmlBoth of a sentence of which these stay on one line.
func htmlSentence(t layout.Text) template.HTML {
	held := intervals().ReplaceAllString(string(htmlBoth(t)), `<span class="nb">$0</span>`)
	return template.HTML(unitsOf().ReplaceAllString(held, "$1\u00a0$2"))
}

// htmlLabels are the attributes that describe a picture, of which the page's script shows
// one language.
func htmlLabels(t layout.Text, l layout.Lang) template.HTMLAttr {
	in := func(l layout.Lang) string { return template.HTMLEscapeString(Clean(t.In(l))) }
	return template.HTMLAttr(fmt.Sprintf(`aria-label="%s" data-label-en="%s" data-label-zh="%s"`,
		in(l), in(layout.English), in(layout.Chinese)))
}

// htmlTag is a language's tag, as fonts are chosen by it.
func htmlTag(l layout.Lang) string {
	if l == layout.Chinese {
		return "zh-Hans"
	}
	return "en"
}
