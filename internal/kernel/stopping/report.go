package stopping

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// Limit is what the median of a bulk call's delays is to stay under.
const Limit = 50 * time.Microsecond

// A Subject is a call and its name in a report.
type Subject struct {
	Name string
	Call func()
}

// turns is how often a call and the loop it is compared with take their turns.
const turns = 5

// Report measures subjects for about d each and writes a table. With each call a loop in Go takes turns,
// which checks its stack every few nanoseconds: so long the system takes to wake a thread. What the call
// adds is its own.
func Report(w io.Writer, d time.Duration, subjects []Subject) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "µs until the world stops, during\tmedian\tworst\tstops\tin a loop in Go\tthe call adds\t")
	over, add := 0, 0
	for _, s := range subjects {
		call, loop, err := compare(d, s.Call)
		if err != nil {
			return err
		}
		more := max(call.Median-loop.Median, 0)
		if call.Median >= Limit {
			over++
		}
		if more >= Limit {
			add++
		}
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%d\t%.1f\t%.1f\t\n", s.Name,
			microseconds(call.Median), microseconds(call.Worst), call.Stops, microseconds(loop.Median), microseconds(more))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	const summary = "medians of %v or more: %d of %d; calls that add as much: %d\n\n"
	_, err := fmt.Fprintf(w, summary, Limit, over, len(subjects), add)
	return err
}

// compare measures a call and a loop in Go in turns.
func compare(d time.Duration, call func()) (ofCall, ofLoop Delay, err error) {
	var c, l histogram
	for range turns {
		if err = l.watch(d/turns/2, fewest/turns, loop); err != nil {
			break
		}
		if err = c.watch(d/turns/2, fewest/turns, call); err != nil {
			break
		}
	}
	return c.delay(), l.delay(), err
}

func microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// loop checks its goroutine's stack in every turn, for about a millisecond.
func loop() {
	for i := range 1 << 18 {
		step(i)
	}
}

// step has a frame that the stack must be checked for.
//
//go:noinline
func step(i int) byte {
	var frame [256]byte
	frame[i&255] = 1
	return at(&frame, i)
}

//go:noinline
func at(frame *[256]byte, i int) byte { return frame[(i+1)&255] }
