package arrival

import (
	"context"
	"testing"
	"time"
)

// TestStallCountsAgainstThoseWhoWaited plants a stall. A closed loop would see
// one slow request; the schedule sees all that were due meanwhile.
func TestStallCountsAgainstThoseWhoWaited(t *testing.T) {
	const rate, stall = 1000, 60 * time.Millisecond
	i := 0
	r, err := Constant(context.Background(), rate, 300*time.Millisecond, func() {
		if i++; i == 100 {
			time.Sleep(stall)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Sent != 300 || r.Latency.TotalCount() != 300 {
		t.Fatalf("sent %d, recorded %d, want 300 each", r.Sent, r.Latency.TotalCount())
	}
	var waited int64
	for _, b := range r.Latency.Distribution() {
		if b.From >= int64(stall)/2 {
			waited += b.Count
		}
	}
	// The stall lasts at least 60 ms, so at least 30 requests waited 30 ms or more.
	if waited < 29 {
		t.Errorf("%d requests waited for half the stall, want at least 29", waited)
	}
}

func TestInterruptedScheduleKeepsWhatItSaw(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	r, err := Constant(ctx, 1000, time.Second, func() {
		if n++; n == 5 {
			cancel()
		}
	})
	if err == nil || r.Sent != 5 || r.Latency.TotalCount() != 5 {
		t.Fatalf("err %v, sent %d, recorded %d; want an error and 5", err, r.Sent, r.Latency.TotalCount())
	}
}

func TestNoRequests(t *testing.T) {
	for _, rate := range []float64{0, -1, 0.1} {
		if _, err := Constant(context.Background(), rate, time.Second, func() {}); err == nil {
			t.Errorf("a rate of %g/s over a second is accepted", rate)
		}
	}
}

// BenchmarkRecord is the cost of recording a latency with its two clock reads, as
// servers do it: on the monotonic clock alone, from one common beginning.
func BenchmarkRecord(b *testing.B) {
	h, begun := NewHistogram(2), time.Now()
	b.ReportAllocs()
	for b.Loop() {
		start := time.Since(begun)
		h.Record(time.Since(begun) - start)
	}
}
