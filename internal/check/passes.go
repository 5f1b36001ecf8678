package check

import (
	"math"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/experiment"
	"github.com/cryptogauge/cryptogauge/internal/report"
	"github.com/cryptogauge/cryptogauge/internal/suite"
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
// coarsely; where most is too noisy even for that, no baseline is kept.
func (s *session) passes() (Round, error) {
	m, err := s.measure(passes, s.extent(passes, speedBlocks, speedRounds, speedTarget))
	if err != nil {
		return Round{}, err
	}
	r := Round{Round: passes, Folders: []string{m.folder}, Trials: s.outputs(m)}
	seen := []*measured{m}
	b := s.baseline(seen, r.Folders)
	for len(seen) < looks && worst(r.Trials) == Fine && s.ctx.Err() == nil {
		noisy, timed := b.noisy(r.Trials)
		if float64(len(noisy)) <= fewNoisy*float64(timed) {
			break
		}
		again, err := s.measure(passes, func(c *suite.Config) {
			s.extent(again, speedBlocks, speedRounds, speedTarget)(c)
			c.Keep = keepOnly(noisy)
		})
		if err != nil {
			return r, err
		}
		r.Folders, seen = append(r.Folders, again.folder), append(seen, again)
		judgeAgain(r.Trials, s.outputs(again))
		b = s.baseline(seen, r.Folders)
	}
	unguarded, timed := b.mark(r.Trials)
	if r.Verdict = worst(r.Trials); r.Verdict == Fine && !worthKeeping(unguarded, timed) {
		r.Verdict = Inconclusive
	}
	if r.Verdict == Fine && s.ctx.Err() == nil {
		if err := b.Save(s.path); err != nil {
			return r, &OutputError{err}
		}
		s.report.Baseline = &BaselineRef{Path: s.path, Made: b.Made, Seed: b.Seed, New: true}
	}
	r.Says = append([]Line{{markOf(r.Verdict), s.passesSay(r, b, unguarded, timed)}}, named(r.Trials, Wrong, Gone)...)
	return r, nil
}

// noisy are the trials in whose noise 15 % could hide, and how many were timed, both
// on a CPU clock: on the wall's much is noisy anywhere.
func (b *Baseline) noisy(trials []Trial) (noisy []Trial, timed int) {
	for _, t := range trials {
		then := b.find(t.ID)
		if then == nil || len(then.Ratios) == 0 || then.Clock != "" {
			continue
		}
		if timed++; then.Coarse || then.Unguarded == becauseNoise.EN {
			noisy = append(noisy, t)
		}
	}
	return noisy, timed
}

// worthKeeping says whether a baseline guards enough, of the trials timed on a CPU clock.
func worthKeeping(unguarded, timed int) bool { return float64(unguarded) <= mostNoisy*float64(timed) }

func (s *session) passesSay(r Round, b *Baseline, unguarded, timed int) report.Text {
	switch r.Verdict {
	case Inconclusive:
		return report.Say("none was kept: in %d of %s this machine's own noise could hide %s; try when it is quiet (cryptogauge doctor)", "未保存：%[2]s中有 %[1]d 个的噪声足以掩盖 %[3]s 的变化；请在机器空闲时重试（cryptogauge doctor）", unguarded, trialsOf(timed), percent(mostCoarse))
	case Fine:
	default:
		return report.Say("none was kept", "未保存")
	}
	resolutions, coarse, noise := b.guards()
	switch {
	case len(resolutions)+noise == 0:
		return report.Say("outputs alone, for nothing was timed; kept as %s", "仅含输出（没有计时项）；已保存为 %s", s.path)
	case len(resolutions) == 0:
		return report.Say("outputs alone: %s are too noisy here for their speed to be guarded; kept as %s", "仅含输出：%s在本机噪声过大，速度无法对照；已保存为 %s", trialsOf(noise), s.path)
	}
	guarded := trialsOf(len(resolutions))
	if noise > 0 {
		guarded = report.Say("%d of %s, the others are too noisy here", "%[2]s中的 %[1]d 个（其余在本机噪声过大）", len(resolutions), trialsOf(len(resolutions)+noise))
	}
	hides := report.Text{}
	if coarse > 0 {
		hides = report.Say("; in the noise of %d of them 15 %% could hide", "；其中 %d 项的噪声可能掩盖 15 %% 的变慢", coarse)
	}
	return report.Say("speed is guarded for %s; slowdowns of %s will show in the median trial, of %s in the worst%s; kept as %s",
		"此后对照 %s的速度：中位项可发现 %s 的变慢，最差项为 %s%s；已保存为 %s",
		guarded, percent(stat.Median(resolutions)), percent(slices.Max(resolutions)), hides, s.path)
}

// guards are the resolutions of the trials whose speed is guarded, how many of them are
// coarsely, and how many were timed and are too noisy even for that.
func (b *Baseline) guards() (resolutions []float64, coarse, noise int) {
	for _, t := range b.Trials {
		switch {
		case t.Control:
		case t.guarded():
			resolutions = append(resolutions, t.Resolution)
			if t.Coarse {
				coarse++
			}
		case t.Unguarded == becauseNoise.EN:
			noise++
		}
	}
	return resolutions, coarse, noise
}

// baseline makes a baseline of all that was seen, first of everything and then of some.
func (s *session) baseline(seen []*measured, folders []string) *Baseline {
	b := &Baseline{Schema: SchemaBaseline, Tool: s.Suite.Tool, Made: time.Now().UTC().Truncate(time.Second),
		Suite: s.Suite.Name, Selection: s.Suite.Selection, Seed: s.Suite.Setting.Seed,
		Machine: s.id.machine, Libraries: s.id.libraries, Environment: s.id.environment, Dir: s.id.dir, Runs: []string{}, Passes: speedPasses, Outputs: map[string]string{}, Trials: []BaselineTrial{}}
	for _, earlier := range s.report.Rounds {
		b.Runs = append(b.Runs, earlier.Folders...)
	}
	b.Runs = append(b.Runs, folders...)
	m := seen[0]
	n := m.timedTrials()
	for i := range m.trials {
		t := &m.trials[i]
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
		if t := look.find(id); t != nil {
			blocks = append(blocks, usable(look.against(t, reference))...)
		}
	}
	return blocks
}

// timedTrials counts the trials whose speed is looked at: they share one error.
func (m *measured) timedTrials() (n int) {
	for i := range m.trials {
		if t := &m.trials[i]; t.samples && !t.own() {
			n++
		}
	}
	return max(n, 1)
}

// guard is what a baseline keeps of a trial: among the references the one against
// which the least will show.
func guard(seen []*measured, t *timed, trials int) BaselineTrial {
	b := BaselineTrial{ID: t.id, Clock: t.info.Clock}
	for _, look := range seen {
		if found := look.find(t.id); found != nil {
			if _, most, bytes, ok := look.allocs(found.info.Index); ok && (b.Allocs == nil || most > *b.Allocs) {
				b.Allocs, b.AllocBytes = &most, &bytes
			}
		}
	}
	if !t.samples {
		return b
	}
	least := math.Inf(1)
	for _, c := range experiment.ReferenceCases() {
		blocks := pooled(seen, t.id, c.Name())
		if len(blocks) == 0 {
			continue
		}
		if p := precisionOf(blocks, speedPasses, trials); b.Ratios == nil || p.resolution < least {
			least, b.Reference, b.Ratios = p.resolution, c.Name(), blocks
		}
	}
	b.settle(trials)
	return b
}

// Why a trial's speed is not guarded.
var (
	becauseAlone = report.Text{EN: "there is no fixed work beside it", ZH: "旁边没有固定参照负载"}
	becauseFew   = report.Text{EN: "it is measured in too few blocks", ZH: "测量的区组过少"}
	becauseNoise = report.Text{EN: "its own noise could hide 50 %", ZH: "自身噪声足以掩盖 50 % 的变化"}
)

// because is the reason in both languages.
func (t BaselineTrial) because() report.Text {
	for _, why := range []report.Text{becauseAlone, becauseFew, becauseNoise} {
		if t.Unguarded == why.EN {
			return why
		}
	}
	return report.Same(t.Unguarded)
}

// settle derives what the baseline promises, and gives the ratios as ratios.
func (b *BaselineTrial) settle(trials int) {
	if b.Ratios == nil {
		b.Unguarded = becauseAlone.EN
		return
	}
	p := precisionOf(b.Ratios, speedPasses, trials)
	switch {
	case len(b.Ratios) < stat.MinBlocks(stat.FamilyLevel(trials*looks)):
		b.Unguarded = becauseFew.EN
	case !p.ok:
		b.Unguarded = becauseNoise.EN
	}
	b.Tolerance, b.Resolution, b.Coarse = finite(p.tolerance), finite(p.resolution), p.ok && !p.sharp
	for i, x := range b.Ratios {
		b.Ratios[i] = math.Exp(x)
	}
}

func finite(x float64) float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return 0
	}
	return x
}

// logs are the ratios as they are computed with.
func (t BaselineTrial) logs() []float64 {
	xs := make([]float64, len(t.Ratios))
	for i, r := range t.Ratios {
		xs[i] = math.Log(r)
	}
	return xs
}

// control is what a baseline keeps of a reference: how it stands to the first one,
// which nothing but the machine can change.
func control(seen []*measured, t *timed, trials int) BaselineTrial {
	b := BaselineTrial{ID: t.id, Control: true}
	if first := experiment.ReferenceCases()[0].Name(); t.info.Case.Name() != first {
		b.Reference, b.Ratios = first, pooled(seen, t.id, first)
		b.settle(trials)
	}
	return b
}

// mark takes over into a round's trials what can't be guarded. It counts the trials
// timed on a CPU clock, and among them those too noisy to be guarded: a machine on
// which these are many is not quiet. On the wall's clock much is noisy anywhere.
func (b *Baseline) mark(trials []Trial) (noisy, timed int) {
	for i := range trials {
		then := b.find(trials[i].ID)
		if then == nil {
			continue
		}
		trials[i].Reference, trials[i].AllocsNow = then.Reference, then.Allocs
		counts := len(then.Ratios) > 0 && then.Clock == ""
		if counts {
			timed++
		}
		if trials[i].Verdict == Fine && then.Unguarded != "" {
			trials[i].Verdict, trials[i].Reason = Unguarded, then.because()
			if counts && then.Unguarded == becauseNoise.EN {
				noisy++
			}
		}
	}
	return noisy, timed
}
