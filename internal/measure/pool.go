package measure

import (
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/plan"
)

// pool holds the workers of one block.
type pool struct {
	start   func(key plan.WorkerKey) (Worker, error)
	mu      sync.Mutex
	workers map[plan.WorkerKey]*started
}

// started is a worker, or why there is none. It is started once.
type started struct {
	once sync.Once
	w    Worker
	err  error
}

func newPool(start func(plan.WorkerKey) (Worker, error)) *pool {
	return &pool{start: start, workers: map[plan.WorkerKey]*started{}}
}

func (p *pool) slot(key plan.WorkerKey) *started {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.workers[key]
	if s == nil {
		s = &started{}
		p.workers[key] = s
	}
	return s
}

// begin starts workers side by side and waits for them: starting one is mostly
// waiting, and nothing may start while another measures.
func (p *pool) begin(keys []plan.WorkerKey) {
	var wg sync.WaitGroup
	for _, key := range keys {
		wg.Go(func() { _, _ = p.get(key) })
	}
	wg.Wait()
}

// get returns the worker of a key, started where it was not yet.
func (p *pool) get(key plan.WorkerKey) (Worker, error) {
	s := p.slot(key)
	s.once.Do(func() { s.w, s.err = p.start(key) })
	return s.w, s.err
}

// drop forgets a dead worker; the next get starts another.
func (p *pool) drop(key plan.WorkerKey) {
	p.mu.Lock()
	s := p.workers[key]
	delete(p.workers, key)
	p.mu.Unlock()
	if s != nil && s.w != nil {
		s.w.Stop()
	}
}

func (p *pool) stop() {
	var wg sync.WaitGroup
	for _, s := range p.workers {
		if s.w != nil {
			wg.Go(s.w.Stop)
		}
	}
	wg.Wait()
}
