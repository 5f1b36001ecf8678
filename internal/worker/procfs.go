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

// procfs is where Linux tells of processes.
const procfs = "/proc"

// schedstat is how long a thread ran and waited for a CPU since it began.
type schedstat struct{ ran, waited time.Duration }

// threads reads that of each thread of a process, by its folder in /proc: the first fields of
// /proc/PID/task/TID/schedstat, in nanoseconds (Linux, Documentation/scheduler/sched-stats.rst). Of what the kernel
// doesn't tell there is nothing.
func threads(root string, pid int) iter.Seq2[string, schedstat] {
	return func(yield func(string, schedstat) bool) {
		folders, _ := filepath.Glob(filepath.Join(root, strconv.Itoa(pid), "task", "*"))
		for _, thread := range folders {
			var s schedstat
			text, _ := os.ReadFile(filepath.Join(thread, "schedstat"))
			if n, _ := fmt.Sscan(string(text), (*int64)(&s.ran), (*int64)(&s.waited)); n == 2 && !yield(thread, s) {
				return
			}
		}
	}
}

// CPU is the CPU time of all threads of the worker so far, as Linux counts it. Threads that ended are not in it. ok is
// false where the system does not tell.
func (p *Process) CPU() (cpu time.Duration, ok bool) {
	for _, s := range threads(procfs, p.pid) {
		cpu += s.ran
	}
	return cpu, cpu > 0
}
