package offload

import (
	"cmp"
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

var Question = answer.Question{Name: "offload", Narrowing: []string{"--algorithms", "--operations", "--sizes"},
	Layout: layOut,
	Asks: layout.Text{EN: "When is a token or device behind PKCS#11 worth it, compared with computing in process?",
		ZH: "PKCS#11 令牌或设备与进程内计算相比，何时划算？"}}

// layOut lays out what a token takes, how much it does, and what it saves.
func layOut(v *answer.View) layout.Layout {
	o := newView(v)
	return layout.Layout{
		Title:    layout.Text{EN: "Offloading to a PKCS#11 token or device", ZH: "由 PKCS#11 令牌或设备代为计算"},
		Line:     answer.FirstSaid(o.line(), o.without()),
		Answers:  answer.Said(slices.Concat([]*layout.Answer{o.noToken()}, o.sentences())...),
		Headline: answer.NonEmpty(o.table(layout.Text{EN: "One session, and several", ZH: "单个会话与多个会话"}, usual)),
		Tables: answer.NonEmpty(o.table(layout.Text{EN: "Every number of sessions", ZH: "全部会话数"},
			func(*document.Row) bool { return true })),
		Charts: slices.Concat(v.RatioChart(label), o.overSessions()),
		Next:   []layout.Next{o.next()},
	}
}

// next is how to ask a token, or more of the one that was asked.
func (o *view) next() layout.Next {
	if len(o.tokens) > 0 {
		return answer.Run("offload", "1 to 64 sessions, decryption, more sizes", "1 至 64 个会话、解密与更多长度")
	}
	return answer.Run("offload --library pkcs11=/usr/lib/softhsm/libsofthsm2.so",
		"a token (here SoftHSM's; it asks for the PIN), 1 to 64 sessions", "测量令牌（此处为 SoftHSM，会提示输入 PIN），1 至 64 个会话")
}

// job is what is done, whoever does it.
type job struct {
	algorithm, mode, operation string
	bytes                      int64
}

type view struct {
	*answer.View
	jobs   []job
	tokens []string // by the names that the run has for them
	cpus   int      // at which Go was measured
}

func newView(v *answer.View) *view {
	o := &view{View: v, jobs: answer.Values(v.Rows, jobOf, nil)}
	o.tokens = answer.Values(v.Rows, v.Name, isToken)
	for _, r := range v.Rows {
		if !isToken(r) {
			o.cpus = max(o.cpus, sessionsOf(r))
		}
	}
	return o
}

func jobOf(r *document.Row) job      { return job{r.Algorithm, r.Mode, r.Operation, r.Bytes} }
func isToken(r *document.Row) bool   { return r.Library == subject.PKCS11 }
func sessionsOf(r *document.Row) int { return max(1, parameter.Sessions.In(r.Parameters)) }
func usual(r *document.Row) bool     { n := sessionsOf(r); return !isToken(r) || n == 1 || n == many }
func (o *view) inProcess(j job) (alone, all *document.Row) {
	of := func(n int) *document.Row {
		return o.First(func(r *document.Row) bool { return jobOf(r) == j && !isToken(r) && sessionsOf(r) == n })
	}
	return of(1), of(o.cpus)
}

func (o *view) inToken(j job, name string, n int) *document.Row {
	return o.First(func(r *document.Row) bool { return jobOf(r) == j && o.Name(r) == name && sessionsOf(r) == n })
}

// text names a job: "RSA-2048-PSS signing".
func (j job) text() layout.Text {
	name := answer.CaseName(j.algorithm, j.mode)
	if j.bytes > 0 {
		return layout.Say("%s of %s", "%s（%s）", name, answer.SizeText(j.bytes))
	}
	return layout.Say("%s %s", "%s %s", name, answer.KeyOperation(j.operation))
}

// A judged job is what a token does of it beside Go.
type judged struct {
	job
	token         string
	latency, rate *document.Comparison
	home, away    document.Metric // CPU a call, in process and with the most sessions
	perSecond     float64         // of the token, with several sessions
	own           float64         // of Go, with every CPU
}

func (o *view) judge(j job, token string) (x judged, ok bool) {
	x = judged{job: j, token: token}
	one, all := o.inProcess(j)
	several := o.inToken(j, token, many)
	x.latency, x.rate = o.Compare(one, o.inToken(j, token, 1)), o.Compare(all, several)
	var cpuHome, cpuAway bool
	x.home, cpuHome = answer.Metric(one, document.CPUPerCall)
	x.away, cpuAway = answer.Metric(several, document.CPUPerCall)
	ns, measured := answer.Nanoseconds(several)
	own, ours := answer.Nanoseconds(all)
	if x.latency == nil || x.rate == nil || !cpuHome || !cpuAway || !measured || !ours {
		return x, false
	}
	x.perSecond, x.own = 1e9/ns, 1e9/own
	return x, true
}

// saved is how much of the host's CPU a call saves, in nanoseconds, and whether the intervals tell that it saves any;
// or, where it is negative, costs.
func (x judged) saved() (ns float64, sure bool) {
	ns = x.home.Value - x.away.Value
	if x.home.Low == nil || x.home.High == nil || x.away.Low == nil || x.away.High == nil {
		return ns, false
	}
	return ns, *x.away.High < *x.home.Low || *x.home.High < *x.away.Low
}

// pays says what follows for the host's CPU.
func (x judged) pays() layout.Text {
	ns, sure := x.saved()
	most := ns * x.perSecond / 1e9
	switch {
	case !sure:
		return layout.Text{EN: "whether it saves CPU is inconclusive", ZH: "能否节省 CPU 无法判定"}
	case ns < 0:
		return layout.Say("it costs %s more of the host's CPU per call than in process, so it pays for where the key lies, not for speed",
			"每次比进程内多耗主机 CPU %s，因此其价值在于密钥不出令牌，而不在速度", layout.FormatTime(-ns))
	case most >= 1:
		return layout.Say("it saves %s of the host's CPU per call: one CPU from %s a second on, %s at its most",
			"每次节省主机 CPU %s：每秒 %s 次起省下一个 CPU，最多省下 %s 个",
			layout.FormatTime(ns), frequency(1e9/ns), layout.FormatNumber(most))
	}
	return layout.Say("it saves %s of the host's CPU per call, and %s CPU at its most", "每次节省主机 CPU %s，最多省下 %s 个 CPU",
		layout.FormatTime(ns), layout.FormatNumber(most))
}

func (o *view) judgements() (all []judged) {
	for _, token := range o.tokens {
		for _, j := range o.jobs {
			if x, ok := o.judge(j, token); ok {
				all = append(all, x)
			}
		}
	}
	return all
}

var goInProcess = layout.Text{EN: "go in process", ZH: "进程内的 go"}

// sentences say of each job how long it takes, how many there are in a second, and what that saves.
func (o *view) sentences() (all []*layout.Answer) {
	for i, x := range o.judgements() {
		mark := layout.Plain
		if ns, sure := x.saved(); sure && ns > 0 {
			mark = layout.Choose
		}
		all = append(all, &layout.Answer{Mark: mark, Short: i == 0, Evidence: answer.Evidence(x.latency, x.rate),
			Text: layout.Say("%s through %s %s; %d sessions do %s a second, go on %d CPUs %s; %s.",
				"%[1]s：经 %[2]s %[3]s；%[4]d 个会话每秒 %[5]s 次，go 用 %[6]d 个 CPU 每秒 %[7]s 次；%[8]s。",
				x.text(), x.token, answer.Versus(x.latency, goInProcess), many, frequency(x.perSecond),
				o.cpus, frequency(x.own), x.pays())})
	}
	return all
}

func (o *view) line() *layout.Answer {
	all := o.judgements()
	if len(all) == 0 {
		return nil
	}
	x := all[0]
	l := answer.Summary{Mark: layout.Choose}
	ns, sure := x.saved()
	if sure && ns > 0 {
		l.Do = layout.Say("Offload %s to %s", "请将%s交给 %s", x.text(), x.token)
		l.Pay(layout.Say("saves %s CPU per call, up to %s a second", "每次节省 CPU %s，每秒最多 %s 次",
			layout.FormatTime(ns), frequency(x.perSecond)), x.rate)
		return l.Said(x.latency)
	}
	l.Do = layout.Say("Use %s for where keys lie, not for speed", "使用 %s 是为了保管密钥，而非速度", x.token)
	l.Pay(layout.Say("%s %s", "%s %s", x.text(), answer.Ratio(x.latency, goInProcess)), x.latency)
	return l.Said(x.latency)
}

// silent says why the token that was named has no number, and is nothing where none was named. Of one that could not be
// opened the head of the report says why.
func (o *view) silent() layout.Text {
	if slices.ContainsFunc(o.Doc.Libraries, func(l result.Library) bool { return l.Library == subject.PKCS11 && l.Missing != "" }) {
		return layout.Text{EN: "The token could not be asked", ZH: "无法使用该令牌"}
	}
	if r := o.First(isToken); r != nil {
		return layout.Say("The token gave no number (%s)", "令牌未给出任何数值（%s）", reason.Text(r.Cause))
	}
	return layout.Text{}
}

// noToken says how to name a token, where none was named or none gave a number, and what it would be held against.
func (o *view) noToken() *layout.Answer {
	how := cmp.Or(o.silent(),
		layout.Text{EN: "No token was named: give the path of its PKCS#11 module by --library pkcs11=PATH", ZH: "未指定令牌：请用 --library pkcs11=PATH 给出其 PKCS#11 模块的路径"})
	if slices.ContainsFunc(o.Rows, func(r *document.Row) bool { _, told := answer.Nanoseconds(r); return told && isToken(r) }) {
		return nil
	}
	for _, j := range o.jobs {
		if _, all := o.inProcess(j); all != nil {
			if ns, ok := answer.Nanoseconds(all); ok {
				return &layout.Answer{Mark: layout.Plain, Evidence: []string{all.ID},
					Text: layout.Say("%[4]s; in process, go does %[1]s %[2]s times per second of wall time on %[3]d CPUs.",
						"%[4]s；在进程内，go 用 %[3]d 个 CPU，%[1]s按实际耗时每秒 %[2]s 次。", j.text(), frequency(1e9/ns), o.cpus, how)}
			}
		}
	}
	return nil
}

// without is one line of the screen that all questions share, where no token was named.
func (o *view) without() *layout.Answer {
	a := o.noToken()
	if a == nil {
		return nil
	}
	r := o.ByID[a.Evidence[0]]
	ns, _ := answer.Nanoseconds(r) // which it has: noToken says it
	how := cmp.Or(o.silent(), layout.Text{EN: "No token (--library pkcs11=PATH)", ZH: "未指定令牌（--library pkcs11=PATH）"})
	a.Text = layout.Say("%[3]s; go: %[1]s %[2]s times a second.", "%[3]s；go 每秒可做 %[2]s 次 %[1]s。",
		layout.Say("%s %s", "%s %s", r.Algorithm, answer.KeyOperation(r.Operation)), frequency(1e9/ns), how)
	return a
}

func label(base, other *document.Row) layout.Text {
	return layout.Say("%s: %s, %d sessions / %s, %d", "%s：%s %d 个会话 / %s %d 个", jobOf(other).text(), other.Library, sessionsOf(other),
		base.Library, sessionsOf(base))
}

// frequency is how often a second: whole thousands are set apart.
func frequency(x float64) string {
	if x >= 1000 {
		return layout.FormatThousands(int64(math.Round(x)))
	}
	return layout.FormatNumber(x)
}

// waited is how long a caller waits for a call: the time between two ends, as often as there are callers.
func waited(r *document.Row) layout.Cell {
	c := answer.TimeCell(r)
	if ns, ok := answer.Nanoseconds(r); ok {
		c.Text = layout.Same(layout.FormatTime(ns * float64(sessionsOf(r))))
	}
	return c
}

func (o *view) table(title layout.Text, is func(*document.Row) bool) layout.Table {
	return answer.Table[*document.Row]{
		Title: title,
		Caption: layout.Text{EN: "Wall time that a caller waits for a call, calls a second of all sessions together, and the host's CPU time of a call. " +
			"In process, a session is a goroutine.",
			ZH: "单个调用方等待一次调用的实际耗时、全部会话合计的每秒次数，以及每次调用的主机 CPU 时间。进程内计算时，一个会话即一个 goroutine。"},
		Columns: []answer.RowColumns{
			answer.Told("operation", "操作", func(r *document.Row) layout.Text { return jobOf(r).text() }),
			answer.Library,
			answer.Printed("sessions", "会话数", func(r *document.Row) string { return layout.FormatCount(float64(sessionsOf(r))) }),
			answer.Figure("a call takes", "单次耗时", waited),
			answer.Shown("per second", "每秒次数", answer.Nanoseconds, func(ns float64) string { return frequency(1e9 / ns) }),
			answer.MetricFigure("CPU per call", "每次 CPU 时间", document.CPUPerCall, layout.FormatTime),
		},
	}.Of(o.Select(is))
}

// overSessions draws how long a token takes from call to call, over its sessions.
func (o *view) overSessions() (all []layout.Chart) {
	for _, j := range o.jobs {
		var lines []answer.Line
		for _, token := range o.tokens {
			lines = append(lines, answer.Line{Name: layout.Same(token),
				Rows: o.Select(func(r *document.Row) bool { return jobOf(r) == j && o.Name(r) == token })})
		}
		if len(lines) > 0 && len(lines[0].Rows) > len(fewSessions) {
			all = append(all, o.Lines(layout.Chart{
				Title: layout.Say("%s: time from call to call, over sessions", "%s：相邻两次完成的间隔与会话数", j.text()),
				X:     layout.Axis{Title: layout.Text{EN: "sessions", ZH: "会话数"}}, Y: answer.TimeAxis,
			}, lines, func(r *document.Row) (layout.Point, bool) { return answer.TimePoint(r, float64(sessionsOf(r))) })...)
		}
	}
	return all
}
