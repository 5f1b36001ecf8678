package concurrency

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// crowd builds documents of the experiment concurrency by hand.
type crowd struct{ answertest.Sheet }

func newCrowd(cpus int) *crowd {
	c := &crowd{}
	c.Doc.Machine.CPU.Allowed = cpus
	return c
}

// parallel adds a row of goroutines and returns its ID.
func (s *crowd) parallel(library, algorithm string, goroutines int, holding string, rate, mutexes float64) string {
	each := rate / float64(min(goroutines, 2))
	r := &document.Row{Experiment: "concurrency", Algorithm: algorithm, Mode: "GCM", Operation: "encrypt", Bytes: 1024,
		Parameters: fmt.Sprintf("goroutines=%d,holding=%s,request=128", goroutines, holding), Library: library, Version: "v1",
		Status: result.OK, Loop: "parallel", BytesPerSecond: &rate, BusyBytesPerSecondPC: &each, NsPerOp: &document.Estimate{Median: 1024 / rate * 1e9, Clock: "wall"},
		Metrics: map[string]document.Metric{"mutex_wait": {Value: mutexes, Unit: "s/s"}, "latency_p50_ns": {Value: 2e5, Unit: "ns"}, "latency_p99_ns": {Value: 4e5, Unit: "ns"}}}
	r.ID = fmt.Sprintf("concurrency/%s/%s/%s", library, algorithm, r.Parameters)
	s.Doc.Rows = append(s.Doc.Rows, r)
	return r.ID
}

// arrival adds a row of a constant rate.
func (s *crowd) arrival(library, algorithm, parameters string, p50, p99, late float64) *document.Row {
	r := &document.Row{Experiment: "concurrency", Algorithm: algorithm, Mode: "GCM", Operation: "arrival", Bytes: 1024, Parameters: parameters,
		Library: library, Version: "v1", Status: result.OK, Loop: "scenario",
		Metrics: map[string]document.Metric{"latency_p50_ns": {Value: p50, Unit: "ns"}, "latency_p99_ns": {Value: p99, Unit: "ns"},
			"schedule_error_p99_ns": {Value: late, Unit: "ns"}, "rate_asked": {Value: 4000, Unit: "1/s"}, "rate_served": {Value: 3900, Unit: "1/s"}}}
	if library == "harness" {
		r.Bytes, r.Mode = 0, ""
	}
	r.ID = fmt.Sprintf("concurrency/%s/%s/%s", library, algorithm, parameters)
	s.Doc.Rows = append(s.Doc.Rows, r)
	s.Doc.Distributions = append(s.Doc.Distributions,
		document.Distribution{RowID: r.ID, Name: "latency", Unit: "ns", P50: p50, P99: &p99, Count: 1000, Mean: 2 * p50},
		document.Distribution{RowID: r.ID, Name: "schedule_error", Unit: "ns", P50: late / 2, P99: &late, Count: 1000})
	return s.Doc.Rows[len(s.Doc.Rows)-1]
}

// healthy is what two CPUs and libraries without a lock show.
func healthy() *crowd {
	s := newCrowd(2)
	for _, x := range [][2]string{{"go", "AES-256"}, {"gmsm", "SM4"}} {
		one := s.parallel(x[0], x[1], 1, "shared", 1e9, 0)
		two := s.parallel(x[0], x[1], 2, "shared", 1.97e9, 0.001)
		many := s.parallel(x[0], x[1], 64, "shared", 1.96e9, 0.002)
		s.Compare(one, two, 1.97, 1.93, 1.99, "faster")
		s.Compare(two, many, 0.995, 0.97, 1.02, "inconclusive")
		four := s.parallel(x[0], x[1], 4, "shared", 1.97e9, 0)
		for how, ratio := range map[string]float64{"own": 1.001, "new": 0.29, "pool": 0.999} {
			verdict := "same"
			if ratio < 0.9 {
				verdict = "slower"
			}
			s.Compare(four, s.parallel(x[0], x[1], 4, how, ratio*2e9, 0), ratio, ratio*0.997, ratio*1.003, verdict)
		}
	}
	s.parallel("tjfoc", "SM4", 4, "shared", 1e8, 0)
	wrong := s.Doc.Rows[len(s.Doc.Rows)-1]
	wrong.Status, wrong.BytesPerSecond, wrong.NsPerOp, wrong.Metrics = result.Incorrect, nil, nil, map[string]document.Metric{}
	wrong.Reason = "of 172 outputs of 4 goroutines at once 162 were wrong, the first so: the tag is wrong from byte 16 on"
	for _, load := range []string{"50", "80", "95"} {
		s.arrival("gmsm", "SM4", "load="+load+",request=128", 2.2e5, 9e5, 5e4)
	}
	s.arrival("harness", "empty", "rate=20000", 4e4, 9e4, 6e4)
	return s
}

// locked is the same with a lock around the cipher.
func locked() *crowd {
	s := newCrowd(2)
	one := s.parallel("planted", "SM4", 1, "shared", 1e9, 0)
	two := s.parallel("planted", "SM4", 2, "shared", 1.02e9, 0.83)
	s.Compare(one, two, 1.02, 0.99, 1.05, "inconclusive")
	return s
}

func wantAll(t *testing.T, d *document.Document, l layout.Lang, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(answertest.Texts(d, l), want) {
			t.Errorf("no sentence says %q in:\n%s", want, answertest.Texts(d, l))
		}
	}
}

func TestConcurrencySentences(t *testing.T) {
	d := &healthy().Doc
	answer.Add(d, []answer.Question{Question})
	wantAll(t, d, layout.English,
		"Never share one cipher of tjfoc v1 between goroutines: its SM4-GCM then returns wrong results (with 4 goroutines at once, 162 of 172 outputs were wrong). Give each goroutine its own.",
		"Throughput grows with CPUs, not with goroutines: AES-256-GCM of go reaches 1.97 times the throughput (1.93–1.99) from 1 to 2",
		"64 goroutines compared with 2 (one per CPU): AES-256-GCM of go reaches 0.995 times the throughput (0.970–1.020)",
		"Let goroutines share one AEAD, where the library allows it (4 goroutines, time per message of 1 KiB): AES-256-GCM of go 520 ns kept, 1.77 µs new, 3.45 times as long (3.44–3.46)",
		"A pool of ciphers instead of one that all share (4 goroutines, messages of 1 KiB): AES-256-GCM of go: a sync.Pool is as fast as one shared by all",
		"with all 2 CPUs busy, each runs at this share of its speed alone: AES-256-GCM of go 98 % (96–100)",
		"at 80 % load p50 is 220 µs and p99 is 900 µs",
		"Baseline, empty requests handed to another goroutine, 20000 per second: p50 is 40.0 µs and p99 is 90.0 µs. The load generator itself was 60.0 µs late (p99).")
	wantAll(t, d, layout.Chinese, "吞吐量随 CPU 数增长，而不随 goroutine 数增长：go 的 AES-256-GCM 从 1 个到 2 个，吞吐量为 1.97 倍（1.93–1.99）",
		"切勿在 goroutine 之间共享 tjfoc v1 的 cipher 实例", "172 个结果中 162 个错误", "让各 goroutine 共享一个 AEAD", "go 的 AES-256-GCM 复用时 520 ns，新建时 1.77 µs，为 3.45 倍")
	if len(d.Findings) != 1 || d.Findings[0].Kind != layout.FindingIncorrect {
		t.Errorf("healthy libraries but for one, and findings: %v", d.Findings)
	}
	if strings.Contains(answertest.Texts(d, layout.English), "does not scale") {
		t.Errorf("healthy libraries, and a warning:\n%s", answertest.Texts(d, layout.English))
	}
}

// TestPlantedLockIsFound: a cipher that does not scale while goroutines wait on
// mutexes is a finding, with the sentence that says where to look.
func TestPlantedLockIsFound(t *testing.T) {
	d := &locked().Doc
	answer.Add(d, []answer.Question{Question})
	wantAll(t, d, layout.English, "SM4-GCM of planted does not scale: X(2)/X(1) = 1.020 (0.990–1.050), and 2 goroutines waited 0.830 s per second on mutexes: look for a lock.")
	wantAll(t, d, layout.Chinese, "请查找锁")
	if len(d.Findings) != 1 || d.Findings[0].Kind != "contention" || d.Findings[0].Severity != "pathological" || d.Findings[0].Evidence["mutex_wait"] != 0.83 {
		t.Errorf("findings: %+v", d.Findings)
	}
}

// TestNotEveryStallIsALock: without waiting there is no finding; where the interval
// does not tell, not even a warning.
func TestNotEveryStallIsALock(t *testing.T) {
	s := locked()
	s.Doc.Rows[1].Metrics["mutex_wait"] = document.Metric{Value: 0.01}
	answer.Add(&s.Doc, []answer.Question{Question})
	wantAll(t, &s.Doc, layout.English, "does not scale: X(2)/X(1)", "Locks are not the cause")
	if len(s.Doc.Findings) != 0 {
		t.Errorf("findings: %+v", s.Doc.Findings)
	}
	s = locked()
	s.Doc.Rows[1].Metrics["mutex_wait"] = document.Metric{Value: 0.01}
	*s.Doc.Rows[1].BusyBytesPerSecondPC = 1e9
	answer.Add(&s.Doc, []answer.Question{Question})
	wantAll(t, &s.Doc, layout.English, "but the goroutines had only 1.02 of 2 CPUs: other programs used the rest",
		"the speed of a CPU when all are busy is inconclusive")
	s = locked()
	*s.Doc.Comparisons[0].High = 1.9
	answer.Add(&s.Doc, []answer.Question{Question})
	if strings.Contains(answertest.Texts(&s.Doc, layout.English), "does not scale") || len(s.Doc.Findings) != 0 {
		t.Errorf("an interval up to 1.9 tells nothing, and there is:\n%s", answertest.Texts(&s.Doc, layout.English))
	}
}

func TestOneCPUSaysWhatCantBeTold(t *testing.T) {
	s := newCrowd(1)
	one := s.parallel("go", "AES-256", 1, "shared", 1e9, 0)
	s.Compare(one, s.parallel("go", "AES-256", 64, "shared", 0.99e9, 0), 0.99, 0.98, 1.0, "inconclusive")
	answer.Add(&s.Doc, []answer.Question{Question})
	wantAll(t, &s.Doc, layout.English, "Run on two or more CPUs", "More goroutines than CPUs gain nothing: 64 goroutines compared with 1")
	if got := answertest.Texts(&s.Doc, layout.English); strings.Contains(got, "busy CPUs") || strings.Contains(got, "does not scale") {
		t.Errorf("on one CPU:\n%s", got)
	}
}

// TestLateGeneratorMakesNoPercentiles: a refused row says why, in sentence and table.
func TestLateGeneratorMakesNoPercentiles(t *testing.T) {
	s := newCrowd(2)
	for _, library := range []string{"gmsm", "harness"} {
		r := s.arrival(library, "SM4", "load=80,request=128", 1, 1, 1)
		r.Status, r.Reason = result.Unstable, "the generator was late"
		r.Why = layout.Text{EN: "the load generator did not keep its schedule", ZH: "压测程序未能按计划时刻发出请求"}
	}
	answer.Add(&s.Doc, []answer.Question{Question})
	wantAll(t, &s.Doc, layout.English, "at 80 % load inconclusive: the load generator did not keep its schedule", "Latencies are in doubt")
	for _, tab := range s.Doc.Layouts[0].Tables {
		for _, r := range tab.Rows {
			if strings.Contains(r.RowID, "gmsm") && (len(r.Cells[0].Footnotes) == 0 || r.Cells[7].Text.EN != "–") {
				t.Errorf("the refused row: %+v", r)
			}
		}
	}
}

// TestLateGeneratorIsNoFact: where the generator of requests was itself late, no
// percentile is told as the cipher's, in no sentence and no chart; the table shows it
// with a footnote.
func TestLateGeneratorIsNoFact(t *testing.T) {
	s := newCrowd(2)
	s.arrival("gmsm", "SM4", "load=50,request=128", 2.2e5, 2.3e7, 5.3e6)
	s.arrival("gmsm", "SM4", "load=80,request=128", 2.4e5, 4e5, 9e4)
	s.arrival("gmsm", "SM4", "load=95,request=128", 9e6, 2e7, 1.1e6) // late, and no matter: requests took longer
	answer.Add(&s.Doc, []answer.Question{Question})
	wantAll(t, &s.Doc, layout.English, "at 50 % load inconclusive, because the load generator itself was 5.30 ms late (p99)",
		"at 80 % load p50 is 240 µs and p99 is 400 µs", "at 95 % load p50 is 9.00 ms")
	wantAll(t, &s.Doc, layout.Chinese, "负载 50% 时无法判定，因为压测程序自身延误 5.30 ms")
	l := s.Doc.Layouts[0]
	if len(l.Answers) != 1 || l.Answers[0].Mark != layout.Beware {
		t.Errorf("answers: %+v", l.Answers)
	}
	for _, tab := range l.Tables {
		for _, r := range tab.Rows {
			late := strings.Contains(r.RowID, "load=50")
			if own := r.Cells[len(r.Cells)-1]; late != (len(own.Footnotes) == 1) {
				t.Errorf("%s: footnotes %v", r.RowID, own.Footnotes)
			}
			if late && (r.Cells[3].Text.EN != "128 messages" || r.Cells[5].Text.EN != "4000" || r.Cells[6].Text.EN != "3900" || r.Cells[7].Text.EN != "440 µs") {
				t.Errorf("messages a request, asked, served and the mean of all requests: %v", r.Cells)
			}
		}
	}
	for _, c := range l.Charts {
		for _, series := range c.Series {
			if len(series.Points) != 2 || series.Points[0].X != 80 {
				t.Errorf("points of late loads: %+v", series.Points)
			}
		}
	}

	s = newCrowd(2)
	s.arrival("gmsm", "SM4", "load=50,request=128", 2.2e5, 2.3e7, 5.3e6)
	answer.Add(&s.Doc, []answer.Question{Question})
	if a := s.Doc.Layouts[0].Answers; len(a) != 1 || a[0].Mark != layout.Unclear {
		t.Errorf("nothing but late loads: %+v", a)
	}
}

// TestGrowthThatIsShownIsSaid: where more goroutines than CPUs are inconclusive, that more
// CPUs are faster is still said.
func TestGrowthThatIsShownIsSaid(t *testing.T) {
	s := newCrowd(2)
	one := s.parallel("go", "AES-256", 1, "shared", 1e9, 0)
	two := s.parallel("go", "AES-256", 2, "shared", 1.8e9, 0)
	s.Compare(one, two, 1.8, 1.2, 1.99, "faster")
	s.Compare(two, s.parallel("go", "AES-256", 64, "shared", 1.7e9, 0), 0.95, 0.6, 1.4, "inconclusive")
	answer.Add(&s.Doc, []answer.Question{Question})
	wantAll(t, &s.Doc, layout.English, "Throughput by number of goroutines: AES-256-GCM of go reaches 1.80 times the throughput (1.20–1.99) from 1 to 2; whether "+
		"64 goroutines gain over 2 (one per CPU) is inconclusive for AES-256-GCM of go:")
	wantAll(t, &s.Doc, layout.Chinese, "go 的 AES-256-GCM 无法判定：置信区间过宽")
}

func TestBusyMachineIsNamed(t *testing.T) {
	s := newCrowd(2)
	s.arrival("harness", "empty", "rate=20000", 4e4, 9e5, 2e6)
	s.parallel("go", "AES-256", 1, "shared", 1e9, 0)
	answer.Add(&s.Doc, []answer.Question{Question})
	wantAll(t, &s.Doc, layout.English, "More than 100 µs: the machine is not idle")
}

// TestConcurrencyLayoutIsWhole: evidence exists, tables line up, Chinese is Chinese,
// and series hold points.
func TestConcurrencyLayoutIsWhole(t *testing.T) {
	for name, s := range map[string]*crowd{"healthy": healthy(), "locked": locked()} {
		d := &s.Doc
		d.Fits = append(d.Fits, document.Fit{RowIDs: []string{d.Rows[0].ID}, Model: "usl", Reason: "a scaling law takes 4 CPUs to fit, and there are 2"},
			document.Fit{RowIDs: []string{d.Rows[0].ID}, Model: "usl", OK: true, Terms: map[string]float64{"sigma": 0.02, "kappa": 0.001, "peak_workers": 31}})
		answer.Add(d, []answer.Question{Question})
		answertest.CheckLayout(t, d)
		l := d.Layouts[0]
		if len(l.Headline) == 0 || len(l.Tables) < 3 {
			t.Errorf("%s: %d headline tables, %d tables", name, len(l.Headline), len(l.Tables))
		}
	}
}

// TestConcurrencyTimes: under the rates of every cipher stand the times of a message; of one that is
// wrong there are none.
func TestConcurrencyTimes(t *testing.T) {
	s := healthy()
	answer.Add(&s.Doc, []answer.Question{Question})
	rows := s.Doc.Layouts[0].Headline[0].Rows
	if len(rows) != 5 {
		t.Fatalf("%d lines of three ciphers, one of them wrong", len(rows))
	}
	var got []string
	for _, c := range slices.Concat(rows[0].Cells, rows[1].Cells) {
		got = append(got, c.Text.EN)
	}
	want := "AES-256-GCM|go|1.00 GB/s|1.97 GB/s|1.97 GB/s|1.96 GB/s|985 MB/s||time per message|1.02 µs|520 ns|520 ns|522 ns|1.04 µs"
	if all := strings.Join(got, "|"); all != want {
		t.Errorf("%s, want %s", all, want)
	}
}

func TestNoConcurrencySentenceWithoutAnInterval(t *testing.T) {
	s := healthy()
	for i := range s.Doc.Comparisons {
		s.Doc.Comparisons[i].Low, s.Doc.Comparisons[i].High = nil, nil
	}
	answer.Add(&s.Doc, []answer.Question{Question})
	for _, forbidden := range []string{"Throughput grows", "share one AEAD", "busy CPUs"} {
		if strings.Contains(answertest.Texts(&s.Doc, layout.English), forbidden) {
			t.Errorf("without an interval it says %q", forbidden)
		}
	}
}
