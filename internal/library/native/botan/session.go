//go:build linux && (amd64 || arm64)

package botan

import (
	"errors"
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// session is what an operation has of Botan: objects, the memory that calls point
// to, and the first error, after which nothing is called any more.
type session struct {
	lib     *Library
	path    call.Path
	keep    []any
	outputs fence.Memory
	destroy []func() error
	err     error
}

func (o on) session() *session { return &session{lib: o.Library, path: o.path} }

// bytes, text and word give addresses of what lives as long as the session.
func (s *session) bytes(b []byte) uintptr {
	s.keep = append(s.keep, b)
	return call.Bytes(b)
}

// room is memory for an output, which lives as long.
func (s *session) room(n int) []byte { return s.outputs.Bytes(n) }

func (s *session) text(t string) uintptr { return s.bytes(zero(t)) }

func (s *session) word() *uint64 {
	w := new(uint64)
	s.keep = append(s.keep, w)
	return w
}

// do calls a function that returns 0 where it succeeds.
func (s *session) do(name string, args ...uintptr) {
	if s.err == nil {
		s.err = s.lib.try(name, args...)
	}
}

// object makes an object, whose address the function writes where its first argument
// points, and which is destroyed with the session.
func (s *session) object(init, destroy string, args ...uintptr) uintptr {
	at := s.word()
	s.do(init, append([]uintptr{call.Word(at)}, args...)...)
	if s.err == nil {
		s.destroy = append(s.destroy, func() error { return s.lib.try(destroy, uintptr(*at)) })
	}
	return uintptr(*at)
}

// step is a call of a program.
func (s *session) step(name string, args ...uintptr) call.Call {
	fn, err := s.lib.find(name)
	if err != nil && s.err == nil {
		s.err = err
	}
	return call.New(fn, call.Zero, args...)
}

// close destroys the objects, the youngest first.
func (s *session) close() error {
	var errs []error
	for i := len(s.destroy) - 1; i >= 0; i-- {
		errs = append(errs, s.destroy[i]())
	}
	s.destroy = nil
	runtime.KeepAlive(s.keep)
	return errors.Join(append(errs, s.outputs.Close())...)
}

// refused ends a session that did not come about.
func (s *session) refused(what string) error {
	err := s.lib.offered(what, s.err)
	s.close()
	return err
}

// run runs a program.
func (s *session) run(p call.Program, n int) error {
	err := s.lib.run(s.path, p, n)
	runtime.KeepAlive(s)
	return err
}

// operation completes the description of one that runs a program, and makes it.
func (s *session) operation(what string, p call.Program, f loop.Foreign) (provider.Operation, error) {
	if s.err != nil {
		return nil, s.refused(what)
	}
	f.Run, f.Intact, f.Close = func(n int) error { return s.run(p, n) }, s.outputs.Check, s.close
	return loop.NewForeign(f)
}
