package check

import (
	"context"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// memoryEvery is how many samples lie between two readings of a worker's memory.
const memoryEvery = 16

// memories collects how much memory the workers hold, in series: one for each
// worker and group, since the next group has other buffers.
type memories struct {
	mu     sync.Mutex
	series []*series
}

type series struct {
	key   plan.WorkerKey
	bytes []float64
}

// watch stands between the laboratory and a worker.
func (m *memories) watch(key plan.WorkerKey, p *worker.Process) measure.Worker {
	return &watched{Process: p, all: m, key: key}
}

// watched reads the worker's memory between its samples, from outside.
type watched struct {
	*worker.Process
	all     *memories
	key     plan.WorkerKey
	current *series
	samples int
}

// Open begins a new series: what a trial needs is no growth.
func (w *watched) Open(ctx context.Context, handle int, t result.Trial, digest string) (worker.About, error) {
	w.current = nil
	return w.Process.Open(ctx, handle, t, digest)
}

func (w *watched) Run(ctx context.Context, handle int, calls int64) (result.Sample, error) {
	s, err := w.Process.Run(ctx, handle, calls)
	if w.samples++; err == nil && w.samples%memoryEvery == 0 {
		w.read()
	}
	return s, err
}

func (w *watched) read() {
	bytes, ok := w.Memory()
	if !ok {
		return
	}
	if w.current == nil {
		w.current = &series{key: w.key}
		w.all.mu.Lock()
		w.all.series = append(w.all.series, w.current)
		w.all.mu.Unlock()
	}
	w.current.bytes = append(w.current.bytes, float64(bytes))
}
