package judge

import (
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

func drawCase(mode algorithm.Mode) result.Case {
	n, _ := algorithm.FixedBytes(algorithm.Random, mode, algorithm.Draw)
	return result.Case{Algorithm: algorithm.Random, Mode: mode, Operation: algorithm.Draw, Bytes: n}
}

// TestDraws: a generator that does nothing is found, and one that gives the same again, or too little.
func TestDraws(t *testing.T) {
	for _, mode := range []algorithm.Mode{algorithm.ForNonce, algorithm.ForIV} {
		v := vector(t, New(provider.Setting{Seed: 1}), drawCase(mode))
		good := make([]byte, len(v.Plaintext))
		good[3] = 1
		if err := v.Accept(good); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
		for name, bad := range map[string][]byte{"blank": make([]byte, len(good)), "short": good[1:], "the same": good} {
			if v.Accept(bad) == nil {
				t.Errorf("%s: accepted %s", mode, name)
			}
		}
		idle := loop.NewDraw(func(b []byte) (int, error) { return len(b), nil }, v)
		if err := idle.Run(3); err != nil || idle.Check() == nil {
			t.Errorf("%s: a generator that does nothing passes (%v)", mode, err)
		}
	}
	wrong := drawCase(algorithm.ForNonce)
	wrong.Bytes++
	if _, err := New(provider.Setting{Seed: 1}).Vector(wrong); err == nil {
		t.Error("a nonce of another size is drawn")
	}
	if _, err := New(provider.Setting{Seed: 1}).Vector(result.Case{Algorithm: algorithm.Random, Operation: algorithm.Draw}); err == nil {
		t.Error("random bytes for nothing are drawn")
	}
}
