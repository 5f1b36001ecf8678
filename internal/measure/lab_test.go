package measure

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestPlainRun: every trial is declared, opened, sampled in each round and closed
// in each block, in fresh workers.
func TestPlainRun(t *testing.T) {
	w := newWorld(t)
	twice := trialOf("a", "one")
	twice.Copy = 1
	g := groupOf(trialOf("a", "one"), trialOf("a", "two"), trialOf("b", "one"), twice)
	g.Pairs = []result.Pair{{Base: 0, Other: 2, Headline: true}, {Base: 3, Other: 1}}
	g.Kind = result.KindNoise
	s, o, err := w.lab(context.Background(), planOf(g), small)
	if err != nil || !reflect.DeepEqual(o, Outcome{Blocks: 3, Rounds: small.Rounds}) {
		t.Fatalf("%+v, %v", o, err)
	}
	s.well(t)
	if len(s.Trials) != 4 || len(s.Samples) != 4*4*3 || len(s.Run.Closed) != 4*3 || len(s.Run.Opened) != 4*3 || len(s.Statuses) != 0 {
		t.Errorf("%d trials, %d samples, %d opened, %d closed, %v", len(s.Trials), len(s.Samples), len(s.Run.Opened), len(s.Run.Closed), s.Statuses)
	}
	for i, info := range s.Trials {
		if info.Experiment != "e" || info.Subject.Implementation != "kernel of "+info.Case.Mode || info.Loop != "fake" || info.Note != "n" {
			t.Errorf("trial %d: %+v", i, info)
		}
	}
	want := result.Group{Experiment: "e", Name: "g", Trials: []int{0, 1, 2, 3}, Pairs: g.Pairs, Kind: result.KindNoise}
	if len(s.Groups) != 1 || !reflect.DeepEqual(s.Groups[0], want) {
		t.Errorf("groups %+v", s.Groups)
	}
	for key, n := range w.started {
		if n != 3 {
			t.Errorf("worker %v was started %d times in 3 blocks", key, n)
		}
	}
	if len(w.started) != 3 {
		t.Errorf("%d kinds of workers", len(w.started))
	}
	if d := w.deadline["measure"]; d != 0 {
		t.Errorf("an operation was measured as a scenario")
	}
}

// TestAllocations: a worker that counts now and then leaves what it counted, and one that never does no number.
func TestAllocations(t *testing.T) {
	warm := &result.WarmUp{Batches: 20, Nanoseconds: 4e8}
	for _, test := range []struct {
		counts []bool // in each block
		want   []float64
	}{
		{[]bool{true, true, true}, []float64{1, 1, 1}}, {[]bool{true, false, false}, []float64{1, 1, 1}},
		{[]bool{false, false, false}, []float64{-1, -1, -1}}, {[]bool{false, true, false}, []float64{-1, 1, 1}},
	} {
		w, block := newWorld(t), 0
		w.ready = func(r *worker.Ready) {
			r.WarmUp, r.Uncounted = warm, !test.counts[block]
			block++
		}
		s, _, err := w.lab(context.Background(), planOf(groupOf(trialOf("a", "one"))), small)
		if err != nil || len(s.Run.Opened) != len(test.want) {
			t.Fatal(err, len(s.Run.Opened))
		}
		for i, o := range s.Run.Opened {
			if o.Allocs != test.want[i] || (o.AllocBytes < 0) != (test.want[i] < 0) || *o.WarmUp != *warm {
				t.Errorf("%v: block %d has %+v", test.counts, i, o)
			}
		}
	}
}

// A group may ask for more than the config gives all: the others keep theirs.
func TestGroupsOfAnExtentOfTheirOwn(t *testing.T) {
	w := newWorld(t)
	c := small
	c.Blocks, c.Rounds, c.Target = 2, 1, 50*time.Microsecond
	longer := plan.Group{Name: "g", Trials: []plan.Trial{trialOf("a", "CTR")}, Rounds: 3, Target: time.Millisecond}
	s, _, err := w.lab(context.Background(), planOf(plan.Group{Name: "f", Trials: []plan.Trial{trialOf("a", "ECB")}}, longer), c)
	if err != nil {
		t.Fatal(err)
	}
	rounds := map[int32]int{}
	for _, x := range s.Samples {
		rounds[x.Trial]++
	}
	if rounds[0] != 2 || rounds[1] != 6 {
		t.Errorf("%v samples of the trials in 2 blocks, want 2 and 6", rounds)
	}
	if want := map[string]time.Duration{"ECB": 50 * time.Microsecond, "CTR": time.Millisecond}; !maps.Equal(w.targets, want) {
		t.Errorf("targets %v, want %v", w.targets, want)
	}
}

// orders returns the trials' indices as they were sampled, by block and round.
func (s *tape) orders() map[[2]int32][]int32 {
	orders := map[[2]int32][]int32{}
	for _, x := range s.Samples {
		key := [2]int32{x.Block, x.Round}
		orders[key] = append(orders[key], x.Trial)
	}
	return orders
}

// TestOrderIsBalanced: within a block each pair of trials stands in both orders,
// as often as the number of rounds lets it, and each trial on average in the middle.
func TestOrderIsBalanced(t *testing.T) {
	for _, n := range []int{2, 3, 7, 24} {
		for _, rounds := range []int{2, 3, 4, 7, 8} {
			w := newWorld(t)
			var g plan.Group
			for i := range n {
				g.Trials = append(g.Trials, trialOf("a", fmt.Sprint(i)))
			}
			c := small
			c.Blocks, c.Rounds = 2, rounds
			s, _, err := w.lab(context.Background(), planOf(g), c)
			if err != nil {
				t.Fatal(err)
			}
			for b := range int32(2) {
				balancedBlock(t, s.orders(), b, n, rounds)
			}
		}
	}
}

func balancedBlock(t *testing.T, orders map[[2]int32][]int32, b int32, n, rounds int) {
	t.Helper()
	place := make([][]int, n)
	for round := range rounds {
		order := orders[[2]int32{b, int32(round)}]
		for trial := range n {
			place[trial] = append(place[trial], slices.Index(order, int32(trial)))
		}
	}
	for i := range n {
		sum := 0
		for _, p := range place[i] {
			sum += p
		}
		// A round that has no reverse moves the mean by half a group at most.
		if mean, middle := float64(sum)/float64(rounds), float64(n-1)/2; abs(mean-middle) > middle*float64(rounds%2)/float64(rounds)+1e-9 {
			t.Errorf("%d trials, %d rounds, block %d: trial %d stands at %.2f on average, not at %.2f", n, rounds, b, i, mean, middle)
		}
		for j := range i {
			before := 0
			for r := range rounds {
				if place[i][r] < place[j][r] {
					before++
				}
			}
			if before < rounds/2 || rounds-before < rounds/2 {
				t.Errorf("%d trials, %d rounds, block %d: %d stands before %d %d times", n, rounds, b, i, j, before)
			}
		}
	}
}

func abs(x float64) float64 { return max(x, -x) }

// TestOrderIsTheSeeds: the same seed gives the same order, another one another,
// and the blocks of a run differ.
func TestOrderIsTheSeeds(t *testing.T) {
	var g plan.Group
	for i := range 12 {
		g.Trials = append(g.Trials, trialOf("a", fmt.Sprint(i)))
	}
	run := func(seed uint64) map[[2]int32][]int32 {
		c := small
		c.Seed = seed
		s, _, err := newWorld(t).lab(context.Background(), planOf(g, groupOf(trialOf("a", "x"), trialOf("a", "y"))), c)
		if err != nil {
			t.Fatal(err)
		}
		return s.orders()
	}
	first := run(7)
	if !reflect.DeepEqual(first, run(7)) {
		t.Error("the same seed gave another order")
	}
	if reflect.DeepEqual(first, run(8)) {
		t.Error("another seed gave the same order")
	}
	if slices.Equal(first[[2]int32{0, 0}], first[[2]int32{1, 0}]) {
		t.Error("two blocks have the same order")
	}
}

func crash() error { return &worker.Died{Reason: "it ended with exit status 3"} }

// TestOneBadTrial plants a trial that dies, faults or lies at each verb, at its
// first, second or last time, among good ones in the same worker and in another.
// It costs its own row and nothing else.
func TestOneBadTrial(t *testing.T) {
	faults := []struct {
		name   string
		err    error
		status result.Status
	}{
		{"crash", crash(), result.Crashed},
		{"hang", &worker.Died{Reason: "no answer in time; it was killed"}, result.Crashed},
		{"failure", &worker.Fault{Kind: worker.Failed, Text: "the library panicked"}, result.Crashed},
		{"lie", &worker.Fault{Kind: worker.Incorrect, Text: "the output is wrong"}, result.Incorrect},
		{"policy", &worker.Fault{Kind: worker.Unsupported, Text: "not in FIPS mode"}, result.Unsupported},
		{"absence", &worker.Fault{Kind: worker.Absent, Text: "no such mode"}, result.Unsupported},
		{"kind of another version", &worker.Fault{Kind: "novel", Text: "?"}, result.Crashed},
	}
	times := map[string][]int{"open": {1, 2, 3}, "ready": {1, 3}, "run": {1, 2, 4, 12}, "check": {1, 3}, "close": {1, 3}}
	for verb, nths := range times {
		for _, nth := range nths {
			for _, f := range faults {
				for _, place := range []int{0, 1, 2} {
					t.Run(fmt.Sprintf("%s at %s %d, place %d", f.name, verb, nth, place), func(t *testing.T) {
						oneBadTrial(t, verb, nth, f.err, f.status, place)
					})
				}
			}
		}
	}
}

func oneBadTrial(t *testing.T, verb string, nth int, planted error, status result.Status, place int) {
	w := newWorld(t)
	w.plant = func(v string, c result.Case, n int) error {
		if v == verb && c.Mode == "bad" && n >= nth {
			return planted
		}
		return nil
	}
	trials := []plan.Trial{trialOf("same", "good1"), trialOf("same", "good2"), scenarioOf("same", "scene"), trialOf("other", "good")}
	trials = slices.Insert(trials, place, trialOf("same", "bad"))
	later := groupOf(trialOf("same", "later"))
	s, o, err := w.lab(context.Background(), planOf(groupOf(trials...), later), small)
	if err != nil || o.Blocks != 3 {
		t.Fatalf("%+v, %v", o, err)
	}
	s.well(t)
	fates := s.fates()
	if bad := fates["same bad"]; bad.status != status || bad.reason != planted.Error() {
		t.Errorf("the bad trial: %+v", bad)
	}
	if n := len(s.Statuses); n != 1 {
		t.Errorf("%d trials left the comparison: %+v", n, s.Statuses)
	}
	for _, good := range []string{"same good1", "same good2", "other good", "same later"} {
		if f := fates[good]; f != (fate{status: result.OK, samples: 12, closed: 3}) {
			t.Errorf("%s: %+v", good, f)
		}
	}
	if f := fates["same scene"]; f != (fate{status: result.OK, closed: 3, records: 3}) {
		t.Errorf("the scenario: %+v", f)
	}
}

// TestTwoBadTrials: both die in the worker they share with a good one, in all
// combinations of when.
func TestTwoBadTrials(t *testing.T) {
	for _, one := range []string{"open", "ready", "run", "check", "close"} {
		for _, two := range []string{"open", "ready", "run", "check", "close"} {
			w := newWorld(t)
			w.plant = func(verb string, c result.Case, n int) error {
				if c.Mode == "bad1" && verb == one || c.Mode == "bad2" && verb == two {
					return crash()
				}
				return nil
			}
			s, _, err := w.lab(context.Background(), planOf(groupOf(trialOf("a", "good1"), trialOf("a", "bad1"), trialOf("a", "bad2"), trialOf("a", "good2"))), small)
			if err != nil {
				t.Fatal(err)
			}
			s.well(t)
			fates := s.fates()
			if fates["a bad1"].status != result.Crashed || fates["a bad2"].status != result.Crashed {
				t.Errorf("%s, %s: %+v", one, two, fates)
			}
			for _, good := range []string{"a good1", "a good2"} {
				if fates[good] != (fate{status: result.OK, samples: 12, closed: 3}) {
					t.Errorf("%s, %s: %s is %+v", one, two, good, fates[good])
				}
			}
		}
	}
}

// TestCrashingScenario costs its own row too.
func TestCrashingScenario(t *testing.T) {
	w := newWorld(t)
	w.plant = func(verb string, c result.Case, n int) error {
		if c.Mode == "bad" && verb == "measure" {
			return crash()
		}
		return nil
	}
	s, _, err := w.lab(context.Background(), planOf(groupOf(trialOf("a", "good"), scenarioOf("a", "bad"), scenarioOf("a", "scene"))), small)
	if err != nil {
		t.Fatal(err)
	}
	s.well(t)
	fates := s.fates()
	if fates["a bad"].status != result.Crashed || fates["a good"] != (fate{status: result.OK, samples: 12, closed: 3}) ||
		fates["a scene"] != (fate{status: result.OK, closed: 3, records: 3}) {
		t.Errorf("%+v", fates)
	}
}

// TestNoWorker: where no worker can be started the rows say why.
func TestNoWorker(t *testing.T) {
	w := newWorld(t)
	start := w.start
	s := &tape{}
	l := &Lab{Sink: s, Start: func(key plan.WorkerKey) (Worker, error) {
		if key.Library == "none" {
			return nil, errors.New("starting a worker: no such file")
		}
		return start(key)
	}}
	if _, err := l.Run(context.Background(), planOf(groupOf(trialOf("none", "x"), trialOf("a", "x"))), small); err != nil {
		t.Fatal(err)
	}
	fates := s.fates()
	if f := fates["none x"]; f.status != result.Crashed || f.reason != "starting a worker: no such file" {
		t.Errorf("%+v", f)
	}
	if fates["a x"].closed != 3 {
		t.Errorf("the other: %+v", fates["a x"])
	}
}

// TestInterrupted cancels at each verb, at many times: what was measured is kept
// and closed where it can be, nothing is blamed, and the outcome says so.
func TestInterrupted(t *testing.T) {
	for _, verb := range []string{"open", "ready", "run", "check", "close"} {
		for _, nth := range []int{1, 2, 3} {
			for _, mode := range []string{"first", "last"} {
				t.Run(fmt.Sprint(verb, nth, mode), func(t *testing.T) { interrupted(t, verb, mode, nth) })
			}
		}
	}
}

func interrupted(t *testing.T, verb, mode string, nth int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w := newWorld(t)
	w.plant = func(v string, c result.Case, n int) error {
		if v == verb && c.Mode == mode && n == nth {
			cancel()
		}
		return nil
	}
	s, o, err := w.lab(ctx, planOf(groupOf(trialOf("a", "first"), trialOf("b", "middle"), trialOf("a", "last")), groupOf(trialOf("a", "second group"))), small)
	if err != nil || !o.Interrupted || o.Cause.Code != "interrupted" || o.Blocks > 2 {
		t.Fatalf("%+v, %v", o, err)
	}
	s.well(t)
	if len(s.Statuses) != 0 {
		t.Errorf("blamed for the interrupt: %+v", s.Statuses)
	}
	closed := map[[2]int32]bool{}
	for _, c := range s.Run.Closed {
		closed[[2]int32{int32(c.Trial), int32(c.Block)}] = true
	}
	for _, x := range s.Samples {
		if key := [2]int32{x.Trial, x.Block}; !closed[key] {
			t.Errorf("trial %d has samples in block %d, which was not closed", x.Trial, x.Block)
		}
	}
}

// TestInterruptedWhileHanging: the call in progress is given up soon after.
func TestInterruptedWhileHanging(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := newWorld(t)
	w.plant = func(verb string, c result.Case, n int) error {
		if verb == "run" && n == 2 {
			cancel()
			return &worker.Died{Reason: "no answer in time"} // as Process does when its context ends
		}
		return nil
	}
	s, o, err := w.lab(ctx, planOf(groupOf(trialOf("a", "x"))), small)
	if err != nil || !o.Interrupted || len(s.Statuses) != 0 || len(s.Samples) != 1 {
		t.Errorf("%+v, %v, %d samples, %v", o, err, len(s.Samples), s.Statuses)
	}
}

// TestBudget stops at the end of a block, and takes fewer rounds.
func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.sample = func(result.Case, int, *result.Sample) { time.Sleep(5 * time.Millisecond) }
		c := small
		c.Blocks, c.Rounds, c.Budget = 1000, 1000, 300*time.Millisecond
		s, o, err := w.lab(context.Background(), planOf(groupOf(trialOf("a", "x"), trialOf("b", "x"))), c)
		if err != nil || o.Cause.Code != "budget" || o.Interrupted || o.Blocks < 1 || o.Blocks > 60 {
			t.Fatalf("%+v, %v", o, err)
		}
		rounds := map[int32]int{}
		for _, x := range s.Samples {
			rounds[x.Block]++
		}
		for b, n := range rounds {
			if n%2 != 0 || n > 2*8 && b == 0 {
				t.Errorf("block %d has %d samples of 2 trials", b, n)
			}
		}
		if len(s.Run.Closed) != 2*o.Blocks || len(rounds) != o.Blocks {
			t.Errorf("%d blocks, %d closed, samples in %d", o.Blocks, len(s.Run.Closed), len(rounds))
		}
	})
}

// TestAmpleBudget: rounds grow to what may be had, and all blocks are done.
func TestAmpleBudget(t *testing.T) {
	c := small
	c.Rounds, c.Most, c.Budget = 3, 9, time.Hour
	s, o, err := newWorld(t).lab(context.Background(), planOf(groupOf(trialOf("a", "x"))), c)
	if err != nil || !reflect.DeepEqual(o, Outcome{Blocks: 3, Rounds: 7}) || len(s.Samples) != 3+9+9 {
		t.Errorf("%+v, %v, %d samples", o, err, len(s.Samples))
	}
}

// TestSpareBlocks: blocks are added while there is time, and one that time ends is no loss.
func TestSpareBlocks(t *testing.T) {
	for _, test := range []struct {
		budget        time.Duration
		least, blocks int
	}{{time.Hour, 9, 9}, {75 * time.Millisecond, 5, 8}, {31 * time.Millisecond, 3, 3}} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			w.sample = func(result.Case, int, *result.Sample) { time.Sleep(5 * time.Millisecond) }
			c := small
			c.Rounds, c.More, c.Budget = 2, 9, test.budget
			s, o, err := w.lab(context.Background(), planOf(groupOf(trialOf("a", "x"))), c)
			if err != nil || o.Cause.Code != "" || o.Blocks < test.least || o.Blocks > test.blocks || len(s.Run.Closed) != o.Blocks {
				t.Errorf("%v: %+v, %v, %d closed", test.budget, o, err, len(s.Run.Closed))
			}
		})
	}
}

// TestEnough: more blocks than planned are taken only to make ratios narrower. What disturbs both sides of one alike
// does not count, and where nothing is compared there is never enough.
func TestEnough(t *testing.T) {
	for _, test := range []struct {
		name            string
		enough          float64
		planned, blocks int
		noisy           string // library, or all
		pairs           []result.Pair
	}{
		{"never enough", 0, 9, 20, "", []result.Pair{{Base: 0, Other: 1, Headline: true}}},
		{"quiet", 0.003, 9, 9, "", []result.Pair{{Base: 0, Other: 1, Headline: true}}},
		{"fewer blocks than an interval takes", 0.003, 3, 8, "", []result.Pair{{Base: 0, Other: 1, Headline: true}}}, // 99 % takes eight
		{"one side is noisy", 0.003, 9, 20, "a", []result.Pair{{Base: 0, Other: 1, Headline: true}}},
		{"both are, alike", 0.003, 9, 9, "all", []result.Pair{{Base: 0, Other: 1, Headline: true}}},
		{"beside the headline", 0.003, 9, 9, "c", []result.Pair{{Base: 0, Other: 1, Headline: true}, {Base: 0, Other: 2}}},
		{"nothing is compared", 0.003, 9, 20, "", nil},
	} {
		w, blocks := newWorld(t), map[string]int{}
		w.sample = func(c result.Case, _ int, s *result.Sample) {
			if blocks[c.Mode]++; test.noisy == c.Mode || test.noisy == "all" {
				s.Thread += int64((blocks[c.Mode]-1)/4%7) * 100 * s.Calls // four samples a block
				s.Wall = s.Thread
			}
		}
		p := planOf(groupOf(trialOf("a", "a"), trialOf("b", "b"), trialOf("c", "c")))
		p.Groups[0].Pairs = test.pairs
		c := small
		c.Blocks, c.Rounds, c.More, c.Enough, c.Budget = test.planned, 4, 20, test.enough, time.Hour
		_, o, err := w.lab(context.Background(), p, c)
		if err != nil || o.Blocks != test.blocks || o.Cause.Code != "" {
			t.Errorf("%s: %+v, %v, want %d blocks", test.name, o, err, test.blocks)
		}
	}
}

// TestPrecision stops once all decisive trials are known as well as was asked
// for, and not before there are blocks enough for an interval.
func TestPrecision(t *testing.T) {
	noisy := func(c result.Case, nth int, s *result.Sample) {
		if c.Mode == "noisy" {
			s.Thread += int64(nth%7) * 100 // of 1000
			s.Wall = s.Thread
		}
	}
	tests := []struct {
		name   string
		change func(*plan.Plan)
		blocks int
	}{
		{"quiet", func(p *plan.Plan) { p.Groups[0].Trials[1].Case.Mode = "quiet2" }, 8}, // 99 % needs eight
		{"noisy", func(*plan.Plan) {}, 12},
		{"noise does not matter", func(p *plan.Plan) { p.Groups[0].Pairs = []result.Pair{{Base: 0, Other: 2, Headline: true}} }, 8},
		{"noise matters", func(p *plan.Plan) { p.Groups[0].Pairs = []result.Pair{{Base: 0, Other: 1, Headline: true}} }, 12},
		{"the harness itself does not matter", func(p *plan.Plan) {
			p.Groups = append(p.Groups, plan.Group{Kind: result.KindNoise, Trials: []plan.Trial{p.Groups[0].Trials[1]}})
			p.Groups[0].Trials = p.Groups[0].Trials[:1]
		}, 8},
	}
	for _, test := range tests {
		w := newWorld(t)
		w.sample = noisy
		p := planOf(groupOf(trialOf("a", "quiet"), trialOf("a", "noisy"), trialOf("b", "quiet")))
		test.change(&p)
		c := small
		c.Blocks, c.Rounds, c.Precision = 12, 1, 0.01
		_, o, err := w.lab(context.Background(), p, c)
		if err != nil || o.Blocks != test.blocks || (o.Cause.Code != "") != (test.blocks < 12) {
			t.Errorf("%s: %+v, %v, want %d blocks", test.name, o, err, test.blocks)
		}
	}
}

// TestPrecisionOfALostTrial: who has left the comparison is not waited for.
func TestPrecisionOfALostTrial(t *testing.T) {
	w := newWorld(t)
	w.plant = func(verb string, c result.Case, n int) error {
		if c.Mode == "bad" && verb == "run" && n == 3 {
			return crash()
		}
		return nil
	}
	c := small
	c.Blocks, c.Precision = 12, 0.01
	_, o, err := w.lab(context.Background(), planOf(groupOf(trialOf("a", "good"), trialOf("a", "bad"))), c)
	if err != nil || o.Blocks != 8 {
		t.Errorf("%+v, %v", o, err)
	}
}

// TestContended: a sample whose thread did not have its CPU is taken again, at
// most twice, and all are kept.
func TestContended(t *testing.T) {
	tests := []struct {
		shares []int // percent, of the first samples
		taken  int   // in the first round
	}{
		{[]int{100}, 1},
		{[]int{90}, 1},
		{[]int{89, 100}, 2},
		{[]int{50, 89, 90}, 3},
		{[]int{50, 80, 60}, 3},
	}
	for _, test := range tests {
		w := newWorld(t)
		w.sample = func(c result.Case, nth int, s *result.Sample) {
			s.Thread, s.Wall = 1000, 1000
			if nth <= len(test.shares) {
				s.Wall = s.Thread * 100 / int64(test.shares[nth-1])
			}
		}
		c := small
		c.Blocks, c.Rounds = 1, 2
		s, _, err := w.lab(context.Background(), planOf(groupOf(trialOf("a", "x"))), c)
		if err != nil || len(s.Samples) != test.taken+1 {
			t.Errorf("%v: %d samples, %v", test.shares, len(s.Samples), err)
		}
		for i, x := range s.Samples {
			if want := int32(min(1, i/test.taken)); x.Round != want {
				t.Errorf("%v: sample %d is of round %d, not %d", test.shares, i, x.Round, want)
			}
		}
	}
}

// TestThrottled: the cgroup's count is written as it moved within the sample.
func TestThrottled(t *testing.T) {
	w := newWorld(t)
	var periods int64 = 100
	w.sample = func(c result.Case, nth int, s *result.Sample) { periods += int64(nth - 1) }
	s := &tape{}
	l := &Lab{Start: w.start, Sink: s, Throttled: func() int64 { return periods }}
	c := small
	c.Blocks, c.Rounds = 1, 3
	if _, err := l.Run(context.Background(), planOf(groupOf(trialOf("a", "x"))), c); err != nil {
		t.Fatal(err)
	}
	for i, x := range s.Samples {
		if x.Throttled != int32(i) {
			t.Errorf("sample %d was throttled %d times", i, x.Throttled)
		}
	}
}

// TestFullDisk: after any line the sink may refuse, and that ends the run.
func TestFullDisk(t *testing.T) {
	p := planOf(groupOf(trialOf("a", "x"), scenarioOf("b", "s")), groupOf(trialOf("a", "bad")))
	plant := func(verb string, c result.Case, n int) error {
		if c.Mode == "bad" {
			return crash()
		}
		return nil
	}
	whole := newWorld(t)
	whole.plant = plant
	s, _, err := whole.lab(context.Background(), p, small)
	if err != nil {
		t.Fatal(err)
	}
	for room := 1; room < s.n; room++ {
		w := newWorld(t)
		w.plant = plant
		full := &tape{room: room}
		_, err := (&Lab{Start: w.start, Sink: full}).Run(context.Background(), p, small)
		if !errors.Is(err, errFull) {
			t.Errorf("room for %d lines of %d: %v", room, s.n, err)
		}
		if full.n != room+1 {
			t.Errorf("room for %d lines: went on to line %d", room, full.n)
		}
		if w.alive != 0 {
			t.Errorf("room for %d lines: %d workers were not stopped", room, w.alive)
		}
	}
}

// TestOnce: a scenario whose record does not vary is measured in the first block only.
func TestOnce(t *testing.T) {
	w := newWorld(t)
	once := scenarioOf("a", "once")
	once.Blocks = 1
	s, _, err := w.lab(context.Background(), planOf(groupOf(once, scenarioOf("a", "always"), trialOf("a", "x"))), small)
	if err != nil {
		t.Fatal(err)
	}
	s.well(t)
	fates := s.fates()
	if fates["a once"] != (fate{status: result.OK, closed: 1, records: 1}) || fates["a always"] != (fate{status: result.OK, closed: 3, records: 3}) {
		t.Errorf("%+v", fates)
	}
	for _, r := range s.Records {
		if r.Metrics[0].Value != float64(r.Block) {
			t.Errorf("the record of block %d is %+v", r.Block, r)
		}
	}
}

// TestFewRounds: a trial of few rounds is sampled in the first of each block, and checked
// like the others.
func TestFewRounds(t *testing.T) {
	w := newWorld(t)
	few := trialOf("a", "few")
	few.Rounds = 1
	c := plan.Config{Blocks: 3, Rounds: 4, Target: small.Target}
	s, _, err := w.lab(context.Background(), planOf(groupOf(few, trialOf("a", "all"))), c)
	if err != nil {
		t.Fatal(err)
	}
	s.well(t)
	fates := s.fates()
	if fates["a few"] != (fate{status: result.OK, closed: 3, samples: 3}) || fates["a all"] != (fate{status: result.OK, closed: 3, samples: 12}) {
		t.Errorf("%+v", fates)
	}
	if d := c.Duration(planOf(groupOf(few))); d >= c.Duration(planOf(groupOf(trialOf("a", "all")))) {
		t.Errorf("few rounds are thought to take %v", d)
	}
}

// TestRecorder: an operation that keeps more than times is asked for it once a
// block, after its last sample and before its closing check.
func TestRecorder(t *testing.T) {
	w := newWorld(t)
	var verbs []string
	w.about = func(c result.Case, a *worker.About) { a.Records = c.Mode == "keeps" }
	w.plant = func(verb string, c result.Case, _ int) error {
		if c.Mode == "keeps" {
			verbs = append(verbs, verb)
		}
		return nil
	}
	s, _, err := w.lab(context.Background(), planOf(groupOf(trialOf("a", "keeps"), trialOf("a", "forgets"))), small)
	if err != nil {
		t.Fatal(err)
	}
	s.well(t)
	fates := s.fates()
	if fates["a keeps"] != (fate{status: result.OK, samples: 12, closed: 3, records: 3}) || fates["a forgets"] != (fate{status: result.OK, samples: 12, closed: 3}) {
		t.Errorf("%+v", fates)
	}
	block := []string{"open", "ready", "run", "run", "run", "run", "measure", "check", "close"}
	if want := slices.Repeat(block, 3); !slices.Equal(verbs, want) {
		t.Errorf("%q, want %q", verbs, want)
	}
}

// TestWindows: the samples that a scenario takes itself are samples of its trial.
func TestWindows(t *testing.T) {
	w := newWorld(t)
	w.windows = 2
	s, _, err := w.lab(context.Background(), planOf(groupOf(scenarioOf("a", "x"))), small)
	if err != nil {
		t.Fatal(err)
	}
	s.well(t)
	if f := s.fates()["a x"]; f != (fate{status: result.OK, samples: 6, closed: 3, records: 3}) {
		t.Errorf("%+v", f)
	}
	for i, x := range s.Samples {
		if int(x.Block) != i/2 || int(x.Round) != i%2 || x.Trial != 0 {
			t.Errorf("sample %d is numbered %+v", i, x)
		}
	}
}

// TestWaiting: a trial whose thread waits for others is not sampled again for
// having had its CPU for a small share of the time.
func TestWaiting(t *testing.T) {
	for clock, want := range map[result.Clock]int{"": 36, result.WallClock: 12, result.ProcessClock: 12} {
		w := newWorld(t)
		w.about = func(_ result.Case, a *worker.About) { a.Clock = clock }
		w.sample = func(_ result.Case, _ int, s *result.Sample) { s.Thread = s.Wall / 10 }
		s, _, err := w.lab(context.Background(), planOf(groupOf(trialOf("a", "x"))), small)
		if err != nil {
			t.Fatal(err)
		}
		if f := s.fates()["a x"]; f.samples != want || s.Trials[0].Clock != clock {
			t.Errorf("clock %q: %d samples, want %d; declared %q", clock, f.samples, want, s.Trials[0].Clock)
		}
	}
}

// TestNumbering: trials and groups are numbered through the plans of one run.
func TestNumbering(t *testing.T) {
	w := newWorld(t)
	s := &tape{}
	l := &Lab{Start: w.start, Sink: s}
	for i := range 3 {
		p := planOf(groupOf(trialOf("a", fmt.Sprint(i, "x")), trialOf("b", fmt.Sprint(i, "y"))), groupOf(trialOf("a", fmt.Sprint(i, "z"))))
		p.Groups[0].Pairs = []result.Pair{{Base: 0, Other: 1}}
		if _, err := l.Run(context.Background(), p, small); err != nil {
			t.Fatal(err)
		}
	}
	s.well(t)
	if len(s.Trials) != 9 || len(s.Groups) != 6 {
		t.Fatalf("%d trials, %d groups", len(s.Trials), len(s.Groups))
	}
	if g := s.Groups[4]; !slices.Equal(g.Trials, []int{6, 7}) || g.Pairs[0] != (result.Pair{Base: 6, Other: 7}) {
		t.Errorf("group 4: %+v", g)
	}
}

// TestBlocksAreTold: whoever opens a trial is told of which block, since buffers are placed by it.
func TestBlocksAreTold(t *testing.T) {
	w := newWorld(t)
	l := &Lab{Start: w.start, Sink: &tape{}}
	if _, err := l.Run(context.Background(), planOf(groupOf(trialOf("a", "x"), trialOf("b", "x"))), small); err != nil {
		t.Fatal(err)
	}
	if len(w.blocks) != 2*small.Blocks {
		t.Errorf("%d opens", len(w.blocks))
	}
	for key, block := range w.blocks {
		if !strings.HasSuffix(key, fmt.Sprint(" ", block+1)) {
			t.Errorf("%s was of block %d", key, block)
		}
	}
}

// TestDigestsArePassedOn: who opens a case first computes its output, all others
// are told the digest: in another worker, in a later block, in a later plan.
func TestDigestsArePassedOn(t *testing.T) {
	w := newWorld(t)
	l := &Lab{Start: w.start, Sink: &tape{}}
	for range 2 {
		p := planOf(groupOf(trialOf("a", "x"), trialOf("b", "x"), trialOf("b", "y")))
		if _, err := l.Run(context.Background(), p, small); err != nil {
			t.Fatal(err)
		}
	}
	for key, got := range w.digests {
		first := strings.HasSuffix(key, " 1") && (strings.Contains(key, "X-x/run/0/a@") || strings.Contains(key, "X-y/"))
		mode := strings.TrimPrefix(strings.Split(key, "/")[0], "X-")
		if want := "digest of " + mode; first && got != "" || !first && got != want {
			t.Errorf("%s was told %q", key, got)
		}
	}
	if len(w.digests) != 3*6 {
		t.Errorf("%d opens", len(w.digests))
	}
}

// TestDeadlines: a call may take as long as its last one did and the deadline
// on top, so that a long message is no hang.
func TestDeadlines(t *testing.T) {
	w := newWorld(t)
	w.sample = func(c result.Case, nth int, s *result.Sample) {
		s.Thread, s.Wall = int64(time.Hour), int64(time.Hour)
	}
	if _, _, err := w.lab(context.Background(), planOf(groupOf(trialOf("a", "x"), scenarioOf("b", "s"))), small); err != nil {
		t.Fatal(err)
	}
	for verb, least := range map[string]time.Duration{"run": 8 * time.Hour, "check": 8 * time.Hour, "ready": 8 * time.Hour, "open": small.Deadline / 2, "measure": small.Deadline + time.Second} {
		if got := w.deadline[verb]; got < least {
			t.Errorf("%s had %v, want at least %v", verb, got, least)
		}
	}
}

// TestHangCostsTheBudget: what is waited for a worker that never answers is time like any
// other, and what blocks cost is told by the others: these have as many as were planned.
func TestHangCostsTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.plant = func(verb string, c result.Case, _ int) error {
			if verb == "run" && c.Mode == "bad" {
				return errHangs
			}
			return nil
		}
		w.sample = func(result.Case, int, *result.Sample) { time.Sleep(20 * time.Millisecond) }
		c := small
		c.Blocks, c.Rounds, c.Budget, c.Deadline = 12, 100, 10*time.Second, time.Second
		begun := time.Now()
		s, o, err := w.lab(t.Context(), planOf(groupOf(trialOf("a", "good"), trialOf("b", "bad"))), c)
		if took := time.Since(begun); err != nil || o.Blocks != c.Blocks || o.Rounds < 10 || took > c.Budget {
			t.Fatalf("%+v in %v, %v", o, took, err)
		}
		s.well(t)
	})
}

// TestLateBlock: blocks that take many times as long as was thought have fewer rounds from
// within the first on, so that there are enough for an interval.
func TestLateBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.sample = func(result.Case, int, *result.Sample) { time.Sleep(time.Second) }
		c := small
		c.Blocks, c.Rounds, c.Budget = 15, 20, 30*time.Second
		begun := time.Now()
		s, o, err := w.lab(t.Context(), planOf(groupOf(trialOf("a", "x"), trialOf("b", "x"))), c)
		if took := time.Since(begun); err != nil || o.Blocks < plan.LeastBlocks || took > c.Budget {
			t.Fatalf("%+v in %v, %v", o, took, err)
		}
		s.well(t)
	})
}

// TestRoundsOfALateBlock: rounds that were cut off are not told of, and the next blocks are not thought to be cheaper
// for them, so that each has its share of what is left of the budget.
func TestRoundsOfALateBlock(t *testing.T) {
	x, y := groupOf(trialOf("a", "x")), groupOf(trialOf("a", "y"))
	bad := groupOf(badTrial("x")) // has no rounds that count
	for _, groups := range [][]plan.Group{{x}, {x, y}, {x, bad, bad}} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			w.plant = func(_ string, c result.Case, _ int) error {
				if c.Algorithm == "bad" {
					return crash()
				}
				return nil
			}
			w.sample = func(result.Case, int, *result.Sample) { time.Sleep(time.Second) }
			c := small
			c.Blocks, c.Rounds, c.Budget = plan.LeastBlocks, 20, 30*time.Second
			begun := time.Now()
			s, o, err := w.lab(t.Context(), planOf(groups...), c)
			if took := time.Since(begun); err != nil || o.Blocks != c.Blocks || o.Cause.Code != "" || took > c.Budget {
				t.Fatalf("%d groups: %+v in %v, %v", len(groups), o, took, err)
			}
			if want := onAverage(len(s.Samples), len(s.Run.Closed)); o.Rounds != want {
				t.Errorf("%d groups: %d rounds, and the blocks had %d of each", len(groups), o.Rounds, want)
			}
			rounds := make([]int, o.Blocks) // of the first group
			for _, x := range s.Samples {
				if x.Trial == 0 {
					rounds[x.Block]++
				}
			}
			if after := rounds[1:]; slices.Max(after)-slices.Min(after) > 1 {
				t.Errorf("%d groups: the blocks had %d rounds", len(groups), rounds)
			}
			s.well(t)
		})
	}
}

// TestRoundsDone: what is sampled in the first rounds alone loses nothing where the last are cut off.
func TestRoundsDone(t *testing.T) {
	few, lost := trialOf("a", "few"), trialOf("a", "lost")
	few.Rounds = 4
	for _, test := range []struct {
		name   string
		trials []trial
		first  int
		want   int
	}{
		{"all", []trial{{Trial: trialOf("a", "x"), open: true}}, 20, 20},
		{"most", []trial{{Trial: trialOf("a", "x"), open: true}}, 19, 19},
		{"one", []trial{{Trial: trialOf("a", "x"), open: true}}, 1, 1},
		{"all of few", []trial{{Trial: few, open: true}}, 4, 20},
		{"half of few", []trial{{Trial: few, open: true}}, 2, 10},
		{"few beside all", []trial{{Trial: few, open: true}, {Trial: trialOf("a", "x"), open: true}}, 4, 4},
		{"a scenario", []trial{{Trial: scenarioOf("a", "s"), open: true, about: worker.About{Scenario: true}}}, 1, 20},
		{"few beside a lost one", []trial{{Trial: few, open: true}, {Trial: lost, lost: true}}, 4, 20},
		{"a lost one", []trial{{Trial: lost, lost: true}}, 1, 0},
		{"nothing", nil, 1, 0},
	} {
		g := &group{}
		for i := range test.trials {
			g.trials = append(g.trials, &test.trials[i])
		}
		b := &block{group: g, pace: plan.Config{Rounds: 20, Target: time.Millisecond}}
		if got := b.roundsDone(test.first); got != test.want {
			t.Errorf("%s: %d rounds, want %d", test.name, got, test.want)
		}
	}
}

// TestBudgetIsKept: whatever hangs and wherever, a run with a limit ends at it, and says of no
// library that it hangs because of that.
func TestBudgetIsKept(t *testing.T) {
	for _, verb := range []string{"open", "ready", "run", "check", "close"} {
		synctest.Test(t, func(t *testing.T) {
			w := hangsAt(t, verb)
			c := small
			c.Budget, c.Limit, c.Deadline, c.Blocks = 10*time.Second, 11*time.Second, time.Minute, 5
			begun := time.Now()
			s, o, err := w.lab(t.Context(), planOf(groupOf(trialOf("good", "x"), badTrial("x"))), c)
			if took := time.Since(begun); err != nil || took > c.Limit {
				t.Errorf("%s: %v, %+v, %v", verb, took, o, err)
			}
			if f := s.fates()["bad x"]; f.status != result.OK {
				t.Errorf("%s: %+v", verb, f)
			}
		})
	}
}

// TestOver: a worker that is not waited for since the time of all plans is over crashed for nobody, however much its own
// plan has left.
func TestOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, over := &tape{}, time.Now().Add(time.Second)
		l := &Lab{Sink: s, Over: over, Start: func(plan.WorkerKey) (Worker, error) {
			time.Sleep(time.Until(over))
			return nil, &worker.Died{Reason: "it was ended"}
		}}
		c := small
		c.Budget, c.Limit, c.Blocks = 10*time.Second, 2*time.Second, 5
		o, err := l.Begin(planOf(groupOf(trialOf("a", "x"), trialOf("b", "x")))).Run(t.Context(), c, c.Blocks)
		if err != nil || o.Cause.Code != "budget-block" {
			t.Errorf("%+v, %v", o, err)
		}
		for who, f := range s.fates() {
			if f.status != result.OK {
				t.Errorf("%s: %+v", who, f)
			}
		}
	})
}

// TestCourse: plans that take turns are measured as those that are not left: block after block, each trial under its
// number, and no worker lives on between two turns. What one waits for in vain is not lost to the other.
func TestCourse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := newWorld(t), &tape{}
		w.sample = func(result.Case, int, *result.Sample) { time.Sleep(5 * time.Millisecond) }
		l := &Lab{Start: w.start, Sink: s}
		a, b := l.Begin(planOf(groupOf(trialOf("a", "x")))), l.Begin(planOf(groupOf(trialOf("b", "x"))))
		c := small
		c.Blocks, c.Rounds = 6, 2
		turn := func(course *Course, budget time.Duration, blocks int, want Outcome) {
			t.Helper()
			c.Budget, c.Limit = budget, budget
			o, err := course.Run(t.Context(), c, blocks)
			if o.Cause.Args = nil; err != nil || o.Blocks != want.Blocks || o.Rounds != want.Rounds || o.Cause.Code != want.Cause.Code {
				t.Errorf("%+v, %v, want %+v", o, err, want)
			}
			if w.alive != 0 {
				t.Errorf("%d workers live on", w.alive)
			}
		}
		turn(a, time.Hour, 2, Outcome{Blocks: 2, Rounds: 2})
		turn(b, 4*time.Millisecond, 2, Outcome{Cause: reason.Cause("budget-block")}) // ends within its first block
		turn(a, time.Millisecond, 6, Outcome{Blocks: 2, Rounds: 2, Cause: reason.Cause("budget")})
		turn(b, time.Hour, 6, Outcome{Blocks: 6, Rounds: 2})
		turn(a, time.Hour, 6, Outcome{Blocks: 6, Rounds: 2})
		turn(a, time.Hour, 6, Outcome{Blocks: 6, Rounds: 2})
		s.well(t)
		for who, f := range s.fates() {
			if f.closed < 6 || f.closed > 7 || f.status != result.OK { // a block that was broken off may have closed its trial
				t.Errorf("%s: %+v", who, f)
			}
		}
		seen := map[[2]int]bool{}
		for _, o := range s.Run.Opened {
			if at := [2]int{o.Trial, o.Block}; seen[at] {
				t.Errorf("trial %d is opened twice in block %d", o.Trial, o.Block)
			} else {
				seen[at] = true
			}
		}
	})
}

// TestBrokenOff: a plan whose first block is broken off before all is opened goes on after another has begun, and every
// trial and group of both is declared in the order of its number, also those that one block alone was to open.
func TestBrokenOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := newWorld(t), &tape{}
		w.sample = func(result.Case, int, *result.Sample) { time.Sleep(5 * time.Millisecond) }
		l := &Lab{Start: w.start, Sink: s}
		once := trialOf("a", "once")
		once.Blocks = 1
		a := l.Begin(planOf(groupOf(trialOf("a", "x"), trialOf("b", "x")), groupOf(trialOf("a", "y"), trialOf("b", "y")), groupOf(once, trialOf("b", "once"))))
		b := l.Begin(planOf(groupOf(trialOf("c", "x")), groupOf(trialOf("c", "y"))))
		for _, turn := range []struct {
			course         *Course
			budget         time.Duration
			blocks, gotten int
		}{{a, 12 * time.Millisecond, 2, 0}, {b, 4 * time.Millisecond, 2, 0}, {a, time.Hour, 3, 3}, {b, time.Hour, 3, 3}} {
			c := small
			c.Rounds, c.Budget, c.Limit = 2, turn.budget, turn.budget
			if o, err := turn.course.Run(t.Context(), c, turn.blocks); err != nil || o.Blocks != turn.gotten {
				t.Errorf("%+v, %v, want %d blocks", o, err, turn.gotten)
			}
		}
		s.well(t)
		if len(s.Trials) != 8 || len(s.Groups) != 5 {
			t.Errorf("%d trials and %d groups are declared", len(s.Trials), len(s.Groups))
		}
		for who, f := range s.fates() {
			if want := 3; f.status != result.OK || f.closed < want && who != "a once" {
				t.Errorf("%s: %+v", who, f)
			}
		}
	})
}

// TestRoundsOfAStretch: a stretch of a few blocks has all their rounds where its budget is for them.
func TestRoundsOfAStretch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := newWorld(t), &tape{}
		w.sample = func(result.Case, int, *result.Sample) { time.Sleep(5 * time.Millisecond) }
		c := small
		c.Blocks, c.Rounds = 8, 6
		course := (&Lab{Start: w.start, Sink: s}).Begin(planOf(groupOf(trialOf("a", "x"), trialOf("b", "x"))))
		done := 0
		for _, blocks := range []int{6, 8} {
			c.Budget = time.Duration(blocks-done) * 100 * time.Millisecond // a block takes less
			done = blocks
			if o, err := course.Run(t.Context(), c, blocks); err != nil || o.Blocks != blocks || o.Rounds != c.Rounds {
				t.Errorf("%+v, %v", o, err)
			}
		}
		if len(s.Samples) != 8*6*2 {
			t.Errorf("%d samples", len(s.Samples))
		}
	})
}

// TestProgress rises to no more than one, and names what was sampled.
func TestProgress(t *testing.T) {
	w := newWorld(t)
	n, last := 0, 0.0
	l := &Lab{Start: w.start, Sink: &tape{}, Progress: func(p Progress) {
		if n++; p.Done < last || p.Done > 1 || p.Block >= 3 || p.NsPerCall != 10 || p.Trial.Case.Algorithm != "X" || p.Experiment != "e" {
			t.Errorf("%+v after %g", p, last)
		}
		last = p.Done
	}}
	if _, err := l.Run(context.Background(), planOf(groupOf(trialOf("a", "x")), groupOf(trialOf("a", "y"))), small); err != nil {
		t.Fatal(err)
	}
	if n != 24 || last < 0.5 {
		t.Errorf("%d calls, the last at %g", n, last)
	}
}

func TestEmptyPlans(t *testing.T) {
	for _, p := range []plan.Plan{{}, planOf(plan.Group{}), planOf(plan.Group{}, groupOf(trialOf("a", "x")))} {
		if _, o, err := newWorld(t).lab(context.Background(), p, small); err != nil || o.Blocks != 3 {
			t.Errorf("%+v, %v", o, err)
		}
	}
}

func TestDuration(t *testing.T) {
	p := planOf(groupOf(trialOf("a", "x"), trialOf("b", "x")))
	short := plan.Config{Blocks: 10, Rounds: 5, Target: 2 * time.Millisecond}
	// What is of a block, of a trial, and of a round.
	long := short
	long.Blocks = 20
	if got, want := long.Duration(p), 2*short.Duration(p); got != want {
		t.Errorf("twice the blocks: %v, want %v", got, want)
	}
	long.Blocks, long.Rounds = 10, 105
	if more := long.Duration(p) - short.Duration(p); more < 2*1000*2*time.Millisecond || more > 2*1000*3*time.Millisecond {
		t.Errorf("1000 rounds more of 2 ms and of two trials are %v", more)
	}
	scenario := planOf(groupOf(scenarioOf("a", "x")))
	scenario.Groups[0].Trials[0].Window, scenario.Groups[0].Trials[0].Blocks = time.Minute, 3
	if got := short.Duration(scenario); got < 3*time.Minute || got > 200*time.Second {
		t.Errorf("a scenario of a minute in three of ten blocks: %v", got)
	}
}

// TestOnAverage: one block with fewer rounds than the others is no round less of all.
func TestOnAverage(t *testing.T) {
	for _, tt := range []struct{ rounds, blocks, want int }{{15*6 - 1, 15, 6}, {15 * 6, 15, 6}, {15*6 - 8, 15, 5}, {3, 1, 3}, {0, 0, 0}} {
		if got := onAverage(tt.rounds, tt.blocks); got != tt.want {
			t.Errorf("%d rounds of %d blocks: %d, want %d", tt.rounds, tt.blocks, got, tt.want)
		}
	}
}
