package worker

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// collectAfter is how much garbage earlier samples may leave before it is
// collected outside the timing. Without this a library that allocates would have
// its garbage collected during the samples of those that do not.
const collectAfter = 1 << 20

// Elsewhere is an operation that runs in a process of its own, where the worker can't time it: it takes its
// samples itself, finds how many calls last about target nanoseconds where calls is 0, and counts what they
// allocate. Its Run is not called.
type Elsewhere interface {
	Sample(calls int64) (result.Sample, error)
	Ready(calls, target int64) (Ready, error)
}

// timer takes samples. It belongs to the goroutine that measures.
type timer struct {
	counter   *clock.Counter // nil where there is none
	noCounter string
	garbage   uint64           // allocated since it was last collected between samples
	heap      []metrics.Sample // the runtime's counters that a sample reads
	phase     float64          // of a cycle of garbage collection, in which the last sample that bears it began
}

func newTimer() *timer {
	t := &timer{phase: rand.Float64(), heap: []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/gc/heap/allocs:bytes"}}}
	var err error
	if t.counter, err = clock.OpenCounter(); err != nil {
		t.counter, t.noCounter = nil, err.Error()
	}
	return t
}

func (t *timer) heapState() (collections int64, bytes uint64) {
	metrics.Read(t.heap)
	return int64(t.heap[0].Value.Uint64()), t.heap[1].Value.Uint64()
}

func (t *timer) sample(o *opened, calls int64) (s result.Sample, err error) {
	if o.op == nil || calls < 1 {
		return s, newFault(Failed, "calls", calls)
	}
	if e, is := o.op.(Elsewhere); is {
		return e.Sample(calls)
	}
	if err := clearUp(o); err != nil {
		return s, err
	}
	if t.garbage > collectAfter {
		runtime.GC()
		t.garbage = 0
	}
	if err := t.lead(o); err != nil {
		return s, FaultOf(Failed, err)
	}
	s, err = t.time(func() (int64, error) { return calls, o.op.Run(int(calls)) })
	if err != nil && !errors.Is(err, provider.ErrIncorrect) {
		err = FaultOf(Failed, err) // a refusal comes before the first sample
	}
	return s, err
}

func (t *timer) time(f func() (int64, error)) (s result.Sample, err error) {
	gcs, allocated := t.heapState()
	cpu := clock.CPU()
	s.SpinBefore = clock.Spin()
	var d clock.Reading
	err = provider.Guard(func() (err error) {
		c0 := t.counter.Read()
		start := clock.Read()
		s.Calls, err = f()
		d = clock.Read().Sub(start)
		s.Cycles = t.counter.Read() - c0
		return err
	})
	if err != nil {
		return s, err
	}
	s.Thread, s.Process, s.Wall = d.Thread, d.Process, d.Wall
	if t.counter == nil {
		s.Cycles = clock.NoCycles
	}
	s.SpinAfter = clock.Spin()
	if clock.CPU() != cpu {
		s.Migrated = 1
	}
	gcsAfter, allocatedAfter := t.heapState()
	s.Collections = int32(gcsAfter - gcs)
	t.garbage += allocatedAfter - allocated
	return s, nil
}

func clearUp(o *opened) error {
	c, piles := o.op.(provider.Clearer)
	if !piles {
		return nil
	}
	if err := provider.Guard(c.Clear); err != nil {
		return FaultOf(Failed, err)
	}
	return nil
}

// ready proves the output right. Where calls is 0 it finds how many calls last
// about target nanoseconds of its clock. Either way one batch runs untimed, which brings
// code and data into the caches and counts what a call allocates, where there is more
// than one. What allocates finds a heap that has been used.
func (s *server) ready(o *opened, calls, target int64) (*Ready, error) {
	if o.op == nil {
		return nil, newFault(Failed, "scenario-calls")
	}
	if e, is := o.op.(Elsewhere); is {
		r, err := e.Ready(calls, target)
		return &r, err
	}
	if err := run(o, 1); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if calls == 1 { // which has run
		return &Ready{Calls: calls, Uncounted: true}, nil
	}
	given := calls > 0
	if !given {
		var err error
		if calls, err = s.calibrate(o, target); err != nil {
			return nil, err
		}
	}
	r := &Ready{Calls: calls}
	if err := s.countAllocations(o, r); err != nil {
		return r, err
	}
	if r.AllocBytes > 0 {
		settle()
		s.timer.garbage = 0
		if !given {
			var err error
			if r.Calls, err = s.calibrate(o, target); err != nil {
				return nil, err
			}
		}
	}
	if _, bears := o.op.(provider.Collected); bears {
		o.cycle = s.timer.cycle(r)
	}
	if !given { // a batch has several collections, or as many as fit
		r.Calls = max(r.Calls, min(collections*o.cycle, mostLonger*r.Calls))
	}
	return r, nil
}

const (
	// collections is how many a sample has that bears them.
	collections = 4
	// mostLonger is how many times as long as others it may be for that. What is collected less
	// often than once in such a time costs too little to be seen.
	mostLonger = 10
)

// cycle is how many calls it takes from one garbage collection to the next; 0 where that is longer
// than a sample can last.
func (t *timer) cycle(r *Ready) int64 {
	heap := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(heap)
	room := float64(heap[0].Value.Uint64()) - float64(heap[1].Value.Uint64())
	if !(room < mostLonger*float64(r.Calls)*r.AllocBytes) {
		return 0
	}
	return int64(room/r.AllocBytes) + 1
}

// lead makes some calls before a sample that bears collections, so that samples begin anywhere
// between two, and hold their share of them on average.
func (t *timer) lead(o *opened) error {
	if o.cycle == 0 {
		return nil
	}
	t.phase = math.Mod(t.phase+math.Phi-1, 1) // the golden ratio spreads few points evenly
	return provider.Guard(func() error { return o.op.Run(1 + int(t.phase*float64(o.cycle))) })
}

func run(o *opened, calls int64) error {
	if err := clearUp(o); err != nil {
		return err
	}
	if err := provider.Guard(func() error { return o.op.Run(int(calls)) }); err != nil {
		return faultOf(err) // what only the first call finds out can be a refusal too
	}
	return nil
}

func (s *server) calibrate(o *opened, target int64) (int64, error) {
	for calls := int64(1); ; calls *= 2 {
		took, err := s.shortest(o, calls, 1)
		if err == nil && took >= target/4 {
			// A batch that was disturbed looks like much work, and would leave the
			// batches too short for the whole run: on the wall clock whoever took the
			// CPU away, on the others what the worker's own start still does.
			var again int64
			again, err = s.shortest(o, calls, 2)
			took = min(took, again)
		}
		if err != nil {
			return 0, err
		}
		if took >= target/4 || calls > 1<<30 {
			return max(1, int64(float64(calls)*float64(target)/float64(took)+0.5)), nil
		}
	}
}

func (s *server) shortest(o *opened, calls int64, samples int) (took int64, err error) {
	took = math.MaxInt64
	for range samples {
		sample, err := s.timer.sample(o, calls)
		if err != nil {
			return 0, err
		}
		took = min(took, max(Told(o.clock(), sample), 1))
	}
	return took, nil
}

// Told is how long a sample took by a clock, in nanoseconds.
func Told(by result.Clock, s result.Sample) int64 {
	switch by {
	case result.ProcessClock:
		return s.Process
	case result.WallClock:
		return s.Wall
	}
	return s.Thread
}

// countAllocations runs a batch between two readings of the allocator's
// exact counters. A few calls leave what the runtime itself allocates beneath one a
// call. Of an algorithm that draws again until a number fits the count is chance, and
// differs from block to block.
func (s *server) countAllocations(o *opened, r *Ready) error {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := run(o, r.Calls)
	runtime.ReadMemStats(&after)
	s.timer.garbage += after.TotalAlloc - before.TotalAlloc
	r.Allocs = float64((after.Mallocs - before.Mallocs) / uint64(r.Calls))
	if r.Allocs > 0 {
		r.AllocBytes = float64((after.TotalAlloc - before.TotalAlloc) / uint64(r.Calls))
	}
	return err
}

func (s *server) measure(o *opened, q request) (reply, error) {
	recorder, records := o.op.(provider.Recorder)
	if o.scenario == nil && !records {
		return reply{}, newFault(Failed, "operation-scenario")
	}
	var rec result.Record
	err := provider.Guard(func() (err error) {
		if records {
			rec, err = recorder.Record()
			return err
		}
		rec, err = o.scenario.Measure(context.Background(), provider.Budget{Seconds: q.Seconds, Block: q.Block,
			Sample: s.timer.time, Room: machine.Room})
		return err
	})
	r := reply{Record: &rec, Artifacts: rec.Artifacts}
	for _, s := range rec.Samples {
		r.Samples = append(r.Samples, fieldsOf(s))
	}
	return r, err
}
