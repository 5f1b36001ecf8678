package bulkhash

import (
	"sync"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

type way struct{ call, close func() }

func newWay[D Digest](s Shape, digests []D, m *held, loops Loops[D]) way {
	w := way{close: loops.Close}
	switch s.Way {
	case parameter.Spawn:
		w.call = spawn(digests, m, loops.Each())
	case parameter.Split:
		w.call = split(digests, m, loops.Each(), s.Workers)
	case parameter.Channel, parameter.Counter:
		p := newPool(s, digests, m, loops)
		return way{p.call, p.close}
	default:
		w.call = func() { loops.Alone[s.Way](digests, m.slices) }
		if loop := loops.Strings[s.Way]; loop != nil {
			w.call = func() { loop(digests, m.strings) }
		}
	}
	return w
}

func spawn[D Digest](digests []D, m *held, loop Loop[D]) func() {
	return func() {
		var all sync.WaitGroup
		all.Add(len(digests))
		for i := range digests {
			go func() {
				defer all.Done()
				loop(digests[i:i+1], m.slices[i:i+1])
			}()
		}
		all.Wait()
	}
}

func split[D Digest](digests []D, m *held, loop Loop[D], workers int) func() {
	return func() {
		var all sync.WaitGroup
		n := len(digests)
		for i := range workers {
			from, to := n*i/workers, n*(i+1)/workers
			all.Go(func() { loop(digests[from:to], m.slices[from:to]) })
		}
		all.Wait()
	}
}

// pool is goroutines that live as long as the operation, and take messages from a
// channel, or from a counter.
type pool[D Digest] struct {
	digests []D
	m       *held
	batch   int
	end     func()

	items   chan int // where a batch begins
	start   chan struct{}
	next    atomic.Int64
	workers int
	done    sync.WaitGroup // of a call
	ended   sync.WaitGroup // of all
}

func newPool[D Digest](s Shape, digests []D, m *held, loops Loops[D]) *pool[D] {
	p := &pool[D]{digests: digests, m: m, batch: s.Batch, end: loops.Close, workers: s.Workers,
		items: make(chan int, channelRoom), start: make(chan struct{})}
	serve := p.count
	if s.Way == parameter.Channel {
		serve = p.receive
	}
	for range s.Workers {
		loop := loops.Each()
		p.ended.Go(func() { serve(loop) })
	}
	return p
}

func (p *pool[D]) call() {
	p.next.Store(0)
	if p.batch == 0 {
		p.done.Add(p.workers)
		for range p.workers {
			p.start <- struct{}{}
		}
	} else {
		p.done.Add((len(p.digests) + p.batch - 1) / p.batch)
		for from := 0; from < len(p.digests); from += p.batch {
			p.items <- from
		}
	}
	p.done.Wait()
}

// receive takes batches from the channel. It says when each is done, as people write
// it, who do not know beforehand which is the last.
func (p *pool[D]) receive(loop Loop[D]) {
	for from := range p.items {
		to := min(from+p.batch, len(p.digests))
		loop(p.digests[from:to], p.m.slices[from:to])
		p.done.Done()
	}
}

func (p *pool[D]) count(loop Loop[D]) {
	for range p.start {
		for i := int(p.next.Add(1)) - 1; i < len(p.digests); i = int(p.next.Add(1)) - 1 {
			loop(p.digests[i:i+1], p.m.slices[i:i+1])
		}
		p.done.Done()
	}
}

func (p *pool[D]) close() {
	close(p.items)
	close(p.start)
	p.ended.Wait()
	p.end()
}
