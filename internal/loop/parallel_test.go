package loop

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

func gcm([]byte) (cipher.AEAD, error) { return cipher.NewGCM(zeroBlock()) }

func zeroBlock() cipher.Block {
	b, err := aes.NewCipher(make([]byte, 16))
	if err != nil {
		panic(err)
	}
	return b
}

func sealedVector(t testing.TB, n int) *provider.Vector {
	t.Helper()
	v := &provider.Vector{Key: make([]byte, 16), Nonce: make([]byte, 12), Plaintext: provider.Data(1, parameter.Random, n)}
	a, err := gcm(v.Key)
	if err != nil {
		t.Fatal(err)
	}
	v.Ciphertext = a.Seal(nil, v.Nonce, v.Plaintext, nil)
	return v
}

func parallelCase(goroutines string, holding parameter.Hold, request string) result.Case {
	return result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: 1024,
		Parameters: result.Parameters{"goroutines": goroutines, "holding": string(holding), "request": request}.String()}
}

func TestParallelSealsAllOfThem(t *testing.T) {
	var sealed atomic.Int64
	counting := func(key []byte) (cipher.AEAD, error) {
		a, err := gcm(key)
		return counted{a, &sealed}, err
	}
	for _, holding := range parameter.Holding.Words {
		for _, goroutines := range []string{"1", "2", "7", "64"} {
			op, err := NewParallel(counting, parallelCase(goroutines, holding, "8"), sealedVector(t, 1024))
			if err != nil {
				t.Fatal(err)
			}
			if err := op.Check(); err == nil {
				t.Errorf("%s, %s: a Check before any Run passes", holding, goroutines)
			}
			for _, n := range []int{1, 2, 9, 1000} {
				sealed.Store(0)
				if err := op.Run(n); err != nil || sealed.Load() != int64(n) {
					t.Errorf("%s, %s: of %d messages %d were sealed: %v", holding, goroutines, n, sealed.Load(), err)
				}
				if err := op.Check(); err != nil {
					t.Errorf("%s, %s: %v", holding, goroutines, err)
				}
				if err := op.Check(); err == nil {
					t.Errorf("%s, %s: a second Check passes", holding, goroutines)
				}
			}
			if err := op.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

type counted struct {
	cipher.AEAD
	n *atomic.Int64
}

func (c counted) Seal(dst, nonce, plaintext, aad []byte) []byte {
	c.n.Add(1)
	return c.AEAD.Seal(dst, nonce, plaintext, aad)
}

// mixedVector is three messages, of which a call takes five.
func mixedVector(t testing.TB) *provider.Vector {
	t.Helper()
	v := &provider.Vector{Key: make([]byte, 16), Sequence: []int{0, 2, 1, 0, 2}}
	a, err := gcm(v.Key)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range []int{0, 100, 1000} {
		m := provider.Message{Nonce: []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte(i)}, Plaintext: provider.Data(uint64(i), parameter.Random, n)}
		m.Ciphertext = a.Seal(nil, m.Nonce, m.Plaintext, nil)
		v.Messages = append(v.Messages, m)
	}
	return v
}

func mixedCase(c result.Case) result.Case {
	c.Parameters = seeded.MixParameters(c.Parameters, 5)
	return c
}

// TestMixOfMessages: a call is the whole sequence, and each of its messages is judged.
func TestMixOfMessages(t *testing.T) {
	var calls atomic.Int64
	for wrong := range int64(10) { // two calls of five messages
		calls.Store(4 - wrong) // so that the wrong-th message of the run is counted as the fifth
		op, err := NewParallel(func(key []byte) (cipher.AEAD, error) {
			a, err := gcm(key)
			return lastWrong{a, &calls}, err
		}, mixedCase(parallelCase("1", parameter.Own, "1")), mixedVector(t))
		if err != nil {
			t.Fatal(err)
		}
		if err := op.Run(2); err != nil || calls.Load() != 14-wrong {
			t.Fatalf("%d messages of two calls: %v", calls.Load()-4+wrong, err)
		}
		// A message that is sealed again later is right by then.
		last := wrong >= 7
		if err := op.Check(); (err != nil) != last {
			t.Errorf("message %d of the run is wrong: %v", wrong, err)
		}
		op.Close()
	}
	s, err := NewArrival(gcm, mixedCase(arrivalCase("50")), mixedVector(t))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Measure(context.Background(), provider.Budget{Seconds: 0.02})
	if err := errors.Join(err, s.Check()); err != nil {
		t.Error(err)
	}
}

// clashing is right for one goroutine and wrong for two at once, without a data
// race, as a cipher with a common scratch buffer is.
type clashing struct {
	cipher.AEAD
	inside atomic.Int32
}

func (c *clashing) Seal(dst, nonce, plaintext, aad []byte) []byte {
	c.inside.Add(1)
	defer c.inside.Add(-1)
	out := c.AEAD.Seal(dst, nonce, plaintext, aad)
	runtime.Gosched() // so that it clashes on a single CPU too
	if c.inside.Load() > 1 {
		out[len(dst)] ^= 1
	}
	return out
}

func TestSharedStateIsFound(t *testing.T) {
	planted := func(key []byte) (cipher.AEAD, error) {
		a, err := gcm(key)
		return &clashing{AEAD: a}, err
	}
	for _, test := range []struct {
		goroutines string
		holding    parameter.Hold
		wrong      bool
	}{
		{"1", parameter.Shared, false}, {"2", parameter.Shared, true}, {"8", parameter.Shared, true},
		{"8", parameter.Own, false}, {"8", parameter.PerCall, false}, {"8", parameter.Pooled, false},
	} {
		op, err := NewParallel(planted, parallelCase(test.goroutines, test.holding, "8"), sealedVector(t, 1024))
		if err != nil {
			t.Fatal(err)
		}
		// Goroutines meet inside a call when the machine lets them: a stress test may pass.
		for range 100 {
			if err = op.Run(1); err != nil {
				t.Fatal(err)
			}
			if err = op.Check(); err != nil || !test.wrong {
				break
			}
		}
		if (err != nil) != test.wrong || test.wrong && !strings.Contains(err.Error(), "concurrent goroutines") {
			t.Errorf("%s goroutines, %s: %v", test.goroutines, test.holding, err)
		}
		op.Close()
	}
}

// lastWrong seals wrongly once, in the timed run: only the buffers show it.
type lastWrong struct {
	cipher.AEAD
	calls *atomic.Int64
}

func (l lastWrong) Seal(dst, nonce, plaintext, aad []byte) []byte {
	out := l.AEAD.Seal(dst, nonce, plaintext, aad)
	if l.calls.Add(1) == 5 {
		out[len(out)-1] ^= 1
	}
	return out
}

func TestTimedBuffersAreJudged(t *testing.T) {
	var calls atomic.Int64
	op, err := NewParallel(func(key []byte) (cipher.AEAD, error) {
		a, err := gcm(key)
		return lastWrong{a, &calls}, err
	}, parallelCase("1", parameter.Own, "8"), sealedVector(t, 1024))
	if err != nil {
		t.Fatal(err)
	}
	defer op.Close()
	if err := op.Run(5); err != nil {
		t.Fatal(err)
	}
	if err := op.Check(); err == nil || !strings.Contains(err.Error(), "the tag is wrong") {
		t.Errorf("the last message of the run is wrong, and the check says %v", err)
	}
}

// locked is a cipher behind a lock, held while others wait to seal.
type locked struct {
	cipher.AEAD
	mu *sync.Mutex
}

// Seal lets others come and wait, on one CPU too. The runtime times every eighth stop
// of a goroutine alone (gTrackingPeriod, runtime/runtime2.go): were there always two
// stops a call, one for the lock and one within, a goroutine that began on the wrong
// foot would never be timed while it waits. So now and then there is a third.
func (l locked) Seal(dst, nonce, plaintext, aad []byte) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	time.Sleep(10 * time.Microsecond)
	if rand.IntN(2) == 0 {
		runtime.Gosched()
	}
	return l.AEAD.Seal(dst, nonce, plaintext, aad)
}

// TestWaitingOnALockIsTold: the record of a cipher behind a lock says that
// goroutines waited, and that of one without does not.
func TestWaitingOnALockIsTold(t *testing.T) {
	wait := func(fresh NewAEADFunc) float64 {
		op, err := NewParallel(fresh, parallelCase("8", parameter.Shared, "1"), sealedVector(t, 64))
		if err != nil {
			t.Fatal(err)
		}
		defer op.Close()
		if err := op.Run(400); err != nil {
			t.Fatal(err)
		}
		r, err := op.(provider.Recorder).Record()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range r.Metrics {
			if m.Name == "mutex_wait" {
				return m.Value
			}
		}
		t.Fatalf("no mutex_wait in %v", r.Metrics)
		return 0
	}
	var mu sync.Mutex
	behind := wait(func(key []byte) (cipher.AEAD, error) { a, err := gcm(key); return locked{a, &mu}, err })
	free := wait(gcm)
	// On a machine that is left alone it is 7 s a second against none.
	if behind < 0.1 || free > behind/5 {
		t.Errorf("eight goroutines waited %.3f s a second behind a lock, %.3f without one", behind, free)
	}
}

func TestParallelRecord(t *testing.T) {
	op, err := NewParallel(gcm, parallelCase("3", parameter.Shared, "4"), sealedVector(t, 64))
	if err != nil {
		t.Fatal(err)
	}
	defer op.Close()
	if err := errors.Join(op.Run(4000), op.Check()); err != nil {
		t.Fatal(err)
	}
	r, err := op.(provider.Recorder).Record()
	if err != nil || len(r.Histograms) != 1 || r.Histograms[0].Name != "latency" || r.Histograms[0].Unit != "ns" {
		t.Fatalf("%v: %+v", err, r)
	}
	var n int64
	for _, b := range r.Histograms[0].Buckets {
		n += b[1]
	}
	// All but the last of a batch are whole requests.
	if n > 1000 || n < 900 {
		t.Errorf("%d latencies of 1000 requests", n)
	}
	names := map[string]bool{}
	for _, m := range r.Metrics {
		names[m.Name] = true
	}
	for _, want := range []string{"latency_mean_ns", "latency_p50_ns", "latency_p95_ns", "latency_p99_ns", "mutex_wait"} {
		if !names[want] {
			t.Errorf("no %s in %v", want, r.Metrics)
		}
	}
	if r, err := op.(provider.Recorder).Record(); err != nil || len(r.Histograms) != 0 || len(r.Metrics) != 0 {
		t.Errorf("a second record of nothing: %v, %+v", err, r)
	}
}

func TestParallelDoesNotAllocate(t *testing.T) {
	for _, holding := range []parameter.Hold{parameter.Shared, parameter.Own} {
		op, err := NewParallel(gcm, parallelCase("4", holding, "8"), sealedVector(t, 64))
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(20, func() { _ = op.Run(256) }); n > 8 { // of 256 calls
			t.Errorf("%s: %v allocations in 256 calls", holding, n)
		}
		op.Close()
	}
}

func TestParallelRefuses(t *testing.T) {
	v := sealedVector(t, 64)
	for _, c := range []result.Case{
		parallelCase("0", parameter.Shared, "8"), parallelCase("x", parameter.Shared, "8"), parallelCase("70000", parameter.Shared, "8"),
		parallelCase("2", "borrowed", "8"), parallelCase("2", parameter.Shared, "0"), parallelCase("2", "", "8"),
		{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Parameters: "goroutines=2"},
	} {
		if _, err := NewParallel(gcm, c, v); !errors.Is(err, provider.ErrAbsent) {
			t.Errorf("%s: %v, want absent", c.Parameters, err)
		}
	}
	broken := errors.New("no such kernel")
	if _, err := NewParallel(func([]byte) (cipher.AEAD, error) { return nil, broken }, parallelCase("2", parameter.PerCall, "8"), v); !errors.Is(err, broken) {
		t.Errorf("a cipher that can't be made: %v", err)
	}
}

// panicking gives up in the hands of another goroutine.
type panicking struct{ cipher.AEAD }

func (panicking) Seal(dst, nonce, plaintext, aad []byte) []byte { panic("planted") }

func TestPanicOfAnotherGoroutineIsAnError(t *testing.T) {
	fresh := func(key []byte) (cipher.AEAD, error) { a, err := gcm(key); return panicking{a}, err }
	op, err := NewParallel(fresh, parallelCase("4", parameter.Shared, "8"), sealedVector(t, 64))
	if err != nil {
		t.Fatal(err)
	}
	defer op.Close()
	for range 2 {
		if err := op.Run(100); err == nil || !strings.Contains(err.Error(), "planted") {
			t.Errorf("a panic became %v", err)
		}
	}
	s, err := NewArrival(fresh, arrivalCase("80"), sealedVector(t, 64))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Measure(context.Background(), provider.Budget{Seconds: 0.02}); err == nil || !strings.Contains(err.Error(), "planted") {
		t.Errorf("a panic became %v", err)
	}
}

func arrivalCase(load string) result.Case {
	return result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: algorithm.Arrival, Bytes: 1024, Parameters: "load=" + load + ",request=64"}
}

// TestArrivalAtARate: the rate is the one that was asked, and nothing is saturated before.
func TestArrivalAtARate(t *testing.T) {
	c := arrivalCase("50")
	c.Parameters = "rate=2000,request=1"
	s, err := NewArrival(gcm, c, sealedVector(t, 1024))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Measure(context.Background(), provider.Budget{Seconds: 0.1})
	if err := errors.Join(err, s.Check()); err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Metrics {
		if m.Name == "saturated_rate" || m.Name == "rate_asked" && m.Value != 2000 {
			t.Errorf("%s is %v", m.Name, m.Value)
		}
	}
	c.Parameters = "load=50,rate=2000,request=1"
	if _, err := NewArrival(gcm, c, sealedVector(t, 1024)); !errors.Is(err, provider.ErrAbsent) {
		t.Errorf("a load and a rate: %v, want absent", err)
	}
}

func TestArrival(t *testing.T) {
	s, err := NewArrival(gcm, arrivalCase("50"), sealedVector(t, 1024))
	if err != nil {
		t.Fatal(err)
	}
	if s.Check() == nil {
		t.Error("a Check before Measure passes")
	}
	r, err := s.Measure(context.Background(), provider.Budget{Seconds: 0.1})
	if err := errors.Join(err, s.Check()); err != nil {
		t.Fatal(err)
	}
	if s.Check() == nil {
		t.Error("a second Check passes")
	}
	m := map[string]float64{}
	for _, x := range r.Metrics {
		m[x.Name] = x.Value
	}
	if asked, saturated := m["rate_asked"], m["saturated_rate"]; saturated <= 0 || asked < 0.49*saturated || asked > 0.51*saturated {
		t.Errorf("asked %v of %v a second, want a half", asked, saturated)
	}
	has := map[string]bool{}
	for _, h := range r.Histograms {
		has[h.Name] = true
	}
	// Whether the generator kept up is this machine's business; the record must fit.
	if behind := m["behind"] > arrival.MaxBehind; behind == has["latency"] || !has["schedule_error"] {
		t.Errorf("behind by %v, histograms %v", m["behind"], has)
	}
	clashes := func(key []byte) (cipher.AEAD, error) { a, err := gcm(key); return &clashing{AEAD: a}, err }
	many, err := newGoroutines(4, parameter.Shared, clashes, sealedVector(t, 64))
	if err != nil {
		t.Fatal(err)
	}
	many.slots[0].ran = true
	if err := many.check(); err == nil {
		t.Error("shared state is not found")
	}
	for _, load := range []string{"0", "101", "", "half"} {
		if _, err := NewArrival(gcm, arrivalCase(load), sealedVector(t, 64)); !errors.Is(err, provider.ErrAbsent) {
			t.Errorf("load %q: %v, want absent", load, err)
		}
	}
}

// TestBehindHasNoPercentiles plants a rate that no generator keeps.
func TestBehindHasNoPercentiles(t *testing.T) {
	s := NewEmptyArrival(1e9)
	if s.Check() == nil {
		t.Error("a Check before Measure passes")
	}
	r, err := s.Measure(context.Background(), provider.Budget{Seconds: 0.001})
	if err := errors.Join(err, s.Check(), s.Close()); err != nil {
		t.Fatal(err)
	}
	for _, h := range r.Histograms {
		if h.Name == "latency" {
			t.Error("a generator that is behind has latencies")
		}
	}
	for _, m := range r.Metrics {
		if strings.HasPrefix(m.Name, "latency") {
			t.Errorf("a generator that is behind has %s", m.Name)
		}
	}
}

func TestAlone(t *testing.T) {
	c := parallelCase("8", parameter.Pooled, "64")
	want := result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: 1024}
	if got := provider.Alone(c); got != want || !provider.Concurrent(c) || provider.Concurrent(want) {
		t.Errorf("alone it is %+v", got)
	}
	if got := provider.Alone(arrivalCase("80")); got != want {
		t.Errorf("alone it is %+v", got)
	}
	padded := result.Case{Mode: "CBC+HMAC-SM3", Operation: "encrypt", Parameters: parameter.PKCS7Padding}
	if provider.Alone(padded) != padded {
		t.Error("padding was taken away")
	}
}

func BenchmarkParallelHandOver(b *testing.B) {
	v := &provider.Vector{Nonce: make([]byte, 16), Plaintext: make([]byte, 16), Ciphertext: make([]byte, 16)}
	op, err := NewParallel(func([]byte) (cipher.AEAD, error) { return nothing{}, nil }, parallelCase("2", parameter.Shared, "1"), v)
	if err != nil {
		b.Fatal(err)
	}
	defer op.Close()
	b.ResetTimer()
	_ = op.Run(b.N)
}
