package document

import (
	"math"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Levels of trust in a run.
const (
	TrustGood = "good"
	TrustFair = "fair"
	TrustPoor = "poor"
)

// judge collects reasons to trust a run less. The worst decides.
type judge struct {
	trust Trust
	said  map[layout.Text]bool // footnotes whose matter is among the reasons
}

func (j *judge) lower(to string, why layout.Text) {
	if to == TrustPoor || j.trust.Level == TrustGood {
		j.trust.Level = to
	}
	j.trust.Reasons = append(j.trust.Reasons, why)
}

func (j *judge) above(fair, poor, seen float64, why layout.Text) {
	switch {
	case seen > poor:
		j.lower(TrustPoor, why)
	case seen > fair:
		j.lower(TrustFair, why)
	}
}

func judgeTrust(b *builder) Trust {
	j := judge{Trust{Level: TrustGood, Reasons: []layout.Text{}}, map[layout.Text]bool{}}
	if len(b.run.Samples) == 0 && len(b.run.Records) == 0 {
		j.lower(TrustPoor, layout.Text{EN: "nothing was measured", ZH: "没有任何测量数据"})
		return j.trust
	}
	j.machine(b.run)
	if len(b.doc.Environment) > 0 { // the code under test did not run as it usually does
		j.lower(TrustFair, layout.Say("the run was started under %s", "运行时设置了 %s", strings.Join(b.doc.Environment, " ")))
	}
	j.noise(b.worstNoise())
	j.crashed(b.doc.Rows)
	j.samples(b.stats)
	j.unstable(b.doc.Rows)
	j.everywhere(b.doc.Rows)
	if b.doc.Partial {
		j.lower(TrustFair, layout.Text{EN: "the run was cut short", ZH: "运行未完成"})
	}
	return j.trust
}

func (j *judge) machine(run *result.Run) {
	if run.End == nil {
		return // unknown; that the run was cut short is said
	}
	s := run.End.Strain
	if steal := s.StealSeconds / s.CPUSeconds; s.CPUSeconds > 0 {
		j.above(0.01, 0.05, steal, layout.Say("the hypervisor gave %s of the CPU time to other machines (steal)",
			"宿主机将 %s 的 CPU 时间给了其他虚拟机 (steal)", layout.FormatShare(steal)))
	}
	if s.Throttled > 0 {
		j.lower(TrustFair, layout.Say("the CPU quota throttled the run %d times", "CPU 配额限流 %d 次", s.Throttled))
	}
	if cpus := s.CPUSeconds / run.End.Seconds; run.End.Seconds > 0 && cpus > 0 {
		j.above(0.5, math.Inf(1), s.LoadBefore/cpus, layout.Say("the machine was busy before the run: load %.2f on %.0f CPUs",
			"运行前机器已有负载：%.0[2]f 个 CPU，平均负载 %.2[1]f", s.LoadBefore, cpus))
	}
}

// crashed counts the rows whose worker died or which an error ended: what is missing may have been the answer.
func (j *judge) crashed(rows []Row) {
	died, returned := 0, 0
	for i := range rows {
		switch {
		case rows[i].Status != result.Crashed:
		case rows[i].Returned:
			returned++
		default:
			died++
		}
	}
	to := TrustFair
	if died+returned > max(3, len(rows)/10) {
		to = TrustPoor
	}
	if died > 0 {
		j.lower(to, layout.Say("%d rows are missing because a worker crashed", "工作进程崩溃，缺少 %d 行结果", died))
	}
	if returned > 0 {
		j.lower(to, layout.Say("%d rows are missing because of errors", "因出错缺少 %d 行结果", returned))
	}
}

func (j *judge) noise(n noise) {
	if n.resolution != nil {
		j.above(0.05, 0.20, *n.resolution, layout.Say("the same code measured twice (A/A) agrees only within ±%s",
			"同一代码测两次（A/A 对照），只能确定相差在 ±%s 以内", layout.FormatShare(*n.resolution)))
	}
	j.above(0.01, 0.03, n.floor, layout.Say("the same code measured twice differs by %s (noise floor)",
		"同一代码测两次相差 %s（本底噪声）", layout.FormatShare(n.floor)))
	switch {
	case !n.declared:
		j.lower(TrustFair, layout.Say("the run has no A/A pair: a noise floor of %s is assumed",
			"本次运行没有 A/A 对照：本底噪声按 %s 计", layout.FormatShare(stat.MinFloor)))
	case !n.measured:
		j.lower(TrustFair, layout.Text{EN: "the noise floor was not measured: no A/A pair has a usable round",
			ZH: "未测得本底噪声：A/A 对照没有可用轮次"})
	}
}

func (j *judge) samples(stats []sampleStats) {
	var all, starved, moved, throttled float64
	for _, f := range stats {
		if f.clock == clockWall || f.declared {
			continue // waiting is part of it
		}
		all += float64(f.samples)
		starved += float64(f.starved)
		moved += float64(f.moved)
		throttled += float64(f.throttled)
	}
	if all == 0 {
		return
	}
	for _, of := range []struct {
		share  float64
		note   layout.Text
		en, zh string
	}{
		{throttled / all, noteThrottled, "%s of the samples fell into throttled periods", "%s 的采样落在限流期间"},
		{starved / all, noteContention, "contention: in %s of the samples the thread had a CPU for less than 90 %% of the wall time",
			"存在争用：%s 的采样中线程获得的 CPU 时间不足墙钟时间的 90 %%"},
		{moved / all, noteMoved, "the CPU frequency changed by more than 3 %% during %s of the samples",
			"%s 的采样期间 CPU 主频变动超过 3 %%"},
	} {
		j.said[of.note] = of.share > shownShare
		j.above(shownShare, 0.5, of.share, layout.Say(of.en, of.zh, layout.FormatShare(of.share)))
	}
}

func (j *judge) unstable(rows []Row) {
	measured, unstable := 0, 0
	for i := range rows {
		switch r := &rows[i]; {
		case r.Status == result.OK:
			measured++
		case r.Status == result.Unstable && !r.Hidden: // what is hidden is said apart, and is no noise
			measured, unstable = measured+1, unstable+1
		}
	}
	if unstable > 0 {
		j.above(0, 0.5, float64(unstable)/float64(measured), layout.Say("%d of %d rows have no reliable number",
			"%[2]d 行中有 %[1]d 行没有可靠的数值，未列出", unstable, measured))
	}
}

// mostRows is the fewest rows of which "most" can be said.
const mostRows = 4

// everywhere says once, of the run, what would else stand under most of its rows
// as a footnote, and takes it from them. The rows' warnings keep it.
func (j *judge) everywhere(rows []Row) {
	counts := map[layout.Text]int{}
	shown := 0
	for i := range rows {
		if rows[i].NsPerOp == nil {
			continue
		}
		shown++
		for _, n := range rows[i].Notes {
			counts[n]++
		}
	}
	for _, n := range doubtNotes {
		if shown < mostRows || 2*counts[n] <= shown {
			continue
		}
		for i := range rows {
			rows[i].Notes = slices.DeleteFunc(rows[i].Notes, func(m layout.Text) bool { return m == n })
		}
		switch why := layout.Say("in most rows, %s", "多数结果：%s", n); {
		case j.said[n]:
		case ordinaryNotes[n]:
			j.trust.Reasons = append(j.trust.Reasons, why)
		default:
			j.lower(TrustFair, why)
		}
	}
}
