package traffic

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Line is a line of a report: what it is of, and what there is to say.
type Line struct{ What, Said language.Text }

// Lines say what was measured of one server.
func (r *Result) Lines() []Line {
	lines := []Line{
		{language.Text{EN: "load", ZH: "负载"}, r.sent()},
		{language.Text{EN: "answers", ZH: "响应"}, r.answers()},
		{language.Text{EN: "errors", ZH: "错误"}, r.errors()},
		{language.Text{EN: "latency", ZH: "延迟"}, r.latency()},
	}
	if r.Plan.Rate > 0 {
		lines = append(lines, Line{language.Text{EN: "schedule", ZH: "发送计划"}, r.schedule()})
	}
	return append(lines, Line{language.Text{EN: "generator", ZH: "压测程序"}, language.Say("used %.2f CPU", "占用 %.2f 个 CPU", r.cpus())})
}

// cpus is how many CPUs the generator used.
func (r *Result) cpus() float64 {
	if r.Took <= 0 {
		return 0
	}
	return r.CPU.Seconds() / r.whole().Seconds()
}

func (r *Result) sent() language.Text {
	took := layout.FormatTime(float64(r.Took))
	made := language.Say("%s new connections", "新建 %s 个连接", layout.FormatThousands(r.Dialled))
	if r.Dialled == 0 {
		made = language.Text{EN: "over connections that were open before", ZH: "使用此前已建立的连接"}
	}
	if r.Plan.Rate == 0 {
		return language.Say("%s connections, each with its next request after its answer, for %s; %s",
			"%s 个连接，各在收到响应后发出下一请求，持续 %s；%s", layout.FormatThousands(int64(r.Plan.Connections)), took, made)
	}
	if r.Missed() {
		return language.Say("the rate was not reached: %s of %s requests a second were sent, for %s; %s, at most %s at once",
			"未达到所要求的速率：每秒应发 %[2]s 个请求，实发 %[1]s 个，持续 %[3]s；%[4]s，至多同时 %[5]s 个",
			rate(r.Sent()), rate(r.Plan.Rate), layout.FormatTime(float64(r.whole())), made,
			layout.FormatThousands(int64(r.Plan.Connections)))
	}
	return language.Say("%s requests a second for %s; %s, at most %s at once", "每秒 %s 个请求，持续 %s；%s，至多同时 %s 个",
		rate(r.Plan.Rate), took, made, layout.FormatThousands(int64(r.Plan.Connections)))
}

func (r *Result) answers() language.Text {
	said := language.Say("%s right of %s, %s a second", "%[2]s 个请求中 %[1]s 个响应正确，每秒 %[3]s 个",
		layout.FormatThousands(r.Right), layout.FormatThousands(r.Due), rate(r.PerSecond()))
	if r.Bytes > 0 {
		said = language.Say("%s, %s of bodies", "%s，正文 %s", said, layout.FormatRate(float64(r.Bytes)/r.whole().Seconds()))
	}
	return said
}

func (r *Result) errors() language.Text {
	var said []language.Text
	for _, kind := range Failures {
		if n := r.Failures[kind]; n > 0 {
			said = append(said, language.Say("%s %s", "%s 次%s", layout.FormatThousands(n), r.Said(kind)))
		}
	}
	if len(said) == 0 {
		return language.Text{EN: "none", ZH: "无"}
	}
	return layout.JoinWith(said, "; ", "；")
}

// Said is a kind of failure, with what the first of them said.
func (r *Result) Said(kind Failure) language.Text {
	if example := r.Examples[kind]; example.EN != "" {
		return language.Say("%s (%s)", "%s（%s）", kind.Text(), example)
	}
	return kind.Text()
}

func (r *Result) latency() language.Text {
	switch {
	case r.Right == 0:
		return language.Text{EN: "no request had a right answer", ZH: "没有请求得到正确响应"}
	case !r.Kept():
		return language.Text{EN: "not shown: the generator did not keep its schedule, so they would be its own",
			ZH: "不予显示：压测程序未能按计划发送，延迟反映的是它自身"}
	case r.Missed():
		return language.Text{EN: "not shown: the rate was not reached, so they would grow for as long as it is asked for",
			ZH: "不予显示：未达到所要求的速率，延迟会随测量时间不断增长"}
	}
	said := r.percentiles()
	if r.Failed() > 0 {
		said = language.Say("of the %s right answers only: %s", "仅计 %s 个正确响应：%s", layout.FormatThousands(r.Right), said)
	}
	if r.Plan.Rate == 0 {
		return language.Say("%s; from when each was sent. While the server stalls, a closed loop asks less: see --rate",
			"%s；自发出时起算。服务器停顿期间闭环不再发送，延迟偏低：请用 --rate", said)
	}
	return language.Say("%s; from when each was due", "%s；自应发时刻起算", said)
}

// percentiles words those of the latency that are the server's, and says why the others are not shown.
func (r *Result) percentiles() language.Text {
	upTo := slices.Index(percentiles, r.mostShown()) + 1
	said, hidden := quantiles(r.Latency, percentiles[:upTo]), r.tooFew()
	if own := r.leastOwn(); own > 0 {
		hidden = r.ownDelay(own)
	} else {
		said = append(said, highest(r.Latency))
	}
	shown := strings.Join(said, " · ")
	switch {
	case shown == "":
		return hidden
	case hidden != language.Text{}:
		return language.Say("%s (%s)", "%s（%s）", shown, hidden)
	}
	return language.Same(shown)
}

// tooFew says which percentiles take more answers than there were; nothing where none does.
func (r *Result) tooFew() language.Text {
	var en, zh []string
	for _, p := range percentiles {
		if n := r.Latency.TotalCount(); !carries(n, p) {
			en = append(en, fmt.Sprintf("p%g takes %s answers", p, layout.FormatThousands(fewestOf(p))))
			zh = append(zh, fmt.Sprintf("p%g 需 %s 个响应", p, layout.FormatThousands(fewestOf(p))))
		}
	}
	if len(en) == 0 {
		return language.Text{}
	}
	return language.Text{EN: "too few to show all: " + strings.Join(en, ", "), ZH: "响应太少，未全部显示：" + strings.Join(zh, "，")}
}

// ownDelay says why percentiles from one on are not shown, and what helps.
func (r *Result) ownDelay(from float64) language.Text {
	late, queued := time.Duration(r.Late.ValueAtQuantile(from)), r.queue.at(from)
	of := layout.FormatTime(float64(r.Latency.ValueAtQuantile(from)))
	own := layout.FormatTime(float64(late + queued))
	hidden := language.Say("p%g and above not shown: half or more, %s of %s, may be the generator's own delay",
		"p%g 及以上不予显示：其中可能有一半以上（%[3]s 中的 %[2]s）是压测程序自身的延误", from, own, of)
	var cause language.Text
	switch {
	case late < queued:
		cause = language.Say("its goroutines waited %s for a CPU: leave it more of them", "其 goroutine 等待 CPU %s：请给它更多 CPU", layout.FormatTime(float64(queued)))
	case late <= mostLead:
		cause = language.Say("it sent %s late, since its threads take so long to wake; measure a server this fast by --connections N without --rate",
			"它晚发了 %s，即其线程被唤醒所需的时间；对这样快的服务器请只用 --connections N，不用 --rate", layout.FormatTime(float64(late)))
	default:
		cause = language.Say("it sent %s late: others, or the server, had its CPUs; leave it more of them, or lower --rate",
			"它晚发了 %s：CPU 被其他程序或服务器占用；请给它更多 CPU，或降低 --rate", layout.FormatTime(float64(late)))
	}
	return layout.JoinWith([]language.Text{hidden, cause}, "; ", "；")
}

// percentiles are those that are shown.
var percentiles = []float64{50, 90, 95, 99, 99.9}

// quantiles are those that so many values carry.
func quantiles(h arrival.Histogram, of []float64) (said []string) {
	for _, p := range of {
		if carries(h.TotalCount(), p) {
			said = append(said, fmt.Sprintf("p%g %s", p, layout.FormatTime(float64(h.ValueAtQuantile(p)))))
		}
	}
	return said
}

func highest(h arrival.Histogram) string { return "max " + layout.FormatTime(float64(h.Max())) }

func (r *Result) schedule() language.Text {
	var said []language.Text
	if r.Late.TotalCount() > 0 {
		said = append(said, language.Say("own error: %s", "自身误差：%s", strings.Join(append(quantiles(r.Late, []float64{50, 99}), highest(r.Late)), " · ")))
	}
	behind := behindShare(max(0, r.Behind()))
	switch {
	case r.Behind() > MaxBehind:
		said = append(said, language.Say("%s behind at the end, at most 1 %% is accepted: lower --rate, or ask --find-rate",
			"结束时落后 %s，超过 1%%：请降低 --rate，或用 --find-rate 查找", behind))
	case !r.Kept():
		said = append(said, language.Say("its goroutines waited %s for a CPU (median): lower --rate, or give it more CPUs",
			"其 goroutine 等待 CPU 的中位时间为 %s：请降低 --rate，或给它更多 CPU", layout.FormatTime(float64(r.Starved))))
	default:
		said = append(said, language.Say("%s behind at the end", "结束时落后 %s", behind))
	}
	if r.Waited > 0 {
		said = append(said, language.Say("%s requests waited for a free connection", "%s 个请求等待过空闲连接",
			layout.FormatThousands(r.Waited)))
	}
	if r.Overloaded() {
		said = append(said, language.Text{EN: "the rate is more than the server, so many connections or this generator can do: lower it, or ask --find-rate",
			ZH: "该速率超出服务器、连接数或本压测程序的能力：请降低速率，或用 --find-rate 查找"})
	}
	return layout.JoinWith(said, "; ", "；")
}

// behindShare prints a share with so many digits that one above what is accepted is seen to be.
func behindShare(share float64) string {
	for digits := 1; share > MaxBehind && share < 1.1*MaxBehind && digits < 6; digits++ {
		shown := math.Round(share*100*math.Pow10(digits)) / math.Pow10(digits)
		if shown > 100*MaxBehind {
			return strconv.FormatFloat(shown, 'f', digits, 64) + " %"
		}
	}
	return layout.FormatShare(share)
}

// Lines compare two servers.
func (t *Turns) Lines() (lines []Line) {
	names := map[Metric]language.Text{
		Median:  {EN: "median latency", ZH: "延迟中位数"},
		Tail:    {EN: "p99 latency", ZH: "p99 延迟"},
		Answers: {EN: "answers a second", ZH: "每秒响应数"},
	}
	for _, c := range t.Compared {
		lines = append(lines, Line{names[c.Metric], c.Text()})
	}
	switch {
	case len(lines) == 0 && t.Pairs == 0:
		lines = []Line{{language.Text{EN: "none", ZH: "无"}, language.Text{EN: "no full pair of turns before the interruption", ZH: "中断之前没有完成一对轮次"}}}
	case len(lines) == 0:
		lines = []Line{{language.Text{EN: "none", ZH: "无"}, language.Text{EN: "no turns of both that kept their schedule, or what there is may be the generator's own delay",
			ZH: "双方没有都按计划发送的轮次，或测得的可能是压测程序自身的延误"}}}
	}
	return lines
}

// Text says how the second server compares with the first.
func (c Compared) Text() language.Text {
	if !c.OK {
		return language.Text{EN: "too few turns were measured for a verdict", ZH: "测得的轮次太少，不作判定"}
	}
	ratio, low, high := c.Ratio, c.Low, c.High
	if c.Metric != Answers { // a shorter latency is a greater speed
		ratio, low, high = 1/ratio, 1/high, 1/low
	}
	verdict := map[stat.Verdict]language.Text{
		stat.Faster: {EN: "the second is better", ZH: "后者更好"},
		stat.Slower: {EN: "the second is worse", ZH: "后者更差"},
		stat.Same:   {EN: "the same within 0.5 %", ZH: "相差不到 0.5%"},
	}[c.Verdict]
	if verdict == (language.Text{}) {
		verdict = language.Text{EN: "inconclusive", ZH: "无法判定"}
	}
	return language.Say("the second's is %.3g (%.3g–%.3g) times the first's: %s", "后者为前者的 %.3g（%.3g–%.3g）倍：%s",
		ratio, low, high, verdict)
}

// Title names a server and how it is spoken to.
func (t *Target) Title() language.Text {
	how := map[Connect]language.Text{
		Kept:    {EN: "connections kept", ZH: "保持连接"},
		New:     {EN: "a new connection for each request", ZH: "每个请求新建连接"},
		Resumed: {EN: "a new connection for each request, sessions resumed", ZH: "每个请求新建连接，恢复会话"},
	}[t.Connect]
	return language.Say("%s %s, HTTP/%s, %s", "%s %s，HTTP/%s，%s", t.Method, t.Name(), string(t.Protocol), how)
}

// Lines say how fast the generator may be, and what it measured there.
func (h Highest) Lines() []Line {
	lines := []Line{{language.Text{EN: "highest rate", ZH: "最高速率"}, h.Text()}}
	if h.At != nil {
		lines = append(lines, h.At.Lines()...)
	}
	return lines
}

// Text says what the highest rate is, or why there is none.
func (h Highest) Text() language.Text {
	if h.Above == nil && h.Rate == 0 {
		return language.Text{EN: "nothing was measured", ZH: "未作任何测量"}
	}
	if h.Rate == 0 {
		return language.Say("no rate was kept, down to %s a second: %s", "低至每秒 %s 个仍未能保持：%s", rate(h.Above.Plan.Rate), h.why())
	}
	kept := language.Say("up to %s requests a second: 99 %% are sent within %s of when they are due",
		"最高每秒 %s 个请求：99%% 在应发时刻后 %s 内发出", rate(h.Rate), layout.FormatTime(float64(h.At.Late.ValueAtQuantile(99))))
	switch h.Limit {
	case BySchedule:
		return language.Say("%s. At %s a second it is %s.", "%s。每秒 %s 个时为 %s。", kept, rate(h.Above.Plan.Rate),
			layout.FormatTime(float64(h.Above.Late.ValueAtQuantile(99))))
	case ByServer:
		return language.Say("%s. At %s a second the server or the connections limit: %s requests waited for one, %s failed.",
			"%s。每秒 %s 个时受限于服务器或连接数：%s 个请求等待过连接，%s 个失败。", kept, rate(h.Above.Plan.Rate),
			layout.FormatThousands(h.Above.Waited), layout.FormatThousands(h.Above.Failed()))
	}
	return language.Say("%s.", "%s。", kept)
}

// why says what no rate was kept for, and what helps.
func (h Highest) why() language.Text {
	switch above := h.Above; {
	case h.Limit == BySchedule:
		return language.Text{EN: "the generator was late, since other programs or the server have the CPUs", ZH: "压测程序发送延误，CPU 被其他程序或服务器占用"}
	case above.Failed() > 0:
		return language.Say("%s of %s requests had no right answer", "%[2]s 个请求中有 %[1]s 个未得到正确响应",
			layout.FormatThousands(above.Failed()), layout.FormatThousands(above.Due))
	default:
		return language.Say("the server or %s connections give %s answers a second; give more --connections, or a longer --duration to search lower rates",
			"服务器或 %s 个连接每秒只能给出 %s 个响应；请增大 --connections，或延长 --duration 以查找更低的速率",
			layout.FormatThousands(int64(above.Plan.Connections)), rate(above.PerSecond()))
	}
}

// rate prints one of requests a second.
func rate(perSecond float64) string {
	if perSecond < 10 {
		return fmt.Sprintf("%.3g", perSecond)
	}
	return layout.FormatThousands(int64(perSecond + 0.5))
}

// Expected is about how many measurements a search for the highest rate takes.
const Expected = 14
