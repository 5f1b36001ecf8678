package verify

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/cryptogauge/cryptogauge/internal/render"
)

// The JUnit report has the elements and attributes that Jenkins reads: a test case is a
// statement. One that is not decided or not measurable is skipped, with the reason.
type junitSuites struct {
	XMLName  xml.Name   `xml:"testsuites"`
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Time     string     `xml:"time,attr"`
	Suite    junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr"`
	Cases     []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	Time    string       `xml:"time,attr"`
	Skipped *junitResult `xml:"skipped,omitempty"`
	Failure *junitResult `xml:"failure,omitempty"`
	Output  string       `xml:"system-out,omitempty"`
}

type junitResult struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func (r Report) writeJUnit(w io.Writer, o Options) error {
	seconds := 0.0
	if r.Doc.Seconds != nil {
		seconds = *r.Doc.Seconds
	}
	took := func(s float64) string { return fmt.Sprintf("%.3f", s) }
	s := junitSuite{Name: r.File, Tests: len(r.Judged), Failures: r.count(Contradicted) + r.count(Impossible),
		Skipped: r.count(Undecided) + r.count(NotMeasurable), Time: took(seconds), Timestamp: r.Doc.Started.UTC().Format("2006-01-02T15:04:05")}
	for i := range r.Judged {
		e := entry{i, &r.Judged[i]}
		text := render.Clean(e.explained().In(o.Lang))
		result := &junitResult{string(e.Verdict), text, e.source()}
		c := junitCase{Name: render.Clean(e.name().In(o.Lang)), Class: "cryptogauge.verify", Time: took(seconds / float64(len(r.Judged)))}
		switch e.Verdict {
		case Holds:
			c.Output = text
		case Contradicted, Impossible:
			c.Failure = result
		default:
			c.Skipped = result
		}
		s.Cases = append(s.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(junitSuites{Name: "cryptogauge verify", Tests: s.Tests, Failures: s.Failures, Time: s.Time, Suite: s}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// source is where the statement stands, and who says so.
func (e entry) source() string {
	at := fmt.Sprintf("%s:%d", e.Place.File, e.Place.Line)
	if e.Source != "" {
		at += "\n" + render.Clean(e.Source)
	}
	return at
}
