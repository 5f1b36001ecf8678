package worker

import (
	"runtime"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// stalling takes 1 ms a call on its clock, and once, early on, as long as a busy machine, or the
// worker's own start, may make it.
type stalling struct {
	clock   result.Clock
	batches int
	calls   int
}

func (o *stalling) Run(n int) error {
	pass := time.Sleep
	if o.clock != result.WallClock {
		pass = func(d time.Duration) {
			for start := time.Now(); time.Since(start) < d; {
			}
		}
	}
	if o.batches++; o.batches == 2 {
		pass(120 * time.Millisecond)
	}
	o.calls += n
	pass(time.Duration(n) * time.Millisecond)
	return nil
}

func (o *stalling) Check() error        { return nil }
func (o *stalling) Close() error        { return nil }
func (o *stalling) Clock() result.Clock { return o.clock }

// newServer measures in the test's goroutine, which it locks to its thread as [Serve] does: two readings
// of two threads' clocks have no difference that means anything.
func newServer(t *testing.T) *server {
	runtime.LockOSThread()
	s := &server{timer: newTimer()}
	t.Cleanup(func() {
		s.timer.counter.Close()
		runtime.UnlockOSThread()
	})
	return s
}

// TestStallsDontShortenBatches: what was in the way while the batches were sized is not
// taken for work, on whichever clock, since the sizes stay for the whole run.
func TestStallsDontShortenBatches(t *testing.T) {
	for _, on := range []result.Clock{result.WallClock, result.ProcessClock, result.ThreadClock} {
		s := newServer(t)
		var op provider.Operation = &stalling{clock: on}
		calls, err := s.calibrate(&opened{op: op}, int64(40*time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		// Believed, the stall of 120 ms would have left one call to a batch of 40 ms.
		if calls < 4 {
			t.Errorf("%s: a batch of 40 ms has %d calls of 1 ms", on, calls)
		}
	}
}

// TestAWholeBatchRunsUntimed before the first sample of a block, so that no sample is the first.
func TestAWholeBatchRunsUntimed(t *testing.T) {
	s := newServer(t)
	op := &stalling{clock: result.WallClock, batches: 2}
	if r, err := s.ready(&opened{op: op}, 50, 0); err != nil || r.Calls != 50 || op.calls != 51 {
		t.Errorf("%+v, %v; %d calls ran, want one to be checked and 50", r, err, op.calls)
	}
}

// TestGarbageOfTheStartIsCollected before a worker says that it is ready.
func TestGarbageOfTheStartIsCollected(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := newServer(t)
	s.bench = func(provider.Setting) Bench { return Bench{} }
	if _, err := s.hello(request{Protocol: Protocol, CPU: -1}); err != nil {
		t.Fatal(err)
	}
	if runtime.ReadMemStats(&after); after.NumForcedGC == before.NumForcedGC {
		t.Error("nothing was collected")
	}
}
