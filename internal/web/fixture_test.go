package web

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/archive/archivetest"
	"github.com/cryptogauge/cryptogauge/internal/decide"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/live"
	"github.com/cryptogauge/cryptogauge/internal/web/access"
	"github.com/cryptogauge/cryptogauge/result"
)

func TestMain(m *testing.M) { os.Exit(archivetest.Main(m)) }

// hostile is what a stranger may put into any text of a run file: markup, escape sequences, text that is drawn backwards.
const hostile = "\"'><script>window.owned=1</script><img src=x onerror=window.owned=2>\x1b[2J\u202ereversed\u2066 javascript:window.owned=3 {{.Lang}} </title></td>"

// night is a run of some night: the library gmsm is slower from night 12 on, and one output is wrong from night 16 on.
func night(n int) *result.Run {
	rng := rand.New(rand.NewPCG(uint64(n), 5))
	f := documenttest.NewFixture(12, 3)
	h := &f.Run.Header
	h.Started, h.Seed, h.Title = time.Date(2026, 3, 1+n, 2, 0, 0, 0, time.UTC), uint64(n), fmt.Sprintf("night %d", n)
	h.Machine.Kernel, h.Machine.GoVersion = "6.1.0-30", "go1.26.7"
	version, slower := "v0.43.0", 1.0
	if n >= 12 {
		version, slower = "v0.44.0", 1.2
	}
	for _, of := range []struct {
		c  result.Case
		ns float64
	}{
		{documenttest.SM4("CTR", 16384), 20000}, {documenttest.SM4("GCM", 16384), 30000},
		{result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "encrypt-many", Bytes: 4096, Parameters: "keys=64,messages=64,way=kept"}, 90000},
		{result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "encrypt-many", Bytes: 4096, Parameters: "keys=64,messages=64,way=lanes-new"}, 70000},
	} {
		a := f.Trial("modes", of.c, result.Subject{Library: "gmsm", Version: version}, documenttest.Plan{NS: of.ns * slower * (1 + 0.005*rng.NormFloat64())})
		b := f.Trial("modes", of.c, result.Subject{Library: "tjfoc", Version: "v1.4.1"}, documenttest.Plan{NS: 4 * of.ns * (1 + 0.005*rng.NormFloat64())})
		f.Group("modes", of.c.Name(), "", []int{a, b}, result.Pair{Base: a, Other: b, Headline: true})
		if of.c.Mode == "GCM" && of.c.Bytes == 16384 && n >= 16 {
			f.Status(b, result.Incorrect, "wrong tag")
		}
	}
	f.Trial("concurrency", result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "arrival", Bytes: 1024, Parameters: "load=80"},
		result.Subject{Library: "gmsm", Version: version}, documenttest.Plan{Silent: true})
	return f.End()
}

// onOther is a night on another machine.
func onOther(n int) *result.Run {
	run := night(n)
	run.Header.Machine.CPU.Model, run.Header.Machine.Product = "AMD EPYC 9B14", "Cloud big.large with a name that is quite long"
	run.Header.Title, run.Header.Note = "", "two\nlines"
	return run
}

// ofStranger is a run in which every text is hostile.
func ofStranger() *result.Run {
	f := documenttest.NewFixture(12, 3)
	h := &f.Run.Header
	h.Started, h.Title, h.Note, h.Suite, h.Tool = time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), hostile, hostile, hostile, hostile
	h.Machine.Kernel, h.Machine.GoVersion, h.Machine.Product, h.Machine.Hypervisor, h.Machine.CPU.Model = hostile, hostile, hostile, hostile, hostile
	c := result.Case{Algorithm: hostile, Mode: hostile, Operation: hostile, Bytes: 64, Parameters: "x=" + hostile}
	a := f.Trial(hostile, c, result.Subject{Library: hostile, Version: hostile, Implementation: hostile, Environment: hostile}, documenttest.Plan{NS: 100})
	b := f.Trial(hostile, c, result.Subject{Library: "gmsm"}, documenttest.Plan{NS: 200})
	f.Group(hostile, hostile, "", []int{a, b}, result.Pair{Base: a, Other: b, Headline: true})
	return f.End()
}

// ofPlan is the run of a plan of one step.
func ofPlan(t testing.TB) *result.Run {
	t.Helper()
	w, err := decide.Parse("w.yaml", []byte("name: checkout\nrate: 3000/s\nsteps: [{sign: }]"), nil)
	if err != nil {
		t.Fatal(err)
	}
	f := documenttest.NewFixture(12, 4)
	h := &f.Run.Header
	h.Started, h.Suite, h.Command = time.Date(2026, 3, 30, 2, 0, 0, 0, time.UTC), decide.ExperimentName, []string{"plan", "--sign", "--rate", "3000/s"}
	if h.Workload, err = w.Keep(); err != nil {
		t.Fatal(err)
	}
	c := result.Case{Algorithm: "Ed25519", Operation: "sign"}
	group := []int{f.Trial(decide.ExperimentName, c, result.Subject{Library: "go"}, documenttest.Plan{NS: 20000})}
	c.Parameters = "busy=2"
	group = append(group, f.Trial(decide.ExperimentName, c, result.Subject{Library: "go"}, documenttest.Plan{NS: 30000}))
	f.Group(decide.ExperimentName, c.Name(), "", group)
	return f.End()
}

// file files runs in a store, as the verbs do, from their files; it makes the store where there is none.
func file(t testing.TB, at archive.Location, runs ...*result.Run) {
	t.Helper()
	a, err := archive.Open(context.Background(), at, archive.Options{Access: archive.Write})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, run := range runs {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := documenttest.Write(f, run); err != nil {
			t.Fatal(err)
		}
		f.Close()
		if _, err := a.File(context.Background(), path); err != nil {
			t.Fatal(err)
		}
	}
}

// months are nights on two machines, a plan, and what a stranger made.
func months(t testing.TB) (runs []*result.Run) {
	for n := range 20 {
		runs = append(runs, night(n))
	}
	return append(runs, onOther(3), onOther(4), ofPlan(t), ofStranger())
}

// eachEngine runs a test on an empty place of each engine.
func eachEngine(t *testing.T, test func(*testing.T, archive.Location)) {
	t.Run("sqlite", func(t *testing.T) {
		test(t, archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")})
	})
	t.Run("postgres", func(t *testing.T) {
		test(t, archive.Location{Engine: archive.Postgres, URL: archivetest.Database(t)})
	})
}

// clock is a time that a test sets.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// serving makes a server of a store, on loopback.
func serving(t testing.TB, at archive.Location, change ...func(*Options)) (*Server, *clock) {
	t.Helper()
	c := newClock()
	o := Options{At: at, Access: &access.Request{Listen: "127.0.0.1:0"}, Now: c.now, Live: func(time.Time) []live.State { return goingOn(c.now()) }}
	for _, f := range change {
		f(&o)
	}
	if err := o.Access.Check(); err != nil {
		t.Fatal(err)
	}
	s := New(o)
	t.Cleanup(s.Close)
	return s, c
}

// goingOn is a run that has done a quarter of its work.
func goingOn(now time.Time) []live.State {
	return []live.State{{Schema: live.Schema, PID: 7, Verb: "run", Suite: "quick", Started: now.Add(-15 * time.Second), Done: 0.25, Expected: 60,
		Doing: language.Text{EN: "last sample: gmsm SM4-CTR encrypt 16 KiB 800 MB/s " + hostile, ZH: "最近采样：gmsm SM4-CTR 加密 16 KiB 800 MB/s" + hostile}}}
}

// asked is what a request without headers gets, but for those that change sets.
func asked(t testing.TB, h http.Handler, path string, change ...func(*http.Request)) (*http.Response, string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8473"+path, nil)
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	answer := w.Result()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// idOf is the ID of the run that a store lists under a title or suite.
func idOf(t testing.TB, at archive.Location, is func(archive.Run) bool) string {
	t.Helper()
	a, err := archive.Open(context.Background(), at, archive.Options{Access: archive.Read})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	runs, _, err := a.Runs(context.Background(), archive.RunQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		if is(r) {
			return r.Short()
		}
	}
	t.Fatal("there is no such run")
	return ""
}

func titled(title string) func(archive.Run) bool {
	return func(r archive.Run) bool { return r.Title == title }
}
func ofSuite(suite string) func(archive.Run) bool {
	return func(r archive.Run) bool { return strings.HasPrefix(r.Suite, suite) }
}
