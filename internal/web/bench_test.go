package web

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/archive/archivetest"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/result"
)

// many files so many small runs. CRYPTOGAUGE_BENCH_STORE names a SQLite file that is kept, for a server of one's own.
func many(b *testing.B, at archive.Location, runs int) {
	b.Helper()
	dir := b.TempDir()
	var paths []string
	for n := range runs {
		f := documenttest.NewFixture(6, 1)
		h := &f.Run.Header
		h.Seed, h.Title, h.Started = uint64(n), fmt.Sprintf("night %d of many", n), time.Date(2020, 1, 1, n, 0, 0, 0, time.UTC)
		for size := range 10 {
			f.Trial("modes", documenttest.SM4("CTR", int64(64<<size)), documenttest.GMSM, documenttest.Plan{NS: float64(int(100) << size)})
		}
		path := filepath.Join(dir, fmt.Sprint(n), "run.jsonl")
		write(b, path, f.End())
		paths = append(paths, path)
	}
	a, err := archive.Open(context.Background(), at, archive.Options{Access: archive.Write})
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close()
	err = a.Import(context.Background(), paths, func(_ string, _ archive.Filed, err error) {
		if err != nil {
			b.Fatal(err)
		}
	})
	if err != nil {
		b.Fatal(err)
	}
}

func write(b *testing.B, path string, run *result.Run) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if err := documenttest.Write(f, run); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkPages asks for pages of a store of 10,000 runs, one after the other, on one CPU. It says what a page takes, and
// how much memory the program holds at the end.
func BenchmarkPages(b *testing.B) {
	for _, engine := range []archive.Engine{archive.SQLite, archive.Postgres} {
		at := archive.Location{Engine: engine, Path: filepath.Join(b.TempDir(), "runs.sqlite")}
		switch kept := os.Getenv("CRYPTOGAUGE_BENCH_STORE"); {
		case engine == archive.Postgres:
			at.URL = archivetest.Database(b)
		case kept != "":
			at.Path = kept
		}
		if _, err := os.Stat(at.Path); err != nil || engine == archive.Postgres {
			many(b, at, 10_000)
		}
		s, _ := serving(b, at)
		h := s.Handler()
		report := "/runs/" + idOf(b, at, titled("night 17 of many"))
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		for _, page := range []struct{ name, path string }{
			{"list", "/"}, {"found", "/?q=night+99"}, {"deep", "/?after=" + idOf(b, at, titled("night 17 of many"))}, {"report", report},
			{"cases", "/history"}, {"history", "/history?case=SM4-CTR/encrypt/1024/"}, {"machines", "/machines"},
		} {
			b.Run(string(engine)+"/"+page.name, func(b *testing.B) {
				for b.Loop() {
					s.pages = newCache(mostCached) // else it is made once
					if answer, _ := asked(b, h, page.path, header("Accept-Encoding", "gzip")); answer.StatusCode != http.StatusOK {
						b.Fatal(answer.Status)
					}
				}
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "ms/page")
				b.ReportMetric(float64(m.Sys)/(1<<20), "MiB")
			})
		}
		b.Run(string(engine)+"/kept", func(b *testing.B) {
			for b.Loop() {
				if answer, _ := asked(b, h, "/", header("Accept-Encoding", "gzip")); answer.StatusCode != http.StatusOK {
					b.Fatal(answer.Status)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}
