package fleet

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/decide"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/fleet/price"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/result"
)

// held is a store of runs in memory: the cells of a run are its document's rows.
type held struct {
	machines []archive.Machine
	runs     map[string]*result.Run
	at       map[string]string // machine by run
}

func (h *held) add(m archive.Machine, id string, run *result.Run) {
	if h.runs == nil {
		h.runs, h.at = map[string]*result.Run{}, map[string]string{}
	}
	i := slices.IndexFunc(h.machines, func(o archive.Machine) bool { return o.Key == m.Key })
	if i < 0 {
		h.machines, i = append(h.machines, m), len(h.machines)
	}
	h.machines[i].Runs++
	h.runs[id], h.at[id] = run, m.Key
}

func (h *held) Machines(context.Context) ([]archive.Machine, error) { return h.machines, nil }

func (h *held) Run(_ context.Context, id string) (archive.Run, *result.Run, error) {
	if h.runs[id] == nil {
		return archive.Run{}, nil, archive.ErrUnknown
	}
	return archive.Run{ID: id}, h.runs[id], nil
}

func (h *held) Latest(_ context.Context, q archive.CellQuery) ([]archive.Cell, error) {
	last := map[string]archive.Cell{}
	var order []string
	for id, run := range h.runs {
		doc := document.Build(run)
		for _, r := range doc.Rows {
			c := archive.Cell{Run: id, Started: doc.Started, Machine: h.at[id], Confidence: doc.Trust.Level, Experiment: r.Experiment,
				Case: r.Info.Case, Subject: r.Info.Subject, Status: r.Status, Withheld: r.Withheld, Exhibit: r.Info.Exhibit,
				Harness: r.Library == "harness", NsPerOp: r.NsPerOp, Metrics: r.Metrics}
			if len(q.Machines) > 0 && !slices.Contains(q.Machines, c.Machine) || len(q.Sizes) > 0 && !slices.Contains(q.Sizes, c.Case.Bytes) {
				continue
			}
			key := c.Machine + c.Experiment + fmt.Sprint(c.Case) + fmt.Sprint(c.Subject)
			if before, known := last[key]; !known || before.Started.Before(c.Started) {
				if last[key] = c; !known {
					order = append(order, key)
				}
			}
		}
	}
	slices.Sort(order)
	var cells []archive.Cell
	for _, key := range order {
		cells = append(cells, last[key])
	}
	return cells, nil
}

const at64 = int64(64)

// measured is a run of a signature and of sealing, alone and with so many CPUs busy, in nanoseconds of CPU time.
func measured(day int, sign, seal float64, busy int) *documenttest.Fixture {
	f := documenttest.NewFixture(12, 4)
	f.Run.Header.Started = time.Date(2026, 11, day, 2, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		of result.Case
		ns float64
	}{
		{result.Case{Algorithm: "Ed25519", Operation: "sign"}, sign},
		{result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: at64}, seal},
	} {
		group := []int{f.Trial(decide.ExperimentName, c.of, result.Subject{Library: "go"}, documenttest.Plan{NS: c.ns})}
		if busy > 0 {
			c.of.Parameters = fmt.Sprintf("busy=%d", busy)
			group = append(group, f.Trial(decide.ExperimentName, c.of, result.Subject{Library: "go"}, documenttest.Plan{NS: 1.5 * c.ns}))
		}
		f.Group(decide.ExperimentName, c.of.Name(), "", group)
	}
	return f
}

func prices(t *testing.T, list string) *price.List {
	t.Helper()
	p, err := price.Read("prices.csv", strings.NewReader("machine,vcpu_hour,currency\n"+list))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var (
	fast  = archive.Machine{Key: "amd64-fast-2cpu", Label: "Fast CPU, 2 CPUs", Product: "Cloud fast.large", CPUs: 2}
	cheap = archive.Machine{Key: "amd64-cheap-2cpu", Label: "Cheap CPU, 2 CPUs", Product: "Cloud cheap.large", CPUs: 2}
	lone  = archive.Machine{Key: "arm64-lone-4cpu", Label: "Lone CPU, 4 CPUs", Product: "Cloud lone.large", CPUs: 4}
	bare  = archive.Machine{Key: "arm64-bare-4cpu", Label: "Bare CPU, 4 CPUs", CPUs: 4}
)

// theFleet has a fast machine, one that is cheap, one that was measured alone, and one without a price.
func theFleet() *held {
	h := &held{}
	h.add(fast, "run1", measured(1, 20_000, 100, 2).End())
	h.add(cheap, "run2", measured(2, 30_000, 150, 2).End())
	h.add(lone, "run3", measured(3, 10_000, 50, 0).End())
	h.add(bare, "run4", measured(4, 5_000, 25, 4).End())
	return h
}

const list = "fast.large,0.08,USD\ncheap.large,0.04,USD\nlone.large,0.01,USD\ngone.large,0.02,USD\n"

func TestCosts(t *testing.T) {
	r, err := Costs(t.Context(), theFleet(), prices(t, list), plan.Selection{Algorithms: []string{"ed25519"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Cases) != 1 || r.Cases[0].Algorithm != "Ed25519" || r.Cases[0].Parameters != "" {
		t.Fatalf("%+v", r.Cases)
	}
	var order []string
	for _, row := range r.Cases[0].Rows {
		order = append(order, row.Machine.Name)
	}
	// A million signatures: 45 µs at 0.04 cost less than 30 µs at 0.08. What ran alone comes below both, and below that
	// what has no price.
	if want := []string{"cheap.large", "fast.large", "lone.large", bare.Label}; !slices.Equal(order, want) {
		t.Errorf("in the order %v, want %v", order, want)
	}
	for i, want := range []float64{45e-6 * 1e6 * 0.04 / 3600, 30e-6 * 1e6 * 0.08 / 3600, 10e-6 * 1e6 * 0.01 / 3600} {
		row := r.Cases[0].Rows[i]
		if row.Cost == nil || math.Abs(row.Cost.Median/want-1) > 0.01 {
			t.Errorf("%s: %+v, want %v", row.Machine.Name, row.Cost, want)
			continue
		}
		if row.Cost.Low == nil || !(*row.Cost.Low < want && want < *row.Cost.High) || row.Cost.Level != 0.99 {
			t.Errorf("%s: the interval %+v does not hold %v", row.Machine.Name, row.Cost, want)
		}
		if row.Full() != (i < 2) {
			t.Errorf("%s: every CPU was busy: %v", row.Machine.Name, row.Full())
		}
	}
	if last := r.Cases[0].Rows[3]; last.Cost != nil || last.CPU == nil {
		t.Errorf("without a price there is a cost: %+v", last)
	}
	if !slices.Equal(r.Unused, []string{"gone.large"}) {
		t.Errorf("unused prices: %v", r.Unused)
	}
}

func TestCostsNarrowed(t *testing.T) {
	for _, c := range []struct {
		sel   plan.Selection
		cases int
		wrong string
	}{
		{plan.Selection{}, 2, ""},
		{plan.Selection{Algorithms: []string{"AES-128-GCM"}}, 1, ""},
		{plan.Selection{Modes: []string{"gcm"}}, 1, ""},
		{plan.Selection{Operations: []string{"sign"}}, 1, ""},
		{plan.Selection{Sizes: []int64{at64}}, 1, ""},
		{plan.Selection{Libraries: []string{"GO"}}, 2, ""},
		{plan.Selection{Libraries: []string{"gosh"}}, 0, `unknown library "gosh"; there are: go`},
		{plan.Selection{Algorithms: []string{"Ed25518"}}, 0, `unknown algorithm "Ed25518"; nearest: Ed25519`},
		{plan.Selection{Sizes: []int64{65}}, 0, "no run in the store has such a case"},
		{plan.Selection{Algorithms: []string{"Ed25519"}, Operations: []string{"encrypt"}}, 0, "no run in the store has such a case"},
	} {
		r, err := Costs(t.Context(), theFleet(), prices(t, list), c.sel)
		switch {
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong) || language.Of(err).ZH == err.Error()):
			t.Errorf("%+v: %v, want %q", c.sel, err, c.wrong)
		case c.wrong == "" && err != nil:
			t.Errorf("%+v: %v", c.sel, err)
		case c.wrong == "" && len(r.Cases) != c.cases:
			t.Errorf("%+v: %d cases, want %d", c.sel, len(r.Cases), c.cases)
		}
	}
}

// TestWrongHasNoCost: a wrong output in the last run counts more than the numbers of those before.
func TestWrongHasNoCost(t *testing.T) {
	h := theFleet()
	bad := measured(5, 1, 100, 2)
	bad.Status(0, result.Incorrect, "the signature is not valid")
	h.add(fast, "run5", bad.End())
	r, err := Costs(t.Context(), h, prices(t, list), plan.Selection{Algorithms: []string{"Ed25519"}})
	if err != nil {
		t.Fatal(err)
	}
	rows := r.Cases[0].Rows
	i := slices.IndexFunc(rows, func(row Row) bool { return row.Machine.Key == fast.Key })
	if row := rows[i]; row.Cost != nil || row.CPU != nil || row.Status != result.Incorrect || i != len(rows)-1 {
		t.Errorf("a wrong output stands in place %d with %+v", i, row)
	}
	text := drawn(t, r, render.FormatText, render.Options{Lang: "en"})
	if !strings.Contains(text, "Ed25519, signing by go is wrong on fast.large") {
		t.Errorf("that it is wrong is not said:\n%s", text)
	}
}

// TestLastVersionCounts: what a machine ran before an update has no row, and two versions side by side have two.
func TestLastVersionCounts(t *testing.T) {
	of := func(run string, day int, version string, ns float64, busy string) archive.Cell {
		c := result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "encrypt", Bytes: at64, Parameters: busy}
		return archive.Cell{Run: run, Started: time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC), Machine: fast.Key, Case: c, Status: result.OK,
			Subject: result.Subject{Library: "gmsm", Version: version, CallPath: "go"}, NsPerOp: &document.Estimate{Median: ns, Clock: "cpu"}}
	}
	r := &Report{Machines: []*Machine{{Machine: fast}}}
	r.gather([]archive.Cell{of("old", 1, "v1", 90, "busy=2"), of("new", 2, "v2", 50, ""), of("before", 1, "v2", 70, "busy=2"), of("new", 2, "v3", 40, "")})
	var got []string
	for _, row := range r.Cases[0].Rows {
		got = append(got, fmt.Sprint(row.Subject.Version, " ", row.CPU.Median, " ", row.Busy, " ", r.Cases[0].library(row).Text.EN))
	}
	slices.Sort(got)
	if want := []string{"v2 70 2 gmsm, v2", "v3 40 0 gmsm, v3"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWallClockHasNoCost: waiting is in it; where the CPU time was counted beside it, that counts.
func TestWallClockHasNoCost(t *testing.T) {
	cell := archive.Cell{Status: result.OK, NsPerOp: &document.Estimate{Median: 5, Clock: string(result.WallClock)}}
	if cpu, why := cpuTime(cell); cpu != nil || why.EN != "wall clock only" || why.ZH == "" {
		t.Errorf("%+v %v", cpu, why)
	}
	cell.Metrics = map[string]document.Metric{document.CPUPerCall: {Value: 3}}
	if cpu, _ := cpuTime(cell); cpu == nil || cpu.Median != 3 || cpu.Clock != string(result.ProcessClock) {
		t.Errorf("%+v", cpu)
	}
}

func TestPlans(t *testing.T) {
	w, err := decide.Parse("w.yaml", []byte("name: signing\nrate: 3000/s\nlimits: {utilization: 0.5}\nsteps: [{sign: }, {seal: {bytes: 64}, per: 2}]"), nil)
	if err != nil {
		t.Fatal(err)
	}
	h := theFleet()
	h.add(archive.Machine{Key: "idle"}, "run9", documenttest.NewFixture(8, 1).End()) // has nothing of it, and no price
	r, err := Plans(t.Context(), h, prices(t, list), w)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, l := range r.Plan.Rows {
		order = append(order, l.Machine.Name)
	}
	if want := []string{"cheap.large", "fast.large", "lone.large", bare.Label}; !slices.Equal(order, want) {
		t.Errorf("in the order %v, want %v", order, want)
	}
	l := r.Plan.Rows[0]
	vcpu := 3000 * (45e-6 + 2*225e-9) / 0.5
	for _, c := range []struct {
		name string
		got  *document.Estimate
		want float64
	}{{"vCPU", l.VCPU, vcpu}, {"CPU", l.CPU, vcpu / 3000 * 1e9}, {"an hour", l.Hour, vcpu * 0.04}, {"a million", l.Cost, vcpu / 3000 * 0.04 / 3600 * 1e6}} {
		if c.got == nil || math.Abs(c.got.Median/c.want-1) > 0.01 || c.got.Low == nil {
			t.Errorf("%s: %+v, want %v", c.name, c.got, c.want)
		}
	}
	if !l.Full || r.Plan.Rows[2].Full {
		t.Error("who was full is not known")
	}
	if len(l.Steps) != 2 || l.Steps[0].Picked.EN != "go Ed25519" || l.Steps[1].Picked.EN != "go AES-128-GCM" {
		t.Errorf("%+v", l.Steps)
	}
	if r.machine("idle") != nil {
		t.Error("a machine with nothing is listed")
	}
}

// TestPlansWithoutRate: a plan without a rate has costs all the same, and steps with their own rates have costs by the
// hour alone.
func TestPlansWithoutRate(t *testing.T) {
	for _, c := range []struct {
		text        string
		hour, cost  bool
		said, saidZ string
	}{
		{"steps: [{sign: }]", true, true, "per million", "每百万次"},
		{"steps: [{sign: , rate: 5/s}]", true, false, "per hour", "每小时"},
		{"rate: 1/s\nsteps: [{hash: }]", false, false, "no machine has both", "没有一台机器"},
	} {
		w, err := decide.Parse("w.yaml", []byte(c.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Plans(t.Context(), theFleet(), prices(t, list), w)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Plan.Rows) > 0 {
			if l := r.Plan.Rows[0]; (l.Hour != nil) != c.hour || (l.Cost != nil) != c.cost {
				t.Errorf("%s: %+v", c.text, l)
			}
		}
		if en, zh := drawn(t, r, render.FormatText, render.Options{Lang: "en"}), drawn(t, r, render.FormatText, render.Options{Lang: "zh"}); !strings.Contains(en, c.said) || !strings.Contains(zh, c.saidZ) {
			t.Errorf("%s: neither %q nor %q is said\n%s%s", c.text, c.said, c.saidZ, en, zh)
		}
	}
}

func drawn(t *testing.T, r *Report, f render.Format, o render.Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := r.Write(&out, f, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestChineseTitlesHold: on narrow terminals no title of a column is broken into single characters.
func TestChineseTitlesHold(t *testing.T) {
	r, err := Costs(t.Context(), theFleet(), prices(t, list), plan.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	alone := regexp.MustCompile(`(?m)(^| )的( |$)`)
	for width := 60; width <= 120; width += 5 {
		text := drawn(t, r, render.FormatText, render.Options{Lang: "zh", Width: width})
		if !strings.Contains(text, "繁忙") || alone.MatchString(text) {
			t.Errorf("%d columns:\n%s", width, text)
		}
	}
}

// TestEveryFormat: each says who costs what, that this is no verdict and why, and what has no price, in both languages.
func TestEveryFormat(t *testing.T) {
	r, err := Costs(t.Context(), theFleet(), prices(t, list), plan.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []render.Format{render.FormatText, render.FormatMarkdown, render.FormatHTML} {
		for lang, said := range map[language.Lang][]string{
			"en": {"no verdict that one machine is faster", "not made in turns", "cheap.large", "No price for " + bare.Label, "gone.large", "ran alone", "USD per million"},
			"zh": {"并不判定哪台机器更快", "并非交替进行", "cheap.large", "没有价格", "gone.large", "单独运行", "每百万次费用（USD）"},
		} {
			text := strings.Join(strings.Fields(drawn(t, r, f, render.Options{Lang: lang, Width: 4000})), " ")
			for _, s := range said {
				if !strings.Contains(text, s) {
					t.Errorf("%s, %s: %q is not said:\n%s", f, lang, s, text)
				}
			}
			if strings.Contains(text, "faster than") || strings.Contains(text, "%!") {
				t.Errorf("%s, %s:\n%s", f, lang, text)
			}
		}
	}
}

func TestJSON(t *testing.T) {
	r, err := Costs(t.Context(), theFleet(), prices(t, list), plan.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	var got jsonReport
	if err := json.Unmarshal([]byte(drawn(t, r, render.FormatJSON, render.Options{})), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != "cryptogauge.fleet/1" || len(got.Cases) != 2 || len(got.Machines) != 4 || got.Plan != nil || got.Currency != "USD" || len(got.Answers) == 0 {
		t.Errorf("%+v", got)
	}
	for _, row := range got.Cases[0].Rows {
		if row.CPU == nil || row.CPU.Clock == "" || row.Started == "" || row.Confidence == "" {
			t.Errorf("%+v", row)
		}
	}
}

func TestCSV(t *testing.T) {
	r, err := Costs(t.Context(), theFleet(), prices(t, list), plan.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(drawn(t, r, render.FormatCSV, render.Options{}))).ReadAll()
	if err != nil || len(rows) != 1+8 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if i := slices.Index(rows[0], "cost_per_million"); rows[1][i] == "" || rows[4][i] != "" {
		t.Errorf("costs %q and %q, of which the second has no price", rows[1][i], rows[4][i])
	}
}

// TestScreen: a screen has a few cases, and says how many more there are.
func TestScreen(t *testing.T) {
	r := &Report{Cases: make([]Case, mostCases+3)}
	if l := r.Lay(mostCases); !slices.ContainsFunc(l.Answers, func(a layout.Answer) bool { return strings.HasPrefix(a.Text.EN, "3 more cases are left out") }) {
		t.Errorf("%+v", l.Answers)
	}
	if l := r.Lay(0); slices.ContainsFunc(l.Answers, func(a layout.Answer) bool { return strings.Contains(a.Text.EN, "left out") }) {
		t.Errorf("%+v", l.Answers)
	}
}

// broken is a store that is away.
type broken struct{ held }

var errAway = errors.New("the database is away")

func (*broken) Latest(context.Context, archive.CellQuery) ([]archive.Cell, error) {
	return nil, errAway
}

func TestStoreAway(t *testing.T) {
	h := &broken{*theFleet()}
	if _, err := Costs(t.Context(), h, prices(t, list), plan.Selection{}); !errors.Is(err, errAway) {
		t.Errorf("%v", err)
	}
	w, err := decide.Parse("w.yaml", []byte("steps: [{sign: }]"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Plans(t.Context(), h, prices(t, list), w); !errors.Is(err, errAway) {
		t.Errorf("%v", err)
	}
}
