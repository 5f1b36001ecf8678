package clock

import (
	"math"
	"runtime"
)

// ClockCost is what one clock costs and how finely it tells time. All figures
// are nanoseconds, measured.
type ClockCost struct {
	Clock      string  `json:"clock"`         // "thread", "process", "wall", or "read" for all three in one Read
	Read       float64 `json:"read_ns"`       // one reading
	Step       int64   `json:"step_ns"`       // the smallest difference of two readings in succession, above zero
	Resolution int64   `json:"resolution_ns"` // the greatest common divisor of all differences: 1 is the finest there is
}

// Cost measures the clocks on the calling thread, in a few milliseconds.
func Cost() []ClockCost {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return []ClockCost{
		costOf("thread", Thread),
		costOf("process", Process),
		costOf("wall", Wall),
		costOf("read", func() int64 { return Read().Thread }),
	}
}

func costOf(name string, read func() int64) ClockCost {
	const batches, calls = 8, 256
	c := ClockCost{Clock: name, Read: math.Inf(1)}
	for range batches { // the shortest is the one that nobody came between
		start := Wall()
		for range calls {
			read()
		}
		c.Read = min(c.Read, float64(Wall()-start)/calls)
	}
	last := read()
	for range batches * calls {
		now := read()
		if d := now - last; d > 0 {
			if c.Step == 0 || d < c.Step {
				c.Step = d
			}
			for d != 0 { // Euclid's algorithm
				c.Resolution, d = d, c.Resolution%d
			}
		}
		last = now
	}
	return c
}
