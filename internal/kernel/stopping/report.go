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

// Report measures subjects for about d each and writes a table. Beside each one stands the median for a
// loop in Go, which stops anywhere, measured just before: so long the system takes to wake a thread.
func Report(w io.Writer, d time.Duration, subjects []Subject) error {
	memory := make([]byte, 1<<20)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "µs until the world stops, during\tmedian\tworst\tstops\ta loop in Go\t")
	over, overLoop := 0, 0
	for _, s := range subjects {
		loop, err := Measure(d/2, func() { sum(memory) })
		if err != nil {
			return err
		}
		delay, err := Measure(d/2, s.Call)
		if err != nil {
			return err
		}
		if delay.Median >= Limit {
			over++
		}
		if loop.Median >= Limit {
			overLoop++
		}
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%d\t%.1f\t\n",
			s.Name, microseconds(delay.Median), microseconds(delay.Worst), delay.Stops, microseconds(loop.Median))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "medians of %v or more: %d of %d; of the loop in Go: %d\n\n", Limit, over, len(subjects), overLoop)
	return err
}

func microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// sum can be preempted after every byte.
//
//go:noinline
func sum(b []byte) (n int) {
	for _, v := range b {
		n += int(v)
	}
	return n
}
