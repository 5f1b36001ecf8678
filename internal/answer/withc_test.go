package answer

import (
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// TestWithC: what is faster in C is said beside the choice only where it lacks nothing that the choice has.
func TestWithC(t *testing.T) {
	chosen := &document.Row{ID: "a", Algorithm: "X25519MLKEM768", Library: "go", CallPath: "go"}
	faster := &document.Row{ID: "b", Algorithm: "X25519", Library: "botan", CallPath: "cgo"}
	v := NewView(&document.Document{Rows: []*document.Row{chosen, faster}}, "")
	for gain, said := range map[string]bool{"": true, "quantum computers cannot break it": false} {
		rivals := []rival{{row: faster, c: &document.Comparison{Verdict: "slower"}, gain: layout.Same(gain)}}
		got, others := v.withC(Advice{}, []*document.Row{chosen, faster}, rivals)
		if (got != nil) != said || len(others) == 1 == said {
			t.Errorf("it lacks %q: %v beside the choice, %d others", gain, got, len(others))
		}
	}
}
