//go:build floor

package floor

import (
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/kernel/bound"
)

// The functions run.
func TestLoops(t *testing.T) {
	loops, err := Loops()
	if err != nil {
		t.Fatal(err)
	}
	for name, l := range loops {
		l.Kernel()
		l.Floor()
		if l.Counts == (bound.Counts{}) || l.Turn == 0 {
			t.Errorf("%s has no counts", name)
		}
	}
}
