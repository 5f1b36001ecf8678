package render

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// The charts are SVG without a script: positions across are percentages and
// positions down are pixels, so a chart fills any column from a phone to A4
// while its text keeps the size of the page's text. Curves, which SVG cannot
// place by percentage, stand in an inner picture whose viewBox is stretched.
// Colours are classes, given by the page's stylesheet for light, dark and paper.

// svgPen writes SVG. Whatever passes through it is escaped, since names come
// from libraries and run files.
type svgPen struct {
	b strings.Builder
}

// open begins an element; attrs are names and values in turn.
func (p *svgPen) open(name string, attrs ...string) {
	p.tag(name, attrs)
	p.b.WriteByte('>')
}

// close ends an element.
func (p *svgPen) close(name string) {
	p.b.WriteString("</" + name + ">")
}

// el writes an element that holds nothing.
func (p *svgPen) el(name string, attrs ...string) {
	p.tag(name, attrs)
	p.b.WriteString("/>")
}

func (p *svgPen) tag(name string, attrs []string) {
	p.b.WriteString("<" + name)
	for i := 0; i+1 < len(attrs); i += 2 {
		if attrs[i+1] == "" {
			continue
		}
		p.b.WriteString(" " + attrs[i] + `="` + template.HTMLEscapeString(Clean(attrs[i+1])) + `"`)
	}
}

// title is what a pointer that rests on the enclosing element is told.
func (p *svgPen) title(s string) {
	p.open("title")
	p.b.WriteString(template.HTMLEscapeString(Clean(s)))
	p.close("title")
}

// text writes a text in both languages, of which the stylesheet shows one.
// mark, where given, follows the text as its badge.
func (p *svgPen) text(t, mark layout.Text, attrs ...string) {
	if t.In(layout.English) == t.In(layout.Chinese) && mark == (layout.Text{}) {
		p.string(t.EN, "", attrs)
		return
	}
	for _, l := range []layout.Lang{layout.English, layout.Chinese} {
		p.string(t.In(l), mark.In(l), append([]string{"lang", htmlLang(l)}, attrs...))
	}
}

func (p *svgPen) string(s, mark string, attrs []string) {
	p.open("text", attrs...)
	p.b.WriteString(template.HTMLEscapeString(Clean(s)))
	if mark != "" {
		p.open("tspan", "class", "new", "dx", "4")
		p.b.WriteString(template.HTMLEscapeString(mark))
		p.close("tspan")
	}
	p.close("text")
}

// html hands over what was written. All of it went through the pen's escaping.
func (p *svgPen) html() template.HTML { return template.HTML(p.b.String()) }

// svgShapes are the markers of series: told apart by shape as well as by
// colour, drawn around the origin.
var svgShapes = []string{
	"M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z",                   // circle
	"M-3.6-3.6H3.6V3.6H-3.6Z",                              // square
	"M0-4.8L4.7 3.4H-4.7Z",                                 // triangle
	"M0-5L5 0L0 5L-5 0Z",                                   // diamond
	"M0 4.8L4.7-3.4H-4.7Z",                                 // triangle down
	"M-1.6-4.6H1.6V4.6H-1.6Z",                              // bar
	"M-4.6-1.6H4.6V1.6H-4.6Z",                              // lying bar
	"M0-5L1.5-1.5L5 0L1.5 1.5L0 5L-1.5 1.5L-5 0L-1.5-1.5Z", // star
}

// svgCross marks what must not be ranked.
const svgCross = "M-3.5-3.5L3.5 3.5M-3.5 3.5L3.5-3.5"

// marker draws a path around a point: across in percent, down in pixels.
func (p *svgPen) marker(class, path string, across, down float64) {
	p.open("svg", "x", svgPercent(across), "y", svgPixels(down), "overflow", "visible")
	p.el("path", "class", class, "d", path)
	p.close("svg")
}

// svgPercent is a share of the width as SVG reads it.
func svgPercent(share float64) string {
	return strconv.FormatFloat(100*share, 'f', 2, 64) + "%"
}

// svgPixels is a length in pixels.
func svgPixels(v float64) string {
	return strconv.FormatFloat(v, 'f', 1, 64)
}
