package service

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
)

var Question = answer.Question{Name: "service", Narrowing: []string{"--modes", "--sizes"}, Layout: layOut, Use: wrongUse,
	Asks: layout.Text{EN: "What does encryption cost an HTTP service: TLS, client certificates, new connections, sealed answers?",
		ZH: "加密让 HTTP 服务付出多少 CPU：TLS、客户端证书、新建连接、响应加密？"}}

// layOut lays out what a request takes of a server's CPU, and how much of it is TLS.
func layOut(v *answer.View) layout.Layout {
	s := &serviceView{v}
	cost := s.cost()
	return layout.Layout{
		Line:  answer.FirstSaid(s.line(), cost),
		Title: layout.Text{EN: "What encryption costs an HTTP service", ZH: "加密让 HTTP 服务付出的代价"},
		Answers: answer.Said(append([]*layout.Answer{answer.Short(cost), answer.Short(s.anew()), answer.Short(s.payload()),
			s.instead(algorithm.ByMutual, "Client certificates, CPU of the server per request: %s.", "客户端证书，服务器每个请求的 CPU：%s。"),
			s.instead(algorithm.ByHybrid,
				"%s, which withstands quantum computers, in the place of %s, CPU of the server per request: %s.",
				"以可抵御量子计算机的 %s 代替 %s，服务器每个请求的 CPU：%s。", algorithm.X25519MLKEM768, algorithm.X25519),
			s.published(),
			s.instead(algorithm.ByTLCP, "%s in the place of %s, CPU of the server per request: %s.",
				"以 %s 代替 %s，服务器每个请求的 CPU：%s。", protection(algorithm.ByTLCP), algorithm.TLS13),
			s.resumption(), s.longer(), s.signing(), s.downloaded()}, s.waiting()...)...),
		Headline: answer.NonEmpty(s.headline()),
		Tables:   answer.NonEmpty(s.costs(), s.downloads(), s.latencies()),
		Charts:   append(s.ratios(), s.overLoad()...),
		Next: []layout.Next{
			answer.Run("service",
				"longer answers, resumed connections, TLCP, downloads, latency under load", "更长的响应、恢复会话的连接、TLCP、下载与负载下的延迟"),
			{Command: "cryptogauge load URL", Why: layout.Text{EN: "the latency of a server of yours", ZH: "测量自己的服务器的延迟"}},
		},
	}
}

type serviceView struct{ *answer.View }

func of(r *document.Row) served { return served{r.Mode, parameter.Connections.In(r.Parameters)} }

// find is a service's first row: where several libraries offer it, that of an established one.
func (v *serviceView) find(s served, bytes int64) *document.Row {
	return v.First(func(r *document.Row) bool { return of(r) == s && r.Bytes == bytes && follows(r) })
}

// follows says whether a row is of requests that follow one another, of the length of an API's answers.
func follows(r *document.Row) bool { return r.Operation == algorithm.Serve && loadOf(r) == 0 }

func (v *serviceView) timed() []*document.Row { return v.Select(follows) }

// usual is the length of answers that sentences are about: that of an API, or the shortest measured.
func (v *serviceView) usual() int64 {
	sizes := slices.Sorted(slices.Values(answer.Values(v.timed(), answer.BytesOf, nil)))
	return plan.Usual(usualBytes, append(sizes, 0))
}

func (v *serviceView) compare(base, other served) *document.Comparison {
	at := v.usual()
	return v.Compare(v.find(base, at), v.find(other, at))
}

// line is the question's for the screen that all share.
func (v *serviceView) line() *layout.Answer {
	kept := v.compare(served{algorithm.Cleartext, parameter.KeptOnes}, served{algorithm.ByTLS, parameter.KeptOnes})
	again := v.compare(served{algorithm.ByTLS, parameter.KeptOnes}, served{algorithm.ByTLS, parameter.NewOnes})
	if kept == nil || again == nil {
		return nil
	}
	l := answer.Summary{Mark: layout.Choose, Do: layout.Text{EN: "Keep connections open", ZH: "请保持连接"}}
	if !answer.Decided(again, "slower") {
		l.Mark = layout.Unclear
	}
	l.Pay(layout.Say("TLS then takes %s (answers of %s)", "此时对于 %[2]s 的响应，TLS %[1]s",
		takes(kept, layout.Text{EN: "a server's CPU", ZH: "HTTP 服务器 CPU"}), answer.SizeText(v.usual())), kept)
	l.Pay(layout.Say("a new one per request takes %s the CPU of a kept one", "每个请求新建连接的 CPU 开销为保持连接的 %s", factor(again)), again)
	return new(l.Answer())
}

// share words the part of the slower one's time that the faster one does not take, in percent.
func share(c *document.Comparison) layout.Text {
	about, number := shareOf(c)
	return layout.Say("%s%s", "%s%s", about, number)
}

// takes words a share with what it is a share of: "占服务器 CPU 的 20%", "至多占服务器 CPU 的 23%".
func takes(c *document.Comparison, of layout.Text) layout.Text {
	about, number := shareOf(c)
	return layout.Say("%[1]s%[2]s of %[3]s", "%[1]s占 %[3]s 的 %[2]s", about, number, of)
}

// shareOf is a share as a number of percent, and what is said before it of how sure that is.
func shareOf(c *document.Comparison) (about, number layout.Text) {
	percent := func(x float64) string { return fmt.Sprintf("%.0f", 100*max(0, x)) }
	low, high := 1-*c.High, 1-*c.Low
	switch {
	case c.Verdict == "same":
		return layout.Text{EN: "less than ", ZH: "不到 "}, layout.Text{EN: "0.5 %", ZH: "0.5%"}
	case c.Verdict == "slower":
		return layout.Text{}, layout.Say("%s %% (%s–%s %%)", "%s%%（%s–%s%%）", percent(1-c.Ratio), percent(low), percent(high))
	case low > 0:
		return layout.Text{EN: "about ", ZH: "约 "},
			layout.Say("%s %% (%s–%s %%, %s)", "%s%%（%s–%s%%，%s）", percent(1-c.Ratio), percent(low), percent(high), answer.Open(c))
	}
	return layout.Text{EN: "at most ", ZH: "至多 "}, layout.Say("%s %%", "%s%%", percent(high))
}

// factor words how many times as long the second of two takes, with its interval.
func factor(c *document.Comparison) layout.Text {
	if !answer.Differs(c) {
		return layout.Say("%s times (%s, %s)", "%s 倍（%s，%s）", answer.Factor(1/c.Ratio), answer.LimitsSlower(c), answer.Open(c))
	}
	return layout.Say("%s times (%s)", "%s 倍（%s）", answer.Factor(1/c.Ratio), answer.LimitsSlower(c))
}

// cost says what TLS takes of a server whose connections are kept.
func (v *serviceView) cost() *layout.Answer {
	c := v.compare(served{algorithm.Cleartext, parameter.KeptOnes}, served{algorithm.ByTLS, parameter.KeptOnes})
	if c == nil {
		return nil
	}
	return &layout.Answer{Mark: answer.MarkOf(c), Evidence: answer.Evidence(c),
		Text: layout.Say("With connections kept and answers of %[2]s, TLS takes %[1]s: a request takes %[3]s, without TLS %[4]s.",
			"保持连接、响应为 %[2]s 时，TLS %[1]s；每个请求 %[3]s，不用 TLS 为 %[4]s。",
			takes(c, layout.Text{EN: "the server's CPU", ZH: "服务器 CPU"}), answer.SizeText(v.usual()),
			answer.Took(v.ByID[c.Other]), answer.Took(v.ByID[c.Base]))}
}

func (v *serviceView) anew() *layout.Answer {
	kept := v.compare(served{algorithm.ByTLS, parameter.KeptOnes}, served{algorithm.ByTLS, parameter.NewOnes})
	plain := v.compare(served{algorithm.Cleartext, parameter.NewOnes}, served{algorithm.ByTLS, parameter.NewOnes})
	if kept == nil || plain == nil {
		return nil
	}
	mark := layout.Plain
	if answer.Decided(kept, "slower") {
		mark = layout.Choose
	}
	return &layout.Answer{Mark: mark, Evidence: append(answer.Evidence(kept), answer.Evidence(plain)...),
		Text: layout.Say("Keep connections open: a new one with TLS for each request takes %s as much CPU as kept ones; TLS is %s of it.",
			"请保持连接：每个请求新建 TLS 连接时，CPU 为保持连接时的 %s，其中 TLS 占 %s。", factor(kept), share(plain))}
}

// instead says what a protection adds to that of TLS, by how connections are used.
func (v *serviceView) instead(protection algorithm.Mode, en, zh string, args ...any) *layout.Answer {
	var said answer.Clauses
	for _, connections := range []parameter.Reuse{parameter.NewOnes, parameter.KeptOnes, parameter.ResumedOnes} {
		if c := v.compare(served{algorithm.ByTLS, connections}, served{protection, connections}); c != nil {
			said.Tell(layout.Say("%s %s", "%s：%s", wayOf(connections), adds(c)), c)
		}
	}
	return said.Sentence(layout.Plain, en, zh, append(args, said.Join())...)
}

// adds words how much more the second of two takes.
func adds(c *document.Comparison) layout.Text {
	const small = 0.05 // what may be left open where no difference was found
	percent := func(ratio float64) string {
		return strings.Replace(fmt.Sprintf("%+.0f", 100*(1/ratio-1)), "-", "−", 1)
	}
	switch {
	case c.Verdict == "same":
		return layout.Text{EN: "the same within 0.5 %", ZH: "相差不到 0.5%"}
	case !answer.Differs(c) && *c.Low <= 1 && *c.High >= 1:
		if answer.Abs(*c.Low-1) > small || answer.Abs(*c.High-1) > small {
			return layout.Say("%s (%s to %s %%)", "%s（%s%% 至 %s%%）", answer.Open(c), percent(*c.High), percent(*c.Low))
		}
		return layout.Say("no difference found (%s to %s %%)", "未见差异（%s%% 至 %s%%）", percent(*c.High), percent(*c.Low))
	case !answer.Differs(c):
		return layout.Say("about %s %% (%s to %s %%, %s)", "约 %s%%（%s%% 至 %s%%，%s）", percent(c.Ratio), percent(*c.High), percent(*c.Low), answer.Open(c))
	}
	return layout.Say("%s %% (%s to %s %%)", "%s%%（%s%% 至 %s%%）", percent(c.Ratio), percent(*c.High), percent(*c.Low))
}

func (v *serviceView) resumption() *layout.Answer {
	c := v.compare(served{algorithm.ByTLS, parameter.NewOnes}, served{algorithm.ByTLS, parameter.ResumedOnes})
	return answer.Found(c, layout.Text{EN: "one with a full handshake", ZH: "完整握手的新连接"},
		"A new connection that resumes a session %s.", "恢复会话的新连接%s。")
}

func (v *serviceView) longer() *layout.Answer {
	var said answer.Clauses
	for _, bytes := range answer.Values(v.timed(), answer.BytesOf, nil) {
		plain := v.find(served{algorithm.Cleartext, parameter.KeptOnes}, bytes)
		c := v.Compare(plain, v.find(served{algorithm.ByTLS, parameter.KeptOnes}, bytes))
		if c != nil && bytes != v.usual() {
			said.Tell(layout.Say("%s %s", "%s 时 %s", answer.SizeText(bytes), share(c)), c)
		}
	}
	return said.Sentence(layout.Plain, "Of longer answers over kept connections TLS takes: %s.", "保持连接、响应更长时 TLS 所占：%s。", said.Join())
}

func wayOf(connections parameter.Reuse) layout.Text {
	return map[parameter.Reuse]layout.Text{
		parameter.KeptOnes:    {EN: "over kept connections", ZH: "保持连接"},
		parameter.NewOnes:     {EN: "over new connections", ZH: "新建连接"},
		parameter.ResumedOnes: {EN: "over resumed ones", ZH: "恢复会话"},
	}[connections]
}

// protection names what protects a row's connections or answers.
func protection(mode algorithm.Mode) layout.Text {
	if _, _, sealed := algorithm.PayloadParts(mode); sealed {
		return layout.Say("sealed by %s", "应用层加密（%s）", sealing(mode))
	}
	return map[algorithm.Mode]layout.Text{
		algorithm.Cleartext: {EN: "no TLS", ZH: "不用 TLS"},
		algorithm.ByTLS:     layout.Same(algorithm.TLS13),
		algorithm.ByMutual:  {EN: "TLS 1.3, client certificates", ZH: "TLS 1.3，客户端证书"},
		algorithm.ByHybrid:  {EN: "TLS 1.3, X25519MLKEM768", ZH: "TLS 1.3，X25519MLKEM768"},
		algorithm.ByTLCP:    {EN: "TLCP (gmtls, no longer maintained)", ZH: "TLCP（gmtls，已停止维护）"},
	}[mode]
}

func named(r *document.Row) layout.Text {
	if r.Operation == algorithm.Download {
		return layout.Say("download, %s", "下载，%s", suiteOf(r))
	}
	if of(r).sealed() {
		return layout.Say("%s, %s", "%s，%s", protection(r.Mode), answer.Label(r.Who()))
	}
	return layout.Say("%s %s", "%s %s", protection(r.Mode), wayOf(of(r).connections))
}

// ratios draws the headline comparisons, with the names of either way round.
func (s *serviceView) ratios() []layout.Chart {
	charts := s.Ratios(layout.Text{EN: "Services: speed of the first over the second, CPU time of the server",
		ZH: "服务：前者相对后者的速度（服务器 CPU 时间）"}, layout.Text{}, s.Headlines(), apart)
	for _, chart := range charts {
		for i, r := range chart.Ratios {
			c := answer.First(s.Headlines(), func(c *document.Comparison) bool { return c.ID == r.ID })
			chart.Ratios[i].Reverse = apart(s.ByID[c.Other], s.ByID[c.Base])
		}
	}
	return charts
}

func apart(base, other *document.Row) layout.Text {
	return layout.Say("%s / %s", "%s / %s", named(other), named(base))
}

func wrongUse(r *document.Row) layout.Text { return wayOf(of(r).connections) }

// claim is what reports publish of services. statements/published.yaml states them for a machine to check.
type claim struct {
	says        layout.Text
	base, other algorithm.Mode
	connections []parameter.Reuse
	low, high   float64 // how many times as long the other takes as the base, 5 % to either side of what is claimed
	found       func(*document.Comparison) layout.Text
}

var claims = []claim{
	{layout.Text{EN: "mutual TLS costs 18 % of the CPU", ZH: "双向 TLS 占 18% 的 CPU"}, algorithm.Cleartext, algorithm.ByMutual,
		[]parameter.Reuse{parameter.KeptOnes, parameter.NewOnes}, 1.206, 1.233, share},
	{layout.Text{EN: "a hybrid handshake costs 37 % more", ZH: "混合握手多花 37%"}, algorithm.ByTLS, algorithm.ByHybrid,
		[]parameter.Reuse{parameter.NewOnes}, 1.33, 1.41, adds},
}

// verdict says whether a comparison's interval lies within what is claimed.
func (c claim) verdict(found *document.Comparison) layout.Text {
	low, high := 1/(*found.High), 1/(*found.Low)
	switch {
	case low >= c.low && high <= c.high:
		return layout.Text{EN: "holds here", ZH: "在此成立"}
	case high < c.low || low > c.high:
		return layout.Text{EN: "does not hold here", ZH: "在此不成立"}
	}
	return layout.Text{EN: "can't be decided here", ZH: "在此无法判定"}
}

// published says which published claims hold here, by what was measured.
func (v *serviceView) published() *layout.Answer {
	var said answer.Clauses
	for _, c := range claims {
		for _, connections := range c.connections {
			if found := v.compare(served{c.base, connections}, served{c.other, connections}); found != nil {
				said.Tell(layout.Say("“%s” %s %s: %s", "“%s”%[3]s，%[2]s：%[4]s",
					c.says, wayOf(connections), c.verdict(found), c.found(found)), found)
			}
		}
	}
	return said.Sentence(layout.Plain, "Claims of a published report on services (statements/published.yaml), for a request with an answer of %s: %s.",
		"对照一份已发表的服务评测报告的说法（见 statements/published.yaml），请求的响应为 %s：%s。", answer.SizeText(v.usual()), answer.Semicolons(said.Parts))
}
