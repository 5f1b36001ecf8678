package decide

import (
	"math"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// CheckName is the experiment in which the chosen steps run together.
const CheckName = "plan-check"

// Check is what the chosen steps showed when they ran together, beside what was predicted.
// Both are of every CPU busy, at a utilization of 1.
type Check struct {
	Rate          float64            `json:"rate"` // at which latencies were taken
	PredictedVCPU float64            `json:"predicted_vcpu"`
	ObservedVCPU  float64            `json:"observed_vcpu"`
	Ratio         *document.Estimate `json:"ratio"` // observed over predicted
	PredictedP99  *float64           `json:"predicted_p99_ns"`
	ObservedP99   *float64           `json:"observed_p99_ns"`
	Held          bool               `json:"held"`
	Outcome       Outcome            `json:"outcome"`
	InRequests    *document.Estimate `json:"in_requests"` // CPU of the steps in an HTTP service, over what they take in a loop
}

// Outcome is what a check showed.
type Outcome string

// The outcomes.
const (
	Held         Outcome = "held"         // the prediction is at most mostOff away
	Off          Outcome = "off"          // it is shown to be further away
	Inconclusive Outcome = "inconclusive" // neither is shown
)

// mostOff is how far what was observed may lie from what was predicted.
const mostOff = 0.10

// outcome judges observed over predicted by its interval.
func outcome(ratio *document.Estimate) Outcome {
	if ratio.Low == nil || ratio.High == nil {
		return Inconclusive
	}
	switch low, high := *ratio.Low, *ratio.High; {
	case low > 1+mostOff || high < 1-mostOff:
		return Off
	case math.Abs(ratio.Median-1) <= mostOff && low >= 1-2*mostOff && high <= 1+2*mostOff:
		return Held
	}
	return Inconclusive
}

// base is the rate of transactions that the steps' rates are told by.
func (d *Decision) base() float64 {
	rate := d.Rate()
	if rate == 0 {
		for _, c := range d.Steps {
			rate = max(rate, c.RatePerSecond)
		}
	}
	return rate
}

// Transaction is the chosen steps as one, or why they can't run as one.
func (d *Decision) Transaction() (steps []parameter.Step, why *layout.Text) {
	no := func(en, zh string, args ...any) ([]parameter.Step, *layout.Text) {
		text := layout.Say(en, zh, args...)
		return nil, &text
	}
	for _, c := range d.Steps {
		x := c.Chosen
		switch {
		case x == nil:
			return no("step %q has no candidate", "步骤 %q 没有候选", c.Name)
		case x.Busy == nil:
			return no("%s was not measured with every CPU busy", "%s未在全部 CPU 繁忙时测量", x.text())
		case x.Row.CallPath != subject.Direct:
			return no("%s is called through C, and runs in a process of its own", "%s经 C 调用，在单独的进程中运行", x.text())
		}
		for _, p := range x.parts {
			steps = append(steps, parameter.Step{Library: x.Row.Library, Algorithm: p.Algorithm, Mode: p.Mode, Operation: p.Operation,
				Bytes: p.Bytes, Parameters: p.Parameters, Times: p.times * c.RatePerSecond / d.base()})
		}
	}
	return steps, nil
}

const (
	CheckBlocks = 8 // the fewest that give an interval at 99 %
	checkWindow = 750 * time.Millisecond
	// startBlock is about what a block takes beside its windows.
	startBlock = 100 * time.Millisecond
)

// CheckExperiment runs the chosen steps together: with every CPU busy and at the rate, and
// where there is a limit to latency, on as many CPUs as may keep it. In turns with them each runs
// by itself, with every CPU busy: a machine changes its speed within a tenth of a second, so what
// they take together is compared with what they take at that time. Of a single step that shows
// no more than that a second way to keep CPUs busy agrees with the first.
func (d *Decision) CheckExperiment(steps []parameter.Step) plan.Experiment {
	form := plan.Form{Config: plan.Config{Blocks: CheckBlocks, Rounds: 1, Target: time.Millisecond}}
	c := result.Case{Algorithm: algorithm.Transaction, Mode: parameter.JoinSteps(steps), Operation: algorithm.Transact}
	return plan.Experiment{Name: CheckName, Short: form, Full: form, Make: func(n plan.Narrowed) []plan.Group {
		b := plan.NewBuilder(language.Text{EN: "the chosen steps as one transaction", ZH: "所选各步合为一个事务"})
		who, ok := plan.Harness(n.Offers)
		if !ok {
			return nil
		}
		c.Parameters = parameter.Rate.Is(max(1, int(d.base()+0.5)))
		b.Add(who, c).Window = checkWindow
		for _, r := range d.rungs() {
			c.Parameters = r.parameters()
			b.Add(who, c).Window = r.window
		}
		return b.Groups()
	}}
}

// takeAgain reads what the chosen steps took by themselves beside the check, which is the later and
// the longer measurement: it is what the plan counts with. The choice stands, and so do the ratios,
// which are of candidates side by side.
func (d *Decision) takeAgain(doc *document.Document, trial int) {
	var now [][]float64 // of each part, in the order of Transaction
	for _, s := range d.Steps {
		for range s.Chosen.parts {
			took := scaled(doc.Readings(trial, parameter.StepMetric(len(now))), 1e-9)
			if len(took) < CheckBlocks/2 {
				return
			}
			now = append(now, took)
		}
	}
	for _, s := range d.Steps {
		x := s.Chosen
		x.takeAgain(now[:len(x.parts)])
		now = now[len(x.parts):]
		x.Busy = inNanoseconds(x.load, doc.NoiseFloor)
		x.VCPU = estimate(scaled(x.load, s.RatePerSecond/d.Workload.Limits.Used()), doc.NoiseFloor, 1)
	}
	d.count(doc.NoiseFloor)
	d.apart = true
}

// takeAgain counts with what each part took in each block.
func (c *Candidate) takeAgain(now [][]float64) {
	var load, both [][]float64
	c.took = nil
	for i, p := range c.parts {
		load, both = append(load, scaled(now[i], p.times*c.shares[i])), append(both, scaled(now[i], p.times))
		c.took = append(c.took, stat.Median(now[i]))
	}
	c.load, c.both, c.again = zip(load), zip(both), true
}

// TakeCheck reads what the steps took together, of a run that has just these steps.
func (d *Decision) TakeCheck(doc *document.Document) {
	steps, why := d.Transaction()
	if why != nil {
		return
	}
	planned, taken := d.rungs(), false // by what was known then
	for _, r := range doc.Rows {
		if r.Algorithm != algorithm.Transaction || r.Mode != parameter.JoinSteps(steps) || r.Status != result.OK {
			continue
		}
		if doc.Seconds != nil {
			d.checking = *doc.Seconds
		}
		if !taken {
			d.takeAgain(doc, r.Trial)
			taken = true
		}
		if parameter.Rate.Has(r.Parameters) {
			d.takeRate(doc, r)
		} else {
			d.takeRung(doc, r, planned)
		}
	}
	d.countForP99()
}

// takeRate reads the check at the workload's rate.
func (d *Decision) takeRate(doc *document.Document, r *document.Row) {
	together := doc.Readings(r.Trial, "busy_cpu_ns")
	observed := estimate(together, doc.NoiseFloor, d.base()/1e9)
	var both [][]float64
	for _, s := range d.Steps {
		both = append(both, scaled(s.Chosen.both, s.RatePerSecond))
	}
	predicted := estimate(zip(both), stat.MinFloor, 1)
	if observed == nil || predicted == nil {
		return
	}
	ratio := ratioOf(observed, predicted)
	if apart := zip(both); d.apart && len(apart) == len(together) { // block by block
		for i := range apart {
			apart[i] = together[i] * d.base() / 1e9 / apart[i]
		}
		ratio = estimate(apart, doc.NoiseFloor, 1)
	}
	// What the plan pays for is less than what runs, where the other side of a handshake runs too.
	paid := d.VCPU.Median * d.Workload.Limits.Used()
	c := &Check{Rate: r.Metrics["rate_asked"].Value, PredictedVCPU: paid, Ratio: ratio}
	c.ObservedVCPU = paid * c.Ratio.Median
	c.Outcome = outcome(c.Ratio)
	c.InRequests = inRequests(together, doc.Readings(r.Trial, "request_cpu_ns"),
		doc.Readings(r.Trial, "request_own_cpu_ns"))
	c.Held = c.Outcome == Held
	if p99, ok := r.Metrics["latency_p99_ns"]; ok {
		c.ObservedP99 = &p99.Value
	}
	line := queue{servers: int(r.Metrics["servers"].Value), rate: c.Rate, atOnce: int(r.Metrics["at_once"].Value), parts: d.services(), seed: doc.Seed}
	if p99, ok := line.p99(); ok {
		ns := p99 * 1e9
		c.PredictedP99 = &ns
	}
	d.Check = c
}

// inRequests is what the steps add to a request of an HTTP service over what they take in a loop, by
// block; nil where that was not measured.
func inRequests(loop, with, without []float64) *document.Estimate {
	if len(with) != len(loop) || len(without) != len(loop) {
		return nil
	}
	over := make([]float64, len(loop))
	for i := range over {
		over[i] = (with[i] - without[i]) / loop[i]
	}
	if e := estimate(over, stat.MinFloor, 1); e != nil && e.Low != nil && *e.Low > 0 {
		return e
	}
	return nil
}

// ratioOf is one estimate over another, which is independent of it.
func ratioOf(x, y *document.Estimate) *document.Estimate {
	e := &document.Estimate{Median: x.Median / y.Median}
	if x.Low != nil && y.Low != nil {
		low, high := *x.Low / *y.High, *x.High / *y.Low
		e.Low, e.High, e.Level = &low, &high, min(x.Level, y.Level)
	}
	return e
}

// services are the parts of a transaction with the seconds that each takes a CPU while all are
// busy, both sides of a handshake.
func (d *Decision) services() (all []served) {
	for _, s := range d.Steps {
		for i, p := range s.Chosen.parts {
			all = append(all, served{s.Chosen.took[i], p.times * s.RatePerSecond / d.base()})
		}
	}
	return all
}
