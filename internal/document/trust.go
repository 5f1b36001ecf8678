package document

import (
	"math"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

const (
	TrustGood = "good"
	TrustFair = "fair"
	TrustLow  = "low"
)

// Limits of what others may take; measuring.md says on how many runs they were found. One
// experiment has fewer samples than a run, and is given more.
const (
	takenFair, takenLow           = 0.015, 0.05
	takenFairAlone, takenLowAlone = 0.03, 0.08
	othersFair                    = 0.10
)

func (t *Trust) lower(to string, why layout.Text) {
	if to == TrustLow && t.Level != TrustLow {
		t.Level, t.Reasons = to, append([]layout.Text{why}, t.Reasons...) // what decides is said first
		return
	}
	if t.Level == TrustGood {
		t.Level = to
	}
	t.Reasons = append(t.Reasons, why)
}

func (t *Trust) above(fair, low, seen float64, why layout.Text) {
	switch {
	case seen > low:
		t.lower(TrustLow, why)
	case seen > fair:
		t.lower(TrustFair, why)
	}
}

func judgeTrust(b *builder) Trust {
	if len(b.run.Samples) == 0 && len(b.run.Records) == 0 {
		return Trust{Level: TrustLow, Reasons: []layout.Text{{EN: "nothing was measured", ZH: "没有任何测量数据"}}, Experiments: []ExperimentTrust{}}
	}
	all := takenOf(b.run)
	t := newTrust(b, all, "")
	for _, s := range all {
		alone := newTrust(b, all, s.experiment)
		t.Experiments = append(t.Experiments, ExperimentTrust{s.experiment, alone.Level, alone.Reasons, alone.Taken, alone.Others})
	}
	if len(b.unranked) > 0 {
		t.lower(TrustFair, layout.Say("no verdicts on what uses every CPU (%s): other programs were using them",
			"%s 中占用全部 CPU 的测试项不作判定：其他程序同时占用了 CPU", experimentsText(b.unranked)))
	}
	t.crashed(b.doc.Rows)
	t.unstable(b.doc.Rows)
	if len(b.doc.Environment) > 0 { // the code under test did not run as it usually does
		t.lower(TrustFair, layout.Say("the run was started under %s", "运行时设置了 %s", strings.Join(b.doc.Environment, " ")))
	}
	if b.doc.Partial {
		t.lower(TrustFair, layout.Text{EN: "the run was cut short", ZH: "运行未完成"})
	}
	t.Typical = typical(b.doc.Comparisons)
	return t
}

// newTrust judges by what happened during the run, or during one experiment of it: who had
// the CPU, and whether equal things came out equal.
func newTrust(b *builder, all []taken, experiment string) Trust {
	t := Trust{Level: TrustGood, Reasons: []layout.Text{}, Experiments: []ExperimentTrust{}}
	n, fair, low := b.noise, takenFair, takenLow
	if len(all) == 1 || experiment != "" {
		fair, low = takenFairAlone, takenLowAlone
	}
	if experiment != "" {
		n = b.measureNoise(experiment)
	}
	var lost, wall int64
	for _, s := range all {
		if experiment == "" || s.experiment == experiment {
			lost, wall = lost+s.lost, wall+s.wall
		}
	}
	if wall > 0 {
		t.Taken = finite(float64(lost) / float64(wall))
		t.above(fair, low, *t.Taken, takenBy(*t.Taken, b.strain(experiment)))
	}
	if others, ok := b.strain(experiment).Others(); ok {
		t.Others = &others
		if t.Level == TrustGood {
			t.above(othersFair, math.Inf(1), others, layout.Say("other programs used %s of all CPUs: close them and run again",
				"其他程序占用了全部 CPU 的 %s：请关闭后重新运行", layout.FormatShare(others)))
		}
	}
	if n.measured || experiment == "" {
		t.noise(&n)
	}
	return t
}

// taken is for how much of the wall time of an experiment's samples the CPU was another's, in nanoseconds, and that wall
// time.
type taken struct {
	experiment string
	lost, wall int64
}

// waits says whether a trial waits for a client, for a token, or, as a benchmark of the user's may, for anything. It
// leaves its CPU to nobody in particular, and tells nothing of who had it.
func waits(t *result.TrialInfo) bool {
	return t.Case.Operation == algorithm.Serve || t.Case.Operation == algorithm.Download || parameter.Sessions.Has(t.Case.Parameters) ||
		t.Case.Operation == algorithm.Bench && t.Clock == result.WallClock
}

// takenOf are those of all experiments that did not wait. Of a sample that was taken again the first counts.
func takenOf(run *result.Run) (all []taken) {
	first := map[[2]int32]int32{}
	sums := map[string]*taken{}
	for i := range run.Samples {
		s := &run.Samples[i]
		at := [2]int32{s.Trial, s.Block}
		if round, seen := first[at]; seen && round == s.Round {
			continue
		}
		first[at] = s.Round
		experiment := run.Trials[s.Trial].Experiment
		if sums[experiment] == nil {
			sums[experiment] = &taken{experiment: experiment}
		}
		if waits(&run.Trials[s.Trial]) {
			continue
		}
		sums[experiment].lost += max(0, s.Wall-max(s.Thread, s.Process))
		sums[experiment].wall += s.Wall
	}
	for _, info := range run.Trials {
		if sum := sums[info.Experiment]; sum != nil {
			all = append(all, *sum)
			delete(sums, info.Experiment)
		}
	}
	return all
}

// takenBy names who took the CPU: the quota and the hypervisor where they did, or else others.
func takenBy(taken float64, s result.Strain) layout.Text {
	share := layout.FormatShare(taken)
	switch steal := s.StealSeconds / s.CPUSeconds; {
	case s.Throttled > 0:
		return layout.Say("the CPU quota stopped the program %d times (%s of its CPU time): raise it and run again",
			"CPU 配额限流 %d 次，占去 %s 的 CPU 时间：请提高配额后重新运行", s.Throttled, share)
	case s.CPUSeconds > 0 && steal > taken/2:
		return layout.Say("the hypervisor gave %s of the run's CPU time to others (steal): run again later, or on CPUs of your own",
			"宿主机把 %s 的 CPU 时间分给了其他虚拟机（steal）：请稍后重新运行，或改用独占 CPU 的机器", share)
	}
	return layout.Say("other programs took %s of the run's CPU time: close them and run again",
		"其他程序抢占了 %s 的 CPU 时间：请关闭后重新运行", share)
}

// strain is what others did during the run, or during one experiment of it; zero where it is not known.
func (b *builder) strain(experiment string) (s result.Strain) {
	if b.run.End == nil {
		return s
	}
	if experiment == "" {
		return b.run.End.Strain
	}
	for _, e := range b.run.End.Experiments {
		if e.Experiment == experiment {
			return e.Strain
		}
	}
	return s
}

func (t *Trust) noise(n *noise) {
	off := math.Expm1(math.Abs(math.Log(n.pooled.Ratio)))
	unequal := func(to string, why layout.Text) {
		t.Unequal = why
		t.lower(to, why)
	}
	switch {
	case !n.measured:
		t.lower(TrustFair, layout.Text{EN: "the noise floor was not measured: no code was measured twice (A/A)",
			ZH: "未测得本底噪声：没有可用的 A/A 对照"})
	case off > mostOff:
		unequal(TrustLow, layout.Say("the same code twice differs by %s (A/A): run again with more blocks",
			"同一代码测两次相差 %s（A/A 对照）：请增加数据组后重新运行", layout.FormatShare(off)))
	case differs(n.pooled):
		unequal(TrustFair, layout.Say("the same code twice differs by %s (A/A): smaller differences do not count",
			"同一代码测两次相差 %s（A/A 对照）：更小的差异不计", layout.FormatShare(off)))
	case len(n.apart) > 1:
		unequal(TrustFair, layout.Say("the same code twice differs in %s (A/A): run these again",
			"以下实验中同一代码测两次结果不同（A/A 对照）：%s，请重新运行", experimentsText(n.apart)))
	}
}

// crashed counts the rows whose worker died or which an error ended: what is missing may have been the answer.
func (t *Trust) crashed(rows []*Row) {
	died, returned := 0, 0
	for _, r := range rows {
		switch {
		case r.Status != result.Crashed:
		case r.Returned:
			returned++
		default:
			died++
		}
	}
	to := TrustFair
	if died+returned > max(3, len(rows)/10) {
		to = TrustLow
	}
	if died > 0 {
		t.lower(to, layout.Say("%s missing because a worker crashed", "工作进程崩溃，缺少 %s结果", rowsAre(died)))
	}
	if returned > 0 {
		t.lower(to, layout.Say("%s missing because of errors", "因出错缺少 %s结果", rowsAre(returned)))
	}
}

func rowsAre(n int) layout.Text { return Counted(n, "%d row is", "%d rows are", "%d 行") }

func (t *Trust) unstable(rows []*Row) {
	measured, unstable := 0.0, 0.0
	for _, r := range rows {
		switch {
		case r.Status == result.OK:
			measured++
		case r.Status == result.Unstable && !r.Withheld: // what is hidden is said apart, and is no noise
			measured, unstable = measured+1, unstable+1
		}
	}
	if unstable > 0 {
		t.above(0.1, 0.5, unstable/measured, layout.Say("%.0f of %.0f rows have no reliable number",
			"%.0[2]f 行中有 %.0[1]f 行没有可靠的数值，未列出", unstable, measured))
	}
}

// typical is how wide a headline comparison's interval usually is: the median of their half-widths.
func typical(cs []Comparison) *float64 {
	var widths []float64
	for _, c := range cs {
		if c.Headline && c.Low != nil && c.High != nil {
			widths = append(widths, math.Sqrt(*c.High / *c.Low)-1)
		}
	}
	return finite(stat.Median(widths))
}

// mostRows is the fewest rows of which "most" can be said.
const mostRows = 4

// everywhere says once, of the run, what would else stand under most of its rows
// as a footnote, and takes it from them. The rows' warnings keep it.
func (d *Document) everywhere() {
	shown, notes := 0, []layout.Text{}
	for _, r := range d.Rows {
		if r.NsPerOp != nil {
			shown, notes = shown+1, append(notes, r.Notes[len(r.Security):]...)
		}
	}
	for _, same := range Grouped(notes, func(n layout.Text) layout.Text { return n }) {
		if shown < mostRows || 2*len(same) <= shown {
			continue
		}
		n := same[0]
		d.Notes = append(d.Notes, layout.Say("in most rows, %s", "多数结果：%s", n))
		for _, r := range d.Rows {
			r.Notes = slices.DeleteFunc(r.Notes, func(m layout.Text) bool { return m == n })
		}
	}
}
