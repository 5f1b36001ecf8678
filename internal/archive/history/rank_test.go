package history

import (
	"math"
	"testing"
)

func TestDistributionIsThatOfTables(t *testing.T) {
	// D. B. Owen, Handbook of Statistical Tables (1962): counted out here by hand for small sides.
	for _, test := range []struct {
		m, n, u int
		want    float64
	}{
		{1, 1, 0, 0.5}, {2, 2, 0, 1.0 / 6}, {2, 2, 1, 2.0 / 6}, {2, 3, 1, 2.0 / 10}, {3, 3, 0, 1.0 / 20}, {3, 3, 4, 10.0 / 20},
		{4, 4, 1, 2.0 / 70}, {5, 25, 0, 1.0 / 142506}, {25, 5, 1, 2.0 / 142506}, {5, 5, 25, 1}, {5, 5, -1, 0},
	} {
		if got := cumulative(test.m, test.n, test.u); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("U of %d and %d is %d or less in %g, want %g", test.m, test.n, test.u, got, test.want)
		}
	}
}
