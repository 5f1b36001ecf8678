// Package arrival makes requests arrive at a constant rate and records how long
// each took from the moment it should have begun.
//
// A closed loop, which sends the next request when the last one came back, stops
// asking while the server stalls, and so leaves out just the latencies that users
// saw (coordinated omission, after Gil Tene). Here the schedule does not wait:
// request i is due at i/rate, and its latency counts from then, whether or not
// the server was free.
//
// [Constant] serves on the goroutine that generates; [Serve] hands the requests to
// goroutines that do nothing else.
package arrival

import (
	"context"
	"fmt"
	"time"
)

// Result is what a constant rate showed.
type Result struct {
	Latency Histogram // from the intended start to the end
	Late    Histogram // from the intended start to when the generator issued it: its own error
	Sent    int64
	Behind  float64 // share by which the whole schedule was overrun
}

// MaxBehind is the share of its schedule by which a generator may be late before
// its percentiles say more of it than of the server.
const MaxBehind = 0.01

// digits are the significant digits of a Result's histograms.
const digits = 3

// Constant issues requests to serve, one after the other on the calling
// goroutine, at rate per second for as long as lasts. Late holds only those
// before which the goroutine was idle: the others were late by the serving.
func Constant(ctx context.Context, rate float64, lasts time.Duration, serve func()) (*Result, error) {
	n := int64(rate * lasts.Seconds())
	if !(rate > 0) || n < 1 {
		return nil, fmt.Errorf("a constant rate of %g/s over %s has no request", rate, lasts)
	}
	r := &Result{Latency: NewHistogram(digits), Late: NewHistogram(digits)}
	step := float64(time.Second) / rate
	start := time.Now()
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		due := time.Duration(float64(i) * step)
		if waited := waitUntil(start, due); waited {
			r.Late.Record(time.Since(start) - due)
		}
		serve()
		r.Latency.Record(time.Since(start) - due)
		r.Sent++
	}
	planned := time.Duration(float64(r.Sent) * step)
	if over := time.Since(start) - planned; over > 0 && planned > 0 {
		r.Behind = float64(over) / float64(planned)
	}
	return r, ctx.Err()
}

// spinBefore is how long before a request is due the generator stops sleeping:
// a sleep ends late by tens of microseconds, a loop does not.
const spinBefore = 200 * time.Microsecond

// waitUntil waits for due after start and says whether there was anything to wait for.
func waitUntil(start time.Time, due time.Duration) bool {
	left := due - time.Since(start)
	if left <= 0 {
		return false
	}
	if left > spinBefore {
		time.Sleep(left - spinBefore)
	}
	for time.Since(start) < due {
	}
	return true
}
