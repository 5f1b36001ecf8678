package sm4

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// coalescedSet has messages of all lengths and keys, half of them such as are gathered.
func coalescedSet(t testing.TB, seed uint64, n int) manySet {
	r := rand.New(rand.NewPCG(seed, 90))
	return newManySet(t, r, Implementations()[0], n, mixedKeys, func(i int) int {
		if i%2 == 0 {
			return 113 + r.IntN(gatherLength-112)
		}
		return r.IntN(3000)
	}, func(int) int { return r.IntN(40) })
}

// A calling is how messages get to a Coalescer.
type calling struct {
	name       string
	seal, open func(c *Coalescer, ctx context.Context, m *GCMMessage) error
}

// callings are the calls, and such that gather, whatever pays.
var callings = []calling{
	{"calls", (*Coalescer).Seal, (*Coalescer).Open},
	{"gathered calls", func(c *Coalescer, ctx context.Context, m *GCMMessage) error {
		if m.Cipher == nil {
			c.sealing.gathering.Store(true)
			_, err := c.sealing.join(ctx, m, sealBatch)
			return err
		}
		return c.Seal(ctx, m)
	}, func(c *Coalescer, ctx context.Context, m *GCMMessage) error {
		if m.Cipher == nil {
			c.opening.gathering.Store(true)
			if _, err := c.opening.join(ctx, m, openBatch); err != nil {
				return err
			}
			return m.Err
		}
		return c.Open(ctx, m)
	}},
}

// Every call gets the result of its own message, whether calls are gathered or not; one in five is forged.
// The bubble ends only when no goroutine is left.
func TestCoalescer(t *testing.T) {
	for _, how := range callings {
		for _, goroutines := range []int{1, 2, 16, 100} {
			t.Run(fmt.Sprintf("%s of %d goroutines", how.name, goroutines), func(t *testing.T) {
				var c Coalescer
				sets := make([]manySet, goroutines)
				for i := range sets {
					sets[i] = coalescedSet(t, uint64(i), 12+100/goroutines)
				}
				synctest.Test(t, func(t *testing.T) {
					var all sync.WaitGroup
					for _, s := range sets {
						all.Go(func() {
							for range 3 {
								checkSealing(t, &c, how, s)
								checkOpening(t, &c, how, s)
							}
						})
					}
					all.Wait()
				})
			})
		}
	}
}

func checkSealing(t *testing.T, c *Coalescer, how calling, s manySet) {
	for i, m := range s.gcm {
		text := bytes.Clone(m.Src)
		m.Dst = make([]byte, len(m.Dst))
		if i%3 == 2 {
			copy(m.Dst, text)
			m.Src = m.Dst[:len(text)]
		}
		if err := how.seal(c, t.Context(), &m); err != nil || !bytes.Equal(m.Dst, s.sealed[i]) {
			t.Errorf("message %d, %d bytes: sealed wrong (%v)", i, len(text), err)
		}
	}
}

func checkOpening(t *testing.T, c *Coalescer, how calling, s manySet) {
	opened, texts := s.toOpen()
	for i, m := range opened {
		forged := i%5 == 4
		if forged {
			m.Src[len(m.Src)-1-i%16] ^= 1
		}
		before := bytes.Clone(m.Dst)
		switch err := how.open(c, t.Context(), &m); {
		case err != m.Err:
			t.Errorf("message %d: Err is %v, and %v was returned", i, m.Err, err)
		case forged && (err != errOpen || !bytes.Equal(m.Dst, before)):
			t.Errorf("message %d, %d bytes, is forged: %v", i, len(m.Src), err)
		case !forged && (err != nil || !bytes.Equal(m.Dst[:len(texts[i])], texts[i])):
			t.Errorf("message %d, %d bytes: opened wrong (%v)", i, len(m.Src), err)
		}
	}
}

// rawMessage is a message that is gathered, to be sealed, and what must come out.
func rawMessage(t testing.TB, seed uint64) (m GCMMessage, sealed []byte) {
	r := rand.New(rand.NewPCG(seed, 91))
	s := newManySet(t, r, Implementations()[0], 1, rawKeys, func(int) int { return 113 + r.IntN(500) }, func(int) int { return 5 })
	return s.gcm[0], s.sealed[0]
}

// A call whose context has ended touches nothing.
func TestCoalescerOfAnEndedContext(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	var c Coalescer
	m, sealed := rawMessage(t, 1)
	before := bytes.Clone(m.Dst)
	if err := c.Seal(ended, &m); err != context.Canceled || !bytes.Equal(m.Dst, before) {
		t.Errorf("sealed with an ended context: %v", err)
	}
	m.Src, m.Err = sealed, errOpen
	if err := c.Open(ended, &m); err != context.Canceled || !bytes.Equal(m.Dst, before) || m.Err != errOpen {
		t.Errorf("opened with an ended context: %v", err)
	}
}

// A call whose context ends while it waits leaves its batch, and the others get their results.
func TestCoalescerWithdraws(t *testing.T) {
	for gone := range 3 {
		var g gatherer
		g.batch = new(callBatch)
		b := g.batch
		var messages [3]GCMMessage
		var sealed [3][]byte
		for i := range messages {
			messages[i], sealed[i] = rawMessage(t, uint64(i))
			b.messages[i] = messages[i]
			b.n++
			b.left.Add(1)
		}
		before := bytes.Clone(messages[gone].Dst)
		ended, end := context.WithCancel(t.Context())
		end()
		if err := g.afterTurn(ended, b, gone, sealBatch); err != context.Canceled {
			t.Fatalf("message %d: %v", gone, err)
		}
		for i := range messages {
			if i == gone {
				continue
			}
			// The first of those that stayed works on the batch. Then the end of a context changes nothing.
			ctx := t.Context()
			if b.done.Load() {
				ctx = ended
			}
			if err := g.afterTurn(ctx, b, i, sealBatch); err != nil {
				t.Fatal(err)
			}
			if err, failed := b.leave(i); err != nil || failed || !bytes.Equal(messages[i].Dst, sealed[i]) {
				t.Errorf("message %d when %d has left: wrong (%v)", i, gone, err)
			}
		}
		if !bytes.Equal(messages[gone].Dst, before) {
			t.Errorf("message %d was written after its call had returned", gone)
		}
	}
}

// Where contexts end meanwhile, a call returns their error and has written nothing, or its message is sealed.
func TestCoalescerContextsEndMeanwhile(t *testing.T) {
	var g gatherer
	var all sync.WaitGroup
	for i := range 60 {
		m, sealed := rawMessage(t, uint64(i))
		all.Go(func() {
			for range 20 {
				ctx, end := context.WithCancel(t.Context())
				if i%2 == 0 {
					go end()
				}
				own := m
				own.Dst = make([]byte, len(sealed))
				done, err := g.join(ctx, &own, sealBatch)
				after := bytes.Clone(own.Dst)
				end()
				runtime.Gosched()
				switch {
				case !bytes.Equal(own.Dst, after):
					t.Errorf("message %d: written after the call has returned", i)
				case err == nil && !(done && bytes.Equal(after, sealed)):
					t.Errorf("message %d: sealed wrong", i)
				case err != nil && (i%2 != 0 || err != context.Canceled || !bytes.Equal(after, make([]byte, len(after)))):
					t.Errorf("message %d: error %v", i, err)
				}
			}
		})
	}
	all.Wait()
}

// Results go to the calls they belong to when one that came before has left.
func TestCoalescerErrorsAfterOneHasLeft(t *testing.T) {
	var g gatherer
	g.batch = new(callBatch)
	b := g.batch
	for i := range 4 {
		m, sealed := rawMessage(t, uint64(i))
		m.Dst, m.Src = make([]byte, len(sealed)), sealed
		if i == 2 {
			sealed[0] ^= 1
		}
		b.messages[i] = m
		b.n++
		b.left.Add(1)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := g.afterTurn(ended, b, 1, openBatch); err != context.Canceled {
		t.Fatal(err)
	}
	if err := g.afterTurn(t.Context(), b, 0, openBatch); err != nil {
		t.Fatal(err)
	}
	for i, want := range []error{0: nil, 2: errOpen, 3: nil} {
		if i == 1 {
			continue
		}
		if err, failed := b.leave(i); err != want || failed {
			t.Errorf("call %d: %v, want %v", i, err, want)
		}
	}
}

// A panic in the work lets every call do its own message, but for those whose text may be gone.
func TestCoalescerBatchPanics(t *testing.T) {
	var g gatherer
	broken := func([]GCMMessage) { panic("broken") }
	m, sealed := rawMessage(t, 1)
	if done, err := g.join(t.Context(), &m, broken); done || err != nil {
		t.Errorf("done is %v, error %v", done, err)
	}
	copy(m.Dst, m.Src)
	m.Src = m.Dst[:len(m.Src)]
	mustPanic(t, "in place", "sm4: a message that was worked on in place together with this one could not be read or written",
		func() { g.join(t.Context(), &m, broken) })
	if done, err := g.join(t.Context(), &m, sealBatch); !done || err != nil || !bytes.Equal(m.Dst, sealed) {
		t.Errorf("after a panic: %v", err)
	}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			m, _ := rawMessage(t, 1)
			if done, err := g.join(t.Context(), &m, broken); done || err != nil {
				t.Errorf("together: done is %v, error %v", done, err)
			}
		})
	}
	all.Wait()
}

// What a program does wrong panics in its own goroutine, and joins nobody.
func TestCoalescerIsMisused(t *testing.T) {
	good, sealed := rawMessage(t, 1)
	for _, tt := range []struct {
		name, want string
		change     func(m *GCMMessage)
	}{
		{"no key", "sm4.Coalescer: message without a key", func(m *GCMMessage) { m.Key = nil }},
		{"two keys", "sm4.Coalescer: message with two keys", func(m *GCMMessage) { m.Cipher = newTest(t, m.Key, Implementations()[0]) }},
		{"nonce", "crypto/cipher: incorrect nonce length given to GCM", func(m *GCMMessage) { m.Nonce = m.Nonce[:11] }},
		{"short output", "crypto/cipher: output smaller than input", func(m *GCMMessage) { m.Dst = m.Dst[:len(m.Src)-BlockSize-1] }},
		{"own text", buffers.Overlap, func(m *GCMMessage) { m.Src = m.Dst[1:][:len(m.Src)] }},
		{"own nonce", buffers.Overlap, func(m *GCMMessage) { m.Nonce = m.Dst[:12] }},
		{"own additional data", buffers.Overlap, func(m *GCMMessage) { m.AdditionalData = m.Dst[:1] }},
		{"own key", buffers.Overlap, func(m *GCMMessage) { m.Key = m.Dst[:16] }},
	} {
		var c Coalescer
		c.sealing.gathering.Store(true)
		c.opening.gathering.Store(true)
		m := good
		m.Dst, m.Src = make([]byte, len(sealed)+BlockSize), sealed
		tt.change(&m)
		mustPanic(t, tt.name, tt.want, func() { c.Seal(t.Context(), &m) })
		mustPanic(t, tt.name, tt.want, func() { c.Open(t.Context(), &m) })
		if c.sealing.batch != nil || c.opening.batch != nil {
			t.Errorf("%s: the message has joined a batch", tt.name)
		}
	}
}

// Calls of one goroutine end gathering, after lonelyMost batches on one processor, and on two at once.
func TestCoalescerStepsAside(t *testing.T) {
	if !assembly || !fastest.Fused() {
		t.Skip("nothing is gathered without the kernel")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for processors, batches := range []int{1: lonelyMost, 2: 1} {
		if processors == 0 {
			continue
		}
		runtime.GOMAXPROCS(processors)
		var c Coalescer
		c.sealing.gathering.Store(true)
		for i := range batches {
			if !c.sealing.gathering.Load() {
				t.Errorf("%d processors: gathering ended after %d batches", processors, i)
			}
			m, sealed := rawMessage(t, 1)
			if err := c.Seal(t.Context(), &m); err != nil || !bytes.Equal(m.Dst, sealed) {
				t.Errorf("sealed wrong (%v)", err)
			}
		}
		if c.sealing.gathering.Load() {
			t.Errorf("%d processors: gathering goes on with one goroutine", processors)
		}
		for range 1000 * sampled * patienceLow {
			if processors > 1 && c.sealing.wanted() {
				t.Fatalf("%d processors: a call is gathered", processors)
			}
		}
	}
}

// Gathering ends where few calls come together, and is tried less and less often.
func TestCoalescerTrial(t *testing.T) {
	var tr trial
	for _, want := range []int{patienceLow, 2 * patienceLow, 4 * patienceLow} {
		samples := 1
		for !tr.passed() {
			samples++
		}
		if samples != want {
			t.Errorf("tried after %d samples, want %d", samples, want)
		}
		for i := range lonelyMost {
			if goesOn := tr.goesOn(gatherFewest - 1); goesOn != (i < lonelyMost-1) {
				t.Errorf("after %d batches of few calls: %v", i+1, goesOn)
			}
		}
	}
	for range 3 {
		if !tr.goesOn(gatherFewest) || !tr.goesOn(gatherFewest-1) {
			t.Error("gathering ends though calls come together")
		}
	}
	for range 20 {
		tr.goesOn(1)
	}
	if tr.patience != patienceHigh {
		t.Errorf("patience %d", tr.patience)
	}
}

func TestCoalescerAllocations(t *testing.T) {
	if race || !assembly || !fastest.Fused() {
		t.Skip("pools forget at random under the race detector, and gmsm and the kernels' model allocate")
	}
	for _, how := range callings {
		var c Coalescer
		r := rand.New(rand.NewPCG(92, 92))
		s := newManySet(t, r, Implementations()[0], 30, mixedKeys, func(i int) int { return 40 * i }, func(i int) int { return i })
		opened, _ := s.toOpen()
		for i := range opened {
			opened[i].Dst = make([]byte, len(opened[i].Src))
		}
		ctx := t.Context()
		if got := testing.AllocsPerRun(10, func() {
			for i := range opened {
				how.seal(&c, ctx, &s.gcm[i])
				how.open(&c, ctx, &opened[i])
			}
		}); got > 5 {
			t.Errorf("%s: %v allocations for 60 messages", how.name, got)
		}
	}
}
