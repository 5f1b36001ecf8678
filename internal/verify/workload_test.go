package verify

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/decide"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/result"
)

// signers take so long with every CPU busy, in ns: two are level.
var signers = []struct {
	library, algorithm string
	busy               float64
}{{"go", "Ed25519", 20_000}, {"xcrypto", "Ed25519", 20_000}, {"go", "ECDSA-P-256", 30_000}, {"gmsm", "SM2", 40_000}}

// signed is a run of them.
func signed() *document.Document {
	f := documenttest.NewFixture(12, 4)
	var alone, busy []int
	for _, s := range signers {
		c, who := result.Case{Algorithm: s.algorithm, Operation: "sign"}, result.Subject{Library: s.library, CallPath: "go"}
		alone = append(alone, f.Trial(decide.ExperimentName, c, who, documenttest.Plan{NS: 0.9 * s.busy}))
		c.Parameters = "busy=2"
		busy = append(busy, f.Trial(decide.ExperimentName, c, who, documenttest.Plan{NS: s.busy}))
	}
	f.Group(decide.ExperimentName, "sign", "", alone)
	f.Group(decide.ExperimentName, "sign, busy", "", busy)
	return document.Build(f.End())
}

// workloadsOf reads the workload that every statement of a test is about.
func workloadsOf(t *testing.T, text string, bodies ...string) ([]*Workload, error) {
	t.Helper()
	read := 0
	all, err := Workloads(statements(t, bodies...), func(path string) (*decide.Workload, error) {
		if read++; path != "w.yaml" {
			return nil, errors.New("no such file")
		}
		return decide.Parse(path, []byte(text), nil)
	})
	if read > 1 {
		t.Errorf("the workload was read %d times", read)
	}
	return all, err
}

const signing = "rate: 10000/s\nsteps: [{name: token, sign: }]"

// TestWorkloads: statements about one workload share its plan, and what one names that the
// workload does not have is said with its place.
func TestWorkloads(t *testing.T) {
	bodies := []string{"{plan: w.yaml, vcpu: ..4}", "{plan: ./w.yaml, chosen: {library: go}}", "{plan: w.yaml, chosen: {step: token, algorithm: ecdsa-p-256}}"}
	all, err := workloadsOf(t, signing, bodies...)
	if err != nil || len(all) != 1 || all[0].NeedsLatency() {
		t.Fatalf("%v, %v", all, err)
	}
	p, err := New(statements(t, bodies...), all, question.All(), 7)
	if err != nil || len(p.Libraries()) != 0 || p.Empty() {
		t.Fatal(err)
	}
	experiments := p.Experiments()
	if len(experiments) != 1 || experiments[0].Name != decide.ExperimentName || len(experiments[0].Plan(plan.Selection{}, offers())) < 2 {
		t.Errorf("%+v", experiments)
	}
	p, err = New(statements(t, append(bodies, "{row: {library: go, algorithm: Ed25519, operation: sign}, time: ..1s}")...), all, question.All(), 7)
	if e := p.Experiments(); err != nil || len(e) != 2 || e[1].Name != experiment {
		t.Errorf("%v, %v", e, err)
	}
	for body, says := range map[string]string{
		"{plan: gone.yaml, vcpu: ..4}":                                         "f.yaml:2:6: plan: no such file",
		"{plan: w.yaml, chosen: {step: tokn, library: go}}":                    `step "tokn" names nothing in w.yaml; nearest: token`,
		"{plan: w.yaml, chosen: {step: token, library: gosm}}":                 `library "gosm" names nothing`,
		"{plan: w.yaml, chosen: {step: token, algorithm: ECDSA-P-265}}":        `algorithm "ECDSA-P-265" names nothing; nearest: ECDSA-P-256`,
		"{plan: w.yaml, chosen: {step: token, algorithm: AES-128, mode: GCM}}": `names nothing`,
	} {
		if _, err := workloadsOf(t, signing, body); err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "f.yaml:2:") {
			t.Errorf("%s: %v, want %q", body, err, says)
		}
	}
	if _, err := workloadsOf(t, "rate: 1\nsteps: [{name: a, sign: }, {name: b, hash: }]", "{plan: w.yaml, chosen: {library: go}}"); err == nil || !strings.Contains(err.Error(),
		"step is missing, and w.yaml has 2: a, b") {
		t.Error(err)
	}
}

// together is a run of the chosen step, whose windows have this p99 in ns; carried is the rate that
// the machine could be given.
func together(t *testing.T, w *Workload, d *document.Document, p99, carried float64) *document.Document {
	t.Helper()
	e, _, ok := w.Transaction(d)
	if !ok {
		t.Fatal("the steps can't run together")
	}
	trial := e.Plan(plan.Selection{}, plan.SelfOffers())[0].Trials[0].Trial
	f := documenttest.NewFixture(6, 1)
	i := f.Trial(decide.CheckName, trial.Case, trial.Subject, documenttest.Plan{Silent: true})
	f.Group(decide.CheckName, "check", "", []int{i})
	run := f.End()
	for block := range 6 {
		run.Records = append(run.Records, result.Record{Trial: i, Block: block, Metrics: []result.Metric{{Name: "busy_cpu_ns", Value: 20_000, Unit: "ns"},
			{Name: "rate_asked", Value: carried, Unit: "1/s"}, {Name: latencyMetric, Value: p99 * (1 + float64(block)/100), Unit: "ns"}}})
		run.Closed = append(run.Closed, result.Closed{Trial: i, Block: block})
	}
	return document.Build(run)
}

// TestPlanStatements: CPUs, the choice and the latency of a workload's plan, from intervals.
func TestPlanStatements(t *testing.T) {
	d := signed()
	judged := func(workload string, use func(*Workload), bodies ...string) []Judged {
		t.Helper()
		all, err := workloadsOf(t, workload, bodies...)
		if err != nil {
			t.Fatal(err)
		}
		if use != nil {
			use(all[0])
		}
		v, problems := Judge(statements(t, bodies...), d, Measured, all...)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return v
	}
	hold := func(v []Judged, wants ...string) {
		t.Helper()
		for i, want := range wants {
			verdict, says, _ := strings.Cut(want, ": ")
			if string(v[i].Verdict) != verdict || !strings.Contains(v[i].Text.EN, says) || v[i].Text.ZH == "" {
				t.Errorf("%d: %s: %s, want %s", i, v[i].Verdict, v[i].Text.EN, want)
			}
		}
	}
	v := judged(signing, nil, "{plan: w.yaml, vcpu: ..0.25}", "{plan: w.yaml, vcpu: ..0.15}", "{plan: w.yaml, vcpu: ..0.2}",
		"{plan: w.yaml, vcpu: 0.1..0.3, chosen: {algorithm: SM2}}",
		"{plan: w.yaml, chosen: {algorithm: Ed25519}}", "{plan: w.yaml, chosen: {library: openssl}}", "{plan: w.yaml, p99: ..5ms}")
	hold(v, "holds: it takes 0.2", "contradicted: not at most 0.150",
		"undecided: stated: at most 0.200", "contradicted: Ed25519 is chosen (0.2",
		"holds: Ed25519 is chosen",
		"not measurable here: not measured", "not measurable here: not measured")
	if len(v[0].Choices) != 1 || v[0].Choices[0].Step != "token" || len(v[0].Rows) != 1 || v[0].json(0).Plan.Workload != "w.yaml" {
		t.Errorf("%+v", v[0])
	}
	// Of two that are level either may be chosen next time; what a requirement excludes can't be.
	libraries := []string{"go", "xcrypto"}
	chosen, _, _ := strings.Cut(v[0].Choices[0].Who, " ")
	other := libraries[1-slices.Index(libraries, chosen)]
	hold(judged(signing, nil, "{plan: w.yaml, chosen: {library: "+chosen+", algorithm: Ed25519}}", "{plan: w.yaml, chosen: {library: "+other+", algorithm: Ed25519}}"),
		"undecided: is chosen this time, and "+other+" Ed25519 is level: ", "undecided: are level")
	hold(judged(strings.Replace(signing, "sign: }", "sign: , require: [standard:gb]}", 1), nil, "{plan: w.yaml, chosen: {algorithm: Ed25519}}", "{plan: w.yaml, chosen: {algorithm: SM2}}"),
		"contradicted: Ed25519 is out: ", "holds: gmsm SM2 is chosen")
	for _, c := range []struct {
		p99, carried float64
		want         string
	}{{1e6, 10_000, "holds: the p99 of a transaction is 1.0"}, {9e6, 10_000, "contradicted: not at most 5.00 ms"}, {4.9e6, 10_000, "undecided: stated"},
		{1e6, 8_000, "not measurable here: this machine can be given 8000 transactions a second, and the workload has 10000"}} {
		hold(judged(signing, func(w *Workload) { w.Together = []*document.Document{together(t, w, d, c.p99, c.carried)} }, "{plan: w.yaml, p99: ..5ms}"), c.want)
	}
	// Why there is no latency is said: that the steps could not be run together, else that the time was short.
	why := layout.Text{EN: "too many open files", ZH: "打开的文件过多"}
	v = judged(signing, func(w *Workload) { w.Unmeasured = why }, "{plan: w.yaml, p99: ..5ms}")
	hold(v, "not measurable here: the steps could not be run together: too many open files")
	if !strings.Contains(v[0].Text.ZH, "各步骤未能合在一起运行：打开的文件过多") {
		t.Error(v[0].Text.ZH)
	}
	hold(judged(signing, nil, "{plan: w.yaml, p99: ..5ms}"), "not measurable here: it was not measured in the time given")
	// What has too few blocks for a number decides nothing.
	few := runOf(1, 3, planted{Case: result.Case{Algorithm: "Ed25519", Operation: "sign"}, library: "go", ns: 18_000})
	bodies := []string{"{plan: w.yaml, vcpu: ..4}", "{plan: w.yaml, chosen: {library: go}}"}
	all, _ := workloadsOf(t, signing, bodies...)
	v, _ = Judge(statements(t, bodies...), few, Measured, all...)
	hold(v, "undecided: busy CPUs gave no number. Give more time", "undecided: the choice is not certain: go Ed25519 takes")
	none := runOf(1, 3, planted{Case: result.Case{Algorithm: "Ed25519", Operation: "sign"}, library: "go", status: result.Unstable})
	v, _ = Judge(statements(t, bodies...), none, Measured, all...)
	hold(v, "undecided: has no candidate with a number. Give more time", "undecided: go Ed25519 has no number")
	// A run that is used again may lack what a plan needs.
	again := runOf(1, 15, planted{Case: cipher("ECB", 1024), library: "go", ns: 10_000})
	bodies = []string{"{plan: w.yaml, vcpu: ..4}", "{plan: w.yaml, p99: ..5ms}", "{plan: w.yaml, chosen: {library: go}}"}
	all, _ = workloadsOf(t, signing, bodies...)
	v, _ = Judge(statements(t, bodies...), again, Reused, all...)
	hold(v, "not measurable here: without --run", "not measurable here: without --run", "not measurable here: without --run")
}

// TestPlanSeeds: over 50 seeds a true claim of CPUs with 5 % of room is never contradicted, and a
// false one by 5 % never holds.
func TestPlanSeeds(t *testing.T) {
	bodies := []string{"{plan: w.yaml, vcpu: ..0.21}", "{plan: w.yaml, vcpu: 0.19..0.21}", "{plan: w.yaml, vcpu: ..0.19}", "{plan: w.yaml, vcpu: 0.21..}"}
	all, err := workloadsOf(t, signing, bodies...)
	if err != nil {
		t.Fatal(err)
	}
	c := result.Case{Algorithm: "Ed25519", Operation: "sign"}
	busy := c
	busy.Parameters = "busy=2"
	decided := 0
	for seed := range uint64(50) {
		d := runOf(seed, 12, planted{Case: c, library: "go", ns: 18_000}, planted{Case: busy, library: "go", ns: 20_000})
		v, _ := Judge(statements(t, bodies...), d, Measured, all...)
		for i, j := range v {
			if truth := i < 2; truth && j.Verdict == Contradicted || !truth && j.Verdict == Holds || j.Verdict == NotMeasurable {
				t.Errorf("seed %d: %s: %s", seed, j.Verdict, j.Text.EN)
			} else if j.Verdict != Undecided {
				decided++
			}
		}
	}
	if most := 50 * len(bodies); decided < most*9/10 {
		t.Errorf("%d of %d are decided", decided, most)
	}
}
