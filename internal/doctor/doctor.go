// Package doctor examines the machine before it is believed: what it is, what
// its clocks and counters can do, what others take of it right now, how far
// apart two equal measurements come out; and judges.
package doctor

import (
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
	Level     string      // "good", "fair", "poor"
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
	rank := map[string]int{"good": 0, "fair": 1, "poor": 2}
	if rank[level] > rank[e.Level] {
		e.Level, e.Judgement = level, why
	}
	e.Advice = append(e.Advice, advice)
}

// Examine takes about two seconds.
func Examine(ctx context.Context, w *suite.Workers) (Exam, error) {
	e := Exam{Machine: machine.Read(), Level: "good", Judgement: text("this machine can be believed today", "本机今天的测量可信")}
	e.cpu()
	e.clocks(w)
	before := machine.ReadState()
	floor, reach, busy, err := noise(ctx, w)
	if err != nil {
		return e, err
	}
	e.others(machine.ReadState().Sub(before), busy)
	e.noise(floor, reach)
	return e, e.libraries(ctx, w)
}

func (e *Exam) cpu() {
	c := e.Machine.CPU
	e.find(text("CPUs", "CPU"), "%d online, %d allowed (%s); %d cores in %d sockets, %d threads a core",
		"在线 %d 个，可用 %d 个（%s）；%d 核，%d 路，每核 %d 线程",
		c.Online, c.Allowed, c.AllowedList, c.Cores, c.Sockets, c.ThreadsPerCore)
	e.find(text("features", "指令集"), "%s", "%s", strings.Join(c.Features, " "))
	g := e.Machine.Cgroup
	quota := orNone("")
	if g.QuotaCPUs > 0 {
		quota = layout.Say("%.2f CPUs", "%.2f 个 CPU", g.QuotaCPUs)
		if g.QuotaCPUs < 1 {
			e.doubt("poor", text("the quota is less than one CPU, so every measurement is throttled", "配额不足一个 CPU，所有测量都会被限流"),
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

func orNone(s string) layout.Text {
	if s == "" {
		return text("none", "无")
	}
	return layout.Same(s)
}

func clockName(clock string) layout.Text {
	if clock == "read" {
		return text("all three", "三种时钟合计")
	}
	return layout.Say("%s clock", "%s 时钟", clock)
}

func (e *Exam) clocks(w *suite.Workers) {
	for _, c := range clock.Cost() {
		e.find(clockName(c.Clock), "%.0f ns a read, resolution %d ns", "每次读取 %.0f ns，分辨率 %d ns", c.Read, c.Resolution)
	}
	if counter, err := clock.OpenCounter(); err != nil {
		e.find(text("cycle counter", "周期计数器"), "%s; cycles per byte will be left out", "%s；不列出每字节周期数", reason.Words(err.Error()))
	} else {
		counter.Close()
		e.find(text("cycle counter", "周期计数器"), "available", "可用")
	}
	e.find(text("clock rate", "主频"), "%.2f GHz now, derived from dependent additions", "当前 %.2f GHz，由相互依赖的加法推得", clock.Frequency()/1e9)
	if cpu := w.CPU(); cpu >= 0 {
		e.find(text("measuring on", "测量所在"), "CPU %d", "CPU %d", cpu)
	} else {
		e.find(text("measuring on", "测量所在"), "any CPU: threads can't be pinned on %s", "任意 CPU：%s 不支持绑定线程", runtime.GOOS)
	}
}

const (
	noiseBlocks = 10
	noiseRounds = 5
	noisePairs  = 3
)

// noise measures A/A pairs between two workers, as every run does. floor and reach are what a report
// would say of them, busy is how much of the wall clock the measuring thread got.
func noise(ctx context.Context, w *suite.Workers) (floor, reach, busy float64, err error) {
	var pairs plan.Plan
	for range noisePairs {
		pairs.Groups = append(pairs.Groups, plan.Noise(plan.SelfOffers())...)
	}
	kept := &measure.Memory{}
	lab := &measure.Lab{Start: w.ForLab, Sink: kept}
	_, err = lab.Run(ctx, pairs, plan.Config{Blocks: noiseBlocks, Rounds: noiseRounds, Target: time.Millisecond, Deadline: Deadline})
	if err != nil {
		return 0, 0, 0, err
	}
	return judgeNoise(&kept.Run)
}

func judgeNoise(run *result.Run) (floor, reach, busy float64, err error) {
	if len(run.Statuses) > 0 {
		return 0, 0, 0, language.Errorf("the measurement of the noise floor failed: %s", "测量本底噪声失败：%s",
			reason.Said(run.Statuses[0].Reason, run.Statuses[0].Cause))
	}
	doc := document.Build(run)
	if doc.Resolution != nil {
		reach = *doc.Resolution
	}
	var thread, wall int64
	for _, s := range run.Samples {
		thread, wall = thread+s.Thread, wall+s.Wall
	}
	return doc.NoiseFloor, reach, float64(thread) / float64(max(wall, 1)), nil
}

func (e *Exam) others(moved machine.State, busy float64) {
	if moved.Load.Known && moved.CPU.Known {
		e.find(text("load", "负载"), "%.2f over the last minute", "最近一分钟 %.2f", moved.Load.One)
		e.find(text("steal", "CPU 抢占 (steal)"), "%s of the CPUs' time during the examination", "检查期间占 CPU 时间的 %s", layout.FormatShare(moved.CPU.StealShare()))
	} else {
		e.find(text("load, steal", "负载与抢占"), "unknown", "未知")
		if runtime.GOOS == "linux" {
			e.doubt("fair", text("what others do to this machine is unknown, for /proc is not mounted", "/proc 未挂载，无法得知其他程序对本机的影响"),
				text("mount it: mount -t proc proc /proc", "请挂载：mount -t proc proc /proc"))
		}
	}
	e.find(text("throttling", "限流"), "%d periods during the examination", "检查期间 %d 个周期", moved.Throttle.Count)
	e.find(text("CPU / wall", "CPU / 墙钟"), "%s: what the measuring thread got of the clock on the wall", "%s：测量线程获得的 CPU 时间占墙钟时间的比例", layout.FormatShare(busy))
	cpus := float64(max(e.Machine.CPU.Online, 1))
	e.doubts(moved.CPU.StealShare(),
		limit{0.05, "poor", text("the hypervisor gives this machine's CPUs to others", "虚拟化层把本机的 CPU 分给了其他租户"),
			text("measure at another hour, or on a machine with dedicated CPUs", "请换个时间测量，或使用独占 CPU 的机器")},
		limit{0.01, "fair", text("the hypervisor takes some of the CPUs' time", "虚拟化层占用了部分 CPU 时间"),
			text("prefer the CPU clock's rows to wall times", "请以 CPU 时钟的数值为准，而非墙钟时间")})
	e.doubts(moved.Load.One, limit{cpus / 2, "fair", text("other work keeps this machine busy", "本机正忙于其他工作"),
		text("stop other work before measuring", "测量前请停止其他工作")})
	e.doubts(float64(moved.Throttle.Count), limit{0, "poor", text("the cgroup's quota stops the process", "cgroup 配额使进程停顿"),
		text("raise the cgroup's CPU quota, or measure with fewer CPUs busy", "请提高 cgroup 的 CPU 配额，或减少同时忙碌的 CPU")})
	if busy < result.ContendedBelow {
		e.doubt("fair", text("other processes share the measuring CPU", "其他进程与测量共用 CPU"),
			text("stop other work, or believe only rows on the CPU clock", "请停止其他工作，或只采信 CPU 时钟的数值"))
	}
}

type limit struct {
	beyond      float64
	level       string
	why, advice layout.Text
}

// doubts lowers the level by the first limit that a reading is beyond.
func (e *Exam) doubts(reading float64, limits ...limit) {
	if i := slices.IndexFunc(limits, func(l limit) bool { return reading > l.beyond }); i >= 0 {
		e.doubt(limits[i].level, limits[i].why, limits[i].advice)
	}
}

func (e *Exam) noise(floor, reach float64) {
	e.find(text("noise floor", "本底噪声"), "%s: how far two equal measurements in two processes come apart for certain", "%s：两个进程中相同测量的确定差异", layout.FormatShare(floor))
	e.find(text("resolution", "分辨能力"), "±%s: how closely they can be told to be equal in %d blocks; less does not show",
		"±%s：%d 个数据组内可判定相同的精度，更小的差异无法显示", layout.FormatShare(reach), noiseBlocks)
	blocks := text("take more blocks: --blocks 31", "请增加数据组：--blocks 31")
	quieter := text("stop other work; take more blocks: --blocks 31", "请停止其他工作，并增加数据组：--blocks 31")
	e.doubts(reach,
		limit{0.20, "poor", text("the same code measured twice is not shown to agree within 20 %", "同一代码测两次，未能确定差异在 20 % 以内"), quieter},
		limit{0.05, "fair", text("differences of a few percent will not show", "百分之几的差异无法显示"), blocks})
	e.doubts(floor,
		limit{0.03, "poor", text("equal measurements differ by more than 3 %", "相同的测量相差超过 3 %"), quieter},
		limit{0.01, "fair", text("differences below the noise floor will not show", "小于本底噪声的差异无法显示"), blocks})
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
		if name := s.Library + " " + s.Version; len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	e.find(text("libraries", "密码库"), "%s", "%s", strings.Join(names, ", "))
	for _, why := range missing {
		e.find(text("not here", "缺少"), "%s", "%s", why)
	}
	return nil
}
