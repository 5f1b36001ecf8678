// Package arrival makes requests arrive at a constant rate and records how long
// each took from the moment it should have begun.
//
// A closed loop, which sends the next request when the last one came back, stops
// asking while the server stalls, and so leaves out just the latencies that users
// saw (coordinated omission, after Gil Tene). Here the schedule does not wait:
// request i is due at i/rate, and its latency counts from then, whether or not
// the server was free.
package arrival

import (
	"context"
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Result is what a constant rate showed.
type Result struct {
	Latency *hdrhistogram.Histogram // ns, from the intended start to the end
	Late    *hdrhistogram.Histogram // ns, from the intended start to when the idle generator issued it: its own error
	Sent    int64
	Behind  float64 // share by which the whole schedule was overrun
}

// MaxBehind is the share of its schedule by which a generator may be late before
// its percentiles say more of it than of the server.
const MaxBehind = 0.01

// highest is the longest latency that is told apart, 3 significant digits.
const highest = int64(time.Minute)

func histogram() *hdrhistogram.Histogram { return hdrhistogram.New(1, highest, 3) }

// Constant issues requests to serve, one after the other on the calling
// goroutine, at rate per second for as long as lasts.
func Constant(ctx context.Context, rate float64, lasts time.Duration, serve func()) (*Result, error) {
	n := int64(rate * lasts.Seconds())
	if !(rate > 0) || n < 1 {
		return nil, fmt.Errorf("a constant rate of %g/s over %s has no request", rate, lasts)
	}
	r := &Result{Latency: histogram(), Late: histogram()}
	step := float64(time.Second) / rate
	start := time.Now()
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		due := time.Duration(float64(i) * step)
		if waited := waitUntil(start, due); waited {
			record(r.Late, time.Since(start)-due)
		}
		serve()
		record(r.Latency, time.Since(start)-due)
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

func record(h *hdrhistogram.Histogram, d time.Duration) {
	// Clamped to the range of the histogram, so that the only error can't occur.
	_ = h.RecordValue(min(max(int64(d), 1), highest))
}
