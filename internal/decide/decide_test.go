package decide

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/result"
)

// signing is what a fixture's libraries take for a signature, alone and busy, in ns.
var signing = []struct {
	library, algorithm, mode string
	alone, busy              float64
	constant                 string
}{
	{"go", "RSA-2048", "PSS-SHA-256", 1_000_000, 1_200_000, "yes"},
	{"go", "ECDSA-P-256", "", 20_000, 25_000, "yes"},
	{"go", "Ed25519", "", 22_000, 30_000, "yes"},
	{"gmsm", "SM2", "", 15_000, 18_000, "no"},
	{"gmsm", "ML-DSA-44", "", 60_000, 70_000, "yes"},
	{"cryptogauge", "SM2", "", 5_000, 6_000, "yes"},
}

// signed is a run in which everything signs; wrong is the library whose output is.
func signed(wrong string) *document.Document { return signedIn(12, wrong) }

func signedIn(blocks int, wrong string) *document.Document {
	f := documenttest.NewFixture(blocks, 4)
	var alone, busy []int
	for _, s := range signing {
		who := result.Subject{Library: s.library}
		c := result.Case{Algorithm: s.algorithm, Mode: s.mode, Operation: "sign"}
		i := f.Trial(ExperimentName, c, who, documenttest.Plan{NS: s.alone})
		c.Parameters = "busy=2"
		j := f.Trial(ExperimentName, c, who, documenttest.Plan{NS: s.busy})
		f.Run.Trials[i].ConstantTime.Value, f.Run.Trials[j].ConstantTime.Value = s.constant, s.constant
		alone, busy = append(alone, i), append(busy, j)
		if s.library == wrong {
			f.Status(i, result.Incorrect, "the signature is not valid")
		}
	}
	f.Group(ExperimentName, "sign", "", alone)
	f.Group(ExperimentName, "sign, busy", "", busy)
	doc := document.Build(f.End())
	answer.Add(doc, nil)
	return doc
}

func workload(t *testing.T, text string) *Workload {
	t.Helper()
	w, err := Parse("w.yaml", []byte(text), noSizes)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func byName(c *Choice, library, name string) *Candidate {
	for _, x := range c.Candidates {
		if x.Row.Library == library && x.name() == name {
			return x
		}
	}
	return nil
}

func TestChoice(t *testing.T) {
	d := Make(workload(t, "rate: 3000/s\nsteps: [{sign: }]"), nil, signed(""))
	c := d.Steps[0]
	if c.Chosen == nil || c.Chosen.Row.Library != "gmsm" || c.Chosen.name() != "SM2" {
		t.Fatalf("chosen %+v", c.Chosen)
	}
	standings := map[string]string{}
	for _, x := range c.Candidates {
		standings[x.Row.Library+" "+x.name()] = x.Standing
	}
	for who, want := range map[string]string{"gmsm SM2": Chosen, "cryptogauge SM2": New, "go Ed25519": Front, "go ECDSA-P-256": Dominated,
		"go RSA-2048 PSS": Dominated, "gmsm ML-DSA-44": Dominated} {
		if standings[who] != want {
			t.Errorf("%s is %s, want %s", who, standings[who], want)
		}
	}
	if by := byName(c, "go", "ECDSA-P-256").By; by != c.Chosen {
		t.Errorf("ECDSA is dominated by %+v", by)
	}
	if got := *c.Chosen.Bytes; got != 72 {
		t.Errorf("%v bytes are sent", got)
	}
}

// TestCPUs: vCPU is the rate times the time on busy CPUs, over the utilization; the interval
// holds it, and a million times the rate is arithmetic that says so.
func TestCPUs(t *testing.T) {
	doc := signed("")
	for text, want := range map[string]float64{
		"rate: 3000/s\nsteps: [{sign: }]":                                3000 * 18e-6,
		"rate: 3000/s\nlimits: {utilization: 0.5}\nsteps: [{sign: }]":    3000 * 18e-6 / 0.5,
		"rate: 3000/s\nsteps: [{sign: , per: 2}]":                        6000 * 18e-6,
		"rate: 3000/s\nsteps: [{sign: , rate: 60/min}]":                  18e-6,
		"rate: 3000/s\nsteps: [{sign: }, {sign: , require: maintained}]": 6000 * 18e-6,
		"rate: 1e6/s\nsteps: [{sign: , require: [standard:nist]}]":       1e6 * 25e-6,
	} {
		d := Make(workload(t, text), nil, doc)
		e := d.VCPU
		if e == nil || math.Abs(e.Median/want-1) > 0.01 || e.Low == nil || *e.Low > e.Median || *e.High < e.Median || *e.High/(*e.Low) > 1.05 {
			t.Errorf("%q: %+v, want %v", text, e, want)
			continue
		}
		if d.Extrapolates() != (want > float64(doc.CPUs())) {
			t.Errorf("%q: extrapolates %v", text, d.Extrapolates())
		}
		line := d.Headline().EN
		if given := strings.Contains(text, "utilization"); given == strings.Contains(line, "none was given") {
			t.Errorf("%q", line)
		}
	}
}

func TestRequirements(t *testing.T) {
	doc := signed("")
	for require, want := range map[string]string{"constant-time": "go ECDSA-P-256", "standard:nist": "go ECDSA-P-256", "post-quantum": "gmsm ML-DSA-44",
		"fips": "go ECDSA-P-256", "standard:gb": "gmsm SM2", "integrity": "gmsm SM2", "established": "gmsm SM2"} {
		c := Make(workload(t, "rate: 1\nsteps: [{sign: , require: ["+require+"]}]"), nil, doc).Steps[0]
		if c.Chosen == nil || c.Chosen.Row.Library+" "+c.Chosen.name() != want {
			t.Errorf("%s: %+v, want %s", require, c.Chosen, want)
		}
	}
	// What changes where one is dropped: SM2 comes first without constant time.
	c := Make(workload(t, "rate: 1\nsteps: [{sign: , require: [constant-time, maintained]}]"), nil, doc).Steps[0]
	if len(c.Dropped) != 1 || c.Dropped[0].Requirement != ConstantTime || c.Dropped[0].Candidate.name() != "SM2" {
		t.Errorf("dropped %+v", c.Dropped)
	}
	x := byName(c, "gmsm", "SM2")
	if x.Standing != Excluded || x.Excluded[0].Requirement != ConstantTime {
		t.Errorf("%+v", x)
	}
}

// TestWrongIsNeverChosen: not the row whose output is wrong, nor the same code elsewhere.
func TestWrongIsNeverChosen(t *testing.T) {
	d := Make(workload(t, "rate: 1\nsteps: [{sign: }]"), nil, signed("gmsm"))
	c := d.Steps[0]
	if c.Chosen.Row.Library == "gmsm" {
		t.Errorf("chosen %s", c.Chosen.name())
	}
	if x := byName(c, "gmsm", "SM2"); x.Standing != Excluded || x.Excluded[0].Why.EN != "its output is wrong" || x.CPU != nil {
		t.Errorf("%+v", x)
	}
}

// TestNothingLeft: a need without a candidate says why, and gives no number of CPUs.
func TestNothingLeft(t *testing.T) {
	doc := signed("")
	d := Make(workload(t, "rate: 1\nsteps: [{sign: , require: [standard:gb, constant-time, established]}]"), nil, doc)
	d.Lay(doc)
	if d.Complete() || d.Steps[0].Chosen != nil {
		t.Fatalf("%+v", d.Steps[0].Chosen)
	}
	said := doc.Answers[0].Text.EN
	if !strings.Contains(said, "no candidate is left") || !strings.Contains(said, "without constant-time there would be gmsm SM2") {
		t.Errorf("%s", said)
	}
}

// TestTooFewBlocks: on a machine too busy for an interval the plan has its number, and says that it is
// inconclusive.
func TestTooFewBlocks(t *testing.T) {
	d := Make(workload(t, "rate: 3000/s\nsteps: [{sign: }]"), nil, signedIn(3, ""))
	if !d.Complete() || d.VCPU.Low != nil || math.Abs(d.VCPU.Median/(3000*30e-6)-1) > 0.02 || d.Steps[0].Chosen.name() != "Ed25519" {
		t.Fatalf("%+v", d.VCPU) // which sends the least, where nothing is shown to be faster
	}
	if said := d.Headline(); !strings.Contains(said.EN, "inconclusive") || !strings.Contains(said.ZH, "无法判定") {
		t.Errorf("%v", said)
	}
	d.TakeCheck(together(t, d, map[string][]result.Metric{"rate=3000": atRate(30_000)}))
	if d.Check == nil || d.Check.Outcome != Inconclusive || d.Check.Held {
		t.Errorf("%+v", d.Check)
	}
	if (Pool{signedIn(3, "")}).Has(d.pool[0].Run.Trials[0].Trial) {
		t.Error("a row of too few blocks is not measured again")
	}
}

// TestAlone: where busy CPUs were not measured the first line says so.
func TestAlone(t *testing.T) {
	f := documenttest.NewFixture(12, 4)
	i := f.Trial("signatures", result.Case{Algorithm: "Ed25519", Operation: "sign"}, result.Subject{Library: "go"}, documenttest.Plan{NS: 20_000})
	f.Group("signatures", "sign", "", []int{i})
	d := Make(workload(t, "rate: 1000\nsteps: [{sign: }]"), nil, document.Build(f.End()))
	doc := d.pool[0]
	d.Lay(doc)
	if len(doc.Rows) != 1 || doc.Rows[0].Experiment != ExperimentName || !strings.Contains(doc.Layouts[0].Headline[0].Title.EN, "lone loop") {
		t.Errorf("%+v", doc.Rows)
	}
	if !d.Alone || math.Abs(d.VCPU.Median/0.02-1) > 0.01 || !strings.Contains(d.Headline().EN, "lone loop") {
		t.Errorf("%v: %s", d.VCPU, d.Headline().EN)
	}
}

// TestToday: what runs today is compared with the choice for the same need.
func TestToday(t *testing.T) {
	f := documenttest.NewFixture(12, 4)
	var all []int
	for _, x := range []struct {
		library, mode string
		ns            float64
	}{{"tjfoc", "CBC", 9000}, {"gmsm", "GCM", 2000}} {
		c := result.Case{Algorithm: "SM4", Mode: x.mode, Operation: "encrypt", Bytes: 1024}
		all = append(all, f.Trial(ExperimentName, c, result.Subject{Library: x.library}, documenttest.Plan{NS: x.ns}))
	}
	f.Group(ExperimentName, "seal", "", all)
	doc := document.Build(f.End())
	answer.Add(doc, nil)
	d := Make(workload(t, "rate: 1\nsteps: [{use: {library: tjfoc, algorithm: SM4, mode: CBC, operation: encrypt}}]"), nil, doc)
	d.Lay(doc)
	if c := d.Steps[0]; c.Today == nil || c.Today.Row.Library != "tjfoc" || c.Chosen == nil || c.Chosen.Row.Library != "gmsm" {
		t.Fatalf("%+v", c)
	}
	i := slices.IndexFunc(doc.Answers, func(a layout.Answer) bool {
		return strings.Contains(a.Text.EN, "move from tjfoc SM4-CBC to gmsm SM4-GCM: 4.5")
	})
	if i < 0 || !strings.Contains(doc.Answers[i].Text.EN, "and changes are detected") {
		t.Errorf("%+v", doc.Answers)
	}
}

// TestLevelStays: what runs today is kept where nothing is shown to be better.
func TestLevelStays(t *testing.T) {
	for _, test := range []struct {
		today float64 // what a call takes, beside 2000 ns of gmsm's
		stays string
	}{{2004, "tjfoc"}, {9000, "gmsm"}} {
		f := documenttest.NewFixture(12, 4)
		c := result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "encrypt", Bytes: 1024}
		var all []int
		for library, ns := range map[string]float64{"tjfoc": test.today, "gmsm": 2000} {
			all = append(all, f.Trial(ExperimentName, c, result.Subject{Library: library}, documenttest.Plan{NS: ns}))
		}
		f.Group(ExperimentName, "seal", "", all)
		doc := document.Build(f.End())
		answer.Add(doc, nil)
		d := Make(workload(t, "rate: 1\nsteps: [{use: {library: tjfoc, algorithm: SM4, mode: GCM, operation: encrypt}}]"), nil, doc)
		if got := d.Steps[0].Chosen; got == nil || got.Row.Library != test.stays {
			t.Errorf("%v ns today: %+v, want %s", test.today, got, test.stays)
		}
	}
}

// TestWeights: the share of weightings is that of the simplex; one criterion alone decides.
func TestWeights(t *testing.T) {
	for _, bad := range []string{"", "tme=3", "time=-1", "time=0", "time=1,time=2", "time=x"} {
		if _, err := ParseWeights(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
	w, err := ParseWeights("time=40,throughput=30,errors=20,resources=10")
	if err != nil || *w != (Weights{0.4, 0.3, 0.2, 0.1}) {
		t.Fatalf("%v %v", w, err)
	}
	d := Make(workload(t, "rate: 1\nsteps: [{sign: , require: [established]}]"), w, signed(""))
	got := d.Weighed[0]
	if got.First.name() != "SM2" || got.Share < 0.5 || got.Share > 1 || len(got.Scores) != 2 || got.Scores[0].Value < got.Scores[1].Value {
		t.Errorf("%+v", got)
	}
	again := Make(workload(t, "rate: 1\nsteps: [{sign: , require: [established]}]"), w, signed(""))
	if again.Weighed[0].Share != got.Share {
		t.Errorf("the share was %v, and is %v", got.Share, again.Weighed[0].Share)
	}
}

// TestReport: the JSON report has the documented names, and the formats draw the plan in
// both languages.
func TestReport(t *testing.T) {
	doc := signed("")
	d := Make(workload(t, "name: tokens\nrate: 3000/s\nprice: {vcpu_hour: 0.04, currency: USD, vcpu_per_instance: 2}\nsteps: [{sign: , require: [established]}]"), nil, doc)
	d.Lay(doc)
	var out bytes.Buffer
	if err := d.WriteJSON(&out, doc, []string{"RUN"}); err != nil {
		t.Fatal(err)
	}
	var r map[string]any
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"schema", "run", "trust", "steps", "vcpu", "cost_per_million", "check", "answers"} {
		if _, ok := r[name]; !ok {
			t.Errorf("no %s", name)
		}
	}
	if r["schema"] != ReportSchema || r["run"] != "RUN" || math.Abs(r["cost_per_million"].(float64)-18e-6*1e6*0.04/3600) > 1e-6 || r["instances"] != 1.0 {
		t.Errorf("%v", r)
	}
	step := r["steps"].([]any)[0].(map[string]any)
	first := step["candidates"].([]any)[0].(map[string]any)
	for _, name := range []string{"row_id", "library", "version", "algorithm", "mode", "cpu_ns", "busy_cpu_ns", "vcpu", "bytes_sent", "standing", "dominated_by", "excluded"} {
		if _, ok := first[name]; !ok {
			t.Errorf("no %s", name)
		}
	}
	if step["chosen"] != first["row_id"] || step["instead_of"] != nil || first["excluded"] != nil {
		t.Errorf("%v", step)
	}
	if charts := doc.Layouts[0].Charts; len(charts) != 1 || len(charts[0].Series) != 3 || len(charts[0].Series[0].Points) != 1 || !charts[0].Series[0].Apart {
		t.Errorf("%+v", charts)
	}
	for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
		for _, format := range []render.Format{render.FormatText, render.FormatMarkdown, render.FormatHTML} {
			var page bytes.Buffer
			if err := render.Write(&page, format, []*document.Document{doc}, render.Options{Lang: lang, Title: d.Headline().In(lang)}); err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"SM2", "vCPU", "Ed25519"} {
				if !strings.Contains(page.String(), want) {
					t.Errorf("%s in %s: no %s", format, lang, want)
				}
			}
			if lines := strings.Count(page.String(), "\n"); format == render.FormatText && lines > 50 {
				t.Errorf("%d lines in %s", lines, lang)
			}
		}
	}
}

// TestExperiment: every candidate is measured alone and with every CPU busy, and what a pool
// has is not asked for again.
func TestExperiment(t *testing.T) {
	w := workload(t, "rate: 1\nsteps: [{sign: }, {seal: {bytes: 64}}, {handshake: {resumed: 0.5}}]")
	e := w.Experiment(2)
	var offers plan.Offers
	for _, c := range e.Cases {
		offers = append(offers, plan.Offer{Subject: result.Subject{Library: "go", CallPath: "go"}, Case: c})
	}
	count := map[string]int{}
	for _, g := range e.Plan(plan.Selection{}, offers) {
		for _, trial := range g.Trials {
			kind := "alone"
			if strings.Contains(trial.Case.Parameters, "busy=2") {
				kind = "busy"
			}
			count[trial.Case.Operation+" "+kind]++
		}
	}
	for _, op := range []string{"sign", "encrypt", "handshake"} {
		if count[op+" alone"] == 0 || count[op+" alone"] != count[op+" busy"] {
			t.Errorf("%v", count)
		}
	}
	have := Pool{signed("")}
	for _, trial := range have[0].Run.Trials {
		if !have.Has(trial.Trial) {
			t.Errorf("%s is not found", trial.Trial.ID())
		}
	}
	if have.Has(result.Trial{Subject: result.Subject{Library: "go"}, Case: result.Case{Algorithm: "RSA-4096", Operation: "sign"}}) {
		t.Error("a row is found that is not there")
	}
}

// TestSamePlan: the same workload and seed plan the same trials, and the same rows make the same
// decision, to the last digit of the check.
func TestSamePlan(t *testing.T) {
	const text = "rate: 1000/s\nlimits: {p99: 5ms}\nsteps: [{sign: , require: [established]}, {sign: , per: 0.5}]"
	var plans, reports []string
	for range 3 {
		w := workload(t, text)
		e := w.Experiment(2)
		var offers plan.Offers
		for _, c := range e.Cases {
			for _, library := range []string{"go", "gmsm"} {
				offers = append(offers, plan.Offer{Subject: result.Subject{Library: library, CallPath: "go"}, Case: c})
			}
		}
		plans = append(plans, fmt.Sprintf("%+v", e.Plan(plan.Selection{Seed: 7}, offers)))
		doc := signed("")
		d := Make(w, &Weights{0.4, 0.3, 0.2, 0.1}, doc)
		steps, _ := d.Transaction()
		plans[len(plans)-1] += fmt.Sprintf("%+v", d.CheckExperiment(steps).Plan(plan.Selection{Seed: 7}, plan.SelfOffers()))
		blocks := map[string][]result.Metric{"rate=1000": atRate(27_000)}
		for _, r := range d.rungs() {
			blocks[r.parameters()] = p99(1e6)
		}
		d.TakeCheck(together(t, d, blocks))
		d.Lay(doc)
		var out bytes.Buffer
		if err := d.WriteJSON(&out, doc, []string{"RUN"}); err != nil {
			t.Fatal(err)
		}
		reports = append(reports, out.String())
	}
	if len(slices.Compact(plans)) != 1 || len(slices.Compact(reports)) != 1 || !strings.Contains(reports[0], `"predicted_p99_ns": `) ||
		strings.Contains(reports[0], `"predicted_p99_ns": null`) {
		t.Errorf("%d plans and %d reports of one seed", len(slices.Compact(plans)), len(slices.Compact(reports)))
	}
}

// TestFewCPUs: a fraction of a CPU keeps three figures.
func TestFewCPUs(t *testing.T) {
	for x, want := range map[float64]string{0.0040512: "0.00405", 0.1: "0.100", 0.099999: "0.1000", 1.234: "1.23", 0: "0", 0.05: "0.0500", 25: "25.0"} {
		if got := formatCPUs(x); got != want {
			t.Errorf("%v is printed as %s, want %s", x, got, want)
		}
	}
}

// TestServerPays: of a handshake the server's share counts, also where blocks are too few for an interval;
// without the share there is no number.
func TestServerPays(t *testing.T) {
	for _, blocks := range []int{3, 12} {
		f := documenttest.NewFixture(blocks, 4)
		c := result.Case{Algorithm: "TLS 1.3", Mode: "X25519+Ed25519", Operation: "handshake", Parameters: "resumed=no,transport=memory"}
		i := f.Trial(ExperimentName, c, result.Subject{Library: "go"}, documenttest.Plan{NS: 300_000})
		c.Parameters = "busy=2," + c.Parameters
		j := f.Trial(ExperimentName, c, result.Subject{Library: "go"}, documenttest.Plan{NS: 400_000})
		f.Group(ExperimentName, "handshake", "", []int{i, j})
		run := f.End()
		unknown := Make(workload(t, "rate: 500/s\nsteps: [{handshake: }]"), nil, document.Build(run))
		if unknown.Complete() {
			t.Errorf("%d blocks: %v vCPU of nobody knows whose", blocks, unknown.VCPU)
		}
		for block := range blocks {
			run.Records = append(run.Records, result.Record{Trial: i, Block: block, Metrics: []result.Metric{
				{Name: "client_cpu_ns", Value: 180_000, Unit: "ns"}, {Name: "server_cpu_ns", Value: 120_000, Unit: "ns"}}})
		}
		d := Make(workload(t, "rate: 500/s\nsteps: [{handshake: }]"), nil, document.Build(run))
		if d.VCPU == nil || math.Abs(d.VCPU.Median/(500*400e-6*0.4)-1) > 0.02 || (d.VCPU.Low == nil) != (blocks == 3) {
			t.Errorf("%d blocks: %+v", blocks, d.VCPU)
		}
	}
}
