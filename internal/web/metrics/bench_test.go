package metrics

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/store"
)

// filled is a SQLite store of runs that began an hour after each other, the last at noon, each of so many cases.
func filled(b *testing.B, runs, cases int) *archive.Archive {
	b.Helper()
	a, err := archive.Open(b.Context(), archive.Location{Engine: archive.SQLite, Path: filepath.Join(b.TempDir(), "runs.sqlite")},
		archive.Options{Access: archive.Write})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { a.Close() })
	dir := b.TempDir()
	paths := make([]string, 0, 1000)
	for i := range runs {
		paths = append(paths, written(b, filepath.Join(dir, fmt.Sprint(i)), noon.Add(time.Duration(i-runs)*time.Hour), cases))
		if len(paths) < cap(paths) && i < runs-1 {
			continue
		}
		err := a.Import(b.Context(), paths, func(path string, _ archive.Filed, err error) {
			if err != nil {
				b.Fatal(path, err)
			}
			os.RemoveAll(path)
		})
		if err != nil {
			b.Fatal(err)
		}
		paths = paths[:0]
	}
	return a
}

func written(b testing.TB, path string, started time.Time, cases int) string {
	f := documenttest.NewFixture(6, 1)
	f.Run.Header.Started = started
	for i := range cases {
		f.Trial("modes", documenttest.SM4("CTR", int64(16*i)), documenttest.GMSM, documenttest.Plan{NS: 100 + float64(i)})
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		b.Fatal(err)
	}
	file, err := os.Create(filepath.Join(path, store.RunFile))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	if err := documenttest.Write(file, f.End()); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkScrape scrapes a store of 10,000 runs, of 100 cases each: from memory, with a reading of the store, and the
// search for changes, for which no scrape waits.
func BenchmarkScrape(b *testing.B) {
	a := filled(b, 10_000, 100)
	c := Config{MaxCases: 5000, Now: func() time.Time { return noon }}
	b.Run("memory", func(b *testing.B) {
		h := at(a)
		get(b, h, openMetrics)
		for b.Loop() {
			get(b, h, openMetrics)
		}
	})
	b.Run("reading", func(b *testing.B) {
		for b.Loop() {
			if r, err := readStore(b.Context(), a, c); err != nil || len(r.cells) != 100 {
				b.Fatal(err)
			}
		}
	})
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			if _, err := findSlowdowns(b.Context(), a, c); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkMostCases scrapes as many series as there ever are.
func BenchmarkMostCases(b *testing.B) {
	s := full()
	for i := range 5000 {
		s.cells = append(s.cells, cell(int64(i), 1))
	}
	h := at(s)
	for b.Loop() {
		text, _ := get(b, h, openMetrics)
		b.SetBytes(int64(len(text)))
	}
}
