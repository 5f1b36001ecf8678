package loop

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Part is an operation of a transaction, and how often a transaction does it on average.
type Part struct {
	Operation provider.Operation
	Times     float64
}

// NewTransaction is the scenario of several operations done as one: each server has its own,
// and does them in an order drawn anew each time.
//
// Two fifths of the window all servers are busy without a pause, which gives the metric
// busy_cpu_ns, CPU time a transaction. The rest they serve transactions that arrive at the
// rate, or at mostLoad of what they can do where that is less: rate_asked, rate_served, and
// latency from when each was due.
func NewTransaction(servers [][]Part, rate float64, seed uint64) provider.Scenario {
	t := &transactions{rate: rate}
	for i, parts := range servers {
		t.servers = append(t.servers, &transacting{parts: parts, ran: make([]bool, len(parts)), rng: rand.New(rand.NewPCG(seed, uint64(i)))})
	}
	return t
}

// mostLoad is the share of what servers can do at which their latencies are still their own.
const mostLoad = 0.8

type transactions struct {
	servers []*transacting
	rate    float64
	failed  atomic.Pointer[error]
}

// transacting is one server.
type transacting struct {
	parts []Part
	ran   []bool // since the last check
	order []int
	rng   *rand.Rand
}

// once is one transaction.
func (s *transacting) once() error {
	s.order = s.order[:0]
	for i, p := range s.parts {
		n := int(p.Times)
		if s.rng.Float64() < p.Times-float64(n) {
			n++
		}
		for range n {
			s.order = append(s.order, i)
		}
	}
	s.rng.Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
	for _, i := range s.order {
		s.ran[i] = true
		if err := s.parts[i].Operation.Run(1); err != nil {
			return err
		}
	}
	return nil
}

func (t *transactions) Measure(ctx context.Context, b provider.Budget) (r result.Record, err error) {
	t.failed.Store(nil)
	window := time.Duration(b.Seconds * float64(time.Second))
	busy := window * 2 / 5
	sample, err := b.Sample(func() (int64, error) { return t.saturate(ctx, busy) })
	if err != nil {
		return r, err
	}
	each := float64(sample.Process) / float64(max(sample.Calls, 1))
	servers := arrival.Servers{Count: min(len(t.servers), serverCount()), Serve: t.serve}
	rate := min(t.rate, mostLoad*float64(servers.Count)/each*1e9)
	r, err = served(ctx, rate, window-busy, servers)
	if failed := t.failed.Load(); failed != nil {
		return result.Record{}, *failed
	}
	metric(&r, "busy_cpu_ns", "ns", each)
	return r, err
}

// saturate keeps all servers busy for a while, and counts their transactions.
func (t *transactions) saturate(ctx context.Context, lasts time.Duration) (int64, error) {
	var count atomic.Int64
	var all sync.WaitGroup
	until := time.Now().Add(lasts)
	for i := range t.servers {
		all.Go(func() {
			for time.Now().Before(until) && ctx.Err() == nil && t.failed.Load() == nil {
				t.serve(i)
				count.Add(1)
			}
		})
	}
	all.Wait()
	if failed := t.failed.Load(); failed != nil {
		return 0, *failed
	}
	return count.Load(), ctx.Err()
}

// serve is one transaction. A library that panics must not take the worker with it.
func (t *transactions) serve(server int) {
	if t.failed.Load() != nil {
		return
	}
	if err := provider.Guard(t.servers[server].once); err != nil {
		t.failed.CompareAndSwap(nil, &err)
	}
}

func (t *transactions) Check() error {
	checked := false
	for i, s := range t.servers {
		for j, p := range s.parts {
			if !s.ran[j] {
				continue
			}
			s.ran[j], checked = false, true
			if err := p.Operation.Check(); err != nil {
				return reason.New("at-once", len(t.servers), i+1, err)
			}
		}
	}
	if !checked {
		return errNotRun
	}
	return nil
}

func (t *transactions) Close() error {
	var ops []provider.Operation
	for _, s := range t.servers {
		for _, p := range s.parts {
			ops = append(ops, p.Operation)
		}
	}
	return NewBusy(ops).Close()
}
