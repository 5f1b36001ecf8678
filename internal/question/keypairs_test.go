package question

import (
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/internal/question/rsa"
)

// narrowed are the words of a selection that may leave nothing to compare.
func narrowed(s plan.Selection) []string {
	return slices.Concat(s.Algorithms, s.Modes, s.Operations, s.Libraries)
}

// TestOnRequest: what takes long, and what libraries refuse, is measured only where
// it is asked for by name.
func TestOnRequest(t *testing.T) {
	e := rsa.Experiment()
	of := func(s plan.Selection, algorithm string) (n int) {
		for _, g := range e.Plan(s, plantest.Offered(e)) {
			for _, trial := range g.Trials {
				if trial.Case.Algorithm == algorithm {
					n++
				}
			}
		}
		return n
	}
	for _, algorithm := range e.OnRequest {
		if of(plan.Selection{}, algorithm) != 0 || of(plan.Selection{Short: true}, algorithm) != 0 || of(plan.Selection{Algorithms: []string{algorithm}}, algorithm) != 14 {
			t.Errorf("%s is planned %d times unasked, %d times asked", algorithm, of(plan.Selection{}, algorithm), of(plan.Selection{Algorithms: []string{algorithm}}, algorithm))
		}
	}
}

// TestDraws: key generation is spread over all blocks, often enough for its 95th
// percentile, of the longest keys half as often, in a worker whose library heeds the seed.
func TestDraws(t *testing.T) {
	e := rsa.Experiment()
	for _, short := range []bool{true, false} {
		draws := 0
		for _, g := range e.Plan(plan.Selection{Short: short}, plantest.Offered(e)) {
			for _, trial := range g.Trials {
				if trial.Case.Operation != algorithm.Generate {
					continue
				}
				draws++
				if trial.Subject.Environment != "GODEBUG=cryptocustomrand=1" || trial.Window == 0 || trial.Blocks != 0 || len(g.Pairs) != 0 {
					t.Errorf("%s: %+v", trial.ID(), trial)
				}
				want := 90
				if trial.Case.Algorithm == algorithm.RSA3072 || trial.Case.Algorithm == algorithm.RSA4096 {
					want = 45
				}
				if got := int(parameter.Draws.In(trial.Case.Parameters)) * e.Full.Config.Blocks; !short && got != want {
					t.Errorf("%s are %d draws, not %d", trial.ID(), got, want)
				}
			}
		}
		if want := map[bool]int{true: 1, false: 4}[short]; draws != want {
			t.Errorf("short %v: %d lengths are drawn, want %d", short, draws, want)
		}
	}
}

// TestMessagesOfAskedLengths: a length that was asked for is that of what is
// encrypted, and signatures are of a digest all the same.
func TestMessagesOfAskedLengths(t *testing.T) {
	e := rsa.Experiment()
	var trials []plan.Trial
	for _, g := range e.Plan(plan.Selection{Algorithms: []string{"RSA-2048"}, Sizes: []int64{190, 300}}, plantest.Offered(e)) {
		trials = append(trials, g.Trials...)
	}
	found := map[string]int{}
	for _, trial := range trials {
		if trial.Case.Bytes != 0 {
			t.Errorf("%s has a size", trial.ID())
		}
		found[trial.Case.Operation+" "+trial.Case.Parameters]++
	}
	for _, want := range []string{"encrypt message=190", "decrypt message=300"} {
		if found[want] != 2 {
			t.Errorf("%s: %d times", want, found[want])
		}
	}
	if found["encrypt "] != 0 || found["sign "] != 2 {
		t.Errorf("planned: %v", found)
	}
}
