package document

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

func TestWho(t *testing.T) {
	rows := []struct {
		library, version, path string
		status                 result.Status
		want                   string
	}{
		{"go", "go1.26", "go", result.OK, "go"},
		{"gmsm", "v0.44.0", "go", result.OK, "gmsm"},
		{"openssl", "3.0.19", "cgo", result.OK, "openssl-3.0.19"},
		{"openssl", "3.0.19", "c-loop", result.OK, "openssl-3.0.19/c-loop"},
		{"openssl", "4.0.0", "cgo", result.OK, "openssl-4.0.0"},
		{"botan", "2.19.3", "purego", result.OK, "botan"},
		{"botan", "2.19.3", "c-loop", result.OK, "botan/c-loop"},
		{"libgcrypt", "", "purego", result.Unsupported, "libgcrypt"},
	}
	b := builder{doc: &Document{}}
	for _, r := range rows {
		b.doc.Rows = append(b.doc.Rows, &Row{Library: r.library, Version: r.version, CallPath: r.path, Status: r.status})
	}
	b.nameSubjects()
	for i, r := range rows {
		if got := b.doc.Rows[i].Who(); got != r.want {
			t.Errorf("%s %s by %s is called %q, and should be %q", r.library, r.version, r.path, got, r.want)
		}
	}
	if got := (&Row{Library: "go"}).Who(); got != "go" {
		t.Errorf("a row that was not built is called %q", got)
	}
}

// TestExperimentText: what nobody asks for by name is said by what it is.
func TestExperimentText(t *testing.T) {
	for name, want := range map[string]layout.Text{"modes": {EN: "modes", ZH: "modes"}, "verify-every-cpu": {EN: "rows that use every CPU", ZH: "占用全部 CPU 的行"},
		"plan": {EN: "plan", ZH: "plan"}, "plan-2": {EN: "plan 2", ZH: "计划 2"}, "plan-check": {EN: "chosen steps run together", ZH: "所选各步骤合在一起运行"}} {
		if got := ExperimentText(name); got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestPartly: why a run stopped early is said in the same names.
func TestPartly(t *testing.T) {
	why := reason.Cause("stopped-early", "verify-every-cpu", 3, 15, reason.Cause("interrupted"))
	d := Build(&result.Run{End: &result.End{Partial: true, Reason: reason.English(why), Cause: why}})
	if want := "rows that use every CPU stopped with 3 of 15 blocks finished: interrupted"; d.Partly.EN != want || !strings.HasPrefix(d.Partly.ZH, "占用全部 CPU 的行 提前结束") {
		t.Errorf("%+v, want %q", d.Partly, want)
	}
}
