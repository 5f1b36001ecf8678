package traffic

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// A timer of Go's ends up to a millisecond late where nothing else runs, since the network poller waits in
// whole milliseconds. The kernel's sleep ends when it is told to, but for its slack, 50 µs unless one asks
// for less.

// precise asks the kernel not to gather this thread's wake-ups with others'.
func precise() {
	runtime.LockOSThread() // and never unlocks: the thread ends with its goroutine
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
}

// sleep waits so long, in pieces so that a caller sees when it is to stop.
func sleep(d time.Duration) {
	spec := unix.NsecToTimespec(int64(d))
	_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, 0, &spec, nil) // a signal may end it: the caller looks again
}

// processors is how many CPUs this program may use now.
func processors() int {
	var may unix.CPUSet
	if err := unix.SchedGetaffinity(0, &may); err != nil {
		return runtime.NumCPU()
	}
	return may.Count()
}
