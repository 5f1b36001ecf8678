package archive

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive/archivetest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/result"
)

// made is a run with so many cells, as read would make it of a file.
func made(run, cells int) *entry {
	m := Machine{Key: "amd64-bench", Label: "bench", Arch: "amd64", CPU: "bench", CPUs: 2}
	e := &entry{machine: m, condition: condition{"6.1.0", "go1.26.7", "v0.1.0", "0x1"}, zstd: make([]byte, 4096)}
	id := keyOf([2]int{run, cells})
	e.run = Run{ID: id + id, Started: began.Add(time.Duration(run) * time.Hour), Suite: "full", Machine: m.Key, Confidence: "good", Rows: cells, Bytes: 1 << 20}
	e.header = e.run.ID
	e.cells = make([]cell, cells)
	for i := range e.cells {
		ns := float64(1000 + i)
		low, high, rate, allocs := ns*0.99, ns*1.01, 1e9/ns, 0.0
		e.cells[i] = cell{
			track: track{m.Key, "modes", result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "encrypt", Bytes: int64(i)},
				result.Subject{Library: "gmsm", CallPath: "go", Implementation: "avx2"}, 1},
			version: fmt.Sprintf("v0.%d.0", run/100), status: result.OK,
			ns:   &document.Estimate{Median: ns, Low: &low, High: &high, Level: 0.99, Clock: "cpu"},
			rate: &rate, allocs: &allocs, samples: 105, blocks: 15, doubts: i % 3,
		}
	}
	return e
}

// places are an empty store of each engine.
func places(b *testing.B, test func(b *testing.B, a *Archive)) {
	b.Run("sqlite", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			a := opened(b, Location{Engine: SQLite, Path: b.TempDir() + "/runs.sqlite"}, Write)
			test(b, a)
		}
	})
	b.Run("postgres", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			test(b, opened(b, Location{Engine: Postgres, URL: archivetest.Database(b)}, Write))
		}
	})
}

// BenchmarkFile files a million cells, those of a thousand runs.
func BenchmarkFile(b *testing.B) {
	const runs, cells = 1000, 1000
	places(b, func(b *testing.B, a *Archive) {
		var took time.Duration
		for first := 0; first < runs; first += mostCells / cells {
			var batch []*entry
			for i := range mostCells / cells {
				batch = append(batch, made(first+i, cells))
			}
			b.StartTimer()
			begun := time.Now()
			if _, err := a.file(context.Background(), batch); err != nil {
				b.Fatal(err)
			}
			took += time.Since(begun)
			b.StopTimer()
		}
		b.ReportMetric(took.Seconds(), "s/million")
		b.StartTimer()
	})
}

// BenchmarkHistory asks for the history of a case over 10,000 runs, of a hundred cases each.
func BenchmarkHistory(b *testing.B) {
	const runs, cells = 10_000, 100
	places(b, func(b *testing.B, a *Archive) {
		for first := 0; first < runs; first += mostCells / cells {
			var batch []*entry
			for i := range mostCells / cells {
				batch = append(batch, made(first+i, cells))
			}
			if _, err := a.file(context.Background(), batch); err != nil {
				b.Fatal(err)
			}
		}
		const asked = 10
		b.StartTimer()
		begun := time.Now()
		for range asked {
			series, err := a.History(context.Background(), Filter{Cases: []string{"SM4-CTR/encrypt/50"}})
			if err != nil || len(series) != 1 || len(series[0].Points) != runs {
				b.Fatal(len(series), err)
			}
		}
		b.ReportMetric(time.Since(begun).Seconds()*1e3/asked, "ms/history")
		b.StopTimer()
		page, total, err := a.Runs(context.Background(), RunQuery{Limit: 100})
		if err != nil || len(page) != 100 || total != runs {
			b.Fatal(len(page), total, err)
		}
		b.StartTimer()
	})
}

var nothing document.Comparison
