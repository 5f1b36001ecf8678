package streaming

import (
	"slices"
	"strconv"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/result"
)

// A total is shared by the samples, in whole units, and none of it is lost.
func TestStreamsShareTheTotal(t *testing.T) {
	for _, s := range []plan.Selection{{}, {Short: true}, {Total: 8 << 30}, {Total: 8 << 30, Blocks: 8, Rounds: 1}, {Total: 1 << 20},
		{Chunks: []int64{1000, 5000, 3 << 20}, Total: 100 << 20}} {
		c := Experiment().Form(s).Config
		blocks, rounds, total := c.Blocks, c.Rounds, int64(fullTotal)
		if s.Short {
			total = shortTotal
		}
		if s.Total > 0 {
			total = s.Total
		}
		if s.Blocks > 0 {
			blocks, rounds = s.Blocks, s.Rounds
		}
		for _, trial := range streamTrials(s) {
			chunk, err := strconv.ParseInt(trial.Case.Parameter("chunk"), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			want := total
			if trial.Case.Parameter("compress") != "" {
				want = min(want, packTotal)
			}
			samples := int64(blocks * rounds)
			unit := (leastStream + chunk - 1) / chunk * chunk
			if n := trial.Case.Bytes; n%chunk != 0 || n%unit != 0 || n < leastStream || n*samples < want || (n-unit)*samples >= want {
				t.Errorf("%+v: %s, %d times, for %d bytes in all", s, trial.ID(), samples, want)
			}
		}
	}
}

func streamTrials(s plan.Selection) (trials []plan.Trial) {
	for _, g := range planStreaming(Experiment().Narrowed(s, plantest.Offered(Experiment()))) {
		trials = append(trials, g.Trials...)
	}
	return trials
}

// Every chunk is compared with the larger yardsticks, and with no smaller chunk; the
// short form has no more of it than 17 blocks carry beside an outlier at each end.
func TestChunksAreComparedWithLargerOnes(t *testing.T) {
	for _, s := range []plan.Selection{{}, {Short: true}, {Chunks: []int64{2 << 10, 8 << 10}}} {
		headline := 0
		for _, g := range planStreaming(Experiment().Narrowed(s, plantest.Offered(Experiment()))) {
			for _, p := range g.Pairs {
				base, other := g.Trials[p.Base], g.Trials[p.Other]
				if p.Headline {
					headline++
				}
				if base.Subject != other.Subject || chunkOf(base.Case) > chunkOf(other.Case) {
					t.Errorf("%s is compared with %s", other.ID(), base.ID())
				}
			}
			for i, trial := range g.Trials {
				largest := !slices.ContainsFunc(g.Trials, func(other plan.Trial) bool {
					return other.Subject == trial.Subject && other.Case.Parameter("io") == trial.Case.Parameter("io") && chunkOf(other.Case) > chunkOf(trial.Case)
				})
				larger := slices.ContainsFunc(g.Pairs, func(p result.Pair) bool {
					return p.Base == i && chunkOf(g.Trials[p.Other].Case) > chunkOf(trial.Case)
				})
				if trial.Case.Parameter("compress") == "" && larger == largest {
					t.Errorf("%s is the largest: %v, and compared with a larger one: %v", trial.ID(), largest, larger)
				}
			}
		}
		if s.Short && headline > 36 {
			t.Errorf("the short form declares %d headline comparisons", headline)
		}
	}
}

func chunkOf(c result.Case) int {
	n, _ := strconv.Atoi(c.Parameter("chunk"))
	return n
}
