package service

import (
	"context"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// OpenScenario prepares a case with a load: the latency of requests that arrive at a constant rate, which is a
// share of what the server can do at most.
//
// A third of the window is a closed loop over [Connections] connections: the rate that is reached, and the share
// of its one CPU that the server used meanwhile. Where that is less than [BusyEnough] it was the client that
// limited, and the rate is none of the server's: it is rate_reached, and not saturated_rate. Else saturated_rate is
// what a CPU that is wholly busy does: the rate over that share, so that it can be held against that of another
// generator. In the rest requests arrive at the load's share of the rate that was reached, over at most [MostAtOnce]
// connections. Latencies count from when each request was due.
//
// Metrics: rate_reached, saturated_rate, rate_asked and rate_served ("1/s"), server_busy and generator_cpu (CPUs),
// behind (share by which the client overran its schedule), errors_refused, errors_reset, errors_timeout,
// errors_wrong_body and errors_other; mean, p50, p95, p99 and p99.9 of the latency, and of the client's own
// lateness as schedule_error. A client that did not keep its schedule, or did not reach the rate, gives
// no latencies.
func (m Maker) OpenScenario(c result.Case, vs provider.Vectors) (provider.Scenario, error) {
	s, ok := ShapeOf(c)
	if !ok || s.Load == 0 || !m.brings(s) {
		return nil, provider.Absent("not-offered", m.Library, c.Name()+" "+c.Operation+" "+c.Parameters)
	}
	o, err := m.prepared(s, c, vs)
	if err != nil {
		return nil, err
	}
	return &underLoad{o}, nil
}

const (
	// BusyEnough is the share of its CPU from which on it is the server that limits.
	BusyEnough = 0.95
	// MostAtOnce is how many requests that arrive at a rate may be under way; more wait for a connection, and their
	// latency counts on.
	MostAtOnce = 64
)

type underLoad struct{ *operation }

func (u *underLoad) Clock() result.Clock { return result.WallClock }

func (u *underLoad) Measure(_ context.Context, b provider.Budget) (r result.Record, err error) {
	window := time.Duration(b.Seconds * float64(time.Second))
	if err := u.Run(Connections); err != nil { // which opens the connections
		return r, err
	}
	cpu, wall := clock.Process(), time.Now()
	reached, err := u.ask(Order{Lasts: window / 3})
	if err != nil {
		return r, err
	}
	busy := float64(clock.Process()-cpu) / float64(time.Since(wall))
	rate := reached.perSecond()
	if !(rate > 0) {
		return r, reason.New("client-says", Answer{Kind: reached.Kind, Failed: reached.Said}.said())
	}
	served, err := u.ask(Order{Lasts: window - window/3, Rate: rate * float64(u.shape.Load) / 100})
	if err != nil {
		return r, err
	}
	add := func(name, unit string, value float64) {
		r.Metrics = append(r.Metrics, result.Metric{Name: name, Value: value, Unit: unit})
	}
	add("rate_reached", "1/s", rate)
	if busy >= BusyEnough {
		add("saturated_rate", "1/s", rate/min(1, busy))
	}
	add("server_busy", "1", min(1, busy))
	add("rate_asked", "1/s", served.Asked)
	add("rate_served", "1/s", served.perSecond())
	add("generator_cpu", "1", served.CPU.Seconds()/served.Took.Seconds())
	add("behind", "1", served.Behind)
	served.addErrors(&r, reached)
	loop.AddLatency(&r, "schedule_error", arrival.HistogramOf(served.Late))
	if !served.Kept {
		return r, nil
	}
	latency := arrival.HistogramOf(served.Latency)
	loop.AddLatency(&r, "latency", latency)
	if fewest := int64(1000); latency.TotalCount() >= fewest { // else less than one value lies beyond
		add("latency_p999_ns", "ns", float64(latency.ValueAtQuantile(99.9)))
	}
	return r, nil
}

// ask has the client measure. An answer that is wrong makes the row incorrect, however many are right.
func (u *underLoad) ask(o Order) (Answer, error) {
	o.URL = u.server.url
	a, err := u.client.tell(o)
	u.count(a.Right, a.failures(), err)
	return a, err
}

// Check judges connections and requests by what the server saw.
func (u *underLoad) Check() error { return u.judge(MostAtOnce) }

func (a Answer) failures() (n int64) {
	for _, count := range a.Failures {
		n += count
	}
	return n
}

func (a Answer) perSecond() float64 {
	if a.Took <= 0 {
		return 0
	}
	return float64(a.Right) / a.Took.Seconds()
}

// kinds are those of failures that have a metric of their own.
var kinds = []string{"refused", "reset", "timeout", "wrong_body"}

// addErrors counts by their kind what failed in two measurements.
func (a Answer) addErrors(r *result.Record, also Answer) {
	other := a.failures() + also.failures()
	for _, kind := range kinds {
		n := a.Failures[kind] + also.Failures[kind]
		other -= n
		r.Metrics = append(r.Metrics, result.Metric{Name: "errors_" + kind, Value: float64(n), Unit: "1"})
	}
	r.Metrics = append(r.Metrics, result.Metric{Name: "errors_other", Value: float64(other), Unit: "1"})
}
