package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// world draws the blocks of a trial as machines give them: every run has a level of
// its own, every block a worker's layout, and some blocks a neighbour.
type world struct {
	rnd              *rand.Rand
	run, block       float64 // SD
	burst, burstSize float64 // chance of a block, and its size
}

func (w world) blocks(n int, slowdown float64) []float64 {
	level := math.Log(slowdown) + w.run*w.rnd.NormFloat64()
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = level + w.block*w.rnd.NormFloat64()
		if w.rnd.Float64() < w.burst {
			xs[i] += w.burstSize * w.rnd.Float64()
		}
	}
	return xs
}

// tally counts verdicts: of the slow trial, of the slow one where it is guarded
// coarsely, and of all others.
type tally struct{ slow, coarse, others map[Verdict]int }

// checked is what a whole check of m trials says, one of which is slower: as passes
// and regression do it, with their further looks. Where that one is guarded coarsely,
// what is planted for sharp eyes is planted 5 % beyond what shows.
func (w world) checked(m int, slowdown float64, count tally) (alarm bool) {
	type baseline struct {
		blocks []float64
		precision
	}
	bases, guarded := make([]baseline, m), 0
	for i := range bases {
		b := &bases[i]
		for n := 0; n < looks && !b.sharp; n++ {
			b.blocks = append(b.blocks, w.blocks(speedBlocks, 1)...)
			b.precision = precisionOf(b.blocks, m)
		}
		if b.ok {
			guarded++ // these alone share the error of a check, as in judgeSpeed
		}
	}
	for i, b := range bases {
		verdicts, factor := count.others, 1.0
		switch {
		case i == 0 && b.sharp:
			verdicts, factor = count.slow, slowdown
		case i == 0:
			verdicts, factor = count.coarse, slowdown
			if slowdown == 1+sharp {
				factor = (1 + b.resolution) * 1.05
			}
		}
		if !b.ok {
			verdicts[Unguarded]++
			continue
		}
		now := w.blocks(speedBlocks, factor)
		v := compare(b.blocks, now, guarded).judge(b.tolerance, b.resolution)
		seen := [][]float64{now}
		for len(seen) < looks && (v == Slower || v == Inconclusive) {
			seen = append(seen, w.blocks(speedBlocks, factor))
			v = judgeLooks(b.blocks, seen, b.tolerance, b.resolution, guarded)
		}
		verdicts[v]++
		alarm = alarm || i > 0 && v == Slower
	}
	return alarm
}

var worlds = []struct {
	name string
	world
}{
	{"quiet", world{run: 0.003, block: 0.005}},
	{"usual", world{run: 0.005, block: 0.01, burst: 0.05, burstSize: 0.1}},
	{"neighbours", world{run: 0.005, block: 0.015, burst: 0.15, burstSize: 0.3}},
	{"more neighbours", world{run: 0.005, block: 0.015, burst: 0.12, burstSize: 0.3}},
	{"rough", world{run: 0.01, block: 0.08, burst: 0.15, burstSize: 0.3}},
}

// TestSimulated runs whole checks of 50 trials on synthetic noise, with a fixed seed:
// what a gate promises.
func TestSimulated(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates thousands of runs")
	}
	const checks, trials = 300, 50
	for _, w := range worlds {
		for _, slowdown := range []float64{1, 1.05, 1.15} {
			t.Run(fmt.Sprintf("%s/%g", w.name, slowdown), func(t *testing.T) {
				t.Parallel()
				name, w := w.name, w.world // the subtests run side by side
				w.rnd = rand.New(rand.NewPCG(7, math.Float64bits(slowdown)))
				slow, coarse, others, alarms := map[Verdict]int{}, map[Verdict]int{}, map[Verdict]int{}, 0
				for range checks {
					if w.checked(trials, slowdown, tally{slow, coarse, others}) {
						alarms++
					}
				}
				t.Logf("planted %v, where coarse %v, the others %v, %d checks of %d with a false alarm", slow, coarse, others, alarms, checks)
				if alarms > checks/100 {
					t.Errorf("%d of %d checks raise a false alarm", alarms, checks)
				}
				guarded := 0
				for _, n := range slow {
					guarded += n
				}
				switch slowdown {
				case 1.15:
					if (name == "quiet" || name == "usual") && slow[Slower] < guarded*99/100 {
						t.Errorf("15 %% slower is found in %d of %d", slow[Slower], guarded)
					}
					if slow[Fine]+slow[Faster] > 0 {
						t.Errorf("15 %% slower passes for fine: %v", slow)
					}
					if coarse[Fine]+coarse[Faster] > 0 {
						t.Errorf("what shows where it is noisy passes for fine: %v", coarse)
					}
				case 1.05:
					if fine := slow[Fine] + slow[Faster]; (name == "quiet" || name == "usual") && fine > guarded/100 {
						t.Errorf("5 %% slower passes for fine in %d of %d", fine, guarded)
					}
				case 1:
					if all := checks * trials; name == "quiet" && others[Inconclusive]+others[Unguarded] > all/100 {
						t.Errorf("on a quiet machine: %v of %d", others, all)
					}
				}
			})
		}
	}
}
