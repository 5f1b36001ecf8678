package bulkhash

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/library/peak"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// goroutineNeeds is what one takes that waits: a stack of 2 KiB, what the runtime
// knows of it, its closure, and the two times that are kept of it; with some to spare.
const goroutineNeeds = 3 << 10

// OpenGoroutines is the scenario of starting so many goroutines at once, all of which
// live until the last has begun. One window a block, in a process that has had no
// goroutines before: the runtime never gives back what it keeps of those that ended,
// so a second burst would find all there.
//
// Its sample is of the time from the first go statement to the last goroutine's
// beginning. Its metrics are
//
//	start_ns            ns of the go statement, for each, where it stands in a loop
//	end_ns              ns, for each, from the word to end until all have ended
//	memory_each_bytes   B of resident memory for each, while all wait
//	stack_each_bytes    B of that on stacks
//	latency             histogram, ns: from the go statement to the goroutine's first
//
// and those that sum up the histogram.
func OpenGoroutines(c result.Case) (provider.Scenario, error) {
	n := parameter.Count.In(c.Parameters)
	if c.Algorithm != algorithm.Goroutine || c.Operation != algorithm.Start || c.Mode != "" || n == 0 ||
		!parameter.Are(c.Parameters, parameter.Count) {
		return nil, provider.Absent("parameters", c.Operation, fmt.Sprintf("count=1…%d", parameter.Count.Most), c.Parameters)
	}
	return &burst{count: int(n)}, nil
}

type burst struct {
	count      int
	asked, ran []int64 // of each goroutine: the wall clock before its go statement, and at its beginning
	done       bool
}

func (b *burst) Measure(_ context.Context, budget provider.Budget) (result.Record, error) {
	if budget.Sample == nil {
		return result.Record{}, reason.New("start-worker")
	}
	if err := b.fits(budget.Room); err != nil {
		return result.Record{}, err
	}
	never := []int64{-1} // written here, so that the pages are not the goroutines'
	b.asked, b.ran = slices.Repeat(never, b.count), slices.Repeat(never, b.count)
	runtime.GC()
	var before, during runtime.MemStats
	runtime.ReadMemStats(&before)
	resident, told := peak.Restart()
	gate := make(chan struct{})
	var begun, ended sync.WaitGroup
	var started int64
	sample, err := budget.Sample(func() (int64, error) {
		started = b.start(&begun, &ended, gate)
		return int64(b.count), nil
	})
	most, tells := peak.Read()
	runtime.ReadMemStats(&during)
	from := clock.Wall()
	close(gate)
	ended.Wait()
	took := clock.Wall() - from
	if err != nil {
		return result.Record{}, err
	}
	b.done = true
	r := result.Record{Samples: []result.Sample{sample}}
	each := func(name string, total int64, unit string) {
		r.Metrics = append(r.Metrics, result.Metric{Name: name, Value: float64(total) / float64(b.count), Unit: unit})
	}
	each("start_ns", started, "ns")
	each("end_ns", took, "ns")
	each("stack_each_bytes", int64(during.StackInuse)-int64(before.StackInuse), "B")
	if told && tells {
		each("memory_each_bytes", max(0, most-resident), "B")
	}
	b.latencies(&r)
	return r, nil
}

// start starts the goroutines from one that is not bound to a thread, as a server's
// are not, and returns when each has begun. It tells how long the go statements took.
func (b *burst) start(begun, ended *sync.WaitGroup, gate chan struct{}) (started int64) {
	begun.Add(b.count)
	ended.Add(b.count)
	done := make(chan struct{})
	go func() {
		defer close(done)
		from := clock.Wall()
		for i := range b.count {
			b.asked[i] = clock.Wall()
			go func() {
				b.ran[i] = clock.Wall()
				begun.Done()
				<-gate
				ended.Done()
			}()
		}
		started = clock.Wall() - from
		begun.Wait()
	}()
	<-done
	return started
}

func (b *burst) fits(room func() int64) error {
	if room == nil {
		return nil
	}
	need := int64(b.count) * goroutineNeeds
	if free := room(); free > 0 && free < need {
		return provider.Unsupported("goroutines-memory", b.count, need>>20, free>>20)
	}
	return nil
}

func (b *burst) latencies(r *result.Record) {
	h := arrival.NewHistogram(2)
	for i := range b.ran {
		h.Record(time.Duration(b.ran[i] - b.asked[i]))
	}
	r.Histograms = append(r.Histograms, result.Histogram{Name: "latency", Unit: "ns", Buckets: h.Pairs()})
	for _, p := range []int{50, 95, 99} {
		r.Metrics = append(r.Metrics, result.Metric{Name: fmt.Sprintf("latency_p%d_ns", p), Unit: "ns",
			Value: float64(h.ValueAtQuantile(float64(p)))})
	}
}

func (b *burst) Check() error {
	if !b.done {
		return provider.ErrNotRun
	}
	b.done = false
	missing := 0
	for i := range b.ran {
		if b.asked[i] < 0 || b.ran[i] < b.asked[i] {
			missing++
		}
	}
	b.asked, b.ran = nil, nil
	if missing > 0 {
		return reason.New("goroutines-ran", b.count, missing)
	}
	return nil
}

func (b *burst) Close() error { return nil }
