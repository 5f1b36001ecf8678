package treehash

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
)

// A Job is files to hash.
type Job struct {
	Algorithm *digest.Algorithm
	Source    Source
	Stdin     io.Reader // what the name "-" stands for

	// Emit is called for one result after the other, in the order of the source. Its error ends the job.
	Emit func(*Result) error

	// Flush, if it isn't nil, is called when there is nothing to emit for now. Its error ends the job.
	Flush func() error

	// Rest, if it isn't nil, is called for files that were fed when a job was given up, and whose turn
	// hadn't come. Of those that aren't done only the name and what was given are good.
	Rest func(r *Result, done bool)

	// Known, if it isn't nil, says what is known of a file from before. It is called by one goroutine, and
	// never after Run has returned or called Rest.
	Known func(name []byte) (Given, bool)

	// Mine, if it isn't nil, says which files are this job's, by their names; others are passed over.
	Mine func(name []byte) bool

	// Reread says that every file is read, also one that is known and whose stamp is what it was.
	Reread bool

	// Objects, if it isn't nil, is where objects are.
	Objects Objects

	// Outputs are files that results are written into. They are left out.
	Outputs []os.FileInfo

	Workers  int // 0: one for each CPU that Go may use, up to 16
	Progress *Progress

	oneByOne bool // files are never opened ahead
}

// Progress counts what has been done; it may be read at any time.
type Progress struct{ Files, Bytes atomic.Int64 }

// mostWorkers bounds memory: a worker takes about 6 MiB.
const mostWorkers = 16

// Run hashes the files of a job. It returns what the source or Emit failed with, the context's error, or ErrUnreached
// where a store is away.
// What is wrong with a file is in its Result.
func Run(ctx context.Context, j Job) error {
	if err := ctx.Err(); err != nil {
		return err // before anything is read
	}
	if j.Progress == nil {
		j.Progress = new(Progress)
	}
	if j.Workers == 0 {
		j.Workers = min(runtime.GOMAXPROCS(0), mostWorkers)
	}
	r := &run{Job: j, queue: newQueue(j), ready: make(chan struct{}, 1)}
	r.queue.waits = r.wake
	r.shared.back = sync.NewCond(&r.shared.mu)
	r.ctx, r.cancel = context.WithCancel(ctx)
	for _, info := range j.Outputs {
		r.outputs = append(r.outputs, idOf(info))
	}
	// Workers don't tell the scheduler of system calls: see quick_linux.go. The source and the collector
	// have room beside them.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), j.Workers+2)))
	var atWork, settled sync.WaitGroup
	settled.Add(j.Workers)
	for range j.Workers {
		atWork.Go(func() { newWorker(r).work(settled.Done) })
	}
	settled.Wait() // what the source opens is no descriptor of theirs, nor are connections
	atWork.Go(r.fetch)
	fed := make(chan error, 1)
	atWork.Go(func() {
		f := &Feed{run: r}
		err := j.Source(f)
		f.flush()
		r.queue.end()
		fed <- err
		r.wake()
	})
	err := r.collect(ctx, fed)
	r.giveUp()
	if err != nil {
		r.rest(&atWork)
	}
	return err
}

// giveUp lets everybody end what they do. When it returns nothing is asked of Known, nor ever will be.
func (r *run) giveUp() {
	r.asking.Lock()
	r.stop.Store(true)
	r.asking.Unlock()
	r.cancel()
	r.queue.stop()
}

// known asks what is known of a file, unless the job was given up: what is told then would be told to nobody.
func (r *run) known(name []byte) (Given, error) {
	r.asking.Lock()
	defer r.asking.Unlock()
	if r.stop.Load() {
		return Given{}, errStopped
	}
	g, _ := r.Known(name)
	return g, nil
}

// errStopped ends what is going on in a job that is given up.
var errStopped = errors.New("given up")

// A run is the state of a job at work.
type run struct {
	Job
	ctx     context.Context // ends when the job is given up
	cancel  context.CancelFunc
	shared  descriptors
	outputs []fileID
	asking  sync.Mutex // held while Known is called
	stop    atomic.Bool
	queue   *queue
	reach   reach
	ready   chan struct{} // something was done, or fed, or ended
}

// wake lets the collector look again.
func (r *run) wake() {
	select {
	case r.ready <- struct{}{}:
	default:
	}
}

// collect gives results back, in order, until the source has ended and all is done.
func (r *run) collect(ctx context.Context, fed <-chan error) error {
	var failed error
	ended := false
	for at := 0; ; {
		if err := r.reach.lost(); err != nil {
			r.queue.begun = at
			return err
		}
		b := r.queue.oldest()
		for b != nil && at < len(b.entries) && r.mayEmit(&b.entries[at]) {
			if err := r.emit(ctx, b, at); err != nil {
				r.queue.begun = at
				return err
			}
			at++
		}
		if b != nil && at == len(b.entries) {
			r.queue.recycle()
			at = 0
			continue
		}
		if b == nil && ended {
			return failed
		}
		if r.Flush != nil {
			if err := r.Flush(); err != nil {
				r.queue.begun = at
				return err
			}
		}
		select {
		case failed = <-fed:
			ended = true
		case <-r.ready:
		case <-ctx.Done():
			r.queue.begun = at
			return ctx.Err()
		}
	}
}

func (r *run) emit(ctx context.Context, b *batch, i int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e := &b.entries[i]
	if err := r.Emit(b.result(i)); err != nil {
		return err
	}
	r.Progress.Files.Add(1)
	if e.result.Skipped {
		r.Progress.Bytes.Add(e.result.Bytes)
	}
	return nil
}

func (b *batch) result(i int) *Result {
	e := &b.entries[i]
	e.result.Name = b.name(e)
	if g := b.gave(i); g != nil {
		e.result.Given = *g
	}
	return &e.result
}

// patience is how long a job that is given up waits for its workers and its source. Those that still wait
// then, for a FIFO or a file system that doesn't answer, end with the process.
const patience = 500 * time.Millisecond

// rest tells of what was in flight.
func (r *run) rest(atWork *sync.WaitGroup) {
	if r.Rest == nil {
		return
	}
	gone := make(chan struct{})
	go func() { atWork.Wait(); close(gone) }()
	select {
	case <-gone:
	case <-time.After(patience):
	}
	at := r.queue.begun
	for b := r.queue.oldest(); b != nil; b = r.queue.oldest() {
		for ; at < len(b.entries); at++ {
			done := b.entries[at].done.Load()
			r.Rest(b.result(at), done)
		}
		at = 0
		r.queue.drop()
	}
}
