package loop

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// NewArrival is the scenario "arrival": requests of request=M messages
// arrive at a constant rate, load=L percent of what the servers can do or
// rate=R a second, and are sealed with one shared cipher. One CPU belongs to the generator of the requests;
// on each of the others (on the same, where there is one alone) runs a goroutine
// that serves.
//
// Under a load a third of the window measures how many requests a second the servers do when
// there is always one waiting (the saturated rate), the rest how long each takes
// at the share of that rate, from when it was due by the schedule.
//
// Metrics: saturated_rate, rate_asked and rate_served ("1/s"), behind (share by
// which the generator overran its schedule), and mean, p50, p95 and p99 of both
// histograms. Histograms: latency, and schedule_error, the generator's own
// lateness. Where the generator was behind by more than 1 % (arrival.MaxBehind)
// there are no latencies: they would say more of it than of the servers.
func NewArrival(fresh NewAEADFunc, c result.Case, v *provider.Vector) (provider.Scenario, error) {
	load, rate, request := parameter.Load.In(c.Parameters), parameter.Rate.In(c.Parameters), parameter.Request.In(c.Parameters)
	_, rest := seeded.MixOf(c)
	under, at := load > 0 && parameter.Are(rest, parameter.Load, parameter.Request), rate > 0 && parameter.Are(rest, parameter.Rate, parameter.Request)
	if request == 0 || !under && !at {
		return nil, provider.Absent("parameters", c.Operation, "load=PERCENT,request=MESSAGES", c.Parameters)
	}
	g, err := newGoroutines(serverCount(), parameter.Shared, fresh, v)
	if err != nil {
		return nil, err
	}
	s := &arrivals{load: float64(load) / 100, rate: float64(rate), check: g.check}
	s.servers = arrival.Servers{Count: len(g.slots), Serve: func(server int) {
		if s.failed.Load() != nil {
			return
		}
		// A library that panics must not take the worker with it.
		if err := provider.Guard(func() error { return g.seal(g.slots[server], request) }); err != nil {
			s.failed.CompareAndSwap(nil, &err)
		}
	}}
	return s, nil
}

// serverCount leaves a CPU to the generator, where there is another.
func serverCount() int { return max(1, runtime.GOMAXPROCS(0)-1) }

type arrivals struct {
	servers arrival.Servers
	load    float64 // a share of what the servers can do; 0 where there is a rate
	rate    float64 // a second
	check   func() error
	failed  atomic.Pointer[error]
}

func (s *arrivals) Measure(ctx context.Context, b provider.Budget) (r result.Record, err error) {
	s.failed.Store(nil)
	rate, window := s.rate, time.Duration(b.Seconds*float64(time.Second))
	if rate == 0 {
		saturated, err := arrival.Saturated(ctx, window/3, s.servers)
		if err != nil {
			return r, err
		}
		metric(&r, "saturated_rate", "1/s", saturated)
		rate, window = s.load*saturated, window-window/3
	}
	err = serve(ctx, &r, rate, window, s.servers)
	if failed := s.failed.Load(); failed != nil {
		return result.Record{}, *failed
	}
	return r, err
}

func (s *arrivals) Check() error { return s.check() }
func (s *arrivals) Close() error { return nil }

func serve(ctx context.Context, r *result.Record, rate float64, lasts time.Duration, s arrival.Servers) error {
	begun := time.Now()
	got, err := arrival.Serve(ctx, rate, lasts, s)
	if err != nil {
		return reason.New("requests", fmt.Sprintf("%.0f", rate), err)
	}
	metric(r, "rate_asked", "1/s", rate)
	metric(r, "rate_served", "1/s", float64(got.Latency.TotalCount())/time.Since(begun).Seconds())
	metric(r, "behind", "1", got.Behind)
	AddLatency(r, "schedule_error", got.Late)
	if got.Behind <= arrival.MaxBehind {
		AddLatency(r, "latency", got.Latency)
	}
	return nil
}

// NewEmptyArrival is the scenario around nothing, at a given rate per second: what
// handing a request over to another goroutine costs, and how well the generator
// keeps its schedule. Check can prove no more than that requests were served.
func NewEmptyArrival(rate float64) provider.Scenario {
	var served atomic.Int64
	return &arrivals{rate: rate, servers: arrival.Servers{Count: serverCount(), Serve: func(int) { served.Add(1) }},
		check: func() error {
			if served.Swap(0) == 0 {
				return provider.ErrNotRun
			}
			return nil
		}}
}
