package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/archive/archivetest"
	"github.com/cryptogauge/cryptogauge/internal/command/scripts"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/store"
	"github.com/cryptogauge/cryptogauge/result"
)

func TestMain(m *testing.M) { os.Exit(archivetest.Main(m)) }

// withRuns adds runs and databases to what scripts have:
//
//	nights DIR FROM TO   a run a night, from night FROM on and before TO, counted from 2026-03-01, in a folder each below DIR
//	database NAME        the variable NAME is the URL of an empty database
//	server NAME          likewise, on a server of the script's own, which takes no user locked without a password
//	server stop|start    ends it, or starts it again
//	checks STORE         prints what checks found, a line each: verdict, severity, runs
//
// On night 18 the library gmsm has a new version, by which CTR takes 1.05 times as long; from night 25 on
// the GCM of tjfoc gives a wrong output. Nothing else changes but by noise of 1 %.
func withRuns(t *testing.T, commands map[string]func(*testscript.TestScript, bool, []string)) map[string]func(*testscript.TestScript, bool, []string) {
	commands["nights"] = nights
	commands["database"] = func(ts *testscript.TestScript, neg bool, args []string) {
		scripts.Usage(ts, !neg && len(args) == 1, "database NAME")
		ts.Setenv(args[0], archivetest.Database(t))
	}
	commands["server"] = func(ts *testscript.TestScript, neg bool, args []string) {
		scripts.Usage(ts, !neg && len(args) == 1, "server NAME|stop|start")
		of, _ := servers.Load(ts.MkAbs("."))
		switch args[0] {
		case "stop":
			of.(*archivetest.Server).Stop()
		case "start":
			ts.Check(of.(*archivetest.Server).Start())
		default:
			s := archivetest.Own(t)
			servers.Store(ts.MkAbs("."), s)
			ts.Setenv(args[0], s.Database(t, "bench"))
			ts.Setenv("LOCKED", s.URL(archivetest.Locked, "bench"))
			ts.Setenv("PASSWORD", archivetest.Password)
		}
	}
	commands["checks"] = func(ts *testscript.TestScript, neg bool, args []string) {
		scripts.Usage(ts, !neg && len(args) == 1, "checks STORE")
		at, err := archive.Parse(args[0])
		ts.Check(err)
		at.Path = ts.MkAbs(at.Path)
		a, err := archive.Open(context.Background(), at, archive.Options{})
		ts.Check(err)
		defer a.Close()
		list, err := a.Checks(context.Background(), archive.CheckQuery{})
		ts.Check(err)
		for _, c := range list {
			fmt.Fprintln(ts.Stdout(), c.Verdict, c.Severity, len(c.Runs))
		}
	}
	return commands
}

// servers are those of scripts, by their folders.
var servers sync.Map

// Nights at which something changes.
const (
	nightOfVersion = 18
	nightOfWrong   = 25
)

func nights(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, !neg && len(args) == 3, "nights DIR FROM TO")
	from, err := strconv.Atoi(args[1])
	ts.Check(err)
	to, err := strconv.Atoi(args[2])
	ts.Check(err)
	for n := from; n < to; n++ {
		run := nightly(n)
		folder, err := store.Create(ts.MkAbs(args[0]), "quick", run.Header.Started)
		ts.Check(err)
		f, err := os.Create(filepath.Join(folder.Path, store.RunFile))
		ts.Check(err)
		ts.Check(documenttest.Write(f, run))
		ts.Check(f.Close())
	}
}

func nightly(n int) *result.Run {
	rng := rand.New(rand.NewPCG(uint64(n), 11))
	f := documenttest.NewFixture(15, 3)
	h := &f.Run.Header
	h.Started, h.Seed, h.Title = time.Date(2026, 3, 1+n, 2, 0, 0, 0, time.UTC), uint64(n), fmt.Sprintf("night %d", n)
	h.Machine.Kernel, h.Machine.GoVersion, h.Machine.Cgroup.QuotaCPUs = "6.1.0-30", "go1.26.7", 0
	version := "v0.43.0"
	if n >= nightOfVersion {
		version = "v0.44.0"
	}
	for _, of := range []struct {
		mode string
		size int64
		ns   float64
	}{{"CTR", 1024, 1500}, {"CTR", 16384, 20000}, {"GCM", 16384, 30000}} {
		c := result.Case{Algorithm: "SM4", Mode: of.mode, Operation: "encrypt", Bytes: of.size}
		slower := 1.0
		if of.mode == "CTR" && n >= nightOfVersion {
			slower = 1.05
		}
		a := f.Trial("modes", c, result.Subject{Library: "gmsm", Version: version}, documenttest.Plan{NS: of.ns * slower * (1 + 0.01*rng.NormFloat64())})
		b := f.Trial("modes", c, result.Subject{Library: "tjfoc", Version: "v1.4.1"}, documenttest.Plan{NS: 4 * of.ns * (1 + 0.01*rng.NormFloat64())})
		f.Group("modes", c.Name(), "", []int{a, b}, result.Pair{Base: a, Other: b, Headline: true})
		if of.mode == "GCM" && n >= nightOfWrong {
			f.Status(b, result.Incorrect, "wrong tag")
		}
	}
	x := f.Trial("modes", result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "encrypt", Bytes: 64}, result.Subject{Library: "gmsm", Version: version}, documenttest.Plan{NS: 100})
	y := f.Trial("modes", result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "encrypt", Bytes: 64}, result.Subject{Library: "gmsm", Version: version}, documenttest.Plan{NS: 100})
	f.Group("modes", "equal", result.KindNoise, []int{x, y})
	f.Measure()
	return f.End()
}
