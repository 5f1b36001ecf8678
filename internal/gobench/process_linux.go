package gobench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// withParent ends a process with the thread that started it, so that none is left over by a worker that was
// killed. It stays in the worker's process group, which the laboratory kills whole.
func withParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// queues notes how long each thread of a process has waited for a CPU: the second field of
// /proc/PID/task/TID/schedstat, in nanoseconds (Linux, Documentation/scheduler/sched-stats.rst).
func queues(pid int, waited map[string]time.Duration) {
	threads, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/schedstat")
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if fields := strings.Fields(string(text)); err == nil && len(fields) == 3 {
			ns, _ := strconv.ParseInt(fields[1], 10, 64)
			waited[thread] = time.Duration(ns)
		}
	}
}
