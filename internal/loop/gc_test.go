package loop

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// The tests of this file read counters of the whole process, and so run alone.

// lent is what a worker lends, with a wall clock for all three.
func lent(seconds float64) provider.Budget {
	return provider.Budget{Seconds: seconds, Sample: func(f func() (int64, error)) (result.Sample, error) {
		before, start := collectionsSoFar(), time.Now()
		calls, err := f()
		took := int64(time.Since(start))
		return result.Sample{Calls: calls, Thread: took, Process: took, Wall: took, Collections: int32(collectionsSoFar() - before)}, err
	}}
}

func collectionsSoFar() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumGC
}

func collecting(buffers parameter.Buffering, heap int64) result.Case {
	return result.Case{Algorithm: "AES-256", Mode: "GCM", Operation: "encrypt", Bytes: 4096,
		Parameters: result.Parameters{"buffers": string(buffers), "heap": mebi(heap)}.String()}
}

func mebi(n int64) string {
	if n == 0 {
		return "0"
	}
	return map[int64]string{8 << 20: "8388608", 16 << 20: "16777216"}[n]
}

func sealed(t *testing.T) (cipher.AEAD, *provider.Vector) {
	t.Helper()
	v := &provider.Vector{Key: make([]byte, 32), Nonce: make([]byte, 12), Plaintext: provider.Data(1, parameter.Random, 4096)}
	b, err := aes.NewCipher(v.Key)
	if err != nil {
		t.Fatal(err)
	}
	a, err := cipher.NewGCM(b)
	if err != nil {
		t.Fatal(err)
	}
	v.Ciphertext = a.Seal(nil, v.Nonce, v.Plaintext, nil)
	return a, v
}

// collect measures a case in a few windows and checks it.
func collect(t *testing.T, c result.Case, a cipher.AEAD, v *provider.Vector) (result.Record, map[string]float64) {
	t.Helper()
	s, err := SealGC(c, a, v)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Check() == nil {
		t.Errorf("%s: a Check before Measure passes", c.Parameters)
	}
	r, err := s.Measure(context.Background(), lent(0.02))
	if err := errors.Join(err, s.Check()); err != nil {
		t.Fatalf("%s: %v", c.Parameters, err)
	}
	if s.Check() == nil {
		t.Errorf("%s: a second Check passes", c.Parameters)
	}
	if clock := s.(provider.Clocked).Clock(); clock != result.ProcessClock {
		t.Errorf("the headline is on the %s clock", clock)
	}
	m := map[string]float64{}
	for _, x := range r.Metrics {
		if math.IsNaN(x.Value) || x.Value < 0 || x.Unit == "" {
			t.Errorf("%s: %+v", c.Parameters, x)
		}
		m[x.Name] = x.Value
	}
	if n := len(r.Samples); n < 1 || n > mostWindows || m["windows"] != float64(n) {
		t.Errorf("%s: %d samples, %v windows", c.Parameters, n, m["windows"])
	}
	return r, m
}

// collectWhole measures what allocates until each window holds a collection, which
// only a machine that takes the CPU away for longer than a window waits prevents.
func collectWhole(t *testing.T, c result.Case, a cipher.AEAD, v *provider.Vector) (r result.Record, m map[string]float64) {
	t.Helper()
	for range 10 {
		if r, m = collect(t, c, a, v); m["windows_without_collection"] == 0 {
			break
		}
	}
	return r, m
}

// TestGC: what is allocated is counted exactly, and windows of what
// allocates hold whole collections.
func TestGC(t *testing.T) {
	a, v := sealed(t)
	r, fresh := collectWhole(t, collecting(parameter.Fresh, 0), a, v)
	if fresh["alloc_objects_per_call"] < 1.9 || fresh["alloc_objects_per_call"] > 2.1 || fresh["alloc_bytes_per_call"] < 2*4096 {
		t.Errorf("fresh: %v", fresh)
	}
	for _, s := range r.Samples {
		if s.Collections == 0 {
			t.Errorf("a window without a collection, at %v collections a second", fresh["collections_per_second"])
		}
	}
	if len(r.Histograms) != 1 || r.Histograms[0].Name != "gc_pause" || r.Histograms[0].Unit != "ns" || len(r.Histograms[0].Buckets) == 0 || fresh["gc_cpu_share"] <= 0 {
		t.Errorf("what gc did: %+v, %v", r.Histograms, fresh)
	}
	var pauses, collections int64
	for _, b := range r.Histograms[0].Buckets {
		pauses += b[1]
	}
	for _, s := range r.Samples {
		collections += int64(s.Collections)
	}
	if pauses < collections || pauses > 2*collections+2 {
		t.Errorf("%d pauses of %d collections", pauses, collections)
	}
	r, reused := collect(t, collecting(parameter.Reused, 0), a, v)
	if reused["alloc_objects_per_call"] > 0.1 || reused["windows_without_collection"] != reused["windows"] || len(r.Histograms) != 0 {
		t.Errorf("reused: %v, %+v", reused, r.Histograms)
	}
	if _, there := reused["gc_cpu_share"]; there {
		t.Error("reused: a share of the CPU without a collection")
	}
	// Under the race detector a pool drops a quarter of what is put into it.
	if _, m := collect(t, collecting(parameter.Recycled, 0), a, v); m["alloc_objects_per_call"] > 1 {
		t.Errorf("pool: %v", m)
	}
}

// allocating is an AEAD that makes memory for its output, whatever it is given.
type allocating struct{ cipher.AEAD }

func (a allocating) Seal(dst, nonce, plaintext, aad []byte) []byte {
	return append(dst[:len(dst):len(dst)], a.AEAD.Seal(nil, nonce, plaintext, aad)...)
}

// TestPlantedAllocation: it shows in the numbers of reused buffers.
func TestPlantedAllocation(t *testing.T) {
	a, v := sealed(t)
	_, m := collectWhole(t, collecting(parameter.Reused, 0), allocating{a}, v)
	if m["alloc_objects_per_call"] < 2 || m["alloc_bytes_per_call"] < 4096 || m["windows_without_collection"] != 0 || m["gc_cpu_share"] <= 0 {
		t.Errorf("%v", m)
	}
}

// wrong seals what nobody asked for.
type wrong struct{ cipher.AEAD }

func (a wrong) Seal(dst, nonce, plaintext, aad []byte) []byte {
	out := a.AEAD.Seal(dst, nonce, plaintext, aad)
	out[len(out)-1] ^= 1
	return out
}

func TestGCChecks(t *testing.T) {
	a, v := sealed(t)
	for _, buffers := range []parameter.Buffering{parameter.Fresh, parameter.Reused, parameter.Recycled} {
		s, err := SealGC(collecting(buffers, 0), wrong{a}, v)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Measure(context.Background(), lent(0.001)); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), "the tag is wrong") {
			t.Errorf("%s: %v", buffers, err)
		}
	}
}

func TestGCFails(t *testing.T) {
	planted := errors.New("planted")
	calls := 0
	s, err := NewGC(collecting(parameter.Reused, 0), Buffered{In: []byte{1},
		Call:  func(_, in []byte) ([]byte, error) { calls++; return in, map[bool]error{true: planted}[calls == 30] },
		Check: func([]byte) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Measure(context.Background(), lent(0.001)); !errors.Is(err, planted) {
		t.Errorf("a call that fails: %v", err)
	}
	if _, err := s.Measure(context.Background(), provider.Budget{Seconds: 1}); err == nil {
		t.Error("windows without a clock")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Measure(ctx, lent(0.001)); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
}

func TestLiveHeap(t *testing.T) {
	a, v := sealed(t)
	const size = 8 << 20
	open := func(heap int64) provider.Scenario {
		s, err := SealGC(collecting(parameter.Reused, heap), a, v)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one, other, without, greater := open(size), open(size), open(0), open(2*size)
	if live.built != 0 {
		t.Fatal("opening builds the heap")
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	if _, err := one.Measure(context.Background(), lent(0.001)); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); live.built != size || grown < size*9/10 || grown > size*5/4 {
		t.Errorf("a live heap of %d bytes takes %d", live.built, grown)
	}
	if err := errors.Join(one.Check(), one.Close(), one.Close()); err != nil || live.built != size {
		t.Errorf("after the first was closed: %d, %v", live.built, err)
	}
	for _, s := range []provider.Scenario{without, greater} {
		if _, err := s.Measure(context.Background(), lent(0.001)); err == nil || !strings.Contains(err.Error(), "in the way") {
			t.Errorf("beside a heap of another size: %v", err)
		}
	}
	if err := errors.Join(other.Close(), greater.Close(), without.Close()); err != nil || live.built != 0 || live.table != nil || live.users != 0 {
		t.Errorf("after the last was closed: %+v, %v", live.built, err)
	}
	runtime.ReadMemStats(&after)
	if after.HeapAlloc > before.HeapAlloc+size/4 {
		t.Errorf("the heap was not given back: %d bytes, before %d", after.HeapAlloc, before.HeapAlloc)
	}
}

func TestLiveHeapIsRefused(t *testing.T) {
	for _, test := range []struct {
		name    string
		percent int
		limit   int64
		room    int64
		says    string
	}{
		{"it fits", 100, math.MaxInt64, 4 << 30, ""},
		{"nobody knows", 100, math.MaxInt64, 0, ""},
		{"it does not", 100, math.MaxInt64, 1 << 30, "and 1024 MiB of memory are available"},
		{"its garbage does not", 400, math.MaxInt64, 4 << 30, "grows to 5696 MiB between collections at GOGC=400"},
		{"the runtime's limit", 100, 1 << 30, 0, "GOMEMLIMIT is 1024 MiB"},
		{"no collector", -1, math.MaxInt64, 0, "GOGC=off"},
	} {
		percent, limit := debug.SetGCPercent(test.percent), debug.SetMemoryLimit(test.limit)
		err := heapFits(1<<30, func() int64 { return test.room })
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
		switch {
		case test.says == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.says != "" && (err == nil || !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), test.says)):
			t.Errorf("%s: %v, want %q", test.name, err, test.says)
		}
	}
}

func TestBuffersOf(t *testing.T) {
	for parameters, ok := range map[string]bool{
		"buffers=fresh,heap=0": true, "buffers=reused,heap=268435456": true, "buffers=pool,heap=1": true,
		"": false, "heap=0": false, "buffers=fresh": false, "heap=0,buffers=fresh": false, "buffers=fresh,heap=-1": false,
		"buffers=fresh,heap=01": false, "buffers=fresh,heap=0,x=1": false, "buffers=other,heap=0": false, "padding=pkcs7": false,
	} {
		c := result.Case{Algorithm: "AES-256", Mode: "GCM", Operation: "encrypt", Parameters: parameters}
		if _, _, got := provider.BuffersOf(c); got != ok {
			t.Errorf("%q: %v", parameters, got)
		}
		want := parameters
		if ok {
			want = ""
		}
		if got := provider.Plain(c).Parameters; got != want {
			t.Errorf("%q without the scenario: %q", parameters, got)
		}
	}
}
