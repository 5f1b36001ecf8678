package bulkhash

import (
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// many adds a row of a way to hash many messages, as Build would: wall and CPU time of
// a message in ns; without CPU time it is one of a single goroutine.
func many(s *answertest.Sheet, library, algorithm, parameters string, wall, cpu float64) string {
	const messages, size = 1000, 64
	c := result.Case{Algorithm: algorithm, Operation: "hash-many", Bytes: messages * size, Parameters: parameters}
	environment := ""
	if i := strings.Index(parameters, "|"); i >= 0 {
		c.Parameters, environment = parameters[:i], parameters[i+1:]
	}
	rate, allocs := size/wall*1e9, 1000.0
	r := &document.Row{ID: "bulkhash/" + result.Trial{Subject: result.Subject{Library: library, Version: "v1", Environment: environment}, Case: c}.ID(), Experiment: "bulkhash",
		Algorithm: algorithm, Operation: c.Operation, Bytes: c.Bytes, Parameters: c.Parameters, Library: library, Version: "v1", Implementation: "kernel", Environment: environment,
		Status: result.OK, BytesPerSecond: &rate, AllocsPerOp: &allocs, AllocBytesPerOp: &allocs,
		NsPerOp: &document.Estimate{Median: wall * messages, Clock: "cpu"}, WallNsPerOp: &document.Estimate{Median: wall * messages, Clock: "wall"},
		Metrics: map[string]document.Metric{"memory_peak_bytes": {Value: 1 << 20, Unit: "B"}}}
	if algorithm == "MD5" {
		r.Security = []string{"broken"}
		r.Notes = []layout.Text{{EN: "broken", ZH: "已被攻破"}}
	}
	if cpu > 0 {
		busy := size / cpu * 1e9
		r.NsPerOp.Clock, r.BusyBytesPerSecondPC = "wall", &busy
	}
	s.Doc.Rows = append(s.Doc.Rows, r)
	return r.ID
}

// file adds a row of the hash of a file.
func file(s *answertest.Sheet, parameters string) string {
	rate, allocs := 6e8, 65536.0
	c := result.Case{Algorithm: "MD5", Operation: "hash-file", Bytes: 16 << 20, Parameters: parameters}
	r := &document.Row{ID: "bulkhash/" + result.Trial{Subject: result.Subject{Library: "go", Version: "v1"}, Case: c}.ID(), Experiment: "bulkhash",
		Algorithm: "MD5", Operation: c.Operation, Bytes: c.Bytes, Parameters: parameters, Library: "go", Version: "v1", Status: result.OK,
		BytesPerSecond: &rate, AllocBytesPerOp: &allocs, NsPerOp: &document.Estimate{Median: 1, Clock: "wall"}}
	s.Doc.Rows = append(s.Doc.Rows, r)
	return r.ID
}

// crowd adds a row of goroutines that were started.
func crowd(s *answertest.Sheet, count string, status result.Status, reason string) {
	s.Doc.Rows = append(s.Doc.Rows, &document.Row{ID: "bulkhash/goroutine/" + count, Experiment: "bulkhash", Algorithm: "goroutine", Operation: "start", Loop: "scenario",
		Parameters: "count=" + count, Library: "go", Version: "v1", Status: status, Reason: reason, NsPerOp: &document.Estimate{Median: 900, Clock: "wall"},
		Metrics: map[string]document.Metric{"start_ns": {Value: 400, Unit: "ns"}, "memory_each_bytes": {Value: 2700, Unit: "B"}, "latency_p99_ns": {Value: 2e6, Unit: "ns"}}})
}

// bulk is what a run on two quiet CPUs shows.
func bulk() *answertest.Sheet {
	s := &answertest.Sheet{}
	s.Doc.Machine.CPU.Allowed = 2
	with := func(base, other string, ratio, low, high float64) {
		s.Compare(base, other, ratio, low, high, answertest.VerdictOf(low, high))
	}
	sum := many(s, "go", "MD5", "messages=1000,way=sum", 170, 0)
	fresh := many(s, "go", "MD5", "messages=1000,way=new", 200, 0)
	copied := many(s, "go", "MD5", "messages=1000,way=string-copy", 210, 0)
	split := many(s, "go", "MD5", "messages=1000,way=split,workers=2", 86, 172)
	with(fresh, many(s, "go", "MD5", "messages=1000,way=pool", 205, 0), 0.97, 0.96, 0.98)
	with(fresh, many(s, "go", "MD5", "messages=1000,way=pool-buffer", 199, 0), 1.01, 1.002, 1.02)
	with(copied, many(s, "go", "MD5", "messages=1000,way=string-view", 170, 0), 1.24, 1.2, 1.3)
	with(sum, many(s, "go", "MD5", "messages=1000,way=spawn", 600, 1200), 0.28, 0.27, 0.3)
	with(sum, many(s, "go", "MD5", "batch=1,messages=1000,way=channel,workers=2", 340, 600), 0.5, 0.48, 0.52)
	with(sum, many(s, "go", "MD5", "batch=256,messages=1000,way=channel,workers=2", 90, 180), 1.9, 1.8, 1.95)
	with(sum, split, 1.97, 1.9, 2)
	with(split, many(s, "go", "MD5", "messages=1000,way=split,workers=64", 87, 172), 0.99, 0.9, 1.12)
	with(split, many(s, "go", "MD5", "messages=1000,way=split,workers=4|GOMAXPROCS=4", 87, 172), 0.99, 0.98, 1.001)
	with(sum, many(s, "md5-simd", "MD5", "messages=1000,way=counter,workers=16", 900, 1000), 0.19, 0.18, 0.2)
	with(sum, many(s, "go", "SHA-256", "messages=1000,way=sum", 140, 0), 1.2, 1.18, 1.22)
	with(sum, many(s, "blake3", "BLAKE3", "messages=1000,way=sum", 85, 0), 2, 1.9, 2.1)
	with(sum, many(s, "gmsm", "SM3", "messages=1000,way=sum", 390, 0), 0.44, 0.43, 0.45)
	with(sum, many(s, "cryptogauge", "MD5", "messages=1000,way=lanes", 13, 0), 13, 12, 14)
	with(split, many(s, "cryptogauge", "MD5", "messages=1000,way=split,workers=2", 7, 14), 12, 11, 13)
	calls := many(s, "go", "MD5", "messages=1000,way=counter,workers=64", 90, 180)
	with(calls, many(s, "cryptogauge", "MD5", "messages=1000,way=counter,workers=64", 91, 182), 0.99, 0.97, 1.01)
	crowd(s, "10000", result.OK, "")
	crowd(s, "1000000", result.Unsupported, "1000000 goroutines take about 2929 MiB, and 900 MiB of memory are to be had")
	pooled := file(s, "buffer=pool,chunk=65536")
	with(pooled, file(s, "buffer=pool,chunk=4096"), 0.9, 0.88, 0.92)
	with(pooled, file(s, "buffer=pool,chunk=8388608"), 0.8, 0.78, 0.82)
	with(pooled, file(s, "buffer=stack,chunk=65536"), 1, 0.996, 1.004)
	with(pooled, file(s, "buffer=call,chunk=65536"), 0.98, 0.97, 0.99)
	with(pooled, file(s, "buffer=io.Copy,chunk=32768"), 0.97, 0.95, 1.03)
	with(pooled, file(s, "buffer=mmap,chunk=65536"), 0.9, 0.88, 0.92)
	return s
}

func TestUsualAdvice(t *testing.T) {
	d := &bulk().Doc
	answer.Add(d, []answer.Question{Question})
	for _, want := range []string{
		"Usual advice for MD5 of many messages (1000 of 64 B): faster: strings without a copy (1.24 times as fast, 1.20–1.30), " +
			"batches of 256 to 2 workers (1.90 times as fast, 1.80–1.95), one range for each of 2 goroutines (1.97 times as fast, 1.90–2.00)",
		"; no gain worth having: sync.Pool and a buffer for Sum (1.010 times as fast, 1.002–1.020), GOMAXPROCS=4 (0.990 times as fast, 0.980–1.001)",
		"; slower: sync.Pool for md5.New (0.970 times as fast, 0.960–0.980), one goroutine per message (3.57 times as long, 3.33–3.70), one message per channel send (2.00 times as long, 1.92–2.08)",
		"; inconclusive: 64 goroutines instead of 2 (0.990 times as fast, 0.90–1.12)",
		"Call md5.Sum in a plain loop: it allocates nothing. For more throughput split the messages among 2 goroutines, one range each, or send batches: at " +
			"64 B this is 1.97 times as fast as the loop alone (1.90–2.00).",
		"In place of MD5 and SHA-1, which only detect accidental changes, use SHA-256 (go), 1.20 times as fast (1.18–1.22) at 64 B; " +
			"where Chinese standards are required (GB/T 32905-2016), SM3 (gmsm), 2.27 times as long (2.22–2.33) at 64 B; where no standard is required, BLAKE3 (blake3), 2.00 times as fast",
		"made for servers with many callers, and hands every block over a channel), compared with a plain loop: at 64 B 5.26 times as long (5.00–5.56).",
		"Hash many messages in SIMD lanes (new): files by cryptogauge hash, messages at hand by multibuffer.SumMD5, single messages of many goroutines by multibuffer.Coalescer. " +
			"MD5 on one core, compared with a plain loop over md5.Sum: at 64 B 13.0 times as fast (12.0–14.0).",
		"by the Coalescer of cryptogauge (new), compared with md5.Sum: at 64 B about 0.990 times as fast (0.970–1.010, inconclusive).",
		"10000 goroutines: each takes 400 ns to start, all together take 25.7 MiB of memory (2.64 KiB each), 99 % have started within 2.00 ms; 1000000: 1000000 goroutines take about 2929 MiB",
		"by chunk size, compared with chunks of 64 KiB: 4 KiB 1.11 times as long (1.087–1.14), 8 MiB 1.25 times as long (1.22–1.28).",
		"on the stack as fast, made for each file 1.020 times as long",
		"killed by SIGBUS",
		"One long MD5 can't be split",
	} {
		if !strings.Contains(answertest.Texts(d, layout.English), want) {
			t.Errorf("no sentence says %q in:\n%s", want, answertest.Texts(d, layout.English))
		}
	}
	for _, want := range []string{"有效：字符串零拷贝（速度为 1.24 倍，1.20–1.30）", "反而变慢：用 sync.Pool 代替 md5.New（速度为 0.970 倍，0.960–0.980）", "只能检测意外差错", "无法分给多个 CPU"} {
		if !strings.Contains(answertest.Texts(d, layout.Chinese), want) {
			t.Errorf("没有一句写着 %q：\n%s", want, answertest.Texts(d, layout.Chinese))
		}
	}
}

// TestOurHashingIsNotRecommended: no sentence that says what to choose names the engine.
func TestOurHashingIsNotRecommended(t *testing.T) {
	d := &bulk().Doc
	answer.Add(d, []answer.Question{Question})
	short := 0
	for _, a := range d.Answers {
		if a.Mark == layout.Choose && strings.Contains(a.Text.EN, "cryptogauge") {
			t.Errorf("our own engine is recommended: %s", a.Text.EN)
		}
		if a.Short {
			short++
		}
	}
	if short == 0 || short > 3 {
		t.Errorf("%d answers for the quick screen", short)
	}
}

// TestGoroutinesWithoutCPUs: where other programs had a CPU, what goroutines did not
// gain is not held against them, unless it would be a loss on all CPUs too.
func TestGoroutinesWithoutCPUs(t *testing.T) {
	s := bulk()
	for _, r := range s.Doc.Rows {
		if r.BusyBytesPerSecondPC != nil && r.Library == "go" {
			*r.BusyBytesPerSecondPC = *r.BytesPerSecond // one CPU of two
		}
	}
	for i := range s.Doc.Comparisons {
		c := &s.Doc.Comparisons[i]
		if strings.Contains(c.Other, "way=split,workers=2/go@") && strings.Contains(c.Base, "way=sum") || strings.Contains(c.Other, "batch=256") {
			low, high := 0.96, 1.01
			c.Ratio, c.Low, c.High, c.Verdict = 0.98, &low, &high, "inconclusive"
		}
	}
	answer.Add(&s.Doc, []answer.Question{Question})
	got := answertest.Texts(&s.Doc, layout.English)
	for _, want := range []string{"; slower: sync.Pool for md5.New (0.970 times as fast, 0.960–0.980), one goroutine per message",
		"; inconclusive, because the goroutines did not get all CPUs: one message per channel send", "batches of 256 to 2 workers (0.980 times as fast", "while the goroutines had 1.00 of 2 CPUs"} {
		if !strings.Contains(got, want) {
			t.Errorf("no sentence says %q in:\n%s", want, got)
		}
	}
	for _, a := range s.Doc.Answers {
		if strings.HasPrefix(a.Text.EN, "Call md5.Sum") && a.Mark != layout.Unclear {
			t.Errorf("%s: %s", a.Mark, a.Text.EN)
		}
	}
}

// TestBulkLayout: evidence exists, tables line up, both languages are there; wrong
// digests are said first, and without intervals nothing is.
func TestBulkLayout(t *testing.T) {
	d := &bulk().Doc
	answer.Add(d, []answer.Question{Question})
	answertest.CheckLayout(t, d)
	l := d.Layouts[0]
	if len(l.Headline) != 1 || len(l.Tables) != 6 || len(l.Charts) == 0 {
		t.Errorf("%d headline tables, %d tables, %d charts", len(l.Headline), len(l.Tables), len(l.Charts))
	}
	s := bulk()
	for i := range s.Doc.Comparisons {
		s.Doc.Comparisons[i].Low, s.Doc.Comparisons[i].High = nil, nil
	}
	s.Doc.Rows[3].Status, s.Doc.Rows[3].Reason = result.Incorrect, "of 1000 digests 2 are wrong; the first, of message 7, is that of message 8"
	answer.Add(&s.Doc, []answer.Question{Question})
	answertest.CheckLayout(t, &s.Doc)
	got := answertest.Texts(&s.Doc, layout.English)
	if strings.Contains(got, "Holds") || strings.Contains(got, "times as") {
		t.Errorf("without intervals:\n%s", got)
	}
	if !strings.Contains(got, "Do not use MD5 of go v1 (2 goroutines, one range each), whose output is wrong: of 1000 digests 2 are "+
		"wrong") || !strings.Contains(answertest.Texts(&s.Doc, layout.Chinese), "1000 个摘要中有 2 个错误") {
		t.Errorf("wrong digests:\n%s\n%s", got, answertest.Texts(&s.Doc, layout.Chinese))
	}
}

// TestLine: lanes are said first; whatever was asked, the best of what was measured is named
// with its ratio.
func TestLine(t *testing.T) {
	for _, test := range []struct {
		name, en, zh string
		mark         layout.Mark
		keep         func(*document.Row) bool
	}{
		{"everything", "Hash in SIMD lanes (new; cryptogauge hash or multibuffer.SumMD5): 13.0 times as fast (12.0–14.0) as md5.Sum at 64 B; against attackers: SHA-256, not MD5.",
			"请用 SIMD 多通道计算（新；cryptogauge hash 或 multibuffer.SumMD5）：速度是 md5.Sum（64 B）的 13.0 倍（12.0–14.0）；防攻击请用 SHA-256，勿用 MD5。",
			layout.Plain, func(*document.Row) bool { return true }},
		{"no engine", "Hash MD5 of 64 B by 2 goroutines, one range each (go): 1.97 times as fast (1.90–2.00) as plain loop, Sum (go); MD5 only detects accidents.",
			"64 B 消息的 MD5：2 个 goroutine 各分一段（go）：速度是普通循环，Sum（go）的 1.97 倍（1.90–2.00）；MD5 只能检测意外差错。",
			layout.Plain, func(r *document.Row) bool { return r.Library == "go" }},
		{"one row", "", "", "", func(r *document.Row) bool { return r.Library == "blake3" }},
	} {
		d := &bulk().Doc
		d.Rows = slices.DeleteFunc(d.Rows, func(r *document.Row) bool { return !test.keep(r) })
		d.Comparisons = slices.DeleteFunc(d.Comparisons, func(c document.Comparison) bool {
			return !slices.ContainsFunc(d.Rows, func(r *document.Row) bool { return r.ID == c.Base }) ||
				!slices.ContainsFunc(d.Rows, func(r *document.Row) bool { return r.ID == c.Other })
		})
		answer.Add(d, []answer.Question{Question})
		line := d.Layouts[0].Line
		if test.en == "" {
			if !strings.Contains(line.Text.EN, "nothing was measured beside it") {
				t.Errorf("%s: %s", test.name, line.Text.EN)
			}
			continue
		}
		if line.Text.EN != test.en || line.Text.ZH != test.zh || line.Mark != test.mark || len(line.Evidence) == 0 {
			t.Errorf("%s: %+v", test.name, line)
		}
		if len(line.Text.EN) > 165 {
			t.Errorf("%s: %d columns", test.name, len(line.Text.EN))
		}
	}
}

// TestTooFewBlocksIsSlowerAllTheSame: where there are too few blocks for a verdict, an interval below 1 is said as a time, and with the reason; and
// what advises nothing asks nobody for anything.
func TestTooFewBlocksIsSlowerAllTheSame(t *testing.T) {
	low, high := 0.16, 0.19
	c := &document.Comparison{Ratio: 0.17, Low: &low, High: &high, Verdict: "inconclusive"}
	if got, want := briefly(c).EN, "about 5.88 times as long (5.26–6.25, too few blocks for a verdict)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s := bulk()
	for i := range s.Doc.Comparisons {
		if c := &s.Doc.Comparisons[i]; strings.Contains(c.Other, "way=lanes") {
			c.Verdict = "inconclusive"
		}
	}
	answer.Add(&s.Doc, []answer.Question{Question})
	if line := s.Doc.Layouts[0].Line; line.Mark != layout.Unclear || !strings.HasPrefix(line.Text.EN, "Best guess: SIMD lanes (new; ") || strings.Contains(line.Text.ZH, "请用") {
		t.Errorf("%+v", line)
	}
}
