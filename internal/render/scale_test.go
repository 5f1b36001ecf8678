package render

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/result"
)

// bigFile writes a run file of so many trials, 100 rounds in each of 50 blocks.
func bigFile(tb testing.TB, trials int) []byte {
	tb.Helper()
	f := documenttest.NewFixture(50, 100)
	var all []int
	var pairs []result.Pair
	for i := range trials {
		t := f.Trial("modes", documenttest.SM4("CBC", int64(64<<(i%8))), result.Subject{Library: fmt.Sprintf("lib%d", i/8)}, documenttest.Plan{NS: 5 * float64(int(64)<<(i%8))})
		all = append(all, t)
		if i >= 8 {
			pairs = append(pairs, result.Pair{Base: i % 8, Other: t, Headline: i < 80})
		}
	}
	f.Group("modes", "all", "", all, pairs...)
	f.Group("modes", "A/A", result.KindNoise, all[:2])
	run := f.End()

	var out bytes.Buffer
	w, err := result.NewWriter(&out, run.Header) // its errors stick: that of End is enough
	if err != nil {
		tb.Fatal(err)
	}
	for _, t := range run.Trials {
		w.Trial(t)
	}
	for _, g := range run.Groups {
		w.Group(g)
	}
	for _, o := range run.Opened {
		w.Opened(o)
	}
	for _, s := range run.Samples {
		w.Sample(s)
	}
	for _, c := range run.Closed {
		w.Closed(c)
	}
	if err = w.End(*run.End); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

// readAndReport is what `cryptogauge report` does with a file.
func readAndReport(tb testing.TB, file io.Reader) *document.Document {
	run, err := result.Read(file)
	if err != nil {
		tb.Fatal(err)
	}
	doc := document.Build(run)
	for _, write := range writers {
		if err := write(io.Discard, []*document.Document{doc}, Options{}); err != nil {
			tb.Fatal(err)
		}
	}
	return doc
}

// Memory grows with the samples and no faster: the work does, too, for what is
// touched once is allocated once.
func TestMemoryGrowsWithTheSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("builds runs of 200,000 samples")
	}
	allocated := func(trials int) (perSample, objects float64) {
		run, err := result.Read(bytes.NewReader(bigFile(t, trials)))
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		doc := document.Build(run)
		runtime.ReadMemStats(&after)
		if len(doc.Rows) != trials || doc.Rows[trials-1].NsPerOp == nil {
			t.Fatal("the run is not what it should be")
		}
		n := float64(len(run.Samples))
		return float64(after.TotalAlloc-before.TotalAlloc) / n, float64(after.Mallocs-before.Mallocs) / n
	}
	small, smallObjects := allocated(20)
	large, largeObjects := allocated(40)
	t.Logf("bytes per sample: %.0f, %.0f; objects per sample: %.4f, %.4f", small, large, smallObjects, largeObjects)
	// All that is ever allocated, not what lives: a million samples stay far
	// below the 500 MB that a report may take.
	if large > 300 || large > 2*small {
		t.Errorf("building takes %.0f bytes a sample for 100,000 samples and %.0f for 200,000", small, large)
	}
	if largeObjects > 0.1 || largeObjects > 2*smallObjects {
		t.Errorf("building takes %.3f objects a sample for 100,000 samples and %.3f for 200,000", smallObjects, largeObjects)
	}
}

// A million samples, read, built and written in every format. Peak memory is
// the process's, test fixture included, so run it alone:
//
//	go test ./internal/render -run '^$' -bench Million -benchtime 1x
//
// With CRYPTOGAUGE_BIG naming a file that it made before, it measures reading
// and reporting alone.
func BenchmarkMillionSamples(b *testing.B) {
	path := os.Getenv("CRYPTOGAUGE_BIG")
	if path == "" {
		path = b.TempDir() + "/run.jsonl"
	}
	if _, err := os.Stat(path); err != nil {
		if err := os.WriteFile(path, bigFile(b, 200), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		file, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		doc := readAndReport(b, file)
		file.Close()
		if len(doc.Rows) != 200 {
			b.Fatalf("%d rows", len(doc.Rows))
		}
	}
	b.ReportMetric(peakMegabytes(), "MB-peak")
}

// peakMegabytes is the process's greatest resident size, 0 where unknown.
func peakMegabytes() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kB, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kB * 1024 / 1e6
		}
	}
	return 0
}
