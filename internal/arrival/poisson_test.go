package arrival

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// sleepUntil waits on the fake clock, which stands still where a loop would wait.
func sleepUntil(start time.Time, due time.Duration) bool {
	left := due - time.Since(start)
	time.Sleep(left)
	return left > 0
}

func lineAt(rate float64, lasts time.Duration) *line {
	return &line{rng: seeded(), gap: float64(time.Second) / rate, lasts: lasts}
}

func seeded() *rand.Rand { return rand.New(rand.NewPCG(7, 7)) }

// TestPoissonServesAll: every request that is due is served once, by servers that share one line,
// at the rate that was asked for.
func TestPoissonServesAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var by [2]int64
		r, err := inLine(t.Context(), lineAt(2000, time.Second), Servers{2, func(i int) { by[i]++; time.Sleep(100 * time.Microsecond) }}, sleepUntil)
		if err != nil || r.Sent != by[0]+by[1] || r.Latency.TotalCount() != r.Sent || by[0] == 0 || by[1] == 0 {
			t.Fatalf("%v sent, %v by server, %v", r.Sent, by, err)
		}
		if math.Abs(float64(r.Sent)-2000) > 4*math.Sqrt(2000) {
			t.Errorf("%d of about 2000", r.Sent)
		}
	})
}

// TestPoissonLineCounts: under a clock that stands still while servers compute, the latencies are those
// of an M/D/1 queue: at a load of 0.8 of a server that takes 1 ms they are 1 + 0.8/(2·0.2) = 3 ms on average.
func TestPoissonLineCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := inLine(t.Context(), lineAt(800, time.Minute), Servers{1, func(int) { time.Sleep(time.Millisecond) }}, sleepUntil)
		if err != nil {
			t.Fatal(err)
		}
		if mean := r.Latency.Mean() / 1e6; math.Abs(mean/3-1) > 0.1 {
			t.Errorf("%v ms on average, want about 3", mean)
		}
	})
}

func TestPoissonRefuses(t *testing.T) {
	for _, bad := range []struct {
		rate  float64
		lasts time.Duration
		count int
	}{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {math.NaN(), 1, 1}} {
		if _, err := Poisson(context.Background(), bad.rate, bad.lasts, seeded(), Servers{bad.count, func(int) {}}); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := Poisson(ctx, 1000, time.Second, seeded(), Servers{2, func(int) {}}); err == nil || r.Sent != 0 {
		t.Errorf("sent %d, %v", r.Sent, err)
	}
}
