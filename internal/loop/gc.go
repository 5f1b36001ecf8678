package loop

import (
	"context"
	"crypto"
	"crypto/cipher"
	"crypto/rand"
	"maps"
	"math"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// The gc scenario asks what an operation's garbage costs. A loop of calls
// can't: a worker collects between samples, so that no one pays for another's
// garbage, and one sample is shorter than a collection's cycle.
//
// The scenario runs the operation in windows, each a sample of its own on the
// process's clock, since collections work on other threads. A window goes from the
// end of a collection to the end of another: over half a cycle, marking would be
// charged in full or not at all. Before the first window, untimed, come a forced
// collection and one natural cycle, in which the heap grows to the size it will have;
// new pages were seen to make it six times as long as the next. Where no collection
// comes near, the window is the budget's time, and nothing is extrapolated from it.

// Buffered is an operation as a server makes it: a message is read into a
// buffer, something is computed of it, and the answer is written out. Which
// buffers these are is all that a caller can choose.
type Buffered struct {
	In    []byte                               // what each call is given, copied into the call's buffer
	Out   int                                  // capacity of the buffer for the output; 0 where the library takes none
	Call  func(out, in []byte) ([]byte, error) // appends to out, where the library takes a buffer
	Check func(got []byte) error               // judges what the last call gave
}

// NewGC is the gc scenario of an operation, with the buffers and beside the live heap
// that the case names.
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
func NewGC(c result.Case, op Buffered) (provider.Scenario, error) {
	buffers, heap, ok := provider.BuffersOf(c)
	if !ok {
		return nil, provider.Absent("parameters", c.Operation, "buffers=fresh|reused|pool[,heap=BYTES]", c.Parameters)
	}
	s := &gc{op: op, heap: heap}
	switch buffers {
	case parameter.Fresh: // as careless code does: the library makes the output's
		s.call = func() error { return s.with(&callBuffers{in: make([]byte, len(s.op.In))}) }
	case parameter.Reused:
		own := s.newBuffers()
		s.call = func() error { return s.with(own) }
	case parameter.Recycled:
		pool := &sync.Pool{New: func() any { return s.newBuffers() }}
		s.call = func() error {
			b := pool.Get().(*callBuffers)
			defer pool.Put(b)
			return s.with(b)
		}
	}
	live.hold(heap)
	return s, nil
}

func SealGC(c result.Case, a cipher.AEAD, v *provider.Vector) (provider.Scenario, error) {
	seal := func(out, in []byte) ([]byte, error) { return a.Seal(out, v.Nonce, in, v.AAD), nil }
	return NewGC(c, Buffered{In: v.Plaintext, Out: len(v.Ciphertext), Call: seal, Check: MustBe(v.Ciphertext, tagSize(a))})
}

// MustBe compares an output with what it must be, of which the last tag bytes are a tag.
func MustBe(want []byte, tag int) func([]byte) error {
	return func(got []byte) error { return compare(got, want, tag) }
}

// SignGC is the gc scenario of signing. What works with key pairs returns memory of the
// library's own: the caller chooses the buffer for what goes in alone.
func SignGC(c result.Case, s crypto.Signer, opts crypto.SignerOpts, v *provider.Vector) (provider.Scenario, error) {
	call := func(_, in []byte) ([]byte, error) { return s.Sign(rand.Reader, in, opts) }
	return NewGC(c, Buffered{In: v.Signed, Call: call, Check: v.Accept})
}

func DecryptGC(c result.Case, d crypto.Decrypter, opts crypto.DecrypterOpts, v *provider.Vector) (
	provider.Scenario, error) {
	call := func(_, in []byte) ([]byte, error) { return d.Decrypt(rand.Reader, in, opts) }
	return NewGC(c, Buffered{In: v.Ciphertext, Call: call, Check: MustBe(v.Plaintext, 0)})
}

// AgreeGC is the gc scenario of agreeing with a peer whose public key has just come in.
func AgreeGC(c result.Case, agree func(peer []byte) ([]byte, error), v *provider.Vector) (provider.Scenario, error) {
	call := func(_, in []byte) ([]byte, error) { return agree(in) }
	return NewGC(c, Buffered{In: v.Peer, Call: call, Check: MustBe(v.Secret, 0)})
}

type gc struct {
	op   Buffered
	heap int64
	call func() error
	got  []byte // what the last call gave
	ran  bool   // since the last check

	batch  int64 // calls between two looks at the clock
	cycles [1]metrics.Sample
}

type callBuffers struct{ in, out []byte }

func (s *gc) newBuffers() *callBuffers {
	return &callBuffers{in: make([]byte, len(s.op.In)), out: make([]byte, 0, s.op.Out)}
}

func (s *gc) with(b *callBuffers) (err error) {
	copy(b.in, s.op.In)
	if s.got, err = s.op.Call(b.out[:0], b.in); s.op.Out > 0 {
		b.out = s.got // which is b.out, unless the library made another
	}
	return err
}

func (s *gc) Clock() result.Clock { return result.ProcessClock }

func (s *gc) Check() error {
	if !s.ran {
		return provider.ErrNotRun
	}
	got := s.got
	s.ran, s.got = false, nil
	return s.op.Check(got)
}

func (s *gc) Close() error {
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
	// batchTries is how often a batch is timed to know how long it is.
	batchTries = 2
)

// Measure runs the operation in windows for about the budget's time, the building
// of the live heap not counted.
func (s *gc) Measure(ctx context.Context, b provider.Budget) (none result.Record, err error) {
	if b.Sample == nil {
		return none, reason.New("window-worker")
	}
	if err := live.build(s.heap, b.Room); err != nil {
		return none, err
	}
	runtime.GC()
	begun := time.Now()
	budget := time.Duration(b.Seconds * float64(time.Second))
	near, err := s.approach(budget)
	if err != nil {
		return none, err
	}
	w := windows{pauses: map[int64]int64{}}
	if w.around, err = around(b); err != nil {
		return none, err
	}
	run := func() (calls int64, err error) { // made here, so that no window counts it
		calls, end, err := s.until(budget/(mostWindows+1), patience*budget, near)
		near = near && end // else the next window does not begin where a cycle does
		return calls, err
	}
	for range mostWindows {
		if err := ctx.Err(); err != nil {
			return none, err
		}
		start := time.Now()
		if err := w.take(b, run); err != nil {
			return none, err
		}
		if time.Since(begun)+time.Since(start) > budget { // another would not fit
			break
		}
	}
	s.ran = true
	return w.record(), nil
}

// around is what taking a sample allocates by itself: the least of a few, since what else the process
// does meanwhile would be taken off every window.
func around(b provider.Budget) (least allocations, err error) {
	for i := range 3 {
		before := allocated()
		if _, err := b.Sample(func() (int64, error) { return 1, nil }); err != nil {
			return least, err
		}
		now := allocated().less(before)
		if i == 0 || now.objects < least.objects {
			least = now
		}
	}
	return least, nil
}

// approach warms up, finds how many calls lie between two looks at the clock, and
// says whether collections are near, so that windows can hold whole ones. Where
// they are it returns at the end of one.
func (s *gc) approach(budget time.Duration) (near collectionEnd, err error) {
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
	m := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(m)
	apart := float64(m[0].Value.Uint64()) - float64(m[1].Value.Uint64()) // bytes between two collections
	most := budget
	if near = apart/rate < (patience * budget).Seconds(); near {
		most = patience * budget
	}
	_, end, err := s.until(budget/(mostWindows+1)/4, most, near)
	return near && end, err
}

// collectionEnd says whether something ends, or is to end, with a collection.
type collectionEnd bool

// quickest is how long a batch takes at best: who took the CPU away must not make
// batches short, in which looking at the clock would be much of the time.
func (s *gc) quickest() (time.Duration, error) {
	least := time.Duration(math.MaxInt64)
	for range batchTries {
		start := time.Now()
		if err := s.run(s.batch); err != nil {
			return 0, err
		}
		least = min(least, time.Since(start))
	}
	return least, nil
}

func (s *gc) run(calls int64) error {
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
func (s *gc) until(least, most time.Duration, await collectionEnd) (calls int64, end collectionEnd, err error) {
	start, seen := time.Now(), s.collections()
	for {
		if err := s.run(s.batch); err != nil {
			return calls, false, err
		}
		calls += s.batch
		took, n := time.Since(start), s.collections()
		end, seen = n != seen, n
		if took >= least && (end || !await) || took >= most {
			return calls, end, nil
		}
	}
}

func (s *gc) collections() uint64 {
	metrics.Read(s.cycles[:])
	return s.cycles[0].Value.Uint64()
}

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

// readGC is the CPU time of the runtime's collections, in seconds, and their pauses.
func readGC() (seconds float64, pauses *metrics.Float64Histogram) {
	m := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/sched/pauses/total/gc:seconds"}}
	metrics.Read(m)
	return m[0].Value.Float64(), m[1].Value.Float64Histogram()
}

type windows struct {
	around allocations // by taking a sample

	samples        []result.Sample
	calls          int64
	wall           int64 // ns
	allocations    allocations
	collections    int64
	empty          int     // windows without a collection
	gcSeconds, cpu float64 // of the others: the collections' and the process's
	pauses         map[int64]int64
}

func (w *windows) take(b provider.Budget, run func() (int64, error)) error {
	seconds, pauses := readGC()
	before := allocated()
	s, err := b.Sample(run)
	if err != nil {
		return err
	}
	a := allocated().less(before).less(w.around)
	w.samples = append(w.samples, s)
	w.calls += s.Calls
	w.wall += s.Wall
	w.allocations.bytes += a.bytes
	w.allocations.objects += a.objects
	w.collections += int64(s.Collections)
	if s.Collections == 0 {
		w.empty++
		return nil
	}
	secondsAfter, after := readGC()
	w.gcSeconds += secondsAfter - seconds
	w.cpu += float64(s.Process) * 1e-9
	for i, n := range after.Counts {
		if n -= pauses.Counts[i]; n > 0 {
			w.pauses[upperEdge(after.Buckets, i)] += int64(n)
		}
	}
	return nil
}

// upperEdge is a bucket's, in ns; of the last, which has none, the lower one.
func upperEdge(edges []float64, i int) int64 {
	edge := edges[i+1]
	if math.IsInf(edge, 1) {
		edge = edges[i]
	}
	return int64(math.Round(edge * 1e9))
}

func (w *windows) record() result.Record {
	r := result.Record{Samples: w.samples}
	calls, seconds := float64(w.calls), float64(w.wall)*1e-9
	bytes, objects := float64(w.allocations.bytes), float64(w.allocations.objects)
	metric(&r, "alloc_bytes_per_call", "B", bytes/calls)
	metric(&r, "alloc_objects_per_call", "1", objects/calls)
	metric(&r, "alloc_bytes_per_second", "B/s", bytes/seconds)
	metric(&r, "alloc_objects_per_second", "1/s", objects/seconds)
	metric(&r, "collections_per_second", "1/s", float64(w.collections)/seconds)
	metric(&r, "windows", "1", float64(len(w.samples)))
	metric(&r, "windows_without_collection", "1", float64(w.empty))
	if w.empty == len(w.samples) {
		return r
	}
	metric(&r, "gc_cpu_share", "1", w.gcSeconds/w.cpu)
	h := result.Histogram{Name: "gc_pause", Unit: "ns"}
	for _, value := range slices.Sorted(maps.Keys(w.pauses)) {
		h.Buckets = append(h.Buckets, [2]int64{value, w.pauses[value]})
	}
	r.Histograms = append(r.Histograms, h)
	return r
}
