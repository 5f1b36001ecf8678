//go:build linux && (amd64 || arm64)

package openssl

import (
	"errors"
	"runtime"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// session is an arena that calls the library by one path.
type session struct {
	binding.Arena
	lib  *Library
	path call.Path
}

func (l *Library) session(p call.Path) *session { return &session{lib: l, path: p} }

// call makes a call, unless one has failed before.
func (a *session) call(name string, rule call.Rule, args ...uintptr) uintptr {
	if a.Err != nil {
		return 0
	}
	p := a.program()
	p.add(name, rule, args...)
	if a.Err = p.run(call.Purego, 1); a.Err != nil {
		return 0
	}
	return p.calls[0].Result
}

// one makes a call that returns 1 where it succeeds.
func (a *session) one(name string, args ...uintptr) { a.call(name, call.One, args...) }

// object makes a call that returns an object, which lives as long as the arena
// where free names what frees it.
func (a *session) object(free, name string, args ...uintptr) uintptr {
	o := a.call(name, call.Any, args...)
	if a.Err != nil {
		return 0
	}
	if o == 0 {
		a.Err = a.lib.saying("returned", name, "NULL")
		return 0
	}
	a.freed(free, o)
	return o
}

// freed frees an object when the session is closed.
func (a *session) freed(free string, object uintptr) {
	if free != "" {
		a.Own(func() error { a.lib.call(free, object); return nil })
	}
}

// fetch returns an algorithm of the library's, which is fetched once for all.
func (a *session) fetch(function, name string) uintptr {
	if a.Err != nil {
		return 0
	}
	var o uintptr
	if o, a.Err = a.lib.fetch(function, name); a.Err != nil {
		return 0
	}
	return o
}

// failed closes the arena and returns why, as a reason that the library refuses
// where it is none already.
func (a *session) failed() error {
	a.Close()
	if errors.Is(a.Err, errors.ErrUnsupported) {
		return a.Err
	}
	return provider.Unsupported("version-says", "OpenSSL", a.lib.version, a.Err)
}

// program is a program whose calls have names.
type program struct {
	*session
	calls call.Program
	names []string
}

func (a *session) program() *program { return &program{session: a} }

// scratch is a program that is run once or twice, and keeps nothing for the arena.
func (a *session) scratch() *program { return a.lib.session(a.path).program() }

// add appends a call and returns it until the next is appended.
func (p *program) add(name string, rule call.Rule, args ...uintptr) *call.Call {
	fn, err := p.lib.function(name)
	if err != nil && p.Err == nil {
		p.Err = err
	}
	p.calls, p.names = append(p.calls, call.New(fn, rule, args...)), append(p.names, name)
	return &p.calls[len(p.calls)-1]
}

// writing says where the last call reads how much room its output has, and leaves
// how long that is.
func (p *program) writing(length *uint64, room int) {
	last := &p.calls[len(p.calls)-1]
	*last = last.Setting(length, uint64(room))
}

// expecting says how many bytes the last call must say that it wrote.
func (p *program) expecting(length *uint64, want int) {
	last := &p.calls[len(p.calls)-1]
	*last = last.Expecting(length, uint64(want))
}

// run runs the program. The library's reasons for a failure belong to a thread, so
// the goroutine stays on its own until they are read.
func (p *program) run(path call.Path, n int) error {
	if p.Err != nil {
		return p.Err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := path.Run(p.calls, n)
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*call.Failure](err); ok {
		if f.Short {
			return provider.Incorrect("says-wrote", p.names[f.Call], f.Word, f.Want)
		}
		return p.lib.saying("returned", p.names[f.Call], f.Result)
	}
	return err
}

// reasons empties the thread's queue of errors, and words it after a colon.
func (l *Library) reasons() string {
	const atMost, longest = 16, 256
	var words []string
	line := make([]byte, longest)
	for range atMost {
		code := l.call("ERR_get_error")
		if code == 0 {
			break
		}
		l.call("ERR_error_string_n", code, call.Bytes(line), longest)
		words = append(words, binding.GoString(call.Bytes(line)))
		runtime.KeepAlive(line)
	}
	if len(words) == 0 {
		return ""
	}
	return strings.Join(words, "; ")
}

// saying is an error with OpenSSL's reasons for it.
func (l *Library) saying(code string, args ...any) error {
	err := reason.New(code, args...)
	if words := l.reasons(); words != "" {
		return reason.New("says", err, reason.Foreign(words))
	}
	return err
}

// operation completes the description of one that runs the program, and makes it.
func (p *program) operation(o on, f loop.Foreign) (provider.Operation, error) {
	if p.Err != nil {
		return nil, p.failed()
	}
	f.Run = func(n int) error { return p.run(o.path, n) }
	f.Intact, f.Close = p.Outputs.Check, p.Close
	return loop.NewForeign(f)
}
