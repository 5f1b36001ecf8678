package treehash

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
)

// Objects are what a store keeps under names that begin with a scheme. Its methods are called by many goroutines. An
// error for which there was no connection is ErrUnreached.
type Objects interface {
	// List calls found for each object that a name stands for, in the order of the bytes of their names: the object of
	// that very name, or else all whose names begin so. What found returns ends it.
	List(ctx context.Context, name string, found func(name []byte, s Stamp) error) error

	// Open opens an object as it was listed; with the zero Stamp, as it is. What is read is of one version, has the size
	// that the Stamp says which is returned, and is whole when Read returns io.EOF.
	Open(ctx context.Context, name string, listed Stamp) (io.ReadCloser, Stamp, error)
}

// Scheme begins the name of an object: s3://bucket/key.
const Scheme = "s3://"

// IsObject says whether a name is one of an object.
func IsObject(name []byte) bool { return bytes.HasPrefix(name, []byte(Scheme)) }

var (
	errNoStore = language.Error("is in an object store, which cryptogauge-store hash reads",
		"位于对象存储中，请用 cryptogauge-store hash 读取")
	errNUL      = language.Error("its name has a NUL, which no line of a manifest can have", "名字中有 NUL，清单的行无法容纳")
	errNoObject = language.Error("there is no such object, and none whose name begins so", "没有该对象，也没有名字以此开头的对象")
)

// objects feeds the objects that a name stands for.
func (f *Feed) objects(name []byte) error {
	if f.run.Objects == nil {
		return f.fail(name, errNoStore)
	}
	found := false
	var fed error
	err := f.run.Objects.List(f.run.ctx, string(name), func(name []byte, s Stamp) error {
		found = true
		fed = f.object(name, s)
		return fed
	})
	switch {
	case fed != nil:
		return fed
	case f.run.ctx.Err() != nil:
		return errStopped
	case found && errors.Is(err, ErrUnreached): // nobody knows what there is besides
		f.run.reach.lose(err)
		f.run.wake()
		return err
	case err != nil:
		return f.fail(name, err)
	case !found:
		return f.fail(name, errNoObject)
	}
	return nil
}

// object feeds an object that was listed.
func (f *Feed) object(name []byte, s Stamp) error {
	if f.isOthers(name) {
		return nil
	}
	if bytes.IndexByte(name, 0) >= 0 {
		return f.fail(name, errNUL)
	}
	if err := f.open(); err != nil {
		return err
	}
	var g Given
	if f.run.Known != nil {
		var err error
		if g, err = f.run.known(name); err != nil {
			return err
		}
	}
	return f.put(name, object, g, func(e *entry) {
		if e.result.Stamp = s; g.Stamp.Is(s) && !f.run.Reread {
			e.skip(&g, f.run.Algorithm)
		}
	})
}

// So much is fetched at once, and so many bytes are fetched, or wait for being hashed. These are enough for any batch.
const (
	mostRequests = 64
	mostFetched  = 4 * batchFiles * (short + 1)
)

// fetch fetches the short objects of one batch after the other, many at once, until there are no more.
func (r *run) fetch() {
	if r.Objects == nil {
		return
	}
	slots := make(chan struct{}, mostRequests)
	var atWork sync.WaitGroup
	defer atWork.Wait()
	for b := r.queue.nextApart(); b != nil; b = r.queue.nextApart() {
		left := new(atomic.Int32) // entries that aren't fetched, and this loop
		left.Store(1)
		arrived := func() {
			if left.Add(-1) == 0 {
				r.queue.arrived(b)
			}
		}
		for i := range b.entries {
			e := &b.entries[i]
			if e.from != object || e.done.Load() || e.result.Stamp.Size > short {
				continue
			}
			select {
			case slots <- struct{}{}:
			case <-r.queue.over:
				return
			}
			if !r.queue.reserve(e.reserved()) {
				return
			}
			left.Add(1)
			atWork.Go(func() {
				r.fetchOne(b, e)
				<-slots
				arrived()
			})
		}
		arrived()
	}
}

// reserved is how many bytes are set aside for an object, of which perhaps nothing is known.
func (e *entry) reserved() int {
	if e.result.Stamp == (Stamp{}) {
		return short
	}
	return int(e.result.Stamp.Size)
}

// fetchOne fetches an object, unless it turns out to be long.
func (r *run) fetchOne(b *batch, e *entry) {
	reserved := e.reserved()
	in, s, err := r.Objects.Open(r.ctx, string(b.name(e)), e.result.Stamp)
	if err == nil {
		defer in.Close()
		r.reach.heard()
		e.result.Stamp = s
		if s.Size > short {
			r.queue.released(reserved)
			return
		}
		e.message = make([]byte, s.Size)
		r.queue.released(reserved - len(e.message))
		reserved = len(e.message)
		if _, err = io.ReadFull(in, e.message); err == nil {
			err = ends(in)
		}
	}
	if err != nil {
		r.failObject(e, err)
		e.message, e.result.Err = nil, plain(err)
		r.queue.released(reserved)
	}
}

// failObject notes what an object failed with, unless that is that the job was given up.
func (r *run) failObject(e *entry, err error) {
	if r.ctx.Err() == nil {
		r.reach.failed(e, err)
		r.wake()
	}
}

// ends reads the end of what should have ended.
func ends(in io.Reader) error {
	n, err := in.Read(make([]byte, 1))
	switch {
	case err == io.EOF && n == 0:
		return nil
	case err == nil || err == io.EOF:
		return language.Error("is longer than its store says", "比存储所说的更长")
	}
	return err
}

// release gives up the message of an object that was hashed, and returns how many bytes that were.
func (e *entry) release() int {
	n := len(e.message)
	e.message = nil
	return n
}

// fetched takes what was fetched.
func (w *worker) fetched(b *batch, e *entry) {
	switch s := e.result.Stamp; {
	case e.result.Err != nil && w.run.ctx.Err() != nil: // perhaps only since the job was given up
	case e.result.Err != nil:
		e.done.Store(true)
	case s.Size > short:
		e.result.Bytes = s.Size
		w.run.queue.aside(longFile{b, e})
	default:
		e.result.Settled = s.Proves()
		w.wait(b, e, e.message, s)
	}
}

// eachPartOfObject is eachPart.
func (r *run) eachPartOfObject(f longFile, read func(io.Reader) (int, error)) error {
	in, s, err := r.Objects.Open(r.ctx, string(f.batch.name(f.entry)), f.entry.result.Stamp)
	if err == nil {
		defer in.Close()
		r.reach.heard()
		f.entry.result.Stamp, f.entry.result.Settled = s, s.Proves()
		f.entry.result.Bytes, err = readOn(in, read)
	}
	if r.ctx.Err() != nil {
		return errStopped
	}
	if err != io.EOF {
		r.failObject(f.entry, err)
	}
	return err
}

// A lane that is read over a network has so many parts of so many bytes: there are many lanes.
const (
	pumpSize  = 128 << 10
	pumpParts = 3
)

// A pump is a lane for an object. A worker reads nothing from a network: its thread has descriptors of its own, and
// connections are not among them.
type pump struct {
	run *run
	longFile
	parts chan part
	free  chan []byte
	rest  part // of which bytes are left
	all   []byte
}

func newPump(r *run, f longFile) *pump {
	p := &pump{run: r, longFile: f, parts: make(chan part, pumpParts+1), free: make(chan []byte, pumpParts)}
	for range pumpParts {
		p.free <- nil
	}
	go r.readParts(f, pumpSize, p.parts, p.free)
	return p
}

func (p *pump) Read(to []byte) (int, error) {
	for len(p.rest.bytes) == 0 {
		if p.rest.err != nil {
			return 0, p.rest.err
		}
		if p.all != nil {
			p.free <- p.all
			p.all = nil
		}
		select {
		case p.rest = <-p.parts:
			p.all = p.rest.bytes[:cap(p.rest.bytes)]
		case <-p.run.queue.over:
			p.rest = part{err: errStopped}
		}
	}
	n := copy(to, p.rest.bytes)
	p.rest.bytes = p.rest.bytes[n:]
	p.run.Progress.Bytes.Add(int64(n))
	return n, nil
}

func (p *pump) end(a *digest.Algorithm, sum digest.Sum, err error) {
	p.entry.conclude(a, sum, err)
}
