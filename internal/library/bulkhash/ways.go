package bulkhash

import (
	"sync"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// A way hashes all messages of an operation.
type way interface {
	call() error
	close()
}

// newWay makes what an operation runs.
func newWay[D Digest](s Shape, digests []D, m *messages, loops Loops[D]) (way, error) {
	switch {
	case !s.Parallel() && loops.Alone != nil:
		return &single[D]{digests, m, loops}, nil
	case s.Parallel() && loops.Each != nil:
	default:
		return nil, provider.Absent("not-offered", algorithm.HashMany, parameter.Way.Is(s.Way))
	}
	switch s.Way {
	case parameter.Spawn:
		return &spawn[D]{digests, m, loops.Each(), loops.Close}, nil
	case parameter.Split:
		return &split[D]{digests, m, loops.Each(), s.Workers, loops.Close}, nil
	}
	return newCrew(s, digests, m, loops), nil
}

// single is a way of one goroutine.
type single[D Digest] struct {
	digests []D
	m       *messages
	loops   Loops[D]
}

func (w *single[D]) call() error {
	w.loops.Alone(w.digests, w.m.slices, w.m.strings)
	return nil
}

func (w *single[D]) close() { closed(w.loops.Close) }

func closed(f func()) {
	if f != nil {
		f()
	}
}

// spawn is a goroutine for each message, without a bound on how many there are.
type spawn[D Digest] struct {
	digests []D
	m       *messages
	loop    Loop[D]
	end     func()
}

func (w *spawn[D]) call() error {
	var all sync.WaitGroup
	all.Add(len(w.digests))
	for i := range w.digests {
		go func() {
			defer all.Done()
			w.loop(w.digests[i:i+1], w.m.slices[i:i+1])
		}()
	}
	all.Wait()
	return nil
}

func (w *spawn[D]) close() { closed(w.end) }

// split gives each of so many goroutines a range of the messages.
type split[D Digest] struct {
	digests []D
	m       *messages
	loop    Loop[D]
	workers int
	end     func()
}

func (w *split[D]) call() error {
	var all sync.WaitGroup
	n := len(w.digests)
	for i := range w.workers {
		from, to := n*i/w.workers, n*(i+1)/w.workers
		all.Go(func() { w.loop(w.digests[from:to], w.m.slices[from:to]) })
	}
	all.Wait()
	return nil
}

func (w *split[D]) close() { closed(w.end) }

// crew is a worker pool: goroutines that live as long as the operation, and take
// messages from a channel, or from a counter.
type crew[D Digest] struct {
	digests []D
	m       *messages
	batch   int
	end     func()

	items   chan int // where a batch begins; -1: the call is over for who receives it
	start   chan struct{}
	next    atomic.Int64
	workers int
	done    sync.WaitGroup // of a call
	ended   sync.WaitGroup // of all
}

func newCrew[D Digest](s Shape, digests []D, m *messages, loops Loops[D]) *crew[D] {
	w := &crew[D]{digests: digests, m: m, batch: s.Batch, end: loops.Close, workers: s.Workers,
		items: make(chan int, channelRoom), start: make(chan struct{})}
	serve := w.count
	if s.Way == parameter.Channel {
		serve = w.receive
	}
	for range s.Workers {
		loop := loops.Each()
		w.ended.Go(func() { serve(loop) })
	}
	return w
}

func (w *crew[D]) call() error {
	w.next.Store(0)
	if w.batch == 0 {
		w.done.Add(w.workers)
		for range w.workers {
			w.start <- struct{}{}
		}
		w.done.Wait()
		return nil
	}
	w.done.Add((len(w.digests) + w.batch - 1) / w.batch)
	for from := 0; from < len(w.digests); from += w.batch {
		w.items <- from
	}
	w.done.Wait()
	return nil
}

// receive is a worker that takes batches from the channel. It says when each is done,
// as people write it, who do not know beforehand which is the last.
func (w *crew[D]) receive(loop Loop[D]) {
	for from := range w.items {
		to := min(from+w.batch, len(w.digests))
		loop(w.digests[from:to], w.m.slices[from:to])
		w.done.Done()
	}
}

// count is a worker that takes messages from the counter.
func (w *crew[D]) count(loop Loop[D]) {
	for range w.start {
		for {
			i := int(w.next.Add(1)) - 1
			if i >= len(w.digests) {
				break
			}
			loop(w.digests[i:i+1], w.m.slices[i:i+1])
		}
		w.done.Done()
	}
}

func (w *crew[D]) close() {
	close(w.items)
	close(w.start)
	w.ended.Wait()
	closed(w.end)
}
