//go:build linux && (amd64 || arm64)

package botan

import (
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// session is an arena that calls Botan by one path.
type session struct {
	binding.Arena
	lib  *Library
	path call.Path
}

func (o on) session() *session { return &session{lib: o.Library, path: o.path} }

// do calls a function that returns 0 where it succeeds.
func (s *session) do(name string, args ...uintptr) {
	if s.Err == nil {
		s.Err = s.lib.try(name, args...)
	}
}

// object makes an object, whose address the function writes where its first argument
// points, and which is destroyed with the session.
func (s *session) object(init, destroy string, args ...uintptr) uintptr {
	at := s.Word()
	s.do(init, append([]uintptr{call.Word(at)}, args...)...)
	if s.Err == nil {
		s.Own(func() error { return s.lib.try(destroy, uintptr(*at)) })
	}
	return uintptr(*at)
}

// step is a call of a program.
func (s *session) step(name string, args ...uintptr) call.Call {
	fn, err := s.lib.find(name)
	if err != nil && s.Err == nil {
		s.Err = err
	}
	return call.New(fn, call.Zero, args...)
}

// refused ends a session that did not come about.
func (s *session) refused(what string) error {
	err := s.lib.offered(what, s.Err)
	s.Close()
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
	if s.Err != nil {
		return nil, s.refused(what)
	}
	f.Run, f.Intact, f.Close = func(n int) error { return s.run(p, n) }, s.Outputs.Check, s.Close
	return loop.NewForeign(f)
}
