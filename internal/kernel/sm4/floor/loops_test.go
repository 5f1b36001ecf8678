//go:build floor

package floor

import "testing"

// The functions run.
func TestLoops(t *testing.T) {
	loops, err := Loops()
	if err != nil {
		t.Fatal(err)
	}
	for name, l := range loops {
		l.Kernel()
		l.Floor()
		if l.Counts == (Counts{}) || l.Turn == 0 {
			t.Errorf("%s has no counts", name)
		}
	}
}
