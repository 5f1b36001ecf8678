package answer

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// TestSummaryKeepsToItsLine: what pays first is always said, what it costs, at the end, and the rest as far
// as there is room in both languages.
func TestSummaryKeepsToItsLine(t *testing.T) {
	long := layout.Same(strings.Repeat("x", 100))
	s := Summary{Do: layout.Same("Use a"), Pays: []layout.Text{layout.Same("b"), long, layout.Same("d")}, Costs: layout.Same("c")}
	if got := s.Answer().Text.EN; got != "Use a: b; "+long.EN+"; d; c." {
		t.Errorf("with room: %q", got)
	}
	s.Do = long
	if got := s.Answer().Text.EN; got != long.EN+": b; d; c." {
		t.Errorf("without: %q", got)
	}
	s.Costs.ZH = strings.Repeat("汉", 80)
	if got := s.Answer().Text; strings.Contains(got.ZH, "汉") || strings.Contains(got.EN, "c.") {
		t.Errorf("too long in Chinese: %q, %q", got.EN, got.ZH)
	}
}

func TestRatio(t *testing.T) {
	for _, tt := range []struct {
		ratio, low, high float64
		verdict, en, zh  string
	}{
		{1.48, 1.3, 1.61, "faster", "1.48 times as fast (1.30–1.61) as X", "速度是 X 的 1.48 倍（1.30–1.61）"},
		{0.5, 0.4, 0.8, "slower", "takes 2.00 times as long (1.25–2.50) as X", "耗时是 X 的 2.00 倍（1.25–2.50）"},
		{1.032, 1.02, 1.045, "faster", "3.2 % faster (2.0–4.5 %) than X", "比 X 快 3.2%（2.0–4.5%）"},
		{1, 0.998, 1.002, "same", "as fast as X (within 0.5 %)", "与 X 一样快（差异在 0.5% 以内）"},
		{1.01, 0.98, 1.04, "inconclusive", "1.010 times as fast (0.980–1.040, inconclusive) as X", "速度是 X 的 1.010 倍（0.980–1.040，无法判定）"},
		{0.0125, 0.01, 0.02, "inconclusive", "takes about 80.0 times as long (50.0–100, too few blocks for a verdict) as X",
			"耗时约是 X 的 80.0 倍（50.0–100，数据组太少，不足以判定）"},
	} {
		c := &document.Comparison{Ratio: tt.ratio, Low: &tt.low, High: &tt.high, Verdict: tt.verdict}
		if got := Ratio(c, layout.Same("X")); got.EN != tt.en || got.ZH != tt.zh {
			t.Errorf("%g: %q, %q", tt.ratio, got.EN, got.ZH)
		}
		if back := turned(turned(c)); Abs(back.Ratio-c.Ratio) > 1e-9 || back.Verdict != c.Verdict || back.Base != c.Base {
			t.Errorf("%g: turned twice it is %+v", tt.ratio, back)
		}
	}
}
