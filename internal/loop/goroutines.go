package loop

import (
	"bytes"
	"cmp"
	"crypto/cipher"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// goroutines seal the same messages, each into buffers of its own, with ciphers that
// are held in one of the ways. A call is the sequence of a vector that has one, and
// else its single message.
type goroutines struct {
	v      *provider.Vector // with a sequence
	slots  []*slot
	stress time.Duration // how long the next stress test lasts at least
}

type slot struct {
	outputs []output // one a message
	ran     bool     // since the last check
	take    func() (cipher.AEAD, error)
	give    func(cipher.AEAD)
	latency arrival.Histogram
	_       [64]byte // the next goroutine's is not in the same cache line
}

func newGoroutines(n int, holding parameter.Hold, fresh NewAEADFunc, v *provider.Vector) (*goroutines, error) {
	first, err := fresh(v.Key) // a library that refuses does so now
	if err != nil {
		return nil, err
	}
	g := &goroutines{v: v, stress: laterStress}
	if n > 1 && holding == parameter.Shared {
		g.stress = firstStress
	}
	if len(v.Sequence) == 0 {
		one := *v
		one.Messages = []provider.Message{{Nonce: v.Nonce, Plaintext: v.Plaintext, Ciphertext: v.Ciphertext}}
		one.Sequence = []int{0}
		g.v = &one
	}
	pool, tag := &sync.Pool{}, tagSize(first)
	for range n {
		s := &slot{latency: arrival.NewHistogram(2), outputs: sealedOutputs(g.v.Messages, tag), give: func(cipher.AEAD) {}}
		switch holding {
		case parameter.Shared:
			s.take = func() (cipher.AEAD, error) { return first, nil }
		case parameter.Own:
			own, err := fresh(v.Key)
			if err != nil {
				return nil, err
			}
			s.take = func() (cipher.AEAD, error) { return own, nil }
		case parameter.PerCall:
			s.take = func() (cipher.AEAD, error) { return fresh(v.Key) }
		case parameter.Pooled:
			s.give = func(a cipher.AEAD) { pool.Put(a) }
			s.take = func() (cipher.AEAD, error) {
				if a, ok := pool.Get().(cipher.AEAD); ok {
					return a, nil
				}
				return fresh(v.Key)
			}
		default:
			return nil, provider.Absent("parameters", "holding", "shared|own|new|pool", string(holding))
		}
		g.slots = append(g.slots, s)
	}
	return g, nil
}

func (g *goroutines) seal(s *slot, calls int64) error {
	for range calls {
		for _, i := range g.v.Sequence {
			a, err := s.take()
			if err != nil {
				return err
			}
			m, o := &g.v.Messages[i], &s.outputs[i]
			o.got = a.Seal(o.got[:0], m.Nonce, m.Plaintext, g.v.AAD)
			s.give(a)
		}
	}
	s.ran = true
	return nil
}

// check judges the buffers of every goroutine that sealed since the last check, and
// then has them all work at once on the very ciphers that were timed, where every
// output is judged: a buffer holds only the last of many.
func (g *goroutines) check() error {
	ran := false
	var wrong error
	for i, s := range g.slots {
		if !s.ran {
			continue
		}
		s.ran, ran = false, true
		if _, err := judgeAll(s.outputs); err != nil && wrong == nil {
			wrong = reason.New("goroutine", i+1, len(g.slots), err)
		}
	}
	if !ran {
		return provider.ErrNotRun
	}
	lasts := g.stress
	g.stress = laterStress
	return cmp.Or(g.stressed(lasts), wrong) // what goes wrong under stress says more than one buffer
}

// The first stress test lasts longer where several share a cipher. Before and after
// every block there is another, so that what goes wrong seldom has many chances.
const (
	firstStress = time.Millisecond
	laterStress = 300 * time.Microsecond
	leastStress = 4 // messages of each goroutine
)

// stressed lets every goroutine seal and open by turns, all at once, for a while.
// Those that seal and those that open have different things in hand at the same
// time, so a cipher that keeps some of it in a common place gets it wrong.
func (g *goroutines) stressed(lasts time.Duration) error {
	var all sync.WaitGroup
	var arrived, judged, wrong atomic.Int64
	var first atomic.Pointer[error]
	note := func(err error) {
		if err != nil {
			wrong.Add(1)
			first.CompareAndSwap(nil, &err)
		}
	}
	for i, s := range g.slots {
		all.Go(func() {
			for arrived.Add(1); arrived.Load() < int64(len(g.slots)); {
				runtime.Gosched()
			}
			begun := time.Now()
			note(provider.Guard(func() error {
				for k := 0; k < leastStress || time.Since(begun) < lasts; k++ {
					at, d := (i+k/2)%len(g.v.Messages), []Direction{Encrypt, Decrypt}[(i+k)%2]
					note(g.judged(s, &g.v.Messages[at], &s.outputs[at], d))
					judged.Add(1)
					if k%8 == 7 {
						runtime.Gosched()
					}
				}
				return nil
			}))
		})
	}
	all.Wait()
	if err := first.Load(); err != nil {
		return reason.New("goroutines-wrong", judged.Load(), len(g.slots), wrong.Load(), *err)
	}
	return nil
}

func (g *goroutines) judged(s *slot, m *provider.Message, o *output, d Direction) error {
	a, err := s.take()
	if err != nil {
		return err
	}
	defer s.give(a)
	defer o.spoil()
	if d == Encrypt {
		o.got = a.Seal(o.got[:0], m.Nonce, m.Plaintext, g.v.AAD)
		return compare(o.got, o.want, o.tag)
	}
	opened, err := a.Open(o.got[:0], m.Nonce, m.Ciphertext, g.v.AAD)
	if err != nil {
		return reason.New("refused-authentic", err)
	}
	if !bytes.Equal(opened, m.Plaintext) {
		return reason.New("opened-other")
	}
	return nil
}
