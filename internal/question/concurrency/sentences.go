package concurrency

import (
	"fmt"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// answers are the sentences, the most useful first.
func (c *concurrencyView) answers() (out []layout.Answer, found []layout.Finding) {
	add := func(as ...*layout.Answer) {
		for _, a := range as {
			if a != nil {
				a.Experiment = c.Experiment
				out = append(out, *a)
			}
		}
	}
	stalls, found := c.contention()
	add(stalls...)
	add(c.oneCPU(), c.growing(), c.holding(), c.busyCPUs())
	add(c.scalingLaws()...)
	add(c.waiting()...)
	add(c.handingOver())
	return out, found
}

// oneCPU says what a machine with a single CPU can't tell.
func (c *concurrencyView) oneCPU() *layout.Answer {
	if c.cpus != 1 || len(c.Rows) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Unclear, Short: true, Evidence: []string{c.Rows[0].ID},
		Text: layout.Say("Run on two or more CPUs: with one CPU, growth with CPUs cannot be measured. Whether a cipher may be shared is not certain either: two goroutines are hardly ever inside a call at once.",
			"请在两个或更多 CPU 上运行：只有一个 CPU 时，无法测量吞吐量随 CPU 数的增长。cipher 实例能否共享也无法确定：两个 goroutine 极少同时处于调用之中。")}
}

// growing says how far throughput follows the number of goroutines: up to the
// number of CPUs, and past it.
func (c *concurrencyView) growing() *layout.Answer {
	var grown, past, unsure []layout.Text
	var evidence []string
	grows, tops, most := true, true, 0
	for _, x := range c.ciphers() {
		b, n := c.beyond(x)
		if b == nil {
			continue
		}
		most = n
		if g, n := c.growth(x); g != nil && (g.Verdict == "faster" || !vague(g)) {
			grown = append(grown, layout.Say("%s %s times the throughput (%s) from 1 to %s", "%s 从 1 个到 %[4]s 个，吞吐量为 %[2]s 倍（%[3]s）",
				x.of(), answer.Factor(g.Ratio), answer.Interval(*g.Low, *g.High), answer.Number(n)))
			evidence = append(evidence, g.ID)
			grows = grows && *g.Low > 1+float64(n-1)/4
		}
		evidence = append(evidence, b.ID)
		if vague(b) {
			unsure = append(unsure, x.of())
			continue
		}
		past = append(past, layout.Say("%s %s times the throughput (%s)", "%s 吞吐量为 %s 倍（%s）", x.of(), answer.Factor(b.Ratio), answer.Interval(*b.Low, *b.High)))
		tops = tops && *b.High < answer.WorthHaving
	}
	again := layout.Text{EN: "the intervals are too wide. Run again when the machine is idle, or with more --blocks.",
		ZH: "置信区间过宽。请在机器空闲时重新运行，或增大 --blocks。"}
	switch {
	case len(grown)+len(past)+len(unsure) == 0:
		return nil
	case len(grown)+len(past) == 0:
		return &layout.Answer{Mark: layout.Unclear, Short: true, Evidence: evidence,
			Text: layout.Say("Growth of throughput with goroutines is inconclusive for %s: %s", "%s 的吞吐量是否随 goroutine 数增长，无法判定：%s", answer.Join(unsure), again)}
	case len(past) == 0:
		return &layout.Answer{Mark: layout.Unclear, Short: true, Evidence: evidence,
			Text: layout.Say("Throughput by number of goroutines: %s; whether %s goroutines gain over %s (one per CPU) is inconclusive for %s: %s",
				"吞吐量随 goroutine 数的变化：%s；%s 个 goroutine 是否快于每 CPU 一个（共 %s 个），%s 无法判定：%s",
				answer.Join(grown), answer.Number(most), answer.Number(c.cpus), answer.Join(unsure), again)}
	}
	head := layout.Text{EN: "Throughput by number of goroutines", ZH: "吞吐量随 goroutine 数的变化"}
	switch {
	case len(unsure) > 0: // what is said of all must hold of all
	case grows && tops && len(grown) > 0:
		head = layout.Text{EN: "Throughput grows with CPUs, not with goroutines", ZH: "吞吐量随 CPU 数增长，而不随 goroutine 数增长"}
	case tops:
		head = layout.Text{EN: "More goroutines than CPUs gain nothing", ZH: "goroutine 数超过 CPU 数没有收益"}
	}
	head = layout.Say("%s: ", "%s：", head)
	if len(grown) > 0 {
		head = layout.Say("%s%s; ", "%s%s；", head, answer.Join(grown))
	}
	rest := layout.Same("")
	if len(unsure) > 0 {
		rest = layout.Say("; inconclusive for %s", "；%s 无法判定", answer.Join(unsure))
	}
	return &layout.Answer{Mark: layout.Plain, Short: true, Evidence: evidence,
		Text: layout.Say("%s%s goroutines compared with %s (one per CPU): %s%s.", "%s%s 个 goroutine 与每 CPU 一个（共 %s 个）相比：%s%s。",
			head, answer.Number(most), answer.Number(c.cpus), answer.Join(past), rest)}
}

// What makes a cipher that does not scale, and what makes a lock the cause.
const (
	stuck     = 1.2 // X(n)/X(1), n two or more: below it a second CPU brings hardly anything
	lockWaits = 0.1 // seconds on mutexes per second
)

// waits is how long goroutines that shared a cipher waited on mutexes, at the number
// at which it was longest, and that number. Two goroutines tell little of a lock: they
// spin for it, which is not counted, and the runtime counts every eighth wait.
func (c *concurrencyView) waits(x cipherOf) (perSecond float64, goroutines int) {
	for _, r := range c.Rows {
		if cipherOfRow(r) != x || r.Parameter("holding") != "shared" || r.Environment != "" || r.Bytes != c.at {
			continue
		}
		if m, ok := answer.Metric(r, "mutex_wait"); ok && m.Value >= perSecond {
			perSecond, goroutines = m.Value, r.Goroutines()
		}
	}
	return perSecond, goroutines
}

// stalled is the comparison that shows that a cipher does not scale, and its number
// of goroutines; nil where it scales, or where that is not established.
func (c *concurrencyView) stalled(x cipherOf) (got *document.Comparison, n int) {
	for _, n := range c.counts(x) {
		if n < 2 || n > c.cpus {
			continue
		}
		if got := c.Compare(c.shared(x, 1), c.shared(x, n)); got != nil && *got.High < stuck {
			return got, n
		}
	}
	return nil, 0
}

// contention warns of ciphers that do not scale. Where goroutines waited on mutexes
// meanwhile that is a finding: there is a lock in the way.
func (c *concurrencyView) contention() (out []*layout.Answer, found []layout.Finding) {
	for _, x := range c.ciphers() {
		got, n := c.stalled(x)
		if got == nil {
			continue
		}
		waited, many := c.waits(x)
		what := layout.Say("%s does not scale: X(%s)/X(1) = %s (%s)", "%s 不随 CPU 数增长：X(%s)/X(1) = %s（%s）",
			x.of(), answer.Number(n), answer.Factor(got.Ratio), answer.Interval(*got.Low, *got.High))
		a := &layout.Answer{Mark: layout.Beware, Short: true, Evidence: []string{got.ID, got.Base, got.Other}}
		if waited < lockWaits {
			if cpus, ok := answer.CPUsHad(c.shared(x, n)); ok && cpus < answer.AllTheirs*float64(n) {
				a.Mark, a.Short = layout.Unclear, false
				a.Text = layout.Say("%s here, but the goroutines had only %s of %s CPUs: other programs used the rest.",
					"%s；但 goroutine 只得到 %[3]s 个 CPU 中的 %[2]s 个：其余被其他程序占用。", what, fmt.Sprintf("%.2f", cpus), answer.Number(n))
			} else {
				a.Text = layout.Say("%s. Locks are not the cause (goroutines waited on mutexes at most %s s per second): check whether CPUs share a core, and memory bandwidth.",
					"%s。原因不是锁（goroutine 每秒等待互斥锁至多 %s 秒）：请检查 CPU 是否共享物理核，以及内存带宽。", what, layout.FormatNumber(waited))
			}
			out = append(out, a)
			continue
		}
		a.Text = layout.Say("%s, and %s goroutines waited %s s per second on mutexes: look for a lock.",
			"%s，且 %s 个 goroutine 每秒共等待互斥锁 %s 秒：请查找锁。", what, answer.Number(many), layout.FormatNumber(waited))
		out = append(out, a)
		found = append(found, layout.Finding{Kind: "contention", Severity: "pathological", Text: a.Text,
			Evidence: map[string]any{"comparison": got.ID, "row": got.Other, "goroutines": many, "ratio": got.Ratio, "low": *got.Low, "high": *got.High, "mutex_wait": waited}})
	}
	return out, found
}

// ways of holding a cipher, as sentences and tables name them.
var ways = []struct {
	parameter string
	name      layout.Text
}{
	{"shared", layout.Text{EN: "one shared by all", ZH: "全体共享一个"}},
	{"own", layout.Text{EN: "one per goroutine", ZH: "每个 goroutine 一个"}},
	{"new", layout.Text{EN: "a new one per message", ZH: "每条消息新建"}},
	{"pool", layout.Text{EN: "a sync.Pool", ZH: "使用 sync.Pool"}},
}

// holding says which way of holding a cipher to choose.
func (c *concurrencyView) holding() *layout.Answer {
	n := c.many()
	var parts []layout.Text
	var evidence []string
	choose := true
	for _, x := range c.ciphers() {
		base := c.held(x, n, "shared")
		var said []layout.Text
		for _, w := range ways[1:] {
			got := c.Compare(base, c.held(x, n, w.parameter))
			if got == nil {
				continue
			}
			than := ways[0].name
			if w.parameter != "own" { // which no server has, since goroutines come and go
				said = append(said, layout.Say("%s %s", "%s %s", w.name, answer.Versus(got, than)))
			}
			evidence = append(evidence, got.ID)
			choose = choose && *got.High < answer.WorthHaving && (w.parameter != "new" || got.Verdict == "slower")
		}
		if len(said) > 0 {
			parts = append(parts, layout.Say("%s: %s", "%s：%s", x.of(), answer.Join(said)))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	a := &layout.Answer{Mark: layout.Plain, Short: true, Evidence: evidence}
	head := layout.Text{EN: "How goroutines hold the cipher", ZH: "goroutine 持有 cipher 实例的方式"}
	if choose {
		a.Mark = layout.Choose
		head = layout.Text{EN: "Let goroutines share one AEAD, where the library allows it", ZH: "在库允许的情况下，让各 goroutine 共享一个 AEAD"}
	}
	a.Text = layout.Say("%s (%s goroutines, messages of %s). %s.", "%s（%s 个 goroutine，消息 %s）。%s。", head, answer.Number(n), c.size(), answer.JoinWith(parts, "; ", "；"))
	return a
}

// busyCPUs says what a CPU does when all of them are busy: that is what sizes an
// instance.
func (c *concurrencyView) busyCPUs() *layout.Answer {
	var parts []layout.Text
	var evidence, robbed []string
	least, most := 1.0, 0.0
	for _, x := range c.ciphers() {
		all := c.shared(x, c.cpus)
		got := c.Compare(c.shared(x, 1), all)
		if got == nil || c.cpus < 2 {
			continue
		}
		if waited, _ := c.waits(x); waited >= lockWaits {
			continue // a lock, and no matter of CPUs
		}
		if n, ok := answer.CPUsHad(all); ok && n < answer.AllTheirs*float64(c.cpus) {
			robbed, most = append(robbed, all.ID), max(most, n)
			continue
		}
		if vague(got) {
			continue
		}
		share := func(ratio float64) string { return fmt.Sprintf("%.0f", 100*ratio/float64(c.cpus)) }
		parts = append(parts, layout.Say("%s %s %% (%s–%s)", "%s %s %%（%s–%s）", x.of(), share(got.Ratio), share(*got.Low), share(*got.High)))
		evidence = append(evidence, got.ID, got.Other)
		least = min(least, *got.High/float64(c.cpus))
	}
	if len(parts) == 0 && len(robbed) == 0 {
		return nil
	}
	if len(parts) == 0 {
		return &layout.Answer{Mark: layout.Unclear, Short: true, Evidence: robbed,
			Text: layout.Say("Run again when the machine is idle: the speed of a CPU when all are busy is inconclusive, because other programs used some CPUs and the goroutines had at most %s of %s.",
				"请在机器空闲时重新运行：其他程序占用了部分 CPU，goroutine 至多得到 %[2]s 个 CPU 中的 %[1]s 个，无法判定全部 CPU 繁忙时每个 CPU 的速度。", fmt.Sprintf("%.2f", most), answer.Number(c.cpus))}
	}
	why := layout.Same("")
	if least < 0.9 {
		why = layout.Text{EN: "; they share cores, clock or memory", ZH: "；原因是共享物理核、主频或内存"}
		if c.Doc.Machine.CPU.ThreadsPerCore > 1 {
			why = layout.Text{EN: "; two CPUs here are one core's two threads", ZH: "；此机每两个 CPU 是同一物理核的两个硬件线程"}
		}
	}
	return &layout.Answer{Mark: layout.Plain, Short: true, Evidence: evidence,
		Text: layout.Say("Size instances by the speed of a CPU when all are busy: with all %s busy, each runs at this share of its speed alone: %s%s.",
			"请按全部 CPU 繁忙时的速度选择实例规格：%s 个 CPU 同时工作时，每个 CPU 的速度占单独工作时的比例为 %s%s。", answer.Number(c.cpus), answer.Join(parts), why)}
}

// vague says that an interval is too wide for a sentence to rest on.
func vague(c *document.Comparison) bool { return *c.High > 1.5**c.Low }

// scalingLaws quote the fits that were not refused.
func (c *concurrencyView) scalingLaws() (out []*layout.Answer) {
	for _, f := range c.Doc.Fits {
		if f.Model != "usl" || !f.OK || len(f.RowIDs) == 0 {
			continue
		}
		r := c.ByID[f.RowIDs[0]]
		if r == nil || r.Bytes != c.at {
			continue
		}
		peak := layout.Text{EN: "keeps growing with goroutines", ZH: "随 goroutine 数持续增长"}
		if n, ok := f.Terms["peak_workers"]; ok {
			peak = layout.Say("peaks at about %s goroutines", "在约 %s 个 goroutine 时最大", layout.FormatNumber(n))
		}
		out = append(out, &layout.Answer{Mark: layout.Plain, Evidence: slices.Clone(f.RowIDs),
			Text: layout.Say("Scaling of %s up to %s CPUs (Universal Scalability Law): serial share σ = %s, coordination cost κ = %s; predicted throughput %s.", "%s 在 %s 个 CPU 以内的扩展性（USL 模型）：串行占比 σ = %s，协调开销 κ = %s；预测吞吐量%s。",
				cipherOfRow(r).of(), answer.Number(c.cpus), layout.FormatShare(f.Terms["sigma"]), layout.FormatShare(f.Terms["kappa"]), peak)})
	}
	return out
}

// waiting says how long requests take at each load, library by library. Of loads at
// which the generator of the requests was itself late it says that alone: what the
// machine did to it would read as what the load did to the requests.
func (c *concurrencyView) waiting() (out []*layout.Answer) {
	for _, x := range answer.Values(c.Rows, cipherOfRow, func(r *document.Row) bool { return r.Operation == algorithm.Arrival }) {
		var parts []layout.Text
		var evidence []string
		var request layout.Text
		told, doubtful := 0, 0
		for _, r := range c.arrivals() {
			if cipherOfRow(r) != x || r.Bytes != c.at {
				continue
			}
			request = requestText(r)
			load := r.Parameter("load")
			evidence = append(evidence, r.ID)
			d := c.distribution(r, "latency")
			late, tooLate := c.lateBy(r)
			switch {
			case r.Status == result.Unstable:
				doubtful++
				parts = append(parts, layout.Say("at %s %% load inconclusive: %s", "负载 %s %% 时无法判定（%s）", load, r.Why))
			case d == nil || d.P99 == nil:
			case tooLate:
				doubtful++
				parts = append(parts, layout.Say("at %s %% load inconclusive, because the load generator itself was %s late (p99)",
					"负载 %s %% 时无法判定，因为压测程序自身延误 %s（p99）", load, layout.FormatTime(late)))
			default:
				told++
				parts = append(parts, layout.Say("at %s %% load p50 is %s and p99 is %s", "负载 %s %% 时 p50 为 %s，p99 为 %s",
					load, layout.FormatTime(d.P50), layout.FormatTime(*d.P99)))
			}
		}
		mark := layout.Plain
		switch {
		case doubtful > 0 && told == 0:
			mark = layout.Unclear
		case doubtful > 0:
			mark = layout.Beware
		}
		if len(parts) > 0 {
			out = append(out, &layout.Answer{Mark: mark, Evidence: evidence,
				Text: layout.Say("Latency of %[2]s under load (requests of %[1]s, counted from when each was due; 100 %% load is the saturated rate): %[3]s.", "%[2]s 在负载下的延迟（每个请求 %[1]s，从应到时刻算起；饱和速率为 100 %% 负载）：%[3]s。",
					request, x.of(), answer.JoinWith(parts, "; ", "；"))})
		}
	}
	return out
}

// lateShare is the share of a row's median latency by which its generator may be
// late at p99 before the percentiles are the generator's.
const lateShare = 0.25

// lateBy is how late a row's generator was at p99, in ns, and whether that is too
// much: more than an idle machine makes it, and no small part of what requests took.
func (c *concurrencyView) lateBy(r *document.Row) (ns float64, tooLate bool) {
	own, d := c.distribution(r, "schedule_error"), c.distribution(r, "latency")
	if own == nil || own.P99 == nil || d == nil {
		return 0, false
	}
	return *own.P99, *own.P99 > max(mostScheduleError, lateShare*d.P50)
}

// mostScheduleError is how far the generator's own error may go, at p99, on a
// machine that does nothing else; in ns.
const mostScheduleError = 100_000

// handingOver says what an empty request costs, and how well the generator kept
// its schedule: no latency tells more than that.
func (c *concurrencyView) handingOver() *layout.Answer {
	r := c.empty()
	if r == nil {
		return nil
	}
	own := c.distribution(r, "schedule_error")
	if r.Status == result.Unstable {
		return &layout.Answer{Mark: layout.Unclear, Evidence: []string{r.ID},
			Text: layout.Say("Latencies are in doubt: %s even with empty requests. Other programs have the CPUs.", "延迟数据存疑：即使请求为空，%s。其他程序占用了 CPU。", r.Why)}
	}
	d := c.distribution(r, "latency")
	if own == nil || own.P99 == nil || d == nil || d.P99 == nil {
		return nil
	}
	a := &layout.Answer{Mark: layout.Plain, Evidence: []string{r.ID}}
	doubt := layout.Same("")
	if *own.P99 > mostScheduleError {
		a.Mark = layout.Beware
		doubt = layout.Text{EN: " More than 100 µs: the machine is not idle, and every latency here includes this delay.", ZH: "，超过 100 µs：机器并不空闲，各项延迟都包含这一延误"}
	}
	rate := r.Parameter("rate")
	a.Text = layout.Say("Baseline, empty requests handed to another goroutine, %s per second: p50 is %s and p99 is %s. The load generator itself was %s late (p99).%s",
		"基准：空请求交给另一个 goroutine（每秒 %s 个），p50 为 %s，p99 为 %s。压测程序自身延误 %s（p99）%s。",
		rate, layout.FormatTime(d.P50), layout.FormatTime(*d.P99), layout.FormatTime(*own.P99), doubt)
	return a
}
