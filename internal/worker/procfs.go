package worker

import (
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
	if p.pid == 0 {
		return 0, false
	}
	status, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/status")
	if err != nil {
		return 0, false
	}
	return residentOf(string(status))
}

// residentOf reads the line "VmRSS:	   12345 kB" (proc_pid_status(5)).
func residentOf(status string) (bytes int64, ok bool) {
	_, line, _ := strings.Cut(status, "VmRSS:")
	line, _, _ = strings.Cut(line, "\n")
	kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(line), " kB"), 10, 53)
	return kib << 10, err == nil && kib > 0
}

// queueing returns how long a process has waited for a CPU since now: its thread that waited longest. It
// is 0 where the kernel doesn't tell.
func queueing(pid int) func() time.Duration {
	before := queues(pid)
	return func() (longest time.Duration) {
		for thread, waited := range queues(pid) {
			longest = max(longest, waited-before[thread])
		}
		return longest
	}
}

// queues is how long each thread has waited since it began: the second field of /proc/PID/task/TID/schedstat,
// in nanoseconds (Linux, Documentation/scheduler/sched-stats.rst).
func queues(pid int) map[string]time.Duration {
	waited := map[string]time.Duration{}
	threads, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/schedstat")
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if fields := strings.Fields(string(text)); err == nil && len(fields) == 3 {
			ns, _ := strconv.ParseInt(fields[1], 10, 64)
			waited[thread] = time.Duration(ns)
		}
	}
	return waited
}

// CPU is the CPU time of all threads of the worker so far, as Linux counts it: the first field of
// schedstat. Threads that ended are not in it. ok is false where the system does not tell.
func (p *Process) CPU() (cpu time.Duration, ok bool) {
	if p.pid == 0 {
		return 0, false
	}
	threads, _ := filepath.Glob("/proc/" + strconv.Itoa(p.pid) + "/task/*/schedstat")
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if fields := strings.Fields(string(text)); err == nil && len(fields) == 3 {
			ns, _ := strconv.ParseInt(fields[0], 10, 64)
			cpu += time.Duration(ns)
		}
	}
	return cpu, cpu > 0
}
