package verify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/statement"
	"github.com/cryptogauge/cryptogauge/result"
)

// planted are trials and how long a call of each truly takes, in ns.
type planted struct {
	result.Case
	library string
	ns      float64
	status  result.Status
}

// runOf is a run of them as measure writes it, with noise as on a shared machine: 0.5 % between
// blocks and 1 % between rounds.
func runOf(seed uint64, blocks int, trials ...planted) *document.Document {
	rng := rand.New(rand.NewPCG(seed, 7))
	run := &result.Run{Header: result.Header{Schema: result.SchemaRun, Seed: seed, Machine: result.Machine{Arch: "amd64", CPU: result.CPU{Model: "CPU", Online: 2}}},
		End: &result.End{Seconds: 10, Strain: result.Strain{CPUSeconds: 20}}}
	group := result.Group{Experiment: experiment}
	for i, p := range trials {
		run.Trials = append(run.Trials, result.TrialInfo{Index: i, Experiment: experiment, Loop: "aead",
			Trial: result.Trial{Case: p.Case, Subject: result.Subject{Library: p.library, Version: "v1", CallPath: "go"}}})
		group.Trials = append(group.Trials, i)
		if p.status != "" {
			run.Statuses = append(run.Statuses, result.StatusChange{Trial: i, Status: p.status, Reason: "wrong tag"})
		}
	}
	run.Groups = []result.Group{group}
	for block := range blocks {
		for i, p := range trials {
			if p.status != "" {
				continue
			}
			run.Opened = append(run.Opened, result.Opened{Trial: i, Block: block, Calls: 1000})
			ns := p.ns * (1 + 0.005*rng.NormFloat64())
			for round := range 5 {
				t := int64(1000 * ns * (1 + 0.01*rng.NormFloat64()))
				run.Samples = append(run.Samples, result.Sample{Trial: int32(i), Block: int32(block), Round: int32(round), Calls: 1000,
					Thread: t, Process: t, Wall: t, Cycles: -1, SpinBefore: 10_000, SpinAfter: 10_000})
			}
			run.Closed = append(run.Closed, result.Closed{Trial: i, Block: block})
		}
	}
	return document.Build(run)
}

func cipher(mode string, bytes int64) result.Case {
	return result.Case{Algorithm: algorithm.SM4, Mode: mode, Operation: algorithm.Encrypt, Bytes: bytes}
}

// statements reads some in flow style.
func statements(t *testing.T, bodies ...string) []statement.Statement {
	t.Helper()
	f, err := statement.Read("f.yaml", []byte("statements:\n  - "+strings.Join(bodies, "\n  - ")+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return f.Statements
}

func judgedBy(t *testing.T, d *document.Document, bodies ...string) []Judged {
	t.Helper()
	all, problems := Judge(statements(t, bodies...), d, Measured)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return all
}

const ecb, cbc = "{library: go, algorithm: SM4, mode: ECB, bytes: 1KiB}", "{library: go, algorithm: SM4, mode: CBC, bytes: 1KiB}"

// TestTrueAndFalse: over 50 seeds a true statement with 5 % of room is never contradicted, and a
// false one by 5 % never holds; nearly all are decided.
func TestTrueAndFalse(t *testing.T) {
	const ns, faster = 10_000, 1.15
	row := func(key string, low, high float64, unit string) string {
		return fmt.Sprintf("{row: %s, %s: %.6f%s..%.6f%s}", ecb, key, low, unit, high, unit)
	}
	ratio := func(key, a, b string, low, high float64) string {
		return fmt.Sprintf("{%s: %s, than: %s, by: %.6f..%.6f}", key, a, b, low, high)
	}
	rate := 1024 / float64(ns) * 1e3 // MB/s
	truths := []string{row("time", 0.95*ns, 1.05*ns, "ns"), row("time", 1, 1.05*ns, "ns"), row("rate", 0.95*rate, 1.05*rate, "MB/s"),
		row("rate", 0.95e9/ns, 1.05e9/ns, "/s"), ratio("faster", ecb, cbc, 0.95*faster, 1.05*faster), ratio("slower", cbc, ecb, 0.95*faster, 1.05*faster),
		fmt.Sprintf("{faster: %s, than: %s}", ecb, cbc), fmt.Sprintf("{slower: %s, than: %s}", cbc, ecb), fmt.Sprintf("{same: %s, as: %s, by: 1.1..1.2}", ecb, cbc)}
	lies := []string{row("time", 1, 0.95*ns, "ns"), row("time", 1.05*ns, 2*ns, "ns"), row("rate", 1.05*rate, 2*rate, "MB/s"), row("rate", 1, 0.95e9/ns, "/s"),
		ratio("faster", ecb, cbc, 1.05*faster, 2), ratio("slower", cbc, ecb, 1, 0.95*faster), fmt.Sprintf("{faster: %s, than: %s}", cbc, ecb),
		fmt.Sprintf("{slower: %s, than: %s}", ecb, cbc), fmt.Sprintf("{same: %s, as: %s}", ecb, cbc)}
	undecided := 0
	for seed := range uint64(50) {
		d := runOf(seed, 15, planted{Case: cipher("ECB", 1024), library: "go", ns: ns}, planted{Case: cipher("CBC", 1024), library: "go", ns: faster * ns})
		for i, v := range judgedBy(t, d, append(slices.Clone(truths), lies...)...) {
			switch truth := i < len(truths); {
			case truth && v.Verdict == Contradicted, !truth && v.Verdict == Holds, v.Verdict == Impossible, v.Verdict == NotMeasurable:
				t.Errorf("seed %d, statement %d: %s: %s", seed, i, v.Verdict, v.Text.EN)
			case v.Verdict == Undecided:
				undecided++
			}
		}
	}
	if most := 50 * (len(truths) + len(lies)) / 20; undecided > most {
		t.Errorf("%d are undecided, more than %d", undecided, most)
	}
}

// TestUndecided: an interval that reaches over the bound decides nothing, and says how much more
// would; at the bound itself nothing would.
func TestUndecided(t *testing.T) {
	d := runOf(1, 15, planted{Case: cipher("ECB", 1024), library: "go", ns: 10_000})
	r := d.Rows[0].NsPerOp
	near := func(share float64) string {
		return fmt.Sprintf("{row: %s, time: ..%.3fns}", ecb, r.Median+share*(*r.High-r.Median))
	}
	v := judgedBy(t, d, near(0.9), near(0), near(1.1), near(-3))
	for i, want := range []Verdict{Undecided, Undecided, Holds, Contradicted} {
		if v[i].Verdict != want {
			t.Errorf("%d: %s, want %s: %s", i, v[i].Verdict, want, v[i].Text.EN)
		}
	}
	if v[0].Longer <= 0 || v[0].Longer > 60 || !strings.Contains(v[0].Text.EN, ". This run took 10 s of the 60 s that it was given; a run with --budget "+rounded(v[0].Budget)+" takes about ") {
		t.Errorf("%v s more: %s", v[0].Longer, v[0].Text.EN)
	}
	// What is named is worth the blocks that it takes, and is given the time.
	if times := (v[0].Took + v[0].Longer) / v[0].Took; float64(Blocks(v[0].Budget)) < 15*times-1 || v[0].Budget.Seconds() < v[0].Took+v[0].Longer {
		t.Errorf("%v for %v times as many blocks: %d", v[0].Budget, times, Blocks(v[0].Budget))
	}
	again, _ := Judge(statements(t, near(0.9)), d, Reused)
	if again[0].Longer != 0 || !strings.Contains(again[0].Text.EN, "Without --run and with --budget "+rounded(v[0].Budget)+" ") {
		t.Errorf("%v s more: %s", again[0].Longer, again[0].Text.EN)
	}
	long := runOf(1, 15, planted{Case: cipher("ECB", 1024), library: "go", ns: 10_000})
	long.Run.Header.Command = []string{"verify", "f.yaml", "--budget", "9m"}
	if v := judgedBy(t, long, near(0.9)); !strings.Contains(v[0].Text.EN, "took 10 s of the 9 min that it was given") {
		t.Error(v[0].Text.EN)
	}
	if v[1].Longer != 0 || !strings.Contains(v[1].Text.EN, "hardly decide") {
		t.Errorf("%v s more: %s", v[1].Longer, v[1].Text.EN)
	}
	low := judgedBy(t, runOf(1, 6, planted{Case: cipher("ECB", 1024), library: "go", ns: 10_000}), near(20))
	if low[0].Verdict != Holds || !strings.Contains(low[0].Text.EN, " at 96.8 % confidence)") {
		t.Errorf("six blocks: %s: %s", low[0].Verdict, low[0].Text.EN)
	}
	few := judgedBy(t, runOf(1, 3, planted{Case: cipher("ECB", 1024), library: "go", ns: 10_000}), near(2))
	if few[0].Verdict != Undecided {
		t.Errorf("three blocks: %s", few[0].Verdict)
	}
}

func TestBudgets(t *testing.T) {
	if Blocks(0) != Form.Blocks || Blocks(Usual) != Form.Blocks || Blocks(4*Usual) != 4*Form.Blocks || Blocks(1e6*Usual) != 1000 {
		t.Error(Blocks(0), Blocks(Usual), Blocks(4*Usual), Blocks(1e6*Usual))
	}
}

// TestImpossible: with the argument, and only where what was measured is otherwise.
func TestImpossible(t *testing.T) {
	rsa := result.Case{Algorithm: algorithm.RSA2048, Mode: algorithm.PKCS1v15, Operation: algorithm.Encrypt}
	signing := result.Case{Algorithm: algorithm.RSA2048, Mode: algorithm.PSS, Operation: algorithm.Sign}
	chained := result.Case{Algorithm: algorithm.AES128, Mode: algorithm.CBC, Operation: algorithm.Encrypt, Bytes: 1 << 20}
	d := runOf(1, 15, planted{Case: rsa, library: "go", ns: 25_000}, planted{Case: signing, library: "go", ns: 1e6}, planted{Case: chained, library: "go", ns: 800_000})
	of := func(algorithm, operation string) string {
		return fmt.Sprintf("row: {algorithm: %s, operation: %s}", algorithm, operation)
	}
	v := judgedBy(t, d, "{"+of("RSA-2048", "encrypt")+", time: 1.1..1.2us}", "{"+of("RSA-2048", "encrypt")+", time: ..20us}", "{"+of("RSA-2048", "encrypt")+", time: 30us..}",
		"{"+of("RSA-2048", "sign")+", rate: 100000/s..}", "{"+of("AES-128", "encrypt")+", rate: 20GB/s..}", "{"+of("AES-128", "encrypt")+", rate: 900GB/s..}",
		"{"+of("AES-128", "encrypt")+", rate: 1.5GB/s..}")
	for i, want := range []Verdict{Impossible, Contradicted, Contradicted, Impossible, Impossible, Impossible, Contradicted} {
		if v[i].Verdict != want || (want == Impossible) != (v[i].Bound.EN != "" && v[i].Bound.ZH != "") {
			t.Errorf("%d: %s, want %s: %s %s", i, v[i].Verdict, want, v[i].Text.EN, v[i].Bound.EN)
		}
	}
	if !strings.Contains(v[0].Bound.EN, "16 squarings and a multiplication") || !strings.Contains(v[4].Bound.EN, "each block waits") {
		t.Errorf("%s\n%s", v[0].Bound.EN, v[4].Bound.EN)
	}
}

// TestProducts counts the products of RSA operations by hand, and what a core completes of them by
// what it has: a claim that is impossible on one may well be true on another.
func TestProducts(t *testing.T) {
	d := runOf(1, 15, planted{Case: result.Case{Algorithm: algorithm.RSA2048, Mode: algorithm.OAEP, Operation: algorithm.Encrypt}, library: "go", ns: 25_000},
		planted{Case: result.Case{Algorithm: algorithm.RSA1024, Mode: algorithm.OAEP, Operation: algorithm.Encrypt}, library: "go", ns: 25_000},
		planted{Case: result.Case{Algorithm: algorithm.RSA2048, Mode: algorithm.PSS, Operation: algorithm.Sign}, library: "go", ns: 1e6})
	j := judge{doc: d}
	hertz, how := j.clocked()
	if math.Abs(hertz-spinCycles*1e5) > 1 || !strings.Contains(how.EN, "this run showed") {
		t.Errorf("a spin of 10 µs is a clock of %v, %s", hertz, how.EN)
	}
	if spinCycles != clock.SpinSteps {
		t.Errorf("a spin has %d steps, not %d", clock.SpinSteps, spinCycles)
	}
	products := []float64{
		16*(3*136+3*256) + 2*3*256, // 32 words: squares and products of 16, three for each
		16*(136+256) + 2*256,       // 16 words: each by each
		2048 * (136 + 256),
	}
	for _, machine := range []struct {
		arch, vendor string
		features     []string
		each         float64
	}{{"amd64", "AuthenticAMD", []string{"avx2"}, 3}, {"amd64", "GenuineIntel", []string{"avx2"}, 4}, {"amd64", "AuthenticAMD", []string{"avx2", "avx512f", "avx512ifma"}, 7},
		{"arm64", "ARM", []string{"neon"}, 4}, {"arm64", "ARM", []string{"neon", "sve2"}, 7}} {
		m := &d.Machine
		m.Arch, m.CPU.Vendor, m.CPU.Features = machine.arch, machine.vendor, machine.features
		for i, want := range products {
			l, ok := j.multiplications(d.Rows[i])
			if want = want / machine.each / hertz * 1e9; !ok || math.Abs(l.ns-want) > 1e-6 || !strings.Contains(l.why.EN, layout.FormatCount(machine.each)+" a cycle") {
				t.Errorf("%v: %s: %v ns, want %v", machine, d.Rows[i].ID, l.ns, want)
			}
		}
	}
	d.Machine.CPU.MaxHertz = 5e9
	if hertz, how := j.clocked(); hertz != 5e9 || !strings.Contains(how.EN, "states") {
		t.Errorf("%v, %s", hertz, how.EN)
	}
	few := judge{doc: runOf(1, 3, planted{Case: cipher("ECB", 1024), library: "go", ns: 10_000})}
	if hertz, _ := few.clocked(); hertz != mostHertz {
		t.Errorf("a clock that is not known is %v", hertz)
	}
}

// TestUnargued: where several goroutines, calls or messages share a row's time, and on processors
// of which nothing is known, no claim is impossible.
func TestUnargued(t *testing.T) {
	chained := result.Case{Algorithm: algorithm.AES128, Mode: algorithm.CBC, Operation: algorithm.Encrypt, Bytes: 1 << 20, Parameters: "goroutines=64,holding=own"}
	alone := chained
	alone.Parameters = ""
	d := runOf(1, 15, planted{Case: chained, library: "go", ns: 800_000}, planted{Case: alone, library: "tjfoc", ns: 800_000})
	d.Machine.Arch = "riscv64"
	for i, v := range judgedBy(t, d, "{row: {library: go}, rate: 900GB/s..}", "{row: {library: tjfoc}, rate: 20GB/s..}") {
		if v.Verdict != Contradicted {
			t.Errorf("%d: %s: %s", i, v.Verdict, v.Bound.EN)
		}
	}
}

func TestStatuses(t *testing.T) {
	gcm := cipher("GCM", 1024)
	d := runOf(1, 15, planted{Case: cipher("ECB", 1024), library: "gmsm", ns: 10_000}, planted{Case: gcm, library: "gmsm", ns: 10_000},
		planted{Case: gcm, library: "tjfoc", status: result.Incorrect}, planted{Case: gcm, library: "xcrypto", status: result.Unsupported})
	v := judgedBy(t, d, "{rows: {library: gmsm}, status: ok}", "{rows: {algorithm: SM4}, status: ok}", "{rows: {library: tjfoc}, status: incorrect}",
		"{rows: {library: xcrypto}, status: ok}", "{rows: {library: xcrypto}, status: unsupported}", "{rows: {library: botan}, status: ok}",
		"{row: {library: tjfoc}, time: ..1s}", "{row: {library: xcrypto}, time: ..1s}", "{row: {library: gmsm, mode: GCM}, at: 1000/s, latency_p99: ..1s}",
		"{row: {library: gmsm, mode: GCM}, metrics: {latency: ..1s}}")
	for i, want := range []Verdict{Holds, Contradicted, Holds, NotMeasurable, Holds, NotMeasurable, NotMeasurable, NotMeasurable, NotMeasurable, NotMeasurable} {
		if v[i].Verdict != want || v[i].Text.EN == "" || v[i].Text.ZH == "" {
			t.Errorf("%d: %s, want %s: %+v", i, v[i].Verdict, want, v[i].Text)
		}
	}
	some := runOf(1, 15, planted{Case: gcm, library: "gmsm", ns: 10_000}, planted{Case: gcm, library: "xcrypto", status: result.Unsupported})
	if got := judgedBy(t, some, "{rows: {mode: GCM}, status: ok}")[0]; got.Verdict != Holds || got.Text.EN != "the one row of GCM is ok; not supported here: 1 more" {
		t.Errorf("%s: %s", got.Verdict, got.Text.EN)
	}
	for i, want := range map[int]string{0: "all 2 rows of gmsm are ok",
		1: "1 of 3 rows of SM4 are not ok: tjfoc SM4-GCM encrypt 1 KiB is incorrect: wrong tag", 4: "the one row of xcrypto is unsupported"} {
		if v[i].Text.EN != want {
			t.Errorf("%q, want %q", v[i].Text.EN, want)
		}
	}
	if want := "SM4 的 3 行中有 1 行不是“正常”：tjfoc SM4-GCM encrypt 1 KiB 为“结果错误”："; !strings.HasPrefix(v[1].Text.ZH, want) {
		t.Errorf("%q, want %q", v[1].Text.ZH, want)
	}
}

// TestLatency: the interval is that of the windows, and a rate without one has a reason.
func TestLatency(t *testing.T) {
	gcm := result.Case{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Encrypt, Bytes: 1024}
	run := runOf(1, 15, planted{Case: atRate(gcm, 2000), library: "go", ns: 1}).Run
	run.Samples, run.Trials[0].Loop = nil, "scenario"
	for block := range 12 {
		run.Records = append(run.Records, result.Record{Trial: 0, Block: block,
			Metrics: []result.Metric{{Name: "latency_p99_ns", Value: 1e6 + 1e4*float64(block), Unit: "ns"}, {Name: "behind", Value: 0, Unit: "1"}}})
	}
	d := document.Build(run)
	of := func(at, bound string) string {
		return "{row: {library: go, algorithm: AES-128, mode: GCM, operation: encrypt}, at: " + at + ", latency_p99: " + bound + "}"
	}
	v := judgedBy(t, d, of("2000/s", "..2ms"), of("2000/s", "..500us"), of("2000/s", "..1.05ms"), of("3000/s", "..2ms"), of("10/s", "..2ms"))
	for i, want := range []Verdict{Holds, Contradicted, Undecided, NotMeasurable, NotMeasurable} {
		if v[i].Verdict != want || v[i].Text.EN == "" || v[i].Text.ZH == "" {
			t.Errorf("%d: %s, want %s: %s", i, v[i].Verdict, want, v[i].Text.EN)
		}
	}
	if !strings.HasPrefix(v[0].Text.EN, "at 2000 arrivals a second the p99 is 1.05 ms (1.01–1.10 ms)") && !strings.Contains(v[0].Text.EN, "1.05 ms (") {
		t.Error(v[0].Text.EN)
	}
}

// TestLateWindows: where the generator lost its schedule in most windows, those that are left say nothing.
func TestLateWindows(t *testing.T) {
	gcm := result.Case{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Encrypt, Bytes: 1024}
	for kept, want := range map[int]string{12: "holds: the p99 is", 6: "holds: the p99 is", 5: "undecided: its schedule in 5 of 12 windows",
		1: "undecided: its schedule in 1 of 12 windows", 0: "undecided: its schedule in 0 of 12 windows"} {
		run := runOf(1, 12, planted{Case: atRate(gcm, 2000), library: "go", ns: 1}).Run
		run.Samples, run.Trials[0].Loop = nil, "scenario"
		for block := range 12 {
			r := result.Record{Trial: 0, Block: block, Metrics: []result.Metric{{Name: "rate", Value: 2000, Unit: "1/s"}}}
			if block < kept {
				r.Metrics = append(r.Metrics, result.Metric{Name: latencyMetric, Value: 1e6 + 1e4*float64(block), Unit: "ns"})
			}
			run.Records = append(run.Records, r)
		}
		v := judgedBy(t, document.Build(run), "{row: {library: go, algorithm: AES-128, mode: GCM, operation: encrypt}, at: 2000/s, latency_p99: ..2ms}")[0]
		if verdict, says, _ := strings.Cut(want, ": "); string(v.Verdict) != verdict || !strings.Contains(v.Text.EN, says) || v.Text.ZH == "" {
			t.Errorf("%d kept: %s: %s", kept, v.Verdict, v.Text.EN)
		}
	}
}

// TestAgain: a run that is used again has rows in several experiments, and lacks some.
func TestAgain(t *testing.T) {
	d := runOf(1, 15, planted{Case: cipher("ECB", 1024), library: "go", ns: 10_000}, planted{Case: cipher("ECB", 1024), library: "tjfoc", ns: 10_000})
	all, problems := Judge(statements(t, "{row: {mode: ECB}, time: ..1s}", "{row: {library: gmsm}, time: ..1s}"), d, Reused)
	if len(problems) != 1 || !strings.Contains(problems[0].Error(), "f.yaml:2:") || !strings.Contains(problems[0].Error(), "library: go, tjfoc") {
		t.Error(problems)
	}
	unsure, _ := Judge(statements(t, "{row: {mode: ECB, library: go}, time: ..10us}"), runOf(1, 3, planted{Case: cipher("ECB", 1024), library: "go", ns: 10_000}), Reused)
	if unsure[0].Verdict != Undecided || !strings.Contains(unsure[0].Text.EN, "Without --run") {
		t.Error(unsure[0].Text.EN)
	}
	if all[1].Verdict != NotMeasurable || !strings.Contains(all[1].Text.EN, "without --run") {
		t.Error(all[1].Text.EN)
	}
}

// TestUntold: a row that was opened in one group and not in another, for want of time, is one row.
func TestUntold(t *testing.T) {
	d := runOf(1, 15, planted{Case: cipher("ECB", 1024), library: "go", ns: 10_000}, planted{Case: cipher("ECB", 1024), library: "go", status: result.Unstable})
	d.Rows[0].Implementation = "aesni"
	if v := judgedBy(t, d, "{row: {mode: ECB}, time: ..1s}"); v[0].Verdict != Holds {
		t.Errorf("%s: %s", v[0].Verdict, v[0].Text.EN)
	}
	d.Rows[1].Implementation = "generic"
	if _, problems := Judge(statements(t, "{row: {mode: ECB}, time: ..1s}"), d, Measured); len(problems) != 1 {
		t.Error(problems)
	}
}
