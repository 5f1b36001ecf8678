package gobench

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// faulty are benchmarks of which most have a fault.
const faulty = `package faulty

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

var sum int

func work(n int) {
	for i := range n {
		sum = sum*31 + i
	}
}

func BenchmarkFine(b *testing.B) {
	for range b.N {
		work(1000)
	}
}

func BenchmarkAllocates(b *testing.B) {
	for range b.N {
		kept = make([]byte, 64)
	}
}

var kept []byte

func BenchmarkLoop(b *testing.B) {
	for b.Loop() {
		work(1000)
	}
}

func BenchmarkSub(b *testing.B) {
	for _, name := range []string{"a", "a", "x|y (1+1)", "deep/er", "q$"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(10)
			b.ReportMetric(3, "widgets/op")
			for range b.N {
				work(100)
			}
		})
	}
	b.Run("fails", func(b *testing.B) { b.Error("two is not three") })
	b.Run("panics", func(b *testing.B) { panic("no luck") })
	b.Run("last", func(b *testing.B) {
		for range b.N {
			work(100)
		}
	})
}

func BenchmarkFatal(b *testing.B) { b.Fatal("can't go on") }
func BenchmarkSkips(b *testing.B) { b.Skip("not today") }
func BenchmarkSkipsNow(b *testing.B) { b.SkipNow() }
func BenchmarkExits(b *testing.B) { os.Exit(7) }
func BenchmarkExitsWell(b *testing.B) { os.Exit(0) }
func BenchmarkHangs(b *testing.B) { time.Sleep(time.Minute) }
func BenchmarkLeaves(b *testing.B) {
	if err := exec.Command("sleep", "30").Start(); err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command("sleep", "30")
	cmd.Stdout = os.Stdout
	_ = cmd.Run()
}
func BenchmarkSilent(b *testing.B) { b.ReportMetric(0, "ns/op") }
func BenchmarkChatty(b *testing.B) {
	for range b.N {
		work(100)
	}
	fmt.Println("BenchmarkWrong 1")
	fmt.Print("so much for that")
}

// FailsLater shows its fault when it is called more often than once.
func BenchmarkLater(b *testing.B) {
	for i := range b.N {
		if i > 0 {
			b.Fatal("the second one is too many")
		}
	}
}

func BenchmarkZLast(b *testing.B) {
	for range b.N {
		work(100)
	}
}

func TestMain(m *testing.M) {
	if _, err := os.Stat("here.txt"); err != nil {
		fmt.Println("not in my directory")
		os.Exit(1)
	}
	os.Exit(m.Run())
}
`

// build makes a test binary of a package with these benchmarks.
func build(t *testing.T, source string) Tests {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "with a space")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module faulty\n\ngo 1.25\n", "faulty_test.go": source, "here.txt": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tests := Tests{Binary: filepath.Join(dir, "faulty.test"), Dir: dir, Pattern: ".", Library: "./faulty", Version: "."}
	cmd := exec.Command("go", "test", "-c", "-o", tests.Binary, ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOPROXY=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return tests
}

// TestFaults: each benchmark that can't be measured has its own reason, and the others go on.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for benchmarks that hang")
	}
	t.Parallel()
	tests := build(t, faulty)
	tests.Survey = filepath.Join(tests.Dir, "survey.json")
	if err := tests.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := tests.surveyed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"BenchmarkFine": "", "BenchmarkAllocates": "", "BenchmarkLoop": "", "BenchmarkChatty": "", "BenchmarkLater": "", "BenchmarkZLast": "",
		"BenchmarkSub/a": "", "BenchmarkSub/a#01": "", "BenchmarkSub/x|y_(1+1)": "", "BenchmarkSub/deep/er": "", "BenchmarkSub/q$": "", "BenchmarkSub/last": "",
		"BenchmarkSub/fails": "it fails: two is not three", "BenchmarkSub/panics": "it panics: no luck",
		"BenchmarkFatal": "it fails: can't go on", "BenchmarkSkips": "it skips itself: not today", "BenchmarkSkipsNow": "it skips itself, and does not say why",
		"BenchmarkExits": "it ends its process: exit status 7", "BenchmarkSilent": "it prints no ns/op", "BenchmarkExitsWell": "it prints no ns/op",
		"BenchmarkLeaves": "a call of it takes more than 2s, with what prepares it: too slow to be compared",
		"BenchmarkHangs":  "a call of it takes more than 2s, with what prepares it: too slow to be compared",
	}
	for _, b := range s.Benchmarks {
		lacks, known := want[b.Name]
		if !known || b.Lacks != lacks || lacks != "" && b.Cause.Code == "" {
			t.Errorf("%q lacks %q, want %q", b.Name, b.Lacks, lacks)
		}
		delete(want, b.Name)
	}
	for name := range want {
		t.Errorf("%q was not found", name)
	}
	t.Run("served", func(t *testing.T) { served(t, tests) })
}

// served asks for the cases through the protocol.
func served(t *testing.T, tests Tests) {
	p := worker.InProcess(func(provider.Setting) worker.Bench { return tests.bench() })
	defer p.Stop()
	ctx := t.Context()
	hello, err := p.Hello(ctx, provider.Setting{}, -1)
	if err != nil || len(hello.Subjects) != 1 || hello.Subjects[0].Library != "faulty" || len(hello.Cases) != 22 {
		t.Fatalf("%+v, %v", hello, err)
	}
	trial := func(name string) result.Trial {
		return result.Trial{Subject: hello.Subjects[0], Case: result.Case{Algorithm: name, Operation: algorithm.Bench}}
	}
	for i, name := range []string{"BenchmarkFine", "BenchmarkLoop", "BenchmarkSub/x|y_(1+1)", "BenchmarkSub/deep/er", "BenchmarkChatty", "BenchmarkAllocates"} {
		about, err := p.Open(ctx, i, trial(name), 0, "")
		if err != nil || !about.Unchecked || about.Clock != result.ProcessClock {
			t.Fatalf("%s: %+v, %v", name, about, err)
		}
		ready, err := p.Ready(ctx, i, 0, time.Millisecond)
		if err != nil || ready.Calls < 2 {
			t.Fatalf("%s: %+v, %v", name, ready, err)
		}
		if name == "BenchmarkAllocates" && (ready.Allocs != 1 || ready.AllocBytes != 64) {
			t.Errorf("%s: %+v", name, ready)
		}
		sample, err := p.Run(ctx, i, ready.Calls)
		if err != nil || sample.Calls != ready.Calls || sample.Process < 1 || sample.Wall < sample.Process {
			t.Errorf("%s: %+v, %v", name, sample, err)
		}
		if again, err := p.Ready(ctx, i, 17, 0); err != nil || again.Calls != 17 || !again.Uncounted {
			t.Errorf("%s: %+v, %v", name, again, err)
		}
	}
	if _, err := p.Open(ctx, 50, trial("BenchmarkFatal"), 0, ""); err == nil || err.Error() != "it fails: can't go on" {
		t.Errorf("%v", err)
	}
	if _, err := p.Open(ctx, 50, trial("BenchmarkNone"), 0, ""); err == nil || err.Error() != "faulty does not offer BenchmarkNone" {
		t.Errorf("%v", err)
	}
	if _, err := p.Open(ctx, 50, trial("BenchmarkLater"), 0, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(ctx, 50, 2); err == nil || err.Error() != "it fails: the second one is too many" {
		t.Errorf("%v", err)
	}
}

// TestNothingThere: where there is no benchmark to compare, one line says what there is.
func TestNothingThere(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	t.Parallel()
	tests := build(t, faulty)
	in := tests
	for _, c := range []struct {
		change func(*Tests)
		want   string
	}{
		{func(t *Tests) { t.Pattern = "Nothing" }, "no benchmark of ./faulty matches --bench Nothing; there are: BenchmarkFine, BenchmarkAllocates, BenchmarkLoop, BenchmarkSub, BenchmarkFatal, …"},
		{func(t *Tests) { t.Pattern = "(" }, "the tests of ./faulty end before the first benchmark: testing: invalid regexp for element 0"},
		{func(t *Tests) { t.Dir = filepath.Dir(t.Dir) }, "the tests of ./faulty end before the first benchmark: not in my directory"},
		{func(t *Tests) { t.Binary = filepath.Join(t.Dir, "go.mod") }, "go.mod can't be run: "},
	} {
		tests = in
		c.change(&tests)
		if err := tests.Take(t.Context()); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
		if b := tests.bench(); len(b.Libraries) != 1 || !strings.HasPrefix(b.Libraries[0].Missing, c.want) || len(b.Providers) > 0 {
			t.Errorf("%+v", b)
		}
	}
}

// TestWaits: a benchmark that sleeps is taken on the wall's clock, and one that computes is not.
func TestWaits(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	t.Parallel()
	tests := build(t, `package faulty

import (
	"testing"
	"time"
)

func BenchmarkSleeps(b *testing.B) {
	for range b.N {
		time.Sleep(50 * time.Millisecond)
	}
}

func BenchmarkComputes(b *testing.B) {
	sum := 0
	for range b.N {
		for i := range 20_000_000 {
			sum = sum*31 + i
		}
	}
	kept = sum
}

var kept int
`)
	s, err := tests.take(t.Context())
	if err != nil || len(s.Benchmarks) != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	if computes, sleeps := s.Benchmarks[0], s.Benchmarks[1]; computes.Name != "BenchmarkComputes" || computes.Waits || !sleeps.Waits {
		t.Errorf("%+v", s.Benchmarks)
	}
	o := &operation{Tests: tests, benchmark: &s.Benchmarks[1]}
	sample, err := o.Sample(2)
	if err != nil || o.Clock() != result.WallClock || sample.Wall < int64(100*time.Millisecond) || sample.Process >= sample.Wall {
		t.Errorf("%+v, %v", sample, err)
	}
}

// TestAgree: where a benchmark waits in one of two binaries, both take the wall's clock.
func TestAgree(t *testing.T) {
	var all []Tests
	for i, s := range []survey{
		{Package: "old", Benchmarks: []benchmark{{Name: "BenchmarkA"}, {Name: "BenchmarkB"}}},
		{Package: "new", Benchmarks: []benchmark{{Name: "BenchmarkB", Waits: true}, {Name: "BenchmarkC"}}},
	} {
		of := Tests{Survey: filepath.Join(t.TempDir(), "survey")}
		if all = append(all, of); all[i].keep(s) != nil {
			t.Fatal("not kept")
		}
	}
	if err := Agree(all); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"old", "new"} {
		s, err := all[i].surveyed(t.Context())
		if err != nil || s.Package != want {
			t.Fatalf("%+v, %v", s, err)
		}
		for _, b := range s.Benchmarks {
			if b.Waits != (b.Name == "BenchmarkB") {
				t.Errorf("%s: %+v", want, b)
			}
		}
	}
}

// TestFigures reads what package testing prints, and what others print among it.
func TestFigures(t *testing.T) {
	for text, want := range map[string]figure{
		"BenchmarkX-8 \t     100\t     33960 ns/op":                                            {100, 33960, 0, 0},
		"BenchmarkX/a\t100\t0.0000010 ns/op\t3.00 MB/s\t 1.5 ms/thing\t 12 B/op\t 2 allocs/op": {100, 1e-6, 2, 12},
		"noise 100\t 100\t 12.5 ns/op":                                                         {100, 12.5, 0, 0},
		"  100\t 1e+09 ns/op":                                                                  {100, 1e9, 0, 0},
	} {
		if got, ok := figureIn("x\n"+text+"\nPASS\n", 100); !ok || got != want {
			t.Errorf("%q: %+v, %t", text, got, ok)
		}
	}
	for _, text := range []string{"", "100", "BenchmarkX\t99\t5 ns/op", "BenchmarkX\t100\t5 MB/s", "BenchmarkX\t100\tNaN ns/op", "BenchmarkX\t-1\t5 ns/op", "\t\t\t"} {
		if got, ok := figureIn(text, 100); ok {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestExactly(t *testing.T) {
	if got, want := exactly("BenchmarkX/a.b/c|d"), `^BenchmarkX$/^a\.b$/^c\|d$`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestShortly(t *testing.T) {
	for pkg, want := range map[string]string{"x": "x", "example.org/a/b": "b", "example.org/a/v2": "a/v2", "v2": "v2"} {
		if got := Shortly(pkg); got != want {
			t.Errorf("%s: %s, want %s", pkg, got, want)
		}
	}
}

// TestServe speaks the protocol over a pipe, as a laboratory does.
func TestServe(t *testing.T) {
	var out bytes.Buffer
	in := strings.NewReader(`{"id":1,"do":"hello","protocol":1,"cpu":-1}` + "\n")
	if err := (Tests{Library: "l", Survey: filepath.Join(t.TempDir(), "none")}).Serve(in, &out); err != nil || !strings.Contains(out.String(), `"missing":"open `) {
		t.Errorf("%v: %s", err, out.String())
	}
}

// TestInterrupted: a survey ends with its context.
func TestInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	t.Parallel()
	tests := build(t, faulty)
	tests.Pattern = "Hangs"
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tests.Take(ctx); err == nil {
		t.Error("a survey went on")
	}
}
