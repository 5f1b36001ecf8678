package verify

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/statement"
	"github.com/cryptogauge/cryptogauge/result"
)

// within is a statement of a row's time with ends that no decimals could write.
func within(t *testing.T, low, high float64) []statement.Statement {
	all := statements(t, "{row: "+ecb+", time: 1..2ns}")
	all[0].Bounds[0].Range.Low, all[0].Bounds[0].Range.High = low, high
	return all
}

// TestEdges: an interval that ends at the bound is inside it, one that begins there is neither inside
// nor outside, and a bound at the very estimate decides nothing.
func TestEdges(t *testing.T) {
	told := 0
	defer func() {
		if told < 10 {
			t.Errorf("only %d of 20 bounds are shown as the interval's end is", told)
		}
	}()
	for seed := range uint64(20) {
		d := runOf(seed, 15, planted{Case: cipher("ECB", 1024), library: "go", ns: 10_000})
		r := d.Rows[0].NsPerOp
		low, high, up := *r.Low, *r.High, 1+1e-12
		for i, c := range []struct {
			low, high float64
			want      Verdict
		}{
			{low, high, Holds}, {0, high, Holds}, {low, 2 * high, Holds}, {0, high / up, Undecided}, {low * up, high, Undecided},
			{high, 2 * high, Undecided}, {0, low, Undecided}, {high * up, 2 * high, Contradicted}, {0, low / up, Contradicted},
			{0, r.Median, Undecided}, {r.Median, r.Median, Undecided}, {0.99 * low, 1.01 * high, Holds},
		} {
			v, problems := Judge(within(t, c.low, c.high), d, Measured)
			if len(problems) > 0 || v[0].Verdict != c.want {
				t.Errorf("seed %d, %d: %v…%v with %v…%v is %s, want %s", seed, i, low, high, c.low, c.high, v[0].Verdict, c.want)
			}
		}
		tight, _ := Judge(within(t, 0, low/1.00001), d, Measured)
		alike := layout.FormatTime(low) == layout.FormatTime(low/1.00001) // where it is not just then rounded otherwise
		if text := tight[0].Text; alike != strings.Contains(text.EN, " at least)") || alike && !strings.Contains(text.EN, " (by 0.001 % at least)") || alike && !strings.Contains(text.ZH, "（至少相差 0.001%）") {
			t.Errorf("beside what is shown alike: %s", text.EN)
		}
		if alike {
			told++
		}
		v, _ := Judge(within(t, 0, r.Median), d, Measured)
		if v[0].Budget != 0 || v[0].Longer != 0 || !strings.Contains(v[0].Text.EN, "hardly decide") {
			t.Errorf("at the estimate: %s", v[0].Text.EN)
		}
	}
}

// TestUnits: a bound in whatever unit is the same bound, 5 % beside what is true.
func TestUnits(t *testing.T) {
	const ns, bytes = 10_000, 1 << 10
	d := runOf(3, 15, planted{Case: cipher("ECB", bytes), library: "go", ns: ns})
	for unit, factor := range map[string]float64{"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9} {
		v := judgedBy(t, d, fmt.Sprintf("{row: %s, time: ..%.12f%s}", ecb, 1.05*ns/factor, unit), fmt.Sprintf("{row: %s, time: ..%.12f %s}", ecb, 0.95*ns/factor, unit))
		if v[0].Verdict != Holds || v[1].Verdict != Contradicted {
			t.Errorf("%s: %s, %s", unit, v[0].Verdict, v[1].Verdict)
		}
	}
	rates := map[string]float64{"/s": 1 / float64(bytes), "B/s": 1, "kB/s": 1e3, "KB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12, "KiB/s": 1 << 10, "MiB/s": 1 << 20, "GiB/s": 1 << 30}
	for unit, factor := range rates {
		const rate = bytes * 1e9 / ns
		if unit == "/s" {
			factor = bytes
		}
		v := judgedBy(t, d, fmt.Sprintf("{row: %s, rate: %.12f%s..}", ecb, 0.95*rate/factor, unit), fmt.Sprintf("{row: %s, rate: %.12f%s..}", ecb, 1.05*rate/factor, unit))
		if v[0].Verdict != Holds || v[1].Verdict != Contradicted {
			t.Errorf("%s: %s, %s", unit, v[0].Verdict, v[1].Verdict)
		}
	}
}

// scenario is a run of a row that has windows, each with these metrics, and with those that sum up a
// histogram.
func scenario(unchecked bool, metrics ...result.Metric) *document.Document {
	run := runOf(1, 12, planted{Case: result.Case{Algorithm: algorithm.Goroutine, Operation: "start"}, library: "go", ns: 1}).Run
	run.Samples, run.Trials[0].Loop = nil, "scenario"
	for block := range 12 {
		run.Records = append(run.Records, result.Record{Trial: 0, Block: block, Metrics: slices.Clone(metrics),
			Histograms: []result.Histogram{{Name: "latency", Unit: "ns", Buckets: [][2]int64{{1000, 500}, {2000, 500}}}}})
	}
	if unchecked { // and far from the others
		run.Records[0].Metrics[0].Value *= 1000
		run.Closed = run.Closed[1:]
	}
	return document.Build(run)
}

// TestMetrics: zero is a number, a share is of what has no unit, and what sums up a histogram is judged
// by its windows.
func TestMetrics(t *testing.T) {
	d := scenario(false, result.Metric{Name: "errors", Value: 0, Unit: "1"}, result.Metric{Name: "share", Value: 0.05, Unit: "1"},
		result.Metric{Name: "memory_each_bytes", Value: 2048, Unit: "B"}, result.Metric{Name: "latency_p99_ns", Value: 2000, Unit: "ns"})
	for body, want := range map[string]string{
		"errors: ..0":                   "holds: errors is ",
		"errors: 0..0":                  "holds",
		"errors: ..5%":                  "holds",
		"errors: 1%..":                  "contradicted",
		"errors: 1..":                   "contradicted",
		"share: 5..5%":                  "holds",
		"share: 4%..6%":                 "holds",
		"share: ..4%":                   "contradicted",
		"memory_each_bytes: 2KiB..2KiB": "holds",
		"memory_each_bytes: ..2kB":      "contradicted",
		"memory_each_bytes: ..3000":     "holds",
		"memory_each_bytes: ..50%":      "not measurable here: is counted in B, not in %",
		"memory_each_bytes: ..5us":      "not measurable here: is counted in B, not in ns",
		"errors: ..5us":                 "not measurable here: a number without a unit",
		"latency_p99_ns: ..3us":         "holds",
		"latency_p99_ns: ..1us":         "contradicted",
		"latency_p98_ns: ..1us":         "not measurable here: it has errors, latency_p99_ns",
	} {
		verdict, says, _ := strings.Cut(want, ": ")
		v := judgedBy(t, d, "{row: {algorithm: goroutine}, metrics: {"+body+"}}")[0]
		if string(v.Verdict) != verdict || !strings.Contains(v.Text.EN, says) || v.Text.ZH == "" || strings.Contains(v.Text.EN, "NaN") {
			t.Errorf("%s: %s: %s, want %s", body, v.Verdict, v.Text.EN, want)
		}
	}
	for _, body := range []string{"time: ..1s", "rate: 1/s..", "rate: 1MB/s.."} {
		if v := judgedBy(t, d, "{row: {algorithm: goroutine}, "+body+"}")[0]; v.Verdict != NotMeasurable || !strings.Contains(v.Text.EN, "this row has no ") {
			t.Errorf("%s: %s: %s", body, v.Verdict, v.Text.EN)
		}
	}
	// A window that was not checked in the end is nobody's.
	d = scenario(true, result.Metric{Name: "latency_p99_ns", Value: 2000, Unit: "ns"})
	if v := judgedBy(t, d, "{row: {algorithm: goroutine}, metrics: {latency_p99_ns: ..2us}}")[0]; v.Verdict != Holds {
		t.Errorf("%s: %s", v.Verdict, v.Text.EN)
	}
}

// TestNoNumber: of a row that is wrong, refused or dead nothing is said, whatever is stated.
func TestNoNumber(t *testing.T) {
	good := planted{Case: cipher("ECB", 1024), library: "go", ns: 10_000}
	for _, status := range []result.Status{result.Incorrect, result.Unsupported, result.Crashed, result.Unstable} {
		d := runOf(1, 15, good, planted{Case: cipher("CBC", 1024), library: "go", ns: 9_000, status: status})
		for _, body := range []string{"{row: " + cbc + ", time: ..1s}", "{row: " + cbc + ", time: ..1ns}", "{row: " + cbc + ", rate: 1/s..}", "{faster: " + ecb + ", than: " + cbc + "}",
			"{faster: " + cbc + ", than: " + ecb + "}", "{same: " + cbc + ", as: " + ecb + ", by: 0.001..1000}", "{row: " + cbc + ", metrics: {x: ..1}}",
			"{row: " + cbc + ", at: 1000/s, latency_p99: ..1s}"} {
			v := judgedBy(t, d, body)[0]
			want := NotMeasurable
			if status == result.Unstable && !strings.Contains(body, "at:") {
				want = Undecided
			}
			if v.Verdict != want || v.Text.EN == "" || len(v.Found) > 0 {
				t.Errorf("%s, %s: %s: %s", status, body, v.Verdict, v.Text.EN)
			}
		}
	}
}

// TestWithheld: rows of code that was wrong elsewhere are not ok, though their own output was right.
func TestWithheld(t *testing.T) {
	d := runOf(1, 15, planted{Case: cipher("GCM", 1024), library: "tjfoc", ns: 10_000}, planted{Case: cipher("GCM", 64), library: "tjfoc", status: result.Incorrect})
	if !d.Rows[0].Withheld {
		t.Fatalf("%+v", d.Rows[0])
	}
	v := judgedBy(t, d, "{rows: {library: tjfoc, bytes: 1KiB}, status: ok}", "{rows: {library: tjfoc}, status: incorrect}", "{row: {library: tjfoc, bytes: 1KiB}, time: ..1s}")
	for i, want := range []Verdict{Contradicted, Holds, NotMeasurable} {
		if v[i].Verdict != want || v[i].Text.EN == "" {
			t.Errorf("%d: %s: %s", i, v[i].Verdict, v[i].Text.EN)
		}
	}
	if !strings.HasPrefix(v[0].Text.EN, "1 of 1 rows of tjfoc 1KiB are not ok: tjfoc SM4-GCM encrypt 1 KiB is withheld: ") {
		t.Error(v[0].Text.EN)
	}
}

// TestItself: a row is no ratio to itself, in a run that there is as in one that is made.
func TestItself(t *testing.T) {
	d := runOf(1, 15, planted{Case: cipher("ECB", 1024), library: "go", ns: 10_000})
	for _, body := range []string{"{same: " + ecb + ", as: {mode: ECB}}", "{faster: " + ecb + ", than: " + ecb + ", by: 0.5..2}"} {
		if _, problems := Judge(statements(t, body), d, Reused); len(problems) != 1 || !strings.Contains(problems[0].Error(), "both sides name the same row") {
			t.Errorf("%s: %v", body, problems)
		}
	}
}

// TestBelow: a bound that the row itself goes below argues nothing, and one of what holds neither.
func TestBelow(t *testing.T) {
	rsa := result.Case{Algorithm: algorithm.RSA2048, Mode: algorithm.PKCS1v15, Operation: algorithm.Encrypt}
	fast := runOf(1, 15, planted{Case: rsa, library: "go", ns: 100})
	v := judgedBy(t, fast, "{row: {algorithm: RSA-2048}, time: ..50ns}", "{row: {algorithm: RSA-2048}, time: 200ns..1us}")
	for i := range v {
		if v[i].Verdict != Contradicted || v[i].Bound.EN != "" {
			t.Errorf("%d: %s: %s", i, v[i].Verdict, v[i].Bound.EN)
		}
	}
}

// TestMisnamed: what names nothing on any machine says so before anything is asked; a kernel that may
// run elsewhere does not.
func TestMisnamed(t *testing.T) {
	const row = "{row: {library: go, algorithm: AES-128, mode: GCM, operation: encrypt, bytes: 1KiB, "
	for part, says := range map[string]string{
		"implementation: aesin":           `implementation "aesin" names nothing; nearest: aesni`,
		"implementation: aes-ni":          `nearest: aesni`,
		"implementation: aesni+pclmulqqd": `nearest: aesni+pclmulqdq`,
		"implementation: fastest":         `implementation "fastest" names nothing; there are: sse, ssse3`,
		"call_path: cgoo":                 `call_path "cgoo" names nothing; nearest: cgo`,
		"call_path: jni":                  `call_path "jni" names nothing; there are: go, cgo, purego, c-loop`,
	} {
		_, err := New(statements(t, row+part+"}, time: ..1s}"), nil, question.All(), 7)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "f.yaml:2:") {
			t.Errorf("%s: %v, want %q", part, err, says)
		}
	}
	for _, part := range []string{"implementation: vaes+vpclmulqdq", "implementation: 'aesni, sha256 sha-ni'", "implementation: AESNI", "implementation: avx2 8 lanes",
		"implementation: 'x25519 assembly, ml-kem generic'", "implementation: 'adx+bmi2 / aesni+pclmulqdq'"} {
		if _, err := New(statements(t, row+part+"}, time: ..1s}"), nil, question.All(), 7); err != nil {
			t.Errorf("%s: %v", part, err)
		}
	}
	if _, err := New(statements(t, "{row: {library: ours, algorithm: AES-128, implementation: mine}, time: ..1s}"), nil, question.All(), 7); err != nil {
		t.Error("a library that is not the laboratory's:", err)
	}
	d := runOf(1, 15, planted{Case: cipher("ECB", 1024), library: "go", ns: 10_000})
	d.Rows[0].Implementation = "aesni"
	if v := judgedBy(t, d, "{row: {mode: ECB, implementation: vaes}, time: ..1s}")[0]; v.Verdict != NotMeasurable || v.Text.EN != "vaes does not run here; this machine runs aesni" {
		t.Errorf("%s: %s", v.Verdict, v.Text.EN)
	}
	_, problems := Judge(statements(t, "{row: {library: gosm, mode: ECB}, time: ..1s}", "{rows: {library: opensl}, status: ok}", "{row: {library: botan}, time: ..1s}"), d, Reused)
	if len(problems) != 2 || !strings.Contains(problems[0].Error(), `library "gosm" names nothing; nearest: gmsm`) || !strings.Contains(problems[1].Error(), "nearest: openssl") {
		t.Error(problems)
	}
}

// TestOneCPU: the statements that ship name their rows on a machine of one CPU too, and of many.
func TestOneCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, cpus := range []int{1, 3, 64} {
		runtime.GOMAXPROCS(cpus)
		for _, s := range shipped(t) {
			if _, problems := groupsOf(t, []statement.Statement{s}); len(problems) > 0 {
				t.Errorf("%d CPUs: %v", cpus, problems)
			}
		}
	}
}

// TestWindowsByTime: what has a number of blocks of its own has more of them where there is time for more.
func TestWindowsByTime(t *testing.T) {
	all := statements(t, "{row: {library: go, algorithm: AES-128, mode: GCM, operation: encrypt, bytes: 1KiB}, at: 2000/s, latency_p99: ..1ms}")
	for times, want := range map[int]int{1: arrivalBlocks, 4: 4 * arrivalBlocks} {
		p, err := New(all, nil, question.All(), 7)
		if err != nil {
			t.Fatal(err)
		}
		p.Blocks *= times
		o := offers()
		var got []int
		for _, e := range p.Experiments() {
			for _, g := range e.Plan(plan.Selection{}, o) {
				for _, trial := range g.Trials {
					got = append(got, trial.Blocks)
				}
			}
		}
		if !slices.Equal(got, []int{want}) {
			t.Errorf("%d times as long: blocks %v, want %d", times, got, want)
		}
	}
}
