package traffic

import (
	"math"
	"runtime/metrics"
	"slices"
	"time"
)

// queue is how long goroutines waited for a CPU: times in seconds, each with how many waited so long at least.
type queue struct {
	times  []float64
	counts []uint64
}

// queueing is that of all goroutines since the program's beginning.
func queueing() (q queue) {
	sample := []metrics.Sample{{Name: "/sched/latencies:seconds"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() == metrics.KindFloat64Histogram {
		h := sample[0].Value.Float64Histogram()
		q.times, q.counts = h.Buckets, slices.Clone(h.Counts)
	}
	return q
}

// since are those that waited after an earlier reading.
func (q queue) since(earlier queue) queue {
	if len(q.counts) != len(earlier.counts) {
		return queue{}
	}
	for i, n := range earlier.counts {
		q.counts[i] -= n
	}
	return q
}

// and is both together.
func (q queue) and(other queue) queue {
	switch {
	case len(q.counts) == 0:
		return queue{other.times, slices.Clone(other.counts)}
	case len(q.counts) != len(other.counts):
		return q
	}
	sum := queue{q.times, slices.Clone(q.counts)}
	for i, n := range other.counts {
		sum.counts[i] += n
	}
	return sum
}

// none is an empty one with the same times.
func (q queue) none() queue { return queue{q.times, make([]uint64, len(q.counts))} }

// add counts one that waited so long.
func (q queue) add(wait time.Duration) {
	at, found := slices.BinarySearch(q.times, wait.Seconds())
	if !found {
		at--
	}
	if at = min(max(0, at), len(q.counts)-1); at >= 0 {
		q.counts[at]++
	}
}

// without leaves out waits that are counted elsewhere. There they were timed from a moment before, so that they may
// be of the next shorter times here.
func (q queue) without(counted queue) queue {
	if len(counted.counts) != len(q.counts) {
		return q
	}
	rest, left := queue{q.times, slices.Clone(q.counts)}, uint64(0)
	for i := len(rest.counts) - 1; i >= 0; i-- {
		left += counted.counts[i]
		taken := min(left, rest.counts[i])
		rest.counts[i] -= taken
		left -= taken
	}
	return rest
}

// at is how long so many percent of them waited at the most.
func (q queue) at(percent float64) time.Duration {
	var total, seen uint64
	for _, n := range q.counts {
		total += n
	}
	for i, n := range q.counts {
		if seen += n; total > 0 && float64(seen) >= percent/100*float64(total) {
			return time.Duration(max(0, q.times[i]) * float64(time.Second))
		}
	}
	return 0
}

// Own is the generator's own delay at a percentile: how late a request was sent, and how long the goroutine that
// its answer woke waited for a CPU. What the one waited that sent it is in the former.
func (r *Result) Own(percent float64) time.Duration {
	return time.Duration(r.Late.ValueAtQuantile(percent)) + r.queue.at(percent)
}

// Shows says whether a percentile of the latency is the server's. Where half of it or more may be the generator's
// own delay it says more of the generator, and no note beside it makes it the server's: it is not shown, neither to
// people nor to programs, nor compared. Nor is one that has no request beyond it, and none above one that isn't shown.
func (r *Result) Shows(percent float64) bool { return percent <= r.mostShown() }

// mostShown is the highest percentile that is shown; 0 where none is.
func (r *Result) mostShown() (most float64) {
	for _, p := range percentiles {
		if !carries(r.Latency.TotalCount(), p) || r.isOwn(p) {
			break
		}
		most = p
	}
	return most
}

// leastOwn is the lowest percentile that is not shown since it may be the generator's own delay; 0 where none is.
func (r *Result) leastOwn() float64 {
	for _, p := range percentiles {
		if carries(r.Latency.TotalCount(), p) && r.isOwn(p) {
			return p
		}
	}
	return 0
}

// isOwn says whether half of a percentile or more may be the generator's own delay.
func (r *Result) isOwn(percent float64) bool {
	return 2*int64(r.Own(percent)) > r.Latency.ValueAtQuantile(percent)
}

// carries says whether so many requests have one beyond a percentile: of fewer it is but their maximum.
func carries(requests int64, percent float64) bool { return requests >= fewestOf(percent) }

// fewestOf is how many requests a percentile takes: 2 the median, 1000 that of 99.9.
func fewestOf(percent float64) int64 { return int64(math.Round(100 / (100 - percent))) }
