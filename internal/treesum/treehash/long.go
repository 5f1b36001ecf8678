package treehash

import (
	"cmp"
	"errors"
	stdhash "hash"
	"io"
	"os"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
)

// readLong hashes long files: in step where there are enough of them of an algorithm for lanes, else one by one.
func (w *worker) readLong(files []longFile) {
	by := func(f longFile) *digest.Algorithm { return f.batch.algorithm(f.entry, w.run.Algorithm) }
	for len(files) > 0 {
		a := by(files[0])
		var same, others []longFile
		for _, f := range files {
			if by(f) == a {
				same = append(same, f)
			} else {
				others = append(others, f)
			}
		}
		// The queue goes by the job's algorithm; this one may be another, that is never read in step.
		if fewest, most := a.Together(); len(same) < fewest || len(same) == 1 || most == 1 {
			for _, f := range same {
				w.readAhead(f, a)
			}
		} else {
			w.readInStep(same, a)
		}
		files = others
	}
}

// readInStep hashes files by lanes.
func (w *worker) readInStep(files []longFile, a *digest.Algorithm) {
	// The longest begin first, so that they don't end last, and alone.
	slices.SortStableFunc(files, func(a, b longFile) int { return cmp.Compare(b.entry.result.Bytes, a.entry.result.Bytes) })
	lanes, readers := make([]lane, len(files)), make([]io.Reader, len(files))
	for i, f := range files {
		lanes[i] = w.lane(f)
		readers[i] = lanes[i]
	}
	sums, errs := make([]digest.Sum, len(files)), make([]error, len(files))
	a.Read(sums, errs, readers)
	for i := range lanes {
		lanes[i].end(a, sums[i], errs[i])
	}
}

func (w *worker) lane(f longFile) lane {
	if f.entry.from == object {
		return newPump(w.run, f)
	}
	return &step{worker: w, longFile: f}
}

// A lane is one of the readers that are read in step.
type lane interface {
	io.Reader
	// end finishes the entry, unless the job was given up before.
	end(a *digest.Algorithm, sum digest.Sum, err error)
}

// A step reads one of many long files, which is opened when it is first read.
type step struct {
	worker *worker
	longFile
	file   file
	isOpen bool
	begun  time.Time
	before found
	at     int64
}

// Read is io.Reader's.
func (s *step) Read(p []byte) (int, error) {
	if s.worker.run.stop.Load() {
		s.close()
		return 0, errStopped
	}
	if err := s.open(); err != nil {
		return 0, err
	}
	n, err := s.file.readAt(p, s.at)
	s.at += int64(n)
	s.worker.run.Progress.Bytes.Add(int64(n))
	if err == io.EOF {
		after, lookErr := s.file.look()
		if lookErr != nil {
			err = lookErr
		}
		s.entry.compare(s.before.stamp, after.stamp, s.at, s.begun)
	}
	if err != nil {
		s.close()
	}
	return n, err
}

func (s *step) open() (err error) {
	if s.isOpen {
		return nil
	}
	if s.file, err = s.worker.place.openAlone(s.batch, s.entry); err != nil {
		return err
	}
	s.isOpen, s.begun = true, time.Now()
	if s.before, err = s.file.look(); err == nil && s.before.sort != regular {
		err = errStrange
	}
	if err != nil {
		s.close()
	}
	s.file.inOrder()
	return err
}

func (s *step) close() {
	if s.isOpen {
		s.file.close()
		s.isOpen = false
	}
}

func (s *step) end(a *digest.Algorithm, sum digest.Sum, err error) {
	if exhausted(err) && s.at == 0 {
		s.worker.readAhead(s.longFile, a) // alone it needs no more descriptors than there are
		return
	}
	s.entry.conclude(a, sum, err)
}

// conclude finishes an entry that was hashed by a lane, unless the job was given up before.
func (e *entry) conclude(a *digest.Algorithm, sum digest.Sum, err error) {
	switch {
	case errors.Is(err, errStopped):
		return
	case err != nil:
		e.fail(err)
		return
	}
	e.finish(func(r *Result) { r.Digest, r.By = sum, a })
}

// compare notes what a long file was before and after it was read.
func (e *entry) compare(before, after Stamp, bytes int64, begun time.Time) {
	e.result.Changed = before != after
	e.result.Bytes, e.result.Stamp, e.result.Settled = bytes, after, settled(after, begun)
}

// Of a file that is read ahead, so much is read at a time, and so many parts are held.
const (
	partSize  = 512 << 10
	partsHeld = 4
)

// A part is what was read of a file, and why there is nothing more.
type part struct {
	bytes []byte
	err   error
}

// readAhead hashes a file, or a stream, while another goroutine reads the next parts of it.
func (w *worker) readAhead(f longFile, by *digest.Algorithm) {
	parts, free := make(chan part, partsHeld+1), make(chan []byte, partsHeld)
	for range partsHeld {
		free <- nil
	}
	go w.run.readParts(f, partSize, parts, free)
	candidates := by.Candidates()
	hashes := make([]stdhash.Hash, len(candidates))
	for i, a := range candidates {
		hashes[i] = a.New()
	}
	for {
		var p part
		select {
		case p = <-parts:
		case <-w.run.queue.over:
			return
		}
		for _, h := range hashes {
			h.Write(p.bytes)
		}
		w.run.Progress.Bytes.Add(int64(len(p.bytes)))
		switch {
		case p.err == nil:
			free <- p.bytes[:cap(p.bytes)]
		case p.err == io.EOF:
			for i, a := range candidates {
				var sum digest.Sum
				hashes[i].Sum(sum[:0])
				f.entry.try(f.batch.gave(int(f.entry.number)), a, candidates[0], sum)
			}
			f.entry.done.Store(true)
			return
		case !errors.Is(p.err, errStopped):
			f.entry.fail(p.err)
			return
		default:
			return
		}
	}
}

// readParts reads a file into buffers that come back by free.
func (r *run) readParts(f longFile, size int, parts chan<- part, free <-chan []byte) {
	parts <- part{err: r.eachPart(f, func(in io.Reader) (int, error) {
		var buffer []byte
		select {
		case buffer = <-free:
		case <-r.queue.over:
			return 0, errStopped
		}
		if buffer == nil {
			buffer = make([]byte, size)
		}
		n, err := in.Read(buffer)
		parts <- part{bytes: buffer[:n]}
		return n, err
	})}
}

// eachPart calls read until it returns an error, which is io.EOF where all was read.
func (r *run) eachPart(f longFile, read func(io.Reader) (int, error)) error {
	e := f.entry
	if e.from == input {
		if r.Stdin == nil {
			return os.ErrNotExist
		}
		n, err := readOn(r.Stdin, read)
		e.result.Bytes = n
		return err
	}
	if e.from == object {
		return r.eachPartOfObject(f, read)
	}
	var in *os.File
	release, err := r.shared.take(func() (err error) {
		in, err = openShared(f.batch.path(e))
		return err
	})
	if err != nil {
		return err
	}
	defer release()
	defer in.Close()
	begun := time.Now()
	before, err := lookShared(in)
	switch {
	case err != nil:
		return err
	case before.sort == folder:
		return errFolder
	case before.sort == regular:
		inOrder(in)
	}
	n, err := readOn(in, read)
	if err != io.EOF {
		return err
	}
	after, lookErr := lookShared(in)
	if lookErr != nil {
		return lookErr
	}
	if before.sort != regular { // its stamps tell nothing of what comes from it
		before, after = found{}, found{}
	}
	e.compare(before.stamp, after.stamp, n, begun)
	return io.EOF
}

func readOn(in io.Reader, read func(io.Reader) (int, error)) (total int64, err error) {
	for err == nil {
		var n int
		n, err = read(in)
		total += int64(n)
	}
	return total, err
}
