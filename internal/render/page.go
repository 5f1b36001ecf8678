package render

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// WritePage writes a layout that is of no run, and so has neither a machine nor a confidence: its sentences and its
// tables, in a format that people read.
func WritePage(w io.Writer, f Format, l layout.Layout, o Options) error {
	switch f {
	case FormatText:
		return writeLines(w, newPainter(o).page(l))
	case FormatMarkdown:
		return writeMarkdown(w, "page.md.tmpl", l, o)
	case FormatHTML:
		return writeHTMLPage(w, l, o)
	}
	return fmt.Errorf("render: internal error: no page in format %q", f)
}

func (p *painter) page(l layout.Layout) []string {
	p.Title = p.say(p.titleOr(l.Title))
	return p.claimed(below(p.words(), p.layout(l)))
}

// buffered writes a report whole, as fast as may be.
func buffered(w io.Writer, what string, write func(io.Writer) error) error {
	out := bufio.NewWriter(w) // its first error sticks and is that of Flush
	return written(what, cmp.Or(write(out), out.Flush()))
}

// written says of an error what was not written.
func written(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("writing the %s: %w", what, err)
}

type htmlAlone struct {
	htmlHead
	Answers []htmlAnswer
	Tables  []htmlTable
}

func writeHTMLPage(w io.Writer, l layout.Layout, o Options) error {
	places := newHTMLPlaces("", &document.Document{})
	page := htmlAlone{htmlHead: newHTMLHead(o, l.Title), Answers: htmlAnswers(l.Answers, places)}
	for i, t := range l.Tables {
		page.Tables = append(page.Tables, newHTMLTable(t, "table"+strconv.Itoa(i+1), places))
	}
	return buffered(w, "report", func(w io.Writer) error { return htmlTemplate().ExecuteTemplate(w, "page.html.tmpl", page) })
}
