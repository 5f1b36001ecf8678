package check

import (
	"math"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

const (
	// fewNoisy is the share of trials that may be noisy for them to be left at that.
	fewNoisy = 0.1
	// mostNoisy is the share of them that may be too noisy to be guarded at all, in a
	// baseline that is kept.
	mostNoisy = 0.5
	// mostUndecided is the share of trials that may be undecided in a check that ends
	// fine, if a slowdown is excluded of each of them all the same (Slowdown.most).
	mostUndecided = 0.1
)

// passes measures speed in workers that are started anew for every block, and keeps
// what it shows as the baseline. What is so noisy that 15 % could hide is measured
// again, twice at most, and all of it taken. What then is as noisy is guarded
// coarsely; where most is too noisy even for that, or no speed is guarded at all, no
// baseline is kept: every check against it would pass.
func (s *session) passes() (Round, error) {
	var b *Baseline
	r, _, err := s.lookAt(passes, func(r *Round, seen []*measured) []*Trial {
		b = s.baseline(seen, r.Folders)
		noisy, timed := b.noisy(r.Trials, func(t *BaselineTrial) bool { return t.Coarse || t.Unguarded == whyNoise.EN })
		if worst(r.Trials) != Fine || float64(len(noisy)) <= fewNoisy*float64(timed) {
			return nil
		}
		return noisy
	})
	if err != nil {
		return r, err
	}
	b.mark(r.Trials)
	still, timed := b.noisy(r.Trials, func(t *BaselineTrial) bool { return t.Unguarded == whyNoise.EN })
	noisy := len(still)
	g := b.guards()
	if r.Verdict = worst(r.Trials); r.Verdict == Fine && (len(g.resolutions) == 0 || s.cutShort(g) || !worthKeeping(noisy, timed)) {
		r.Verdict = Inconclusive
	}
	if r.Verdict == Fine && s.ctx.Err() == nil {
		if err := b.Save(s.path); err != nil {
			return r, &OutputError{err}
		}
		s.report.Baseline = &BaselineRef{Path: s.path, Made: b.Made, Seed: b.Seed, New: true}
	}
	r.say(s.passesSay(r, g, noisy, timed), Wrong, Gone)
	return r, nil
}

// lookAt measures speed, and what judge leaves open again, in runs of its own. A regression tries abnormal inputs in
// the first of them alone: what a library does with them is no matter of noise, and trying takes from the budget.
func (s *session) lookAt(round string, judge func(*Round, []*measured) (open []*Trial)) (r Round, seen []*measured, err error) {
	r = Round{Round: round}
	var open []*Trial
	for part := round; len(seen) < looks; part = again {
		m, err := s.take(look{round: round, change: s.extent(part, speedBlocks, speedRounds, speedTarget, open),
			abnormal: round == regression && len(seen) == 0})
		if err != nil {
			return r, seen, err
		}
		r.Folders, seen = append(r.Folders, m.folder), append(seen, m)
		if outputs := s.outputs(m); len(seen) == 1 {
			r.Trials = append(outputs, s.gone(m)...)
		} else {
			judgeAgain(r.Trials, outputs)
		}
		if open = judge(&r, seen); len(open) == 0 || s.ctx.Err() != nil {
			break
		}
	}
	return r, seen, nil
}

// noisy are the trials of which that is so, and how many were timed, both on a CPU clock:
// a machine on which the noisy are many is not quiet, but on the wall's clock much is
// noisy anywhere.
func (b *Baseline) noisy(trials []*Trial, is func(*BaselineTrial) bool) (noisy []*Trial, timed int) {
	for _, t := range trials {
		then := b.find(t.ID)
		if then == nil || len(then.Ratios) == 0 || then.Clock != "" {
			continue
		}
		if timed++; is(then) {
			noisy = append(noisy, t)
		}
	}
	return noisy, timed
}

func worthKeeping(unguarded, timed int) bool { return float64(unguarded) <= mostNoisy*float64(timed) }

// cutShort says whether the user's budget left most trials without a baseline.
func (s *session) cutShort(g guards) bool {
	return s.Budget > 0 && float64(g.few) > mostNoisy*float64(len(g.resolutions)+g.noise+g.few)
}

func (s *session) passesSay(r Round, g guards, noisy, timed int) layout.Text {
	switch r.Verdict {
	case Inconclusive:
		return layout.Say("none was kept: %s", "未保存：%s", s.notKept(r, g, noisy, timed))
	case Fine:
	default:
		return layout.Say("none was kept", "未保存")
	}
	guarded := trialsOf(len(g.resolutions))
	if g.noise+g.few > 0 {
		others := layout.Text{EN: "are too noisy here", ZH: "在本机噪声过大"}
		switch {
		case g.noise > 0 && g.few > 0:
			others = layout.Text{EN: "are too noisy here or were measured in too few blocks", ZH: "在本机噪声过大或测量的数据组过少"}
		case g.few > 0:
			others = layout.Text{EN: "were measured in too few blocks", ZH: "测量的数据组过少"}
		}
		guarded = layout.Say("%d of %s (the others %s)", "%[2]s中的 %[1]d 个（其余%[3]s）",
			len(g.resolutions), trialsOf(len(g.resolutions)+g.noise+g.few), others)
	}
	hides := layout.Text{}
	if g.coarse > 0 {
		hides = layout.Say("; noise could hide a slowdown of 15 %% in %d of them",
			"；其中 %d 项噪声过大，变慢 15%% 也可能发现不了", g.coarse)
	}
	return layout.Say("the speed of %s will be checked against this baseline; a slowdown of %s is detected in the median trial, "+
		"of %s in the worst%s; saved as %s",
		"今后将检查 %s的速度：中位的测试项变慢 %s 即可发现，最差的一项须变慢 %s%s；已保存为 %s",
		guarded, percent(stat.Median(g.resolutions)), percent(slices.Max(g.resolutions)), hides, s.path)
}

// notKept says why there is no baseline, though every output was right, and what would help.
func (s *session) notKept(r Round, g guards, noisy, timed int) layout.Text {
	quiet := layout.Text{EN: "try when the machine is quiet (cryptogauge doctor)", ZH: "请在机器空闲时重试（cryptogauge doctor）"}
	switch {
	case len(g.resolutions)+g.noise+g.few == 0:
		return layout.Say("nothing of %s is timed, so no speed could be guarded; choose cases that are timed "+
			"(cryptogauge run --dry-run lists the cases)",
			"%s都不计时，没有速度可对照；请选择计时的测试项（cryptogauge run --dry-run 列出全部测试项）", trialsOf(len(r.Trials)))
	case s.cutShort(g):
		return layout.Say("--budget %[2]s leaves %[1]s too few blocks for their speed to be guarded; give more time, or leave --budget out",
			"--budget %[2]s 时间不足，%[1]s的数据组过少，速度无法对照；请增加时间，或不指定 --budget", trialsOf(g.few), s.Budget)
	case len(g.resolutions) > 0:
		return layout.Say("in %d of %s this machine's own noise could hide %s; %s", "%[2]s中有 %[1]d 个的噪声足以掩盖 %[3]s 的变化；%[4]s",
			noisy, trialsOf(timed), percent(mostCoarse), quiet)
	case g.noise == 0:
		return layout.Say("%s are measured in too few blocks for their speed to be guarded; choose others as well",
			"%s的数据组过少，速度无法对照；请同时选择其他测试项", trialsOf(g.few))
	}
	return layout.Say("%s are too noisy here for their speed to be guarded; %s", "%s在本机噪声过大，速度无法对照；%s", trialsOf(g.noise), quiet)
}

// guards is what a baseline holds of speeds.
type guards struct {
	resolutions []float64 // of the trials whose speed is guarded
	coarse      int       // how many of them are guarded coarsely
	noise, few  int       // trials that were timed and aren't guarded: their noise, or too few blocks
}

func (b *Baseline) guards() (g guards) {
	for _, t := range b.Trials {
		switch {
		case t.Control:
		case t.guarded():
			g.resolutions = append(g.resolutions, t.Resolution)
			if t.Coarse {
				g.coarse++
			}
		case t.Unguarded == whyNoise.EN:
			g.noise++
		case t.Unguarded == whyFew.EN:
			g.few++
		}
	}
	return g
}

// baseline makes a baseline of all that was seen, first of everything and then of some.
func (s *session) baseline(seen []*measured, folders []string) *Baseline {
	b := &Baseline{Schema: SchemaBaseline, Tool: s.Suite.Tool, Made: time.Now().UTC().Truncate(time.Second),
		Suite: s.Suite.Name, Selection: s.Suite.Selection, Seed: s.Suite.Setting.Seed,
		identity: s.id, Runs: []string{}, Passes: speedPasses, Outputs: map[string]string{}, Trials: []BaselineTrial{}}
	for _, earlier := range s.report.Rounds {
		b.Runs = append(b.Runs, earlier.Folders...)
	}
	b.Runs = append(b.Runs, folders...)
	m := seen[0]
	n := m.timedTrials()
	for _, t := range m.trials {
		if t.info.Digest != "" && t.row.Status != result.Incorrect {
			b.Outputs[caseKey(t.info.Case)] = t.info.Digest
		}
		switch {
		case t.reference:
			b.Trials = append(b.Trials, control(seen, t, n))
		case t.own():
		case t.row.Status == result.Incorrect && t.info.Exhibit:
			b.Trials = append(b.Trials, BaselineTrial{ID: t.id, Exhibit: true})
		case t.row.Status == result.OK || t.row.Status == result.Unstable:
			b.Trials = append(b.Trials, guard(seen, t, n))
		}
	}
	return b
}

// pooled are the blocks of a trial against a reference, over all looks.
func pooled(seen []*measured, id, reference string) (blocks []float64) {
	for _, look := range seen {
		if t := look.byID[id]; t != nil {
			blocks = append(blocks, usable(look.against(t, reference))...)
		}
	}
	return blocks
}

// timedTrials counts the trials whose speed is looked at: they share one error.
func (m *measured) timedTrials() (n int) {
	for _, t := range m.trials {
		if t.samples && !t.own() {
			n++
		}
	}
	return max(n, 1)
}

// guard is what a baseline keeps of a trial.
func guard(seen []*measured, t *timed, trials int) BaselineTrial {
	b := BaselineTrial{ID: t.id, Clock: t.info.Clock}
	for _, look := range seen {
		if found := look.byID[t.id]; found != nil {
			if _, most, bytes, ok := look.allocs(found.info.Index); ok && (b.Allocs == nil || most > *b.Allocs) {
				b.Allocs, b.AllocBytes = &most, &bytes
			}
		}
	}
	if !t.samples {
		if !t.checked { // no block of it came to its end; where one did, it is not timed
			b.Unguarded = whyFew.EN
		}
		return b
	}
	b.hold(seen, plan.ReferenceCases(), trials)
	return b
}

var (
	whyAlone = layout.Text{EN: "there is no fixed work beside it", ZH: "没有可对照的参照负载"}
	whyFew   = layout.Text{EN: "it is measured in too few blocks", ZH: "测量的数据组过少"}
	whyNoise = layout.Text{EN: "its own noise could hide 50 %", ZH: "自身噪声足以掩盖 50% 的变化"}
)

func (t BaselineTrial) why() layout.Text {
	for _, why := range []layout.Text{whyAlone, whyFew, whyNoise} {
		if t.Unguarded == why.EN {
			return why
		}
	}
	return layout.Same(t.Unguarded)
}

// hold keeps the blocks of a trial against one of some references: the one against which the least will show. It derives
// what the baseline promises of it.
func (b *BaselineTrial) hold(seen []*measured, references []result.Case, trials int) {
	var logs []float64
	var p precision
	for _, c := range references {
		blocks := pooled(seen, b.ID, c.Name())
		if len(blocks) == 0 {
			continue
		}
		if with := precisionOf(blocks, trials); logs == nil || with.resolution < p.resolution {
			p, b.Reference, logs = with, c.Name(), blocks
		}
	}
	switch {
	case logs == nil:
		b.Unguarded = whyAlone.EN
		return
	case len(logs) < stat.MinBlocks(stat.FamilyLevel(trials*looks)):
		b.Unguarded = whyFew.EN
	case !p.ok:
		b.Unguarded = whyNoise.EN
	}
	b.Tolerance, b.Resolution, b.Coarse = finite(p.tolerance), finite(p.resolution), p.ok && !p.sharp
	b.Ratios = document.Mapped(logs, math.Exp)
}

func finite(x float64) float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return 0
	}
	return x
}

func (t BaselineTrial) logs() []float64 { return document.Mapped(t.Ratios, math.Log) }

// control is what a baseline keeps of a reference: how it stands to the first one,
// which nothing but the machine can change.
func control(seen []*measured, t *timed, trials int) BaselineTrial {
	b := BaselineTrial{ID: t.id, Control: true}
	if first := plan.ReferenceCases()[:1]; t.info.Case.Name() != first[0].Name() {
		b.Reference = first[0].Name()
		b.hold(seen, first, trials)
	}
	return b
}

func (b *Baseline) mark(trials []*Trial) {
	for _, t := range trials {
		then := b.find(t.ID)
		if then == nil {
			continue
		}
		if t.Reference, t.AllocsNow = then.Reference, then.Allocs; t.Verdict == Fine && then.Unguarded != "" {
			t.Verdict, t.Reason = Unguarded, then.why()
		}
	}
}
