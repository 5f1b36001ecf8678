package sm4

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// A Coalescer seals and opens single messages by GCM for many goroutines, as a server has them, and gathers
// calls that are made at the same time into lanes, as [SealMany] does. The zero Coalescer is ready; it must
// not be copied once it is in use. It starts no goroutine and no timer, and needs no end.
//
// It gathers messages under raw keys, too long for the kernel of [SealOnce] (112 bytes) and of up to 1 KiB, with
// avx512+gfni, where GOMAXPROCS is 1. What it gathers waits for one turn of the scheduler, in which goroutines that
// can run come to their calls, or until sixteen messages are there. Now and then a call tries whether
// eight come together, and gathering goes on only as long as they do.
//
// Every other call is done at once, at the price of a plain one, because to switch goroutines costs more than lanes
// save: some 75 ns on a Xeon with one processor, where lanes save 80 ns of a message of 64 bytes, nothing under a kept
// key and nothing of more than 1 KiB; and with two processors, whose goroutines change places, gathered calls
// took twice as long as plain ones.
//
// A call whose context ends before its message is worked on returns the context's error, and leaves the
// message and its buffers alone from then on. Once they are worked on, alone or with others, the call ends
// with the work and its result stands.
//
// Everything is checked in the caller's own goroutine before its message joins others, and what SealMany panics
// over panics there. Buffers of other calls are not known to a call: as everywhere in Go, goroutines
// must not write what others use meanwhile. Where they do, only results of messages that share a buffer are wrong.
// Where memory can't be read or written and debug.SetPanicOnFault makes that a panic, each call of the batch does its
// message again by itself, but one that is worked on in place panics: its text may be half gone.
type Coalescer struct {
	sealing, opening gatherer
}

const (
	gatherMost   = 16
	gatherFewest = 8       // calls of a batch that save more than they cost
	gatherLength = 1 << 10 // the longest text, and the most additional data
)

// Seal encrypts a message as [SealMany] does.
func (c *Coalescer) Seal(ctx context.Context, m *GCMMessage) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	checkSeal(m)
	if m.gathers(len(m.Src)) && c.sealing.wanted() {
		own := *m
		checkSeal(&own) // again: if m is changed meanwhile, others must not suffer
		done, err := c.sealing.join(ctx, &own, sealBatch)
		if done || err != nil {
			return err
		}
	}
	sealAlone(m)
	return nil
}

// Open decrypts a message as [OpenMany] does. It returns, and sets Err to, the error of a message that isn't
// authentic.
func (c *Coalescer) Open(ctx context.Context, m *GCMMessage) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	checkOpen(m)
	if m.opens() && m.gathers(len(m.Src)-BlockSize) && c.opening.wanted() {
		own := *m
		checkOpen(&own)
		done, err := c.opening.join(ctx, &own, openBatch)
		if err != nil {
			return err
		}
		if done {
			m.Err = own.Err
			return m.Err
		}
	}
	m.Err = openAlone(m)
	return m.Err
}

func sealBatch(messages []GCMMessage) { sealChecked(messages, fastest, sealLikeness(messages)) }
func openBatch(messages []GCMMessage) { openChecked(messages, fastest, openLikeness(messages)) }

func checkSeal(m *GCMMessage) {
	checkManyKey(m.Cipher, m.Key, "sm4.Coalescer")
	checkGCMNonce(m.Nonce, gcmNonceSize)
	if uint64(len(m.Src)) > gcmMaxText {
		panic("crypto/cipher: message too large for GCM")
	}
	m.checkOwn(len(m.Src) + BlockSize)
}

func checkOpen(m *GCMMessage) {
	checkManyKey(m.Cipher, m.Key, "sm4.Coalescer")
	checkGCMNonce(m.Nonce, gcmNonceSize)
	if m.opens() {
		m.checkOwn(len(m.Src) - BlockSize)
	}
}

// checkOwn panics unless n bytes can be written to m's Dst.
func (m *GCMMessage) checkOwn(n int) {
	out := checkOutput(m.Dst, m.Src, n)
	if buffers.AnyOverlap(out, m.Nonce) || buffers.AnyOverlap(out, m.AdditionalData) || buffers.AnyOverlap(out, m.Key) {
		panic(buffers.Overlap)
	}
}

func (m *GCMMessage) inPlace() bool {
	return len(m.Dst) > 0 && len(m.Src) > 0 && &m.Dst[0] == &m.Src[0]
}

// gathers says whether lanes can save more on a message with so long a text than it costs to switch goroutines.
func (m *GCMMessage) gathers(text int) bool {
	additional := len(m.AdditionalData)
	return m.Cipher == nil && fastest.Fused() && text <= gatherLength && additional <= gatherLength && !once(text, additional)
}

// needsRoom says whether a message by itself needs the memory of a oneKey.
func (m *GCMMessage) needsRoom(text int) bool {
	return m.Cipher == nil && !(fastest.Fused() && once(text, len(m.AdditionalData)))
}

func sealAlone(m *GCMMessage) {
	if m.needsRoom(len(m.Src)) {
		w := newManyWork()
		w.seal(m, fastest)
		w.release()
		return
	}
	var none *oneKey
	none.seal(m, fastest)
}

func openAlone(m *GCMMessage) error {
	if m.opens() && m.needsRoom(len(m.Src)-BlockSize) {
		w := newManyWork()
		err := w.open(m, fastest)
		w.release()
		return err
	}
	var none *oneKey
	return none.open(m, fastest)
}

// A callBatch is messages of calls that wait for one turn of the scheduler. Until it is taken, its gatherer's
// lock guards it; from then on it is the taker's until done.
type callBatch struct {
	messages [gatherMost]GCMMessage // those that were withdrawn have no key
	n        int
	at       [gatherMost]uint8 // where each message is once those that were withdrawn are gone
	running  sync.Mutex        // held by the taker
	done     atomic.Bool
	failed   bool         // the work panicked
	left     atomic.Int32 // calls that have not read their results
}

var callBatches = sync.Pool{New: func() any { return new(callBatch) }}

// compact closes the gaps, and returns how many messages there are.
func (b *callBatch) compact() int {
	kept := 0
	for i := range b.n {
		b.at[i] = uint8(kept)
		if b.messages[i].Key == nil {
			continue
		}
		if kept != i {
			b.messages[kept] = b.messages[i]
		}
		kept++
	}
	return kept
}

// run works on a batch that was taken. Where one message can't be read or written, as where a file that is mapped
// was cut short, the others must neither wait for ever nor take what was half done for a result.
func (b *callBatch) run(work func([]GCMMessage)) {
	b.failed = true
	defer func() {
		if b.failed {
			recover()
		}
		b.done.Store(true)
		b.running.Unlock()
	}()
	work(b.messages[:b.compact()])
	b.failed = false
}

// await lets other goroutines run until the batch is done. Most often another processor is about to be done with
// it, and to sleep would cost more.
func (b *callBatch) await() {
	for range 4 {
		if b.done.Load() {
			return
		}
		runtime.Gosched()
	}
	b.running.Lock()
	defer b.running.Unlock()
}

// leave reads a call's error, and whether the batch has failed. The last call leaves the batch for others.
func (b *callBatch) leave(ticket int) (err error, failed bool) {
	err, failed = b.messages[b.at[ticket]].Err, b.failed
	if b.left.Add(-1) == 0 {
		clear(b.messages[:b.n])
		b.n = 0
		b.done.Store(false)
		callBatches.Put(b)
	}
	return err, failed
}

// A gatherer is the calls of one direction.
type gatherer struct {
	gathering atomic.Bool
	mu        sync.Mutex
	batch     *callBatch // to be joined, or nil
	trial     trial
}

// wanted says whether a call is to be gathered. One call in sampled that isn't is counted, for all.
func (g *gatherer) wanted() bool {
	if g.gathering.Load() {
		return true
	}
	if rand.Uint32()%sampled == 0 && g.mu.TryLock() {
		g.gathering.Store(g.trial.passed() && runtime.GOMAXPROCS(0) == 1)
		g.mu.Unlock()
	}
	return false
}

// join does a message together with those of other calls. Whoever fills a batch takes it, or whoever finds it
// still there after a turn of the scheduler. Where there is no error, done is false if the batch failed
// before m was touched.
func (g *gatherer) join(ctx context.Context, m *GCMMessage, work func([]GCMMessage)) (done bool, err error) {
	g.mu.Lock()
	if g.batch == nil {
		g.batch = callBatches.Get().(*callBatch)
	}
	b := g.batch
	ticket := b.n
	b.messages[ticket] = *m
	b.n++
	b.left.Add(1)
	if b.n == gatherMost {
		g.take()
		g.mu.Unlock()
		b.run(work)
	} else {
		g.mu.Unlock()
		runtime.Gosched()
		if err := g.afterTurn(ctx, b, ticket, work); err != nil {
			return false, err
		}
	}
	var failed bool
	if m.Err, failed = b.leave(ticket); !failed {
		return true, nil
	}
	if m.inPlace() {
		panic("sm4: a message that was worked on in place together with this one could not be read or written")
	}
	return false, nil
}

// afterTurn returns when the batch is done, or with the context's error when the message was withdrawn from it.
func (g *gatherer) afterTurn(ctx context.Context, b *callBatch, ticket int, work func([]GCMMessage)) error {
	if b.done.Load() {
		return nil
	}
	err := ctx.Err()
	g.mu.Lock()
	switch {
	case g.batch != b:
		g.mu.Unlock()
		b.await()
		return nil
	case err != nil:
		b.messages[ticket] = GCMMessage{}
		b.left.Add(-1)
		g.mu.Unlock()
		return err
	}
	g.take()
	g.mu.Unlock()
	b.run(work)
	return nil
}

// take ends the gathering of the batch, whose taker must run it, and judges it.
func (g *gatherer) take() {
	g.gathering.Store(g.trial.goesOn(int(g.batch.left.Load())) && runtime.GOMAXPROCS(0) == 1)
	g.batch.running.Lock()
	g.batch = nil
}

const (
	sampled      = 16
	patienceLow  = 8   // samples until calls are gathered for a trial
	patienceHigh = 512 // and after many that failed
	lonelyMost   = 2   // batches in a row with few calls
)

// A trial decides when calls are gathered. What was tried in vain is tried again after a while that doubles.
type trial struct {
	patience, waited, lonely int
}

// passed counts a sample of calls that aren't gathered, and says whether it is time to gather.
func (t *trial) passed() bool {
	t.waited++
	if t.waited < max(t.patience, patienceLow) {
		return false
	}
	t.waited = 0
	return true
}

// goesOn counts a batch of so many calls, and says whether to gather on.
func (t *trial) goesOn(calls int) bool {
	if calls >= gatherFewest {
		t.lonely, t.patience = 0, patienceLow
		return true
	}
	if t.lonely++; t.lonely < lonelyMost {
		return true
	}
	t.lonely = 0
	t.patience = min(2*max(t.patience, patienceLow), patienceHigh)
	return false
}
