package measure

import (
	"errors"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/worker"
)

type pool struct {
	start   func(key plan.WorkerKey) (Worker, error)
	workers map[plan.WorkerKey]func() (Worker, error) // each starts its worker when it is first called
}

// begin starts workers side by side and waits for them: starting one is mostly
// waiting, and nothing may start while another measures.
func (p *pool) begin(keys []plan.WorkerKey) {
	var wg sync.WaitGroup
	for _, key := range keys {
		worker := p.worker(key)
		wg.Go(func() { _, _ = worker() })
	}
	wg.Wait()
}

func (p *pool) worker(key plan.WorkerKey) func() (Worker, error) {
	if p.workers[key] == nil {
		p.workers[key] = sync.OnceValues(func() (Worker, error) { return p.start(key) })
	}
	return p.workers[key]
}

// drop stops a worker, so that the next call starts another.
func (p *pool) drop(key plan.WorkerKey) {
	if w, _ := p.worker(key)(); w != nil {
		w.Stop()
	}
	delete(p.workers, key)
}

func (p *pool) stop() {
	var wg sync.WaitGroup
	for _, worker := range p.workers {
		if w, _ := worker(); w != nil {
			wg.Go(w.Stop)
		}
	}
	wg.Wait()
}

// Hangs counts the calls that never returned, by library, by whatever path it is
// called. Each is waited for as long as an honest call could take, so a library that
// hangs is given up after two: else every row of it would cost that wait again.
type Hangs struct {
	mu    sync.Mutex
	calls map[[2]string]int // by library and version
}

const mostHangs = 2

// Note counts an error of a call to a library's worker where it is one that never
// returned.
func (h *Hangs) Note(k plan.WorkerKey, err error) {
	if !hung(err) {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.calls == nil {
		h.calls = map[[2]string]int{}
	}
	h.calls[[2]string{k.Library, k.Version}]++
}

func (h *Hangs) GivenUp(k plan.WorkerKey) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.calls[[2]string{k.Library, k.Version}] >= mostHangs
}

func hung(err error) bool {
	died, ok := errors.AsType[*worker.Died](err)
	return ok && died.Hung
}
