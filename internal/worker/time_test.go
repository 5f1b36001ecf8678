package worker

import (
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// stalling waits 1 ms a call, and once, early on, as long as a busy machine may make it.
type stalling struct{ batches int }

func (o *stalling) Run(n int) error {
	if o.batches++; o.batches == 2 {
		time.Sleep(300 * time.Millisecond)
	}
	time.Sleep(time.Duration(n) * time.Millisecond)
	return nil
}

func (o *stalling) Check() error        { return nil }
func (o *stalling) Close() error        { return nil }
func (o *stalling) Clock() result.Clock { return result.WallClock }

// TestStallsDontShortenBatches: what was in the way while the batches were sized on
// the wall clock is not taken for work, since the sizes stay for the whole run.
func TestStallsDontShortenBatches(t *testing.T) {
	s := &server{timer: newTimer()}
	defer s.timer.close()
	var op provider.Operation = &stalling{}
	calls, err := s.calibrate(&opened{op: op}, int64(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	// Believed, the stall of 300 ms would have left one call to a batch of 100 ms.
	if calls < 10 {
		t.Errorf("a batch of 100 ms has %d calls of 1 ms", calls)
	}
}
