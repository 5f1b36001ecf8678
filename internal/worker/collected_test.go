package worker

import (
	"context"
	"math"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// littering allocates, less in a millisecond than is waited for before it is collected.
type littering struct {
	last []byte
	sum  int
}

const litter = 64 << 10

func (o *littering) Run(n int) error {
	for range n {
		o.last = make([]byte, litter)
		o.work(working())
	}
	return nil
}

func (o *littering) work(steps int) {
	for i := range steps {
		o.sum = o.sum*31 + i
	}
}

// working is how many steps take 30 µs of CPU time, however busy the machine is.
var working = sync.OnceValue(func() int {
	runtime.LockOSThread() // whose clock is read
	defer runtime.UnlockOSThread()
	const steps = 20_000
	least := int64(math.MaxInt64)
	for range 50 {
		start := clock.Read()
		new(littering).work(steps)
		least = min(least, clock.Read().Sub(start).Thread)
	}
	return int(steps * 30_000 / max(1, least))
})

func (o *littering) Check() error { return nil }
func (o *littering) Close() error { return nil }

// TestSamplesBearTheirCollections: what the calls of an operation on busy CPUs leave behind is collected
// in its samples as often, by bytes, as in transactions that run without a pause, which are what the
// prediction made of the samples is held against. Alone an operation's garbage is collected between samples.
func TestSamplesBearTheirCollections(t *testing.T) {
	if testing.Short() {
		t.Skip("allocates for a second")
	}
	s := newServer(t)
	sampled := func(op provider.Operation) float64 {
		o := &opened{op: op}
		r, err := s.ready(o, 0, int64(time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		var collections, calls int64
		for calls*litter < 200<<20 {
			sample, err := s.timer.sample(o, r.Calls)
			if err != nil {
				t.Fatal(err)
			}
			collections, calls = collections+int64(sample.Collections), calls+sample.Calls
		}
		return float64(collections) / float64(calls)
	}
	busy := sampled(loop.NewBusy([]provider.Operation{&littering{}, &littering{}}))
	transactions := loop.NewTransaction([][]loop.Part{{{Operation: &littering{}, Times: 1}}, {{Operation: &littering{}, Times: 1}}},
		loop.Demand{Rate: 1000}, 7)
	var collections, calls int64
	budget := provider.Budget{Seconds: 0.1, Sample: s.timer.time}
	for calls*litter < 200<<20 {
		before, allocated := s.timer.heapState()
		if _, err := transactions.Measure(context.Background(), budget); err != nil {
			t.Fatal(err)
		}
		after, now := s.timer.heapState()
		collections, calls = collections+after-before, calls+int64(now-allocated)/litter
	}
	together := float64(collections) / float64(calls)
	t.Logf("collections a call: %.5f in samples, %.5f in transactions", busy, together)
	if busy < together/2 || busy > together*2 {
		t.Errorf("%.5f collections a call in samples, %.5f in transactions", busy, together)
	}
	if alone := sampled(&littering{}); alone > busy/2 {
		t.Errorf("%.5f collections a call alone, %.5f on busy CPUs", alone, busy)
	}
}
