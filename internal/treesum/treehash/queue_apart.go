package treehash

// nextApart is the next batch whose objects are to be fetched, or nil where there will be none.
func (q *queue) nextApart() *batch {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.apart) == 0 && !q.stopped && !q.ended {
		q.fetcher.Wait()
	}
	if q.stopped || len(q.apart) == 0 {
		return nil
	}
	b := q.apart[0]
	q.apart[0] = nil
	q.apart = q.apart[1:]
	return b
}

// arrived gives workers a batch that is fetched.
func (q *queue) arrived(b *batch) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.fetching--
	q.batches = append(q.batches, b)
	q.work.Broadcast()
}

// reserve waits until there is room for so many bytes. It returns false where the job was given up.
func (q *queue) reserve(n int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.fetched+n > mostFetched && !q.stopped {
		q.fetcher.Wait()
	}
	q.fetched += n
	return !q.stopped
}

// released gives up that room.
func (q *queue) released(n int) {
	if n == 0 {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.fetched -= n
	q.fetcher.Broadcast()
}
