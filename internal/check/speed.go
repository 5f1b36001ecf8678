package check

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/experiment"
	"github.com/cryptogauge/cryptogauge/internal/report"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// mostUnguarded is the share of trials that may be too noisy to be guarded in a
// baseline that is kept, and the share that may be undecided in a check that ends fine.
const mostUnguarded = 0.1

// passes measures speed in workers that are started anew for every block, and keeps
// what it shows as the baseline.
func (s *session) passes() (Round, error) {
	m, err := s.measure(passes, s.extent(passes, speedBlocks, speedRounds, speedTarget))
	if err != nil {
		return Round{}, err
	}
	r := Round{Round: passes, Folders: []string{m.folder}, Trials: s.outputs(m)}
	for _, earlier := range s.report.Rounds {
		r.Folders = append(r.Folders, earlier.Folders...)
	}
	b := s.baseline(m, r)
	r.Folders = r.Folders[:1]
	noisy := b.mark(r.Trials)
	timed := 0
	for _, t := range b.Trials {
		if len(t.Ratios) > 0 && !t.Control {
			timed++
		}
	}
	r.Verdict = worst(r.Trials)
	if r.Verdict == Fine && float64(noisy) > mostUnguarded*float64(timed) {
		r.Verdict = Inconclusive
	}
	if r.Verdict == Fine && s.ctx.Err() == nil {
		if err := b.Save(s.path); err != nil {
			return r, &OutputError{err}
		}
		s.report.Baseline = &BaselineRef{Path: s.path, Made: b.Made, Seed: b.Seed, New: true}
	}
	r.Says = append([]Line{{markOf(r.Verdict), s.passesSay(r, b, noisy, timed)}}, named(r.Trials, Wrong, Gone)...)
	return r, nil
}

func (s *session) passesSay(r Round, b *Baseline, noisy, timed int) report.Text {
	switch r.Verdict {
	case Inconclusive:
		return say("none was kept: in %d of %d trials this machine's own noise could hide 15 %%; try when it is quiet (cryptogauge doctor)", "未保存：%[2]d 个被测项中有 %[1]d 个的噪声足以掩盖 15 %% 的变化；请在机器空闲时重试（cryptogauge doctor）", noisy, timed)
	case Fine:
	default:
		return say("none was kept", "未保存")
	}
	var resolutions []float64
	for _, t := range b.Trials {
		if t.guarded() && !t.Control {
			resolutions = append(resolutions, t.Resolution)
		}
	}
	if len(resolutions) == 0 {
		return say("outputs alone, for nothing was timed; kept as %s", "仅含输出（没有计时项）；已保存为 %s", s.path)
	}
	return say("from now on %d trials are held to it: slowdowns of %s will show in the median trial, of %s in the worst; %d too noisy to be guarded; kept as %s",
		"此后以它对照 %d 个被测项：中位项可发现 %s 的变慢，最差项为 %s；%d 项因噪声过大不作速度对照；已保存为 %s",
		len(resolutions), percent(stat.Median(resolutions)), percent(slices.Max(resolutions)), noisy, s.path)
}

// baseline makes a baseline of a run.
func (s *session) baseline(m *measured, r Round) *Baseline {
	b := &Baseline{Schema: SchemaBaseline, Tool: s.Suite.Tool, Made: time.Now().UTC().Truncate(time.Second),
		Suite: s.Suite.Name, Selection: s.Suite.Selection, Seed: s.Suite.Setting.Seed,
		Machine: s.id.machine, Libraries: s.id.libraries, Runs: r.Folders, Passes: speedPasses, Trials: []BaselineTrial{}}
	n := m.timedTrials()
	for i := range m.trials {
		t := &m.trials[i]
		switch {
		case t.reference:
			b.Trials = append(b.Trials, m.control(t, n))
		case t.own():
		case t.row.Status == result.Incorrect && t.info.Exhibit:
			b.Trials = append(b.Trials, BaselineTrial{ID: t.id, Exhibit: true})
		case t.row.Status == result.OK || t.row.Status == result.Unstable:
			b.Trials = append(b.Trials, m.guard(t, n))
		}
	}
	return b
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

// guard is what a baseline keeps of a trial: among the references the one that it
// followed best from pass to pass.
func (m *measured) guard(t *timed, trials int) BaselineTrial {
	b := BaselineTrial{ID: t.id, Digest: t.info.Digest}
	if _, most, bytes, ok := m.allocs(t.info.Index); ok {
		b.Allocs, b.AllocBytes = &most, &bytes
	}
	if !t.samples {
		return b
	}
	best := math.Inf(1)
	for _, c := range experiment.ReferenceCases() {
		blocks := usable(m.against(t, c.Name()))
		if spread := passSpread(blocks, speedPasses); len(blocks) > 0 && spread < best {
			best, b.Reference, b.Ratios = spread, c.Name(), blocks
		}
	}
	b.settle(trials)
	return b
}

// settle derives what the baseline promises, and gives the ratios as ratios.
func (b *BaselineTrial) settle(trials int) {
	if b.Ratios == nil {
		b.Unguarded = "there is no reference beside it"
		return
	}
	var ok bool
	b.Tolerance, b.Resolution, ok = precision(b.Ratios, speedPasses, trials)
	switch {
	case len(b.Ratios) < stat.MinBlocks(stat.FamilyLevel(trials*looks)):
		b.Unguarded = fmt.Sprintf("%d blocks are too few", len(b.Ratios))
	case !ok:
		b.Unguarded = "its own noise could hide 15 %"
	}
	b.Tolerance, b.Resolution = finite(b.Tolerance), finite(b.Resolution)
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
func (m *measured) control(t *timed, trials int) BaselineTrial {
	first := experiment.ReferenceCases()[0].Name()
	b := BaselineTrial{ID: t.id, Control: true}
	if t.info.Case.Name() == first {
		return b
	}
	b.Reference, b.Ratios = first, usable(m.against(t, first))
	b.settle(trials)
	return b
}

// mark takes over into a round's trials what can't be guarded, and counts those
// whose noise is the reason.
func (b *Baseline) mark(trials []Trial) (noisy int) {
	for i := range trials {
		then := b.find(trials[i].ID)
		if then == nil {
			continue
		}
		trials[i].Reference, trials[i].AllocsNow = then.Reference, then.Allocs
		if trials[i].Verdict == Fine && then.Unguarded != "" {
			trials[i].Verdict, trials[i].Reason = Unguarded, report.Same(then.Unguarded)
			noisy++
		}
	}
	return noisy
}

// regression measures what the baseline holds once more, and what is not fine twice.
func (s *session) regression() (Round, error) {
	m, err := s.measure(regression, s.extent(regression, speedBlocks, speedRounds, speedTarget))
	if err != nil {
		return Round{}, err
	}
	r := Round{Round: regression, Folders: []string{m.folder}, Trials: s.outputs(m)}
	both := []*measured{m}
	s.judgeSpeed(r.Trials, both)
	if open := slices.Concat(withVerdict(r.Trials, Slower), withVerdict(r.Trials, Inconclusive)); len(open) > 0 && count(r.Trials, Wrong) == 0 && s.ctx.Err() == nil {
		again, err := s.measure(regression, func(c *suite.Config) {
			s.extent(regression, speedBlocks, speedRounds, speedTarget)(c)
			c.Keep = keepOnly(open)
		})
		if err != nil {
			return r, err
		}
		r.Folders = append(r.Folders, again.folder)
		both = append(both, again)
		s.judgeSpeed(r.Trials, both)
	}
	doubt := s.doubt(both)
	r.Verdict = s.decide(r.Trials, doubt)
	r.Says = append([]Line{{markOf(r.Verdict), s.regressionSays(r)}}, named(r.Trials, Wrong, Gone, Slower, Allocates)...)
	if doubt != (report.Text{}) {
		r.Says = append(r.Says, Line{report.Unclear, doubt})
	}
	if r.Verdict == Inconclusive {
		r.Says = append(r.Says, named(r.Trials, Inconclusive)...)
	}
	r.Says = append(r.Says, s.remarks(r.Trials)...)
	r.Says = append(r.Says, defects(r.Trials)...)
	return r, nil
}

// judgeSpeed holds the trials against the baseline, over all looks there were.
func (s *session) judgeSpeed(trials []Trial, seen []*measured) {
	m := 0
	for _, b := range s.base.Trials {
		if b.guarded() && !b.Control {
			m++
		}
	}
	for i := range trials {
		t := &trials[i]
		then := s.base.find(t.ID)
		switch {
		case t.Verdict != Fine && t.Verdict != Slower && t.Verdict != Inconclusive:
		case then == nil:
			t.Verdict = New
		case !then.guarded():
			if then.Unguarded != "" {
				t.Verdict, t.Reason = Unguarded, report.Same(then.Unguarded)
			}
			judgeAllocs(t, then, seen)
		default:
			judgeTrial(t, then, seen, m)
			judgeAllocs(t, then, seen)
		}
	}
}

// judgeTrial gives a guarded trial its verdict. Slow is only what each look shows by
// itself, too, if not as surely.
func judgeTrial(t *Trial, then *BaselineTrial, seen []*measured, m int) {
	base := then.logs()
	var now []float64
	twice, lookedAt := true, 0
	for _, look := range seen {
		found := look.find(t.ID)
		if found == nil {
			continue
		}
		blocks := usable(look.against(found, then.Reference))
		if len(blocks) == 0 {
			continue
		}
		lookedAt++
		now = append(now, blocks...)
		twice = twice && stat.Median(blocks)-stat.Median(base) > math.Log1p(then.Tolerance)
	}
	x := compare(base, now, m)
	t.Reference = then.Reference
	if len(now) == 0 {
		t.Verdict, t.Reason = Inconclusive, say("it was not measured to the end", "未测量完成")
		return
	}
	t.Slowdown = &Slowdown{x.ratio, x.low, x.high, x.top, then.Tolerance, then.Resolution, lookedAt}
	t.Verdict, t.Reason = x.judge(then.Tolerance, then.Resolution), report.Text{}
	if t.Verdict == Slower && !twice {
		t.Verdict = Inconclusive
	}
	switch t.Verdict {
	case Slower, Faster:
		t.Reason = say("it takes %s times as long as in the baseline", "耗时为基线的 %s 倍", ratioRange(x.ratio, x.low, x.high))
	case Inconclusive:
		t.Reason = say("%s times as long as in the baseline: a slowdown of up to %s can't be excluded", "耗时为基线的 %s 倍：不能排除最多 %s 的变慢", ratioRange(x.ratio, x.least, x.top), percent(x.top-1))
	}
}

// judgeAllocs fails a trial that allocates more in every block than in any of the
// baseline's: it is a count, and no noise can raise it.
func judgeAllocs(t *Trial, then *BaselineTrial, seen []*measured) {
	found := seen[0].find(t.ID)
	if then.Allocs == nil || found == nil {
		return
	}
	least, _, _, ok := seen[0].allocs(found.info.Index)
	if !ok {
		return
	}
	t.AllocsThen, t.AllocsNow = then.Allocs, &least
	if least > *then.Allocs && t.Verdict != Slower {
		t.Verdict, t.Reason = Allocates, say("%s objects allocated per operation, %s in the baseline", "每次操作分配 %s 个对象，基线为 %s 个", report.FormatCount(least), report.FormatCount(*then.Allocs))
	}
}

// doubt says why no slowdown can be believed now: the references stand to each
// other in another way than in the baseline, or the run can't be trusted.
func (s *session) doubt(seen []*measured) report.Text {
	for _, b := range s.base.Trials {
		if !b.Control || len(b.Ratios) == 0 {
			continue
		}
		for _, look := range seen {
			t := look.find(b.ID)
			if t == nil {
				continue
			}
			x := compare(b.logs(), look.against(t, b.Reference), 1)
			if tolerance := max(b.Tolerance, leastTolerance); x.moved(tolerance) {
				return say("the machine is not as it was: fixed work (%s against %s) takes %s times as long as in the baseline; slowdowns count as undecided",
					"机器状态与基线时不同：固定参照负载（%s 相对 %s）耗时为基线的 %s 倍；变慢按未定处理", t.info.Case.Name(), b.Reference, ratioRange(x.ratio, x.low, x.high))
			}
		}
	}
	for _, look := range seen {
		if trust := look.doc.Trust; trust.Level == "poor" {
			return say("this run can't be trusted: %s; slowdowns count as undecided", "本次运行不可信：%s；变慢按未定处理", trust.Reasons[0])
		}
	}
	return report.Text{}
}

// decide is the verdict of a regression. Undecided trials are tolerated where they
// are few and 15 % can be excluded of each.
func (s *session) decide(trials []Trial, doubt report.Text) Verdict {
	if doubt != (report.Text{}) {
		for i := range trials {
			if trials[i].Verdict == Slower {
				trials[i].Verdict = Inconclusive
			}
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
		if open++; t.Slowdown == nil || t.Slowdown.Excluded > 1+coarse {
			return Inconclusive
		}
	}
	if float64(open) > mostUnguarded*float64(guarded) {
		return Inconclusive
	}
	return Fine
}

func (s *session) regressionSays(r Round) report.Text {
	guarded, widest := 0, 0.0
	for _, t := range r.Trials {
		if t.Slowdown != nil {
			guarded++
			widest = max(widest, t.Slowdown.Excluded-1)
		}
	}
	made := s.base.Made.Format("2006-01-02 15:04")
	switch r.Verdict {
	case Wrong:
		return say("%d outputs are wrong", "%d 个输出错误", count(r.Trials, Wrong))
	case Failed:
		return say("%d of %d trials are not as they were on %s", "%[2]d 个被测项中有 %[1]d 个与 %[3]s 的基线不符", len(r.Trials)-count(r.Trials, Fine)-count(r.Trials, Exhibit)-count(r.Trials, Unguarded)-count(r.Trials, New)-count(r.Trials, Faster)-count(r.Trials, Inconclusive), len(r.Trials), made)
	case Inconclusive:
		return say("the outputs are right; the speed of %d of %d trials is undecided", "输出正确；%[2]d 个被测项中有 %[1]d 个的速度未能判定", count(r.Trials, Inconclusive), guarded)
	}
	if guarded == 0 {
		return say("the outputs are the same as on %s; no speed is guarded", "输出与 %s 相同；没有速度对照项", made)
	}
	return say("the outputs are the same as on %s, and none of %d trials is slower; a slowdown of %s or more is excluded for each", "输出与 %s 相同，%d 个被测项均未变慢；各项均可排除 %s 及以上的变慢", made, guarded, percent(max(widest, 0)))
}

// remarks are what changed without failing.
func (s *session) remarks(trials []Trial) (lines []Line) {
	if n := count(trials, Faster); n > 0 {
		lines = append(lines, Line{report.Plain, say("%d trials are faster than in the baseline; --new-baseline would hold them to it", "%d 项比基线更快；可用 --new-baseline 更新基线", n)})
	}
	if n := count(trials, New); n > 0 {
		lines = append(lines, Line{report.Plain, say("%d trials are not in the baseline", "%d 项不在基线中", n)})
	}
	if n := count(trials, Unguarded); n > 0 {
		lines = append(lines, Line{report.Plain, say("%d trials are right, and their speed is not guarded", "%d 项输出正确，但不作速度对照", n)})
	}
	return lines
}
