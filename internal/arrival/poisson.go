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
	if !(rate > 0) || lasts <= 0 || s.Count < 1 {
		return nil, fmt.Errorf("random arrivals at %g/s over %s to %d servers have no request", rate, lasts, s.Count)
	}
	return inLine(ctx, &line{rng: rng, gap: float64(time.Second) / rate, lasts: lasts}, s, waitUntil)
}

// inLine has servers take requests from a line, each when it is due or, where all were busy then, later.
func inLine(ctx context.Context, next *line, s Servers,
	wait func(start time.Time, due time.Duration) (waited bool)) (*Result, error) {
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
	r := &each[0]
	for _, one := range each[1:] {
		r.Latency.Add(one.Latency)
		r.Late.Add(one.Late)
		r.Sent += one.Sent
	}
	return r, ctx.Err()
}

// line gives out requests in the order in which they are due.
type line struct {
	mu    sync.Mutex
	rng   *rand.Rand // nil: at a constant rate
	gap   float64    // in nanoseconds, on average
	due   float64
	lasts time.Duration
}

// take gives out the next request; false where it would be due too late.
func (l *line) take() (due time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	gap := l.gap
	if l.rng != nil {
		gap *= l.rng.ExpFloat64()
	}
	l.due += gap
	if !(l.due < float64(l.lasts)) {
		return 0, false
	}
	return time.Duration(l.due), true
}

// spinBefore is how long before a request is due a server stops sleeping:
// a sleep ends late by tens of microseconds, a loop does not.
const spinBefore = 200 * time.Microsecond

// waitUntil waits for due after start, and says whether there was anything to wait for. To the end it yields, so
// that the garbage collector gets a CPU that would be idle elsewhere.
func waitUntil(start time.Time, due time.Duration) bool {
	left := due - time.Since(start)
	if left <= 0 {
		return false
	}
	if left > spinBefore {
		time.Sleep(left - spinBefore)
	}
	for time.Since(start) < due {
		runtime.Gosched()
	}
	return true
}
