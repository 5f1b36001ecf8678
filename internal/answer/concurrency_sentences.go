package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// answers are the sentences, the most useful first.
func (c *concurrencyView) answers() (out []layout.Answer) {
	add := func(as ...*layout.Answer) {
		for _, a := range as {
			if a != nil {
				a.Experiment = c.experiment
				out = append(out, *a)
			}
		}
	}
	add(c.contention()...)
	add(c.oneCPU(), c.growing(), c.holding(), c.busyCPUs())
	add(c.scalingLaws()...)
	add(c.waiting()...)
	add(c.handingOver())
	return out
}

// oneCPU says what a machine with a single CPU can't tell.
func (c *concurrencyView) oneCPU() *layout.Answer {
	if c.cpus != 1 || len(c.rows) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Unclear, Short: true, Evidence: []string{c.rows[0].ID},
		Text: say("This program has one CPU here: how throughput grows with CPUs and what each does when all are busy can't be told, nor for certain whether a cipher may be shared, since goroutines hardly meet inside a call.",
			"本程序在此只有一个 CPU：无法判断吞吐量随 CPU 数的增长以及全部 CPU 繁忙时各自的速度；多个 goroutine 很少同时处于一次调用之中，也无法可靠判断密码对象能否共享。")}
}

// gain is the factor below which more goroutines than CPUs bring nothing worth having.
const gain = 1.1

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
			grown = append(grown, say("%s %s times (%s) from 1 to %s", "%s 从 1 个到 %[4]s 个为 %[2]s 倍（%[3]s）",
				x.of(), factor(g.Ratio), interval(*g.Low, *g.High), number(n)))
			evidence = append(evidence, g.ID)
			grows = grows && *g.Low > 1+float64(n-1)/4
		}
		evidence = append(evidence, b.ID)
		if vague(b) {
			unsure = append(unsure, x.of())
			continue
		}
		past = append(past, say("%s %s times (%s)", "%s %s 倍（%s）", x.of(), factor(b.Ratio), interval(*b.Low, *b.High)))
		tops = tops && *b.High < gain
	}
	again := layout.Text{EN: "the intervals reach too far. Run again when the machine is idle, or with more --blocks.",
		ZH: "置信区间过宽。请在机器空闲时重新运行，或增大 --blocks。"}
	switch {
	case len(grown)+len(past)+len(unsure) == 0:
		return nil
	case len(grown)+len(past) == 0:
		return &layout.Answer{Mark: layout.Unclear, Short: true, Evidence: evidence,
			Text: say("How throughput grows with goroutines can't be told of %s: %s", "无法判断 %s 的吞吐量随 goroutine 数的增长：%s", join(unsure), again)}
	case len(past) == 0:
		return &layout.Answer{Mark: layout.Unclear, Short: true, Evidence: evidence,
			Text: say("Throughput over goroutines: %s; what %s add to %s, one a CPU, can't be told of %s: %s",
				"吞吐量与 goroutine 数：%s；%s 个相对于每 CPU 一个（共 %s 个）能否增加吞吐量，无法判断 %s：%s",
				join(grown), number(most), number(c.cpus), join(unsure), again)}
	}
	head := layout.Text{EN: "Throughput over goroutines", ZH: "吞吐量与 goroutine 数"}
	switch {
	case len(unsure) > 0: // what is said of all must hold of all
	case grows && tops && len(grown) > 0:
		head = layout.Text{EN: "Throughput grows with CPUs, not with goroutines", ZH: "吞吐量随 CPU 数增长，而不随 goroutine 数增长"}
	case tops:
		head = layout.Text{EN: "More goroutines than CPUs gain nothing", ZH: "goroutine 数超过 CPU 数没有收益"}
	}
	head = say("%s: ", "%s：", head)
	if len(grown) > 0 {
		head = say("%s%s; ", "%s%s；", head, join(grown))
	}
	rest := layout.Same("")
	if len(unsure) > 0 {
		rest = say("; of %s that can't be told", "；%s 无法判断", join(unsure))
	}
	return &layout.Answer{Mark: layout.Plain, Short: true, Evidence: evidence,
		Text: say("%s%s goroutines against %s, one a CPU: %s%s.", "%s%s 个 goroutine 相对于每 CPU 一个（共 %s 个）：%s%s。",
			head, number(most), number(c.cpus), join(past), rest)}
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
	for _, r := range c.rows {
		if cipherOfRow(r) != x || r.Parameter("holding") != "shared" || r.Environment != "" || r.Bytes != c.at {
			continue
		}
		if m, ok := metric(r, "mutex_wait"); ok && m.Value >= perSecond {
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
		if got := c.compare(c.shared(x, 1), c.shared(x, n)); got != nil && *got.High < stuck {
			return got, n
		}
	}
	return nil, 0
}

// contention warns of ciphers that do not scale. Where goroutines waited on mutexes
// meanwhile that is a finding: there is a lock in the way.
func (c *concurrencyView) contention() (out []*layout.Answer) {
	for _, x := range c.ciphers() {
		got, n := c.stalled(x)
		if got == nil {
			continue
		}
		waited, many := c.waits(x)
		what := say("%s does not scale: X(%s)/X(1) = %s (%s)", "%s 不随 CPU 数增长：X(%s)/X(1) = %s（%s）",
			x.of(), number(n), factor(got.Ratio), interval(*got.Low, *got.High))
		a := &layout.Answer{Mark: layout.Beware, Short: true, Evidence: []string{got.ID, got.Base, got.Other}}
		if waited < lockWaits {
			if cpus, ok := had(c.shared(x, n)); ok && cpus < allTheirs*float64(n) {
				a.Mark, a.Short = layout.Unclear, false
				a.Text = say("%s here, but the goroutines had only %s of %s CPUs: other programs had the rest.",
					"%s；但 goroutine 只得到 %[3]s 个 CPU 中的 %[2]s 个：其余被其他程序占用。", what, fmt.Sprintf("%.2f", cpus), number(n))
			} else {
				a.Text = say("%s, though goroutines waited at most %s s per second on mutexes, which is no lock: look at CPUs that share a core, and at memory.",
					"%s；但 goroutine 每秒等待互斥锁至多 %s 秒，原因不是锁：请检查共享物理核的 CPU 以及内存。", what, layout.FormatNumber(waited))
			}
			out = append(out, a)
			continue
		}
		a.Text = say("%s, and %s goroutines waited %s s per second on mutexes: look for a lock.",
			"%s，且 %s 个 goroutine 每秒共等待互斥锁 %s 秒：请查找锁。", what, number(many), layout.FormatNumber(waited))
		out = append(out, a)
		c.doc.Findings = append(c.doc.Findings, document.Finding{Kind: "contention", Severity: "pathological", Text: a.Text,
			Evidence: map[string]any{"comparison": got.ID, "row": got.Other, "goroutines": many, "ratio": got.Ratio, "low": *got.Low, "high": *got.High, "mutex_wait": waited}})
	}
	return out
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
			got := c.compare(base, c.held(x, n, w.parameter))
			if got == nil {
				continue
			}
			than := ways[0].name
			if w.parameter != "own" { // which no server has, since goroutines come and go
				said = append(said, say("%s %s", "%s %s", w.name, versus(got, than)))
			}
			evidence = append(evidence, got.ID)
			choose = choose && *got.High < gain && (w.parameter != "new" || got.Verdict == "slower")
		}
		if len(said) > 0 {
			parts = append(parts, say("%s: %s", "%s：%s", x.of(), join(said)))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	a := &layout.Answer{Mark: layout.Plain, Short: true, Evidence: evidence}
	head := layout.Text{EN: "How goroutines hold the cipher", ZH: "goroutine 持有密码对象的方式"}
	if choose {
		a.Mark = layout.Choose
		head = layout.Text{EN: "Let goroutines share one AEAD, where the library allows it", ZH: "在库允许的情况下，让各 goroutine 共享一个 AEAD"}
	}
	a.Text = say("%s (%s goroutines, messages of %s). %s.", "%s（%s 个 goroutine，消息 %s）。%s。", head, number(n), c.size(), joinWith(parts, "; ", "；"))
	return a
}

// joinWith strings texts together by separators.
func joinWith(parts []layout.Text, en, zh string) layout.Text {
	var ens, zhs []string
	for _, p := range parts {
		ens, zhs = append(ens, p.EN), append(zhs, p.ZH)
	}
	return layout.Text{EN: strings.Join(ens, en), ZH: strings.Join(zhs, zh)}
}

// allTheirs is the share of the CPUs that goroutines must have had for a sentence
// about what CPUs do when all are busy.
const allTheirs = 0.9

// busyCPUs says what a CPU does when all of them are busy: that is what sizes an
// instance.
func (c *concurrencyView) busyCPUs() *layout.Answer {
	var parts []layout.Text
	var evidence, robbed []string
	least, most := 1.0, 0.0
	for _, x := range c.ciphers() {
		all := c.shared(x, c.cpus)
		got := c.compare(c.shared(x, 1), all)
		if got == nil || c.cpus < 2 {
			continue
		}
		if waited, _ := c.waits(x); waited >= lockWaits {
			continue // a lock, and no matter of CPUs
		}
		if n, ok := had(all); ok && n < allTheirs*float64(c.cpus) {
			robbed, most = append(robbed, all.ID), max(most, n)
			continue
		}
		if vague(got) {
			continue
		}
		share := func(ratio float64) string { return fmt.Sprintf("%.0f", 100*ratio/float64(c.cpus)) }
		parts = append(parts, say("%s %s %% (%s–%s)", "%s %s %%（%s–%s）", x.of(), share(got.Ratio), share(*got.Low), share(*got.High)))
		evidence = append(evidence, got.ID, got.Other)
		least = min(least, *got.High/float64(c.cpus))
	}
	if len(parts) == 0 && len(robbed) == 0 {
		return nil
	}
	if len(parts) == 0 {
		return &layout.Answer{Mark: layout.Unclear, Short: true, Evidence: robbed,
			Text: say("What each CPU does when all are busy can't be told: other programs had a part, and the goroutines at most %s of %s CPUs. Run again when the machine is idle.",
				"无法判断全部 CPU 繁忙时每个 CPU 的速度：其他程序占用了一部分，goroutine 最多只得到 %[2]s 个 CPU 中的 %[1]s 个。请在机器空闲时重新运行。", fmt.Sprintf("%.2f", most), number(c.cpus))}
	}
	why := layout.Same("")
	if least < 0.9 {
		why = layout.Text{EN: "; they share cores, clock or memory", ZH: "；原因是共享物理核、主频或内存"}
		if c.doc.Machine.CPU.ThreadsPerCore > 1 {
			why = layout.Text{EN: "; two CPUs here are one core's two threads", ZH: "；此机每两个 CPU 是同一物理核的两个硬件线程"}
		}
	}
	return &layout.Answer{Mark: layout.Plain, Short: true, Evidence: evidence,
		Text: say("Size instances by busy CPUs: with all %s at work each does, of what one does alone, %s%s.",
			"请按全部 CPU 繁忙时的速度规划规格：%s 个 CPU 同时工作时，每个 CPU 的速度占单独工作时的比例为 %s%s。", number(c.cpus), join(parts), why)}
}

// vague says that an interval is too wide for a sentence to rest on.
func vague(c *document.Comparison) bool { return *c.High > 1.5**c.Low }

// scalingLaws quote the fits that were not refused.
func (c *concurrencyView) scalingLaws() (out []*layout.Answer) {
	for _, f := range c.doc.Fits {
		if f.Model != "usl" || !f.OK || len(f.RowIDs) == 0 {
			continue
		}
		r := c.byID[f.RowIDs[0]]
		if r == nil || r.Bytes != c.at {
			continue
		}
		peak := layout.Text{EN: "no number of workers is too many", ZH: "没有过多之虞"}
		if n, ok := f.Terms["peak_workers"]; ok {
			peak = say("most is done by about %s", "约 %s 个时吞吐量最大", layout.FormatNumber(n))
		}
		out = append(out, &layout.Answer{Mark: layout.Plain, Evidence: slices.Clone(f.RowIDs),
			Text: say("Scaling law of %s up to %s CPUs: serial share %s, crosstalk %s; by it %s.", "%s 在 %s 个 CPU 之内的扩展规律（USL）：串行占比 %s，互扰 %s；据此 %s。",
				cipherOfRow(r).of(), number(c.cpus), layout.FormatShare(f.Terms["sigma"]), layout.FormatShare(f.Terms["kappa"]), peak)})
	}
	return out
}

// waiting says how long requests take at each load, library by library. Of loads at
// which the generator of the requests was itself late it says that alone: what the
// machine did to it would read as what the load did to the requests.
func (c *concurrencyView) waiting() (out []*layout.Answer) {
	for _, x := range values(c.rows, cipherOfRow, func(r *document.Row) bool { return r.Operation == "arrival" }) {
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
				parts = append(parts, say("at %s %% nothing can be said: %s", "%s %% 时无法判断：%s", load, r.Because))
			case d == nil || d.P99 == nil:
			case tooLate:
				doubtful++
				parts = append(parts, say("at %s %% nothing can be said, since the generator of the requests was itself up to %s late (p99) and the percentiles are the machine's",
					"%s %% 时无法判断，因为请求发生器自身延误达 %s（p99），百分位数反映的是机器状况", load, layout.FormatTime(late)))
			default:
				told++
				parts = append(parts, say("at %s %% half within %s and 99 %% within %s", "%s %% 时半数在 %s 内完成，99 %% 在 %s 内完成",
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
				Text: say("Requests of %s, %s, at a share of the saturated rate, from when they were due: %s.", "%[2]s 的请求（每个 %[1]s）按饱和速率的一定比例到达，自应到时刻起计：%[3]s。",
					request, x.of(), joinWith(parts, "; ", "；"))})
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
			Text: say("Latencies are in doubt: %s even with empty requests. Other programs have the CPUs.", "延迟数据存疑：即使请求为空，%s。其他程序占用了 CPU。", r.Because)}
	}
	d := c.distribution(r, "latency")
	if own == nil || own.P99 == nil || d == nil || d.P99 == nil {
		return nil
	}
	a := &layout.Answer{Mark: layout.Plain, Evidence: []string{r.ID}}
	doubt := layout.Same("")
	if *own.P99 > mostScheduleError {
		a.Mark = layout.Beware
		doubt = layout.Text{EN: " That is more than 100 µs: the machine is not idle, and latencies hold it.", ZH: "。该误差超过 100 µs：机器并不空闲，各延迟均包含此误差"}
	}
	rate := r.Parameter("rate")
	a.Text = say("Handing an empty request to another goroutine, %s a second: half within %s, 99 %% within %s; the generator's own error was within %s for 99 %%.%s",
		"把空请求交给另一个 goroutine（每秒 %s 个）：半数在 %s 内完成，99 %% 在 %s 内完成；发生器自身的时刻误差 99 %% 在 %s 以内%s。",
		rate, layout.FormatTime(d.P50), layout.FormatTime(*d.P99), layout.FormatTime(*own.P99), doubt)
	return a
}
