// Package gobench runs the benchmarks of a Go test binary as cases of a worker, one process a sample, so
// that two binaries can be compared in turns.
//
// # What a sample is
//
// A sample of N calls is one process: the binary, asked for one benchmark with -test.benchtime Nx. Package
// testing calls the benchmark with N = 1 first and then with N, and times the second. What is taken is what
// the benchmark itself counts there: between StartTimer and StopTimer, since ResetTimer, inside of B.Loop.
// The start of the process, the first call and what the benchmark prepares are left out, which the resource
// usage of the process would have in it.
//
// # On which clock
//
// Package testing reads the wall's clock, and on a machine with busy neighbours that counts their turns, too:
// beside two busy loops on two CPUs twice the time, or thrice, or not, as it happens. So the binary is built
// with one file of package testing exchanged (package build: testing_other.go, which holds its clock), and
// asked by the variable [ClockVariable] to read the CPU time of its process instead. A binary that was built
// without it is believed by its own figure, of which that share is taken that the process had of a CPU:
// right on average, and less steady.
//
// A benchmark that waits has next to no CPU time. Where less than a quarter of its own figure was CPU time, three
// times of three, and its process was not denied a CPU meanwhile, its clock is the wall's, and so is that of the
// benchmark that it is compared with.
//
// # On one CPU
//
// -test.cpu is 1: the collector and the benchmark share one CPU, so that what a change costs in garbage is in
// the figure and does not vanish on an idle core, and no sample depends on how many others are free.
// RunParallel has one goroutine then; how code scales is a question for another measure.
//
// # What goes wrong
//
// A benchmark that fails, skips itself, panics, prints no figure or takes longer than a call may is a case
// that is not offered, with the reason; the others go on.
package gobench

import (
	"regexp"
	"strings"
	"time"
)

// ClockVariable has the value "process" where the binary is to count the CPU time of its process.
const ClockVariable = "CRYPTOGAUGE_BENCH_CLOCK"

const (
	longestCall = 2 * time.Second // of a benchmark; with what prepares it
	leastSample = 20 * time.Millisecond
)

// Patience is how long to wait for a worker beyond what it should take, longer than a worker waits for a benchmark: the
// worker ends one that hangs, and is not itself taken for hanging where a busy machine keeps a process from ending.
const Patience = 5 * longestCall

// Tests is a test binary with benchmarks.
type Tests struct {
	Binary  string
	Dir     string // where it runs
	Pattern string // as go test -bench takes it
	Library string // what the benchmarks are of
	Version string
	Survey  string // the file that keeps what a survey found; "" is none
}

// exactly is the pattern of one benchmark alone. Package testing takes names and patterns apart at slashes.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}
