package main

import "golang.org/x/sys/unix"

const clockName = "CPU clock of the thread"

// now is CPU time in nanoseconds.
func now() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic("mbbench: internal error: reading the clock: " + err.Error())
	}
	return t.Nano()
}
