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

// Report measures subjects for about d each and writes a table. Its first row is a loop in Go, which stops
// anywhere: what is above that row is the call's.
func Report(w io.Writer, d time.Duration, subjects []Subject) error {
	memory := make([]byte, 1<<20)
	subjects = append([]Subject{{"a loop in Go", func() { sum(memory) }}}, subjects...)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "µs until the world stops, during\tmedian\tworst\tstops\t\t")
	over := 0
	for _, s := range subjects {
		delay, err := Measure(d, s.Call)
		if err != nil {
			return err
		}
		mark := ""
		if delay.Median >= Limit {
			mark = "over the limit"
			over++
		}
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%d\t%s\t\n", s.Name, microseconds(delay.Median), microseconds(delay.Worst), delay.Stops, mark)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "the median reaches the limit of %v in %d of %d rows\n\n", Limit, over, len(subjects))
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
