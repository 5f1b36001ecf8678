package loop

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Part is an operation of a transaction, and how often a transaction does it on average.
type Part struct {
	Operation provider.Operation
	Times     float64
}

// Demand is how many transactions arrive: so many a second, at most mostLoad of what the servers
// can do; or, where Rate is 0, a share of that.
type Demand struct{ Rate, Load float64 }

// NewTransaction is the scenario of several operations done as one: each server has its own,
// and does them in an order drawn anew each time.
//
// Part of the window all servers are busy without a pause, a little of it untimed and the rest in
// short samples, in turns: of transactions, and of each part by itself as [NewBusy] runs it, for
// a machine changes its speed within a tenth of a second. The CPU time of the process, garbage
// collection included, gives the metrics busy_cpu_ns of a transaction and step_N_cpu_ns of a
// call of part N, counted from 1; what the loop of a transaction itself takes, own_cpu_ns, is in
// neither. Where the demand is a rate, requests to an HTTP service have their turns too, with the
// transaction in their handler and without: request_cpu_ns and request_own_cpu_ns. Then
// transactions arrive at random as demanded, in requests of at_once where one is less work than
// leastRequest: servers, rate_asked, rate_served, and the latency of requests from when each was
// due.
func NewTransaction(servers [][]Part, d Demand, seed uint64) provider.Scenario {
	t := &transactions{demand: d, seed: seed}
	apart := make([][]provider.Operation, len(servers[0]))
	for _, parts := range servers {
		s := &transacting{}
		for i, p := range parts {
			s.parts = append(s.parts, &due{Part: p})
			apart[i] = append(apart[i], p.Operation)
		}
		t.servers = append(t.servers, s)
	}
	for _, ops := range apart {
		t.apart = append(t.apart, NewBusy(ops))
	}
	return t
}

const (
	// mostLoad is the share of what servers can do at which their latencies are still their own.
	mostLoad = 0.8
	// leastRequest is so much work that taking a request and reading the clock is little beside it.
	leastRequest = 10 * time.Microsecond
	// Shares of a window.
	warming, saturating = 0.08, 0.67
	// turn is how long transactions and requests have in turns, partTurn each part by itself.
	turn, partTurn = 5 * time.Millisecond, 4 * time.Millisecond
)

type transactions struct {
	servers []*transacting
	apart   []provider.Operation // a part each, on as many CPUs as there are servers
	demand  Demand
	seed    uint64
}

// transacting is one server. What it writes in every transaction lies where no other server writes.
type transacting struct {
	parts  []*due
	rng    *rand.Rand
	failed error
}

// due is a part with how often it was asked for so far. What falls between two whole numbers is
// done at a moment drawn between them, so that a part comes at random and as often as it should.
type due struct {
	Part
	asked, done, next float64
	ran               bool // since the last check
}

// move draws when the part is done next. Whole numbers of times leave nothing to chance.
func (d *due) move(rng *rand.Rand) {
	d.next = d.done + 0.5
	if d.Times != math.Floor(d.Times) {
		d.next = d.done + rng.Float64()
	}
}

// once is one transaction, whose order is drawn into a buffer.
func (s *transacting) once(order []*due) ([]*due, error) {
	order = order[:0]
	for _, p := range s.parts {
		for p.asked += p.Times; p.asked >= p.next; p.move(s.rng) {
			p.done++
			order = append(order, p)
		}
	}
	if len(order) > 1 {
		s.rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	for _, p := range order {
		p.ran = true
		if err := p.Operation.Run(1); err != nil {
			return order, err
		}
	}
	return order, nil
}

// lone is the only part, where there is one and nothing is left to chance.
func (s *transacting) lone() (p *due, lone bool) {
	return s.parts[0], len(s.parts) == 1 && s.parts[0].Times == math.Floor(s.parts[0].Times)
}

// several does transactions. A library that panics must not take the worker with it.
func (s *transacting) several(n int64) {
	if s.failed == nil {
		s.failed = provider.Guard(func() (err error) {
			if p, lone := s.lone(); lone { // in a loop like that of its row
				p.ran = true
				return p.Operation.Run(int(n) * int(p.Times))
			}
			order := make([]*due, 0, 8)
			for i := int64(0); i < n && err == nil; i++ {
				order, err = s.once(order)
			}
			return err
		})
	}
}

// between is how long a server goes on before it looks at the clock.
const between = 100 * time.Microsecond

// most is how many transactions it does in between, however short they are.
const most = 1 << 16

// until does transactions until a moment, and counts them.
func (s *transacting) until(ctx context.Context, end time.Time) (count int64) {
	n := int64(1)
	for begun := time.Now(); begun.Before(end) && ctx.Err() == nil && s.failed == nil; {
		s.several(n)
		count += n
		now := time.Now()
		if now.Sub(begun) < between/2 && n < most {
			n *= 2
		}
		begun = now
	}
	return count
}

// begin draws anew what a block leaves to chance.
func (t *transactions) begin(block int) {
	for i, s := range t.servers {
		s.failed, s.rng = nil, t.draw(block, i+1)
		for _, p := range s.parts {
			p.asked, p.done = 0, 0
			p.move(s.rng)
		}
	}
}

// own is what the loop around a server's operations takes a transaction, in nanoseconds of CPU time.
func (t *transactions) own(b provider.Budget) (float64, error) {
	if _, lone := t.servers[0].lone(); lone {
		return 0, nil
	}
	s := &transacting{rng: t.draw(b.Block, -1)}
	for _, p := range t.servers[0].parts {
		empty := &due{Part: Part{Operation: &timed{run: func(int) error { return nil }}, Times: p.Times}}
		empty.move(s.rng)
		s.parts = append(s.parts, empty)
	}
	const enough = 20_000
	sample, err := b.Sample(func() (int64, error) { s.several(enough); return enough, s.failed })
	return float64(sample.Process) / enough, err
}

func (t *transactions) draw(block, stream int) *rand.Rand {
	return rand.New(rand.NewPCG(t.seed, uint64(block)<<32|uint64(stream)))
}

func (t *transactions) Measure(ctx context.Context, b provider.Budget) (r result.Record, err error) {
	t.begin(b.Block)
	window := time.Duration(b.Seconds * float64(time.Second))
	if _, err := t.saturate(ctx, time.Duration(warming*float64(window))); err != nil {
		return r, err
	}
	own, err := t.own(b)
	if err != nil {
		return r, err
	}
	took, err := t.inTurns(ctx, b, time.Duration(saturating*float64(window)))
	if err != nil {
		return r, err
	}
	each := max(1, took.together.each()-own)
	r, err = t.serve(ctx, each, time.Duration((1-warming-saturating)*float64(window)), t.draw(b.Block, 0))
	if err = cmp.Or(err, t.failure()); err != nil {
		return result.Record{}, err
	}
	metric(&r, "busy_cpu_ns", "ns", each)
	metric(&r, "own_cpu_ns", "ns", own)
	for i, p := range took.apart {
		metric(&r, parameter.StepMetric(i), "ns", p.each())
	}
	if took.with != nil {
		metric(&r, "request_cpu_ns", "ns", took.with.each()-own)
		metric(&r, "request_own_cpu_ns", "ns", took.without.each())
	}
	return r, nil
}

// shift is one that takes turns: in each its work keeps all CPUs busy.
type shift struct {
	work  func() (calls int64, err error)
	calls int64
	cpu   int64 // ns
}

func (s *shift) each() float64 { return float64(s.cpu) / float64(max(s.calls, 1)) }

type turns struct {
	together      *shift   // transactions
	apart         []*shift // each part by itself
	with, without *shift   // requests; nil where there are none
}

// inTurns has them take turns, in an order drawn anew each time.
func (t *transactions) inTurns(ctx context.Context, b provider.Budget, lasts time.Duration) (took *turns, err error) {
	took = &turns{together: &shift{work: func() (int64, error) { return t.saturate(ctx, turn) }}}
	all := []*shift{took.together}
	if t.demand.Rate > 0 {
		for _, op := range t.apart {
			calls, err := callsIn(ctx, op, partTurn) // as many as its turn has room for
			if err != nil {
				return nil, err
			}
			took.apart = append(took.apart, &shift{work: func() (int64, error) { return calls, op.Run(int(calls)) }})
		}
		all = append(all, took.apart...)
		if q := openRequests(t.servers); q != nil {
			defer q.close()
			took.with = &shift{work: func() (int64, error) { return q.run(withSteps, turn) }}
			took.without = &shift{work: func() (int64, error) { return q.run(withoutSteps, turn) }}
			all = append(all, took.with, took.without)
		}
	}
	rng := t.draw(b.Block, -2)
	for end := time.Now().Add(lasts); took.together.calls == 0 || time.Now().Before(end); {
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, s := range all {
			sample, err := b.Sample(s.work)
			if err = cmp.Or(t.failure(), err, ctx.Err()); err != nil {
				return nil, err
			}
			s.calls, s.cpu = s.calls+max(sample.Calls, 1), s.cpu+sample.Process
		}
	}
	return took, nil
}

// callsIn is how many calls last about so long, at most 1<<20.
func callsIn(ctx context.Context, op provider.Operation, lasts time.Duration) (int64, error) {
	for calls := int64(1); ; calls *= 2 {
		begun := time.Now()
		if err := provider.Guard(func() error { return op.Run(int(calls)) }); err != nil {
			return 0, err
		}
		if took := time.Since(begun); took >= lasts/2 || ctx.Err() != nil || calls >= 1<<20 {
			return max(1, min(int64(float64(calls)*float64(lasts)/float64(max(took, 1))), 1<<20)), ctx.Err()
		}
	}
}

// serve lets transactions arrive that take each nanoseconds.
func (t *transactions) serve(ctx context.Context, each float64, lasts time.Duration, rng *rand.Rand) (r result.Record, err error) {
	full := float64(len(t.servers)) / each * 1e9
	rate := t.demand.Load * full
	if t.demand.Rate > 0 {
		rate = min(t.demand.Rate, mostLoad*full)
	}
	atOnce := max(1, int64(math.Ceil(float64(leastRequest)/each)))
	begun := time.Now()
	got, err := arrival.Poisson(ctx, rate/float64(atOnce), lasts, rng,
		arrival.Servers{Count: len(t.servers), Serve: func(i int) { t.servers[i].several(atOnce) }})
	if err != nil {
		return r, err
	}
	metric(&r, "servers", "1", float64(len(t.servers)))
	metric(&r, "at_once", "1", float64(atOnce))
	metric(&r, "rate_asked", "1/s", rate)
	metric(&r, "rate_served", "1/s", float64(got.Sent*atOnce)/time.Since(begun).Seconds())
	AddLatency(&r, "schedule_error", got.Late)
	AddLatency(&r, "latency", got.Latency)
	return r, nil
}

// saturate keeps all servers busy for a while, and counts their transactions.
func (t *transactions) saturate(ctx context.Context, lasts time.Duration) (int64, error) {
	var count atomic.Int64
	end := time.Now().Add(lasts)
	err := atOnce(len(t.servers), func(i int) error {
		count.Add(t.servers[i].until(ctx, end))
		return nil
	})
	return count.Load(), cmp.Or(t.failure(), err, ctx.Err())
}

func (t *transactions) failure() error {
	for _, s := range t.servers {
		if s.failed != nil {
			return s.failed
		}
	}
	return nil
}

func (t *transactions) Check() error {
	checked := false
	for i, s := range t.servers {
		for _, p := range s.parts {
			if !p.ran {
				continue
			}
			p.ran, checked = false, true
			if err := p.Operation.Check(); err != nil {
				return reason.New("at-once", len(t.servers), i+1, err)
			}
		}
	}
	if !checked {
		return provider.ErrNotRun
	}
	return nil
}

func (t *transactions) Close() error { return NewBusy(t.apart).Close() }
