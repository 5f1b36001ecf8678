package decide

import (
	"math"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestCheck: what the steps took together stands beside the prediction, and one that is off
// by more than a tenth is said in the first line.
func TestCheck(t *testing.T) {
	for observed, held := range map[float64]bool{18_500 * 2: true, 25_000 * 2: false} {
		d := Make(workload(t, "rate: 1000/s\nlimits: {p99: 5ms, utilization: 0.5}\nsteps: [{sign: }, {sign: , rate: 1000/s}]"), nil, signed(""))
		steps, ok := d.Transaction()
		if !ok || len(steps) != 2 || steps[1].Times != 1 || steps[0].Library != "gmsm" {
			t.Fatalf("%+v", steps)
		}
		groups := d.CheckExperiment(steps).Plan(plan.Selection{}, plan.SelfOffers())
		if len(groups) != 1 || len(groups[0].Trials) != 1 {
			t.Fatalf("%+v", groups)
		}
		f := documenttest.NewFixture(6, 1)
		trial := groups[0].Trials[0].Trial
		i := f.Trial(CheckName, trial.Case, trial.Subject, documenttest.Plan{Silent: true})
		f.Group(CheckName, "check", "", []int{i})
		run := f.End()
		for block := range 6 {
			run.Records = append(run.Records, result.Record{Trial: i, Block: block, Metrics: []result.Metric{
				{Name: "busy_cpu_ns", Value: observed, Unit: "ns"}, {Name: "rate_asked", Value: 1000, Unit: "1/s"}, {Name: "latency_p99_ns", Value: 4e6, Unit: "ns"}}})
			run.Closed = append(run.Closed, result.Closed{Trial: i, Block: block})
		}
		d.TakeCheck(document.Build(run))
		c := d.Check
		if c == nil || c.Held != held || math.Abs(c.PredictedVCPU/0.036-1) > 0.01 || math.Abs(c.ObservedVCPU-observed/1e6) > 1e-9 || c.ObservedP99 == nil {
			t.Fatalf("%+v", c)
		}
		if said := strings.Contains(d.Headline().EN, "run together"); said == held {
			t.Errorf("%s", d.Headline().EN)
		}
	}
}
