package decide

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestQueue: the simulation agrees with the formulas that there are. M/M/1: latencies are exponential
// with the mean 1/(μ−λ). M/D/1 (Pollaczek–Khinchine): the mean wait is ρ/(2(1−ρ)) of a service.
// M/M/c (Erlang C): of those that wait, each waits 1/(cμ−λ) on average.
func TestQueue(t *testing.T) {
	mean := func(xs []float64) (sum float64) {
		for _, x := range xs {
			sum += x
		}
		return sum / float64(len(xs))
	}
	const n = 1_000_000
	for _, load := range []float64{0.3, 0.7, 0.9} {
		rng := rand.New(rand.NewPCG(1, 2))
		q := queue{servers: 1, atOnce: 1, rate: load}
		times := q.latencies(n, rng.ExpFloat64, rng)
		slices.Sort(times)
		if got, want := times[n*99/100], -math.Log(0.01)/(1-load); math.Abs(got/want-1) > 0.06 {
			t.Errorf("M/M/1 at %v: p99 %v, want %v", load, got, want)
		}
		times = q.latencies(n, func() float64 { return 1 }, rng)
		if got, want := mean(times), 1+load/(2*(1-load)); math.Abs(got/want-1) > 0.03 {
			t.Errorf("M/D/1 at %v: mean %v, want %v", load, got, want)
		}
		pool := queue{servers: 4, atOnce: 1, rate: 4 * load}
		times = pool.latencies(n, rng.ExpFloat64, rng)
		if got, want := mean(times), 1+erlangC(4, 4*load)/(4-4*load); math.Abs(got/want-1) > 0.03 {
			t.Errorf("M/M/4 at %v: mean %v, want %v", load, got, want)
		}
	}
}

// erlangC is the share of requests that wait for one of c servers under an offered load of a.
func erlangC(c int, a float64) float64 {
	sum, term := 0.0, 1.0
	for k := range c {
		sum += term
		term *= a / float64(k+1)
	}
	last := term * float64(c) / (float64(c) - a)
	return last / (sum + last)
}

// TestQueueOfParts: what a transaction does less than once is drawn, several at once are one
// request, a line that grows for ever has no percentile, and the same seed gives the same.
func TestQueueOfParts(t *testing.T) {
	q := queue{servers: 2, atOnce: 1, rate: 0.01, parts: []served{{1, 2}, {100, 0.02}}, seed: 7}
	a, ok := q.p99()
	b, _ := q.p99()
	if !ok || a != b || a < 102 || a > 110 { // 2 in 100 take 102
		t.Errorf("%v and %v, %v", a, b, ok)
	}
	q.parts[1].times = 0
	if lone, ok := q.p99(); !ok || lone < 2 || lone > 2.1 {
		t.Errorf("nobody waits, and p99 is %v, %v", lone, ok)
	}
	q.atOnce = 10
	if ten, ok := q.p99(); !ok || ten < 20 || ten > 21 {
		t.Errorf("ten at once: %v, %v", ten, ok)
	}
	q.rate = 1
	if _, ok := q.p99(); ok {
		t.Error("two servers are asked for all their time")
	}
	if _, ok := (queue{}).p99(); ok {
		t.Error("no servers serve")
	}
}
