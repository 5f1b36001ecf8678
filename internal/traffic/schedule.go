package traffic

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
)

// schedule hands out requests that are due at a constant rate, to connections that are free. Those that
// answered last come first, so that no more connections are used than are needed.
type schedule struct {
	pace    pace
	rate    float64
	lead    time.Duration // before it is due a request is handed out, since who sends it takes time to wake
	timeout time.Duration
	serve   func(due time.Duration, slot int) // sends the request that was due at that moment

	mu     sync.Mutex
	slots  []*slot
	free   []*slot
	next   int64 // the first request that waits for a connection
	behind int64 // how many wait
	waited int64
	unsent int64 // that waited for longer than the timeout
	late   arrival.Histogram
	woken  queue // how long those that were handed a request took until they ran
	ended  bool
	all    sync.WaitGroup
}

// slot is a connection, and the goroutine that it belongs to.
type slot struct {
	number int
	wake   chan int64 // the request that it is to send
	handed time.Duration
}

// due is the moment of a request.
func (s *schedule) due(i int64) time.Duration {
	return time.Duration(float64(i) * float64(time.Second) / s.rate)
}

// count is how many requests are due before a moment.
func (s *schedule) count(lasts time.Duration) int64 {
	return max(1, int64(math.Ceil(lasts.Seconds()*s.rate-1e-6)))
}

// run lets n requests come due, for at most so many connections, and returns how many did and how late the
// last of them was released. It comes back when all of them are answered or given up.
func (s *schedule) run(ctx context.Context, n int64, most int) (released int64, late time.Duration) {
	for i := range n {
		if !s.pace.until(ctx, s.due(i)-s.lead) {
			break
		}
		late = max(0, s.pace.now()-s.due(i))
		s.release(i, most)
		released++
	}
	s.end(ctx)
	s.all.Wait()
	return released, late
}

// release gives a request that is due, or is in a moment, to a free connection or a new one, or lets it wait.
func (s *schedule) release(i int64, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(s.free) > 0:
		last := len(s.free) - 1
		s.free[last].handed = s.pace.now()
		s.free[last].wake <- i
		s.free = s.free[:last]
	case len(s.slots) < most:
		slot := &slot{number: len(s.slots), wake: make(chan int64, 1), handed: s.pace.now()}
		s.slots = append(s.slots, slot)
		slot.wake <- i
		s.all.Go(func() { s.work(slot) })
	default:
		if s.behind == 0 {
			s.next = i
		}
		s.behind++
		s.waited++
	}
}

// work sends what a slot is given, and then what waits.
func (s *schedule) work(slot *slot) {
	for i := range slot.wake {
		s.running(s.pace.now() - slot.handed)
		s.prompt(s.due(i))
		s.serve(s.due(i), slot.number)
		for {
			due, more := s.waiting(slot)
			if !more {
				break
			}
			if s.pace.now() < due { // it did not wait: it only was handed out early
				s.mu.Lock()
				s.waited--
				s.mu.Unlock()
				s.prompt(due)
			}
			s.serve(due, slot.number)
		}
	}
}

// running records how long a goroutine took until it ran.
func (s *schedule) running(after time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.woken.add(after)
}

// prompt waits until a request is due that has a connection.
func (s *schedule) prompt(due time.Duration) {
	s.pace.exactly(due)
	s.begun(s.pace.now() - due)
}

// begun records how late a request is that a free connection took.
func (s *schedule) begun(late time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.late.Record(late)
}

// waiting takes the next request that waits. Without one the slot is free. Those that have waited for
// longer than an answer may take are given up: nobody waits for them any more.
func (s *schedule) waiting(slot *slot) (due time.Duration, more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.behind > 0 {
		due = s.due(s.next)
		s.next++
		s.behind--
		if s.pace.now()-due < s.timeout {
			return due, true
		}
		s.unsent++
	}
	if s.ended {
		close(slot.wake)
	} else {
		s.free = append(s.free, slot)
	}
	return 0, false
}

// end lets slots go that are free now, and the others when they are. Interrupted, nothing waits any more.
func (s *schedule) end(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if ctx.Err() != nil {
		s.behind = 0
	}
	for _, slot := range s.free {
		close(slot.wake)
	}
	s.free = nil
}
