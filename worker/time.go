package worker

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/provider"
)

// collectAfter is how much garbage earlier samples may leave before it is
// collected outside the timing. Without this a library that allocates would have
// its garbage collected during the samples of those that do not.
const collectAfter = 1 << 20

// timer takes samples. It belongs to the goroutine that measures.
type timer struct {
	counter   *clock.Counter
	noCounter string
	garbage   float64
	cycles    []metrics.Sample
}

func newTimer() *timer {
	t := &timer{cycles: []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}}
	counter, err := clock.OpenCounter()
	if err != nil {
		t.noCounter = err.Error()
		return t
	}
	t.counter = counter
	return t
}

func (t *timer) close() {
	if t.counter != nil {
		t.counter.Close()
	}
}

func (t *timer) collections() int64 {
	metrics.Read(t.cycles)
	return int64(t.cycles[0].Value.Uint64())
}

func (t *timer) count() int64 {
	if t.counter == nil {
		return -1
	}
	return t.counter.Read()
}

// sample times calls back to back, as one, and returns the fields of the
// protocol's run.
func (t *timer) sample(o *opened, calls int64) ([]int64, error) {
	if o.op == nil || calls < 1 {
		return nil, &Fault{Failed, fmt.Sprintf("can't run %d calls", calls)}
	}
	if t.garbage > collectAfter {
		runtime.GC()
		t.garbage = 0
	}
	t.garbage += o.bytes * float64(calls)
	gcs, cpu := t.collections(), clock.CPU()
	spinBefore := clock.Spin()
	var d clock.Reading
	var cycles int64
	err := provider.Guard(func() error {
		c0 := t.count()
		start := clock.Read()
		err := o.op.Run(int(calls))
		d = clock.Read().Sub(start)
		cycles = t.count() - c0
		return err
	})
	if err != nil {
		return nil, &Fault{Failed, err.Error()}
	}
	if t.counter == nil {
		cycles = -1
	}
	spinAfter := clock.Spin()
	moved := int64(0)
	if clock.CPU() != cpu {
		moved = 1
	}
	return []int64{calls, d.Thread, d.Process, d.Wall, cycles, spinBefore, spinAfter, t.collections() - gcs, moved}, nil
}

// ready proves the output right, counts allocations, and finds how many calls
// last about target nanoseconds of thread time.
func (s *server) ready(o *opened, calls, target int64) (*Ready, error) {
	if o.op == nil {
		return nil, &Fault{Failed, "a scenario is not run by calls"}
	}
	if err := provider.Guard(func() error { return o.op.Run(1) }); err != nil {
		return nil, &Fault{Failed, err.Error()}
	}
	if err := check(o); err != nil {
		return nil, err
	}
	if calls == 0 {
		var err error
		if calls, err = s.calibrate(o, target); err != nil {
			return nil, err
		}
	}
	r := &Ready{Calls: calls}
	if err := s.countAllocations(o, r); err != nil {
		return nil, err
	}
	o.bytes = r.AllocBytes
	return r, nil
}

// calibrate doubles the batch until it is long enough to extrapolate from.
func (s *server) calibrate(o *opened, target int64) (int64, error) {
	for calls := int64(1); ; calls *= 2 {
		fields, err := s.timer.sample(o, calls)
		if err != nil {
			return 0, err
		}
		if took := max(fields[1], 1); took >= target/4 || calls > 1<<30 {
			return max(1, int64(float64(calls)*float64(target)/float64(took)+0.5)), nil
		}
	}
}

// allocationCalls is how many calls the allocations are counted over. They do not
// vary from call to call; a few calls leave the runtime's own beneath one a call.
const allocationCalls = 32

// countAllocations runs a part of a batch between two readings of the
// allocator's exact counters. It warms the operation up as well.
func (s *server) countAllocations(o *opened, r *Ready) error {
	n := min(r.Calls, allocationCalls)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := provider.Guard(func() error { return o.op.Run(int(n)) })
	runtime.ReadMemStats(&after)
	if err != nil {
		return &Fault{Failed, err.Error()}
	}
	s.timer.garbage += float64(after.TotalAlloc - before.TotalAlloc)
	// Whole objects per call: what the runtime itself allocated beside is less than one.
	r.Allocs = float64((after.Mallocs - before.Mallocs) / uint64(n))
	if r.Allocs > 0 {
		r.AllocBytes = float64((after.TotalAlloc - before.TotalAlloc) / uint64(n))
	}
	return nil
}

func (s *server) measure(o *opened, q request) (reply, error) {
	if o.scenario == nil {
		return reply{}, &Fault{Failed, "an operation is not a scenario"}
	}
	var r reply
	err := provider.Guard(func() error {
		rec, err := o.scenario.Measure(context.Background(), provider.Budget{Seconds: q.Seconds, Block: q.Block})
		r.Record, r.Artifacts = &rec, rec.Artifacts
		return err
	})
	return r, err
}
