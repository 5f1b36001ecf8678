package decide

import (
	"math"
	"slices"
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
	checkBlocks = 8 // the fewest that give an interval at 99 %
	checkWindow = 500 * time.Millisecond
	// startBlock is about what a block takes beside its windows.
	startBlock = 200 * time.Millisecond
	// lone is how long a step keeps every CPU busy by itself.
	lone = 20 * time.Millisecond
)

// CheckExperiment runs the chosen steps together: with every CPU busy and at the rate, and
// where there is a limit to latency, on as many CPUs as may keep it. In the same blocks each
// of them runs by itself, with every CPU busy for as long: a machine changes its speed
// within seconds, so what they take together is compared with what they take now.
func (d *Decision) CheckExperiment(steps []parameter.Step) plan.Experiment {
	form := plan.Form{Config: plan.Config{Blocks: checkBlocks, Rounds: 1, Target: time.Millisecond}}
	c := result.Case{Algorithm: algorithm.Transaction, Mode: parameter.JoinSteps(steps), Operation: algorithm.Transact}
	return plan.Experiment{Name: CheckName, Short: form, Full: form, Cases: casesOf(steps), Plan: func(_ plan.Selection, offers plan.Offers) []plan.Group {
		b := plan.NewBuilder(language.Text{EN: "the chosen steps as one transaction", ZH: "所选各步合为一个事务"})
		who, ok := plan.Harness(offers)
		if !ok {
			return nil
		}
		c.Parameters = parameter.Rate.Is(max(1, int(d.base()+0.5)))
		b.Add(who, c).Window = checkWindow
		for _, r := range d.rungs() {
			c.Parameters = r.parameters()
			b.Add(who, c).Window = r.window
		}
		return append(b.Groups(), d.again(offers)...)
	}}
}

// LibrariesOf are those that do steps, each once.
func LibrariesOf(steps []parameter.Step) (names []string) {
	for _, s := range steps {
		if !slices.Contains(names, s.Library) {
			names = append(names, s.Library)
		}
	}
	return names
}

func casesOf(steps []parameter.Step) (cases []result.Case) {
	for _, s := range steps {
		c := result.Case{Algorithm: s.Algorithm, Mode: s.Mode, Operation: s.Operation, Parameters: s.Parameters}
		if !slices.Contains(cases, c) {
			cases = append(cases, c)
		}
	}
	return cases
}

// again is each part of the chosen steps by itself, with every CPU busy.
func (d *Decision) again(offers plan.Offers) []plan.Group {
	b := plan.NewBuilder(language.Text{EN: "the chosen steps one at a time, every CPU busy", ZH: "所选各步分别运行，全部 CPU 繁忙"})
	var added []result.Trial
	for _, s := range d.Steps {
		for _, p := range s.Chosen.parts {
			subjects := offers.Subjects(p.Case)
			i := slices.IndexFunc(subjects, func(o result.Subject) bool {
				return who{o.Library, o.Version, o.CallPath} == whoOf(s.Chosen.Row)
			})
			c := p.Case
			c.Parameters = parameter.With(c.Parameters, parameter.Busy.Is(s.Chosen.cpus))
			b.Group.Target = time.Duration(s.Chosen.cpus) * lone
			if i < 0 || slices.Contains(added, result.Trial{Subject: subjects[i], Case: c}) {
				continue
			}
			added = append(added, result.Trial{Subject: subjects[i], Case: c})
			b.Add(subjects[i], c)
		}
	}
	if len(added) == 0 {
		return nil
	}
	return b.Groups()
}

// takeAgain reads what the chosen steps took by themselves beside the check, which is the later and
// the longer measurement: it is what the plan counts with. The choice stands, and so do the ratios,
// which are of candidates side by side.
func (d *Decision) takeAgain(doc *document.Document) {
	now := make([]*Candidate, len(d.Steps))
	for i, s := range d.Steps {
		if now[i] = s.Chosen.asIn(doc); now[i] == nil {
			return
		}
	}
	for i, s := range d.Steps {
		x := s.Chosen
		x.load, x.both, x.took, x.again = now[i].load, now[i].both, now[i].took, true
		x.Busy = inNanoseconds(x.load, doc.NoiseFloor)
		x.VCPU = estimate(scaled(x.load, s.RatePerSecond/d.Workload.Limits.Used()), doc.NoiseFloor, 1)
	}
	d.count(doc.NoiseFloor)
	d.apart = true
}

// asIn is a candidate as another run has it; nil where that lacks a part, or has too few blocks.
func (c *Candidate) asIn(doc *document.Document) *Candidate {
	n := &Candidate{}
	var load, both [][]float64
	for i, p := range c.parts {
		row, ok := Pool{doc}.busy(p.Case, whoOf(c.Row))
		if !ok || row.Status != result.OK {
			return nil
		}
		load, both = append(load, blocksOf(row, p.times*c.shares[i])), append(both, blocksOf(row, p.times))
		n.took = append(n.took, stat.Median(blocksOf(row, 1)))
	}
	n.load, n.both = zip(load), zip(both)
	if len(n.load) < checkBlocks/2 {
		return nil
	}
	return n
}

// TakeCheck reads what the steps took together, of a run that has just these steps.
func (d *Decision) TakeCheck(doc *document.Document) {
	steps, why := d.Transaction()
	if why != nil {
		return
	}
	planned, taken := d.rungs(), false // by what was known then
	for i := range doc.Rows {
		r := &doc.Rows[i]
		if r.Algorithm != algorithm.Transaction || r.Mode != parameter.JoinSteps(steps) || r.Status != result.OK {
			continue
		}
		if doc.Seconds != nil {
			d.checking = *doc.Seconds
		}
		if !taken {
			d.takeAgain(doc)
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
	together := metricOf(doc, r.Trial, "busy_cpu_ns")
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

// ratioOf is one estimate over another, which is independent of it.
func ratioOf(x, y *document.Estimate) *document.Estimate {
	e := &document.Estimate{Median: x.Median / y.Median}
	if x.Low != nil && y.Low != nil {
		low, high := *x.Low / *y.High, *x.High / *y.Low
		e.Low, e.High, e.Level = &low, &high, min(x.Level, y.Level)
	}
	return e
}

// metricOf is a metric of a trial by block, of the blocks whose output was checked.
func metricOf(doc *document.Document, trial int, name string) (values []float64) {
	for _, r := range doc.Run.Records {
		checked := slices.ContainsFunc(doc.Run.Closed, func(c result.Closed) bool { return c.Trial == trial && c.Block == r.Block })
		if r.Trial != trial || !checked {
			continue
		}
		for _, m := range r.Metrics {
			if m.Name == name {
				values = append(values, m.Value)
			}
		}
	}
	return values
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
