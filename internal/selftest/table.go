package selftest

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/stat"
)

const tableCells = 50

// table is what the laboratory must show of itself. Weights share the budget.
func table() []test {
	say := language.Say
	return []test{
		{say("A/A in one worker", "同一工作进程内的 A/A 对照"),
			say("at most 4 of 200 verdicts faster or slower", "200 次比较中至多 4 次判为更快或更慢"),
			200, 4, 0.08, 1, 0, falseVerdicts(pair{base: 100, other: 100}, 4.0/200)},
		{say("A/A between workers", "不同工作进程间的 A/A 对照"), say("at most 12 of 400", "400 次比较中至多 12 次"),
			400, 4, 0.12, 1, 0, falseVerdicts(pair{base: 100, other: 100, apart: true}, 12.0/400)},
		{say("planted slowdown of 3 %%", "植入 3%% 的变慢"),
			say("at least 48 of 50 found, in 15 blocks of 31 rounds", "50 次中至少发现 48 次（15 个数据组，每组 31 轮）"),
			50, 4, 0.14, 3.6, 0, plantedSlowdown(103, 48.0/50)},
		{say("planted slowdown of 2 %%", "植入 2%% 的变慢"),
			say("at least 45 of 50 found, in 15 blocks of 31 rounds", "50 次中至少发现 45 次（15 个数据组，每组 31 轮）"),
			50, 4, 0.14, 3.6, 0, plantedSlowdown(102, 45.0/50)},
		{say("planted 3 %%, two busy neighbours", "植入 3%% 的变慢，另有两个线程占用 CPU"),
			say("at least 45 of 50 found or inconclusive, none in the wrong direction",
				"50 次中至少 45 次被发现或无法判定，且没有方向相反的判定"),
			50, 4, 0.12, 2, 0, besideNeighbours},
		{say("known ratios 0.97 to 1.05", "已知比值 0.97 至 1.05"),
			say("at least 970 of 1000 intervals cover", "1000 个区间中至少 970 个包含真值"), 1000, 9, 0.1, 1, 0, coverage},
		{say("known cost: IMUL against ADD", "已知耗时：IMUL 与 ADD 相比"),
			say("slope ratio 3.00 within 1 %%, double length 2.000 within 0.5 %%", "斜率之比为 3.00（误差 1%% 以内），长度加倍时为 2.000（误差 0.5%% 以内）"),
			0, 0, 0, 0, time.Second, knownCost},
		{say("tables of 50 A/A cells", "每张含 50 项 A/A 对照的表"),
			say("at most 4 of 100 tables with a false verdict", "100 张表中至多 4 张有误判"),
			100 * tableCells, tableCells, 0.1, 0.45, 0, tables},
		{say("families of 11 equal things, simulated noise", "模拟噪声下每组 11 项相同对象"),
			say("at most 2 %% of families with a false verdict", "至多 2%% 的组有误判"),
			1000, 200, 0, 0.004, 0, families},
		{say("constant rate, 100 ms stall a second", "恒定速率，每秒停顿 100 ms"),
			say("p99 90 ms, p99.5 95 ms, within 10 %%", "p99 为 90 ms，p99.5 为 95 ms，误差 10%% 以内"),
			0, 0, 0, 0, 10 * time.Second, stalls},
	}
}

// atMost is how many of n may be wrong where the table allows a share; at least
// one, since a short form can't show a share below 1/n.
func atMost(share float64, n int) int { return max(1, int(share*float64(n)+0.5)) }

// judge is the verdict on a figure, unless something went in the wrong direction.
func judge(reached bool, wrong int) Verdict {
	switch {
	case wrong > 0:
		return Failed
	case reached:
		return Reached
	}
	return Missed
}

func tally(cs []stat.Comparison) map[stat.Verdict]int {
	counts := map[stat.Verdict]int{}
	for _, c := range cs {
		counts[c.Verdict]++
	}
	return counts
}

func falseVerdicts(p pair, share float64) run {
	return func(ctx context.Context, s *session, n int) (language.Text, Verdict, error) {
		cs, err := s.compare(ctx, slices.Repeat([]pair{p}, n), usual)
		found := tally(cs)
		wrong := found[stat.Faster] + found[stat.Slower]
		return language.Say("%d of %d; %d called the same", "%[2]d 次中 %[1]d 次；%[3]d 次判为相当", wrong, n, found[stat.Same]),
			judge(wrong <= atMost(share, n), 0), err
	}
}

// plantedSlowdown makes whole extra calls.
func plantedSlowdown(calls int, share float64) run {
	return func(ctx context.Context, s *session, n int) (language.Text, Verdict, error) {
		cs, err := s.compare(ctx, slices.Repeat([]pair{{base: 100, other: calls}}, n), thorough)
		found := tally(cs)
		return language.Say("%d of %d; %d in the wrong direction", "%[2]d 次中 %[1]d 次；%[3]d 次方向相反", found[stat.Slower], n, found[stat.Faster]),
			judge(found[stat.Slower] >= n-atMost(1-share, n), found[stat.Faster]), err
	}
}

// besideNeighbours looks for the slowdown while two threads keep the CPUs busy.
func besideNeighbours(ctx context.Context, s *session, n int) (language.Text, Verdict, error) {
	stop := busy(2)
	defer stop()
	cs, err := s.compare(ctx, slices.Repeat([]pair{{base: 100, other: 103}}, n), usual)
	found := tally(cs)
	return language.Say("%d found, %d inconclusive of %d; %d in the wrong direction", "%[3]d 次中发现 %[1]d 次，%[2]d 次无法判定；%[4]d 次方向相反",
			found[stat.Slower], found[stat.Inconclusive], n, found[stat.Faster]),
		judge(found[stat.Slower]+found[stat.Inconclusive] >= n-atMost(0.1, n), found[stat.Faster]), err
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
func coverage(ctx context.Context, s *session, n int) (language.Text, Verdict, error) {
	pairs := make([]pair, n)
	for i := range pairs {
		pairs[i] = pair{base: 100, other: 97 + i%9}
	}
	cs, err := s.compare(ctx, pairs, usual)
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
	return language.Say("%d of %d; %d in the wrong direction", "%[2]d 个中 %[1]d 个；%[3]d 个方向相反", covered, n, wrong),
		judge(covered >= n-atMost(0.03, n), wrong), err
}

// knownCost measures chains whose cost per step is known on current x86: an
// addition takes one cycle, a multiplication three. Slopes between two lengths
// leave out what a call costs.
func knownCost(ctx context.Context, s *session, _ int) (language.Text, Verdict, error) {
	const k = 64 << 10
	got, err := s.measure(ctx, plan.Plan{Experiment: "selftest", Groups: []plan.Group{{Trials: []plan.Trial{
		chain("add", k), chain("add", 2*k), chain("imul", k), chain("imul", 2*k)}}}}, usual)
	if err != nil {
		return language.Text{}, Failed, err
	}
	ns := make([]float64, 4)
	for i := range ns {
		blocks := got.times(i)
		if blocks == nil {
			return language.Say("samples are lost", "采样丢失"), Failed, nil
		}
		ns[i] = stat.Summarize(blocks, stat.RowLevel, stat.MinFloor).Median
	}
	slope, double := (ns[3]-ns[2])/(ns[1]-ns[0]), ns[1]/ns[0]
	text := language.Say("slope ratio %.3f, double length %.4f", "斜率之比 %.3f，长度加倍 %.4f", slope, double)
	if runtime.GOARCH != "amd64" {
		return language.Say("%s; the ratio is known for x86 only", "%s；该比值只在 x86 上已知", text), Skipped, nil
	}
	within := func(v, want, share float64) bool { return v >= want*(1-share) && v <= want*(1+share) }
	return text, judge(within(slope, 3, 0.01) && within(double, 2, 0.005), 0), nil
}

// tables looks for any false verdict among the cells of a table, which share a level.
func tables(ctx context.Context, s *session, n int) (language.Text, Verdict, error) {
	count, bad := max(1, n/tableCells), 0
	for range count {
		cells, err := s.pairs(ctx, slices.Repeat([]pair{{base: 100, other: 100}}, tableCells), brief)
		if err != nil || ctx.Err() != nil {
			return language.Text{}, Missed, err
		}
		if found := tally(stat.CompareFamily(cells, tableCells, stat.MinFloor)); found[stat.Faster]+found[stat.Slower] > 0 {
			bad++
		}
	}
	allowed := atMost(0.04, count)
	if count == 1 {
		allowed = 0 // else a single table could show nothing
	}
	return language.Say("%d of %d tables", "%[2]d 张表中 %[1]d 张", bad, count), judge(bad <= allowed, 0), nil
}

// families draws comparisons of equal things as measured here (measuring.md): 12 blocks of 4
// rounds, workers that differ by 0.5 %, rounds by 1 to 10 %, one sample in twenty 30 % late. The
// draws are the same each time, so that a family too many is no machine's fault.
func families(_ context.Context, _ *session, n int) (language.Text, Verdict, error) {
	const family, blocks, rounds = 11, 12, 4
	rng, bad := rand.New(rand.NewPCG(2026, 11)), 0
	times := func(spread float64) [][]float64 {
		all := make([][]float64, blocks)
		for b := range all {
			worker := 0.005 / math.Sqrt2 * rng.NormFloat64()
			for range rounds {
				log := worker + spread*rng.NormFloat64()
				if rng.Float64() < 0.05 {
					log += math.Log(1.3)
				}
				all[b] = append(all[b], 1e-6*math.Exp(log))
			}
		}
		return all
	}
	for range n {
		var pairs []stat.Pair
		for i := range family {
			spread := []float64{0.01, 0.03, 0.1}[i%3]
			pairs = append(pairs, stat.Pair{Base: times(spread), Other: times(spread), Headline: true})
		}
		if found := tally(stat.CompareFamily(pairs, family, stat.MinFloor)); found[stat.Faster]+found[stat.Slower] > 0 {
			bad++
		}
	}
	return language.Say("%d of %d families", "%[2]d 组中 %[1]d 组", bad, n), judge(true, max(0, bad-n/50)), nil
}

// stalls lets a server stall for a tenth of each second. Of the requests that
// are due meanwhile the last tenth of all waits 90 ms or more: a closed loop
// would have seen one slow request a second.
func stalls(ctx context.Context, _ *session, _ int) (language.Text, Verdict, error) {
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
		return language.Text{}, Missed, err
	}
	p99 := float64(r.Latency.ValueAtQuantile(99)) / 1e6
	p995 := float64(r.Latency.ValueAtQuantile(99.5)) / 1e6
	lost := rate*seconds - int(r.Sent)
	return language.Say("p99 %.1f ms, p99.5 %.1f ms, %d requests", "p99 %.1f ms，p99.5 %.1f ms，%d 个请求", p99, p995, r.Sent),
		judge(p99 > 81 && p99 < 99 && p995 > 85.5 && p995 < 104.5, max(lost, -lost)), nil
}
