// Package stopping measures how long a call delays a stop-the-world, for the benchmark programs beside
// the engine's packages. The garbage collector stops the world in every cycle. A goroutine stops at a safe
// point, and assembly has none but the stack check in a function's prologue, so a long call into assembly
// makes everybody wait.
package stopping

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// A Delay is how long the world took to stop, over a number of stops.
type Delay struct {
	Median, Worst time.Duration
	Stops         int
}

// fewest is how many stops a Delay has at least, however long each takes.
const fewest = 15

// Measure makes call again and again on one goroutine, stops the world from another at random moments, and
// returns how long the world took to stop, as the runtime counts it: in steps of a quarter at most,
// rounded up. It does so for about d, or longer for a call that is hard to stop, and includes what the
// operating system adds where others use the processors. Call must not stop the world itself.
func Measure(d time.Duration, call func()) (Delay, error) {
	var h histogram
	err := h.watch(d, fewest, call)
	return h.delay(), err
}

// A histogram is the runtime's, of how long the world took to stop.
type histogram struct {
	buckets []float64
	counts  []int
}

// watch adds what comes of stopping the world during call, for d and so many times at least.
func (h *histogram) watch(d time.Duration, least int, call func()) error {
	if n := runtime.GOMAXPROCS(0); n < 2 {
		return fmt.Errorf("measuring how long the world takes to stop: GOMAXPROCS is %d, at least 2 are needed", n)
	}
	var done atomic.Bool
	var worker sync.WaitGroup
	began := make(chan struct{})
	worker.Go(func() {
		close(began)
		for !done.Load() {
			call()
		}
	})
	<-began
	before := stops()
	var stats runtime.MemStats
	for n, deadline := 0, time.Now().Add(d); n < least || time.Now().Before(deadline); n++ {
		time.Sleep(100*time.Microsecond + rand.N(900*time.Microsecond))
		runtime.ReadMemStats(&stats) // the cheapest function that stops the world
	}
	h.add(before, stops())
	done.Store(true)
	worker.Wait()
	return nil
}

// stops is the runtime's histogram of how long the world took to stop, for other reasons than the
// collector's.
func stops() *metrics.Float64Histogram {
	sample := []metrics.Sample{{Name: "/sched/pauses/stopping/other:seconds"}}
	metrics.Read(sample)
	return sample[0].Value.Float64Histogram()
}

// add takes what the runtime's histogram has more than it had before.
func (h *histogram) add(before, after *metrics.Float64Histogram) {
	if h.counts == nil {
		h.buckets, h.counts = after.Buckets, make([]int, len(after.Counts))
	}
	for i, n := range after.Counts {
		h.counts[i] += int(n - before.Counts[i])
	}
}

func (h *histogram) delay() (d Delay) {
	for _, n := range h.counts {
		d.Stops += n
	}
	seen := 0
	for i, n := range h.counts {
		if n == 0 {
			continue
		}
		d.Worst = bound(h.buckets, i)
		if seen*2 < d.Stops {
			d.Median = d.Worst
		}
		seen += n
	}
	return d
}

// bound is the upper bound of a bucket, or the lower one where there is no upper one.
func bound(buckets []float64, i int) time.Duration {
	seconds := buckets[i+1]
	if math.IsInf(seconds, 1) {
		seconds = buckets[i]
	}
	return time.Duration(math.Round(seconds * 1e9))
}
