//go:build linux && (amd64 || arm64)

package openssl

import (
	"errors"
	"runtime"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// arena is what an operation has of the library's objects and of memory that the
// library has the addresses of. The first call that fails is remembered and those
// after it are not made, so that a sequence of them reads as one.
type arena struct {
	lib  *Library
	path call.Path
	keep []any
	free []func()
	// What the library writes lies in memory of its own.
	outputs fence.Memory
	err     error
}

func (l *Library) arena(p call.Path) *arena { return &arena{lib: l, path: p} }

// bytes keeps a slice alive as long as the arena, and returns its address.
func (a *arena) bytes(b []byte) uintptr {
	a.keep = append(a.keep, b)
	return call.Bytes(b)
}

// room is memory for an output, which lives as long.
func (a *arena) room(n int) []byte { return a.outputs.Bytes(n) }

// text is a C string, kept likewise.
func (a *arena) text(s string) uintptr { return a.bytes(append([]byte(s), 0)) }

// word is a variable that calls write.
func (a *arena) word() *uint64 {
	w := new(uint64)
	a.keep = append(a.keep, w)
	return w
}

// call makes a call, unless one has failed before.
func (a *arena) call(name string, rule call.Rule, args ...uintptr) uintptr {
	if a.err != nil {
		return 0
	}
	p := a.program()
	p.add(name, rule, args...)
	if a.err = p.run(call.Purego, 1); a.err != nil {
		return 0
	}
	return p.calls[0].Result
}

// one makes a call that returns 1 where it succeeds.
func (a *arena) one(name string, args ...uintptr) { a.call(name, call.One, args...) }

// object makes a call that returns an object, which lives as long as the arena
// where free names what frees it.
func (a *arena) object(free, name string, args ...uintptr) uintptr {
	o := a.call(name, call.Any, args...)
	if a.err != nil {
		return 0
	}
	if o == 0 {
		a.err = a.lib.saying("returned", name, "NULL")
		return 0
	}
	a.own(free, o)
	return o
}

// own frees an object when the arena is closed.
func (a *arena) own(free string, object uintptr) {
	if free != "" {
		a.free = append(a.free, func() { a.lib.call(free, object) })
	}
}

// fetch returns an algorithm of the library's, which is fetched once for all.
func (a *arena) fetch(function, name string) uintptr {
	if a.err != nil {
		return 0
	}
	var o uintptr
	if o, a.err = a.lib.fetch(function, name); a.err != nil {
		return 0
	}
	return o
}

// close gives back what the arena owns, the youngest first.
func (a *arena) close() error {
	for i := len(a.free) - 1; i >= 0; i-- {
		a.free[i]()
	}
	a.free = nil
	return a.outputs.Close()
}

// failed closes the arena and returns why, as a reason that the library refuses
// where it is none already.
func (a *arena) failed() error {
	a.close()
	if errors.Is(a.err, errors.ErrUnsupported) {
		return a.err
	}
	return provider.Unsupported("version-says", "OpenSSL", a.lib.version, a.err)
}

// program is a program whose calls have names.
type program struct {
	*arena
	calls call.Program
	names []string
}

func (a *arena) program() *program { return &program{arena: a} }

// scratch is a program that is run once or twice, and keeps nothing for the arena.
func (a *arena) scratch() *program { return a.lib.arena(a.path).program() }

// add appends a call and returns it until the next is appended.
func (p *program) add(name string, rule call.Rule, args ...uintptr) *call.Call {
	fn, err := p.lib.function(name)
	if err != nil && p.err == nil {
		p.err = err
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
	if p.err != nil {
		return p.err
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
		words = append(words, text(call.Bytes(line)))
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
	if p.err != nil {
		return nil, p.failed()
	}
	f.Run = func(n int) error { return p.run(o.path, n) }
	f.Intact, f.Close = p.outputs.Check, p.close
	return loop.NewForeign(f)
}
