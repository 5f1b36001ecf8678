package multibuffer

import (
	"context"
	"crypto/fips140"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/emmansun/gmsm/sm3"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// A Coalescer hashes single messages for many goroutines, as a server has them, and gathers calls that
// are made at the same time into lanes. The zero Coalescer is ready and uses the fastest implementation;
// it must not be copied once it is in use.
//
// A call waits for others no longer than four times what its message would take alone, and never longer
// than 50 µs and a turn of the scheduler. Whether waiting pays is found out by trying: now and then calls
// are gathered for a millisecond or two, and they go on to be only if that moved more bytes than calls
// one by one just before. So with few goroutines, and on a machine whose cores have nothing else to do,
// a Coalescer steps aside, and costs what the library's call costs. Messages of less than 2 KiB are never
// gathered: to wake a goroutine costs as much as to hash them.
//
// A call with a context returns its error when the context ends: before anything is hashed, while the call
// waits for others, and every few kilobytes of a message that is hashed alone. Once a message is being
// hashed with others, which read it where it lies, the call ends with them.
type Coalescer struct {
	gatherers [4]gatherer // by kernel.Hash
}

const (
	gatherFrom = 2 << 10 // bytes of a message
	gatherMost = kernel.MaxLanes
	waitMost   = 50 * time.Microsecond
)

// SumMD5 returns the MD5 digest of a message, like md5.Sum. Read the package's security note.
func (c *Coalescer) SumMD5(message []byte) [md5.Size]byte {
	if len(message) < gatherFrom {
		return md5.Sum(message)
	}
	digest, _ := c.sum(context.Background(), kernel.MD5, message)
	return [md5.Size]byte(digest[:])
}

// SumSM3 returns the SM3 digest of a message, like gmsm's sm3.Sum.
func (c *Coalescer) SumSM3(message []byte) [sm3.Size]byte {
	if len(message) < gatherFrom {
		return sm3.Sum(message)
	}
	digest, _ := c.sum(context.Background(), kernel.SM3, message)
	return digest
}

// SumSHA256 returns the SHA-256 digest of a message, like sha256.Sum256.
func (c *Coalescer) SumSHA256(message []byte) [sha256.Size]byte {
	if len(message) < gatherFrom {
		return sha256.Sum256(message)
	}
	digest, _ := c.sum(context.Background(), kernel.SHA256, message)
	return digest
}

// SumSHA1 returns the SHA-1 digest of a message, like sha1.Sum. Read the package's security note.
func (c *Coalescer) SumSHA1(message []byte) [sha1.Size]byte {
	if len(message) < gatherFrom {
		return sha1.Sum(message)
	}
	digest, _ := c.sum(context.Background(), kernel.SHA1, message)
	return [sha1.Size]byte(digest[:])
}

// SumMD5Context is [Coalescer.SumMD5] with a context, whose error it returns if that ends before.
func (c *Coalescer) SumMD5Context(ctx context.Context, message []byte) ([md5.Size]byte, error) {
	digest, err := c.sum(ctx, kernel.MD5, message)
	return [md5.Size]byte(digest[:]), err
}

// SumSM3Context is [Coalescer.SumSM3] with a context, whose error it returns if that ends before.
func (c *Coalescer) SumSM3Context(ctx context.Context, message []byte) ([sm3.Size]byte, error) {
	return c.sum(ctx, kernel.SM3, message)
}

// SumSHA256Context is [Coalescer.SumSHA256] with a context, whose error it returns if that ends before.
func (c *Coalescer) SumSHA256Context(ctx context.Context, message []byte) ([sha256.Size]byte, error) {
	return c.sum(ctx, kernel.SHA256, message)
}

// SumSHA1Context is [Coalescer.SumSHA1] with a context, whose error it returns if that ends before.
func (c *Coalescer) SumSHA1Context(ctx context.Context, message []byte) ([sha1.Size]byte, error) {
	digest, err := c.sum(ctx, kernel.SHA1, message)
	return [sha1.Size]byte(digest[:]), err
}

// sum hashes a message, together with those of other calls if that pays. The digest stands in the first
// bytes, and is zero beside an error.
func (c *Coalescer) sum(ctx context.Context, f kernel.Hash, message []byte) (digest [32]byte, err error) {
	if err := ctx.Err(); err != nil {
		return digest, err
	}
	g := &c.gatherers[f]
	if len(message) >= gatherFrom && g.gathers(len(message), f) {
		hashed, err := g.join(ctx, f, message, &digest)
		if hashed || err != nil {
			return digest, err
		}
	}
	err = sumContext(ctx, f, digest[:4*f.Words()], message)
	return digest, err
}

// A request is one call that waits.
type request struct {
	message []byte
	digest  [32]byte
	hashed  bool
	done    chan struct{}
}

var requests = sync.Pool{New: func() any { return &request{done: make(chan struct{}, 1)} }}

// A gatherer is the calls of one hash function.
type gatherer struct {
	trial   trial
	mu      sync.Mutex
	batch   int // which one is being gathered
	waiting [gatherMost]*request
	n       int
	enough  int // calls that a leader doesn't wait longer for
}

// join hashes a message together with those of other calls. The first call of a batch leads it: it waits
// for others and then hashes all. A call that makes the batch full does so at once. Where there is no
// error, hashed is false if the batch wasn't.
func (g *gatherer) join(ctx context.Context, f kernel.Hash, message []byte, digest *[32]byte) (hashed bool, err error) {
	r := requests.Get().(*request)
	r.message = message
	g.mu.Lock()
	batch := g.batch
	g.waiting[g.n] = r
	g.n++
	switch {
	case g.n == gatherMost:
		g.hash(f)
	case g.n == 1:
		g.mu.Unlock()
		g.lead(f, batch, len(message))
	default:
		g.mu.Unlock()
	}
	select {
	case <-r.done:
	case <-ctx.Done():
		if g.leave(r, batch) {
			err = ctx.Err()
		} else {
			<-r.done
		}
	}
	*digest, hashed = r.digest, r.hashed
	r.message, r.digest, r.hashed = nil, [32]byte{}, false
	requests.Put(r)
	return hashed, err
}

// leave takes a call out of its batch. It returns false if that is being hashed, or has been.
func (g *gatherer) leave(r *request, batch int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.batch != batch {
		return false
	}
	i := slices.Index(g.waiting[:g.n], r)
	g.n--
	g.waiting[i], g.waiting[g.n] = g.waiting[g.n], nil
	return true
}

// lead lets other goroutines run, until there are as many calls as there were before or for the time
// that the leader's message is worth, and hashes the batch unless another call has.
func (g *gatherer) lead(f kernel.Hash, batch, bytes int) {
	c := &costs[fastest.kernel][f]
	wait := min(4*time.Duration(c.call+c.block*bytes/kernel.BlockSize), waitMost)
	began := time.Now()
	for {
		runtime.Gosched()
		late := time.Since(began) >= wait
		g.mu.Lock()
		switch {
		case g.batch != batch:
			g.mu.Unlock()
			return
		case g.n >= max(g.enough, fewCalls):
			if batch%8 == 0 {
				g.enough = min(2*g.n, gatherMost) // there may be more by now
			}
			g.hash(f)
			return
		case late:
			g.enough = g.n
			g.hash(f)
			return
		}
		g.mu.Unlock()
	}
}

// hash takes the batch, unlocks, hashes it and wakes its calls.
func (g *gatherer) hash(f kernel.Hash) {
	var batch [gatherMost]*request
	n := copy(batch[:], g.waiting[:g.n])
	clear(g.waiting[:n])
	g.n = 0
	g.batch++
	g.mu.Unlock()

	var messages [gatherMost][]byte
	var digests [gatherMost * 32]byte
	size := 4 * f.Words()
	hashed, bytes := false, 0
	// Where one message can't be read, as where a file that is mapped was cut short, its own call is to
	// panic, and the others must not wait for ever: each hashes its message itself.
	defer func() {
		if !hashed {
			recover()
		}
		for i, r := range batch[:n] {
			copy(r.digest[:], digests[i*size:][:size])
			r.hashed = hashed
			r.done <- struct{}{}
		}
	}()
	for i, r := range batch[:n] {
		messages[i] = r.message
		bytes += len(r.message)
	}
	fastest.sum(f, digests[:n*size], messages[:n])
	hashed = true
	g.trial.gathered(n, bytes, time.Now())
}

// gathers says whether a call is to be gathered. One call in sixteen that isn't is counted, for all.
// Whether FIPS 140 is enforced is a goroutine's own matter, so a call that is held to it joins no other's.
func (g *gatherer) gathers(bytes int, f kernel.Hash) bool {
	if fips140.Enforced() {
		return false
	}
	if g.trial.gathering.Load() {
		return true
	}
	if rand.Uint32()%sampled == 0 && fastest.tries(f, gatherMost) {
		g.trial.single(sampled*bytes, time.Now())
	}
	return false
}

const sampled = 16

// A trial finds out which moves more bytes in the same time, calls that are gathered or calls one by
// one: it measures windows of both, holds to what was better, and tries the other again after a while
// that doubles as long as it stays worse.
type trial struct {
	gathering atomic.Bool
	mu        sync.Mutex
	window    window
	last      [2]float64 // bytes a nanosecond: one by one, gathered
	patience  int        // windows until the other is tried
	held      int
	trying    bool
	lonely    int // batches in a row that had hardly a call
}

// A window is what has been hashed since began.
type window struct {
	began        time.Time
	bytes, calls int
}

const (
	windowTime = 2 * time.Millisecond
	// windowCalls are as many as make a trial that fails cheap.
	windowCalls  = 256
	patienceLow  = 4
	patienceHigh = 512
	// advantage is by how much gathered calls must be faster, so that noise doesn't choose them.
	advantage = 1.15
	fewCalls  = 4
	lonelyMax = 3
)

func (t *trial) single(bytes int, now time.Time) {
	// Who finds another one counting lets it be: this is a sample.
	if !t.mu.TryLock() {
		return
	}
	defer t.mu.Unlock()
	if !t.gathering.Load() {
		t.count(bytes, sampled, now)
	}
}

func (t *trial) gathered(calls, bytes int, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.gathering.Load() {
		return
	}
	if calls >= fewCalls {
		t.lonely = 0
	} else if t.lonely++; t.lonely >= lonelyMax {
		t.last[1] = 0
		t.hold(false, now)
		return
	}
	t.count(bytes, calls, now)
}

// count adds to the window and, when that is over, decides how to go on.
func (t *trial) count(bytes, calls int, now time.Time) {
	if t.window.calls == 0 {
		// The first calls open the window: when theirs began isn't known.
		t.window = window{began: now, calls: 1}
		return
	}
	t.window.bytes += bytes
	t.window.calls += calls
	took := now.Sub(t.window.began)
	if took < windowTime || t.window.calls < windowCalls {
		return
	}
	gathering := t.gathering.Load()
	rate := float64(t.window.bytes) / float64(took)
	if gathering {
		t.last[1] = rate
	} else {
		t.last[0] = rate
	}
	t.window = window{}
	t.held++
	switch {
	case t.trying:
		t.hold(t.last[1] > advantage*t.last[0], now)
	case t.held >= max(t.patience, patienceLow):
		t.trying, t.lonely = true, 0
		t.gathering.Store(!gathering)
	}
}

// hold ends a trial, or gathering that finds no calls. What is held to again is held to for longer.
func (t *trial) hold(gather bool, now time.Time) {
	was := t.gathering.Load() != t.trying
	if gather == was {
		t.patience = min(2*max(t.patience, patienceLow), patienceHigh)
	} else {
		t.patience = patienceLow
	}
	t.trying, t.held, t.lonely, t.window = false, 0, 0, window{}
	t.gathering.Store(gather)
}
