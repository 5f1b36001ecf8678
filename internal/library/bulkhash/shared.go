package bulkhash

import (
	"os"
	"sync"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/library/scratch"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// Shared is what the operations of a library that have a vector in common have in common
// as well. Headers of slices and strings take 40 bytes a message, which is most of what
// short messages take, and a file takes as many bytes as it has. Nobody writes to them.
type Shared struct {
	messages store[*messages]
	files    store[*os.File]
}

type messages struct {
	slices  [][]byte
	strings []string
}

// store has things by the vector that they are made of, as long as they are in use.
type store[T any] struct {
	mu sync.Mutex
	of map[*provider.Vector]*held[T]
}

type held[T any] struct {
	thing T
	users int
}

func (s *store[T]) take(v *provider.Vector, make func() (T, error)) (T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.of[v]
	if h == nil {
		thing, err := make()
		if err != nil {
			return thing, err
		}
		if s.of == nil {
			s.of = map[*provider.Vector]*held[T]{}
		}
		h = &held[T]{thing: thing}
		s.of[v] = h
	}
	h.users++
	return h.thing, nil
}

// release gives back what take gave, and says whether nobody uses it any more.
func (s *store[T]) release(v *provider.Vector) (thing T, last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.of[v]
	if h == nil {
		return thing, false
	}
	if h.users--; h.users == 0 {
		delete(s.of, v)
	}
	return h.thing, h.users == 0
}

func (s *Shared) cut(v *provider.Vector, n int64) *messages {
	cut, _ := s.messages.take(v, func() (*messages, error) { // which can't fail
		size := len(v.Plaintext) / int(n)
		m := &messages{slices: make([][]byte, n), strings: make([]string, n)}
		for i := range m.slices {
			m.slices[i] = v.Plaintext[i*size : (i+1)*size : (i+1)*size]
			m.strings[i] = unsafe.String(&m.slices[i][0], size) // vectors are never written to
		}
		return m, nil
	})
	return cut
}

func (s *Shared) open(v *provider.Vector, dir string) (*os.File, error) {
	return s.files.take(v, func() (*os.File, error) {
		file, err := scratch.File(dir)
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(v.Plaintext); err != nil {
			_ = file.Close()
			return nil, reason.New("writing-file", len(v.Plaintext), scratch.Bare(err))
		}
		return file, nil
	})
}

func (s *Shared) close(v *provider.Vector) error {
	if file, last := s.files.release(v); last {
		return file.Close()
	}
	return nil
}
