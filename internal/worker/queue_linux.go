package worker

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

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
