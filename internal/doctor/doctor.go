// Package doctor examines the machine before it is believed: what it is, what
// its clocks and counters can do, what others take of it right now, how far
// apart two equal measurements come out; and judges.
package doctor

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/result"
)

// Deadline is how long a worker may stay silent during the examination.
const Deadline = 10 * time.Second

// Exam is what was found.
type Exam struct {
	Machine   result.Machine
	Findings  []Finding
	Level     string      // "good", "fair", "low", as a run's confidence
	Judgement layout.Text // one sentence
	Advice    []layout.Text
}

// Finding is one line: what was looked at, and what was seen.
type Finding struct{ What, Value layout.Text }

func (e *Exam) find(what layout.Text, en, zh string, args ...any) {
	e.Findings = append(e.Findings, Finding{what, layout.Say(en, zh, args...)})
}

func text(en, zh string) layout.Text { return layout.Text{EN: en, ZH: zh} }

// doubt lowers the level, with its reason and what would help.
func (e *Exam) doubt(level string, why, advice layout.Text) {
	rank := map[string]int{document.TrustGood: 0, document.TrustFair: 1, document.TrustLow: 2}
	if rank[level] > rank[e.Level] {
		e.Level, e.Judgement = level, why
	}
	if advice != (layout.Text{}) {
		e.Advice = append(e.Advice, advice)
	}
}

// Examine takes about two seconds.
func Examine(ctx context.Context, w *suite.Workers) (Exam, error) {
	e := Exam{Machine: machine.Read(), Level: "good", Judgement: text("this machine can be believed today", "本机今天的测量可信")}
	e.cpu()
	e.clocks(w)
	run, err := noise(ctx, w)
	if err != nil {
		return e, err
	}
	e.believe(run)
	return e, e.libraries(ctx, w)
}

func (e *Exam) cpu() {
	c := e.Machine.CPU
	e.find(text("CPUs", "CPU"), "%d online, %d allowed (%s); %s in %s, %s a core", "在线 %d 个，可用 %d 个（%s）；%s，%s，每核 %s",
		c.Online, c.Allowed, c.AllowedList, document.Counted(c.Cores, "%d core", "%d cores", "%d 核"),
		document.Counted(c.Sockets, "%d socket", "%d sockets", "%d 路"),
		document.Counted(c.ThreadsPerCore, "%d thread", "%d threads", "%d 线程"))
	e.find(text("features", "指令集"), "%s", "%s", strings.Join(c.Features, " "))
	g := e.Machine.Cgroup
	quota := orNone("")
	if g.QuotaCPUs > 0 {
		quota = layout.Say("%.2f CPUs", "%.2f 个 CPU", g.QuotaCPUs)
		if g.QuotaCPUs < 1 {
			e.doubt(document.TrustLow, text("the quota is less than one CPU, so every measurement is throttled", "配额不足一个 CPU，所有测量都会被限流"),
				text("raise the cgroup's CPU quota to at least 1", "请将 cgroup 的 CPU 配额提高到至少 1"))
		}
	}
	e.find(text("quota", "配额"), "%s; cpuset %s", "%s；cpuset %s", quota, orNone(g.Cpuset))
	e.find(text("hypervisor", "虚拟化"), "%s%s", "%s%s", orNone(e.Machine.Hypervisor), strings.TrimSuffix(" "+e.Machine.Product, " "))
	if c.ThreadsPerCore > 1 {
		e.Advice = append(e.Advice, text("SMT is on: keep the sibling of the measuring CPU idle, or compare only within one run",
			"SMT 已开启：请让测量所用 CPU 的同核线程空闲，或只在一次运行内比较"))
	}
	if c.Governor != "" && c.Governor != "performance" {
		e.Advice = append(e.Advice, layout.Say("the frequency governor is %s; \"performance\" keeps the clock steadier",
			"调频策略为 %s；performance 可使主频更稳定", c.Governor))
	}
}

func orNone(s string) layout.Text { return cmp.Or(layout.Same(s), text("none", "无")) }

func (e *Exam) clocks(w *suite.Workers) {
	names := map[string]layout.Text{
		"read":    {EN: "all three", ZH: "三种时钟合计"},
		"thread":  {EN: "thread clock", ZH: "线程时钟"},
		"process": {EN: "process clock", ZH: "进程时钟"},
		"wall":    {EN: "wall clock", ZH: "实际时钟"},
	}
	for _, c := range clock.Cost() {
		e.find(cmp.Or(names[c.Clock], layout.Same(c.Clock)), "%.0f ns a read, resolution %d ns", "每次读取 %.0f ns，分辨率 %d ns", c.Read, c.Resolution)
	}
	if counter, err := clock.OpenCounter(); err != nil {
		e.find(text("cycle counter", "周期计数器"), "%s; cycles per byte will be left out", "%s；不列出每字节周期数", reason.Words(err.Error()))
	} else {
		counter.Close()
		e.find(text("cycle counter", "周期计数器"), "available", "可用")
	}
	e.find(text("clock rate", "主频"), "%.2f GHz now, derived from dependent additions", "当前 %.2f GHz，由相互依赖的加法推得", clock.Frequency()/1e9)
	if cpu := w.CPU(); cpu >= 0 {
		e.find(text("measuring on", "测量所用 CPU"), "CPU %d", "%d", cpu)
	} else {
		e.find(text("measuring on", "测量所用 CPU"), "any CPU: threads can't be pinned on %s",
			"任意：%s 不支持绑定线程", runtime.GOOS)
	}
}

const (
	noiseBlocks = 10
	noiseRounds = 5
	noisePairs  = 3
)

// noise measures A/A pairs between two workers, as every run does.
func noise(ctx context.Context, w *suite.Workers) (*result.Run, error) {
	var pairs plan.Plan
	for range noisePairs {
		pairs.Groups = append(pairs.Groups, plan.Noise(plan.SelfOffers())...)
	}
	kept := &measure.Memory{}
	lab := &measure.Lab{Start: w.ForLab, Sink: kept}
	begun, before := time.Now(), machine.ReadState()
	_, err := lab.Run(ctx, pairs, plan.Config{Blocks: noiseBlocks, Rounds: noiseRounds, Target: time.Millisecond, Deadline: Deadline})
	if err != nil {
		return nil, err
	}
	if len(kept.Statuses) > 0 {
		return nil, language.Errorf("the measurement of the noise floor failed: %s", "测量本底噪声失败：%s",
			reason.Said(kept.Statuses[0].Reason, kept.Statuses[0].Cause))
	}
	kept.Run.End = &result.End{Seconds: time.Since(begun).Seconds(), Strain: machine.ReadState().Strain(before)}
	return &kept.Run, nil
}

// believe judges the machine as a report would judge the run that was just made on it.
func (e *Exam) believe(run *result.Run) {
	doc, strain := document.Build(run), run.End.Strain
	share := func(what layout.Text, seen *float64, en, zh string) {
		if seen == nil {
			e.find(what, "unknown", "未知")
			return
		}
		e.find(what, en, zh, layout.FormatShare(*seen))
	}
	share(text("CPU taken", "CPU 被占"), doc.Trust.Taken, "%s of the measuring thread's time went to others", "测量线程有 %s 的时间被其他程序占用")
	share(text("others", "其他程序"), doc.Trust.Others, "used %s of all CPUs", "占用全部 CPU 的 %s")
	if strain.CPUSeconds > 0 {
		steal := strain.StealSeconds / strain.CPUSeconds
		share(text("steal", "CPU 抢占（steal）"), &steal, "%s of the CPUs' time", "占 CPU 时间的 %s")
	} else if runtime.GOOS == "linux" {
		e.doubt(document.TrustFair, text("what others do to this machine is unknown, for /proc is not mounted", "/proc 未挂载，无法得知其他程序对本机的影响"),
			text("mount it: mount -t proc proc /proc", "请挂载：mount -t proc proc /proc"))
	}
	e.find(text("throttling", "限流"), "%d periods during the examination", "检查期间 %d 个周期", strain.Throttled)
	e.find(text("noise floor", "本底噪声"), "%s: the confirmed difference between two processes that run the same code",
		"%s：同一代码在两个进程中测得的、可以确认的差异", layout.FormatShare(doc.NoiseFloor))
	share(text("resolution", "分辨能力"), doc.Resolution, "±%s: measurements of the same code agree within this",
		"±%s：对同一代码的测量，差异在此以内")
	for _, why := range doc.Trust.Reasons {
		e.doubt(doc.Trust.Level, why, layout.Text{})
	}
}

func (e *Exam) libraries(ctx context.Context, w *suite.Workers) error {
	stock, err := suite.Take(ctx, question.All(), w)
	if err != nil {
		return err
	}
	var names []string
	var missing []layout.Text
	for _, s := range stock {
		if s.Missing.EN != "" {
			missing = append(missing, layout.Say("%s: %s", "%s：%s", s.Library, s.Missing))
			continue
		}
		names = append(names, s.Library+" "+s.Version)
	}
	e.find(text("libraries", "密码库"), "%s", "%s", strings.Join(slices.Compact(names), ", "))
	for _, why := range missing {
		e.find(text("not here", "缺少"), "%s", "%s", why)
	}
	return nil
}
