//go:build floor

package floor

import (
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/kernel/bound"
)

// The functions run.
func TestLoops(t *testing.T) {
	for _, bits := range []int{128, 256} {
		loops, err := Loops(bits)
		if err != nil {
			t.Fatal(err)
		}
		for name, l := range loops {
			l.Kernel()
			l.Floor()
			if l.Counts == (bound.Counts{}) || l.Turn == 0 {
				t.Errorf("%s, %d bits: no counts", name, bits)
			}
		}
	}
}
