package s3_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/sums"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// BenchmarkSmallObjects hashes ten thousand objects of 4 KiB of a server in this process, which takes its share of the
// same CPUs. It reports objects a second.
func BenchmarkSmallObjects(b *testing.B) {
	const n = 10_000
	s := start(b)
	for i := range n {
		s.put(b, fmt.Sprintf("%05d", i), 4<<10)
	}
	for b.Loop() {
		m, out, said := s.making(b, all)
		made, err := sums.Make(b.Context(), m)
		if err != nil || made.Lines != n || out.Len() == 0 || len(said.lines) > 0 {
			b.Fatalf("%v, %+v, said %q", err, made, said.lines)
		}
	}
	b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "objects/s")
}

// names is a store that lists so many objects, all empty, and has none of them anywhere.
type names int

func (n names) List(ctx context.Context, _ string, found func([]byte, treehash.Stamp) error) error {
	for i := range int(n) {
		name := fmt.Appendf(nil, "s3://planted/a/rather/long/prefix/as/people/have/them/%02d/%08d.json", i/1_000_000, i)
		if err := found(name, treehash.Stamp{Modified: 1, ETag: fmt.Sprintf("d41d8cd98f00b204e9800998%08x", i)}); err != nil {
			return err
		}
	}
	return nil
}

func (names) Open(_ context.Context, _ string, listed treehash.Stamp) (io.ReadCloser, treehash.Stamp, error) {
	return io.NopCloser(strings.NewReader("")), listed, nil
}

// peakMemory is the most that a process had resident, in bytes.
func peakMemory(tb testing.TB) int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		tb.Skip(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kilobytes int64
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		tb.Fatal(err)
	}
	return kilobytes << 10
}

// BenchmarkTenMillionNames makes a manifest of ten million objects in a file, then resumes it, and reports the most
// memory that took.
func BenchmarkTenMillionNames(b *testing.B) {
	const n = 10_000_000
	a, err := digest.Named("md5", 0)
	if err != nil {
		b.Fatal(err)
	}
	b.Chdir(b.TempDir())
	for b.Loop() {
		for _, resume := range []string{"", "m"} {
			begun := time.Now()
			made, err := sums.Make(b.Context(), sums.Making{Algorithm: a, Objects: names(n), Source: treehash.Paths([]string{all}, treehash.Leave),
				Output: "m", Resume: resume, Say: func(t language.Text) { b.Error(t.EN) }})
			if err != nil || made.Lines != n || resume != "" && made.Skipped != n {
				b.Fatalf("%v, %+v", err, made)
			}
			b.Logf("resumed %q: %.0f names/s", resume, n/time.Since(begun).Seconds())
		}
	}
	runtime.GC()
	b.ReportMetric(float64(peakMemory(b))/(1<<20), "MiB-peak")
}
