package plan

import (
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestLongLoginsArePrepared: a plan that is cut keeps as many logins as there is time for, with computing what each must
// give: five rows of a second in five blocks do not fit into a minute and a half, though their samples would.
func TestLongLoginsArePrepared(t *testing.T) {
	c := Config{Blocks: 5, Rounds: 1, Target: time.Millisecond}
	var g Group
	for range 5 {
		g.Trials = append(g.Trials, Trial{Trial: result.Trial{Case: result.Case{Algorithm: algorithm.Argon2id, Operation: algorithm.Login}}, Call: time.Second})
	}
	p := Plan{Experiment: "password", Groups: []Group{g}}
	const within = 90 * time.Second
	if whole := c.Duration(p); whole > within {
		t.Fatalf("the samples take %v", whole)
	}
	cut, cfg, left := Cut(p, c, Core{Config: c}, within)
	if len(cut.Groups) > 0 && len(cut.Groups[0].Trials) == 5 || len(left) == 0 || cfg.Blocks < LeastBlocks {
		t.Errorf("kept: %+v, left out: %+v", cut.Groups, left)
	}
}
