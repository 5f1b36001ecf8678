package worker

import (
	"fmt"
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
	status, _ := os.ReadFile(filepath.Join(procfs, strconv.Itoa(p.pid), "status"))
	return residentOf(string(status))
}

// residentOf reads the line "VmRSS:	   12345 kB" (proc_pid_status(5)).
func residentOf(status string) (bytes int64, ok bool) {
	_, line, _ := strings.Cut(status, "VmRSS:")
	line, _, _ = strings.Cut(line, "\n")
	kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(line), " kB"), 10, 53)
	return kib << 10, err == nil && kib > 0
}

const procfs = "/proc"

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

// schedstat is how long a thread ran and waited for a CPU since it began: the first fields of
// /proc/PID/task/TID/schedstat, in nanoseconds (Linux, Documentation/scheduler/sched-stats.rst).
func schedstat(thread string) (ran, waited time.Duration, ok bool) {
	text, _ := os.ReadFile(filepath.Join(thread, "schedstat"))
	n, _ := fmt.Sscan(string(text), (*int64)(&ran), (*int64)(&waited))
	return ran, waited, n == 2
}

// queues notes how long each thread of a process, and of those that it started, has waited since it began.
func queues(root string, pid int, waited map[string]time.Duration) {
	threads, _ := filepath.Glob(filepath.Join(root, strconv.Itoa(pid), "task", "*"))
	for _, thread := range threads {
		if _, since, ok := schedstat(thread); ok {
			waited[thread] = since
		}
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
	threads, _ := filepath.Glob(filepath.Join(procfs, strconv.Itoa(p.pid), "task", "*"))
	for _, thread := range threads {
		ran, _, _ := schedstat(thread)
		cpu += ran
	}
	return cpu, cpu > 0
}
