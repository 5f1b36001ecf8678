package turns

import "testing"

// The interval of a median by order statistics, as tables of the sign test have it.
func TestOutside(t *testing.T) {
	for n, want := range map[int]int{5: 0, 6: 0, 9: 1, 15: 3, 25: 7, 101: 40} {
		if got := outside(n); got != want {
			t.Errorf("of %d values %d lie outside at each end, want %d", n, got, want)
		}
	}
}

func TestRatio(t *testing.T) {
	calls := int64(0)
	first := func() int64 { calls++; return 200 + calls%3 }
	second := func() int64 { calls++; return 100 }
	ratio, low, high := Ratio(25, first, second)
	if ratio < 2 || ratio > 2.02 || low > ratio || high < ratio || calls != 50 {
		t.Errorf("%v (%v to %v) by %d calls", ratio, low, high, calls)
	}
}
