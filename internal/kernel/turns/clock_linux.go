package turns

import "golang.org/x/sys/unix"

// Clock names the clock.
const Clock = "CPU clock of the thread"

// now is CPU time in nanoseconds.
func now() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic("turns: internal error: reading the clock: " + err.Error())
	}
	return t.Nano()
}
