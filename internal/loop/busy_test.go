package loop

import (
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// noted is an operation that notes what it is asked.
type noted struct {
	calls  atomic.Int64
	wrong  error
	closed bool
}

func (o *noted) Run(n int) error {
	if n > 1_000_000 {
		panic("too many")
	}
	o.calls.Add(int64(n))
	return nil
}
func (o *noted) Check() error { return o.wrong }
func (o *noted) Close() error { o.closed = true; return nil }

func TestBusySharesCallsOut(t *testing.T) {
	ops := []provider.Operation{&noted{}, &noted{}, &noted{}}
	busy := NewBusy(ops)
	if busy.Check() == nil {
		t.Error("a Check before any Run passes")
	}
	for _, n := range []int{1, 3, 100} {
		before := int64(0)
		for _, op := range ops {
			before += op.(*noted).calls.Load()
		}
		if err := busy.Run(n); err != nil {
			t.Fatal(err)
		}
		after := -before
		for _, op := range ops {
			after += op.(*noted).calls.Load()
		}
		if after != int64(n) {
			t.Errorf("%d calls were asked and %d made", n, after)
		}
		if err := busy.Check(); err != nil {
			t.Error(err)
		}
	}
	if busy.Check() == nil {
		t.Error("a second Check passes")
	}
	ops[2].(*noted).wrong = errors.New("wrong")
	_ = busy.Run(2)
	if err := busy.Check(); err != nil {
		t.Errorf("one that did not run is judged: %v", err)
	}
	_ = busy.Run(3)
	if err := busy.Check(); err == nil || !strings.Contains(err.Error(), "of 3 at once, number 3: wrong") {
		t.Errorf("got %v", err)
	}
	if err := busy.Run(100_000_000); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("a panic on another goroutine became %v", err)
	}
	if err := busy.Close(); err != nil || !ops[1].(*noted).closed {
		t.Error("not closed")
	}
}

// slow is an operation that is not done before something is so.
type slow struct {
	noted
	until func() bool
}

func (o *slow) Run(n int) error {
	for begun := time.Now(); !o.until(); runtime.Gosched() {
		if time.Since(begun) > 10*time.Second {
			return errors.New("it was waited for")
		}
	}
	return o.noted.Run(n)
}

// TestBusyWaitsForNone: while one CPU is slow the others do what there is to do.
func TestBusyWaitsForNone(t *testing.T) {
	const n, first = 3200, 3200 / (pieces * 2)
	fast := &noted{}
	busy := NewBusy([]provider.Operation{&slow{until: func() bool { return fast.calls.Load() == n-first }}, fast})
	if err := busy.Run(n); err != nil {
		t.Error(err)
	}
}

func TestAloneOnCPU(t *testing.T) {
	for parameters, want := range map[string]struct {
		alone string
		cpus  int
	}{"": {"", 0}, "busy=2": {"", 2}, "busy=16,za=precomputed": {"za=precomputed", 16}, "busy=0": {"busy=0", 0},
		"busy=99999": {"busy=99999", 0}, "busy=x": {"busy=x", 0}, "crt=no": {"crt=no", 0}} {
		if alone, cpus := provider.AloneOf(result.Case{Parameters: parameters}, parameter.Busy); alone.Parameters != want.alone || cpus != want.cpus {
			t.Errorf("%q: %q, %d", parameters, alone.Parameters, cpus)
		}
	}
}
