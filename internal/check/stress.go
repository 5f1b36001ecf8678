package check

import (
	"fmt"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/suite"
)

// stress gives everything ten times the load of screening, in workers that live
// through all of it. What is unsteady is given it once more, alone, and counts only
// where it is unsteady again: a neighbour that came in the last quarter is not the
// library's.
func (s *session) stress() (Round, error) {
	all := &memories{}
	m, err := s.measure(stress, s.stressed(all, nil))
	if err != nil {
		return Round{}, err
	}
	r := Round{Round: stress, Folders: []string{m.folder}, Trials: s.outputs(m)}
	busy := judgeStress(m, r.Trials)
	grown := all.grown()
	if doubted := withVerdict(r.Trials, Unsteady); len(doubted) > 0 && s.ctx.Err() == nil {
		again := &memories{}
		m, err := s.measure(stress, s.stressed(again, doubted))
		if err != nil {
			return r, err
		}
		r.Folders = append(r.Folders, m.folder)
		second := s.outputs(m)
		busy = judgeStress(m, second) || busy
		confirm(r.Trials, second)
	}
	r.Verdict = worst(r.Trials)
	if len(grown) > 0 && r.Verdict == Fine {
		r.Verdict = Failed
	}
	if busy && r.Verdict == Failed && len(grown) == 0 && count(r.Trials, Gone) == 0 {
		r.Verdict = Inconclusive
	}
	r.say(stressSays(r, busy), Wrong, Gone, Unsteady)
	r.Says = append(r.Says, grown...)
	return r, nil
}

func (s *session) stressed(all *memories, only []Trial) func(*suite.Config) {
	return func(c *suite.Config) {
		s.extent(stress, 1, s.stressFor(), stressTarget)(c)
		c.Watch = all.watch
		if only != nil {
			c.Keep = keepOnly(only)
		}
	}
}

func stressSays(r Round, busy bool) layout.Text {
	tested := len(slices.DeleteFunc(slices.Clone(r.Trials), func(t Trial) bool { return t.Stress == nil }))
	switch {
	case r.Verdict == Fine && tested == 0:
		return layout.Say("ten times the load: no error, no growth in memory; nothing that is timed",
			"10 倍负载：无错误，内存未增长；没有计时项")
	case r.Verdict == Fine:
		return layout.Say("ten times the load: no error, no growth in memory; rate and tail of %s end as they began",
			"10 倍负载：无错误，内存未增长；%s的速率与尾部延迟始终稳定", trialsOf(tested))
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
func judgeStress(m *measured, trials []Trial) (busy bool) {
	tested := m.timedTrials()
	for i := range trials {
		t := m.find(trials[i].ID)
		if t == nil || !t.samples || trials[i].Verdict != Fine {
			continue
		}
		reference, ok := m.calmest(t)
		if !ok {
			continue
		}
		x := quarters(m, t.info.Index, reference, tested)
		if !x.tested {
			continue
		}
		trials[i].Reference = m.referenceName(reference)
		trials[i].Stress = &x.Stress
		switch {
		case x.slower:
			trials[i].Verdict, trials[i].Reason = Unsteady, layout.Say("in the last quarter it takes %s times as long as in the first",
				"最后四分之一的耗时是最初四分之一的 %s 倍", ratioRange(x.Change, x.Low, x.High))
		case x.tail:
			trials[i].Verdict, trials[i].Reason = Unsteady, layout.Say(
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
	for i := range m.trials {
		t := &m.trials[i]
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

// confirm takes the verdict back from trials that were not unsteady twice.
func confirm(trials, second []Trial) {
	again := map[string]Trial{}
	for _, t := range second {
		again[t.ID] = t
	}
	for i := range trials {
		if trials[i].Verdict != Unsteady {
			continue
		}
		if t := again[trials[i].ID]; t.Verdict == Fine {
			trials[i].Verdict, trials[i].Reason, trials[i].Stress = Fine, layout.Text{}, t.Stress
		} else if t.Verdict == Wrong || t.Verdict == Gone {
			trials[i].Verdict, trials[i].Reason = t.Verdict, t.Reason
		}
	}
}

func (m *memories) grown() (lines []Line) {
	for _, s := range m.series {
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
