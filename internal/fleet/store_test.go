package fleet

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/archive/archivetest"
	"github.com/cryptogauge/cryptogauge/internal/decide"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/result"
)

func TestMain(m *testing.M) { os.Exit(archivetest.Main(m)) }

// TestStores: of stores of both engines, in which runs of several machines were filed, the answers are those that runs
// in memory have.
func TestStores(t *testing.T) {
	for _, engine := range []archive.Engine{archive.SQLite, archive.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			place := "sqlite:" + filepath.Join(t.TempDir(), "runs.sqlite")
			if engine == archive.Postgres {
				place = archivetest.Database(t)
			}
			at, err := archive.Parse(place)
			if err != nil {
				t.Fatal(err)
			}
			a, err := archive.Open(t.Context(), at, archive.Options{Access: archive.Write})
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			h := &held{}
			for _, m := range []struct {
				product, id string
				f           *documenttest.Fixture
			}{
				{"Cloud fast.large", "run1", measured(1, 20_000, 100, 2)}, {"Cloud cheap.large", "run2", measured(2, 30_000, 150, 2)},
				{"Cloud lone.large", "run3", measured(3, 10_000, 50, 0)}, {"Cloud cheap.large", "run4", measured(4, 31_000, 150, 2)},
			} {
				m.f.Run.Header.Machine.Product, m.f.Run.Header.Machine.Cgroup.QuotaCPUs = m.product, 0
				run := m.f.End()
				file(t, a, run)
				h.add(archive.Machine{Key: m.product, Product: m.product, CPUs: 2}, m.id, run)
			}
			compareStores(t, a, h)
		})
	}
}

// file files a run as the verbs do, from its file.
func file(t *testing.T, a *archive.Archive, run *result.Run) {
	t.Helper()
	var b bytes.Buffer
	w, err := result.NewWriter(&b, run.Header)
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range run.Trials {
		w.Trial(trial)
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
	w.End(*run.End)
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.File(t.Context(), path); err != nil {
		t.Fatal(err)
	}
}

// compareStores holds a store's answers against those of another, whose runs have other names.
func compareStores(t *testing.T, got, want Store) {
	t.Helper()
	csv := func(s Store, w *decide.Workload) string {
		var r *Report
		var err error
		if w != nil {
			r, err = Plans(t.Context(), s, prices(t, list), w)
		} else {
			r, err = Costs(t.Context(), s, prices(t, list), plan.Selection{})
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Cases {
			for j := range r.Cases[i].Rows {
				r.Cases[i].Rows[j].Run = ""
			}
		}
		for _, m := range r.Machines {
			m.Key = ""
		}
		return drawn(t, r, render.FormatCSV, render.Options{})
	}
	w, err := decide.Parse("w.yaml", []byte("rate: 3000/s\nsteps: [{sign: }, {seal: {bytes: 64}}]"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []*decide.Workload{nil, w} {
		if got, want := csv(got, w), csv(want, w); got != want {
			t.Errorf("the store says\n%s\nand the runs\n%s", got, want)
		}
	}
	machines, err := got.Machines(t.Context())
	if err != nil || len(machines) != 3 || !slices.ContainsFunc(machines, func(m archive.Machine) bool { return m.Runs == 2 && m.CPUs == 2 }) {
		t.Errorf("%+v, %v", machines, err)
	}
}
