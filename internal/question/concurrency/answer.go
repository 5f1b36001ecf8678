package concurrency

import (
	"fmt"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

var Question = answer.Question{Name: "concurrency", Narrowing: []string{"--algorithms", "--goroutines",
	"--libraries"}, Layout: layOut,
	Asks: layout.Text{EN: "How does throughput grow with goroutines, and how should they hold the cipher?",
		ZH: "吞吐量如何随 goroutine 数增长？多个 goroutine 应怎样持有 cipher 实例？"}}

// layOut lays out how throughput grows with goroutines, how they should hold
// the cipher, and how long requests wait.
func layOut(v *answer.View) layout.Layout {
	sizes := slices.Sorted(slices.Values(answer.Values(v.Rows, answer.BytesOf, nil)))
	c := view{v, v.Doc.CPUs(), sizes, sizes[0]}
	answers, findings := c.answers()
	chosen, sentences := c.Chosen(c.advice()...)
	return layout.Layout{
		Line: answer.FirstSaid(c.line(), chosen),
		Title: layout.Text{EN: "Concurrency: goroutines, shared ciphers, latency under load",
			ZH: "并发：goroutine 数、cipher 实例的共享方式与负载下的延迟"},
		Answers:  answer.Beside(answers, sentences),
		Headline: answer.NonEmpty(c.headline(), c.holdings()),
		Tables:   c.tables(),
		Charts:   c.charts(),
		Findings: findings,
		Next: []layout.Next{
			answer.Run("concurrency --goroutines 1,8,200", "your own numbers of goroutines", "自定义 goroutine 数"),
			answer.Run("concurrency", "every library, GOMAXPROCS and load", "全部密码库、GOMAXPROCS 与负载")},
	}
}

type view struct {
	*answer.View
	cpus  int
	sizes []int64 // rising
	at    int64   // the message size in hand: of sentences and the headline table the least
}

// cipherOf is a library's cipher: what a line of these tables and charts is about.
type cipherOf struct{ library, algorithm, mode string }

func cipherOfRow(r *document.Row) cipherOf { return cipherOf{r.Who(), r.Algorithm, r.Mode} }

func (x cipherOf) name() string { return answer.CaseName(x.algorithm, x.mode) }

func (x cipherOf) of() layout.Text {
	return layout.Say("%s of %s", "%[2]s 的 %[1]s", x.name(), answer.Label(x.library))
}

// ciphers that were measured with goroutines, in the plan's order; those of the
// scaling proper come first, since the plan has them first.
func (c view) ciphers() []cipherOf {
	return answer.Values(c.Rows, cipherOfRow, func(r *document.Row) bool { return r.Goroutines() > 0 })
}

func holding(r *document.Row) parameter.Hold { return parameter.Holding.In(r.Parameters) }

// parallel are a cipher's rows of goroutines that hold it in a way, on the whole machine.
func (c view) parallel(x cipherOf, how parameter.Hold) []*document.Row {
	return answer.Select(c.Rows, func(r *document.Row) bool {
		return cipherOfRow(r) == x && r.Goroutines() > 0 && holding(r) == how && r.Environment == ""
	})
}

func (c view) held(x cipherOf, goroutines int, how parameter.Hold) *document.Row {
	return answer.First(c.parallel(x, how), func(r *document.Row) bool {
		return r.Bytes == c.at && r.Goroutines() == goroutines
	})
}

func (c view) shared(x cipherOf, goroutines int) *document.Row {
	return c.held(x, goroutines, parameter.Shared)
}

func (c view) counts(x cipherOf) []int {
	shared := c.parallel(x, parameter.Shared)
	return slices.Sorted(slices.Values(answer.Values(shared, (*document.Row).Goroutines, nil)))
}

// steps are the comparisons of more goroutines with one, rising up to the CPUs' number.
func (c view) steps(x cipherOf) (all []*document.Comparison) {
	for _, n := range c.counts(x) {
		if got := c.Compare(c.shared(x, 1), c.shared(x, n)); got != nil && n <= c.cpus {
			all = append(all, got)
		}
	}
	return all
}

// growth is the comparison of the CPUs' number with one if there is one, else of the nearest below it.
func (c view) growth(x cipherOf) *document.Comparison { return answer.Last(c.steps(x)) }

// goroutines is how many share the cipher on the other side of a comparison.
func (c view) goroutines(x *document.Comparison) int { return c.ByID[x.Other].Goroutines() }

// many is the number of goroutines at which the ways of holding a cipher were set
// side by side.
func (c view) many() int {
	r := answer.First(c.Rows, func(r *document.Row) bool { return holding(r) != "" && holding(r) != parameter.Shared })
	if r == nil {
		return 0
	}
	return r.Goroutines()
}

func isArrival(r *document.Row) bool { return r.Operation == algorithm.Arrival }

// arrivals are the rows of a constant rate, of libraries.
func (c view) arrivals() []*document.Row { return answer.Select(c.Rows, isArrival) }

func messagesText(r *document.Row) layout.Text {
	if parameter.Messages.Has(r.Parameters) {
		return layout.Text{EN: "mixed", ZH: "混合"}
	}
	return layout.Same(answer.SizeText(r.Bytes))
}

func (c view) size() layout.Text {
	for _, r := range c.Rows {
		if r.Bytes == c.at && parameter.Messages.Has(r.Parameters) {
			return layout.Say("mixed sizes (mean %s)", "混合（平均 %s）", answer.SizeText(answer.MessageSize(r)))
		}
	}
	return layout.Same(answer.SizeText(c.at))
}

func (c view) answers() ([]layout.Answer, []layout.Finding) {
	stalls, found := c.contention()
	return answer.Said(slices.Concat([]*layout.Answer{answer.Short(c.holding())}, stalls,
		[]*layout.Answer{c.oneCPU(), answer.Short(c.growing()), answer.Short(c.busyCPUs()), c.pooled()},
		c.scalingLaws(), c.waiting(), []*layout.Answer{c.handingOver()})...), found
}

// line is how goroutines should hold the first cipher of which that was measured, else how
// many there should be.
func (c view) line() *layout.Answer {
	n := c.many()
	for _, x := range c.ciphers() {
		if answer.IsNew(x.library) {
			continue
		}
		g := c.growth(x)
		var grown layout.Text
		if g != nil {
			grown = layout.Say("%s goroutines reach %s times the throughput (%s) of one", "%s 个 goroutine 的吞吐量是 1 个的 %s 倍（%s）",
				answer.Number(c.goroutines(g)), answer.Factor(g.Ratio), answer.Limits(g))
		}
		if got := c.Against(c.held(x, n, parameter.PerCall), c.shared(x, n), 1); got != nil && got.Low != nil {
			l := answer.Summary{Mark: layout.Choose, Do: layout.Say("Share one cipher between goroutines (%s)", "各 goroutine 请共享一个 cipher 实例（%s）", x.of())}
			l.Pay(answer.Ratio(got, ways[parameter.PerCall]), got)
			if grown.EN != "" {
				l.Pay(grown, g)
			}
			if wrong := c.First(func(r *document.Row) bool { return r.Status == result.Incorrect && holding(r) == parameter.Shared }); wrong != nil {
				l.Costs = layout.Say("never share one of %s", "但切勿共享 %s 的 cipher 实例", wrong.Library)
				l.Evidence = append(l.Evidence, wrong.ID)
			}
			return l.Said(got)
		}
		if g != nil {
			l := answer.Summary{Mark: layout.Choose, Do: layout.Say("Run a goroutine per CPU (%s)", "请每个 CPU 运行一个 goroutine（%s）", x.of())}
			l.Pay(grown, g)
			if answer.MarkOf(g) == layout.Unclear {
				l.Pays[0] = layout.Say("%s, %s", "%s，%s", grown, answer.Open(g))
			}
			return l.Said(g)
		}
	}
	return nil
}

func (c view) advice() (all []answer.Advice) {
	rows := answer.Select(c.Rows, func(r *document.Row) bool {
		return r.Bytes == c.at && r.Goroutines() > 0 && holding(r) == parameter.Shared && r.Environment == ""
	})
	job := func(r *document.Row) string { return fmt.Sprint(cipherOfRow(r).name(), r.Goroutines()) }
	for _, same := range document.Grouped(rows, job) {
		shared := layout.Text{EN: "1 goroutine", ZH: "只有 1 个 goroutine 时"}
		if n := same[0].Goroutines(); n > 1 {
			shared = layout.Say("%s goroutines that share a cipher", "%s 个 goroutine 共享 cipher 实例时", answer.Number(n))
		}
		all = append(all, answer.Advice{Rows: same, Job: shared, Name: answer.CipherText, Secure: answer.Authenticated})
	}
	return all
}

func (c view) oneCPU() *layout.Answer {
	if c.cpus != 1 {
		return nil
	}
	return &layout.Answer{Mark: layout.Unclear, Short: true, Evidence: []string{c.Rows[0].ID}, Text: layout.Text{
		EN: "Run on two or more CPUs: with one CPU, growth with CPUs cannot be measured. " +
			"Whether a cipher may be shared is not certain either: two goroutines are hardly ever inside a call at once.",
		ZH: "请在两个或更多 CPU 上运行：只有一个 CPU 时，无法测量吞吐量随 CPU 数的增长。" +
			"cipher 实例能否共享也无法确定：两个 goroutine 极少同时处于调用之中。"}}
}

// growing says how far throughput follows the number of goroutines: up to the
// number of CPUs, and past it.
func (c view) growing() *layout.Answer {
	var grown, past, unsure, all answer.Clauses
	grows, tops, most := true, true, 0
	for _, x := range c.ciphers() {
		// The most goroutines beside one for each CPU; where these are the most no row is compared with itself.
		b := c.Compare(c.shared(x, c.cpus), c.shared(x, slices.Max(append(c.counts(x), 0))))
		if b == nil {
			continue
		}
		most = c.goroutines(b)
		if g := c.growth(x); g != nil && (g.Verdict == "faster" || !vague(g)) {
			n := c.goroutines(g)
			grown.Add(layout.Say("%s reaches %s times the throughput (%s) from 1 to %s", "%s 从 1 个到 %[4]s 个，吞吐量为 %[2]s 倍（%[3]s）",
				x.of(), answer.Factor(g.Ratio), answer.Limits(g), answer.Number(n)))
			all.Add(x.of(), g.ID)
			grows = grows && *g.Low > 1+float64(n-1)/4
		}
		all.Add(x.of(), b.ID)
		if vague(b) {
			unsure.Add(x.of())
			continue
		}
		past.Add(layout.Say("%s reaches %s times the throughput (%s)", "%s 吞吐量为 %s 倍（%s）", x.of(), answer.Factor(b.Ratio),
			answer.Limits(b)))
		tops = tops && *b.High < answer.WorthHaving
	}
	again := layout.Text{EN: "the intervals are too wide. Run again when the machine is idle, or with more --blocks.",
		ZH: "置信区间过宽。请在机器空闲时重新运行，或增大 --blocks。"}
	switch {
	case len(grown.Parts)+len(past.Parts) == 0:
		return all.Sentence(layout.Unclear, "Growth of throughput with goroutines is inconclusive for %s: %s",
			"%s 的吞吐量是否随 goroutine 数增长，无法判定：%s", unsure.Join(), again)
	case len(past.Parts) == 0:
		return all.Sentence(layout.Unclear,
			"Throughput by number of goroutines: %s; whether %s goroutines gain over %s (one per CPU) is inconclusive for %s: %s",
			"吞吐量随 goroutine 数的变化：%s；%s 个 goroutine 是否快于每 CPU 一个（共 %s 个），%s 无法判定：%s",
			grown.Join(), answer.Number(most), answer.Number(c.cpus), unsure.Join(), again)
	}
	head := layout.Text{EN: "Throughput by number of goroutines: ", ZH: "吞吐量随 goroutine 数的变化："}
	switch {
	case len(unsure.Parts) > 0: // what is said of all must hold of all
	case grows && tops && len(grown.Parts) > 0:
		head = layout.Text{EN: "Throughput grows with CPUs, not with goroutines: ", ZH: "吞吐量随 CPU 数增长，而不随 goroutine 数增长："}
	case tops:
		head = layout.Text{EN: "More goroutines than CPUs gain nothing: ", ZH: "goroutine 数超过 CPU 数没有收益："}
	}
	if len(grown.Parts) > 0 {
		head = layout.Say("%s%s; ", "%s%s；", head, grown.Join())
	}
	var rest layout.Text
	if len(unsure.Parts) > 0 {
		rest = layout.Say("; inconclusive for %s", "；%s 无法判定", unsure.Join())
	}
	return all.Sentence(layout.Plain, "%s%s goroutines compared with %s (one per CPU): %s%s.",
		"%s%s 个 goroutine 与每 CPU 一个（共 %s 个）相比：%s%s。", head, answer.Number(most), answer.Number(c.cpus), past.Join(), rest)
}

// What makes a cipher that does not scale, and what makes a lock the cause.
const (
	stuck     = 1.2 // X(n)/X(1), n two or more: below it a second CPU brings hardly anything
	lockWaits = 0.1 // seconds on mutexes per second
)

// waits is how long goroutines that shared a cipher waited on mutexes, at the number
// at which it was longest, and that number. Two goroutines tell little of a lock: they
// spin for it, which is not counted, and the runtime counts every eighth wait.
func (c view) waits(x cipherOf) (perSecond float64, goroutines int) {
	for _, r := range c.parallel(x, parameter.Shared) {
		if m, ok := answer.Metric(r, "mutex_wait"); ok && r.Bytes == c.at && m.Value >= perSecond {
			perSecond, goroutines = m.Value, r.Goroutines()
		}
	}
	return perSecond, goroutines
}

// contention warns of ciphers that do not scale. Where goroutines waited on mutexes
// meanwhile that is a finding: there is a lock in the way.
func (c view) contention() (out []*layout.Answer, found []layout.Finding) {
	for _, x := range c.ciphers() {
		got := answer.First(c.steps(x), func(more *document.Comparison) bool { return *more.High < stuck })
		if got == nil { // it scales, or that is not established
			continue
		}
		n := c.goroutines(got)
		waited, many := c.waits(x)
		what := layout.Say("%s does not scale: X(%s)/X(1) = %s (%s)", "%s 的吞吐量不随 CPU 数增长：X(%s)/X(1) = %s（%s）",
			x.of(), answer.Number(n), answer.Factor(got.Ratio), answer.Limits(got))
		a := &layout.Answer{Mark: layout.Beware, Short: true, Evidence: answer.Evidence(got)}
		out = append(out, a)
		cpus, short := answer.KeptFromCPUs(c.ByID[got.Other], n)
		switch {
		case waited >= lockWaits:
			a.Text = layout.Say("%s, and %s goroutines waited %s s per second on mutexes: look for a lock.",
				"%s，且 %s 个 goroutine 每秒共等待互斥锁 %s 秒：请查找锁。", what, answer.Number(many), layout.FormatNumber(waited))
			found = append(found, layout.Finding{Kind: "contention", Severity: "pathological", Text: a.Text,
				Evidence: map[string]any{"comparison": got.ID, "row": got.Other, "goroutines": many,
					"ratio": got.Ratio, "low": *got.Low, "high": *got.High, "mutex_wait": waited}})
		case short:
			a.Mark, a.Short = layout.Unclear, false
			a.Text = layout.Say("Whether %s scales is inconclusive: X(%s)/X(1) = %s (%s), but the goroutines had only %s of %[2]s CPUs: other programs used the rest.",
				"%s 的吞吐量是否随 CPU 数增长无法判定：X(%s)/X(1) = %s（%s），但 goroutine 只得到 %[2]s 个 CPU 中的 %[5]s 个，其余被其他程序占用。",
				x.of(), answer.Number(n), answer.Factor(got.Ratio), answer.Limits(got), fmt.Sprintf("%.2f", cpus))
		default:
			a.Text = layout.Say("%s. Locks are not the cause (goroutines waited on mutexes at most %s s per second): "+
				"check whether CPUs share a core, and memory bandwidth.",
				"%s。原因不是锁（goroutine 每秒等待互斥锁至多 %s 秒）：请检查 CPU 是否共享物理核，以及内存带宽。", what, layout.FormatNumber(waited))
		}
	}
	return out, found
}

var ways = map[parameter.Hold]layout.Text{
	parameter.Shared:  {EN: "one shared by all", ZH: "全体共享一个"},
	parameter.Own:     {EN: "one per goroutine", ZH: "每个 goroutine 一个"},
	parameter.PerCall: {EN: "a new one per message", ZH: "每条消息新建"},
	parameter.Pooled:  {EN: "a sync.Pool", ZH: "使用 sync.Pool"},
}

// holding says what a cipher made for each message costs beside one that all share.
func (c view) holding() *layout.Answer {
	n := c.many()
	var said answer.Clauses
	mark, head := layout.Choose, layout.Text{EN: "Let goroutines share one AEAD, where the library allows it",
		ZH: "在库允许的情况下，让各 goroutine 共享一个 AEAD"}
	for _, x := range c.ciphers() {
		got := c.Compare(c.shared(x, n), c.held(x, n, parameter.PerCall))
		if got == nil {
			continue
		}
		said.Add(c.KeptOrNew(x.of(), got), got.ID)
		if got.Verdict != "slower" {
			mark, head = layout.Plain, layout.Text{EN: "One shared AEAD, or a new one per message", ZH: "共享一个 AEAD，或每条消息新建"}
		}
	}
	return said.Sentence(mark, "%s (%s goroutines, time per message of %s): %s.", "%s（%s 个 goroutine，每条 %s 消息的耗时）：%s。",
		head, answer.Number(n), c.size(), answer.Semicolons(said.Parts))
}

// pooled sets a pool of ciphers against one that all share. That no goroutine shares one is no choice, since they
// come and go.
func (c view) pooled() *layout.Answer {
	n := c.many()
	var said answer.Clauses
	for _, x := range c.ciphers() {
		if got := c.Compare(c.shared(x, n), c.held(x, n, parameter.Pooled)); got != nil {
			said.Add(layout.Say("%s: %s %s", "%s：%s %s", x.of(), ways[parameter.Pooled], answer.Versus(got, ways[parameter.Shared])), got.ID)
		}
	}
	return said.Sentence(layout.Plain, "A pool of ciphers instead of one that all share (%s goroutines, messages of %s): %s.",
		"以 cipher 实例池代替共享（%s 个 goroutine，消息 %s）：%s。", answer.Number(n), c.size(), answer.Semicolons(said.Parts))
}

// busyCPUs says what a CPU does when all of them are busy: that is what sizes an
// instance.
func (c view) busyCPUs() *layout.Answer {
	var said, robbed answer.Clauses
	least, most := 1.0, 0.0
	share := func(ratio float64) string { return fmt.Sprintf("%.0f", 100*ratio/float64(c.cpus)) }
	for _, x := range c.ciphers() {
		all := c.shared(x, c.cpus)
		got := c.Compare(c.shared(x, 1), all)
		if waited, _ := c.waits(x); got == nil || waited >= lockWaits {
			continue // a lock, and no matter of CPUs
		}
		if n, short := answer.KeptFromCPUs(all, c.cpus); short {
			robbed.Add(x.of(), all.ID)
			most = max(most, n)
		} else if !vague(got) {
			said.Add(layout.Say("%s %s %% (%s–%s)", "%s %s%%（%s–%s）", x.of(), share(got.Ratio), share(*got.Low),
				share(*got.High)),
				got.ID, got.Other)
			least = min(least, *got.High/float64(c.cpus))
		}
	}
	if len(said.Parts) == 0 {
		return robbed.Sentence(layout.Unclear,
			"Run again when the machine is idle: the speed of a CPU when all are busy is inconclusive, because other programs used some CPUs and the goroutines had at most %s of %s.",
			"请在机器空闲时重新运行：其他程序占用了部分 CPU，goroutine 至多得到 %[2]s 个 CPU 中的 %[1]s 个，无法判定全部 CPU 繁忙时每个 CPU 的速度。",
			fmt.Sprintf("%.2f", most), answer.Number(c.cpus))
	}
	var why layout.Text
	switch {
	case least < 0.9 && c.Doc.Machine.CPU.ThreadsPerCore > 1:
		why = layout.Text{EN: "; two CPUs here are one core's two threads", ZH: "；此机每两个 CPU 是同一物理核的两个硬件线程"}
	case least < 0.9:
		why = layout.Text{EN: "; they share cores, clock or memory", ZH: "；原因是共享物理核、主频或内存"}
	}
	return said.Sentence(layout.Plain,
		"Size instances by the speed of a CPU when all are busy: with all %s CPUs busy, each runs at this share of its speed alone: %s%s.",
		"请按全部 CPU 繁忙时的速度选择实例规格：%s 个 CPU 同时工作时，每个 CPU 的速度占单独工作时的比例为 %s%s。",
		answer.Number(c.cpus), said.Join(), why)
}

func vague(c *document.Comparison) bool { return *c.High > 1.5**c.Low }

func (c view) scalingLaws() (out []*layout.Answer) {
	for _, f := range c.Fits(document.ModelScaling) {
		r := c.FitRow(f)
		if !f.OK || r.Bytes != c.at {
			continue
		}
		peak := layout.Text{EN: "keeps growing with goroutines", ZH: "随 goroutine 数持续增长"}
		if n, ok := f.Terms["peak_workers"]; ok {
			peak = layout.Say("peaks at about %s goroutines", "在约 %s 个 goroutine 时最大", layout.FormatNumber(n))
		}
		out = append(out, &layout.Answer{Mark: layout.Plain, Evidence: slices.Clone(f.RowIDs), Text: layout.Say(
			"Scaling of %s up to %s CPUs (Universal Scalability Law): serial share σ = %s, coordination cost κ = %s; predicted throughput %s.",
			"%s 在 %s 个 CPU 以内的扩展性（USL 模型）：串行占比 σ = %s，协调开销 κ = %s；预测吞吐量%s。", cipherOfRow(r).of(),
			answer.Number(c.cpus), layout.FormatShare(f.Terms["sigma"]), layout.FormatShare(f.Terms["kappa"]), peak)})
	}
	return out
}

// waiting says how long requests take at each load, library by library. Of loads at
// which the generator of the requests was itself late it says that alone: what the
// machine did to it would read as what the load did to the requests.
func (c view) waiting() (out []*layout.Answer) {
	at := answer.Select(c.arrivals(), func(r *document.Row) bool { return r.Bytes == c.at })
	for _, rows := range document.Grouped(at, cipherOfRow) {
		var said answer.Clauses
		told := 0
		for _, r := range rows {
			said.Evidence = append(said.Evidence, r.ID)
			load, d := r.Parameter("load"), c.Believed(r, "latency")
			late, tooLate := c.lateBy(r)
			switch {
			case r.Status == result.Unstable:
				said.Add(layout.Say("at %s %% load inconclusive: %s", "负载 %s%% 时无法判定（%s）", load, r.Why))
			case d == nil || d.P99 == nil:
			case tooLate:
				said.Add(layout.Say("at %s %% load inconclusive, because the load generator itself was %s late (p99)",
					"负载 %s%% 时无法判定，因为压测程序自身延误 %s（p99）", load, layout.FormatTime(late)))
			default:
				told++
				said.Add(layout.Say("at %s %% load p50 is %s and p99 is %s", "负载 %s%% 时 p50 为 %s，p99 为 %s",
					load, layout.FormatTime(d.P50), layout.FormatTime(*d.P99)))
			}
		}
		mark := layout.Beware
		switch told {
		case len(said.Parts):
			mark = layout.Plain
		case 0:
			mark = layout.Unclear
		}
		out = append(out, said.Sentence(mark,
			"Latency of %[2]s under load (requests of %[1]s, counted from when each was due; 100 %% load is the saturated rate): %[3]s.",
			"%[2]s 在负载下的延迟（每个请求 %[1]s，从应到时刻算起；饱和速率为 100%% 负载）：%[3]s。",
			requestText(rows[len(rows)-1]), cipherOfRow(rows[0]).of(), answer.Semicolons(said.Parts)))
	}
	return out
}

// lateShare is the share of a row's median latency by which its generator may be
// late at p99 before the percentiles are the generator's. mostScheduleError is how far
// that goes on a machine that does nothing else; in ns.
const (
	lateShare         = 0.25
	mostScheduleError = 100_000
)

// lateBy is how late a row's generator was at p99, in ns, and whether that is too
// much: more than an idle machine makes it, and no small part of what requests took.
func (c view) lateBy(r *document.Row) (ns float64, tooLate bool) {
	own, d := c.Believed(r, "schedule_error"), c.Believed(r, "latency")
	if own == nil || own.P99 == nil || d == nil {
		return 0, false
	}
	return *own.P99, *own.P99 > max(mostScheduleError, lateShare*d.P50)
}

// handingOver says what an empty request costs, and how well the generator kept
// its schedule: no latency tells more than that.
func (c view) handingOver() *layout.Answer {
	r := c.Laboratory(isArrival)
	own, d := c.Believed(r, "schedule_error"), c.Believed(r, "latency")
	switch {
	case r != nil && r.Status == result.Unstable:
		return &layout.Answer{Mark: layout.Unclear, Evidence: []string{r.ID},
			Text: layout.Say("Latencies are in doubt: %s even with empty requests. Other programs have the CPUs.",
				"延迟数据存疑：即使请求为空，%s。其他程序占用了 CPU。", r.Why)}
	case own == nil || own.P99 == nil || d == nil || d.P99 == nil:
		return nil
	}
	a := &layout.Answer{Mark: layout.Plain, Evidence: []string{r.ID}}
	var doubt layout.Text
	if *own.P99 > mostScheduleError {
		a.Mark = layout.Beware
		doubt = layout.Text{EN: " More than 100 µs: the machine is not idle, and every latency here includes this delay.",
			ZH: "，超过 100 µs：机器并不空闲，各项延迟都包含这一延误"}
	}
	a.Text = layout.Say("Baseline, empty requests handed to another goroutine, %s per second: p50 is %s and p99 is %s. The load generator itself was %s late (p99).%s",
		"基准：空请求交给另一个 goroutine（每秒 %s 个），p50 为 %s，p99 为 %s。压测程序自身延误 %s（p99）%s。",
		r.Parameter("rate"), layout.FormatTime(d.P50), layout.FormatTime(*d.P99), layout.FormatTime(*own.P99), doubt)
	return a
}
