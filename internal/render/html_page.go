package render

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// htmlPage is what the template draws.
type htmlPage struct {
	Lang     layout.Lang
	Tag      string // the language's, for the html element
	Title    layout.Text
	Asked    layout.Text
	Several  bool
	Machines []htmlTable // of several: a column a machine
	Docs     []*htmlDoc
	Markdown []htmlMarkdown
	Tool     string
}

// htmlMarkdown is the Markdown report in one language, for the copy button.
type htmlMarkdown struct {
	Tag, Text string
}

// htmlDoc is one document's part of the page.
type htmlDoc struct {
	ID         string      // prefix of its anchors
	Name       layout.Text // of the machine, among several
	Machine    layout.Text // in one line
	Facts      []htmlFact
	Several    bool // other machines stand beside it
	Doc        *document.Document
	Trust      htmlTrust
	Wrong      []htmlAnswer // outputs; said before the answers
	Answers    []htmlAnswer
	Findings   []htmlFinding
	Sections   []htmlSection
	Numbers    []htmlTable
	Provenance []htmlFact
}

// htmlSection is one layout.
type htmlSection struct {
	ID       string
	Layout   layout.Layout
	Alone    bool         // the page has its title and question already
	Answers  []htmlAnswer // where they do not all stand on top of the page
	Plots    []htmlChart  // speed over size, side by side where there is room
	Forests  []htmlChart  // ratios, below each other
	Tables   []htmlTable
	Pictures []htmlPicture
}

// htmlChart is a chart with its legend.
type htmlChart struct {
	layout.Chart
	ID     string
	Plot   template.HTML
	Room   int // for the names at its right, in pixels
	Legend []htmlLegend
	Axis   template.HTML
	Lines  []htmlRatioLine
}

// htmlLegend names one series.
type htmlLegend struct {
	layout.Series
	Class string
	Shape string
}

// htmlRatioLine is one line of a ratio chart.
type htmlRatioLine struct {
	layout.Ratio
	Anchor, Href string
	Plot         template.HTML
	Value        string
	Interval     string
	Class        string
	Word         layout.Text
	Sign         string
}

// htmlPicture is an artifact ready to be shown; Source is empty where the run
// does not hold it.
type htmlPicture struct {
	layout.Picture
	Source template.URL
}

// newHTMLPage prepares the page of documents.
func newHTMLPage(docs []*document.Document, opts Options) (*htmlPage, error) {
	if opts.Lang != layout.Chinese {
		opts.Lang = layout.English
	}
	p := &htmlPage{Lang: opts.Lang, Tag: htmlLang(opts.Lang), Several: len(docs) > 1, Tool: docs[0].Tool}
	for _, l := range []layout.Lang{layout.English, layout.Chinese} {
		var b strings.Builder
		o := opts
		o.Lang, o.Color = l, false
		if err := WriteMarkdown(&b, docs, o); err != nil {
			return nil, fmt.Errorf("embedding the Markdown report: %w", err)
		}
		p.Markdown = append(p.Markdown, htmlMarkdown{htmlLang(l), b.String()})
	}
	for i, d := range docs {
		p.Docs = append(p.Docs, newHTMLDoc(d, i, opts.Lang))
		p.Docs[i].Several = p.Several
	}
	if first := p.Docs[0]; !p.Several && len(first.Sections) == 1 {
		first.Sections[0].Alone = true
	}
	p.Title, p.Asked = htmlTitle(docs)
	if p.Several {
		p.Machines = htmlMachines(docs)
	}
	return p, nil
}

// htmlTitle says what the page is about, and what was asked.
func htmlTitle(docs []*document.Document) (title, asked layout.Text) {
	layouts := layouts(docs[0])
	if len(docs) > 1 {
		n := strconv.Itoa(len(docs))
		return layout.Text{EN: "The same questions on " + n + " machines", ZH: n + " 台机器上的同一组问题"},
			NoVerdictBetweenMachines
	}
	if len(layouts) == 1 {
		return layouts[0].Title, layouts[0].Question
	}
	var en, zh []string
	for _, l := range layouts {
		en, zh = append(en, l.Title.In(layout.English)), append(zh, l.Title.In(layout.Chinese))
	}
	return layout.Text{EN: "What cryptography costs on this machine", ZH: "本机密码运算的代价"},
		layout.Text{EN: strings.Join(en, " · "), ZH: strings.Join(zh, " · ")}
}

// newHTMLDoc prepares one document's part. Sections come before answers: what
// they draw is what the answers can lead to.
func newHTMLDoc(d *document.Document, index int, lang layout.Lang) *htmlDoc {
	h := &htmlDoc{ID: "m" + strconv.Itoa(index+1), Doc: d, Name: machineName(index), Trust: newHTMLTrust(d.Trust)}
	places := newHTMLPlaces(h.ID, d)
	layouts := layouts(d)
	for i, l := range layouts {
		h.Sections = append(h.Sections, newHTMLSection(d, l, h.ID+"-"+strconv.Itoa(i+1), lang, places))
	}
	h.Numbers = htmlNumbers(d, h.ID, places)
	h.Wrong = htmlAnswers(d.WrongOutputs, places)
	h.Answers = htmlAnswers(topAnswers(d), places)
	if len(layouts) > 1 {
		underHeadings(h.Answers, layouts)
		for i := range h.Sections {
			h.Sections[i].Answers = htmlAnswers(h.Sections[i].Layout.Answers, places)
		}
	}
	h.Findings = htmlFindings(otherFindings(d))
	h.Machine = machineLine(d.Machine)
	h.Facts = htmlMachineFacts(d.Machine)
	h.Provenance = provenance(d)
	return h
}

// topAnswers are the sentences at the top of the page: all of a single
// experiment, the short ones of several.
func topAnswers(d *document.Document) []layout.Answer {
	var all, short []layout.Answer
	for _, l := range layouts(d) {
		all = append(all, l.Answers...)
	}
	if len(all) == 0 {
		all = d.Answers[len(d.WrongOutputs):]
	}
	for _, a := range all {
		if a.Short {
			short = append(short, a)
		}
	}
	if len(layouts(d)) > 1 && len(short) > 0 {
		return short
	}
	return all
}

func newHTMLSection(d *document.Document, l layout.Layout, id string, lang layout.Lang, places *htmlPlaces) htmlSection {
	s := htmlSection{ID: id, Layout: l}
	looks := seriesLooks(l.Charts)
	for i, c := range l.Charts {
		hc := htmlChart{Chart: c, ID: id + "-chart" + strconv.Itoa(i+1)}
		switch {
		case c.Kind == layout.SpeedOverSize && hasPoints(c):
			hc.drawSpeed(lang, looks, places)
			s.Plots = append(s.Plots, hc)
		case c.Kind == layout.Ratios && len(c.Ratios) > 0:
			hc.drawRatios(lang, places)
			s.Forests = append(s.Forests, hc)
		}
	}
	tables := l.Tables
	if len(tables) == 0 {
		tables = l.Headline
	}
	for i, t := range tables {
		s.Tables = append(s.Tables, newHTMLTable(t, id+"-table"+strconv.Itoa(i+1), places))
	}
	for _, p := range l.Pictures {
		s.Pictures = append(s.Pictures, htmlPicture{p, pictureSource(d, p.Artifact)})
	}
	return s
}

func hasPoints(c layout.Chart) bool {
	return slices.ContainsFunc(c.Series, func(s layout.Series) bool { return len(s.Points) > 0 })
}

// seriesLooks gives every name of a section its colour and marker, so that a
// library looks the same in all of its charts. It is empty where there are more
// names than colours: then each chart begins anew.
func seriesLooks(charts []layout.Chart) map[string]int {
	looks := map[string]int{}
	for _, c := range charts {
		for _, s := range c.Series {
			if _, seen := looks[s.Name.EN]; !seen {
				looks[s.Name.EN] = len(looks)
			}
		}
	}
	if len(looks) > len(svgShapes) {
		clear(looks)
	}
	return looks
}

// drawSpeed draws the chart of series that look so.
func (h *htmlChart) drawSpeed(lang layout.Lang, looks map[string]int, places *htmlPlaces) {
	look := make([]int, len(h.Series))
	for i, s := range h.Series {
		look[i] = i
		if n, ok := looks[s.Name.EN]; ok {
			look[i] = n
		}
	}
	h.Plot = svgSpeed(h.Chart, lang, look, places.number)
	h.Room = namesWidth(h.Chart)
	drawn := speedChart{chart: h.Chart, look: look}
	for i, s := range h.Series {
		shape := svgShapes[look[i]%len(svgShapes)]
		if s.Struck {
			shape = svgCross
		}
		h.Legend = append(h.Legend, htmlLegend{s, drawn.class(i), shape})
	}
}

// HasModel says whether the legend explains the dashed line.
func (h htmlChart) HasModel() bool {
	for _, s := range h.Series {
		if s.Model != nil && !s.Struck {
			return true
		}
	}
	return false
}

func (h *htmlChart) drawRatios(lang layout.Lang, places *htmlPlaces) {
	axis := newRatioAxis(h.Ratios)
	h.Axis = axis.svgAxis()
	for _, r := range h.Ratios {
		line := htmlRatioLine{Ratio: r, Anchor: places.claim(r.ID), Href: places.number(r.ID),
			Plot: axis.svgLine(r, lang), Value: layout.FormatRatio(r.Value) + "×",
			Class: verdictClass(r.Verdict), Word: document.VerdictText(r.Verdict), Sign: verdictSign(r.Verdict)}
		if r.HasInterval {
			line.Interval = ratioSpan(r)
		}
		h.Lines = append(h.Lines, line)
	}
}

// pictureTypes are the media types that are embedded: pictures, which an img
// element shows without running anything.
var pictureTypes = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true, "image/bmp": true}

// pictureSource embeds an artifact of the run.
func pictureSource(d *document.Document, name string) template.URL {
	if d.Run == nil {
		return ""
	}
	for _, a := range d.Run.Artifacts {
		if a.Name == name && pictureTypes[a.MediaType] {
			return dataURL(a)
		}
	}
	return ""
}

func dataURL(a result.Artifact) template.URL {
	return template.URL("data:" + a.MediaType + ";base64," + base64.StdEncoding.EncodeToString(a.Data))
}
