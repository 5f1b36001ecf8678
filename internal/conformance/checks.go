package conformance

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

var (
	greeting = language.Text{EN: "greeting", ZH: "问候"}
	unknown  = language.Text{EN: "unknown requests", ZH: "未知请求"}
	offers   = language.Text{EN: "offers", ZH: "提供的测试项"}
	ending   = language.Text{EN: "end of input", ZH: "输入结束"}
)

// asked are the cases that a worker is asked for, besides its own.
func asked() (list []result.Case) {
	for _, h := range []algorithm.Name{algorithm.SHA256, algorithm.SM3, algorithm.MD5} {
		list = append(list, result.Case{Algorithm: string(h), Operation: algorithm.Hash, Bytes: 16 << 10})
	}
	for _, a := range []algorithm.Name{algorithm.AES128, algorithm.SM4} {
		for _, m := range []algorithm.Mode{algorithm.CBC, algorithm.CTR, algorithm.GCM} {
			list = append(list, result.Case{Algorithm: string(a), Mode: string(m), Operation: algorithm.Encrypt, Bytes: 16 << 10})
		}
	}
	return list
}

// subject holds what one subject offers to the checks.
func (s *session) subject(ctx context.Context, who result.Subject, brought []result.Case, own map[result.Case]string) {
	found := 0
	for _, c := range append(asked(), brought...) {
		probe, cancel := s.within(ctx)
		_, err := s.p.Probe(probe, who, c)
		cancel()
		if s.dead() {
			s.say(named(who, c), failed("%s; answer a probe of what you don't offer by a fault of kind %s",
				"%s；对不提供的测试项，请以 kind 为 %s 的 fault 回答 probe", err, worker.Absent))
			return
		}
		if err != nil {
			continue
		}
		found++
		s.offered++
		if s.trial(ctx, who, c, own[c]); s.dead() {
			return
		}
	}
	if found == 0 {
		s.say(offers, noted("%s offers none of the cases that are asked for here", "%s 未提供此处查询的任何测试项", who.Library))
	}
}

func named(who result.Subject, c result.Case) language.Text {
	return language.Same(who.Library + " " + c.Name())
}

// trial holds one case to what a run asks of it.
func (s *session) trial(ctx context.Context, who result.Subject, c result.Case, want string) {
	s.handle++
	o := &opened{session: s, ctx: ctx}
	opening, cancel := s.within(ctx)
	about, err := s.p.Open(opening, s.handle, result.Trial{Subject: who, Case: c}, 0, "")
	cancel()
	name := named(who, c)
	if err != nil {
		s.say(name, failed("probe offers it and open does not: %s", "probe 提供而 open 拒绝：%s", err))
		return
	}
	if about.Scenario {
		s.say(name, outcome(Skipped, "a scenario, which has no batches", "场景，没有批次可核对", nil))
		return
	}
	for _, check := range []func(worker.About) Outcome{o.ready, o.scales, o.clocks, o.checks} {
		if f := check(about); f.Verdict != Passed {
			s.say(name, f)
			return
		}
	}
	s.say(name, o.output(about, want))
	closing, cancel := s.within(ctx)
	defer cancel()
	_ = s.p.Close(closing, s.handle)
}

// opened is a case under test.
type opened struct {
	*session
	ctx   context.Context
	calls int64
	least float64 // CPU time of a call, ns
}

const target = 5 * time.Millisecond

// ready also makes the calls more where they are over too soon to be judged by their time.
func (o *opened) ready(worker.About) Outcome {
	ctx, cancel := o.within(o.ctx)
	defer cancel()
	r, err := o.p.Ready(ctx, o.handle, 0, target)
	if err != nil {
		return failed("ready: %s", "ready：%s", err)
	}
	o.calls = r.Calls
	const doublings = 10
	for range doublings {
		begun := time.Now()
		if _, err := o.run(o.calls); err != nil {
			return failed("run: %s", "run：%s", err)
		}
		if time.Since(begun) >= target/2 {
			break
		}
		o.calls *= 2
	}
	return passed("", "")
}

func (o *opened) run(calls int64) (result.Sample, error) {
	ctx, cancel := o.within(o.ctx)
	defer cancel()
	return o.p.Run(ctx, o.handle, calls)
}

// tries is how often what a busy machine may spoil is taken.
const tries = 15

// scales takes a count and twice as many by turns. The ratio of their shortest times counts, which a busy machine doesn't
// move: where others are to have a CPU after every few milliseconds, twice as many calls wait for it more often than
// not, but not each time. One call and two tell a worker that does a part of what it is asked for.
func (o *opened) scales(a worker.About) Outcome {
	for _, calls := range slices.Compact([]int64{o.calls, 1}) {
		one, two, err := o.timesOf(a.Clock, calls)
		if err != nil {
			return failed("run: %s", "run：%s", err)
		}
		if tooShort(calls, one) {
			continue // the readings of the clocks are most of it
		}
		if !scaled(one, two) {
			return failed("%d calls take %.2f times as long as %d; do exactly as many calls as are asked for, and read the clocks around them alone",
				"%d 次调用耗时为 %.2f 倍于 %d 次；请恰好执行所要求的次数，并只在其前后读时钟", 2*calls, float64(two)/float64(one), calls)
		}
		if o.least == 0 {
			o.least = float64(one) / float64(calls)
		}
	}
	return passed("", "")
}

// timesOf are the shortest times of a count and of twice as many, of more tries where so few don't scale: between
// requests others have the CPU and its caches, and then waking a worker may take longer than its calls.
func (o *opened) timesOf(clock result.Clock, calls int64) (one, two int64, err error) {
	const waking = 1_000_000 // ns, at most
	least := [2]int64{math.MaxInt64, math.MaxInt64}
	for _, more := range []int{tries, 3 * tries, 12 * tries} {
		for range more {
			for i := range least {
				s, err := o.run(int64(i+1) * calls)
				if err != nil {
					return 0, 0, err
				}
				least[i] = min(least[i], worker.Told(clock, s))
			}
		}
		if tooShort(calls, least[0]) || scaled(least[0], least[1]) || least[0] > waking {
			break
		}
	}
	return least[0], least[1], nil
}

// scaled says whether a second time is about twice the first.
func scaled(one, two int64) bool {
	ratio := float64(two) / float64(one)
	return ratio >= 1.3 && ratio <= 4
}

// tooShort says whether one call is too short to be held against two.
func tooShort(calls, one int64) bool {
	const shortest = 10_000 // ns
	return calls == 1 && one < shortest
}

// clocks holds the worker's CPU and wall time of a long sample against those that are seen from outside.
func (o *opened) clocks(a worker.About) Outcome {
	var last Outcome
	for range tries {
		before, known := o.p.CPU()
		begun := time.Now()
		s, err := o.run(10 * o.calls)
		if err != nil {
			return failed("run: %s", "run：%s", err)
		}
		wall := time.Since(begun)
		after, _ := o.p.CPU()
		if last = clocked(s, a.Clock, seen{wall, after - before, known}); last.Verdict == Passed {
			return last
		}
	}
	return last
}

// seen is what a sample took from outside.
type seen struct {
	wall, cpu time.Duration
	known     bool // the CPU time
}

// clocked judges one sample: what is seen from outside has the worker's own work around the sample in it.
func clocked(s result.Sample, clock result.Clock, o seen) Outcome {
	const slack = 2 * time.Millisecond
	thread := time.Duration(s.Thread)
	switch {
	case time.Duration(s.Wall) < o.wall/2-slack:
		return failed("it says that a sample took %s of wall time, and its answer took %s; read a monotonic clock just before and after the calls",
			"其称一次采样的实际耗时为 %s，而回答用了 %s；请在调用前后紧接着读取单调时钟", time.Duration(s.Wall), o.wall)
	case !o.known:
		return passed("", "")
	case time.Duration(s.Process) > o.cpu+o.cpu/20+slack:
		return failed("it says %s of CPU time, and Linux says %s of its process; start it with exec, and read CLOCK_PROCESS_CPUTIME_ID",
			"其称 CPU 时间为 %s，而 Linux 记录该进程为 %s；请用 exec 启动，并读取 CLOCK_PROCESS_CPUTIME_ID", time.Duration(s.Process), o.cpu)
	case time.Duration(s.Process) < o.cpu/2-slack:
		return failed("it says %s of process CPU time, and Linux says %s; read CLOCK_PROCESS_CPUTIME_ID",
			"其称进程 CPU 时间为 %s，而 Linux 记录为 %s；请读取 CLOCK_PROCESS_CPUTIME_ID", time.Duration(s.Process), o.cpu)
	case (clock == "" || clock == result.ThreadClock) && thread < o.cpu/2-slack:
		return failed("it says %s of thread CPU time, and Linux says %s; read the clock of the thread that does the calls, or say clock: process in about",
			"其称线程 CPU 时间为 %s，而 Linux 记录为 %s；请读取执行调用的线程的时钟，或在 about 中声明 clock: process", thread, o.cpu)
	}
	return passed("", "")
}

// checks asks for the judgement of the last output twice: the second time it must be spoilt.
func (o *opened) checks(a worker.About) Outcome {
	ctx, cancel := o.within(o.ctx)
	defer cancel()
	if err := o.p.Check(ctx, o.handle); err != nil {
		return failed("check: %s", "check：%s", err)
	}
	if a.Unchecked {
		return passed("", "")
	}
	err := o.p.Check(ctx, o.handle)
	if f, ok := errors.AsType[*worker.Fault](err); ok && f.Kind == worker.Incorrect {
		return passed("", "")
	}
	return failed("a second check without a run passes; spoil the output when it was judged, and answer %s",
		"未经 run 的第二次 check 竟通过；判定后请破坏输出，并回答 %s", worker.Incorrect)
}

// output says how the digest stands to that of the laboratory's libraries.
func (o *opened) output(a worker.About, want string) Outcome {
	per := time.Duration(o.least)
	switch {
	case a.Unchecked:
		return noted("%s a call; its output is held against nothing", "每次调用 %s；其输出未与任何实现核对", per)
	case want == "" || a.Digest == "":
		return noted("%s a call; no other library's output to hold it against", "每次调用 %s；没有其他库的输出可供核对", per)
	case a.Digest != want:
		return noted("%s a call; its output is not that of the built-in libraries: it draws an input of its own, or is wrong",
			"每次调用 %s；其输出与内置库不同：它使用自有输入，或输出有误", per)
	}
	return passed("%s a call; counts scale, clocks agree, the output is that of the built-in libraries",
		"每次调用 %s；次数与时间成比例，时钟一致，输出与内置库相同", per)
}
