package answer

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
)

func TestVersions(t *testing.T) {
	row := func(version, mode string) *document.Row {
		return &document.Row{ID: version + mode, Experiment: "modes", Algorithm: "SM4", Mode: mode, Operation: "encrypt",
			Bytes:   1024,
			Library: "openssl", Version: version, CallPath: "cgo"}
	}
	low, high, lowest, highest := 1.9, 2.1, 0.99, 1.01
	d := &document.Document{Rows: []*document.Row{row("3", "CTR"), row("4", "CTR"), row("3", "CBC"), row("4", "CBC")},
		Comparisons: []document.Comparison{
			{ID: "a", Base: "3CTR", Other: "4CTR", Ratio: 2, Low: &low, High: &high, Verdict: "faster"},
			{ID: "b", Base: "3CBC", Other: "4CBC", Ratio: 1, Low: &lowest, High: &highest, Verdict: "same"},
		}}
	as := NewView(d, "modes").versions()
	if len(as) != 1 || len(as[0].Evidence) != 2 {
		t.Fatalf("%d sentences: %v", len(as), as)
	}
	for _, want := range []string{"in 2 cases: faster in 1, slower in 0, equal in 1, inconclusive in 0.", "SM4-CTR",
		"2.00 (1.90–2.10) times as fast as openssl"} {
		if !strings.Contains(as[0].Text.EN, want) {
			t.Errorf("%q lacks %q", as[0].Text.EN, want)
		}
	}
	if zh := as[0].Text.ZH; !strings.Contains(zh, "共 2 项：1 项更快") ||
		!strings.Contains(zh, "速度为 openssl 的 2.00 倍（1.90–2.10）") {
		t.Errorf("%q", zh)
	}
}
