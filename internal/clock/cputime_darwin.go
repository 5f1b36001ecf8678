package clock

import "golang.org/x/sys/unix"

// HasCPUTime says whether [Thread] and [Process] are clocks on this system.
const HasCPUTime = true

// Thread returns the CPU time of the calling thread in nanoseconds.
func Thread() int64 { return cpuTime(unix.CLOCK_THREAD_CPUTIME_ID) }

// Process returns the CPU time of the whole process in nanoseconds.
func Process() int64 { return cpuTime(unix.CLOCK_PROCESS_CPUTIME_ID) }

func cpuTime(id int32) int64 {
	var ts unix.Timespec
	if unix.ClockGettime(id, &ts) != nil {
		return 0
	}
	return ts.Nano()
}
