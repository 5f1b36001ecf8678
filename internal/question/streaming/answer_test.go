package streaming

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

// stream adds a row of a stream, as Build would.
func stream(s *answertest.Sheet, library, algorithm, mode, parameters string, rate float64) string {
	c := result.Case{Algorithm: algorithm, Mode: mode, Operation: "stream", Bytes: 8 << 20, Parameters: parameters}
	ns := float64(c.Bytes) / rate * 1e9
	r := &document.Row{ID: "streaming/" + result.Trial{Subject: result.Subject{Library: library, Version: "v1"}, Case: c}.ID(), Experiment: "streaming",
		Algorithm: algorithm, Mode: mode, Operation: "stream", Bytes: c.Bytes, Parameters: parameters, Library: library, Version: "v1",
		Status: result.OK, BytesPerSecond: &rate, NsPerOp: &document.Estimate{Median: ns}, Metrics: map[string]document.Metric{
			"first_byte_ns":                {Value: float64(document.ChunkOf(&document.Row{Parameters: parameters})), Unit: "ns"},
			"memory_beyond_baseline_bytes": {Value: float64(document.ChunkOf(&document.Row{Parameters: parameters})) + 16<<10, Unit: "B"},
		}}
	s.Doc.Rows = append(s.Doc.Rows, r)
	s.Doc.Distributions = append(s.Doc.Distributions, document.Distribution{RowID: r.ID, Name: "chunk_latency", Unit: "ns", P50: 1000, P90: 1500, Max: 2000, Count: 9})
	return r.ID
}

// streamed is a curve of four chunks whose second and later ones are equally fast,
// with the comparisons that the plan declares.
func streamed(s *answertest.Sheet, library, algorithm, mode, io string, ratios map[[2]int][3]float64) []string {
	var ids []string
	for i, chunk := range []int{4 << 10, 64 << 10, 1 << 20, 8 << 20} {
		ids = append(ids, stream(s, library, algorithm, mode, fmt.Sprintf("chunk=%d,io=%s", chunk, io), 1e9+float64(i)))
	}
	for i := range ids {
		for j := i + 1; j < len(ids); j++ {
			r, ok := ratios[[2]int{i, j}]
			if !ok {
				r = [3]float64{1.001, 0.99, 1.012}
			}
			s.Compare(ids[i], ids[j], r[0], r[1], r[2], answertest.VerdictOf(r[1], r[2]))
		}
	}
	return ids
}

var small = map[[2]int][3]float64{{0, 1}: {1.2, 1.18, 1.22}, {0, 2}: {1.2, 1.18, 1.22}, {0, 3}: {1.19, 1.17, 1.21}}

func streams() *answertest.Sheet {
	s := &answertest.Sheet{}
	memory := streamed(s, "go", "AES-256", "GCM", "memory", small)
	files := streamed(s, "go", "AES-256", "GCM", "file", map[[2]int][3]float64{{0, 1}: {2, 1.9, 2.1}, {0, 2}: {2.2, 2, 2.3}, {0, 3}: {2, 1.9, 2.2},
		{1, 2}: {1.1, 1.08, 1.12}, {2, 3}: {0.8, 0.78, 0.82}})
	s.Compare(memory[1], files[1], 0.25, 0.24, 0.26, "slower")
	streamed(s, "cryptogauge", "SM4", "GCM", "memory", small)
	plain := stream(s, "go", "AES-256", "GCM", "chunk=65536,compress=none,data=text,io=memory", 3e9)
	zstd := stream(s, "go", "AES-256", "GCM", "chunk=65536,compress=zstd,data=text,io=memory", 2e8)
	s.Doc.Rows[len(s.Doc.Rows)-1].Security = []string{"lengths"}
	s.Doc.Rows[len(s.Doc.Rows)-1].Metrics["written_per_byte"] = document.Metric{Value: 0.325, Unit: "1"}
	s.Compare(plain, zstd, 0.066, 0.06, 0.07, "slower")
	stream(s, "go", "AES-256", "GCM", "chunk=8388608,compress=none,data=text,io=memory", 3e9)
	stream(s, "go", "AES-256", "GCM", "chunk=8388608,compress=zstd,data=text,io=memory", 2e8)
	s.Doc.Rows[len(s.Doc.Rows)-1].Metrics["written_per_byte"] = document.Metric{Value: 0.302, Unit: "1"}
	return s
}

func TestChunksThatAreEnough(t *testing.T) {
	d := &streams().Doc
	answer.Add(d, []answer.Question{Question})
	for _, want := range []string{
		"AES-256-GCM, go: in memory chunks of 64 KiB are enough (larger ones gain at most 1.2 %); through files chunks of 1 MiB are enough (no larger chunk is faster).",
		"SM4-GCM, cryptogauge (new): in memory chunks of 64 KiB are enough",
		"the same data in chunks of 8 MiB is not shown to be faster or slower than in chunks of 64 KiB (0.990–1.012 times as fast, inconclusive); the first byte is out after " +
			"8.39 ms, with the smaller chunk after 65.5 µs; it takes 8.02 MiB of memory, the smaller one 80.0 KiB.",
		"the same data in chunks of 64 KiB is 2.00 times as fast as in chunks of 4 KiB (1.90–2.10)",
		"by wall time: through files, from and to the page cache, it takes 4.00 times as long as in memory (3.85–4.17)",
		"zstd before encryption, AES-256-GCM, go, text in chunks of 64 KiB: 32.5 % of its length is written (30.2 % in chunks of 8 MiB), and the stream takes 15.2 times as long as without compression",
		"(CRIME, BREACH)",
	} {
		if !strings.Contains(answertest.Texts(d, layout.English), want) {
			t.Errorf("no sentence says %q in:\n%s", want, answertest.Texts(d, layout.English))
		}
	}
	for _, want := range []string{"在内存中 64 KiB 的分块已足够（更大的分块至多再快 1.2%）；经文件时 1 MiB 的分块已足够（更大的分块不会更快）", "同样的数据按 8 MiB 分块", "首字节输出时间为 8.39 ms，较小分块为 65.5 µs", "写出长度为原来的 32.5%"} {
		if !strings.Contains(answertest.Texts(d, layout.Chinese), want) {
			t.Errorf("没有一句写着 %q：\n%s", want, answertest.Texts(d, layout.Chinese))
		}
	}
	for _, a := range d.Answers {
		if a.Mark == layout.Choose && strings.Contains(a.Text.EN, "cryptogauge") {
			t.Errorf("our own engine is recommended: %s", a.Text.EN)
		}
	}
}

// TestNotEnoughToSay: what the intervals can't tell is not called enough, nor is
// anything said of a curve without intervals.
func TestNotEnoughToSay(t *testing.T) {
	wide := map[[2]int][3]float64{{0, 1}: {1.05, 0.9, 1.3}, {0, 2}: {1, 0.8, 2.4}}
	s := &answertest.Sheet{}
	streamed(s, "go", "AES-256", "GCM", "memory", wide)
	streamed(s, "go", "AES-256", "GCM", "file", map[[2]int][3]float64{{0, 1}: {1.1, 0.9, 1.4}})
	growing := map[[2]int][3]float64{}
	for i := range 4 {
		for j := i + 1; j < 4; j++ {
			growing[[2]int{i, j}] = [3]float64{1.5, 1.4, 1.6}
		}
	}
	streamed(s, "gmsm", "SM4", "GCM", "memory", growing)
	answer.Add(&s.Doc, []answer.Question{Question})
	for _, want := range []string{"in memory no chunk larger than 4 KiB was found to be faster, but a doubled speed would have gone unnoticed",
		"through files no chunk larger than 4 KiB was found to be faster, but a gain of up to 40.0 % would have gone unnoticed",
		"SM4-GCM, gmsm: in memory larger chunks are faster up to the largest measured, 8 MiB."} {
		if !strings.Contains(answertest.Texts(&s.Doc, layout.English), want) {
			t.Errorf("no sentence says %q in:\n%s", want, answertest.Texts(&s.Doc, layout.English))
		}
	}
	if i := slices.IndexFunc(s.Doc.Answers, func(a layout.Answer) bool { return strings.Contains(a.Text.EN, "would not show") }); i >= 0 && s.Doc.Answers[i].Mark != layout.Unclear {
		t.Errorf("%s: %s", s.Doc.Answers[i].Mark, s.Doc.Answers[i].Text.EN)
	}
	s = streams()
	for i := range s.Doc.Comparisons {
		s.Doc.Comparisons[i].Low, s.Doc.Comparisons[i].High = nil, nil
	}
	answer.Add(&s.Doc, []answer.Question{Question})
	if got := answertest.Texts(&s.Doc, layout.English); strings.Contains(got, "enough:") || strings.Contains(got, "fast") {
		t.Errorf("without intervals:\n%s", got)
	}
}

// TestStreamingLayout: evidence exists, tables line up, both languages are there.
func TestStreamingLayout(t *testing.T) {
	d := &streams().Doc
	answer.Add(d, []answer.Question{Question})
	answertest.CheckLayout(t, d)
	l := d.Layouts[0]
	if len(l.Headline) != 1 || len(l.Charts) != 3 {
		t.Fatalf("%d headline tables, charts %+v", len(l.Headline), l.Charts)
	}
	const label = "chunks of 64 KiB / chunks of 4 KiB, memory, AES-256-GCM go"
	if r := l.Charts[0].Ratios; len(r) == 0 || r[0].Label.EN != label || !strings.Contains(r[0].Label.ZH, "分块 64 KiB / 分块 4 KiB，") {
		t.Errorf("ratios %+v", r)
	}
	if c := l.Charts[1]; len(c.Series) != 2 || len(c.Series[0].Points) != 4 || c.Series[0].Points[1].X != 64<<10 {
		t.Errorf("%+v", c)
	}
}

// TestStreamingTimes: under the rates of every stream stand the times of its chunks.
func TestStreamingTimes(t *testing.T) {
	s := streams()
	answer.Add(&s.Doc, []answer.Question{Question})
	rows := s.Doc.Layouts[0].Headline[0].Rows
	if len(rows) != 6 {
		t.Fatalf("%d lines of three streams", len(rows))
	}
	var got []string
	for _, c := range slices.Concat(rows[0].Cells, rows[1].Cells) {
		got = append(got, c.Text.EN)
	}
	want := "AES-256-GCM|go|memory|1.00 GB/s|1.00 GB/s|1.00 GB/s|1.00 GB/s|||time|4.10 µs|65.5 µs|1.05 ms|8.39 ms"
	if all := strings.Join(got, "|"); all != want {
		t.Errorf("%s, want %s", all, want)
	}
	line := s.Doc.Layouts[0].Line.Text
	for _, want := range []string{"Encrypt in chunks of 64 KiB in memory (AES-256-GCM, go): larger ones gain at most 1.2 % (8 MiB: 1.001 times, 0.990–1.012); the first byte is out after 65.5 µs.",
		"在内存中请按 64 KiB 分块加密（go 的 AES-256-GCM）：更大的分块至多再快 1.2%（8 MiB 为 1.001 倍，0.990–1.012）；65.5 µs 后输出首字节。"} {
		if !strings.Contains(line.EN+line.ZH, want) {
			t.Errorf("%q and %q lack %q", line.EN, line.ZH, want)
		}
	}
}

// TestGuessedChunk: where no verdict stands against a small chunk but the estimate does, the guess is the larger one.
func TestGuessedChunk(t *testing.T) {
	s := &answertest.Sheet{}
	streamed(s, "go", "AES-256", "GCM", "memory", map[[2]int][3]float64{{0, 1}: {1.31, 0.99, 1.5}, {0, 2}: {1.33, 0.98, 1.7}, {0, 3}: {1.01, 0.9, 1.2},
		{1, 2}: {1.01, 0.9, 1.2}, {2, 3}: {0.8, 0.7, 1.1}})
	answer.Add(&s.Doc, []answer.Question{Question})
	line := s.Doc.Layouts[0].Line
	for text, want := range map[string]string{
		line.Text.EN: "Best guess: Encrypt in chunks of 64 KiB in memory (AES-256-GCM, go): 1.31 times as fast (0.990–1.50, inconclusive) as chunks of 4 KiB",
		line.Text.ZH: "暂定：在内存中请按 64 KiB 分块加密（go 的 AES-256-GCM）：速度是 4 KiB 分块的 1.31 倍",
	} {
		if !strings.HasPrefix(text, want) || line.Mark != layout.Unclear {
			t.Errorf("%q, %v; want %q", text, line.Mark, want)
		}
	}
}

// TestStreamingCellsWithoutNumbers: a chunk without a latency is one sign, and the
// table of compression names whose streams they are.
func TestStreamingCellsWithoutNumbers(t *testing.T) {
	d := &streams().Doc
	answer.Add(d, []answer.Question{Question})
	named := false
	for _, tab := range d.Layouts[0].Tables {
		named = named || tab.Title.EN == "zstd before encryption, AES-256-GCM, go" && tab.Title.ZH == "加密前用 zstd 压缩，go 的 AES-256-GCM"
		for _, r := range tab.Rows {
			for _, c := range r.Cells {
				if c.Text.EN == "– · –" {
					t.Errorf("%s: %s", tab.Title.EN, r.RowID)
				}
			}
		}
	}
	if !named {
		t.Error("the table of compression names no cipher")
	}
}

// TestStages: the stage that certainly takes the most is what bounds a pipeline; where intervals overlap none is named.
func TestStages(t *testing.T) {
	s := streams()
	set := func(match string, read, compress, seal, write float64) {
		for _, r := range s.Doc.Rows {
			if r.Library != "go" || !strings.Contains(r.Parameters, match) {
				continue
			}
			for name, ns := range map[string]float64{"stage_read_ns": read, "stage_compress_ns": compress, "stage_seal_ns": seal, "stage_write_ns": write} {
				if low, high := ns*0.9, ns*1.1; ns > 0 {
					r.Metrics[name] = document.Metric{Value: ns, Low: &low, High: &high, Unit: "ns"}
				}
			}
		}
	}
	set("chunk=65536,io=memory", 1000, 0, 8000, 1000)
	set("chunk=65536,io=file", 4000, 0, 10000, 9500)
	set("compress=zstd", 1000, 90000, 9000, 0)
	answer.Add(&s.Doc, []answer.Question{Question})
	answertest.CheckLayout(t, &s.Doc)
	en, zh := answertest.Texts(&s.Doc, layout.English), answertest.Texts(&s.Doc, layout.Chinese)
	for _, want := range []string{"What bounds the pipeline in chunks of 64 KiB: AES-256-GCM of go in memory, sealing (80 % of a chunk's time)", "text with zstd, compression (90 % of a chunk's time)"} {
		if !strings.Contains(en, want) {
			t.Errorf("no sentence says %q in:\n%s", want, en)
		}
	}
	if strings.Contains(en, "in files, ") && strings.Contains(en, "AES-256-GCM of go in files, ") || !strings.Contains(zh, "分块 64 KiB 时，流水线的瓶颈：go 的 AES-256-GCM，内存：加密（占单个分块耗时的 80%）") {
		t.Errorf("%s\n%s", en, zh)
	}
	i := slices.IndexFunc(s.Doc.Layouts[0].Tables, func(t layout.Table) bool { return strings.HasPrefix(t.Title.EN, "Stages of a chunk") })
	if i < 0 || len(s.Doc.Layouts[0].Tables[i].Rows) < 3 {
		t.Error("there is no table of stages")
	}
}
