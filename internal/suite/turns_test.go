package suite

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestTurns: with a budget in common all experiments have the blocks of an interval before one has more, in the end all
// have theirs, and the file says of each once how long it took.
func TestTurns(t *testing.T) {
	if testing.Short() {
		t.Skip("measures every experiment for two seconds")
	}
	t.Parallel()
	cfg := tiny(nil, "gmsm")
	cfg.Selection.Operations = nil
	cfg.Blocks, cfg.Rounds, cfg.Budget = plan.LeastBlocks+2, 1, time.Hour
	s, err := Prepare(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	last := 0.0
	o, err := s.Run(t.Context(), &file, func(p measure.Progress) {
		if p.Done < last || p.Done > 1 {
			t.Errorf("progress from %g to %g", last, p.Done)
		}
		last = p.Done
	})
	if err != nil || o.Interrupted || len(o.Reasons) > 0 || last < 0.5 {
		t.Fatalf("%+v, %v, done %g", o, err, last)
	}
	run, err := result.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	blocks, more := map[string]map[int]bool{}, false
	for _, c := range run.Closed {
		name := run.Trials[c.Trial].Experiment
		if blocks[name] == nil {
			blocks[name] = map[int]bool{}
		}
		blocks[name][c.Block] = true
		if more = more || c.Block >= plan.LeastBlocks; more && c.Block < plan.LeastBlocks {
			t.Errorf("%s: block %d comes when another has more than %d", name, c.Block, plan.LeastBlocks)
		}
	}
	if len(blocks) < 2 {
		t.Fatalf("blocks %v", blocks)
	}
	sum, ends := 0.0, map[string]result.ExperimentEnd{}
	for _, e := range run.End.Experiments {
		sum += e.Seconds
		ends[e.Experiment] = e
	}
	for name, numbers := range blocks {
		if e := ends[name]; len(numbers) != cfg.Blocks || e.Seconds <= 0 || e.Strain.CPUSeconds <= 0 {
			t.Errorf("%s: %+v, blocks %v, %+v", name, e, numbers, run.Statuses)
		}
	}
	if sum > run.End.Seconds || len(ends) != len(run.End.Experiments) {
		t.Errorf("%g s in %g s: %+v", sum, run.End.Seconds, run.End.Experiments)
	}
}

// TestRounds: who has no budget, or nobody to share it with, is measured at once.
func TestRounds(t *testing.T) {
	t.Parallel()
	few := stepOf("few", 3)
	few.Config.Blocks = 4
	for _, tt := range []struct {
		budget time.Duration
		steps  []Step
		turns  bool
	}{
		{time.Minute, []Step{stepOf("a", 3), stepOf("b", 3)}, true}, {time.Minute, []Step{stepOf("a", 3)}, false},
		{-1, []Step{stepOf("a", 3), stepOf("b", 3)}, false}, {time.Minute, []Step{few, few}, false}, {time.Minute, []Step{few, stepOf("a", 3)}, true},
	} {
		s := &Suite{cfg: Config{Budget: tt.budget}, steps: tt.steps}
		all := s.rounds()
		most := slices.MaxFunc(tt.steps, func(a, b Step) int { return cmp.Compare(a.Config.Blocks, b.Config.Blocks) }).Config.Blocks
		if last := all[len(all)-1]; (len(all) > 1) != tt.turns || last != (round{most, false}) || tt.turns && all[0] != (round{plan.LeastBlocks, false}) {
			t.Errorf("%v, %d experiments: %v", tt.budget, len(tt.steps), all)
		}
	}
}

// TestOrder: in the rounds in which the cheapest come first most of them are served before time is over.
func TestOrder(t *testing.T) {
	t.Parallel()
	st := stepOf("a", 3)
	var turns []turn
	for _, seconds := range []time.Duration{30, 10, 20, 5} {
		turns = append(turns, turn{Step: &st, got: measure.Outcome{Blocks: 5}, took: seconds * time.Second})
	}
	turns[3].got.Blocks = 8
	for _, tt := range []struct {
		round round
		order []int
		need  time.Duration
	}{{round{8, true}, []int{3, 1, 2, 0}, 120*time.Second + 4375*time.Millisecond}, {round{15, false}, []int{0, 1, 2, 3}, 120*time.Second + 4375*time.Millisecond}} {
		if order, need := tt.round.order(turns); !slices.Equal(order, tt.order) || need != tt.need {
			t.Errorf("%+v: %v, %v", tt.round, order, need)
		}
	}
}

// TestNeed: an experiment's share rests on the plan at first, and then on how long its blocks took.
func TestNeed(t *testing.T) {
	t.Parallel()
	st := stepOf("a", 3)
	third := st.Duration / 3 // of 15 blocks
	for _, tt := range []struct {
		name   string
		turn   turn
		blocks int
		want   time.Duration
	}{
		{"planned", turn{}, 5, third},
		{"all of them", turn{}, 100, st.Duration},
		{"slower than planned", turn{got: measure.Outcome{Blocks: 5}, took: time.Minute}, 15, 2 * time.Minute},
		{"broken off in its first block", turn{took: time.Minute}, 15, st.Duration},
		{"enough", turn{got: measure.Outcome{Blocks: 5}, took: time.Minute}, 5, 0},
		{"precise", turn{got: measure.Outcome{Blocks: 9, Cause: reason.Cause("precision")}, took: time.Minute}, 15, 0},
	} {
		tt.turn.Step = &st
		if got := tt.turn.need(tt.blocks); got < tt.want-time.Millisecond || got > tt.want+time.Millisecond {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestInterruptedInTurn: experiments whose turn never came are said to be left out as planned, and have no end.
func TestInterruptedInTurn(t *testing.T) {
	t.Parallel()
	cfg := tiny(nil, "gmsm")
	cfg.Blocks, cfg.Budget = 40, time.Hour
	s, err := Prepare(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var file bytes.Buffer
	o, err := s.Run(ctx, &file, func(p measure.Progress) {
		if p.Experiment == s.steps[0].Experiment && p.Block == 2 {
			cancel()
		}
	})
	if err != nil || !o.Interrupted || len(o.Reasons) != 1 {
		t.Fatalf("%+v, %v", o, err)
	}
	run, err := result.Read(&file)
	if err != nil || !run.Partial() || len(run.End.Experiments) != 1 || run.End.Experiments[0].Experiment != s.steps[0].Experiment {
		t.Errorf("%+v, %v", run.End, err)
	}
}
