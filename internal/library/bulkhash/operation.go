package bulkhash

import (
	"bytes"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/library/peak"
	"github.com/cryptogauge/cryptogauge/internal/library/scratch"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

type operation struct {
	provider.Operation
	Shape
	grown int64 // by how much the first call made the process grow
	known bool  // the kernel tells
	first bool  // it is still to come, and is to tell
}

// leastTold is how many bytes a call hashes at least whose memory is told, since that
// takes several times as long as to hash a few messages.
const leastTold = 1 << 20

func newOperation[D Digest](s Shape, v *provider.Vector, shared *Shared, loops Loops[D]) (provider.Operation, error) {
	digests := make([]D, s.Messages)
	way := newWay(s, digests, shared.cut(v, s.Messages), loops)
	hashing, err := loop.NewForeign(loop.Foreign{
		Run: func(n int) error {
			for range n {
				way.call()
			}
			return nil
		},
		Out: Flat(digests), Want: v.Digest,
		Accept: func(got []byte) error { return Judge(got, v.Digest, SizeOf[D]()) },
		Close:  func() error { way.close(); return shared.release(v) },
	})
	return &operation{Operation: hashing, Shape: s, first: s.Bytes >= leastTold}, err
}

func (o *operation) Run(n int) (err error) {
	if n == 0 || !o.first {
		return o.Operation.Run(n)
	}
	o.first = false
	o.grown, o.known = growth(func() { err = o.Operation.Run(n) })
	return err
}

// growth is by how much the process grows at most while f runs, which nobody times.
// Memory that earlier operations left behind is given to the system before, so that
// what this one needs is seen.
func growth(f func()) (bytes int64, known bool) {
	debug.FreeOSMemory()
	before, ok := peak.Restart()
	f()
	most, told := peak.Read()
	return max(0, most-before), ok && told
}

// Record tells by how much the process grew at most while it ran the first call: what
// the call has in hand at once, in stacks of goroutines and garbage. The messages and
// the digests are there before. The kernel counts pages in batches, so it is exact to
// about 100 KiB a CPU.
func (o *operation) Record() (r result.Record, err error) {
	if o.known {
		r.Metrics = []result.Metric{{Name: "memory_peak_bytes", Value: float64(o.grown), Unit: "B"}}
	}
	return r, nil
}

// Judge compares digests of so many bytes each with what they should be. A digest
// that belongs to another message is named as such: goroutines mix things up.
func Judge(got, want []byte, size int) error {
	wrong, first := Wrong(got, want, size)
	if wrong == 0 {
		return nil
	}
	what := reason.Cause("digest-wrong")
	all, one := slices.Collect(slices.Chunk(want, size)), got[first*size:min((first+1)*size, len(got))]
	if other := slices.IndexFunc(all, func(d []byte) bool { return bytes.Equal(one, d) }); other >= 0 {
		what = reason.Cause("digest-of", other+1)
	}
	return reason.New("digests-wrong", len(all), wrong, first+1, what)
}

// Wrong says how many outputs of so many bytes each are not what they should be, and which is the first, from 0 on.
// One that ends early, on either side, is not.
func Wrong(got, want []byte, size int) (wrong, first int) {
	for at := 0; at < max(len(got), len(want)); at += size {
		if end := at + size; end > min(len(got), len(want)) || !bytes.Equal(got[at:end], want[at:end]) {
			if wrong++; wrong == 1 {
				first = at / size
			}
		}
	}
	return wrong, first
}

// Flat is the bytes of digests.
func Flat[D Digest](digests []D) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&digests[0])), len(digests)*SizeOf[D]())
}

func (o *operation) Loop() string { return "bulk-hash" }

func (o *operation) Clock() result.Clock {
	if o.Parallel() {
		return result.WallClock
	}
	return ""
}

// Shared is what the operations of a library that have a vector in common have in common
// as well, as long as they are in use. Headers of slices and strings take 40 bytes a message,
// which is most of what short messages take, and a file takes as many bytes as it has. Nobody
// writes to them.
type Shared struct {
	mu sync.Mutex
	of map[*provider.Vector]*held
}

// held is what is made of a vector: its messages, or a file.
type held struct {
	slices  [][]byte
	strings []string
	file    *os.File
	users   int
}

func (s *Shared) take(v *provider.Vector, make func() (*held, error)) (*held, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.of[v]
	if m == nil {
		made, err := make()
		if err != nil {
			return nil, err
		}
		if s.of == nil {
			s.of = map[*provider.Vector]*held{}
		}
		s.of[v], m = made, made
	}
	m.users++
	return m, nil
}

// release gives back what take gave.
func (s *Shared) release(v *provider.Vector) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.of[v]
	if m == nil {
		return nil
	}
	if m.users--; m.users > 0 {
		return nil
	}
	delete(s.of, v)
	if m.file == nil {
		return nil
	}
	return m.file.Close()
}

func (s *Shared) cut(v *provider.Vector, n int64) *held {
	cut, _ := s.take(v, func() (*held, error) { // which can't fail
		size := len(v.Plaintext) / int(n)
		m := &held{strings: make([]string, n)}
		m.slices = slices.AppendSeq(make([][]byte, 0, n), slices.Chunk(v.Plaintext, size))
		for i, text := range m.slices {
			m.strings[i] = unsafe.String(&text[0], size) // vectors are never written to
		}
		return m, nil
	})
	return cut
}

func (s *Shared) open(v *provider.Vector, dir string) (*held, error) {
	return s.take(v, func() (*held, error) {
		file, err := scratch.File(dir)
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(v.Plaintext); err != nil {
			_ = file.Close()
			return nil, reason.New("writing-file", len(v.Plaintext), scratch.Bare(err))
		}
		return &held{file: file}, nil
	})
}
