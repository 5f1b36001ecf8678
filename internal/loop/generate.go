package loop

import (
	"context"
	"io"
	"math/rand/v2"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// NewGenerate makes a key in each call, for schemes that do so in about the same
// time always. What it made last is handed to judge.
func NewGenerate[K any](generate func() (K, error), judge func(K) error) provider.Operation {
	return accepted(algorithm.GenerateLoop, func([]byte) (K, error) { return generate() }, nil, judge)
}

// Draws is a scheme that makes keys by trying numbers until they are prime, so that
// one takes many times as long as another. Each is a sample of its own: a batch of
// them would show their mean, which hides that.
type Draws[K any] struct {
	Each     int // keys in a block
	Generate func(random io.Reader) (K, error)
	Judge    func(K) error
	// Source is the random stream of a draw, which counts through all blocks.
	Source func(draw int) io.Reader

	made []K
}

// NewDraws is the scenario of key generation: Each keys a block, every one timed by
// itself and judged. Its record holds the draws as samples, and as a histogram
// "draw" in nanoseconds of the thread's CPU time.
func NewDraws[K any](d Draws[K]) provider.Scenario { return &d }

func (s *Draws[K]) Measure(ctx context.Context, b provider.Budget) (result.Record, error) {
	h := result.Histogram{Name: "draw", Unit: "ns"}
	var r result.Record
	s.made = s.made[:0]
	for i := range s.Each {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		random := s.Source(b.Block*s.Each + i)
		sample, err := sampled(b, func() error {
			key, err := s.Generate(random)
			s.made = append(s.made, key)
			return err
		})
		if err != nil {
			return r, reason.New("generating", i+1, b.Block+1, err)
		}
		r.Samples = append(r.Samples, sample)
		h.Buckets = append(h.Buckets, [2]int64{sample.Thread, 1})
	}
	r.Histograms = []result.Histogram{h}
	return r, nil
}

// sampled is one call as a sample; outside a worker there is the wall clock alone.
func sampled(b provider.Budget, call func() error) (result.Sample, error) {
	if b.Sample != nil {
		return b.Sample(func() (int64, error) { return 1, call() })
	}
	begun := time.Now()
	err := call()
	took := int64(time.Since(begun))
	return result.Sample{Calls: 1, Thread: took, Process: took, Wall: took, Cycles: -1}, err
}

func (s *Draws[K]) Check() error {
	if len(s.made) == 0 {
		return errNotRun
	}
	defer func() { s.made = nil }()
	for i, key := range s.made {
		if err := s.Judge(key); err != nil {
			return reason.New("key-of", i+1, len(s.made), err)
		}
	}
	return nil
}

func (s *Draws[K]) Close() error        { return nil }
func (s *Draws[K]) Clock() result.Clock { return result.ThreadClock }

// Repeatable is a random stream that gives every reader of whole numbers the same
// bytes. Go's libraries read a single byte, now and then and no more, so that
// nobody relies on that (crypto/internal/randutil.MaybeReadByte); here a single
// byte is a zero and takes nothing from the stream.
func Repeatable(source *rand.ChaCha8) io.Reader { return repeatable{source} }

type repeatable struct{ source *rand.ChaCha8 }

func (r repeatable) Read(b []byte) (int, error) {
	if len(b) == 1 {
		b[0] = 0
		return 1, nil
	}
	return r.source.Read(b)
}
