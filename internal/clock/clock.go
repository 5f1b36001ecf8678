// Package clock reads the three clocks that a sample is timed with, and what
// surrounds them: the CPU's cycle counter where it is open to us, the speed the
// CPU runs at, and the CPU a thread runs on.
//
// Readings are int64 nanoseconds and only their differences mean anything:
// each clock has an origin of its own, and the wall clock's is the start of
// the process. Nothing that is read around a sample allocates.
//
// A thread's clock, affinity and counter belong to the operating system's
// thread, so the goroutine must hold it with [runtime.LockOSThread]; otherwise
// two readings may come from two threads.
package clock

import "time"

// Reading is the three clocks read together, or the difference of two of them.
// All are nanoseconds.
type Reading struct {
	Thread  int64 // CPU time of the calling thread; in a virtual machine a few µs short per preemption
	Process int64 // CPU time of all threads of the process
	Wall    int64 // monotonic time
}

// Read reads the clocks one after the other, the thread's last. An interval
// between two readings so holds one Read beside the work, on every clock; what
// that takes is in [Cost].
func Read() Reading {
	wall, process := Wall(), Process()
	return Reading{Thread: Thread(), Process: process, Wall: wall}
}

func (r Reading) Sub(earlier Reading) Reading {
	return Reading{r.Thread - earlier.Thread, r.Process - earlier.Process, r.Wall - earlier.Wall}
}

// NoCycles is what a [Counter] reads where there is nothing to read.
const NoCycles = -1

var origin = time.Now()

// Wall returns the monotonic time in nanoseconds since the process started.
// [time.Since] reads only CLOCK_MONOTONIC, through the vDSO; [time.Now] would
// read the calendar too, at twice the cost.
func Wall() int64 { return int64(time.Since(origin)) }
