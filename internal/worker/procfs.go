package worker

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// What Linux tells of a worker is read from outside, so that the worker does nothing for it.

// Memory is how many bytes of the worker's memory are resident now; ok is false
// where the system does not tell.
func (p *Process) Memory() (bytes int64, ok bool) {
	status, _ := os.ReadFile(filepath.Join(Procfs, strconv.Itoa(p.pid), "status"))
	return residentOf(string(status))
}

// residentOf reads the line "VmRSS:	   12345 kB" (proc_pid_status(5)).
func residentOf(status string) (bytes int64, ok bool) {
	_, line, _ := strings.Cut(status, "VmRSS:")
	line, _, _ = strings.Cut(line, "\n")
	kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(line), " kB"), 10, 53)
	return kib << 10, err == nil && kib > 0
}

// Procfs is where Linux tells of processes.
const Procfs = "/proc"

// queueing returns how long a worker has waited for a CPU since now: its thread that waited longest, and that of
// each process that it started, since it waits for those: benchmarks of a test binary run in processes of their own.
// What ended meanwhile counts as far as it was seen. It is 0 where the kernel doesn't tell.
func queueing(root string, pid int) func() time.Duration {
	before, latest := map[string]time.Duration{}, map[string]time.Duration{}
	queues(root, pid, before)
	return func() (sum time.Duration) {
		queues(root, pid, latest)
		longest := map[string]time.Duration{} // by process
		for thread, waited := range latest {
			process := filepath.Dir(filepath.Dir(thread))
			longest[process] = max(longest[process], waited-before[thread])
		}
		for _, waited := range longest {
			sum += waited
		}
		return sum
	}
}

// Schedstat is how long a thread ran and waited for a CPU since it began.
type Schedstat struct{ Ran, Waited time.Duration }

// Threads reads that of each thread of a process, by its folder in /proc: the first fields of
// /proc/PID/task/TID/schedstat, in nanoseconds (Linux, Documentation/scheduler/sched-stats.rst). Of what the kernel
// doesn't tell there is nothing.
func Threads(root string, pid int) iter.Seq2[string, Schedstat] {
	return func(yield func(string, Schedstat) bool) {
		threads, _ := filepath.Glob(filepath.Join(root, strconv.Itoa(pid), "task", "*"))
		for _, thread := range threads {
			var s Schedstat
			text, _ := os.ReadFile(filepath.Join(thread, "schedstat"))
			if n, _ := fmt.Sscan(string(text), (*int64)(&s.Ran), (*int64)(&s.Waited)); n == 2 && !yield(thread, s) {
				return
			}
		}
	}
}

// queues notes how long each thread of a process, and of those that it started, has waited since it began.
func queues(root string, pid int, waited map[string]time.Duration) {
	for thread, s := range Threads(root, pid) {
		waited[thread] = s.Waited
		started, _ := os.ReadFile(filepath.Join(thread, "children")) // which not every kernel tells
		for _, child := range strings.Fields(string(started)) {
			if id, err := strconv.Atoi(child); err == nil {
				queues(root, id, waited)
			}
		}
	}
}

// CPU is the CPU time of all threads of the worker so far, as Linux counts it. Threads that ended are not in it. ok is
// false where the system does not tell.
func (p *Process) CPU() (cpu time.Duration, ok bool) {
	for _, s := range Threads(Procfs, p.pid) {
		cpu += s.Ran
	}
	return cpu, cpu > 0
}
