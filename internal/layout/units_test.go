package layout

import (
	"math"
	"testing"
)

func TestFormatThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1_200_000: "1,200,000", -999: "-999", -1000: "-1,000",
		math.MinInt64: "-9,223,372,036,854,775,808"} {
		if got := FormatThousands(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}
