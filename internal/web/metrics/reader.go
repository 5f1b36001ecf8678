package metrics

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
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
	reading chan struct{} // closed when the try that goes on has ended; nil: none does
	read    bool          // that try has read the store, and searches it
}

// get gives what was read last, and whether the store is there.
func (r *reader) get(ctx context.Context) (found *reading, up bool) {
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
	return r.last, r.last != nil && r.err == nil && (r.reading == nil || r.read)
}

// refresh has the store read where what was read is too old, and gives what to wait for; nil where there is nothing.
func (r *reader) refresh(ctx context.Context) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	fresh := !r.tried.IsZero() && r.config.Now().Sub(r.tried) < r.config.MaxAge
	if !fresh && r.reading == nil {
		r.read, r.reading = false, make(chan struct{})
		go r.try(context.WithoutCancel(ctx), r.last)
	}
	return r.reading
}

// try reads the store, and then searches it for changes where it has other runs than before. What was read is told of
// even where the search takes longer than a scrape waits.
func (r *reader) try(ctx context.Context, before *reading) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	found, err := readStore(ctx, r.store, r.config)
	if errors.Is(err, archive.ErrNone) && (before == nil || before.totals == archive.Totals{}) {
		found, err = &reading{}, nil // nothing was filed yet; but a store that had runs and has none is away
	}
	if err == nil && before != nil {
		found.slowdowns, found.searched = before.slowdowns, before.searched && before.totals == found.totals
	}
	r.keep(found, err)
	if err == nil && !found.searched && found.totals.Runs > 0 {
		with := *found
		with.slowdowns, err = findSlowdowns(ctx, r.store, r.config)
		with.searched = true
		r.keep(&with, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.reading)
	r.reading = nil
}

func (r *reader) keep(found *reading, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.last, r.read = found, true
	}
	r.err, r.tried = err, r.config.Now()
	if err != nil && r.config.Failed != nil {
		r.config.Failed(err)
	}
}
