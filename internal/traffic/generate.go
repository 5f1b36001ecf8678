package traffic

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/clock"
)

// Generator sends requests to one server. Its connections stay open from one measurement to the next.
type Generator struct {
	target  *Target
	senders []sender
	mu      sync.Mutex
	result  *Result
}

// NewGenerator returns a generator without connections.
func NewGenerator(t *Target) *Generator { return &Generator{target: t} }

// Close closes the connections.
func (g *Generator) Close() {
	for _, s := range g.senders {
		if s != nil {
			s.close()
		}
	}
}

// Probe sends one request, so that a server that can't answer gets no more. The connection is kept.
func (g *Generator) Probe(ctx context.Context) error {
	_, err := g.sender(0).send(ctx)
	return err
}

// sender is the one of a slot.
func (g *Generator) sender(slot int) sender {
	g.mu.Lock()
	defer g.mu.Unlock()
	for slot >= len(g.senders) {
		g.senders = append(g.senders, nil)
	}
	if g.senders[slot] == nil {
		g.senders[slot] = newSender(g.target)
	}
	return g.senders[slot]
}

// Measure sends requests as planned.
func (g *Generator) Measure(ctx context.Context, p Plan) *Result {
	g.result = newResult(p)
	dialled, cpu, starved := g.target.dialled.Load(), clock.Process(), queueing()
	begun, sending := time.Now(), starved.none()
	if p.Rate > 0 {
		g.open(ctx, p, clocked{begun}, sending)
	} else {
		g.closed(ctx, p, begun)
	}
	r := g.result
	r.Ended = time.Since(begun)
	r.CPU = time.Duration(clock.Process() - cpu)
	waited := queueing().since(starved)
	r.Starved, r.queue = waited.at(50), waited.without(sending)
	r.Dialled = g.target.dialled.Load() - dialled
	r.Stopped = ctx.Err() != nil
	return r
}

// open sends at a constant rate, and counts how long those that send take to wake.
func (g *Generator) open(ctx context.Context, p Plan, pace pace, woken queue) {
	s := &schedule{pace: pace, rate: p.Rate, lead: leadAt(p.Rate, processors()), timeout: g.target.Timeout,
		late: arrival.NewHistogram(digits), woken: woken}
	s.serve = func(due time.Duration, slot int) {
		bytes, err := g.sender(slot).send(ctx)
		g.answered(ctx, pace.now()-due, bytes, err)
	}
	n := s.count(p.Lasts)
	r := g.result
	var generating sync.WaitGroup
	generating.Go(func() {
		precise()
		r.Due, r.Overrun = s.run(ctx, n, p.Connections)
	})
	generating.Wait()
	r.Took = s.due(r.Due)
	r.Late, r.Waited = s.late, s.waited
	if s.unsent > 0 {
		r.Failures[NotSent] += s.unsent
	}
}

// closed has each connection send its next request when it has its answer.
func (g *Generator) closed(ctx context.Context, p Plan, begun time.Time) {
	var all sync.WaitGroup
	for slot := range p.Connections {
		sender := g.sender(slot)
		all.Go(func() {
			for sent := time.Since(begun); sent < p.Lasts && ctx.Err() == nil; sent = time.Since(begun) {
				bytes, err := sender.send(ctx)
				g.answered(ctx, time.Since(begun)-sent, bytes, err)
				if err != nil {
					pause(ctx)
				}
			}
		})
	}
	all.Wait()
	g.result.Took = time.Since(begun)
	g.result.Due = g.result.Right + g.result.Failed()
}

// Send sends so many requests, each when one of the connections has its answer, and returns how many were
// answered right. The first that is not ends it.
func (g *Generator) Send(ctx context.Context, connections int, requests int64) (int64, error) {
	var left, right atomic.Int64
	var failed atomic.Pointer[error]
	left.Store(requests)
	var all sync.WaitGroup
	for slot := range min(int64(connections), requests) {
		sender := g.sender(int(slot))
		all.Go(func() {
			for left.Add(-1) >= 0 && failed.Load() == nil {
				if _, err := sender.send(ctx); err != nil {
					failed.CompareAndSwap(nil, &err)
					return
				}
				right.Add(1)
			}
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		return right.Load(), *err
	}
	return right.Load(), nil
}

// Last is a body that was opened, the last of some connection; nil where there was none. It is valid until the
// next request.
func (g *Generator) Last() []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.senders {
		if c, ok := s.(*connection); ok && c.whole != nil {
			return c.whole
		}
	}
	return nil
}

// pause is taken after a failure: a server that refuses connections would be asked a hundred thousand
// times a second.
func pause(ctx context.Context) {
	const lasts = 10 * time.Millisecond
	select {
	case <-ctx.Done():
	case <-time.After(lasts):
	}
}

// answered counts an answer. What an interrupt cut off is nobody's failure.
func (g *Generator) answered(ctx context.Context, took time.Duration, bytes int64, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch r := g.result; {
	case err == nil:
		r.Right++
		r.Bytes += bytes
		r.Latency.Record(took)
	case ctx.Err() == nil:
		kind := KindOf(err)
		r.Failures[kind]++
		if r.Examples[kind].EN == "" && kind != NoHTTP2 && kind != LongHeader {
			r.Examples[kind] = Plain(err)
		}
	}
}

// Roomy gives the generator's own thread a place to run beside the goroutines that send.
func Roomy() { runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1) }
