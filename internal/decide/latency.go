package decide

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Latency is what the 99th percentile of transactions was on some number of CPUs, each used as
// much as the workload would use so many.
type Latency struct {
	CPUs        int                `json:"cpus"`
	Servers     int                `json:"servers"` // CPUs that it was measured on: no more than there are
	Utilization float64            `json:"utilization"`
	P99         *document.Estimate `json:"p99_ns"`
	Kept        Outcome            `json:"kept"` // held: the limit is kept; off: it is not
}

// rung is a number of CPUs that may keep the limit of the 99th percentile.
type rung struct {
	cpus, servers, percent int // percent of those servers' time
	window                 time.Duration
}

func (r rung) parameters() string {
	return parameter.Join(parameter.Load.Is(r.percent), parameter.Workers.Is(r.servers))
}

// loads are how much of the CPUs is used that are tried for a limit of latency, the fewest CPUs first.
var loads = []float64{0.95, 0.85, 0.7, 0.5, 0.2}

const (
	leastPercent  = 10  // less is measured at that much, which takes longer to serve, if anything
	mostLate      = 4   // servers that waited notice what is due within that part of the limit; else others had their CPU
	watched       = 300 // requests that a window should see
	leastRequest  = 10e-6
	shortestWatch = 120 * time.Millisecond
	allWatches    = 600 * time.Millisecond // of a block, if they can be so short
)

// rungs are the numbers of CPUs that are tried, where there is a limit.
func (d *Decision) rungs() (all []rung) {
	if d.Workload.Limits.P99 == 0 || d.VCPU == nil {
		return nil
	}
	used := d.Workload.Limits.Used()
	work := d.VCPU.Median * used
	for _, load := range loads {
		n := math.Max(1, math.Ceil(work/min(load, used)-1e-9))
		r := rung{cpus: int(n), servers: min(int(n), max(1, d.CPUs)), percent: max(leastPercent, int(math.Ceil(100*work/n-1e-9)))}
		if len(all) == 0 || all[len(all)-1].cpus < r.cpus {
			all = append(all, r)
		}
	}
	longest := max(shortestWatch, allWatches/time.Duration(len(all)))
	for i := range all {
		r := &all[i]
		each := max(d.whole(), leastRequest)
		seconds := 2 * watched * each / (float64(r.percent) / 100 * float64(r.servers)) // half of it is for arrivals
		r.window = max(shortestWatch, min(longest, time.Duration(seconds*float64(time.Second))))
	}
	return all
}

// whole is the seconds that a transaction takes a CPU while all are busy, both sides of a handshake.
func (d *Decision) whole() (seconds float64) {
	for _, s := range d.services() {
		seconds += s.seconds * s.times
	}
	return seconds
}

// takeRung reads what the transactions took on some CPUs.
func (d *Decision) takeRung(doc *document.Document, r *document.Row, planned []rung) {
	i := slices.IndexFunc(planned, func(x rung) bool { return x.parameters() == r.Parameters })
	p99, ok := r.Metrics["latency_p99_ns"]
	if i < 0 || !ok {
		return
	}
	of := planned[i]
	l := Latency{CPUs: of.cpus, Servers: of.servers, Utilization: float64(of.percent) / 100, P99: &document.Estimate{Median: p99.Value}}
	if iv, _ := stat.MedianInterval(doc.Readings(r.Trial, "latency_p99_ns"), stat.RowLevel); iv.Level >= stat.LeastLevel {
		l.P99.Low, l.P99.High, l.P99.Level = &iv.Low, &iv.High, min(iv.Level, stat.RowLevel)
	}
	l.Kept = keeps(l.P99, float64(d.Workload.Limits.P99))
	if late := r.Metrics["schedule_error_p99_ns"].Value; l.Kept == Off && late > float64(d.Workload.Limits.P99)/mostLate {
		l.Kept = Inconclusive
	}
	d.Latencies = append(d.Latencies, l)
}

// keeps judges a percentile by its interval.
func keeps(p99 *document.Estimate, limit float64) Outcome {
	low, high := ends(p99)
	switch {
	case p99.Low == nil:
		return Inconclusive
	case max(high, p99.Median) <= limit:
		return Held
	case min(low, p99.Median) > limit:
		return Off
	}
	return Inconclusive
}

// countForP99 takes the fewest CPUs that are shown to keep the limit.
func (d *Decision) countForP99() {
	slices.SortStableFunc(d.Latencies, func(a, b Latency) int { return a.CPUs - b.CPUs })
	for i := range d.Latencies {
		if d.Latencies[i].Kept == Held {
			d.CPUsForP99 = &d.Latencies[i].CPUs
			return
		}
	}
}

// latency says how many CPUs keep the limit of the 99th percentile; where none does, what comes
// closest and what it misses.
func (d *Decision) latency(say func(mark layout.Mark, en, zh string, args ...any)) {
	limit := float64(d.Workload.Limits.P99)
	if len(d.Latencies) == 0 {
		say(layout.Unclear, "Whether 99 %% of the transactions end within %s was not measured.", "未测量 99%% 的事务能否在 %s 内完成。", layout.FormatTime(limit))
		return
	}
	best := slices.MinFunc(d.Latencies, func(a, b Latency) int { return cmp.Compare(a.P99.Median, b.P99.Median) })
	open := slices.IndexFunc(d.Latencies, func(l Latency) bool { return l.Kept == Inconclusive })
	if d.CPUsForP99 == nil {
		if open >= 0 {
			say(layout.Unclear, "Whether 99 %% of the transactions end within %[1]s is not shown: with %[2]s it was %[3]s; run it again on an idle machine.",
				"无法判定 99%% 的事务能否在 %[1]s 内完成：%[2]s时实测为 %[3]s；请在空闲的机器上重新运行。", layout.FormatTime(limit), answer.CPUs(best.CPUs), figure(best.P99, layout.FormatTime))
			return
		}
		say(layout.Beware, "No number of CPUs keeps 99 %% of the transactions within %s: with %s, which comes closest, it is %s, %s too long; one transaction takes %s.",
			"增加 CPU 也不能使 99%% 的事务在 %s 内完成：最接近的是 %s，为 %s，超出 %s；单笔事务本身需 %s。",
			layout.FormatTime(limit), answer.CPUs(best.CPUs), figure(best.P99, layout.FormatTime), layout.FormatTime(best.P99.Median-limit), layout.FormatTime(d.whole()*1e9))
		return
	}
	at := d.Latencies[slices.IndexFunc(d.Latencies, func(l Latency) bool { return l.CPUs == *d.CPUsForP99 })]
	text := layout.Say("%s for 99 %% of the transactions within %s, at a utilization of %s: %s measured with arrivals at random",
		"%s可使 99%% 的事务在 %s 内完成，利用率 %s：随机到达下实测 %s",
		answer.CPUs(at.CPUs), layout.FormatTime(limit), layout.FormatShare(at.Utilization), figure(at.P99, layout.FormatTime))
	if at.Servers < at.CPUs {
		text = layout.Say("%s on %s, on the safe side: a larger pool queues less", "%s（在 %s 上，偏保守：CPU 更多时排队更少）", text, answer.CPUs(at.Servers))
	}
	if open >= 0 && d.Latencies[open].CPUs < at.CPUs {
		text = layout.Say("%s; whether %d would do is inconclusive", "%s；%d 个是否够用无法判定", text, d.Latencies[open].CPUs)
	}
	say(layout.Plain, "%s.", "%s。", text)
}
