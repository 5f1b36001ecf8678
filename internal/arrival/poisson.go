package arrival

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"
)

// Poisson serves requests that arrive at random, on average at rate per second, for as long
// as lasts: the time between two is exponential, drawn from rng. They wait in one line; the
// server that is free first takes the next one and, where it is not due yet, waits for it.
// So every CPU can serve: no generator takes one for itself, nothing is handed from one
// goroutine to another, and what is measured is the service and the line before it.
//
// Late holds only requests that a server waited for: how late it noticed them.
func Poisson(ctx context.Context, rate float64, lasts time.Duration, rng *rand.Rand, s Servers) (*Result, error) {
	return poisson(ctx, &line{rng: rng, gap: float64(time.Second) / rate, lasts: lasts}, s, yieldUntil)
}

func poisson(ctx context.Context, next *line, s Servers, wait func(start time.Time, due time.Duration) (waited bool)) (*Result, error) {
	if rate := float64(time.Second) / next.gap; !(rate > 0) || next.lasts <= 0 || s.Count < 1 {
		return nil, fmt.Errorf("random arrivals at %g/s over %s to %d servers have no request", rate, next.lasts, s.Count)
	}
	r := &Result{Latency: NewHistogram(digits), Late: NewHistogram(digits)}
	each := make([]Result, s.Count)
	for i := range each {
		each[i] = Result{Latency: NewHistogram(digits), Late: NewHistogram(digits)}
	}
	start := time.Now().Add(settle)
	var serving sync.WaitGroup
	for i := range s.Count {
		serving.Go(func() {
			for ctx.Err() == nil {
				due, ok := next.take()
				if !ok {
					return
				}
				if wait(start, due) {
					each[i].Late.Record(time.Since(start) - due)
				}
				s.Serve(i)
				each[i].Latency.Record(time.Since(start) - due)
				each[i].Sent++
			}
		})
	}
	serving.Wait()
	for _, one := range each {
		r.Latency.Add(one.Latency)
		r.Late.Add(one.Late)
		r.Sent += one.Sent
	}
	return r, ctx.Err()
}

// line gives out requests in the order in which they are due.
type line struct {
	mu    sync.Mutex
	rng   *rand.Rand
	gap   float64 // in nanoseconds, on average
	due   float64
	lasts time.Duration
}

// take gives out the next request; false where it would be due too late.
func (l *line) take() (due time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due += l.rng.ExpFloat64() * l.gap
	if !(l.due < float64(l.lasts)) {
		return 0, false
	}
	return time.Duration(l.due), true
}

// yieldUntil waits as [waitUntil] does. To the end it yields, so that the garbage collector gets a CPU that
// would be idle elsewhere.
func yieldUntil(start time.Time, due time.Duration) bool {
	return waitUntil(start, due, runtime.Gosched)
}
