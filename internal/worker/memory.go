package worker

import (
	"os"
	"strconv"
	"strings"
)

// Memory is how many bytes of the worker's memory are resident now; ok is false
// where the system does not tell. It is read from outside, so that the worker
// does nothing for it.
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
	for line := range strings.Lines(status) {
		if rest, found := strings.CutPrefix(line, "VmRSS:"); found {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 53)
			return kib << 10, err == nil && kib > 0
		}
	}
	return 0, false
}
