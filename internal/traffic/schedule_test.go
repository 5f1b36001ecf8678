package traffic

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
)

// bubble is a pace whose clock is that of synctest.
type bubble struct{ begun time.Time }

func (b bubble) now() time.Duration { return time.Since(b.begun) }

func (b bubble) until(ctx context.Context, due time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(due - b.now()):
		return ctx.Err() == nil
	}
}

func (b bubble) exactly(due time.Duration) { time.Sleep(due - b.now()) }

// served is what a server of the tests saw.
type served struct {
	schedule
	latency arrival.Histogram
	order   []time.Duration // moments that requests were due at
	slots   map[int]int     // requests by slot
}

// serving is a schedule of 1,000 a second whose requests take what answer says.
func serving(answer func(due time.Duration) time.Duration) *served {
	s := &served{latency: arrival.NewHistogram(digits), slots: map[int]int{}}
	begun := time.Now()
	s.schedule = schedule{pace: bubble{begun}, rate: 1000, timeout: time.Second, late: arrival.NewHistogram(digits)}
	s.serve = func(due time.Duration, slot int) {
		time.Sleep(answer(due))
		s.mu.Lock()
		defer s.mu.Unlock()
		s.latency.Record(time.Since(begun) - due)
		s.order = append(s.order, due)
		s.slots[slot]++
	}
	return s
}

func takes(d time.Duration) func(time.Duration) time.Duration {
	return func(time.Duration) time.Duration { return d }
}

// TestFastServerNeedsOneConnection: a free connection is used before a new one is made, and every
// request is sent at its moment.
func TestFastServerNeedsOneConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serving(takes(100 * time.Microsecond))
		n, late := s.run(t.Context(), s.count(time.Second), 8)
		if n != 1000 || late != 0 || len(s.slots) != 1 || s.waited != 0 {
			t.Errorf("%d requests, %v late, %d connections, %d waited", n, late, len(s.slots), s.waited)
		}
		if got := s.latency.Max(); got > 100_100 || s.late.Max() > 1 {
			t.Errorf("latency %d ns, late %d ns", got, s.late.Max())
		}
	})
}

// TestSlowServerGetsMoreConnections: each takes 3.5 ms, so four are busy at 1,000 a second, and nobody waits.
func TestSlowServerGetsMoreConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serving(takes(3500 * time.Microsecond))
		s.run(t.Context(), 1000, 8)
		if len(s.slots) != 4 || s.waited != 0 || s.latency.Max() > 3_510_000 {
			t.Errorf("%d connections, %d waited, latency up to %d ns", len(s.slots), s.waited, s.latency.Max())
		}
	})
}

// TestStallIsChargedToAllWhoWaited: one answer takes 100 ms, over one connection. A closed loop would see
// one slow request; the schedule sees the hundred that were due meanwhile.
func TestStallIsChargedToAllWhoWaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serving(func(due time.Duration) time.Duration {
			if due == 200*time.Millisecond {
				return 100 * time.Millisecond
			}
			return 10 * time.Microsecond
		})
		n, _ := s.run(t.Context(), 1000, 1)
		if n != 1000 || s.latency.TotalCount() != 1000 {
			t.Fatalf("%d due, %d answered", n, s.latency.TotalCount())
		}
		slow := int64(0)
		for _, b := range s.latency.Distribution() {
			if b.From >= int64(50*time.Millisecond) {
				slow += b.Count
			}
		}
		if slow < 50 || slow > 52 {
			t.Errorf("%d requests waited for half the stall, want about 51", slow)
		}
		if s.waited < 99 || s.late.TotalCount()+s.waited != 1000 {
			t.Errorf("%d waited, %d were sent at once", s.waited, s.late.TotalCount())
		}
		for i := 1; i < len(s.order); i++ {
			if s.order[i] < s.order[i-1] {
				t.Fatalf("request %v was sent after %v", s.order[i], s.order[i-1])
			}
		}
	})
}

// TestNobodyWaitsForEver: a server that takes 300 ms over one connection answers some in time; those that
// wait for longer than the timeout are given up.
func TestNobodyWaitsForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serving(takes(300 * time.Millisecond))
		n, _ := s.run(t.Context(), 2000, 1)
		if n != 2000 || s.unsent == 0 || int64(len(s.order))+s.unsent != n {
			t.Errorf("%d due, %d answered, %d given up", n, len(s.order), s.unsent)
		}
		if most := int64(1300 * time.Millisecond); s.latency.Max() > most+most/500 {
			t.Errorf("a latency of %d ns, longer than waiting and answering may take", s.latency.Max())
		}
	})
}

// TestInterruptedScheduleEnds: what was due is counted, what waits is dropped, and nobody is left.
func TestInterruptedScheduleEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100500*time.Microsecond)
		defer cancel()
		s := serving(takes(20 * time.Millisecond))
		n, _ := s.run(ctx, 1000, 2)
		if n != 101 || len(s.order) == 0 || len(s.order) > 14 {
			t.Errorf("%d due, %d answered", n, len(s.order))
		}
	})
}

func TestCountOfRequests(t *testing.T) {
	for _, test := range []struct {
		rate  float64
		lasts time.Duration
		want  int64
	}{{1000, time.Second, 1000}, {0.5, 2 * time.Second, 1}, {3, time.Second, 3}, {2.5, time.Second, 3}, {1000, time.Second / 15, 67}} {
		s := schedule{rate: test.rate}
		if got := s.count(test.lasts); got != test.want {
			t.Errorf("%g/s for %v: %d, want %d", test.rate, test.lasts, got, test.want)
		}
	}
}

// TestHandedOutEarly: who takes a moment to wake is handed a request before it is due, and sends it when it is. One
// that no connection was free for by then, but in time, did not wait.
func TestHandedOutEarly(t *testing.T) {
	for _, test := range []struct {
		name   string
		takes  time.Duration
		most   int
		waited int64
	}{
		{"free long before", 100 * time.Microsecond, 8, 0},
		{"free just in time", 900 * time.Microsecond, 1, 0},
		{"free too late", 1100 * time.Microsecond, 1, 999},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := serving(takes(test.takes))
			s.lead = 250 * time.Microsecond
			n, late := s.run(t.Context(), 1000, test.most)
			if n != 1000 || late != 0 || s.waited != test.waited || len(s.slots) != 1 || s.late.TotalCount() != n-test.waited || s.late.Max() > 1 {
				t.Errorf("%s: %d requests, %v late, %d waited, %d connections, own error %d ns", test.name, n, late, s.waited, len(s.slots), s.late.Max())
			}
			if least := int64(test.takes); s.latency.ValueAtQuantile(0.001) < least-least/500 {
				t.Errorf("%s: a latency of %d ns: it was sent before it was due", test.name, s.latency.ValueAtQuantile(0.001))
			}
		})
	}
}

// TestLead: a fifth of a CPU watches the clock at most, and none where there is one alone.
func TestLead(t *testing.T) {
	for _, test := range []struct {
		rate float64
		cpus int
		want time.Duration
	}{{1, 2, 250 * time.Microsecond}, {800, 2, 250 * time.Microsecond}, {1000, 2, 200 * time.Microsecond}, {10_000, 64, 20 * time.Microsecond},
		{MostRate, 2, 200 * time.Nanosecond}, {500, 1, 0}} {
		if got := leadAt(test.rate, test.cpus); got != test.want {
			t.Errorf("%g/s on %d CPUs: %v, want %v", test.rate, test.cpus, got, test.want)
		}
	}
	if n := processors(); n < 1 || n > 1<<16 {
		t.Errorf("%d CPUs", n)
	}
}
