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

// NewAEADFunc makes a cipher under a key: key schedule, tables and all.
type NewAEADFunc func(key []byte) (cipher.AEAD, error)

// crew is goroutines that seal the same messages, each into buffers of its own, with
// ciphers that are held in one of the ways. A call is the sequence of a vector that
// has one, and else its single message.
type crew struct {
	v        *provider.Vector
	messages []provider.Message // the vector's, or its one
	sequence []int              // of a call: places in messages
	tag      int
	seats    []*seat
	storm    time.Duration // how long the next storm lasts at least
}

// seat is what one goroutine of a crew has to itself.
type seat struct {
	outputs []output // one a message
	ran     bool     // since the last check
	take    func() (cipher.AEAD, error)
	give    func(cipher.AEAD)
	latency arrival.Histogram
	_       [64]byte // the next goroutine's is not in the same cache line
}

// newCrew makes n seats.
func newCrew(n int, holding parameter.Hold, fresh NewAEADFunc, v *provider.Vector) (*crew, error) {
	first, err := fresh(v.Key) // a library that refuses does so now
	if err != nil {
		return nil, err
	}
	c := &crew{v: v, storm: nextStorm, messages: v.Messages, sequence: v.Sequence, tag: tagSize(first)}
	if n > 1 && holding == parameter.Shared {
		c.storm = firstStorm
	}
	if len(c.sequence) == 0 {
		c.messages, c.sequence = []provider.Message{{Nonce: v.Nonce, Plaintext: v.Plaintext, Ciphertext: v.Ciphertext}}, []int{0}
	}
	pool := &sync.Pool{New: func() any {
		a, err := fresh(v.Key)
		if err != nil {
			return err
		}
		return a
	}}
	for range n {
		s := &seat{latency: arrival.NewHistogram(2), give: func(cipher.AEAD) {}}
		for _, m := range c.messages {
			o := newOutput(m.Ciphertext, 0)
			o.tag = c.tag
			s.outputs = append(s.outputs, o)
		}
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
			s.take, s.give = func() (cipher.AEAD, error) { return pooled(pool) }, func(a cipher.AEAD) { pool.Put(a) }
		default:
			return nil, provider.Absent("parameters", "holding", "shared|own|new|pool", string(holding))
		}
		c.seats = append(c.seats, s)
	}
	return c, nil
}

func pooled(p *sync.Pool) (cipher.AEAD, error) {
	switch x := p.Get().(type) {
	case cipher.AEAD:
		return x, nil
	case error:
		return nil, x
	}
	return nil, reason.New("pool-empty")
}

// seal is a request: so many calls, one after the other.
func (c *crew) seal(s *seat, calls int64) error {
	for range calls {
		for _, i := range c.sequence {
			a, err := s.take()
			if err != nil {
				return err
			}
			m, o := &c.messages[i], &s.outputs[i]
			o.got = a.Seal(o.got[:0], m.Nonce, m.Plaintext, c.v.AAD)
			s.give(a)
		}
	}
	s.ran = true
	return nil
}

// check judges every buffer of the goroutine, and spoils them all whatever the first
// judgement is.
func (s *seat) check() (wrong error) {
	s.ran = false
	for i := range s.outputs {
		s.outputs[i].ran = true // a call seals every message
		if err := s.outputs[i].check(); err != nil && wrong == nil {
			wrong = err
		}
	}
	return wrong
}

// check judges the buffers of every goroutine that sealed since the last check, and
// then has them all work at once on the very ciphers that were timed, where every
// output is judged: a buffer holds only the last of many.
func (c *crew) check() error {
	ran := false
	var wrong error
	for i, s := range c.seats {
		if !s.ran {
			continue
		}
		ran = true
		if err := s.check(); err != nil && wrong == nil {
			wrong = reason.New("goroutine", i+1, len(c.seats), err)
		}
	}
	if !ran {
		return errNotRun
	}
	lasts := c.storm
	c.storm = nextStorm
	return cmp.Or(c.weather(lasts), wrong) // a storm that goes wrong says more than one buffer
}

// A storm lasts longer at first where several share a cipher. Before and after every block there is another, so
// that what goes wrong seldom has many chances.
const (
	firstStorm = time.Millisecond
	nextStorm  = 300 * time.Microsecond
	leastStorm = 4 // messages of each goroutine
)

// weather lets every goroutine seal and open by turns, all at once, for a while.
// Those that seal and those that open have different things in hand at the same
// time, so a cipher that keeps some of it in a common place gets it wrong.
func (c *crew) weather(lasts time.Duration) error {
	t := &tally{}
	var arrived atomic.Int64
	var all sync.WaitGroup
	for i, s := range c.seats {
		all.Go(func() {
			for arrived.Add(1); arrived.Load() < int64(len(c.seats)); {
				runtime.Gosched()
			}
			begun := time.Now()
			t.note(provider.Guard(func() error {
				for k := 0; k < leastStorm || time.Since(begun) < lasts; k++ {
					at := (i + k/2) % len(c.messages)
					if err := c.exchange(s, &c.messages[at], &s.outputs[at], (i+k)%2 == 0); err != nil {
						t.note(err)
					}
					t.judged.Add(1)
					if k%8 == 7 {
						runtime.Gosched()
					}
				}
				return nil
			}))
		})
	}
	all.Wait()
	if t.first == nil {
		return nil
	}
	return reason.New("goroutines-wrong", t.judged.Load(), len(c.seats), t.wrong, t.first)
}

// tally counts the outputs of a storm.
type tally struct {
	judged atomic.Int64
	mu     sync.Mutex
	wrong  int64
	first  error
}

func (t *tally) note(err error) {
	if err == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wrong++
	if t.first == nil {
		t.first = err
	}
}

// exchange seals or opens one message and judges what comes out.
func (c *crew) exchange(s *seat, m *provider.Message, o *output, seals bool) error {
	a, err := s.take()
	if err != nil {
		return err
	}
	defer s.give(a)
	defer o.spoil()
	if seals {
		o.got = a.Seal(o.got[:0], m.Nonce, m.Plaintext, c.v.AAD)
		return compare(o.got, o.want, o.tag)
	}
	opened, err := a.Open(o.got[:0], m.Nonce, m.Ciphertext, c.v.AAD)
	if err != nil {
		return reason.New("refused-authentic", err)
	}
	if !bytes.Equal(opened, m.Plaintext) {
		return reason.New("opened-other")
	}
	return nil
}
