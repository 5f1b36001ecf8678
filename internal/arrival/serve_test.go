package arrival

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestServersServeAll: every request is served once, by one of the servers, and
// its latency and the generator's lateness are recorded.
func TestServersServeAll(t *testing.T) {
	var mu sync.Mutex
	by := map[int]int{}
	r, err := Serve(context.Background(), 2000, 100*time.Millisecond, Servers{3, func(server int) {
		mu.Lock()
		defer mu.Unlock()
		by[server]++
	}})
	if err != nil {
		t.Fatal(err)
	}
	if n := by[0] + by[1] + by[2]; n != 200 || len(by) > 3 {
		t.Errorf("served %v, want 200 by three servers", by)
	}
	if r.Sent != 200 || r.Latency.TotalCount() != 200 || r.Late.TotalCount() != 200 {
		t.Errorf("sent %d, recorded %d and %d, want 200 each", r.Sent, r.Latency.TotalCount(), r.Late.TotalCount())
	}
}

// TestQueueCounts plants a server that needs longer than the schedule leaves it.
// The generator goes on, and each request waits for those before it.
func TestQueueCounts(t *testing.T) {
	const n, service = 20, 10 * time.Millisecond
	r, err := Serve(context.Background(), 1000, n*time.Millisecond, Servers{1, func(int) { time.Sleep(service) }})
	if err != nil {
		t.Fatal(err)
	}
	// Request i is due after i ms and served no sooner than after (i+1)·10 ms.
	if got, least := r.Latency.Max(), int64(n*service-n*time.Millisecond); got < least {
		t.Errorf("the last request took %d ns, want at least %d", got, least)
	}
	if r.Latency.TotalCount() != n {
		t.Errorf("%d latencies, want %d", r.Latency.TotalCount(), n)
	}
}

// TestGeneratorKnowsItIsBehind plants a schedule that no generator keeps.
func TestGeneratorKnowsItIsBehind(t *testing.T) {
	r, err := Serve(context.Background(), 1e9, 2*time.Millisecond, Servers{1, func(int) {}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Behind <= MaxBehind {
		t.Errorf("a request each nanosecond, and behind by %v", r.Behind)
	}
}

func TestInterruptedServersEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := Serve(ctx, 1000, time.Second, Servers{2, func(int) {}}); err == nil || r.Sent != 0 {
		t.Errorf("sent %d, %v", r.Sent, err)
	}
	if _, err := Saturated(ctx, time.Second, Servers{2, func(int) {}}); err == nil {
		t.Error("an interrupted measurement has a rate")
	}
}

// TestSaturated: servers that take 1 ms serve at most 1000 a second each.
func TestSaturated(t *testing.T) {
	rate, err := Saturated(context.Background(), 100*time.Millisecond, Servers{2, func(int) { time.Sleep(time.Millisecond) }})
	if err != nil || rate <= 0 || rate > 2200 {
		t.Errorf("%v per second, %v; want at most 2000", rate, err)
	}
	for _, s := range []Servers{{0, func(int) {}}, {-1, nil}} {
		if _, err := Saturated(context.Background(), time.Second, s); err == nil {
			t.Errorf("%d servers are accepted", s.Count)
		}
		if _, err := Serve(context.Background(), 1000, time.Second, s); err == nil {
			t.Errorf("%d servers are accepted", s.Count)
		}
	}
}

func TestPairs(t *testing.T) {
	h, other := NewHistogram(2), NewHistogram(2)
	h.Record(0) // as 1: the least that can be told
	h.Record(50_000)
	other.Record(50_000)
	other.Record(time.Hour) // as the longest
	h.Add(other)
	pairs := h.Pairs()
	if len(pairs) != 3 || pairs[0] != [2]int64{1, 1} || pairs[1][1] != 2 || pairs[2][0] < highest {
		t.Fatalf("got %v", pairs)
	}
	if again := HistogramOf(pairs).Pairs(); !slices.Equal(again, pairs) {
		t.Errorf("%v came back as %v", pairs, again)
	}
	if v := pairs[1][0]; v < 50_000 || v > 50_500 {
		t.Errorf("50 µs came back as %d ns", v)
	}
}

func TestRecordingDoesNotAllocate(t *testing.T) {
	h := NewHistogram(2)
	if n := testing.AllocsPerRun(100, func() { h.Record(time.Millisecond) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
