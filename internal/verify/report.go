package verify

import (
	"fmt"
	"io"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// Report is what all formats draw.
type Report struct {
	Tool         string
	File         string        // of the statements, as it was named
	Title, About string        // of that file; empty where it has none
	Command      string        // that gives the report again
	Run          string        // the folder of the run, as a command names it
	Next         []layout.Next // commands that go on from here
	Doc          *document.Document
	Judged       []Judged
}

// Options say how it is drawn.
type Options struct {
	Lang  layout.Lang
	Width int  // columns of the text format; 0: the usual
	All   bool // the text format is not kept to two screens
}

// formats are in the order in which they are named.
var formats = render.FormatList[func(Report, io.Writer, Options) error]{
	{"text", Report.writeText},
	{"markdown", Report.writeMarkdown},
	{"junit", Report.writeJUnit},
	{"openmetrics", Report.writeOpenMetrics},
	{"json", Report.writeJSON},
}

// Formats are their names.
func Formats() []string { return formats.Names() }

// ParseFormat reads a format's name.
func ParseFormat(name string) (render.Format, error) {
	return render.Among(Formats(), layout.Same("verify"), name)
}

// Write writes the report in a format.
func (r Report) Write(w io.Writer, f render.Format, o Options) error {
	return formats.Writer(f)(r, w, o)
}

// count is how many statements have a verdict.
func (r Report) count(v Verdict) (n int) {
	for _, j := range r.Judged {
		if j.Verdict == v {
			n++
		}
	}
	return n
}

// Failed says whether a statement is contradicted or impossible, and Open whether one is not
// decided, or can't be measured.
func (r Report) Failed() bool { return r.count(Contradicted)+r.count(Impossible) > 0 }
func (r Report) Open() bool   { return r.count(Undecided)+r.count(NotMeasurable) > 0 }

// Summary counts the verdicts, those first that matter most.
func (r Report) Summary() layout.Text {
	var en, zh []string
	for _, v := range verdicts {
		if n := r.count(v); n > 0 {
			word := verdictText[v].EN
			if v == Holds && n > 1 {
				word = "hold"
			}
			en = append(en, fmt.Sprintf("%d %s", n, word))
			zh = append(zh, fmt.Sprintf("%s %d 条", verdictText[v].ZH, n))
		}
	}
	all := document.Counted(len(r.Judged), "%d statement", "%d statements", "共 %d 条声明")
	return layout.Say("%s: %s", "%s：%s", all, layout.Text{EN: strings.Join(en, ", "), ZH: strings.Join(zh, "，")})
}

// ordered are the statements, what is otherwise first.
func (r Report) ordered() (all []entry) {
	return r.with(verdicts...)
}

// with are those with some verdicts, by verdict.
func (r Report) with(some ...Verdict) (all []entry) {
	for _, v := range some {
		for i := range r.Judged {
			if r.Judged[i].Verdict == v {
				all = append(all, entry{i, &r.Judged[i]})
			}
		}
	}
	return all
}

// entry is a statement and its number, from 0.
type entry struct {
	number int
	*Judged
}

// name is what the statement says, or its number.
func (e entry) name() layout.Text {
	if e.Says == "" {
		return layout.Say("statement %d", "第 %d 条声明", e.number+1)
	}
	return layout.Same(e.Says)
}

// explained is what is true, and the argument where it is impossible.
func (e entry) explained() layout.Text {
	if e.Bound == (layout.Text{}) {
		return e.Text
	}
	return layout.Say("%s. %s", "%s。%s", e.Text, e.Bound)
}
