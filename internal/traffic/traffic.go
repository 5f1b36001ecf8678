// Package traffic sends requests to an HTTP server of the user's and says how it answers: at a constant
// rate, or as fast as a number of connections can.
//
//	target.go      what is sent and what is right as an answer
//	connection.go  one request over one connection of HTTP/1.1, or of HTTP/2
//	failure.go     the kinds of what goes wrong
//	printable.go   what a server says, for a terminal
//	schedule.go    requests at a constant rate, and who sends them
//	pace.go        waiting until a request is due
//	generate.go    a measurement of one server
//	turns.go       two servers in turns, and the comparison
//	own.go         the generator's own delay, and which percentiles it leaves to the server
//	highest.go     the highest rate whose schedule is kept
//	options.go     what a user says of a server
//	lines.go, json.go  what was measured, for people and for programs
//
// # The schedule
//
// At a constant rate request i is due at i/rate, whether or not the server has answered those before,
// and its latency counts from then: a server that stalls is charged for all requests that were due
// meanwhile (coordinated omission, after Gil Tene). A request goes out on a connection that is free, or on
// a new one, or waits where there are as many as there may be.
//
// # Its own error
//
// A request that a free connection waited for should be sent at the moment at which it is due. How much
// later that is, is the generator's own error, which stands beside the latencies. A generator that is more
// than 1 % behind its schedule has measured itself: its latencies are not shown. Nor is a percentile of which half
// or more may be its own delay or that no request lies beyond, nor those above, nor any at a rate that was not reached.
//
// A thread that sleeps until a request is due, and then wakes another that sends it, is late by 100 µs. So a request
// is handed out a moment earlier, and who sends it watches the clock (pace.go).
package traffic

import (
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Plan is how requests are sent.
type Plan struct {
	Rate        float64       // requests a second; 0: each connection sends the next one when it has its answer
	Connections int           // at most, at a rate; else exactly
	Lasts       time.Duration // of the schedule
}

// Result is what was measured of one server.
type Result struct {
	Plan     Plan
	Took     time.Duration // of the schedule; waiting for the last answers is not in it
	Ended    time.Duration // with it
	Due      int64         // requests that the schedule had in that time, or that were sent without one
	Right    int64         // right answers
	Failures map[Failure]int64
	Examples map[Failure]language.Text // what the first of each kind said
	Latency  arrival.Histogram         // of right answers, from when they were due
	Late     arrival.Histogram         // the generator's own error
	Waited   int64                     // requests that waited for a free connection
	Dialled  int64                     // connections that were made
	Bytes    int64                     // of right bodies
	Overrun  time.Duration             // by which the last request of the schedule was late
	Starved  time.Duration             // how long the generator's goroutines waited for a CPU, the median
	queue    queue                     // all of them
	CPU      time.Duration             // of the generator
	Stopped  bool                      // before its time
}

const (
	// MaxBehind is the share of its schedule by which the generator may be late.
	MaxBehind = arrival.MaxBehind
	// MaxStarved is how long half of its goroutines may have waited for a CPU when requests had to wait,
	// too: then it isn't the server that they waited for.
	MaxStarved = time.Millisecond
)

// Behind is the share of its schedule by which the generator was late in the end.
func (r *Result) Behind() float64 {
	if r.Took <= 0 {
		return 0
	}
	return float64(r.Overrun) / float64(r.Took)
}

// Kept says whether the generator kept its schedule.
func (r *Result) Kept() bool {
	return r.Behind() <= MaxBehind && (r.Waited == 0 || r.Starved < MaxStarved)
}

// Overloaded says that the rate was more than somebody could do: the server, so many connections, or the
// generator itself.
func (r *Result) Overloaded() bool { return r.Plan.Rate > 0 && r.Waited > r.Due/100 }

// Sent is how many requests a second were sent.
func (r *Result) Sent() float64 {
	if r.Took <= 0 {
		return 0
	}
	return float64(r.Right+r.Failed()-r.Failures[NotSent]) / r.whole().Seconds()
}

// Missed says that the rate was not reached. Requests that wait for an answer at the end are no sign of
// that: only where many had to wait for a connection, too.
func (r *Result) Missed() bool {
	const reached = 0.99
	return r.Overloaded() && !r.Stopped && r.Sent() < reached*r.Plan.Rate
}

// Failing says whether more than 1 % of the requests had no right answer.
func (r *Result) Failing() bool { return 100*r.Failed() > r.Due }

// Doubtful says whether latencies may be the generator's own, some of them at least.
func (r *Result) Doubtful() bool {
	return r.Overloaded() || r.Kept() && r.leastOwn() > 0
}

// Measured says whether there are latencies: the schedule was kept and the rate was reached. At one that is not
// reached they grow for as long as it is asked for.
func (r *Result) Measured() bool { return r.Right > 0 && r.Kept() && !r.Missed() }

// PerSecond is how many right answers came in a second.
func (r *Result) PerSecond() float64 {
	if r.Took <= 0 {
		return 0
	}
	return float64(r.Right) / r.whole().Seconds()
}

// whole is how long the measurement lasted.
func (r *Result) whole() time.Duration { return max(r.Took, r.Ended) }

// Failed is how many requests had no right answer.
func (r *Result) Failed() (n int64) {
	for _, count := range r.Failures {
		n += count
	}
	return n
}

// digits are the significant digits of latencies.
const digits = 3

func newResult(p Plan) *Result {
	return &Result{Plan: p, Failures: map[Failure]int64{}, Examples: map[Failure]language.Text{},
		Latency: arrival.NewHistogram(digits), Late: arrival.NewHistogram(digits)}
}

// add takes what another measurement of the same server showed.
func (r *Result) add(other *Result) {
	r.Took += other.Took
	r.Ended += other.Ended
	r.Due += other.Due
	r.Right += other.Right
	for kind, n := range other.Failures {
		r.Failures[kind] += n
		if r.Examples[kind].EN == "" {
			r.Examples[kind] = other.Examples[kind]
		}
	}
	r.Latency.Add(other.Latency)
	r.Late.Add(other.Late)
	r.Waited += other.Waited
	r.Dialled += other.Dialled
	r.Bytes += other.Bytes
	r.Overrun += other.Overrun
	r.Starved = max(r.Starved, other.Starved)
	r.queue = r.queue.and(other.queue)
	r.CPU += other.CPU
	r.Stopped = r.Stopped || other.Stopped
}
