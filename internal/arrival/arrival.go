// Package arrival makes requests arrive at a constant rate and records how long
// each took from the moment it should have begun.
//
// A closed loop, which sends the next request when the last one came back, stops
// asking while the server stalls, and so leaves out just the latencies that users
// saw (coordinated omission, after Gil Tene). Here the schedule does not wait:
// request i is due at i/rate, and its latency counts from then, whether or not
// the server was free.
//
// [Serve] hands the requests to goroutines that do nothing else; [Poisson] lets them
// arrive at random, to servers that take them from one line, as the only server of
// [Constant] does.
package arrival

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
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

// Constant issues requests to serve, one after the other on one goroutine, at rate
// per second for as long as lasts. Late holds only those before which the goroutine
// was idle: the others were late by the serving.
func Constant(ctx context.Context, rate float64, lasts time.Duration, serve func()) (*Result, error) {
	if !(rate*lasts.Seconds() >= 1) {
		return nil, fmt.Errorf("a constant rate of %g/s over %s has no request", rate, lasts)
	}
	gap := float64(time.Second) / rate
	return inLine(ctx, &line{gap: gap, due: -gap, lasts: lasts}, Servers{1, func(int) { serve() }}, waitUntil)
}

// Servers are goroutines that serve requests from one queue, as a server's do.
type Servers struct {
	Count int
	Serve func(server int) // one request; server counts from 0
}

// Serve issues requests to the servers at rate per second for as long as lasts.
// The schedule stands: the queue has room for every request, so that servers that
// fall behind never hold up the generator, and each latency counts from when its
// request was due, waiting in the queue included.
//
// The generator is a goroutine of its own that never sleeps: a sleep ends late by
// tens of microseconds or, on a busy machine, by milliseconds. It takes a CPU for
// itself; where there is one CPU alone it yields between its looks at the clock,
// and is late by what the servers hold that CPU for.
func Serve(ctx context.Context, rate float64, lasts time.Duration, s Servers) (*Result, error) {
	n := max(1, int64(rate*lasts.Seconds()))
	if !(rate > 0) || lasts <= 0 || s.Count < 1 {
		return nil, fmt.Errorf("a constant rate of %g/s over %s to %d servers has no request", rate, lasts, s.Count)
	}
	queue := make(chan time.Duration, n)
	latencies := make([]Histogram, s.Count)
	for i := range latencies {
		latencies[i] = NewHistogram(digits)
	}
	r := &Result{Latency: NewHistogram(digits), Late: NewHistogram(digits)}
	start := time.Now().Add(settle)
	var all sync.WaitGroup
	for i := range s.Count {
		all.Go(func() {
			for due := range queue {
				s.Serve(i)
				latencies[i].Record(time.Since(start) - due)
			}
		})
	}
	all.Go(func() { r.generate(ctx, queue, start, float64(time.Second)/rate, n) })
	all.Wait()
	for _, l := range latencies {
		r.Latency.Add(l)
	}
	return r, ctx.Err()
}

// settle is how long the servers have to come to rest before the first request is due.
const settle = time.Millisecond

// generate puts n requests, a step of nanoseconds apart, into the queue, and closes it.
func (r *Result) generate(ctx context.Context, queue chan<- time.Duration, start time.Time, step float64, n int64) {
	defer close(queue)
	alone := runtime.GOMAXPROCS(0) == 1
	var late time.Duration
	for i := range n {
		if i%64 == 0 && ctx.Err() != nil {
			break
		}
		due := time.Duration(float64(i) * step)
		for time.Since(start) < due {
			if alone {
				runtime.Gosched()
			}
		}
		late = time.Since(start) - due
		r.Late.Record(late)
		queue <- due
		r.Sent++
	}
	if r.Sent > 0 {
		r.Behind = float64(max(late, 0)) / (float64(r.Sent) * step)
	}
}

// mostPatience is for how many times as long servers that serve nothing are waited for.
const mostPatience = 50

// Saturated is the rate per second at which the servers serve when there is
// always a request waiting, with the generator running beside them as it does
// under a constant rate. A fifth of the time passes before it counts.
func Saturated(ctx context.Context, lasts time.Duration, s Servers) (float64, error) {
	if s.Count < 1 || lasts <= 0 {
		return 0, fmt.Errorf("%d servers over %s serve nothing", s.Count, lasts)
	}
	queue := make(chan struct{}, 2*s.Count)
	var served atomic.Int64
	var all sync.WaitGroup
	for i := range s.Count {
		all.Go(func() {
			for range queue {
				s.Serve(i)
				served.Add(1)
			}
		})
	}
	start := time.Now()
	feed := func(until time.Duration) (int64, time.Duration) {
		for ctx.Err() == nil && time.Since(start) < until {
			select {
			case queue <- struct{}{}:
			default:
				runtime.Gosched() // costs nothing beside servers that have a CPU each
			}
		}
		return served.Load(), time.Since(start)
	}
	var rate float64
	all.Go(func() {
		defer close(queue)
		n0, t0 := feed(lasts / 5)
		n1, t1 := feed(lasts)
		for ctx.Err() == nil && n1 == n0 && t1 < mostPatience*lasts { // others have the CPUs
			n1, t1 = feed(t1 + lasts)
		}
		rate = float64(n1-n0) / (t1 - t0).Seconds()
	})
	all.Wait()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if !(rate > 0) {
		return 0, fmt.Errorf("%d servers served no request in %s", s.Count, lasts)
	}
	return rate, nil
}

// Histogram holds latencies in nanoseconds. Recording allocates nothing. It
// belongs to one goroutine at a time.
type Histogram struct{ *hdrhistogram.Histogram }

const highest = int64(time.Minute)

// NewHistogram returns an empty histogram of so many significant digits. Three
// tell 0.1 % apart and take 0.2 MB; two tell 1 % apart and take 30 kB, which
// matters where each of many goroutines has its own.
func NewHistogram(digits int) Histogram {
	return Histogram{hdrhistogram.New(1, highest, digits)}
}

// HistogramOf is one of values and their counts, as Pairs gives them.
func HistogramOf(pairs [][2]int64) Histogram {
	h := NewHistogram(digits)
	for _, p := range pairs {
		_ = h.RecordValues(p[0], max(p[1], 0)) // what is out of range is dropped
	}
	return h
}

// Record adds a latency. What is out of range counts at its end, so that the only
// error can't occur.
func (h Histogram) Record(d time.Duration) {
	_ = h.RecordValue(min(max(int64(d), 1), highest))
}

func (h Histogram) Add(other Histogram) { h.Merge(other.Histogram) }

// Pairs are the values and their counts, in rising order; a value is the highest
// that its bucket stands for.
func (h Histogram) Pairs() (pairs [][2]int64) {
	for _, b := range h.Distribution() {
		if b.Count > 0 {
			pairs = append(pairs, [2]int64{b.To, b.Count})
		}
	}
	return pairs
}
