package treehash

import (
	"errors"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// ErrUnreached is what an error of Objects is, by errors.Is, where there was no connection to the store, and so no
// answer either. So is the error of a job that was given up for that.
var ErrUnreached = errors.New("no connection to the store")

// mostUnreached objects in a row for which there was no connection, and the store is away: the job is given up, since
// all that is left would fail alike, after as long a wait each.
const mostUnreached = 8

// A reach is whether a store can be reached.
type reach struct {
	mu      sync.Mutex
	answers int64 // it has given
	row     int   // of objects for which there was no connection, since the last of them
	away    error
}

// heard notes an answer of the store, also where that is an error.
func (r *reach) heard() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers++
	r.row = 0
}

// lose gives the store up.
func (r *reach) lose(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.giveUp(err)
}

func (r *reach) giveUp(err error) {
	if r.away == nil {
		r.away = language.Errorf("the store is away: %w", "无法连接存储：%s", err)
	}
}

// lost is why the store was given up, or nil.
func (r *reach) lost() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.away
}

// failed notes what an object failed with, before the entry is done.
func (r *reach) failed(e *entry, err error) {
	if !errors.Is(err, ErrUnreached) {
		r.heard()
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e.unreached, e.answers = true, r.answers
	if r.row++; r.row == mostUnreached {
		r.giveUp(err)
	}
}

// silentSince says whether the store has answered nothing since an entry failed, or was given up.
func (r *reach) silentSince(e *entry) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.away != nil || r.answers == e.answers
}

// mayEmit says whether an entry can be given back. One for which there was no connection is held back until it is known
// whether that is so of this object alone: the store answers, or it is given up, or there is nobody left to tell.
func (r *run) mayEmit(e *entry) bool {
	if !e.done.Load() || !e.unreached {
		return e.done.Load()
	}
	more := r.queue.awaitsObjects() // first: the last of them may just be giving the store up
	return !r.reach.silentSince(e) || !more && r.reach.lost() == nil
}

// awaitsObjects says whether there are objects in flight that aren't done, or the source may be about to bring some.
func (q *queue) awaitsObjects() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.ended && !q.paused {
		return true
	}
	for _, b := range q.flight {
		for i := range b.entries {
			if e := &b.entries[i]; e.from == object && !e.done.Load() {
				return true
			}
		}
	}
	return false
}
