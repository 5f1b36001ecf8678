package gc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// heapSheet builds documents of gc by hand, as Build would.
type heapSheet struct {
	doc document.Document
	run result.Run
}

// row adds a row with its garbage: bytes and objects a call, collections a second
// and the collector's share, 0 for none.
func (s *heapSheet) row(c result.Case, library, buffers string, heap int64, gogc int, bytes, objects, collections, share float64) string {
	ns := 4000.0
	r := &document.Row{Experiment: "gc", Algorithm: c.Algorithm, Mode: c.Mode, Operation: c.Operation, Bytes: c.Bytes,
		Parameters: fmt.Sprintf("buffers=%s,heap=%d", buffers, heap), Library: library, Version: "v1", Environment: fmt.Sprintf("GOGC=%d", gogc),
		Status: result.OK, NsPerOp: &document.Estimate{Median: ns}, WallNsPerOp: &document.Estimate{Median: ns}, Trial: len(s.doc.Rows), Loop: "scenario"}
	r.ID = fmt.Sprintf("gc/%s/%s/%s/%s/%d", c.Name(), c.Operation, r.Parameters, library, gogc)
	exact := func(x float64, unit string) document.Metric {
		return document.Metric{Value: x, Low: &x, High: &x, Unit: unit}
	}
	r.Metrics = map[string]document.Metric{
		"alloc_bytes_per_call": exact(bytes, "B"), "alloc_objects_per_call": exact(objects, "1"),
		"alloc_bytes_per_second": exact(bytes*1e5, "B/s"), "alloc_objects_per_second": exact(objects*1e5, "1/s"),
		"collections_per_second": exact(collections, "1/s"),
	}
	if share > 0 {
		r.Metrics["gc_cpu_share"] = exact(share, "1")
		s.doc.Distributions = append(s.doc.Distributions, document.Distribution{RowID: r.ID, Name: "gc_pause", Unit: "ns", P50: 30000, P90: 90000, Max: 200000, Count: 24})
	}
	s.doc.Rows = append(s.doc.Rows, r)
	s.run.Closed = append(s.run.Closed, result.Closed{Trial: r.Trial})
	for range 12 {
		s.run.Samples = append(s.run.Samples, result.Sample{Trial: int32(r.Trial), Wall: 5e6, Collections: int32(min(collections, 1))})
	}
	s.doc.Run = &s.run
	return r.ID
}

func (s *heapSheet) compare(base, other string, ratio, low, high float64, verdict string) {
	s.doc.Comparisons = append(s.doc.Comparisons, document.Comparison{ID: base + " ~ " + other, Base: base, Other: other,
		Ratio: ratio, Low: &low, High: &high, Verdict: verdict, Headline: true, Level: 0.9975, Blocks: 12})
}

var (
	sealing = result.Case{Algorithm: "AES-256", Mode: "GCM", Operation: "encrypt", Bytes: 16384}
	signing = result.Case{Algorithm: "RSA-2048", Mode: "PSS-SHA-256", Operation: "sign"}
	busying = result.Case{Algorithm: "ECDSA-P-256", Operation: "sign"}
)

// healthyHeap is what a common machine shows.
func healthyHeap() *heapSheet {
	s := &heapSheet{}
	for _, a := range []struct {
		heap             int64
		gogc             int
		ratio, low, high float64
		collections      float64
	}{{0, 100, 0.62, 0.59, 0.64, 570}, {0, 50, 0.50, 0.48, 0.52, 900}, {0, 400, 0.70, 0.68, 0.71, 150}, {256 << 20, 100, 0.60, 0.55, 0.66, 9}} {
		reused := s.row(sealing, "go", "reused", a.heap, a.gogc, 0, 0, 0, 0)
		fresh := s.row(sealing, "go", "fresh", a.heap, a.gogc, 34816, 2, a.collections, 0.25)
		pool := s.row(sealing, "go", "pool", a.heap, a.gogc, 0, 0, 0, 0)
		s.compare(reused, fresh, a.ratio, a.low, a.high, "slower")
		s.compare(reused, pool, 0.999, 0.996, 1.003, "same")
	}
	reused := s.row(signing, "go", "reused", 0, 100, 720, 7, 0, 0)
	fresh := s.row(signing, "go", "fresh", 0, 100, 752, 8, 0, 0)
	s.compare(reused, fresh, 1.001, 0.985, 1.012, "inconclusive")
	reused = s.row(busying, "go", "reused", 0, 100, 6400, 60, 40, 0.031)
	fresh = s.row(busying, "go", "fresh", 0, 100, 6432, 61, 40, 0.031)
	s.compare(reused, fresh, 0.999, 0.996, 1.002, "same")
	return s
}

func TestGCSentences(t *testing.T) {
	d := &healthyHeap().doc
	answer.Add(d, []answer.Question{Question})
	got, zh := answertest.Texts(d, layout.English), answertest.Texts(d, layout.Chinese)
	for _, want := range []string{
		"AES-256-GCM 16 KiB, go: reuse buffers; a new buffer for every call loses 38 % of the throughput (36–41 %), with 34.8 kB allocated per call and 570 " +
			"collections per second. A sync.Pool avoids this entirely.",
		"RSA-2048 signature (PSS), go: no garbage collection ran in 12 measuring windows (60.0 ms in total). Each call allocates 752 B (75.2 MB/s), of " +
			"which 720 B inside the library, where a pool does not help",
		"no gain from a pool was found (at most 1.5 %)",
		"ECDSA-P-256 signature, go: garbage collection takes 3.1 % of the CPU (3.1–3.1 %). Each call allocates 6.43 kB",
		"a pool gains nothing",
		"with a live heap of 256 MiB: new buffers lose 40 % of the throughput (34–45 %), without a live heap 38 % (36–41 %); collections are rarer, 9.00 per second, without a live heap 570",
		"new buffers lose throughput, 50 % at GOGC=50 (48–52 %), 38 % at GOGC=100 (36–41 %), 30 % at GOGC=400 (29–32 %); a greater GOGC raises throughput and memory use",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no sentence says %q in:\n%s", want, got)
		}
	}
	for _, want := range []string{"AES-256-GCM 16 KiB，go：请复用缓冲区；每次调用都新建缓冲区会损失 38% 的吞吐量（36–41%）", "用 sync.Pool 可完全避免", "12 个测量窗口（共 60.0 ms）内一次也没有", "缓冲池没有收益"} {
		if !strings.Contains(zh, want) {
			t.Errorf("没有一句写着 %q：\n%s", want, zh)
		}
	}
	short := 0
	for _, a := range d.Answers {
		if a.Short {
			short++
		}
		if len(a.Evidence) == 0 {
			t.Errorf("no evidence: %s", a.Text.EN)
		}
	}
	if short < 1 || short > 4 || len(d.Findings) != 0 {
		t.Errorf("%d short answers, findings %v", short, d.Findings)
	}
	if l := d.Layouts[0]; len(l.Headline) != 1 || len(l.Tables) != 4 || len(l.Charts) != 1 || len(l.Charts[0].Ratios) != 10 {
		t.Errorf("%d headline tables, %d tables, charts %+v", len(l.Headline), len(l.Tables), l.Charts)
	}
	for _, table := range append(d.Layouts[0].Tables, d.Layouts[0].Headline...) {
		for _, row := range table.Rows {
			if len(row.Cells) != len(table.Columns) {
				t.Errorf("%s: %d cells under %d columns", table.Title.EN, len(row.Cells), len(table.Columns))
			}
		}
	}
}

// TestPlantedAllocation: a library that allocates into reused buffers is found,
// in a sentence and in a finding as severe as the collector's part.
func TestPlantedAllocation(t *testing.T) {
	for _, test := range []struct {
		objects, share float64
		severity       string
	}{{2, 0.21, "pathological"}, {1, 0.03, "degraded"}, {1, 0.001, "note"}, {0.02, 0.03, ""}} {
		s := &heapSheet{}
		reused := s.row(sealing, "planted", "reused", 0, 100, 18432*test.objects, test.objects, 300, test.share)
		fresh := s.row(sealing, "planted", "fresh", 0, 100, 34816, 2, 570, 0.25)
		s.compare(reused, fresh, 0.93, 0.90, 0.95, "slower")
		answer.Add(&s.doc, []answer.Question{Question})
		if test.severity == "" {
			if len(s.doc.Findings) != 0 || strings.Contains(answertest.Texts(&s.doc, layout.English), "allocates although") {
				t.Errorf("%v objects: %v", test.objects, s.doc.Findings)
			}
			continue
		}
		if len(s.doc.Findings) != 1 || s.doc.Findings[0].Kind != "allocation" || s.doc.Findings[0].Severity != test.severity || s.doc.Findings[0].Evidence["row"] != reused {
			t.Fatalf("a share of %v: %+v", test.share, s.doc.Findings)
		}
		a := s.doc.Answers[0]
		if warned := strings.Contains(a.Text.EN, "allocates although"); warned != (test.severity != "note") {
			t.Errorf("%s: %+v", test.severity, a)
		} else if !warned {
			continue
		}
		if a.Mark != layout.Beware || !a.Short || !strings.Contains(a.Text.EN, "AES-256-GCM 16 KiB, planted allocates although the output goes into a reused buffer") ||
			!strings.Contains(a.Text.ZH, "仍然分配内存") {
			t.Errorf("the first answer: %+v", a)
		}
	}
}

// TestGCWithoutIntervals: one block makes a table and no sentence.
func TestGCWithoutIntervals(t *testing.T) {
	s := healthyHeap()
	for i := range s.doc.Comparisons {
		s.doc.Comparisons[i].Low, s.doc.Comparisons[i].High, s.doc.Comparisons[i].Blocks = nil, nil, 1
	}
	answer.Add(&s.doc, []answer.Question{Question})
	for _, a := range s.doc.Answers {
		if a.Mark != layout.Unclear {
			t.Errorf("%s", a.Text.EN)
		}
	}
	if c := s.doc.Layouts[0].Headline[0].Rows[0].Cells[2]; c.Text.EN != "38 %" || !c.Faint || len(c.Footnotes) != 1 {
		t.Errorf("the value alone: %+v", c)
	}
}

// TestGCLosses: what a verdict does not carry is not said.
func TestGCLosses(t *testing.T) {
	for _, test := range []struct {
		ratio, low, high float64
		verdict, en, zh  string
	}{
		{0.62, 0.59, 0.64, "slower", "38 % (36–41 %)", "38%（36–41%）"},
		{0.999, 0.997, 1.002, "same", "none", "无"},
		{1.02, 1.01, 1.03, "faster", "none: 2.0 % faster", "无：快 2.0%"},
		{0.97, 0.92, 1.04, "inconclusive", "none found (≤ 8.0 %)", "未发现（≤ 8.0%）"},
		{0.9, 0.14, 1.1, "inconclusive", "undecided (≤ 86 %)", "无法判定（≤ 86%）"},
	} {
		s := &heapSheet{}
		reused, fresh := s.row(sealing, "go", "reused", 0, 100, 0, 0, 0, 0), s.row(sealing, "go", "fresh", 0, 100, 1, 2, 3, 0.1)
		s.compare(reused, fresh, test.ratio, test.low, test.high, test.verdict)
		answer.Add(&s.doc, []answer.Question{Question})
		c := s.doc.Layouts[0].Headline[0].Rows[0].Cells[2]
		if c.Text.EN != test.en || c.Text.ZH != test.zh {
			t.Errorf("%s: %+v", test.verdict, c)
		}
		if says := len(c.Footnotes) == 1 && strings.Contains(c.Footnotes[0].EN, "larger --budget"); says != strings.HasPrefix(test.en, "undecided") {
			t.Errorf("%s: what would decide it: %v", test.en, c.Footnotes)
		}
	}
}

func TestGCIsChinese(t *testing.T) {
	d := &healthyHeap().doc
	answer.Add(d, []answer.Question{Question})
	answertest.CheckChinese(t, d)
}
