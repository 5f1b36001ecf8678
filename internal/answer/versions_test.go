package answer

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
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

// TestVersionsWithoutSize: where versions differ most, the size is named where the row has one.
func TestVersionsWithoutSize(t *testing.T) {
	for bytes, want := range map[int64]layout.Text{
		0:    {EN: "difference is in ECDSA-P-256, signing: 2.00", ZH: "差别最大的是 ECDSA-P-256，签名：速度为"},
		1024: {EN: "difference is in ECDSA-P-256, signing, 1 KiB: 2.00", ZH: "差别最大的是 ECDSA-P-256，签名，1 KiB：速度为"},
	} {
		row := func(version string) *document.Row {
			return &document.Row{ID: version, Experiment: "signatures", Algorithm: "ECDSA-P-256", Operation: "sign", Bytes: bytes,
				Library: "openssl", Version: version, CallPath: "cgo"}
		}
		low, high := 1.9, 2.1
		d := &document.Document{Rows: []*document.Row{row("3"), row("4")}, Comparisons: []document.Comparison{
			{ID: "a", Base: "3", Other: "4", Ratio: 2, Low: &low, High: &high, Verdict: "faster"}}}
		as := NewView(d, "signatures").versions()
		if len(as) != 1 || !strings.Contains(as[0].Text.EN, want.EN) || !strings.Contains(as[0].Text.ZH, want.ZH) {
			t.Errorf("%d bytes: %v", bytes, as)
		}
	}
}
