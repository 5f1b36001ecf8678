package treehash

import "sync"

// A queue holds what is to be done, and what is in flight.
type queue struct {
	mu   sync.Mutex
	work *sync.Cond // for workers: there is something to do, or nothing ever more
	room *sync.Cond // for the source: there is room for a batch

	flight  []*batch // fed and not all given back, in order
	apart   []*batch // of these, those whose objects are to be fetched
	batches []*batch // of these, those that no worker has begun
	long    []longFile
	streams []longFile // what may keep a reader waiting: standard input, FIFOs, devices
	unused  []*batch

	fetcher  *sync.Cond // for the fetcher: there is a batch apart, or room for what it fetches, or nothing ever more
	fetching int        // batches that are apart, or being fetched
	fetched  int        // bytes that are being fetched, or wait for being hashed

	workers, waiting, reading int // all, those without work, those that read a batch
	fewest, most              int // see digest.Algorithm.Together
	paused, ended, stopped    bool
	waits                     func()        // called when the source begins to wait; may be nil
	over                      chan struct{} // closed when stopped

	begun int // how much of the oldest batch was given back when a job was given up
}

// A longFile is an entry of a batch that was put aside.
type longFile struct {
	batch *batch
	entry *entry
}

// mostBatches bounds what is in flight: a hundred thousand files, and about 40 MiB.
const mostBatches = 400

func newQueue(j Job) *queue {
	q := &queue{workers: j.Workers, over: make(chan struct{})}
	q.fewest, q.most = j.Algorithm.Together()
	q.work, q.room, q.fetcher = sync.NewCond(&q.mu), sync.NewCond(&q.mu), sync.NewCond(&q.mu)
	return q
}

// batch returns an empty batch for the source, or nil if the job is given up.
func (q *queue) batch() *batch {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.paused = true
	for len(q.flight) >= mostBatches && !q.stopped {
		q.tell()
		q.work.Broadcast() // what was gathered must do
		q.room.Wait()
	}
	q.paused = false
	if q.stopped {
		return nil
	}
	if n := len(q.unused); n > 0 {
		b := q.unused[n-1]
		q.unused = q.unused[:n-1]
		return b
	}
	return newBatch()
}

// put takes a batch from the source.
func (q *queue) put(b *batch) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.flight = append(q.flight, b)
	if b.open == 0 {
		return // it may be used again before a worker came to it
	}
	if b.objects {
		q.apart = append(q.apart, b)
		q.fetching++
		q.fetcher.Signal()
		return
	}
	q.batches = append(q.batches, b)
	q.work.Signal()
}

// pause says that the source waits for somebody else.
func (q *queue) pause() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.paused = true
	q.tell()
	q.work.Broadcast()
}

// tell says that the source waits.
func (q *queue) tell() {
	if q.waits != nil {
		q.waits()
	}
}

// resume says that it waits no longer.
func (q *queue) resume() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.paused = false
	q.work.Broadcast()
}

func (q *queue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = true
	q.work.Broadcast()
	q.fetcher.Broadcast()
}

func (q *queue) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
	close(q.over)
	q.work.Broadcast()
	q.room.Broadcast()
	q.fetcher.Broadcast()
}

// idle says whether a worker has nothing to do.
func (q *queue) idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting > 0 && len(q.batches) == 0
}

// aside puts long files aside, and streams.
func (q *queue) aside(f longFile) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if f.entry.from == stream || f.entry.from == input {
		q.streams = append(q.streams, f)
	} else {
		q.long = append(q.long, f)
	}
	q.work.Signal()
}

// A task is what a worker does next: a batch, or long files.
type task struct {
	batch *batch
	long  []longFile
}

// next returns the next task, and false where there will be none.
func (q *queue) next() (task, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		if t, ok := q.take(); ok || q.stopped || q.ended && q.reading+q.fetching == 0 {
			return t, ok
		}
		q.waiting++
		q.work.Wait()
		q.waiting--
	}
}

// take takes what there is. Long files are gathered until there is one for each lane, or nobody is about
// to find more; then the workers share them.
func (q *queue) take() (t task, ok bool) {
	switch n := len(q.long); {
	case q.stopped:
		return t, false
	case n >= q.most:
		t.long = q.takeLong(q.most)
	case len(q.batches) > 0:
		t.batch = q.batches[0]
		q.batches[0] = nil
		q.batches = q.batches[1:]
		t.batch.reading = true
		q.reading++
	case len(q.streams) > 0:
		t.long = []longFile{q.streams[0]}
		q.streams = q.streams[1:]
	case n > 0 && q.reading+q.fetching == 0 && (q.ended || q.paused):
		t.long = q.takeLong((n + q.workers - 1) / q.workers)
	default:
		return t, false
	}
	return t, true
}

func (q *queue) takeLong(n int) []longFile {
	taken := make([]longFile, n)
	copy(taken, q.long)
	q.long = append(q.long[:0], q.long[n:]...)
	return taken
}

// done takes a batch back from its reader.
func (q *queue) done(b *batch) {
	q.mu.Lock()
	defer q.mu.Unlock()
	b.reading = false
	q.reading--
	q.work.Broadcast()
}

// oldest returns the first batch that isn't all given back, or nil.
func (q *queue) oldest() *batch {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.flight) == 0 {
		return nil
	}
	return q.flight[0]
}

// drop forgets the oldest batch.
func (q *queue) drop() *batch {
	q.mu.Lock()
	defer q.mu.Unlock()
	b := q.flight[0]
	q.flight[0] = nil
	q.flight = q.flight[1:]
	return b
}

// recycle lets the oldest batch, of which all is done, be used again.
func (q *queue) recycle() {
	b := q.drop()
	q.mu.Lock()
	defer q.mu.Unlock()
	if !b.reading { // else its reader hasn't seen yet that it has nothing left to do
		b.reset()
		q.unused = append(q.unused, b)
	}
	q.room.Signal()
}
