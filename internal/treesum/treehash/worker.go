package treehash

import (
	"io"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
)

// A file of more bytes is long: it is read in parts.
const short = 64 << 10

// arenaSize holds as many files of the longest that are short as the most lanes take.
const arenaSize = 64*(short+aside) + short + 1

// aside keeps messages of the same length from lying a power of two apart, where they would share few
// lines of a cache.
const aside = 64

// A worker reads and hashes. It stays on one thread.
type worker struct {
	run     *run
	place   place
	summers map[*digest.Algorithm]digest.Summer
	arena   []byte
	used    int
	entries []waiting // whose messages wait for being hashed
	waiting [][]byte  // these messages
	sums    []digest.Sum
	even    bool      // all waiting have the same length
	mixed   bool      // some waiting are of another algorithm than the job's
	begun   time.Time // when the batch was
	wasLong bool      // the last file was
	ahead   ahead
}

func newWorker(r *run) *worker {
	return &worker{run: r, summers: map[*digest.Algorithm]digest.Summer{},
		arena: make([]byte, arenaSize), sums: make([]digest.Sum, batchFiles)}
}

func (w *worker) work(settled func()) {
	w.settle()
	settled()
	defer w.leave()
	for {
		t, ok := w.run.queue.next()
		switch {
		case !ok:
			return
		case t.batch != nil:
			w.read(t.batch)
			w.run.queue.done(t.batch)
		default:
			w.readLong(t.long)
		}
		w.run.wake()
	}
}

// settle is called on the thread that the worker is to have.
func (w *worker) settle() {
	if own := w.place.settle(); own && !w.run.oneByOne {
		w.ahead.prepare()
	}
}

func (w *worker) leave() {
	w.ahead.end()
	w.place.leave()
}

// read reads the short files of a batch, and puts the long ones aside.
func (w *worker) read(b *batch) {
	defer w.ahead.close()
	w.begun = time.Now()
	for i := range b.entries {
		if w.run.stop.Load() {
			return
		}
		e := &b.entries[i]
		if e.done.Load() {
			continue
		}
		if e.from == object {
			w.fetched(b, e)
			continue
		}
		w.place.enter(b, i)
		if w.isStream(b, e) {
			w.run.queue.aside(longFile{b, e})
			continue
		}
		if w.unchanged(b, e, b.gave(i)) {
			continue
		}
		if !w.quick(b, i) {
			w.careful(b, e)
		}
	}
	w.hash()
}

// isStream says whether reading an entry may take for ever. That is found out without opening it: who
// writes into a FIFO takes note of every reader.
func (w *worker) isStream(b *batch, e *entry) bool {
	if e.from == listed {
		if found, err := w.place.look(b, e); err == nil && found.sort == special {
			e.from = stream
		}
	}
	return e.from == stream || e.from == input
}

// unchanged finishes an entry that is what it was when its digest was taken.
func (w *worker) unchanged(b *batch, e *entry, g *Given) bool {
	if g == nil || !g.Stamp.Proves() || w.run.Reread {
		return false
	}
	found, err := w.place.look(b, e)
	if err != nil || found.sort != regular || found.stamp != g.Stamp || w.isOutput(found.id) {
		return false
	}
	e.skip(g, b.algorithm(e, w.run.Algorithm))
	return true
}

// skip finishes an entry that is what it was when its digest by a was taken.
func (e *entry) skip(g *Given, a *digest.Algorithm) {
	e.finish(func(r *Result) {
		r.Digest, r.By, r.Stamp, r.Bytes = g.Digest, a, g.Stamp, g.Stamp.Size
		r.Skipped, r.Settled = true, true
	})
}

// careful looks at a file before and after it reads it.
func (w *worker) careful(b *batch, e *entry) {
	f, err := w.place.open(b, e)
	if exhausted(err) { // what is open besides only saves time
		w.ahead.end()
		w.place.exit()
		f, err = w.place.open(b, e)
	}
	if err != nil {
		e.fail(err)
		return
	}
	defer f.close()
	w.compare(b, e, f)
}

// compare is careful with a file that is open.
func (w *worker) compare(b *batch, e *entry, f file) {
	before, err := f.look()
	switch {
	case err != nil:
		e.fail(err)
		return
	case before.sort != regular:
		e.fail(strange(before.sort))
		return
	case w.isOutput(before.id):
		e.leaveOut()
		return
	}
	room := w.room()
	n := 0
	if before.stamp.Size <= short {
		if n, err = readAll(f, room, int(before.stamp.Size)); err != nil {
			e.fail(err)
			return
		}
	}
	if w.wasLong = before.stamp.Size > short || n > short; w.wasLong {
		e.result.Bytes = before.stamp.Size
		w.run.queue.aside(longFile{b, e})
		return
	}
	after, err := f.look()
	if err != nil {
		e.fail(err)
		return
	}
	e.result.Changed = after.stamp != before.stamp
	w.take(b, e, room[:n], after.stamp)
}

// strange is what is wrong with what is no regular file.
func strange(s sort) error {
	if s == folder {
		return errFolder
	}
	return errStrange
}

var (
	errFolder  = language.Error("is a directory", "是一个目录")
	errStrange = language.Error("it was a regular file when it was listed, and is none any more", "列出时是普通文件，现已不是")
)

// readAll fills room from the beginning of a file, until it is full or there is nothing more. A file of
// that size has nothing more; but those of /proc say 0, and have.
func readAll(f file, room []byte, size int) (n int, err error) {
	for n < len(room) {
		m, err := f.readAt(room[n:], int64(n))
		n += m
		if err == io.EOF || err == nil && n == size {
			return n, nil
		} else if err != nil {
			return n, err
		}
	}
	return n, nil
}

// room is where a short file and one byte more may be read to.
func (w *worker) room() []byte {
	if len(w.arena)-w.used < short+1 {
		w.hash()
	}
	return w.arena[w.used:][: short+1 : short+1]
}

// take keeps what was read into room.
func (w *worker) take(b *batch, e *entry, message []byte, s Stamp) {
	w.used += (len(message)+63)&^63 + aside
	e.result.Settled = settled(s, w.begun)
	w.wait(b, e, message, s)
	if w.even && len(w.waiting)%64 == 0 && w.used > w.run.queue.most*(1<<12) {
		w.hash() // while it is in the cache: more wouldn't be faster
	}
}

// wait keeps a message until there is enough to hash at once.
func (w *worker) wait(b *batch, e *entry, message []byte, s Stamp) {
	w.even = len(w.waiting) == 0 || w.even && len(message) == len(w.waiting[0])
	by := b.algorithm(e, w.run.Algorithm)
	w.mixed = by != w.run.Algorithm || len(w.waiting) > 0 && w.mixed
	w.entries, w.waiting = append(w.entries, waiting{e, b.gave(int(e.number)), by}), append(w.waiting, message)
	e.result.Bytes, e.result.Stamp = int64(len(message)), s
}

// A waiting entry is one whose message was read.
type waiting struct {
	entry *entry
	given *Given
	by    *digest.Algorithm
}

// hash hashes what waits for it.
func (w *worker) hash() {
	if len(w.waiting) == 0 {
		return
	}
	if w.mixed || len(w.run.Algorithm.Candidates()) > 1 {
		w.hashMixed()
	} else {
		w.hashBy(w.run.Algorithm, w.entries, w.waiting)
	}
	bytes, fetched := 0, 0
	for i, e := range w.entries {
		bytes += len(w.waiting[i])
		fetched += e.entry.release()
		e.entry.done.Store(true)
	}
	w.run.queue.released(fetched)
	w.run.Progress.Bytes.Add(int64(bytes))
	w.entries, w.waiting, w.used = w.entries[:0], w.waiting[:0], 0
}

// hashMixed hashes what waits by several algorithms, those of each together.
func (w *worker) hashMixed() {
	var order []*digest.Algorithm
	entries, messages := map[*digest.Algorithm][]waiting{}, map[*digest.Algorithm][][]byte{}
	for i, e := range w.entries {
		for _, a := range e.by.Candidates() {
			if entries[a] == nil {
				order = append(order, a)
			}
			entries[a], messages[a] = append(entries[a], e), append(messages[a], w.waiting[i])
		}
	}
	for _, a := range order {
		w.hashBy(a, entries[a], messages[a])
	}
}

func (w *worker) hashBy(a *digest.Algorithm, entries []waiting, messages [][]byte) {
	sum := w.summers[a]
	if sum == nil {
		sum = a.Summer()
		w.summers[a] = sum
	}
	sum(w.sums[:len(messages)], messages)
	for i, e := range entries {
		e.entry.try(e.given, a, e.by.Candidates()[0], w.sums[i])
	}
}

// try takes a digest by one of the candidates: the one that was given, or else the first candidate's.
func (e *entry) try(g *Given, a, first *digest.Algorithm, sum digest.Sum) {
	clear(sum[a.Size:]) // where a longer one may have been
	if g != nil && sum == g.Digest || a == first && e.result.By == nil {
		e.result.Digest, e.result.By = sum, a
	}
}

// finish notes what became of an entry, and hands it to the collector.
func (e *entry) finish(note func(*Result)) {
	note(&e.result)
	e.done.Store(true)
}

func (e *entry) fail(err error) { e.finish(func(r *Result) { r.Err = plain(err) }) }

// leaveOut finishes an entry that results are written into.
func (e *entry) leaveOut() { e.finish(func(r *Result) { r.LeftOut, r.Output = true, true }) }

// isOutput says whether a file is one that results are written into.
func (w *worker) isOutput(id fileID) bool {
	for _, output := range w.run.outputs {
		if id == output && id != (fileID{}) {
			return true
		}
	}
	return false
}

// Clocks of file systems go in steps: of the kernel's tick, or of two seconds where a time has no
// nanoseconds.
const (
	tick     = 20 * time.Millisecond
	slowTick = 2 * time.Second
)

// settled says whether a file that is changed after begun gets another stamp than it has.
func settled(s Stamp, begun time.Time) bool {
	latest := max(s.Modified, s.Status)
	step := tick
	if latest%int64(time.Second) == 0 {
		step = slowTick
	}
	return s.Inode != 0 && latest < begun.Add(-step).UnixNano()
}

// A found is what a look at a file tells.
type found struct {
	stamp Stamp
	id    fileID
	sort  sort
}

var errLink = language.Error("it was a regular file when it was listed, and is a symbolic link now", "列出时是普通文件，现为符号链接")
