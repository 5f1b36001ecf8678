//go:build linux && (amd64 || arm64)

package cbinding

import (
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// TestOutputLiesAsTheExpectedOne: what a library in C writes lies in its page as what Go writes does.
func TestOutputLiesAsTheExpectedOne(t *testing.T) {
	const in, out = 7 * provider.Line, 20 * provider.Line
	v := &provider.Vector{Plaintext: provider.Placed(in, 1024, 1024), Ciphertext: provider.Placed(out, 1040, 1040)}
	s := (&Library{}).Session(call.Purego)
	for d, want := range map[loop.Direction]int{loop.Encrypt: out, loop.Decrypt: in} {
		w := s.workOf(v, d, BlockSize)
		if got := provider.PlaceOf(w.Out); got != want || provider.PlaceOf(w.Messages[0].Out) != want {
			t.Errorf("direction %d: the output lies at %d, want %d", d, got, want)
		}
	}
	if err := s.Outputs.Check(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
