package check

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

func (s *session) gone(m *measured) (trials []*Trial) {
	if s.base == nil || m.doc.Partial || s.Suite.Tool != s.base.Tool { // another program may ask other things
		return nil
	}
	for _, b := range s.base.Trials {
		if !b.Control && !b.Exhibit && m.byID[b.ID] == nil {
			trials = append(trials, &Trial{ID: b.ID, Verdict: Gone, name: layout.Same(b.ID),
				Reason: layout.Say("this library does not run it here any more, or not in this kernel", "该库在本机已不再运行此项，或不再使用该内核")})
		}
	}
	return trials
}

// judgeAgain takes what a later look at trials found to be wrong or gone, whatever it found of those that were not
// checked before, and takes the verdict back from those that were unsteady and are not found to be so again.
func judgeAgain(trials, later []*Trial) {
	again := map[string]*Trial{}
	for _, t := range later {
		again[t.ID] = t
	}
	for _, t := range trials {
		switch now := again[t.ID]; {
		case now == nil:
		case t.unchecked():
			t.Verdict, t.Reason = now.Verdict, now.Reason
			t.answered, t.compared, t.redrawn = now.answered, now.compared, now.redrawn
		case now.Verdict == Wrong || now.Verdict == Gone:
			t.Verdict, t.Reason = now.Verdict, now.Reason
		case t.Verdict == Unsteady && (now.Verdict == Fine || now.Verdict == Inconclusive):
			t.Verdict, t.Reason, t.Stress = now.Verdict, now.Reason, now.Stress
		}
	}
}

// regression measures what the baseline holds, and what is not fine again.
func (s *session) regression() (Round, error) {
	r, seen, err := s.lookAt(regression, func(r *Round, seen []*measured) []*Trial {
		if s.judgeSpeed(r.Trials, seen); count(r.Trials, Wrong) > 0 {
			return nil
		}
		return withVerdict(r.Trials, Slower, Inconclusive)
	})
	if err != nil {
		return r, err
	}
	doubt := s.doubt(seen)
	r.Verdict, r.Abnormal = s.decide(r.Trials, doubt), countAbnormal(seen[0].tried)
	r.held()
	r.say(s.regressionSays(r), Wrong, Gone, Slower, Allocates)
	if doubt != (layout.Text{}) {
		r.Says = append(r.Says, Line{layout.Unclear, doubt})
	}
	if r.Verdict == Inconclusive {
		r.Says = append(r.Says, named(r.Trials, Inconclusive)...)
	}
	r.Says = slices.Concat(r.Says, abnormalLines(r.Abnormal), remarks(r.Trials), defects(r.Trials))
	return r, nil
}

// judgeSpeed holds the trials against the baseline, over all looks there were.
func (s *session) judgeSpeed(trials []*Trial, seen []*measured) {
	m := len(s.base.guards().resolutions) // of the trials whose speed is guarded
	for _, t := range trials {
		then := s.base.find(t.ID)
		switch {
		case t.Verdict != Fine && t.Verdict != Slower && t.Verdict != Inconclusive:
			continue
		case t.unchecked():
			continue
		case then == nil:
			t.Verdict = New
			continue
		case then.guarded():
			judgeTrial(t, then, seen, m)
		case then.Unguarded != "":
			t.Verdict, t.Reason = Unguarded, then.why()
		}
		judgeAllocs(t, then, seen)
	}
}

func judgeTrial(t *Trial, then *BaselineTrial, seen []*measured, m int) {
	var now [][]float64
	for _, look := range seen {
		if blocks := pooled([]*measured{look}, t.ID, then.Reference); len(blocks) > 0 {
			now = append(now, blocks)
		}
	}
	t.Reference = then.Reference
	if len(now) == 0 {
		t.Verdict, t.Reason = Inconclusive, layout.Say("it was not measured to the end", "未测量完成")
		return
	}
	x := compare(then.logs(), slices.Concat(now...), m)
	t.Slowdown = &Slowdown{x.ratio, x.low, x.high, x.top, then.Tolerance, then.Resolution, then.Coarse, len(now)}
	t.Verdict, t.Reason = judgeLooks(then.logs(), now, then.Tolerance, then.Resolution, m), layout.Text{}
	switch t.Verdict {
	case Slower, Faster:
		t.Reason = layout.Say("it takes %s times as long as in the baseline", "耗时为基线的 %s 倍", ratioRange(x.ratio, x.low, x.high))
	case Inconclusive:
		t.Reason = layout.Say("%s times as long as in the baseline: a slowdown of up to %s can't be excluded",
			"耗时为基线的 %s 倍：不能排除最多 %s 的变慢", ratioRange(x.ratio, x.least, x.top), percent(x.top-1))
	}
}

// judgeAllocs fails a trial that allocates more in every block than in any of the
// baseline's: no noise raises a count, and where it is chance (an algorithm that draws
// again, goroutines that the runtime makes anew) the blocks have seen that.
func judgeAllocs(t *Trial, then *BaselineTrial, seen []*measured) {
	least, ok := 0.0, false
	for i := 0; i < len(seen) && !ok; i++ { // the first look that came to it
		if found := seen[i].byID[t.ID]; found != nil {
			least, _, _, ok = seen[i].allocs(found.info.Index)
		}
	}
	if then.Allocs == nil || !ok {
		return
	}
	t.AllocsThen, t.AllocsNow = then.Allocs, &least
	if least > *then.Allocs && t.Verdict != Slower {
		t.Verdict, t.Reason = Allocates, layout.Say("%s objects allocated per operation, %s in the baseline",
			"每次操作分配 %s 个对象，基线为 %s 个", layout.FormatCount(least), layout.FormatCount(*then.Allocs))
	}
}

// doubt says why no slowdown can be believed now: the references stand to each
// other in another way than in the baseline, or confidence in the run is low.
func (s *session) doubt(seen []*measured) layout.Text {
	controls := slices.DeleteFunc(slices.Clone(s.base.Trials), func(b BaselineTrial) bool {
		return !b.Control || len(b.Ratios) == 0
	})
	for _, b := range controls {
		for _, look := range seen {
			t := look.byID[b.ID]
			if t == nil {
				continue
			}
			x := compare(b.logs(), look.against(t, b.Reference), len(controls)*len(seen))
			if most := 1 + max(b.Tolerance, leastTolerance); x.ok && (x.low > most || x.high < 1/most) {
				return layout.Say("the machine is not as it was: fixed work (%s against %s) takes %s times as long as in the baseline; slowdowns count as undecided",
					"机器状态与基线时不同：固定参照负载（%s 相对 %s）耗时为基线的 %s 倍；变慢按未定处理", t.info.Case.Name(), b.Reference, ratioRange(x.ratio, x.low, x.high))
			}
		}
	}
	for _, look := range seen {
		if trust := look.doc.Trust; trust.Level == document.TrustLow {
			return layout.Say("confidence in this run is low: %s; slowdowns count as undecided", "本次运行可信度低：%s；变慢按未定处理", trust.Reasons[0])
		}
	}
	return layout.Text{}
}

// decide is the verdict of a regression. Undecided trials are tolerated where they
// are few and 15 % can be excluded of each, or half where it is guarded coarsely.
func (s *session) decide(trials []*Trial, doubt layout.Text) Verdict {
	for _, t := range trials {
		if doubt != (layout.Text{}) && t.Verdict == Slower {
			t.Verdict = Inconclusive
		}
	}
	if v := worst(trials); v != Fine {
		return v
	}
	guarded, open := 0, 0
	for _, t := range trials {
		if t.Slowdown != nil {
			guarded++
		}
		if t.Verdict != Inconclusive {
			continue
		}
		excluded := sharp
		if open++; t.Slowdown != nil && t.Slowdown.Coarse {
			excluded = mostCoarse
		}
		if t.Slowdown == nil || t.Slowdown.Excluded > 1+excluded {
			return Inconclusive
		}
	}
	if guarded == 0 || float64(open) > mostUndecided*float64(guarded) {
		return Inconclusive // a gate that guards nothing lets everything pass
	}
	return Fine
}

func (s *session) regressionSays(r Round) layout.Text {
	guarded, coarse := 0, 0
	var widest, widestCoarse float64
	for _, t := range r.Trials {
		switch {
		case t.Slowdown == nil:
			continue
		case t.Slowdown.Coarse:
			coarse++
			widestCoarse = max(widestCoarse, t.Slowdown.Excluded-1)
		default:
			widest = max(widest, t.Slowdown.Excluded-1)
		}
		guarded++
	}
	made, outputs, undecided := s.made(), s.outputsSay(r.Trials), count(r.Trials, Inconclusive)
	open := countUnchecked(r.Trials) // which is said of their outputs
	undecided -= open
	switch {
	case r.Verdict == Wrong:
		return wrongSays(r.Trials)
	case r.Verdict == Failed:
		return layout.Say("%d of %s not as on %s", "%[2]s中有 %[1]d 个与 %[3]s 的基线不符",
			count(r.Trials, Slower, Allocates, Gone), trialsOf(len(r.Trials)), made)
	case r.Verdict == Inconclusive && guarded+undecided+open == 0:
		return layout.Say("%s; no speed is guarded by the baseline of %s: make one that does with --new-baseline",
			"%s；%s 的基线没有速度对照项：请用 --new-baseline 重新建立", outputs, made)
	case r.Verdict == Inconclusive && undecided == 0:
		return outputs
	case r.Verdict == Inconclusive:
		return layout.Say("%s; the speed of %d of %s is undecided", "%[1]s；%[3]s中有 %[2]d 个的速度未能判定",
			outputs, undecided, trialsOf(guarded))
	case 0 < coarse && coarse < guarded:
		return layout.Say("%s; nothing is slower (%s); a slowdown of %s or more is excluded for %d, one of %s or more for the others, "+
			"which are noisy here",
			"%s；%s均未变慢；其中 %[4]d 项可排除 %[3]s 及以上的变慢，其余在本机噪声较大，可排除 %[5]s 及以上的变慢",
			outputs, trialsOf(guarded), percent(widest), guarded-coarse, percent(widestCoarse))
	}
	return layout.Say("%s; nothing is slower (%s); a slowdown of %s or more is excluded for each",
		"%s；%s均未变慢；各项均可排除 %s 及以上的变慢", outputs, trialsOf(guarded), percent(max(widest, widestCoarse)))
}

func remarks(trials []*Trial) (lines []Line) {
	for _, of := range []struct {
		verdict Verdict
		en, zh  string
	}{
		{Faster, "faster than in the baseline: %d; --new-baseline would hold them to it", "%d 项比基线更快；可用 --new-baseline 更新基线"},
		{New, "not in the baseline: %d", "%d 项不在基线中"},
		{Unguarded, "right, and their speed not guarded: %d", "输出正确但不作速度对照：%d 项"},
	} {
		if n := count(trials, of.verdict); n > 0 {
			lines = append(lines, Line{layout.Plain, layout.Say(of.en, of.zh, n)})
		}
	}
	return lines
}
