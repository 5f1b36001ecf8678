package decide

import (
	"math"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// together is a run of a check: what its trials show in each block, by parameters.
func together(t *testing.T, d *Decision, blocks map[string][]result.Metric) *document.Document {
	t.Helper()
	steps, why := d.Transaction()
	if why != nil {
		t.Fatal(why)
	}
	groups := d.CheckExperiment(steps).Plan(plan.Selection{}, plan.SelfOffers())
	if len(groups) != 1 || len(groups[0].Trials) != len(blocks) {
		t.Fatalf("%+v", groups)
	}
	f := documenttest.NewFixture(CheckBlocks, 1)
	var all []int
	for _, x := range groups[0].Trials {
		all = append(all, f.Trial(CheckName, x.Case, x.Subject, documenttest.Plan{Silent: true}))
	}
	f.Group(CheckName, "check", "", all)
	run := f.End()
	for i, x := range groups[0].Trials {
		metrics, ok := blocks[x.Case.Parameters]
		if !ok {
			t.Fatalf("%s is asked", x.Case.Parameters)
		}
		for block := range CheckBlocks {
			r := result.Record{Trial: all[i], Block: block}
			for _, m := range metrics {
				if block%2 == 1 {
					m.Value += m.Value * spread[m.Name]
				}
				r.Metrics = append(r.Metrics, m)
			}
			run.Records = append(run.Records, r)
			run.Closed = append(run.Closed, result.Closed{Trial: all[i], Block: block})
		}
	}
	return document.Build(run)
}

// spread is by how much every second block's metric is greater.
var spread = map[string]float64{}

func atRate(busy float64) []result.Metric {
	return []result.Metric{{Name: "busy_cpu_ns", Value: busy, Unit: "ns"}, {Name: "rate_asked", Value: 1000, Unit: "1/s"},
		{Name: "servers", Value: 2, Unit: "1"}, {Name: "at_once", Value: 1, Unit: "1"}, {Name: "latency_p99_ns", Value: 4e6, Unit: "ns"}}
}

func p99(ns float64) []result.Metric { return lateP99(ns, 1000) }

func lateP99(ns, late float64) []result.Metric {
	return []result.Metric{{Name: "latency_p99_ns", Value: ns, Unit: "ns"}, {Name: "schedule_error_p99_ns", Value: late, Unit: "ns"}}
}

// TestCheck: what the steps took together stands beside the prediction. It is off, and said in the
// first line, where the interval shows that; a wide one is inconclusive.
func TestCheck(t *testing.T) {
	for _, x := range []struct {
		observed, spread float64
		want             Outcome
	}{{37_000, 0, Held}, {50_000, 0, Off}, {28_000, 0, Off}, {38_000, 0.1, Inconclusive}, {26_000, 0.8, Inconclusive}} {
		spread = map[string]float64{"busy_cpu_ns": x.spread}
		d := Make(workload(t, "rate: 1000/s\nlimits: {utilization: 0.5}\nsteps: [{sign: }, {sign: , rate: 1000/s}]"), nil, signed(""))
		steps, why := d.Transaction()
		if why != nil || len(steps) != 2 || steps[1].Times != 1 || steps[0].Library != "gmsm" {
			t.Fatalf("%+v %v", steps, why)
		}
		d.TakeCheck(together(t, d, map[string][]result.Metric{"rate=1000": atRate(x.observed)}))
		c := d.Check
		if c == nil || c.Outcome != x.want || c.Held != (x.want == Held) || math.Abs(c.PredictedVCPU/0.036-1) > 0.01 || c.ObservedP99 == nil {
			t.Fatalf("%v: %+v", x, c)
		}
		if want := x.observed * (1 + x.spread/2) / 1e6; math.Abs(c.ObservedVCPU/want-1) > 0.01 || *c.Ratio.Low > c.Ratio.Median || *c.Ratio.High < c.Ratio.Median {
			t.Errorf("%+v, want %v", c, want)
		}
		// Two CPUs serve 1,000 a second of 36 µs: hardly one waits.
		if c.PredictedP99 == nil || *c.PredictedP99 < 35_000 || *c.PredictedP99 > 60_000 {
			t.Errorf("%v", c.PredictedP99)
		}
		if said := strings.Contains(d.Headline().EN, "run together"); said != (x.want == Off) {
			t.Errorf("%s", d.Headline().EN)
		}
	}
	spread = map[string]float64{}
}

// TestCheckOfOthers: the check of other steps says nothing of these, nor does one whose outputs were not checked.
func TestCheckOfOthers(t *testing.T) {
	two := Make(workload(t, "rate: 1000/s\nsteps: [{sign: }, {sign: }]"), nil, signed(""))
	one := Make(workload(t, "rate: 1000/s\nsteps: [{sign: }]"), nil, signed(""))
	doc := together(t, two, map[string][]result.Metric{"rate=1000": atRate(37_000)})
	if one.TakeCheck(doc); one.Check != nil {
		t.Errorf("%+v", one.Check)
	}
	doc.Run.Closed = nil
	if two.TakeCheck(document.Build(doc.Run)); two.Check != nil {
		t.Errorf("%+v", two.Check)
	}
}

// TestWhyUnchecked: what can't run in one process, or was not measured so, is named.
func TestWhyUnchecked(t *testing.T) {
	doc := signed("")
	for i := range doc.Rows {
		if doc.Rows[i].Library == "gmsm" {
			doc.Rows[i].CallPath = "cgo"
		}
	}
	for text, want := range map[string]string{"standard:gb": "through C", "standard:gb, constant-time, established": "no candidate"} {
		d := Make(workload(t, "rate: 1\nsteps: [{sign: , require: ["+text+"]}]"), nil, doc)
		if _, why := d.Transaction(); why == nil || !strings.Contains(why.EN, want) || why.ZH == "" {
			t.Errorf("%s: %v", text, why)
		}
	}
}

// TestCPUsForP99: the fewest CPUs that are shown to keep the limit, on as many as there are; where
// none does, what comes closest.
func TestCPUsForP99(t *testing.T) {
	limited := func(limit string) *Decision {
		// 100,000 a second of 18 µs are 1.8 CPUs' work.
		return Make(workload(t, "rate: 100000/s\nlimits: {p99: "+limit+"}\nsteps: [{sign: }]"), nil, signed(""))
	}
	d := limited("1ms")
	blocks := map[string][]result.Metric{"rate=100000": atRate(18_000)}
	for _, r := range d.rungs() {
		if r.servers > d.CPUs || r.cpus < r.servers || float64(r.percent)/100*float64(r.cpus) < 1.79 || r.window < shortestWatch {
			t.Errorf("%+v", r)
		}
		blocks[r.parameters()] = p99(float64(r.percent) * 20_000) // 1.8 ms at 90 %
	}
	if len(blocks) < 5 {
		t.Fatalf("%v", blocks)
	}
	d.TakeCheck(together(t, d, blocks))
	// 4 CPUs are used to 45 %, 3 to 60 %: 1.2 ms.
	if d.CPUsForP99 == nil || *d.CPUsForP99 != 4 || len(d.Latencies) != len(blocks)-1 {
		t.Fatalf("%v of %+v", d.CPUsForP99, d.Latencies)
	}
	if said := told(d); !strings.Contains(said, "4 CPUs for 99 %") || !strings.Contains(said, "safe side") {
		t.Error(said)
	}
	d = limited("10us")
	d.TakeCheck(together(t, d, blocks))
	if said := told(d); d.CPUsForP99 != nil || !strings.Contains(said, "No number of CPUs keeps") || !strings.Contains(said, "too long") {
		t.Error(said)
	}
	spread = map[string]float64{"latency_p99_ns": 200}
	d = limited("1ms")
	d.TakeCheck(together(t, d, blocks))
	spread = map[string]float64{}
	if said := told(d); d.CPUsForP99 != nil || !strings.Contains(said, "is not shown") {
		t.Error(said)
	}
	for _, r := range d.rungs() { // others had the CPU, and it is no wonder that none keeps it
		blocks[r.parameters()] = lateP99(5e6, 1e6)
	}
	d = limited("1ms")
	d.TakeCheck(together(t, d, blocks))
	if said := told(d); d.CPUsForP99 != nil || !strings.Contains(said, "is not shown") {
		t.Error(said)
	}
	if said := told(limited("1ms")); !strings.Contains(said, "was not measured") {
		t.Error(said)
	}
}

func told(d *Decision) string {
	var all []string
	for _, a := range d.checked() {
		all = append(all, a.Text.EN)
	}
	return strings.Join(all, "\n")
}

// TestCheckBesideItsSteps: the steps run by themselves in turns with the check. A machine that was
// slower then makes both slower: the plan counts with what they take there, and the prediction holds.
func TestCheckBesideItsSteps(t *testing.T) {
	const slower = 1.2
	d := Make(workload(t, "rate: 1000/s\nsteps: [{sign: }, {sign: , per: 2, require: [standard:nist]}]"), nil, signed(""))
	before, first, second := d.VCPU.Median, d.Steps[0].Chosen, d.Steps[1].Chosen
	rival := byName(d.Steps[0], "go", "ECDSA-P-256")
	paid := *versus(rival, first)
	took := []float64{first.Busy.Median * slower, second.Busy.Median * slower}
	metrics := atRate((took[0] + 2*took[1]) * 1.03)
	for i, ns := range took {
		metrics = append(metrics, result.Metric{Name: parameter.StepMetric(i), Value: ns, Unit: "ns"})
	}
	d.TakeCheck(together(t, d, map[string][]result.Metric{"rate=1000": metrics}))
	if now := versus(rival, first); now.Ratio != paid.Ratio || *now.Low != *paid.Low {
		t.Errorf("beside %s it was %v, and is %v: what was not measured in turns is compared", rival.name(), paid.Ratio, now.Ratio)
	}
	switch c := d.Check; {
	case c == nil || math.Abs(c.Ratio.Median-1.03) > 0.01 || !c.Held:
		t.Fatalf("%+v", c)
	case math.Abs(d.VCPU.Median/before/slower-1) > 0.01 || math.Abs(c.PredictedVCPU-d.VCPU.Median) > 1e-9:
		t.Errorf("%v, was %v; %+v", d.VCPU, before, c)
	case first == second || d.Steps[0].Chosen != first || math.Abs(first.VCPU.Median+second.VCPU.Median-d.VCPU.Median) > 1e-9:
		t.Errorf("%+v %+v", first, second)
	}
}

// TestInRequests: what the steps add to a request is told beside the check, with the CPUs that it
// takes; a factor whose interval reaches 1 is inconclusive.
func TestInRequests(t *testing.T) {
	for _, x := range []struct {
		with, spread float64
		want         string
	}{
		{64_000, 0, "the steps take 1.20 times the CPU that they take in loops (1.20–1.20), since requests push them out of the caches: plan 0.821 vCPU, 2 CPUs there"},
		{53_000, 0.3, "inconclusive"}, {56_400, 0, "the steps take 18 % less CPU (18–18 %) than in loops"},
	} {
		spread = map[string]float64{"request_cpu_ns": x.spread}
		d := Make(workload(t, "rate: 38000/s\nsteps: [{sign: }]"), nil, signed(""))
		metrics := append(atRate(20_000), result.Metric{Name: "request_cpu_ns", Value: x.with, Unit: "ns"},
			result.Metric{Name: "request_own_cpu_ns", Value: 40_000, Unit: "ns"})
		d.TakeCheck(together(t, d, map[string][]result.Metric{"rate=38000": metrics}))
		if said := told(d); d.Check == nil || d.Check.InRequests == nil || !strings.Contains(said, x.want) {
			t.Errorf("%v: %s", x, said)
		}
	}
	spread = map[string]float64{}
	d := Make(workload(t, "rate: 1000/s\nsteps: [{sign: }]"), nil, signed(""))
	if d.TakeCheck(together(t, d, map[string][]result.Metric{"rate=1000": atRate(20_000)})); d.Check.InRequests != nil || strings.Contains(told(d), "HTTP") {
		t.Errorf("not measured, and told: %s", told(d))
	}
}
