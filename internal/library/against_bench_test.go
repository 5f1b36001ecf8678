package library

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// benchVariable asks for the comparison with Go's own benchmarks. It times, so it
// wants a quiet machine:
//
//	CRYPTOGAUGE_GO_BENCH=15 go test -v -run TestAgainstBench ./internal/library
//
// takes fifteen turns of each, which is about a minute.
const benchVariable = "CRYPTOGAUGE_GO_BENCH"

// workerVariable makes this test binary a worker.
const workerVariable = "CRYPTOGAUGE_TEST_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(workerVariable) == "" {
		os.Exit(m.Run())
	}
	worker.EndWith(os.Stdin, func() { os.Exit(0) })
	if err := worker.Serve(worker.Quiet(os.Stdin), os.Stdout, Bench); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// agreeing is how far both may lie apart.
const agreeing = 0.05

// TestAgainstBench holds samples of a worker, as a run takes them, against benchmarks
// as go test -bench runs them, in turns of a tenth of a second: what moves the machine
// moves both. Each is a process of its own, since a runtime that was woken a moment ago
// disturbs what it measures.
func TestAgainstBench(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv(benchVariable))
	if err != nil || rounds < 1 {
		t.Skipf("it takes a quiet machine: set %s to a number of rounds", benchVariable)
	}
	process, err := worker.Start(worker.Command{Path: os.Args[0], Env: append(os.Environ(), workerVariable+"=1")})
	if err != nil {
		t.Fatal(err)
	}
	defer process.Stop()
	if _, err := process.Hello(t.Context(), provider.Setting{Seed: 1}, -1); err != nil {
		t.Fatal(err)
	}
	for handle, p := range benchPrimitives(t) {
		t.Run(p.String(), func(t *testing.T) { againstBench(t, process, handle, p, rounds) })
	}
}

// A turn is so many samples of a millisecond, and a benchmark of as long.
const turnSamples, sampleLength = 100, time.Millisecond

func againstBench(t *testing.T, process *worker.Process, handle int, p primitive, rounds int) {
	if _, err := process.Open(t.Context(), handle, result.Trial{Subject: subjectOf(t, p.library), Case: p.Case}, 0, ""); err != nil {
		t.Fatal(err)
	}
	ready, err := process.Ready(t.Context(), handle, 0, sampleLength)
	if err != nil {
		t.Fatal(err)
	}
	// A row is the median of short samples, and a benchmark the mean of a long one, with
	// what disturbs it. And of calls that leave garbage a benchmark has the collections,
	// which a row has not, and says so: there the long sample is held against it.
	var rows, means []float64
	for range rounds {
		theirs := benchmark(t, p)
		rows = append(rows, math.Log(perCall(t, process, handle, turnSamples, ready.Calls)/theirs))
		means = append(means, math.Log(perCall(t, process, handle, 1, turnSamples*ready.Calls)/theirs))
	}
	t.Logf("a row is %s of the benchmark's, a sample as long as it %s; a call leaves %.0f bytes of garbage", ratioOf(rows), ratioOf(means), ready.AllocBytes)
	held := rows
	if ready.AllocBytes*float64(ready.Calls) > muchGarbage {
		held = means
	}
	if r := math.Exp(stat.Median(held)); r < 1-agreeing || r > 1+agreeing {
		t.Errorf("it takes %.3f of what a benchmark says", r)
	}
}

// muchGarbage of a sample is what reports remark on.
const muchGarbage = 0.1 * float64(sampleLength)

func ratioOf(logs []float64) string {
	text := fmt.Sprintf("%.3f", math.Exp(stat.Median(logs)))
	if iv, ok := stat.MedianInterval(logs, 0.99); ok {
		text += fmt.Sprintf(" (%.3f to %.3f)", math.Exp(iv.Low), math.Exp(iv.High))
	}
	return text
}

// benchmark runs one benchmark and returns its time a call, on the thread's clock.
func benchmark(t *testing.T, p primitive) float64 {
	t.Helper()
	name := strings.ReplaceAll(regexp.QuoteMeta(p.String()), "/", "$/^")
	length := time.Duration(turnSamples) * sampleLength
	out, err := exec.Command(os.Args[0], "-test.run", "^$", "-test.bench", "^BenchmarkPrimitives$/^"+name+"$", "-test.benchtime", length.String()).Output()
	if err != nil {
		t.Fatal(err)
	}
	reports := map[string]float64{}
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "BenchmarkPrimitives/"+p.String()) {
			continue
		}
		fields := strings.Fields(line)
		for i := 2; i+1 < len(fields); i += 2 {
			if reports[fields[i+1]], err = strconv.ParseFloat(fields[i], 64); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
	}
	if reports["cpu-ns/op"] == 0 {
		t.Fatalf("no benchmark in %q", out)
	}
	return reports["cpu-ns/op"]
}

// perCall is the median time a call of so many samples, on the thread's clock.
func perCall(t *testing.T, p *worker.Process, handle, samples int, calls int64) float64 {
	t.Helper()
	var times []float64
	for range samples {
		s, err := p.Run(t.Context(), handle, calls)
		if err != nil {
			t.Fatal(err)
		}
		times = append(times, float64(s.Thread)/float64(s.Calls))
	}
	return stat.Median(times)
}

func subjectOf(t *testing.T, library string) result.Subject {
	for _, p := range Bench(provider.Setting{Seed: 1}).Providers {
		if s := p.Subject(); s.Library == library && s.CallPath == "go" {
			return s
		}
	}
	t.Fatalf("no provider of the name %s", library)
	return result.Subject{}
}
