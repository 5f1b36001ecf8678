package archive

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive/archivetest"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/store"
	"github.com/cryptogauge/cryptogauge/result"
)

func TestMain(m *testing.M) {
	if place := os.Getenv(writerPlace); place != "" { // a process that a test kills
		os.Exit(writeOn(place))
	}
	os.Exit(archivetest.Main(m))
}

// engines runs a test on an empty store of each engine.
func engines(t *testing.T, test func(t *testing.T, at Location)) {
	t.Run("sqlite", func(t *testing.T) {
		test(t, Location{Engine: SQLite, Path: filepath.Join(t.TempDir(), "made", "runs.sqlite")})
	})
	t.Run("postgres", func(t *testing.T) {
		at, err := Parse(archivetest.Database(t))
		if err != nil {
			t.Fatal(err)
		}
		test(t, at)
	})
}

func opened(t testing.TB, at Location, access Access) *Archive {
	t.Helper()
	a, err := Open(context.Background(), at, Options{Access: access})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

var began = time.Date(2026, 3, 1, 2, 0, 0, 0, time.UTC)

// night is a run of two libraries on one case, made on a day.
func night(day int, change func(*documenttest.Fixture)) *result.Run {
	f := documenttest.NewFixture(15, 4)
	f.Run.Header.Started = began.AddDate(0, 0, day)
	f.Run.Header.Seed = uint64(day)
	f.Run.Header.Machine.Kernel, f.Run.Header.Machine.GoVersion = "6.1.0", "go1.26.7"
	c := result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "encrypt", Bytes: 16384}
	a := f.Trial("modes", c, result.Subject{Library: "gmsm", Version: "v0.43.0"}, documenttest.Plan{NS: 20000})
	b := f.Trial("modes", c, result.Subject{Library: "tjfoc", Version: "v1.4.1"}, documenttest.Plan{NS: 90000})
	f.Group("modes", "SM4-CTR", "", []int{a, b}, result.Pair{Base: a, Other: b, Headline: true})
	if change != nil {
		change(f)
	}
	f.Measure()
	return f.End()
}

// folder writes a run into a folder of its own.
func folder(t testing.TB, run *result.Run) string {
	t.Helper()
	f, err := store.Create(t.TempDir(), "quick", run.Header.Started)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.RunPath(), file(t, run), 0o644); err != nil {
		t.Fatal(err)
	}
	return f.Path
}

// file is a run as it is written.
func file(t testing.TB, run *result.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := documenttest.Write(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFileAndExport(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		ctx := context.Background()
		a := opened(t, at, Write)
		path := folder(t, night(0, nil))
		filed, err := a.File(ctx, path)
		if err != nil || filed.Known || filed.Run.Rows != 2 {
			t.Fatalf("%+v, %v", filed, err)
		}
		again, err := a.File(ctx, filepath.Join(path, store.RunFile))
		if err != nil || !again.Known || again.Run.ID != filed.Run.ID {
			t.Fatalf("%+v, %v", again, err)
		}
		var b bytes.Buffer
		if err := a.Export(ctx, filed.Run.Short(), &b); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(path, store.RunFile))
		if err != nil || !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%d bytes came back of %d", b.Len(), len(want))
		}
		runs, total, err := a.Runs(ctx, RunQuery{})
		if err != nil || total != 1 || !reflect.DeepEqual(runs, []Run{filed.Run}) {
			t.Errorf("%+v, %v", runs, err)
		}
		cells, err := a.Cells(ctx, CellQuery{Run: filed.Run.ID})
		if err != nil || len(cells) != 2 || cells[0].NsPerOp == nil || cells[0].Row != "modes/SM4-CTR/encrypt/16384/gmsm@v0.43.0/go" {
			t.Errorf("%+v, %v", cells, err)
		}
	})
}
