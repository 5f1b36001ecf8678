package plan

import (
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/result"
)

// TestRoundsOfLongCalls: what outlasts a sample has fewer rounds, as many as the others' time holds,
// down to the least; and all of them where the user said how many.
func TestRoundsOfLongCalls(t *testing.T) {
	for _, test := range []struct {
		least, rounds int
		call          time.Duration
		want          int
	}{
		{3, 0, 100 * time.Microsecond, 8}, {3, 0, 400 * time.Microsecond, 5}, {3, 0, 20 * time.Millisecond, 3},
		{3, 2, 100 * time.Microsecond, 2}, {3, 2, 20 * time.Millisecond, 2}, {0, 0, 20 * time.Millisecond, 8}, {9, 0, 20 * time.Millisecond, 8},
	} {
		c := Config{Blocks: 1, Rounds: 8, Least: test.least, Target: 250 * time.Microsecond}
		trial := Trial{Trial: result.Trial{}, Rounds: test.rounds, Call: test.call}
		if got := trial.RoundsIn(c); got != test.want {
			t.Errorf("%+v: %d rounds", test, got)
		}
	}
}
