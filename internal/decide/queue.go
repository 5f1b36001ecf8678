package decide

import (
	"math"
	"math/rand/v2"
	"slices"
)

// served is a part of a transaction: what it takes, and how often a transaction does it.
type served struct{ seconds, times float64 }

// queue is a line of transactions that arrive at random and are served in the order of their
// arrival by whichever server is free first: M/G/c. Several of them arrive at once.
type queue struct {
	servers, atOnce int
	rate            float64 // transactions a second
	parts           []served
	seed            uint64
}

const (
	simulated = 100_000 // requests
	settling  = 10_000  // that are served before
)

// p99 is the time in seconds within which 99 % of the requests are served; false where the line
// would grow for ever.
func (q queue) p99() (seconds float64, ok bool) {
	if q.servers < 1 || q.atOnce < 1 || !(q.rate > 0) || q.load() >= 1 {
		return 0, false
	}
	rng := rand.New(rand.NewPCG(q.seed, 1))
	times := q.latencies(simulated, func() float64 { return q.serving(rng) }, rng)
	slices.Sort(times)
	return times[len(times)*99/100], true
}

// load is the share of the servers' time that is asked for.
func (q queue) load() float64 {
	var each float64
	for _, p := range q.parts {
		each += p.seconds * p.times
	}
	return q.rate * each / float64(q.servers)
}

// serving draws what a request takes: what falls between two whole numbers of times is chance.
func (q queue) serving(rng *rand.Rand) (seconds float64) {
	for range q.atOnce {
		for _, p := range q.parts {
			whole := math.Floor(p.times)
			if rng.Float64() < p.times-whole {
				whole++
			}
			seconds += whole * p.seconds
		}
	}
	return seconds
}

// latencies are the times of n requests from arrival to end.
func (q queue) latencies(n int, serving func() float64, rng *rand.Rand) []float64 {
	free := make([]float64, q.servers) // when each server will be
	gap := float64(q.atOnce) / q.rate
	times := make([]float64, 0, n)
	now := 0.0
	for i := range settling + n {
		now += rng.ExpFloat64() * gap
		first := 0
		for s := range free {
			if free[s] < free[first] {
				first = s
			}
		}
		free[first] = max(now, free[first]) + serving()
		if i >= settling {
			times = append(times, free[first]-now)
		}
	}
	return times
}
