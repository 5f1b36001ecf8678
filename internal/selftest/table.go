package selftest

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/stat"
)

// rowLevel is the level of a single comparison.
const rowLevel = 0.99

// tableCells is the number of comparisons of one table.
const tableCells = 50

// table is what the laboratory must show of itself. Weights share the budget.
func table() []test {
	return []test{
		{"A/A in one worker", "at most 4 of 200 verdicts faster or slower", 200, 4, 0.08, 1, 0,
			falseVerdicts(pair{base: 100, other: 100}, 4.0/200)},
		{"A/A between workers", "at most 12 of 400", 400, 4, 0.12, 1, 0,
			falseVerdicts(pair{base: 100, other: 100, apart: true}, 12.0/400)},
		{"planted slowdown of 3 %", "at least 48 of 50 found, in 15 blocks of 31 rounds", 50, 4, 0.14, 3.6, 0, plantedSlowdown(103, 48.0/50)},
		{"planted slowdown of 2 %", "at least 45 of 50 found, in 15 blocks of 31 rounds", 50, 4, 0.14, 3.6, 0, plantedSlowdown(102, 45.0/50)},
		{"planted 3 %, two busy neighbours", "at least 45 of 50 found or inconclusive, none in the wrong direction", 50, 4, 0.12, 2, 0,
			besideNeighbours},
		{"known ratios 0.97 to 1.05", "at least 970 of 1000 intervals cover", 1000, 9, 0.1, 1, 0, coverage},
		{"known cost: IMUL against ADD", "slope ratio 3.00 within 1 %, double length 2.000 within 0.5 %", 0, 0, 0, 0, time.Second, knownCost},
		{"tables of 50 A/A cells", "at most 4 of 100 tables with a false verdict", 100 * tableCells, tableCells, 0.1, 0.45, 0, tables},
		{"constant rate, 100 ms stall a second", "p99 90 ms, p99.5 95 ms, within 10 %", 0, 0, 0, 0, 10 * time.Second, stalls},
	}
}

// atMost is how many of n may be wrong where the table allows a share; at least
// one, since a short form can't show a share below 1/n.
func atMost(share float64, n int) int { return max(1, int(share*float64(n)+0.5)) }

func repeat(p pair, n int) []pair {
	ps := make([]pair, n)
	for i := range ps {
		ps[i] = p
	}
	return ps
}

func judge(ok bool) Verdict {
	if ok {
		return Reached
	}
	return Missed
}

// falseVerdicts compares equal things.
func falseVerdicts(p pair, share float64) func(context.Context, *session, int) (string, Verdict, error) {
	return func(ctx context.Context, s *session, n int) (string, Verdict, error) {
		cs, err := s.compare(ctx, repeat(p, n), rowLevel)
		wrong, same := 0, 0
		for _, c := range cs {
			switch c.Verdict {
			case stat.Faster, stat.Slower:
				wrong++
			case stat.Same:
				same++
			}
		}
		return fmt.Sprintf("%d of %d; %d called the same", wrong, n, same), judge(wrong <= atMost(share, n)), err
	}
}

// plantedSlowdown makes whole extra calls.
func plantedSlowdown(calls int, share float64) func(context.Context, *session, int) (string, Verdict, error) {
	return func(ctx context.Context, s *session, n int) (string, Verdict, error) {
		found, wrong, err := slowdowns(ctx, s, calls, n)
		v := judge(found >= n-atMost(1-share, n))
		if wrong > 0 {
			v = Failed
		}
		return fmt.Sprintf("%d of %d; %d in the wrong direction", found, n, wrong), v, err
	}
}

func slowdowns(ctx context.Context, s *session, calls, n int) (found, wrong int, err error) {
	cs, err := s.compareIn(ctx, repeat(pair{base: 100, other: calls}, n), rowLevel, thorough)
	for _, c := range cs {
		switch c.Verdict {
		case stat.Slower:
			found++
		case stat.Faster:
			wrong++
		}
	}
	return found, wrong, err
}

// besideNeighbours looks for the slowdown while two threads keep the CPUs busy.
func besideNeighbours(ctx context.Context, s *session, n int) (string, Verdict, error) {
	stop := busy(2)
	defer stop()
	cs, err := s.compare(ctx, repeat(pair{base: 100, other: 103}, n), rowLevel)
	found, open, wrong := 0, 0, 0
	for _, c := range cs {
		switch c.Verdict {
		case stat.Slower:
			found++
		case stat.Inconclusive:
			open++
		case stat.Faster:
			wrong++
		}
	}
	v := judge(found+open >= n-atMost(0.1, n))
	if wrong > 0 {
		v = Failed
	}
	return fmt.Sprintf("%d found, %d inconclusive of %d; %d in the wrong direction", found, open, n, wrong), v, err
}

// busy keeps CPUs busy with threads of this process until the returned func is
// called. GOMAXPROCS grows meanwhile, so that they don't take the place of the
// goroutine that speaks with the workers.
func busy(threads int) (stop func()) {
	before := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(before + threads)
	var done atomic.Bool
	for range threads {
		go func() {
			for !done.Load() {
			}
		}()
	}
	return func() {
		done.Store(true)
		runtime.GOMAXPROCS(before)
	}
}

// coverage compares known ratios and counts intervals that hold the truth.
func coverage(ctx context.Context, s *session, n int) (string, Verdict, error) {
	pairs := make([]pair, n)
	for i := range pairs {
		pairs[i] = pair{base: 100, other: 97 + i%9}
	}
	cs, err := s.compare(ctx, pairs, rowLevel)
	covered, wrong := 0, 0
	for i, c := range cs {
		truth := 100 / float64(pairs[i].other) // speed of other over base
		if c.Low <= truth && truth <= c.High {
			covered++
		}
		if c.Verdict == stat.Faster && truth < 1 || c.Verdict == stat.Slower && truth > 1 {
			wrong++
		}
	}
	v := judge(covered >= n-atMost(0.03, n))
	if wrong > 0 {
		v = Failed
	}
	return fmt.Sprintf("%d of %d; %d in the wrong direction", covered, n, wrong), v, err
}

// knownCost measures chains whose cost per step is known on current x86: an
// addition takes one cycle, a multiplication three. Slopes between two lengths
// leave out what a call costs.
func knownCost(ctx context.Context, s *session, _ int) (string, Verdict, error) {
	const k = 64 << 10
	got, err := s.measure(ctx, plan.Plan{Experiment: "selftest", Groups: []plan.Group{{Trials: []plan.Trial{
		chain("add", k), chain("add", 2*k), chain("imul", k), chain("imul", 2*k)}}}}, usual)
	if err != nil {
		return "", Failed, err
	}
	ns := make([]float64, 4)
	for i := range ns {
		blocks := got.times(i)
		if blocks == nil {
			return "samples are lost", Failed, nil
		}
		ns[i] = stat.Summarize(blocks, rowLevel, stat.MinFloor).Median
	}
	slope := (ns[3] - ns[2]) / (ns[1] - ns[0])
	double := ns[1] / ns[0]
	text := fmt.Sprintf("slope ratio %.3f, double length %.4f", slope, double)
	if runtime.GOARCH != "amd64" {
		return text + "; the ratio is known for x86 only", Skipped, nil
	}
	within := func(v, want, share float64) bool { return v >= want*(1-share) && v <= want*(1+share) }
	return text, judge(within(slope, 3, 0.01) && within(double, 2, 0.005)), nil
}

// tables looks for any false verdict among the cells of a table, each at the
// level that the whole table needs.
func tables(ctx context.Context, s *session, n int) (string, Verdict, error) {
	count := max(1, n/tableCells)
	bad := 0
	for range count {
		cs, err := s.compareIn(ctx, repeat(pair{base: 100, other: 100}, tableCells), stat.FamilyLevel(tableCells), brief)
		if err != nil || ctx.Err() != nil {
			return "", Missed, err
		}
		for _, c := range cs {
			if c.Verdict == stat.Faster || c.Verdict == stat.Slower {
				bad++
				break
			}
		}
	}
	allowed := atMost(0.04, count)
	if count == 1 {
		allowed = 0 // else a single table could show nothing
	}
	return fmt.Sprintf("%d of %d tables", bad, count), judge(bad <= allowed), nil
}

// stalls lets a server stall for a tenth of each second. Of the requests that
// are due meanwhile the last tenth of all waits 90 ms or more: a closed loop
// would have seen one slow request a second.
func stalls(ctx context.Context, _ *session, _ int) (string, Verdict, error) {
	const rate, seconds = 1000, 10
	begun, stalled := time.Now(), 0
	r, err := arrival.Constant(ctx, rate, seconds*time.Second, func() {
		// In the middle of each second, whatever happened before.
		if due := time.Duration(stalled)*time.Second + 500*time.Millisecond; time.Since(begun) >= due {
			stalled++
			time.Sleep(due + 100*time.Millisecond - time.Since(begun))
		}
	})
	if err != nil {
		return "", Missed, err
	}
	p99 := float64(r.Latency.ValueAtQuantile(99)) / 1e6
	p995 := float64(r.Latency.ValueAtQuantile(99.5)) / 1e6
	v := judge(p99 > 81 && p99 < 99 && p995 > 85.5 && p995 < 104.5)
	if r.Sent != rate*seconds {
		v = Failed
	}
	return fmt.Sprintf("p99 %.1f ms, p99.5 %.1f ms, %d requests", p99, p995, r.Sent), v, nil
}
