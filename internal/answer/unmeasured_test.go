package answer

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestUnmeasured: a question without a row says what it lacks, and a library that is not there comes
// before what was asked for.
func TestUnmeasured(t *testing.T) {
	var missing, crashed, partial document.Document
	missing.Libraries = []result.Library{{Library: "openssl", Missing: "not found"}, {Library: "botan", Missing: "not found"},
		{Library: "openssl", Missing: "another path"}, {Library: "gmsm"}}
	crashed.Rows = []*document.Row{{Experiment: "chunking", Library: "openssl", CallPath: "cgo", Status: result.Crashed}}
	partial.Partial = true
	for want, d := range map[string]*document.Document{
		"no library that is here offers it; missing: openssl, botan": &missing,
		"openssl could not be opened":                                &crashed,
		"the run ended before":                                       &partial,
		"nothing that was selected belongs to this question":         {},
	} {
		if got := unmeasured(d, "chunking"); got.EN != "not measured: "+want || !strings.HasPrefix(got.ZH, "未测量：") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
