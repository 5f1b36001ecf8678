package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/cryptogauge/cryptogauge/internal/check"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/store"
	"github.com/cryptogauge/cryptogauge/result"
)

func filed(t *testing.T, a *Archive, run *result.Run) Run {
	t.Helper()
	f, err := a.File(context.Background(), folder(t, run))
	if err != nil || f.Known {
		t.Fatalf("%+v, %v", f, err)
	}
	return f.Run
}

// TestGrowing: of a run in the making the longest file is kept, whatever is filed first, and another run with the same
// first line is another run.
func TestGrowing(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		ctx := context.Background()
		a := opened(t, at, Write)
		text := file(t, night(0, nil))
		path := filepath.Join(t.TempDir(), store.RunFile)
		write := func(n int) Filed {
			t.Helper()
			if err := os.WriteFile(path, text[:n], 0o644); err != nil {
				t.Fatal(err)
			}
			f, err := a.File(ctx, path)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		half, more := len(text)/2, len(text)*3/4
		if f := write(half); f.Known || !f.Run.Open || !f.Run.Partial || f.Run.Bytes != int64(half) {
			t.Errorf("half: %+v", f)
		}
		if f := write(more); !f.Replaced || !f.Run.Open {
			t.Errorf("more: %+v", f)
		}
		if f := write(half); !f.Known || f.Run.Bytes != int64(more) {
			t.Errorf("half again: %+v", f)
		}
		if f := write(len(text)); !f.Replaced || f.Run.Open || f.Run.Partial {
			t.Errorf("all: %+v", f)
		}
		if f := write(more); !f.Known || f.Run.Bytes != int64(len(text)) {
			t.Errorf("more again: %+v", f)
		}
		whole(t, a, 1)
		other := bytes.Replace(text[:half], []byte(`{"s":[0,0,0,`), []byte(`{"s":[1,0,0,`), 1)
		if bytes.Equal(other, text[:half]) {
			t.Fatal("no sample was changed")
		}
		if err := os.WriteFile(path, other, 0o644); err != nil {
			t.Fatal(err)
		}
		if f, err := a.File(ctx, path); err != nil || f.Known || f.Replaced {
			t.Errorf("another with the same first line: %+v, %v", f, err)
		}
		whole(t, a, 2)
	})
}

func TestGrowingWithinABatch(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		a := opened(t, at, Write)
		text := file(t, night(0, nil))
		var paths []string
		for _, n := range []int{len(text) / 2, len(text), len(text) / 2} {
			path := filepath.Join(t.TempDir(), store.RunFile)
			if err := os.WriteFile(path, text[:n], 0o644); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		}
		broken := filepath.Join(t.TempDir(), "notes.txt")
		if err := os.WriteFile(broken, []byte("notes"), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, folder(t, night(1, nil)), broken, folder(t, night(1, nil)))
		var told []string
		err := a.Import(context.Background(), paths, func(path string, f Filed, err error) {
			told = append(told, fmt.Sprintf("%v %v %v", f.Known, f.Replaced, err != nil))
		})
		want := []string{"false false false", "false true false", "true false false", "false false false", "false false true", "true false false"}
		if err != nil || !slices.Equal(told, want) {
			t.Errorf("%q, %v", told, err)
		}
		whole(t, a, 2)
	})
}

func TestRunsByPage(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		ctx := context.Background()
		a := opened(t, at, Write)
		const days = 9
		for i := range days {
			filed(t, a, night([]int{3, 1, 4, 1, 5, 9, 2, 6, 8}[i], func(f *documenttest.Fixture) {
				f.Run.Header.Seed = uint64(100 + i) // two runs began at once
				f.Run.Header.Title = fmt.Sprintf("Night_%d of 100%%", i)
				if i == 4 {
					f.Run.Header.Machine.CPU.Allowed = 64
					f.Run.Header.Machine.Cgroup.QuotaCPUs = 0
					f.Status(1, result.Incorrect, "output differs")
				}
			}))
		}
		all, total, err := a.Runs(ctx, RunQuery{})
		if err != nil || total != days || !slices.IsSortedFunc(all, func(a, b Run) int { return b.Started.Compare(a.Started) }) {
			t.Fatalf("%d of %d, %v", len(all), total, err)
		}
		var paged []Run
		q := RunQuery{Limit: 2}
		for {
			page, of, err := a.Runs(ctx, q)
			if err != nil || of != days || len(page) > 2 {
				t.Fatalf("%d of %d, %v", len(page), of, err)
			}
			if len(page) == 0 {
				break
			}
			paged, q.After = append(paged, page...), &page[len(page)-1]
		}
		if !slices.EqualFunc(paged, all, func(a, b Run) bool { return a.ID == b.ID }) {
			t.Errorf("pages have %d runs, not the %d of the list", len(paged), len(all))
		}
		for _, test := range []struct {
			q    RunQuery
			want int
		}{
			{RunQuery{Text: "night_"}, days}, {RunQuery{Text: "NIGHT_3"}, 1}, {RunQuery{Text: "night%3"}, 0}, {RunQuery{Text: "100%"}, days}, {RunQuery{Text: "quick"}, days},
			{RunQuery{Suite: "quick"}, days}, {RunQuery{Suite: "full"}, 0}, {RunQuery{WrongOnly: true}, 1}, {RunQuery{Machine: all[0].Machine}, days - 1},
			{RunQuery{Since: began.AddDate(0, 0, 5)}, 4}, {RunQuery{Until: began.AddDate(0, 0, 5)}, 5}, {RunQuery{SecondOf: all[0].ID}, 0},
		} {
			runs, total, err := a.Runs(ctx, test.q)
			if err != nil || len(runs) != test.want || total != test.want {
				t.Errorf("%+v: %d of %d, %v", test.q, len(runs), total, err)
			}
		}
		machines, err := a.Machines(ctx)
		if err != nil || len(machines) != 2 || machines[0].Runs+machines[1].Runs != days || machines[0].Kernel != "6.1.0" || !machines[0].Last.Equal(all[0].Started) {
			t.Errorf("%+v, %v", machines, err)
		}
		totals, err := a.Totals(ctx)
		if err != nil || totals.Runs != days || totals.Cells != 2*days || totals.Machines != 2 || totals.Bytes < 1000 {
			t.Errorf("%+v, %v", totals, err)
		}
	})
}

func TestFind(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		ctx := context.Background()
		a := opened(t, at, Write)
		r := filed(t, a, night(0, nil))
		for _, id := range []string{r.ID, r.Short(), r.ID[:6], strings.ToUpper(r.ID)} {
			if found, err := a.Find(ctx, id); err != nil || found.ID != r.ID {
				t.Errorf("%s: %v", id, err)
			}
		}
		for _, id := range []string{"", r.ID[:5], "000000", r.ID + "0", "latest", "%%%%%%", "../../etc"} {
			if _, err := a.Find(ctx, id); !errors.Is(err, ErrUnknown) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: %v", id, err)
			}
			if err := a.Export(ctx, id, io.Discard); !errors.Is(err, ErrUnknown) {
				t.Errorf("%q: %v", id, err)
			}
		}
	})
}

// TestCellsAreTheDocuments: the rows of a store are those of the run's document, number for number.
func TestCellsAreTheDocuments(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		ctx := context.Background()
		a := opened(t, at, Write)
		run := night(0, func(f *documenttest.Fixture) {
			c := result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "seal", Bytes: 1024}
			wrong := f.Trial("modes", c, result.Subject{Library: "tjfoc", Version: "v1.4.1"}, documenttest.Plan{NS: 100})
			f.Status(wrong, result.Incorrect, "output differs")
			c.Bytes = 64
			f.Trial("modes", c, result.Subject{Library: "tjfoc", Version: "v1.4.1"}, documenttest.Plan{NS: 100}) // withheld: the same code
			f.Trial("modes", c, result.Subject{Library: "go", Version: "go1.26.7"}, documenttest.Plan{Silent: true})
			twin := f.Trial("modes", result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "encrypt", Bytes: 16384}, result.Subject{Library: "gmsm", Version: "v0.43.0"}, documenttest.Plan{NS: 20000})
			f.Group("modes", "equal", result.KindNoise, []int{0, twin})
		})
		r := filed(t, a, run)
		doc := document.Build(run)
		cells, err := a.Cells(ctx, CellQuery{Run: r.ID})
		if err != nil || len(cells) != len(doc.Rows) {
			t.Fatalf("%d cells of %d rows, %v", len(cells), len(doc.Rows), err)
		}
		for i, c := range cells {
			row := doc.Rows[i]
			e, f := c.NsPerOp, row.NsPerOp
			same := (e == nil) == (f == nil) && (e == nil || e.Median == f.Median && *e.Low == *f.Low && *e.High == *f.High && e.Level == f.Level && e.Clock == f.Clock)
			if !same || c.Row != row.ID || c.Status != row.Status || c.Withheld != row.Withheld || c.Trial != i || c.Warnings != len(row.Warnings) || c.Blocks != row.Blocks {
				t.Errorf("%+v\nis row %+v", c, row)
			}
		}
		if cells[2].NsPerOp != nil || cells[3].NsPerOp != nil || !cells[3].Withheld || cells[5].Row != cells[0].Row+"#2" || !cells[5].Harness || r.Wrong != 1 {
			t.Errorf("%+v", cells)
		}
		one, err := a.Cells(ctx, CellQuery{Run: r.ID, Filter: Filter{Libraries: []string{"TJFOC"}, Cases: []string{"sm4-gcm/seal"}, Sizes: []int64{64}}})
		if err != nil || len(one) != 1 || one[0].Case.Bytes != 64 {
			t.Errorf("%+v, %v", one, err)
		}
		pairs, err := a.Comparisons(ctx, r.ID)
		if err != nil || len(pairs) != len(doc.Comparisons) {
			t.Fatalf("%+v, %v", pairs, err)
		}
		p, d := pairs[0], doc.Comparisons[0]
		if p.Ratio != d.Ratio || *p.Low != *d.Low || p.Verdict != d.Verdict || p.Base != 0 || p.Other != 1 || !p.Headline {
			t.Errorf("%+v is %+v", p, d)
		}
	})
}

// TestScenarios: metrics, percentiles and the histograms themselves.
func TestScenarios(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		ctx := context.Background()
		a := opened(t, at, Write)
		h := hdrhistogram.New(1, 1<<40, digits)
		for i := range int64(1000) {
			_ = h.RecordValues(i*i+50, 1+i%3)
		}
		var buckets [][2]int64
		for _, b := range h.Distribution() {
			if b.Count > 0 {
				buckets = append(buckets, [2]int64{b.From, b.Count})
			}
		}
		run := night(0, func(f *documenttest.Fixture) {
			s := f.Trial("service", result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "serve", Bytes: 1024}, result.Subject{Library: "gmsm"}, documenttest.Plan{Silent: true})
			for block := range 15 {
				f.Run.Records = append(f.Run.Records, result.Record{Trial: s, Block: block,
					Metrics:    []result.Metric{{Name: "rate", Value: float64(1000 + block), Unit: "1/s"}},
					Histograms: []result.Histogram{{Name: "latency", Unit: "ns", Buckets: buckets}}})
			}
		})
		r := filed(t, a, run)
		doc := document.Build(run)
		cells, err := a.Cells(ctx, CellQuery{Run: r.ID})
		if err != nil || len(cells) != 3 {
			t.Fatalf("%+v, %v", cells, err)
		}
		m, want := cells[2].Metrics["rate"], doc.Rows[2].Metrics["rate"]
		if m.Value != want.Value || *m.Low != *want.Low || m.Level != want.Level || m.Unit != "1/s" {
			t.Errorf("%+v is %+v", m, want)
		}
		ds, err := a.Distributions(ctx, r.ID)
		if err != nil || len(ds) != 1 || ds[0].RowID != doc.Distributions[0].RowID || ds[0].P50 != doc.Distributions[0].P50 || *ds[0].P999 != *doc.Distributions[0].P999 || ds[0].Trial != 2 {
			t.Fatalf("%+v, %v", ds, err)
		}
		back, err := hdrhistogram.Decode(ds[0].Histogram)
		if err != nil || back.TotalCount() != 15*h.TotalCount() {
			t.Fatalf("%v", err)
		}
		for _, q := range []float64{1, 50, 99, 99.9, 100} {
			if got, want := back.ValueAtQuantile(q), h.ValueAtQuantile(q); got != want {
				t.Errorf("quantile %g is %d, want %d", q, got, want)
			}
		}
		latest, err := a.Latest(ctx, CellQuery{Filter: Filter{Experiments: []string{"service"}}})
		if err != nil || len(latest) != 1 || latest[0].Metrics["rate"].Value != want.Value {
			t.Errorf("%+v, %v", latest, err)
		}
	})
}

func TestLatest(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		ctx := context.Background()
		a := opened(t, at, Write)
		kernel := func(name, version string) func(*documenttest.Fixture) {
			return func(f *documenttest.Fixture) {
				f.Run.Trials[0].Subject.Implementation, f.Run.Trials[0].Subject.Version = name, version
			}
		}
		filed(t, a, night(2, kernel("avx2+gfni", "v0.44.0")))
		filed(t, a, night(1, kernel("avx2", "v0.43.0"))) // an older run, filed later
		partial := night(3, kernel("avx2+gfni", "v0.44.0"))
		partial.End, partial.Closed, partial.Samples, partial.Opened = nil, nil, nil, nil
		filed(t, a, partial)
		cells, err := a.Latest(ctx, CellQuery{})
		if err != nil || len(cells) != 2 {
			t.Fatalf("%+v, %v", cells, err)
		}
		for _, c := range cells {
			if !c.Started.Equal(began.AddDate(0, 0, 2)) || c.NsPerOp == nil || c.Subject.Library == "gmsm" && c.Subject.Version != "v0.44.0" {
				t.Errorf("%+v", c)
			}
		}
		if cells, err = a.Latest(ctx, CellQuery{Filter: Filter{Until: began.AddDate(0, 0, 2), Libraries: []string{"gmsm"}}}); err != nil || len(cells) > 1 {
			t.Errorf("%+v, %v", cells, err)
		}
	})
}

// TestHistory: points in order of time with what was recorded, one series though the library chose another kernel.
func TestHistory(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		ctx := context.Background()
		a := opened(t, at, Write)
		for _, day := range []int{4, 0, 3, 1, 2} {
			filed(t, a, night(day, func(f *documenttest.Fixture) {
				s := &f.Run.Trials[0].Subject
				if s.Implementation = "avx2"; day >= 3 {
					s.Implementation, s.Version, f.Plans[0].NS, f.Run.Header.Machine.Kernel = "avx2+gfni", "v0.44.0", 10000, "6.6.0"
				}
				side := f.Run.Trials[1]
				side.Subject.Environment, side.Index = "side=A", len(f.Run.Trials)
				f.Run.Trials, f.Plans = append(f.Run.Trials, side), append(f.Plans, f.Plans[1])
			}))
		}
		series, err := a.History(ctx, Filter{Cases: []string{"SM4-CTR"}})
		if err != nil || len(series) != 2 {
			t.Fatalf("%d series, %v", len(series), err)
		}
		s := series[0]
		if s.Subject.Library != "gmsm" || s.Subject.Implementation != "avx2+gfni" || s.Subject.Version != "" || len(s.Points) != 5 || s.Label == "" {
			t.Fatalf("%+v", s)
		}
		for i, p := range s.Points {
			want := map[bool]Point{false: {Version: "v0.43.0", Implementation: "avx2", Kernel: "6.1.0"}, true: {Version: "v0.44.0", Implementation: "avx2+gfni", Kernel: "6.6.0"}}[i >= 3]
			if !p.Time.Equal(began.AddDate(0, 0, i)) || p.Version != want.Version || p.Implementation != want.Implementation || p.Kernel != want.Kernel || p.NsPerOp == nil || p.Go != "go1.26.7" {
				t.Errorf("point %d: %+v", i, p)
			}
		}
		if series, err = a.History(ctx, Filter{Since: began.AddDate(0, 0, 1), Until: began.AddDate(0, 0, 3), Libraries: []string{"tjfoc"}}); err != nil || len(series) != 1 || len(series[0].Points) != 2 {
			t.Errorf("%+v, %v", series, err)
		}
		cases, err := a.Cases(ctx, Filter{})
		if err != nil || len(cases) != 1 || cases[0].Machines != 1 || !cases[0].Last.Equal(began.AddDate(0, 0, 4)) {
			t.Errorf("%+v, %v", cases, err)
		}
	})
}

// TestTwoKernels: where a run has both, each is a subject of its own.
func TestTwoKernels(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		a := opened(t, at, Write)
		for day := range 2 {
			filed(t, a, night(day, func(f *documenttest.Fixture) {
				f.Run.Trials[1].Subject = f.Run.Trials[0].Subject
				f.Run.Trials[1].Subject.Implementation = "generic"
			}))
		}
		if series, err := a.History(context.Background(), Filter{}); err != nil || len(series) != 2 {
			t.Errorf("%+v, %v", series, err)
		}
		if cells, err := a.Latest(context.Background(), CellQuery{}); err != nil || len(cells) != 2 {
			t.Errorf("%+v, %v", cells, err)
		}
	})
}

func TestNamed(t *testing.T) {
	c := result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "seal", Bytes: 1024, Parameters: "chunk=4,way=append"}
	for pattern, want := range map[string]bool{
		"AES-128": true, "aes-128-gcm": true, "AES*": true, "*-GCM": true, "*": true, "AES": false, "GCM": false, "AES-128-GCM/seal": true, "AES-128/open": false,
		"AES-128-GCM/seal/1024": true, "*/*/1024": true, "*/seal/102*": true, "*/seal/64": false, "AES-128-GCM/seal/1024/chunk=4,way=append": true, "*/*/*/chunk=4*": true,
		"AES-128-GCM/seal/1024/": false, "AES-12[0-9]": false, "AES-???": false, `\`: false,
	} {
		if named(pattern, c) != want {
			t.Errorf("%q names it: %v", pattern, !want)
		}
	}
	plain := result.Case{Algorithm: "SHA-256", Operation: "hash", Bytes: 64}
	if !named("sha-256/hash/64", plain) || named("sha-256-", plain) {
		t.Error("a case without a mode")
	}
}

// TestSecondLook: the run within the folder of another is that one's second look, and has no place of its own in the list.
func TestSecondLook(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		ctx := context.Background()
		a := opened(t, at, Write)
		first := folder(t, night(0, nil))
		second, err := store.Create(first, "again", began)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(second.RunPath(), file(t, night(1, nil)), 0o644); err != nil {
			t.Fatal(err)
		}
		paths, unread := Found(filepath.Dir(first))
		if len(unread) > 0 || !slices.Equal(paths, []string{first, second.Path}) {
			t.Fatalf("%q, %v", paths, unread)
		}
		if err := a.Import(ctx, paths, func(path string, f Filed, err error) {
			if err != nil || f.Known {
				t.Errorf("%s: %+v, %v", path, f, err)
			}
		}); err != nil {
			t.Fatal(err)
		}
		runs, total, err := a.Runs(ctx, RunQuery{})
		if err != nil || total != 1 || len(runs) != 1 {
			t.Fatalf("%d of %d, %v", len(runs), total, err)
		}
		if again, _, err := a.Runs(ctx, RunQuery{SecondOf: runs[0].ID}); err != nil || len(again) != 1 || again[0].SecondOf != runs[0].ID {
			t.Errorf("%+v, %v", again, err)
		}
		machines, err := a.Machines(ctx)
		if err != nil || len(machines) != 1 || machines[0].Runs != total {
			t.Errorf("%+v, %v, want %d runs as the list has", machines, err, total)
		}
		if totals, err := a.Totals(ctx); err != nil || totals.Runs != total {
			t.Errorf("%+v, %v, want %d runs as the list has", totals, err, total)
		}
		series, err := a.History(ctx, Filter{})
		if err != nil || len(series) == 0 || len(series[0].Points) != 2 || series[0].Points[1].SecondOf != runs[0].ID {
			t.Errorf("%+v, %v", series, err)
		}
	})
}

const checkReport = `{"schema":"cryptogauge.check/1","tool":"v0.1.0","suite":"quick","started":"2026-03-0%dT02:00:00Z","machine":{"arch":"amd64"},"verdict":%q,
"rounds":[{"round":"regression","verdict":"fine","folders":["/elsewhere/%s"],"trials":[{"verdict":"fine"},{"verdict":%q},{"verdict":"gone"}]}]}`

func TestChecks(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		ctx := context.Background()
		a := opened(t, at, Write)
		var runs []string
		for i, verdict := range []string{"fine", "failed", "wrong", "inconclusive"} {
			path := folder(t, night(i, nil))
			trial := map[string]string{"failed": "slower", "wrong": "wrong"}[verdict]
			report := fmt.Sprintf(checkReport, i+1, verdict, filepath.Base(path), trial)
			if err := os.WriteFile(filepath.Join(path, CheckFile), []byte(report), 0o644); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				f, err := a.File(ctx, path)
				if err != nil {
					t.Fatal(err)
				}
				runs = append(runs, f.Run.ID)
			}
		}
		checks, err := a.Checks(ctx, CheckQuery{})
		if err != nil || len(checks) != 4 {
			t.Fatalf("%+v, %v", checks, err)
		}
		for i, want := range []struct {
			verdict               string
			severity              Severity
			wrong, slower, failed int
		}{{"inconclusive", SeverityNote, 0, 0, 1}, {"wrong", SeverityPage, 1, 0, 1}, {"failed", SeverityTicket, 0, 1, 1}, {"fine", SeverityNone, 0, 0, 1}} {
			c := checks[i]
			if c.Verdict != want.verdict || c.Severity != want.severity || c.Wrong != want.wrong || c.Slower != want.slower || c.Failed != want.failed || c.Trials != 3 ||
				!slices.Equal(c.Runs, []string{runs[2*(3-i)]}) {
				t.Errorf("%+v, want %+v", c, want)
			}
		}
		latest, err := a.LatestChecks(ctx)
		if err != nil || len(latest) != 1 || latest[0].ID != checks[0].ID {
			t.Errorf("%+v, %v", latest, err)
		}
		if some, err := a.Checks(ctx, CheckQuery{Suite: "quick", Machine: checks[0].Machine, Since: began.Add(36 * time.Hour), Limit: 1}); err != nil || len(some) != 1 {
			t.Errorf("%+v, %v", some, err)
		}
		path := folder(t, night(9, nil))
		if err := os.WriteFile(filepath.Join(path, CheckFile), []byte(`{"schema":"other"}`), 0o644); err != nil {
			t.Fatal(err)
		}
		if f, err := a.File(ctx, path); err == nil || f.Run.ID == "" {
			t.Errorf("a report that is none: %+v, %v", f, err)
		}
	})
}

// TestReadersChangeNothing: a store that is read is the same file afterwards, and one that may not be written can be read.
func TestReadersChangeNothing(t *testing.T) {
	at := Location{Engine: SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	a := opened(t, at, Write)
	filed(t, a, night(0, nil))
	a.Close()
	before, err := os.ReadFile(at.Path)
	if err != nil {
		t.Fatal(err)
	}
	r := opened(t, at, Read)
	whole(t, r, 1)
	if _, err := r.File(context.Background(), folder(t, night(1, nil))); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a reader files: %v", err)
	}
	r.Close()
	if after, err := os.ReadFile(at.Path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file is another, %v", err)
	}
}

// TestReadWhileWritten: a reader that is open sees what was filed since.
func TestReadWhileWritten(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		a := opened(t, at, Write)
		r := opened(t, at, Read)
		for i := range 3 {
			filed(t, a, night(i, nil))
			whole(t, r, i+1)
		}
	})
}

// TestDamaged: a file that is not what was filed is said to be damaged, and not given out as whole.
func TestDamaged(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		a := opened(t, at, Write)
		r := filed(t, a, night(0, nil))
		other, err := pack(file(t, night(1, nil)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.db.Exec("UPDATE files SET zstd = $1", other); err != nil {
			t.Fatal(err)
		}
		if err := a.Export(context.Background(), r.ID, io.Discard); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%v", err)
		}
		if _, _, err := a.Run(context.Background(), r.ID); err == nil {
			t.Error("it is read")
		}
	})
}

// TestOneSchema: both engines have the same tables.
func TestOneSchema(t *testing.T) {
	names, err := schemas.ReadDir("schema/sqlite")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	as := strings.NewReplacer("INTEGER PRIMARY KEY", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY", " BLOB", " BYTEA")
	for _, name := range names {
		lite, err := schemas.ReadFile("schema/sqlite/" + name.Name())
		if err != nil {
			t.Fatal(err)
		}
		big, err := schemas.ReadFile("schema/postgres/" + name.Name())
		if err != nil || as.Replace(string(lite)) != string(big) {
			t.Errorf("%s differs by more than the names of types, %v", name.Name(), err)
		}
	}
}

// TestVersionsSideBySide: two versions of a library in one run are two subjects, in whatever order they stand.
func TestVersionsSideBySide(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		ctx := context.Background()
		a := opened(t, at, Write)
		for day := range 2 {
			run := night(day, func(f *documenttest.Fixture) {
				for i := range 2 {
					f.Run.Trials[i].Subject = result.Subject{Library: "openssl", Version: []string{"3.0.22", "3.5.0"}[(i+day)%2], CallPath: "cgo"}
				}
			})
			r := filed(t, a, run)
			cells, err := a.Cells(ctx, CellQuery{Run: r.ID})
			doc := document.Build(run)
			if err != nil || len(cells) != 2 || cells[0].Row != doc.Rows[0].ID || cells[1].Row != doc.Rows[1].ID {
				t.Errorf("%+v, %v", cells, err)
			}
		}
		series, err := a.History(ctx, Filter{})
		if err != nil || len(series) != 2 || series[0].Subject.Version != "3.0.22" || len(series[0].Points) != 2 || series[0].Points[1].Version != "3.0.22" {
			t.Errorf("%+v, %v", series, err)
		}
	})
}

// TestCheckWords: reports of checks are read by the names with which they are written.
func TestCheckWords(t *testing.T) {
	if CheckFile != check.ReportFile || checkSchema != check.SchemaReport {
		t.Errorf("%s is %s, %s is %s", CheckFile, check.ReportFile, checkSchema, check.SchemaReport)
	}
	for word, of := range map[string]check.Verdict{verdictFine: check.Fine, verdictWrong: check.Wrong, verdictFailed: check.Failed,
		verdictSlower: check.Slower, verdictAllocates: check.Allocates, verdictUnsteady: check.Unsteady, verdictGone: check.Gone} {
		if word != string(of) {
			t.Errorf("%s is %s", word, of)
		}
	}
}
