package render

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/cryptogauge/cryptogauge/internal/document"
)

// JUnit is a report of verdicts, for programs that read the results of tests.
type JUnit struct {
	Verb  string
	Suite string
	Doc   *document.Document // of the run that they are of
	Cases []JUnitCase
}

// JUnitCase is a verdict.
type JUnitCase struct {
	Name    string
	Outcome JUnitOutcome
	Type    string // of what is no success
	Text    string
	Detail  string // below the text of what is no success
}

// JUnitOutcome is how it counts.
type JUnitOutcome int

// The outcomes: what is not decided is skipped, with the reason.
const (
	Passed JUnitOutcome = iota
	Failed
	Skipped
)

// The elements and attributes are those that Jenkins reads.
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

// Write writes the report.
func (j JUnit) Write(w io.Writer) error {
	took := func(s float64) string { return fmt.Sprintf("%.3f", s) }
	seconds := orZero(j.Doc.Seconds)
	s := junitSuite{Name: j.Suite, Tests: len(j.Cases), Time: took(seconds), Timestamp: j.Doc.Started.UTC().Format("2006-01-02T15:04:05")}
	for _, one := range j.Cases {
		c := junitCase{Name: Clean(one.Name), Class: "cryptogauge." + j.Verb, Time: took(seconds / float64(len(j.Cases)))}
		text := Clean(one.Text)
		result := &junitResult{one.Type, text, one.Detail}
		switch one.Outcome {
		case Passed:
			c.Output = text
		case Failed:
			c.Failure = result
			s.Failures++
		case Skipped:
			c.Skipped = result
			s.Skipped++
		}
		s.Cases = append(s.Cases, c)
	}
	all := junitSuites{Name: "cryptogauge " + j.Verb, Tests: s.Tests, Failures: s.Failures, Time: s.Time, Suite: s}
	out, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, out)
	return err
}
