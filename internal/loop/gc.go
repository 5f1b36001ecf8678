package loop

import (
	"cmp"
	"context"
	"crypto/cipher"
	"math"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// The collector scenario asks what an operation's garbage costs. A loop of calls
// can't: a worker collects between samples, so that no one pays for another's
// garbage, and one sample is shorter than a collection's cycle.
//
// # Windows
//
// The scenario runs the operation in windows, each a sample of its own on the
// process's clock, since the collector works on other threads. A window ends at
// the end of a collection and the next begins there, so it holds whole cycles:
// over half a cycle, marking would be charged in full or not at all. What comes
// before the first window is not timed: a forced collection, so that all windows
// begin with what lives and nothing else, and one natural cycle, in which the heap
// grows to the size it will have. The pages of that growth are new to the process,
// and were seen to make the first cycle six times as long as the next.
//
// Where no collection comes near within the window's time, since the operation
// allocates little or nothing, the window is that time, and says that there was
// none. Nothing is extrapolated from it.

// Collected is an operation as a server makes it: a message is read into a
// buffer, something is computed of it, and the answer is written out. Which
// buffers these are is all that a caller can choose; what the library allocates
// by itself stays as it is.
type Collected struct {
	In  []byte // what each call is given, copied into the call's buffer
	Out int    // capacity of the buffer for the output; 0 where the library takes none

	// Call computes the output from in. It appends to out, where the library takes
	// a buffer.
	Call func(out, in []byte) ([]byte, error)
	// Check judges what the last call gave.
	Check func(got []byte) error
}

// NewCollector is the collector scenario of an operation, with the buffers and
// beside the live heap that the case names. The heap is built by the first
// Measure: opening is cheap.
//
// Its samples are the windows of a block. Its metrics are, over these,
//
//	alloc_bytes_per_call, alloc_objects_per_call       B, 1
//	alloc_bytes_per_second, alloc_objects_per_second   B/s, 1/s of wall time
//	collections_per_second                             1/s of wall time
//	windows, windows_without_collection                1
//	gc_cpu_share                                       1, where there was a collection
//
// gc_cpu_share is the CPU time that the runtime says it spent marking, assisting
// and pausing, over the process's. The runtime brings that count up to date at
// the end of each collection, which is where windows end; it does not count
// sweeping, which is part of allocating. The histogram gc_pause holds how long
// the world stood still, in ns: two values a collection, each the upper edge of
// one of the runtime's buckets, four to a power of two, so up to a quarter above
// the truth.
func NewCollector(c result.Case, op Collected) (provider.Scenario, error) {
	buffers, heap, ok := provider.BuffersOf(c)
	if !ok {
		return nil, provider.Absent("parameters", c.Operation, "buffers=fresh|reused|pool[,heap=BYTES]", c.Parameters)
	}
	s := &collector{op: op, heap: heap}
	switch buffers {
	case parameter.Fresh:
		s.call = s.fresh
	case parameter.Reused:
		s.own = s.newBuffers()
		s.call = func() error { return s.with(s.own) }
	case parameter.Recycled:
		s.pool.New = func() any { return s.newBuffers() }
		s.call = s.pooled
	}
	live.hold(heap)
	return s, nil
}

// SealCollector is the collector scenario of sealing with an AEAD.
func SealCollector(c result.Case, a cipher.AEAD, v *provider.Vector) (provider.Scenario, error) {
	return NewCollector(c, Collected{
		In:    v.Plaintext,
		Out:   len(v.Ciphertext),
		Call:  func(out, in []byte) ([]byte, error) { return a.Seal(out, v.Nonce, in, v.AAD), nil },
		Check: func(got []byte) error { return compare(got, v.Ciphertext, tagSize(a)) },
	})
}

// OpenCollector prepares the collector scenario for a library's block cipher in GCM.
func (bc BlockCipher) OpenCollector(c result.Case, vs provider.Vectors) (provider.Scenario, error) {
	if c.Mode != algorithm.GCM || c.Operation != algorithm.Encrypt {
		return nil, provider.Absent("not-offered", c.Algorithm, c.Mode+" "+c.Operation)
	}
	b, v, err := bc.keyed(c, vs)
	if err != nil {
		return nil, err
	}
	a, err := cipher.NewGCM(b)
	if err != nil {
		return nil, err
	}
	return SealCollector(c, a, v)
}

type collector struct {
	op   Collected
	heap int64
	call func() error
	own  *callBuffers
	pool sync.Pool
	got  []byte // what the last call gave
	ran  bool   // since the last check

	batch  int64 // calls between two looks at the clock
	cycles [1]metrics.Sample
}

// callBuffers are what one call needs.
type callBuffers struct{ in, out []byte }

func (s *collector) newBuffers() *callBuffers {
	b := &callBuffers{in: make([]byte, len(s.op.In))}
	if s.op.Out > 0 {
		b.out = make([]byte, 0, s.op.Out)
	}
	return b
}

// fresh makes its buffers, as careless code does: the library makes the output's.
func (s *collector) fresh() (err error) {
	in := make([]byte, len(s.op.In))
	copy(in, s.op.In)
	s.got, err = s.op.Call(nil, in)
	return err
}

func (s *collector) with(b *callBuffers) (err error) {
	copy(b.in, s.op.In)
	if s.got, err = s.op.Call(b.out[:0], b.in); s.op.Out > 0 {
		b.out = s.got // which is b.out, unless the library made another
	}
	return err
}

func (s *collector) pooled() error {
	b := s.pool.Get().(*callBuffers)
	defer s.pool.Put(b)
	return s.with(b)
}

// Clock is the process's: the collector works on other threads.
func (s *collector) Clock() result.Clock { return result.ProcessClock }

func (s *collector) Check() error {
	if !s.ran {
		return errNotRun
	}
	got := s.got
	s.ran, s.got = false, nil
	return s.op.Check(got)
}

func (s *collector) Close() error {
	live.release(s.heap)
	s.heap = 0
	return nil
}

const (
	mostWindows = 3
	// lookEvery is how often a window looks at the clock and at the count of
	// collections, which takes a quarter of a microsecond.
	lookEvery = 100 * time.Microsecond
	// patience is how many times its budget the scenario will wait for a collection
	// that is on its way.
	patience = 4
)

// Measure runs the operation in windows for about the budget's time, the building
// of the live heap not counted.
func (s *collector) Measure(ctx context.Context, b provider.Budget) (result.Record, error) {
	if b.Sample == nil {
		return result.Record{}, reason.New("window-worker")
	}
	if err := live.build(s.heap, b.Room); err != nil {
		return result.Record{}, err
	}
	runtime.GC()
	begun := time.Now()
	budget := time.Duration(b.Seconds * float64(time.Second))
	near, err := s.approach(budget)
	if err != nil {
		return result.Record{}, err
	}
	w := collectorWindows{near: near, least: budget / (mostWindows + 1), most: patience * budget}
	if w.around, err = around(b); err != nil {
		return result.Record{}, err
	}
	run := func() (calls int64, err error) { // made here, so that no window counts it
		calls, atEnd, err := s.until(w.least, w.most, w.near)
		w.near = w.near && atEnd // else the next window does not begin where a cycle does
		return calls, err
	}
	for range mostWindows {
		if err := ctx.Err(); err != nil {
			return result.Record{}, err
		}
		start := time.Now()
		if err := w.take(b, run); err != nil {
			return result.Record{}, err
		}
		if time.Since(begun)+time.Since(start) > budget { // another would not fit
			break
		}
	}
	s.ran = true
	return w.record(), nil
}

// approach warms up, finds how many calls lie between two looks at the clock, and
// says whether collections are near, so that windows can hold whole ones. Where
// they are it returns at the end of one.
func (s *collector) approach(budget time.Duration) (near bool, err error) {
	s.cycles[0].Name = "/gc/cycles/total:gc-cycles"
	rate := 0.0 // bytes allocated in a second, by the longest of growing batches
	for s.batch = 1; ; s.batch *= 2 {
		before := allocated()
		took, err := s.quickest()
		if err != nil {
			return false, err
		}
		rate = float64(allocated().less(before).bytes) / batchTries / took.Seconds()
		if took >= lookEvery {
			break
		}
	}
	far := time.Duration(patience) * budget
	if next := nextCollection() / rate; !(next < far.Seconds()) {
		_, _, err := s.until(budget/(mostWindows+1)/4, budget, false)
		return false, err
	}
	_, near, err = s.until(budget/(mostWindows+1)/4, far, true)
	return near, err
}

// batchTries is how often a batch is timed to know how long it is.
const batchTries = 2

// quickest is how long a batch takes at best: who took the CPU away must not make
// batches short, in which looking at the clock would be much of the time.
func (s *collector) quickest() (least time.Duration, err error) {
	for i := range batchTries {
		start := time.Now()
		if err := s.run(s.batch); err != nil {
			return 0, err
		}
		if took := time.Since(start); i == 0 || took < least {
			least = took
		}
	}
	return least, nil
}

// nextCollection is how many bytes can be allocated between two collections.
func nextCollection() float64 {
	m := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(m)
	return float64(m[0].Value.Uint64()) - float64(m[1].Value.Uint64())
}

func (s *collector) run(calls int64) error {
	for range calls {
		if err := s.call(); err != nil {
			return err
		}
	}
	return nil
}

// until runs the operation for the least time and on to the end of a collection,
// if it is to be awaited, and no longer than most. It says how many calls that
// was, and whether it returns at a collection's end.
func (s *collector) until(least, most time.Duration, await bool) (calls int64, atEnd bool, err error) {
	start, seen := time.Now(), s.collections()
	for {
		if err := s.run(s.batch); err != nil {
			return calls, false, err
		}
		calls += s.batch
		took, n := time.Since(start), s.collections()
		atEnd = n != seen
		seen = n
		if took >= least && (atEnd || !await) || took >= most {
			return calls, atEnd, nil
		}
	}
}

func (s *collector) collections() uint64 {
	metrics.Read(s.cycles[:])
	return s.cycles[0].Value.Uint64()
}

// allocations are bytes and objects, of the process since it began or of a while.
type allocations struct{ bytes, objects uint64 }

// allocated reads the allocator's exact counters. Those of package metrics lag
// by what each P has not told yet.
func allocated() allocations {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return allocations{m.TotalAlloc, m.Mallocs}
}

func (a allocations) less(b allocations) allocations {
	return allocations{a.bytes - min(a.bytes, b.bytes), a.objects - min(a.objects, b.objects)}
}

// around is what taking a sample allocates by itself.
func around(b provider.Budget) (allocations, error) {
	before := allocated()
	_, err := b.Sample(func() (int64, error) { return 1, nil })
	return allocated().less(before), err
}

// collectorState is what the runtime tells of its collector.
type collectorState struct {
	seconds float64 // of CPU time
	pauses  *metrics.Float64Histogram
}

func readCollector() collectorState {
	m := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/sched/pauses/total/gc:seconds"}}
	metrics.Read(m)
	return collectorState{m[0].Value.Float64(), m[1].Value.Float64Histogram()}
}

// collectorWindows is what the windows of a block were like, and what they saw.
type collectorWindows struct {
	near        bool // collections are so near that windows end with one
	least, most time.Duration
	around      allocations

	samples        []result.Sample
	calls          int64
	wall           int64 // ns
	allocations    allocations
	collections    int64
	empty          int     // windows without a collection
	gcSeconds, cpu float64 // of the others: the collector's and the process's
	pauses         map[int64]int64
}

// take takes one window.
func (w *collectorWindows) take(b provider.Budget, run func() (int64, error)) error {
	state := readCollector()
	before := allocated()
	sample, err := b.Sample(run)
	if err != nil {
		return err
	}
	w.add(sample, allocated().less(before).less(w.around))
	if sample.Collections > 0 {
		w.collected(sample, state, readCollector())
	}
	return nil
}

func (w *collectorWindows) add(s result.Sample, a allocations) {
	w.samples = append(w.samples, s)
	w.calls += s.Calls
	w.wall += s.Wall
	w.allocations.bytes += a.bytes
	w.allocations.objects += a.objects
	w.collections += int64(s.Collections)
	if s.Collections == 0 {
		w.empty++
	}
}

func (w *collectorWindows) collected(s result.Sample, before, after collectorState) {
	w.gcSeconds += after.seconds - before.seconds
	w.cpu += float64(s.Process) * 1e-9
	if w.pauses == nil {
		w.pauses = map[int64]int64{}
	}
	for i, n := range after.pauses.Counts {
		if n -= before.pauses.Counts[i]; n > 0 {
			w.pauses[upperEdge(after.pauses.Buckets, i)] += int64(n)
		}
	}
}

// upperEdge is a bucket's, in ns; of the last, which has none, the lower one.
func upperEdge(edges []float64, i int) int64 {
	edge := edges[i+1]
	if math.IsInf(edge, 1) {
		edge = edges[i]
	}
	return int64(math.Round(edge * 1e9))
}

func (w *collectorWindows) record() result.Record {
	r := result.Record{Samples: w.samples}
	add := func(name, unit string, value float64) {
		r.Metrics = append(r.Metrics, result.Metric{Name: name, Value: value, Unit: unit})
	}
	calls, seconds := float64(w.calls), float64(w.wall)*1e-9
	bytes, objects := float64(w.allocations.bytes), float64(w.allocations.objects)
	add("alloc_bytes_per_call", "B", bytes/calls)
	add("alloc_objects_per_call", "1", objects/calls)
	add("alloc_bytes_per_second", "B/s", bytes/seconds)
	add("alloc_objects_per_second", "1/s", objects/seconds)
	add("collections_per_second", "1/s", float64(w.collections)/seconds)
	add("windows", "1", float64(len(w.samples)))
	add("windows_without_collection", "1", float64(w.empty))
	if w.empty == len(w.samples) {
		return r
	}
	add("gc_cpu_share", "1", w.gcSeconds/w.cpu)
	h := result.Histogram{Name: "gc_pause", Unit: "ns"}
	for value, count := range w.pauses {
		h.Buckets = append(h.Buckets, [2]int64{value, count})
	}
	slices.SortFunc(h.Buckets, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	r.Histograms = append(r.Histograms, h)
	return r
}
