package clock

import "golang.org/x/sys/unix"

const HasCPUTime = true

func Thread() int64  { return cpuTime(unix.CLOCK_THREAD_CPUTIME_ID) }
func Process() int64 { return cpuTime(unix.CLOCK_PROCESS_CPUTIME_ID) }

func cpuTime(id int32) int64 {
	var ts unix.Timespec
	if unix.ClockGettime(id, &ts) != nil {
		return 0
	}
	return ts.Nano()
}
