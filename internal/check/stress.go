package check

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// stress gives everything ten times the load of screening, in workers that live
// through all of it. What is unsteady is given it once more, alone, and counts only
// where it is unsteady again: a neighbour that came in the last quarter is not the
// library's.
func (s *session) stress() (Round, error) {
	all := memories{}
	m, err := s.take(look{round: stress, change: s.stressed(&all, nil)})
	if err != nil {
		return Round{}, err
	}
	r := Round{Round: stress, Folders: []string{m.folder}, Trials: s.outputs(m)}
	busy := judgeStress(m, r.Trials)
	grown := all.grown()
	if doubted := withVerdict(r.Trials, Unsteady); len(doubted) > 0 && s.ctx.Err() == nil {
		m, err := s.take(look{round: stress, change: s.stressed(&memories{}, doubted)})
		if err != nil {
			return r, err
		}
		r.Folders = append(r.Folders, m.folder)
		second := s.outputs(m)
		busy = judgeStress(m, second) || busy
		judgeAgain(doubted, second)
	}
	r.Verdict = worst(r.Trials)
	if len(grown) > 0 && r.Verdict == Fine {
		r.Verdict = Failed
	}
	if r.Verdict == Fine && count(r.Trials, Inconclusive) > 0 {
		r.Verdict = Inconclusive
	}
	if busy && r.Verdict == Failed && len(grown) == 0 && count(r.Trials, Gone) == 0 {
		r.Verdict = Inconclusive
	}
	r.say(stressSays(r, busy), Wrong, Gone, Unsteady)
	r.Says = append(r.Says, grown...)
	return r, nil
}

func (s *session) stressed(all *memories, only []*Trial) func(*suite.Config) {
	return func(c *suite.Config) {
		s.extent(stress, 1, s.stressFor(), stressTarget, only)(c)
		c.Watch = func(key plan.WorkerKey, p *worker.Process) measure.Worker {
			return &watched{Process: p, all: all, key: key}
		}
	}
}

func stressSays(r Round, busy bool) layout.Text {
	tested := len(slices.DeleteFunc(slices.Clone(r.Trials), func(t *Trial) bool { return t.Stress == nil }))
	switch {
	case r.Verdict == Fine && tested == 0:
		return layout.Say("ten times the load: no error, no growth in memory; nothing that is timed",
			"10 倍负载：无错误，内存未增长；没有计时项")
	case r.Verdict == Fine:
		return layout.Say("ten times the load: no error, no growth in memory; rate and tail of %s end as they began",
			"10 倍负载：无错误，内存未增长；%s的速率与尾部延迟始终稳定", trialsOf(tested))
	case r.Verdict == Inconclusive && count(r.Trials, Inconclusive) > 0:
		return uncheckedSay(count(r.Trials, Inconclusive))
	case r.Verdict == Inconclusive && busy:
		return layout.Say("something changed under stress, but the fixed work beside it changed too: the machine was busy",
			"压力下出现变化，但固定参照负载也发生了变化：机器繁忙")
	case r.Verdict == Wrong:
		return wrongSays(r.Trials)
	}
	return layout.Say("not everything holds under ten times the load", "10 倍负载下未能全部保持稳定")
}

// judgeStress holds the last quarter of every trial's samples against the first, and
// says whether the references themselves did not end as they began.
func judgeStress(m *measured, trials []*Trial) (busy bool) {
	tested := m.timedTrials()
	for _, t := range trials {
		found := m.byID[t.ID]
		if found == nil || !found.samples || t.Verdict != Fine {
			continue
		}
		reference, ok := m.calmest(found)
		if !ok {
			continue
		}
		x := quarters(m, found.info.Index, reference, tested)
		if !x.tested {
			continue
		}
		t.Reference, t.Stress = m.referenceName(reference), &x.Stress
		switch {
		case x.slower:
			t.Verdict, t.Reason = Unsteady, layout.Say("in the last quarter it takes %s times as long as in the first",
				"最后四分之一的耗时是最初四分之一的 %s 倍", ratioRange(x.Change, x.Low, x.High))
		case x.tail:
			t.Verdict, t.Reason = Unsteady, layout.Say(
				"its tail grows: %d samples of the last quarter took more than 1.5 times the median, %d of the first",
				"尾部延迟变长：最后四分之一有 %d 个采样超过中位数的 1.5 倍，最初四分之一为 %d 个", x.TailLast, x.TailFirst)
		}
	}
	return m.restless()
}

func quarters(m *measured, trial, reference, tested int) steadiness {
	ratios, times := m.rounds(trial, reference)
	return steady(ratios, times, tested)
}

// restless says whether the references moved against each other between the
// quarters, or their tail grew: that is the machine.
func (m *measured) restless() bool {
	for i, t := range m.trials {
		if !t.reference {
			continue
		}
		for _, other := range t.references {
			if x := quarters(m, i, other, 1); x.tested && (x.slower || x.tail) {
				return true
			}
		}
	}
	return false
}

func (m memories) grown() (lines []Line) {
	for _, s := range m {
		if first, last, grew := growth(s.bytes); grew {
			lines = append(lines, Line{layout.Stop, layout.Say("the memory of %s's worker grew from %s to %s", "%s 的工作进程内存从 %s 增长到 %s",
				s.key.Library, layout.FormatSize(int64(first)), layout.FormatSize(int64(last)))})
		}
	}
	return lines
}

func ratioRange(ratio, low, high float64) string {
	return fmt.Sprintf("%.3g (%.3f–%.3f)", ratio, low, high)
}

// Under stress a trial is held against itself: the last quarter of its samples
// against the first.

const (
	// stressMargin is the change of rate between the quarters that counts as none.
	stressMargin = 0.05
	// tailBeyond marks a sample as one of the tail: so many times the trial's median.
	tailBeyond = 1.5
	// leastRounds are the fewest samples whose quarters say anything.
	leastRounds = 32
)

type steadiness struct {
	Stress
	tested       bool
	slower, tail bool
}

// steady compares the quarters of one of m trials. ratios are the log ratios to a
// reference, times the times themselves, both in order of time.
func steady(ratios, times []float64, m int) (s steadiness) {
	ratios, times = usable(ratios), usable(times)
	q := min(len(ratios), len(times)) / 4
	if 4*q < leastRounds {
		return s
	}
	s.tested = true
	first, last := ratios[:q], ratios[len(ratios)-q:]
	var ok bool // at the level as in compare: one false alarm fails the gate
	s.Change, s.Low, s.High, ok = quotient(first, last, stat.FamilyLevel(m))
	s.slower = ok && s.Low > 1+stressMargin
	s.P50, s.P99 = stat.Quantile(times, 0.5)*1e9, stat.Quantile(times, 0.99)*1e9
	s.TailFirst, s.TailLast = beyond(times[:q], s.P50), beyond(times[len(times)-q:], s.P50)
	// Were the tail of the last quarter no longer than the first's, each of its samples would fall into either with
	// the same chance (the sign test).
	s.tail = s.TailLast > s.TailFirst && signTail(s.TailFirst+s.TailLast, s.TailLast) <= 0.01/float64(m)
	return s
}

func beyond(times []float64, p50 float64) (n int) {
	for _, t := range times {
		if t*1e9 > tailBeyond*p50 {
			n++
		}
	}
	return n
}

// signTail is the chance that of n fair coins at least k show heads.
func signTail(n, k int) (p float64) {
	for i := k; i <= n; i++ {
		all, _ := math.Lgamma(float64(n + 1))
		in, _ := math.Lgamma(float64(i + 1))
		out, _ := math.Lgamma(float64(n - i + 1))
		p += math.Exp(all - in - out - float64(n)*math.Ln2)
	}
	return min(p, 1)
}

// Memory of a worker grows where every quarter of its readings lies above the one
// before, and the last above the first by more than what the garbage collector's heap
// breathes.
const (
	memoryMargin = 8 << 20
	memoryShare  = 0.10
	leastReads   = 8
)

// growth returns the medians of the first and of the last quarter, and whether
// memory grew in between.
func growth(reads []float64) (first, last float64, grew bool) {
	if len(reads) < leastReads {
		return 0, 0, false
	}
	var q [4]float64
	for k := range q {
		q[k] = stat.Median(reads[k*len(reads)/4 : (k+1)*len(reads)/4])
	}
	first, last = q[0], q[3]
	rising := q[0] < q[1] && q[1] < q[2] && q[2] < q[3]
	return first, last, rising && last-first > max(memoryMargin, memoryShare*first)
}

// memoryEvery is how many samples lie between two readings of a worker's memory.
const memoryEvery = 16

// memories are how much memory the workers hold, in series: one for each worker and
// group, since the next group has other buffers.
type memories []*series

type series struct {
	key   plan.WorkerKey
	bytes []float64
}

// watched reads the worker's memory between its samples, from outside.
type watched struct {
	*worker.Process
	key     plan.WorkerKey
	all     *memories
	current *series
	samples int
}

// Open begins a new series: what a trial needs is no growth.
func (w *watched) Open(ctx context.Context, handle int, t result.Trial, block int, digest string) (worker.About, error) {
	w.current = &series{key: w.key}
	*w.all = append(*w.all, w.current)
	return w.Process.Open(ctx, handle, t, block, digest)
}

func (w *watched) Run(ctx context.Context, handle int, calls int64) (result.Sample, error) {
	s, err := w.Process.Run(ctx, handle, calls)
	if w.samples++; err == nil && w.samples%memoryEvery == 0 {
		if bytes, ok := w.Memory(); ok {
			w.current.bytes = append(w.current.bytes, float64(bytes))
		}
	}
	return s, err
}
