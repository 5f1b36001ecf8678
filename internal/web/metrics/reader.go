package metrics

import (
	"context"
	"sync"
	"time"
)

const (
	patience = 5 * time.Second  // how long a scrape waits for the store; Prometheus gives up after 10
	longest  = 10 * time.Minute // how long the store may take before it is asked anew
)

// reader keeps what was read of a store. Only one reading is made at a time, and it goes on when the scrape that
// began it is gone.
type reader struct {
	store  Store
	config Config

	mu      sync.Mutex
	last    *reading // nil until the store was read once
	err     error    // of the last try
	tried   time.Time
	reading chan struct{} // closed when what the scrape waits for was read or failed; nil: nothing is being read
	busy    bool          // a try goes on, if only in search of changes
}

// read gives what was read last, and whether the store is there.
func (r *reader) read(ctx context.Context) (found *reading, up bool) {
	if done := r.refresh(ctx); done != nil {
		wait := time.NewTimer(patience)
		defer wait.Stop()
		select {
		case <-done:
		case <-wait.C:
		case <-ctx.Done():
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last, r.last != nil && r.err == nil && r.reading == nil
}

// refresh has the store read where what was read is too old, and gives what to wait for; nil where there is nothing.
func (r *reader) refresh(ctx context.Context) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	fresh := !r.tried.IsZero() && r.config.Now().Sub(r.tried) < r.config.MaxAge
	if !fresh && !r.busy {
		r.busy, r.reading = true, make(chan struct{})
		go r.try(context.WithoutCancel(ctx), r.last)
	}
	return r.reading
}

// try reads the store, and then searches it for changes, for which no scrape waits.
func (r *reader) try(ctx context.Context, before *reading) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	found, err := readStore(ctx, r.store, r.config)
	same := false
	if err == nil && before != nil {
		same = before.searched && before.totals == found.totals
		found.slowdowns, found.searched = before.slowdowns, same
	}
	r.keep(found, err)
	if err == nil && !same {
		slowdowns, err := findSlowdowns(ctx, r.store, r.config)
		r.keepSearched(found, slowdowns, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy = false
}

func (r *reader) keep(found *reading, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.last = found
	}
	r.ended(err)
	close(r.reading)
	r.reading = nil
}

func (r *reader) keepSearched(found *reading, slowdowns []slowdown, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		with := *found
		with.slowdowns, with.searched = slowdowns, true
		r.last = &with
	}
	r.ended(err)
}

func (r *reader) ended(err error) {
	r.err, r.tried = err, r.config.Now()
	if err != nil && r.config.Failed != nil {
		r.config.Failed(err)
	}
}
