package loop

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// NewParallel seals messages by many goroutines at once. The case's parameters are
// goroutines=N, holding=HOW (see parameter.Hold) and request=M calls.
//
// A call is one message, or of a case that replays a mix of sizes its whole sequence
// (see [seeded.MixOf]). Run(n) has the goroutines share n of them: each takes a
// request's worth at a time from a common counter, seals it, and yields, as a
// goroutine does that reads its next request from a connection; so more goroutines
// than CPUs all get their turn. Towards the end of a batch requests are cut
// shorter, so that no CPU idles while another is still busy. The goroutines live as
// long as the operation and wait between batches; none of them is pinned to a CPU.
// Waiting for them is all that the measuring thread does, so the wall clock tells.
//
// Record gives, since the last Record:
//
//	latency            histogram, ns: of whole requests, from when the goroutine asked
//	                   for one, which is when it was done with the one before, to its end;
//	                   waiting for a CPU is part of it. The first of each goroutine in a
//	                   batch is left out: all begin at once, with nobody before them;
//	                   and so are batches of fewer than two requests a goroutine
//	latency_mean_ns, latency_p50_ns, latency_p95_ns, latency_p99_ns
//	mutex_wait         seconds that goroutines of the process waited on mutexes, per
//	                   second of wall time, as the runtime estimates them
func NewParallel(fresh NewAEADFunc, c result.Case, v *provider.Vector) (provider.Operation, error) {
	if _, rest := seeded.MixOf(c); !parameter.Are(rest, parameter.Goroutines, parameter.Holding, parameter.Request) {
		return nil, provider.Absent("parameters", c.Operation, "goroutines=N,holding=HOW[,request=MESSAGES]", c.Parameters)
	}
	n, request := parameter.Goroutines.In(c.Parameters), parameter.Request.In(c.Parameters)
	if n == 0 || request == 0 {
		return nil, provider.Absent("parameters", c.Operation, fmt.Sprintf("goroutines=1…%d,request=1…%d",
			parameter.Goroutines.Most, parameter.Request.Most), c.Parameters)
	}
	g, err := newGoroutines(n, parameter.Holding.In(c.Parameters), fresh, v)
	if err != nil {
		return nil, err
	}
	o := &parallel{goroutines: g, request: request, cpus: int64(runtime.GOMAXPROCS(0)),
		start: make(chan struct{}, n),
		waits: []metrics.Sample{{Name: "/sync/mutex/wait/total:seconds"}}}
	for _, s := range g.slots {
		go o.live(s)
	}
	return o, nil
}

type parallel struct {
	*goroutines
	request int64 // calls
	cpus    int64

	start  chan struct{}
	begun  time.Time
	asked  int64          // calls of this batch
	lined  bool           // they are enough that every goroutine stands in line
	taken  atomic.Int64   // of them
	left   sync.WaitGroup // goroutines still at it
	failed atomic.Pointer[error]

	waits  []metrics.Sample
	wall   time.Duration // of the batches since the last Record
	waited float64       // seconds on mutexes in them
}

func (o *parallel) Run(n int) error {
	if n < 1 {
		return nil
	}
	before := o.waitedSoFar()
	o.asked = int64(n)
	o.lined = o.asked >= 2*o.request*int64(len(o.slots))
	o.taken.Store(0)
	o.failed.Store(nil)
	o.left.Add(len(o.slots))
	o.begun = time.Now()
	for range o.slots {
		o.start <- struct{}{}
	}
	o.left.Wait()
	o.wall += time.Since(o.begun)
	o.waited += o.waitedSoFar() - before
	if err := o.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// live is one of the goroutines: a batch each time it is told to start.
func (o *parallel) live(s *slot) {
	batch := func() error { return o.batch(s) }
	for range o.start {
		if err := provider.Guard(batch); err != nil {
			o.failed.CompareAndSwap(nil, &err)
		}
		o.left.Done()
	}
}

func (o *parallel) batch(s *slot) error {
	asked := time.Duration(-1) // its first request of a batch is not one that it waited for in line
	for o.failed.Load() == nil {
		n := o.next()
		if n == 0 {
			break
		}
		if err := o.seal(s, n); err != nil {
			return err
		}
		now := time.Since(o.begun)
		if n == o.request && asked >= 0 && o.lined {
			s.latency.Record(now - asked)
		}
		asked = now
		runtime.Gosched()
	}
	return nil
}

// next takes messages for one goroutine; 0 when there are none left. While there
// is plenty it takes a whole request, and at the end a part of what is left.
func (o *parallel) next() int64 {
	for {
		taken := o.taken.Load()
		left := o.asked - taken
		if left <= 0 {
			return 0
		}
		n := min(o.request, max(1, left/(2*o.cpus)))
		if o.taken.CompareAndSwap(taken, taken+n) {
			return n
		}
	}
}

func (o *parallel) Check() error        { return o.check() }
func (o *parallel) Loop() string        { return "parallel" }
func (o *parallel) Clock() result.Clock { return result.WallClock }

func (o *parallel) Close() error {
	close(o.start)
	return nil
}

func (o *parallel) Record() (r result.Record, err error) {
	all := arrival.NewHistogram(2)
	for _, s := range o.slots {
		all.Add(s.latency)
		s.latency.Reset()
	}
	AddLatency(&r, "latency", all)
	if o.wall > 0 {
		metric(&r, "mutex_wait", "s/s", o.waited/o.wall.Seconds())
	}
	o.wall, o.waited = 0, 0
	return r, nil
}

// AddLatency puts a histogram into a record, and the usual percentiles as metrics,
// whose spread over blocks gives them an interval. One that fewer than one value
// would lie beyond is left out.
func AddLatency(r *result.Record, name string, h arrival.Histogram) {
	n := h.TotalCount()
	if n == 0 {
		return
	}
	r.Histograms = append(r.Histograms, result.Histogram{Name: name, Unit: "ns", Buckets: h.Pairs()})
	metric(r, name+"_mean_ns", "ns", h.Mean())
	for _, p := range []int64{50, 95, 99} {
		if n*(100-p) >= 100 {
			metric(r, fmt.Sprintf("%s_p%d_ns", name, p), "ns", float64(h.ValueAtQuantile(float64(p))))
		}
	}
}

func (o *parallel) waitedSoFar() float64 {
	metrics.Read(o.waits)
	return o.waits[0].Value.Float64()
}

// NewBusy runs several operations of the same kind at once, each on a goroutine. The
// process's clock tells what a call costs a CPU while the others are busy too: they
// share caches and memory, the power that lets a core clock high and, where two are
// one core's, its arithmetic; and what they leave behind is collected. Whichever is done
// with some calls takes the next ones, as a service's CPUs take requests: a CPU that others
// slow does fewer of them, and none waits long for another.
func NewBusy(ops []provider.Operation) provider.Operation {
	return &busy{ops: ops, ran: make([]bool, len(ops))}
}

type busy struct {
	ops []provider.Operation
	ran []bool // since the last check
}

// NewSessions runs several operations of the same kind at once, as [NewBusy] does, each in a session of its own
// with what may keep it waiting: a token, a device. What it takes is wall time; how much of it was the CPU's, the
// process's clock tells.
func NewSessions(ops []provider.Operation) provider.Operation {
	return sessions{&busy{ops: ops, ran: make([]bool, len(ops))}}
}

type sessions struct{ *busy }

func (sessions) Loop() string        { return "sessions" }
func (sessions) Clock() result.Clock { return result.WallClock }

// Run lets a single session call in the measuring thread: another's waking would be in the time.
func (s sessions) Run(n int) error {
	if len(s.ops) > 1 {
		return s.busy.Run(n)
	}
	s.ran[0] = true
	return provider.Guard(func() error { return s.ops[0].Run(n) })
}

// pieces is how many times each takes calls, where all are equally fast.
const pieces = 16

func (o *busy) Run(n int) error {
	piece := max(1, n/(pieces*len(o.ops)))
	var taken atomic.Int64
	taken.Store(int64(piece * len(o.ops))) // the first of each
	several := min(len(o.ops), (n+piece-1)/piece)
	return atOnce(several, func(i int) (err error) {
		o.ran[i] = true
		for begin := i * piece; begin < n && err == nil; begin = int(taken.Add(int64(piece))) - piece {
			err = o.ops[i].Run(min(piece, n-begin))
		}
		return err
	})
}

// atOnce does work on so many goroutines, and waits for them. A library that panics must not take the worker with it.
func atOnce(goroutines int, work func(i int) error) error {
	errs := make([]error, goroutines)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { errs[i] = provider.Guard(func() error { return work(i) }) })
	}
	all.Wait()
	return errors.Join(errs...)
}

func (o *busy) Check() error {
	checked := false
	for i, op := range o.ops {
		if !o.ran[i] {
			continue
		}
		o.ran[i], checked = false, true
		if err := op.Check(); err != nil {
			return reason.New("at-once", len(o.ops), i+1, err)
		}
	}
	if !checked {
		return provider.ErrNotRun
	}
	return nil
}

func (o *busy) Close() error {
	errs := make([]error, len(o.ops))
	for i, op := range o.ops {
		errs[i] = op.Close()
	}
	return errors.Join(errs...)
}

func (o *busy) Loop() string        { return "busy" }
func (o *busy) Clock() result.Clock { return result.ProcessClock }
func (o *busy) Collected()          {}
