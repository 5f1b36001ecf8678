package traffic

import (
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
// its answer woke waited for a CPU.
func (r *Result) Own(percent float64) time.Duration {
	return time.Duration(r.Late.ValueAtQuantile(percent)) + r.queue.at(percent)
}

// Shows says whether a percentile of the latency is the server's. Where half of it or more may be the generator's
// own delay it says more of the generator, and no note beside it makes it the server's: it is not shown, neither to
// people nor to programs, nor compared.
func (r *Result) Shows(percent float64) bool {
	return r.Latency.TotalCount() > 0 && 2*int64(r.Own(percent)) <= r.Latency.ValueAtQuantile(percent)
}
