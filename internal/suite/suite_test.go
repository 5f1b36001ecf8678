package suite

import (
	"bufio"
	"bytes"
	"context"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/emmansun/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/library"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// The test binary starts itself with these set.
const (
	roleVariable = "CRYPTOGAUGE_TEST_ROLE" // "worker", or "suite": a program that runs one
	pidsVariable = "CRYPTOGAUGE_TEST_PIDS" // file to which each worker appends its number
	fileVariable = "CRYPTOGAUGE_TEST_FILE" // the run file that the suite writes
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "worker":
		notePID()
		worker.EndWith(os.Stdin, func() { os.Exit(0) })
		if err := worker.Serve(os.Stdin, os.Stdout, plantedBench); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "suite":
		if err := runForever(os.Getenv(fileVariable)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	default:
		os.Exit(m.Run())
	}
	os.Exit(0)
}

func notePID() {
	if f, err := os.OpenFile(os.Getenv(pidsVariable), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		fmt.Fprintln(f, os.Getpid())
		f.Close()
	}
}

// plantedBench is the real bench with bad libraries beside the good ones.
func plantedBench(s provider.Setting) worker.Bench {
	foreign := os.Getenv(foreignVariable) != ""
	if foreign {
		s.Seed++
	}
	b := library.Bench(s)
	if leaked() {
		return worker.Bench{}
	}
	if foreign {
		b.Cases = []result.Case{broughtCase}
		b.Libraries = append(b.Libraries, result.Library{Library: "lacking", CallPath: "go", Missing: "not installed"})
	}
	vectors := b.Judge.(provider.Vectors)
	var calls atomic.Int64 // of the library that crashes, soon, however few a sample has
	for name, run := range map[string]func(n int) error{
		"crashing": func(n int) error {
			if calls.Add(int64(n)) > 3 {
				fmt.Fprintln(os.Stderr, "SIGSEGV: planted")
				os.Exit(3)
			}
			return nil
		},
		"hanging":    func(n int) error { select {} },
		"panicking":  func(n int) error { panic("planted\nin two lines") },
		"babbling":   func(n int) error { fmt.Println("library loaded"); return nil },
		"well-liked": func(n int) error { return nil },
	} {
		b.Providers = append(b.Providers, plant{name: name, vectors: vectors, before: run})
	}
	b.Providers = append(b.Providers, plant{name: "lying", vectors: vectors, wrap: func(b cipher.Block) cipher.Block { return &liar{Block: b} }},
		plant{name: "stubborn", vectors: vectors, open: func() { select {} }}, allocating{vectors})
	for _, p := range b.Providers {
		if s := p.Subject(); s.Version == "planted" {
			b.Libraries = append(b.Libraries, result.Library{Library: s.Library, Version: s.Version, CallPath: s.CallPath})
		}
	}
	return b
}

// plant is gmsm's SM4-CBC with something planted before each Run, around the
// block cipher, or in Open.
type plant struct {
	name    string
	vectors provider.Vectors
	before  func(n int) error
	wrap    func(cipher.Block) cipher.Block
	open    func()
}

func (p plant) Subject() result.Subject {
	return result.Subject{Library: p.name, Version: "planted", CallPath: "go"}
}

func (p plant) Open(c result.Case) (provider.Operation, error) {
	if c.Algorithm == "SM4" && p.open != nil {
		p.open()
	}
	if c == broughtCase && p.name == "well-liked" {
		return telegram{}, nil
	}
	if c.Algorithm != "SM4" || c.Mode != "CBC" || c.Operation != "encrypt" {
		return nil, provider.Absent("foreign", "a plant has SM4-CBC encryption alone")
	}
	op, err := loop.BlockCipher{New: func(key []byte) (cipher.Block, error) {
		b, err := sm4.NewCipher(key)
		if err == nil && p.wrap != nil {
			b = p.wrap(b)
		}
		return b, err
	}}.Open(c, p.vectors)
	if err != nil || p.before == nil {
		return op, err
	}
	return plantedOp{op, p.before}, nil
}

type plantedOp struct {
	provider.Operation
	before func(n int) error
}

func (o plantedOp) Run(n int) error {
	if err := o.before(n); err != nil {
		return err
	}
	return o.Operation.Run(n)
}

// liar is right until it is believed.
type liar struct {
	cipher.Block
	blocks int
}

func (l *liar) Encrypt(dst, src []byte) {
	l.Block.Encrypt(dst, src)
	if l.blocks++; l.blocks > 200 {
		dst[3] ^= 1
	}
}

// command starts this binary as a worker, with more in its environment.
func command(env ...string) func(plan.WorkerKey) worker.Command {
	return func(plan.WorkerKey) worker.Command {
		return worker.Command{Path: os.Args[0], Env: append(os.Environ(), append(env, roleVariable+"=worker")...)}
	}
}

// tiny is one block of SM4-CBC encryption of 1 KiB by the named libraries. The
// deadline is long for a worker that is well on a busy machine, and short for a
// test that waits for it once.
func tiny(env []string, libraries ...string) Config {
	return Config{Name: "modes", Experiments: question.All(), Setting: provider.Setting{Seed: 7}, Tool: "test", Typed: []string{"run"},
		Selection: plan.Selection{Algorithms: []string{"SM4"}, Modes: []string{"CBC"}, Operations: []string{"encrypt"},
			Libraries: libraries, Sizes: []int64{1 << 10}},
		Blocks: 1, Rounds: 2, Target: time.Millisecond, Deadline: time.Minute, Command: command(env...)}
}

// measured runs a config into a file in memory and reads it back. No worker may be left.
func measured(t *testing.T, cfg Config) (*result.Run, Outcome) {
	t.Helper()
	pids := filepath.Join(t.TempDir(), "pids")
	start := cfg.Command
	cfg.Command = func(k plan.WorkerKey) worker.Command {
		c := start(k)
		c.Env = append(c.Env, pidsVariable+"="+pids)
		return c
	}
	s, err := Prepare(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	o, err := s.Run(context.Background(), &file, nil)
	if err != nil {
		t.Fatal(err)
	}
	run, err := result.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	allGone(t, pids)
	return run, o
}

// allGone says that the processes listed in a file have ended, or do within 2 s
// and what a busy machine adds.
func allGone(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	end := time.Now().Add(time.Minute)
	for word := range strings.FieldsSeq(string(text)) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		for alive(pid) && time.Now().Before(end) {
			time.Sleep(10 * time.Millisecond)
		}
		if alive(pid) {
			t.Errorf("worker %d was left behind", pid)
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// alive is false for a dead process that its adopter has not reaped: the first
// process of a container may reap nobody.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ")
	f := strings.Fields(rest)
	return err != nil || len(f) < 2 || f[0] != "Z" || f[1] == strconv.Itoa(os.Getpid())
}

// row is what a run file says of one trial.
type row struct {
	info            result.TrialInfo
	status          result.Status
	reason          string
	samples, closed int
}

// rounds is how many the trial has where others have n: the A/A pair's are three at least.
func (r row) rounds(n int) int {
	if r.info.Loop == "planted" {
		return max(n, 3)
	}
	return n
}

func rows(run *result.Run, library string) (found []row) {
	for i, info := range run.Trials {
		if info.Subject.Library != library {
			continue
		}
		r := row{info: info, status: result.OK}
		for _, s := range run.Statuses {
			if s.Trial == i {
				r.status, r.reason = s.Status, s.Reason
			}
		}
		rounds := map[[2]int32]bool{} // a contended sample is taken again
		for _, s := range run.Samples {
			if int(s.Trial) == i {
				rounds[[2]int32{s.Block, s.Round}] = true
			}
		}
		r.samples = len(rounds)
		for _, c := range run.Closed {
			if c.Trial == i {
				r.closed++
			}
		}
		found = append(found, r)
	}
	return found
}

// TestTinyRun runs real libraries in real workers, and looks at all of the file.
func TestTinyRun(t *testing.T) {
	t.Parallel()
	cfg := tiny(nil, "gmsm", "tjfoc")
	cfg.Selection.Sizes = []int64{16, 1 << 10}
	cfg.Selection.Operations = nil
	run, o := measured(t, cfg)
	if run.Partial() || o.Interrupted || len(o.Reasons) != 0 || len(run.Statuses) != 0 {
		t.Errorf("%+v, end %+v, %+v", o, run.End, run.Statuses)
	}
	h := run.Header
	if h.Seed != 7 || h.Suite != "modes" || h.Tool != "test" || !slices.Equal(h.Command, []string{"run"}) || h.Machine.OS == "" || time.Since(h.Started) > time.Hour {
		t.Errorf("header %+v", h)
	}
	var libraries []string
	for _, l := range h.Libraries {
		libraries = append(libraries, strings.TrimSpace(l.Library+" "+l.Implementation))
	}
	if !slices.Equal(libraries, []string{"gmsm", "tjfoc", "tjfoc helpers"}) {
		t.Errorf("libraries %q", libraries)
	}
	grouped := map[int]bool{}
	for _, g := range run.Groups {
		for _, i := range g.Trials {
			grouped[i] = true
		}
	}
	for i, info := range run.Trials {
		if !grouped[i] || info.Experiment != "modes" && info.Experiment != "batches" || info.Loop == "" || info.ConstantTime.Value == "" {
			t.Errorf("%+v is in no group or says too little", info)
		}
	}
	for library, least := range map[string]int{"gmsm": 4, "tjfoc": 8, subject.Harness: 4} {
		all := rows(run, library)
		if len(all) < least {
			t.Errorf("%d rows of %s", len(all), library)
		}
		for _, r := range all {
			if r.samples != r.rounds(2) && r.info.Loop != "scenario" || r.closed != 1 || r.status != result.OK {
				t.Errorf("%s: %+v", r.info.ID(), r)
			}
		}
	}
	if len(run.Records) != 1 || len(run.Artifacts) == 0 {
		t.Errorf("%d records, %d artifacts, want those of exposure", len(run.Records), len(run.Artifacts))
	}
}

// TestBadLibraries plants libraries that misbehave beside a good one. They cost
// their own rows.
func TestBadLibraries(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a library that hangs")
	}
	t.Parallel()
	cfg := tiny(nil, "gmsm", "crashing", "hanging", "panicking", "babbling", "lying", "well-liked")
	cfg.Deadline = 10 * time.Second // for as long a busy machine has kept what is honest from answering
	run, _ := measured(t, cfg)
	tests := []struct {
		library string
		status  result.Status
		reason  string
	}{
		{"crashing", result.Crashed, "it ended with exit status 3: SIGSEGV: planted"},
		{"hanging", result.Crashed, `no answer to "ready" in time; it was killed`},
		{"panicking", result.Crashed, "the library panicked: planted in two lines"},
		{"babbling", result.Crashed, `it answered nonsense: "library loaded"; it was killed`},
		{"lying", result.Incorrect, "the output is wrong from byte"},
		{"gmsm", result.OK, ""},
		{"well-liked", result.OK, ""},
		{subject.Harness, result.OK, ""},
	}
	for _, test := range tests {
		all := rows(run, test.library)
		if len(all) == 0 {
			t.Errorf("%s has no row", test.library)
		}
		for _, r := range all {
			if r.status != test.status || !strings.HasPrefix(r.reason, test.reason) || strings.Contains(r.reason, "\n") {
				t.Errorf("%s: %s, %q", test.library, r.status, r.reason)
			}
			if test.status == result.OK && (r.samples != r.rounds(2) || r.closed != 1) {
				t.Errorf("%s: %+v", test.library, r)
			}
			if test.status != result.OK && r.closed != 0 {
				t.Errorf("%s: a block of it was closed", test.library)
			}
		}
	}
	if run.Partial() {
		t.Error("the run is not complete")
	}
}

// TestFIPS: what a policy forbids in the workers is a row with its reason.
func TestFIPS(t *testing.T) {
	t.Parallel()
	cfg := tiny([]string{"GODEBUG=fips140=only"}, "go", "gmsm")
	cfg.Selection.Algorithms, cfg.Selection.Modes = []string{"SM4", "AES-128"}, []string{"CBC", "CFB"}
	run, _ := measured(t, cfg)
	if n := len(rows(run, "gmsm")); n != 2 {
		t.Errorf("%d rows of gmsm, want SM4 in two modes", n)
	}
	for _, r := range append(rows(run, "gmsm"), rows(run, "go")...) {
		allowed := r.info.Subject.Library == "go" && r.info.Case.Mode == "CBC"
		if allowed && r.status == result.OK && r.closed == 1 {
			continue
		}
		if allowed || r.status != result.Unsupported || !strings.Contains(r.reason, "fips140=only") && !strings.Contains(r.reason, "FIPS") {
			t.Errorf("%s: %s, %q", r.info.ID(), r.status, r.reason)
		}
	}
	for _, r := range rows(run, subject.Harness) {
		// What the harness borrows from a library may be forbidden too.
		if r.status != result.OK && r.status != result.Unsupported {
			t.Errorf("%s: %s, %q", r.info.ID(), r.status, r.reason)
		}
	}
}

func TestUsageErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*Config)
		says   string
	}{
		{"library", func(c *Config) { c.Selection.Libraries = []string{"gmsm", "nosuch"} }, `unknown library "nosuch"; there are: go, xcrypto, gmsm, tjfoc`},
		{"the harness", func(c *Config) { c.Selection.Libraries = []string{"harness"} }, `unknown library "harness"`},
		{"algorithm", func(c *Config) { c.Selection.Algorithms = []string{"ROT13"} }, `unknown algorithm "ROT13"; there are: SM4`},
		{"mode", func(c *Config) { c.Selection.Modes = []string{"XTS"} }, `unknown mode "XTS"`},
		{"operation", func(c *Config) { c.Selection.Operations = []string{""} }, `unknown operation ""`},
		{"nothing left", func(c *Config) { c.Selection.Libraries = []string{"xcrypto"} }, "nothing to measure: no library offers"},
		{"nothing left of the short form", func(c *Config) { c.Selection.Libraries, c.Selection.Short = []string{"xcrypto"}, true }, "nothing to measure in the short form"},
	}
	for _, test := range tests {
		cfg := tiny(nil, "gmsm")
		test.change(&cfg)
		_, err := Prepare(context.Background(), cfg)
		if err == nil || !strings.HasPrefix(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", test.name, err, test.says)
		}
	}
}

// TestManySizes: more headline comparisons than a short form's blocks can carry
// are the user's choice, and no internal error.
func TestManySizes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	cfg := tiny(nil)
	cfg.Selection = plan.Selection{Short: true, Sizes: []int64{1 << 10, 16 << 10, 64 << 10}}
	cfg.Blocks, cfg.Deadline = 0, 4*time.Second // of all libraries, also of those that hang
	if _, err := Prepare(context.Background(), cfg); err != nil {
		t.Error(err)
	}
}

func TestNoWorkerToStart(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"none": "/nonexistent/cryptogauge", "a program that is none": "/bin/false"} {
		cfg := tiny(nil)
		cfg.Command = func(plan.WorkerKey) worker.Command { return worker.Command{Path: path} }
		_, err := Prepare(context.Background(), cfg)
		if err == nil || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), " :") {
			t.Errorf("%s: %q", name, err)
		}
	}
}

// TestInterruptedWhilePreparing: with a library that hangs when it is probed.
func TestInterruptedWhilePreparing(t *testing.T) {
	t.Parallel()
	for _, after := range []time.Duration{0, time.Millisecond, 300 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(context.Background(), after)
		cfg := tiny(nil, "stubborn", "gmsm")
		_, err := Prepare(ctx, cfg)
		cancel()
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("after %v: %v", after, err)
		}
	}
}

// TestPatience: nobody who gave a run seconds waits a minute for a worker.
func TestPatience(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name             string
		budget           time.Duration
		short            bool
		silent, starting time.Duration
	}{
		{"no budget", 0, false, time.Minute, time.Minute},
		{"an hour", time.Hour, false, time.Minute, time.Minute},
		{"10 s", 10 * time.Second, false, time.Second, 2500 * time.Millisecond},
		{"80 s", 80 * time.Second, true, 8 * time.Second, 10 * time.Second},
		{"1 s", time.Second, false, time.Second, time.Second},
		{"the short forms' own", 0, true, quickTime / 10, 10 * time.Second},
		{"none, short forms or not", -1, true, time.Minute, time.Minute},
	} {
		c := Config{Budget: test.budget, Selection: plan.Selection{Short: test.short}}
		if silent, starting := c.patience(); silent != test.silent || starting != test.starting {
			t.Errorf("%s: %v and %v, want %v and %v", test.name, silent, starting, test.silent, test.starting)
		}
	}
}

// TestTake takes stock, with libraries that hang beside: twice is waited for one that
// hangs at whatever it is asked.
func TestTake(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for libraries that hang")
	}
	t.Parallel()
	es := question.All()[:1]
	es[0].Cases = slices.DeleteFunc(slices.Clone(es[0].Cases), func(c result.Case) bool { return c.Operation != "encrypt" || c.Algorithm == "AES-256" })
	w := NewWorkers(command(), provider.Setting{Seed: 1}, 2*time.Second)
	stock, err := Take(context.Background(), es, w)
	if err != nil {
		t.Fatal(err)
	}
	if k := (plan.WorkerKey{Library: "stubborn", Version: "planted", CallPath: "go"}); !w.hangs.GivenUp(k) {
		t.Error("a library that hangs was not given up")
	}
	modes := map[string][]string{}
	for _, s := range stock {
		modes[s.Library+" "+s.Algorithm] = append(modes[s.Library+" "+s.Algorithm], s.Modes...)
		if s.Found != "built in" || s.CallPath != "go" {
			t.Errorf("%+v", s)
		}
	}
	for what, want := range map[string][]string{"go AES-128": {"ECB", "CBC", "CFB", "OFB", "CTR", "GCM", "CBC+HMAC-SHA-256"}, "well-liked SM4": {"CBC"}, "xcrypto ChaCha20-Poly1305": {"encrypt"}} {
		got, there := modes[what]
		slices.Sort(got)
		slices.Sort(want)
		if !there || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	if _, there := modes["harness planted"]; there || modes["stubborn SM4"] != nil {
		t.Errorf("%v", modes)
	}
}

// TestInterrupted keeps what was measured, and says that it is partial.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	cfg := tiny(nil, "gmsm")
	cfg.Blocks, cfg.Rounds = 100, 3
	s, err := Prepare(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var file bytes.Buffer
	n, last := 0, 0.0
	o, err := s.Run(ctx, &file, func(p measure.Progress) {
		if last > p.Done || p.Done > 1 {
			t.Errorf("progress from %g to %g", last, p.Done)
		}
		if last = p.Done; n == 40 {
			cancel()
		}
		n++
	})
	if err != nil || !o.Interrupted {
		t.Fatalf("%+v, %v", o, err)
	}
	run, err := result.Read(&file)
	if err != nil || run.End == nil || !run.End.Partial || !strings.Contains(run.End.Reason, "interrupted") || len(run.Samples) != n || len(run.Statuses) != 0 {
		t.Errorf("%v, %+v, %d samples of %d, %v", err, run.End, len(run.Samples), n, run.Statuses)
	}
}

// TestFullDisk ends the run with the disk's error, and what stands there reads.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	s, err := Prepare(context.Background(), tiny(nil, "gmsm"))
	if err != nil {
		t.Fatal(err)
	}
	var whole bytes.Buffer
	if _, err := s.Run(context.Background(), &whole, nil); err != nil {
		t.Fatal(err)
	}
	// Runs differ in length, for what was disturbed is measured again: room is counted
	// in what every run writes, its plan and a line of so many bytes a sample.
	const leastLine = 40
	plan, planned := bytes.Index(whole.Bytes(), []byte(`{"s":`)), map[result.Sample]bool{}
	all, err := result.Read(bytes.NewReader(whole.Bytes()))
	if err != nil || plan < 0 {
		t.Fatalf("%d, %v", plan, err)
	}
	for _, x := range all.Samples {
		planned[result.Sample{Trial: x.Trial, Block: x.Block, Round: x.Round}] = true
	}
	for _, share := range []int{0, 50, 90} {
		d := &disk{}
		if share > 0 {
			d.room = plan + len(planned)*leastLine*share/100
		}
		if _, err := s.Run(context.Background(), d, nil); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%d %%: %v", share, err)
		}
		run, err := result.Read(&d.Buffer)
		if share == 0 {
			continue
		}
		if err != nil || !run.Partial() || len(run.Trials) == 0 || len(run.Samples) == 0 {
			t.Errorf("%d %%: %v", share, err)
		}
	}
}

type disk struct {
	bytes.Buffer
	room int
}

func (d *disk) Write(b []byte) (int, error) {
	if len(b) > d.room {
		n, _ := d.Buffer.Write(b[:d.room])
		d.room = 0
		return n, syscall.ENOSPC
	}
	d.room -= len(b)
	return d.Buffer.Write(b)
}

// runForever is a program that measures into a file until it is killed.
func runForever(path string) error {
	cfg := tiny(nil, "gmsm", "go", "well-liked")
	cfg.Blocks, cfg.Rounds = 1000, 1000
	s, err := Prepare(context.Background(), cfg)
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = s.Run(context.Background(), f, nil)
	return err
}

// TestKilled kills a program that measures, with a signal it can't see: the run
// file reads up to the last sample, and its workers end by themselves.
func TestKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pids, path := filepath.Join(dir, "pids"), filepath.Join(dir, "run")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"=suite", pidsVariable+"="+pids, fileVariable+"="+path)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 1)
	go func() { b, _ := io.ReadAll(stderr); said <- string(b) }()
	for range 12000 {
		if countSamples(path) >= 30 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	_ = cmd.Process.Kill()
	text := <-said
	_ = cmd.Wait()
	allGone(t, pids)
	n := countSamples(path)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err, text)
	}
	defer f.Close()
	run, err := result.Read(f)
	if err != nil || n < 30 || len(run.Samples) != n || !run.Partial() || run.End != nil {
		t.Errorf("%v, %d samples in the file; it said %q", err, n, text)
	}
}

// countSamples counts whole sample lines.
func countSamples(path string) (n int) {
	b, _ := os.ReadFile(path)
	for sc := bufio.NewScanner(bytes.NewReader(b[:bytes.LastIndexByte(b, '\n')+1])); sc.Scan(); {
		if bytes.HasPrefix(sc.Bytes(), []byte(`{"s":`)) {
			n++
		}
	}
	return n
}
