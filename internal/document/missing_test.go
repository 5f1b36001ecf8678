package document

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestUnanswered: a library that was named and told nothing is named with what stopped it; one whose output is wrong
// told much, and one that nobody asked is no business of the run.
func TestUnanswered(t *testing.T) {
	c := result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "encrypt", Bytes: 16}
	f := documenttest.NewFixture(12, 2)
	f.Trial("modes", c, documenttest.GMSM, documenttest.Plan{NS: 100})
	f.Run.Header.Libraries = append(f.Run.Header.Libraries, result.Library{Library: "closed", CallPath: "cgo", Missing: "/lib/closed.so is not there"})
	for library, status := range map[string]result.Status{"liar": result.Incorrect, "dying": result.Crashed} {
		f.Status(f.Trial("modes", c, result.Subject{Library: library, Version: "1", CallPath: "cgo"}, documenttest.Plan{NS: 100}), status, "it is as it is")
	}
	d := Build(f.End())
	var said []string
	for _, line := range d.Unanswered([]string{"gmsm", "liar", "closed", "dying", "dying", "unasked"}) {
		said = append(said, line.EN)
	}
	if got, want := strings.Join(said, "\n"), "closed: /lib/closed.so is not there\ndying: it is as it is"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
