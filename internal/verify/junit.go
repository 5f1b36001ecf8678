package verify

import (
	"fmt"
	"io"

	"github.com/cryptogauge/cryptogauge/internal/render"
)

// In the JUnit report a test case is a statement. One that is not decided or not measurable is skipped,
// with the reason.
func (r Report) writeJUnit(w io.Writer, o Options) error {
	out := render.JUnit{Verb: "verify", Suite: r.File, Doc: r.Doc}
	for i := range r.Judged {
		e := entry{i, &r.Judged[i]}
		c := render.JUnitCase{Name: e.name().In(o.Lang), Outcome: render.Skipped, Type: string(e.Verdict), Text: e.explained().In(o.Lang), Detail: e.source()}
		switch e.Verdict {
		case Holds:
			c.Outcome = render.Passed
		case Contradicted, Impossible:
			c.Outcome = render.Failed
		}
		out.Cases = append(out.Cases, c)
	}
	return out.Write(w)
}

// source is where the statement stands, and who says so.
func (e entry) source() string {
	at := fmt.Sprintf("%s:%d", e.Place.File, e.Place.Line)
	if e.Source != "" {
		at += "\n" + render.Clean(e.Source)
	}
	return at
}
