package decide

import (
	"math"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// CheckName is the experiment in which the chosen steps run together.
const CheckName = "plan-check"

// mostOff is how far what was observed may lie from what was predicted.
const mostOff = 0.10

// CheckTime is about what it takes.
const CheckTime = 5 * time.Second

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

// Transaction is the chosen steps as one; false where they can't run in one process, or one
// of them has no choice.
func (d *Decision) Transaction() (steps []parameter.Step, ok bool) {
	for _, c := range d.Steps {
		x := c.Chosen
		if x == nil || x.Busy == nil || x.Row.CallPath != subject.Direct {
			return nil, false
		}
		for _, p := range x.parts {
			steps = append(steps, parameter.Step{Library: x.Row.Library, Algorithm: p.Algorithm, Mode: p.Mode, Operation: p.Operation,
				Bytes: p.Bytes, Parameters: p.Parameters, Times: p.times * c.RatePerSecond / d.base()})
		}
	}
	return steps, true
}

// CheckExperiment runs the chosen steps together: with every CPU busy, and at the rate.
func (d *Decision) CheckExperiment(steps []parameter.Step) plan.Experiment {
	form := plan.Form{Config: plan.Config{Blocks: 6, Rounds: 1, Target: time.Millisecond}}
	c := result.Case{Algorithm: algorithm.Transaction, Mode: parameter.JoinSteps(steps), Operation: algorithm.Transact,
		Parameters: parameter.Rate.Is(max(1, int(d.base()+0.5)))}
	return plan.Experiment{Name: CheckName, Short: form, Full: form, Plan: func(_ plan.Selection, offers plan.Offers) []plan.Group {
		b := plan.NewBuilder(language.Text{EN: "the chosen steps as one transaction", ZH: "所选各步合为一个事务"})
		if who, ok := plan.Harness(offers); ok {
			b.Add(who, c).Window = 500 * time.Millisecond
		}
		return b.Groups()
	}}
}

// TakeCheck reads what the steps took together.
func (d *Decision) TakeCheck(doc *document.Document) {
	for i := range doc.Rows {
		r := &doc.Rows[i]
		took, ok := r.Metrics["busy_cpu_ns"]
		if r.Algorithm != algorithm.Transaction || !ok || r.Status != result.OK {
			continue
		}
		c := &Check{Rate: r.Metrics["rate_asked"].Value, ObservedVCPU: d.base() * took.Value / 1e9}
		for _, s := range d.Steps {
			c.PredictedVCPU += s.RatePerSecond * s.Chosen.whole
		}
		if p99, ok := r.Metrics["latency_p99_ns"]; ok {
			c.ObservedP99 = &p99.Value
		}
		c.Held = math.Abs(c.ObservedVCPU/c.PredictedVCPU-1) <= mostOff
		d.Check = c
	}
}
