//go:build linux && (amd64 || arm64)

package cbinding

import (
	"errors"
	"runtime"
	"slices"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Session is what an operation has of a library: objects that are freed in order, and the
// memory that calls point to. What makes objects crosses by purego, and programs by the
// path. The first call that fails is remembered in Err, after which no more are made, so
// that a sequence of them reads as one.
type Session struct {
	*Library
	Err     error
	Outputs fence.Memory // what the library writes
	keep    []any
	free    []func() error

	Path   call.Path
	Pieces int64 // of how many bytes the library says that it makes pieces of a message; 0 where it does not

	one [1]call.Call // the last single call
}

func (l *Library) Session(p call.Path) *Session {
	return &Session{Library: l, Path: p, keep: make([]any, 0, 8)} // as many as a cipher needs
}

// Bytes keeps a slice alive as long as the session, and returns its address.
func (s *Session) Bytes(b []byte) uintptr {
	s.Keep(b)
	return call.Bytes(b)
}

func (s *Session) Keep(v any) { s.keep = append(s.keep, v) }

// Room is memory for an output, which lives as long.
func (s *Session) Room(n int) []byte { return s.Outputs.Bytes(n) }

// RoomLike is Room for an output that is to be like another, and lies in its page as that does.
func (s *Session) RoomLike(want []byte, n int) []byte {
	return s.Outputs.BytesAt(provider.PlaceOf(want), n)
}

// Text is a C string, kept likewise.
func (s *Session) Text(text string) uintptr { return s.Bytes(CString(text)) }

func (s *Session) Word() *uint64 {
	w := new(uint64)
	s.Keep(w)
	return w
}

// Own has something freed when the session is closed.
func (s *Session) Own(free func() error) { s.free = append(s.free, free) }

// Close gives back what the session owns, the youngest first.
func (s *Session) Close() error {
	var errs []error
	for _, free := range slices.Backward(s.free) {
		errs = append(errs, free())
	}
	s.free = nil
	runtime.KeepAlive(s.keep)
	return errors.Join(append(errs, s.Outputs.Close())...)
}

// Filled holds how much a function says that it wrote against the room that it had.
func Filled(size uint64, room int) error {
	if size > uint64(room) {
		return provider.Incorrect("wrote-room", size, room)
	}
	return nil
}

func CString(s string) []byte { return append(append(make([]byte, 0, len(s)+1), s...), 0) }

// GoString copies a C string, or as much as a line may have of it.
func GoString(address uintptr) string {
	if address == 0 {
		return ""
	}
	first := *(**byte)(unsafe.Pointer(&address))
	const longest = 512
	n := 0
	for n < longest && *(*byte)(unsafe.Add(unsafe.Pointer(first), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(first, n))
}

// With is an operation with the session that belongs to it, where no call has failed.
func (s *Session) With(what string, op provider.Operation) (provider.Operation, error) {
	if s.Err != nil {
		return nil, s.Refused(what)
	}
	return operation{op, s}, nil
}

type operation struct {
	provider.Operation
	session *Session
}

func (o operation) Check() error {
	if err := o.session.Outputs.Check(); err != nil {
		return err
	}
	return o.Operation.Check()
}

func (o operation) Close() error { return errors.Join(o.Operation.Close(), o.session.Close()) }
func (o operation) Loop() string { return o.Operation.(provider.Looped).Loop() }

// Scenario is With for a scenario that names the clock of its headline.
func (s *Session) Scenario(what string, sc provider.Scenario) (provider.Scenario, error) {
	if s.Err != nil {
		return nil, s.Refused(what)
	}
	return scenario{sc, s}, nil
}

type scenario struct {
	provider.Scenario
	session *Session
}

func (s scenario) Clock() result.Clock { return s.Scenario.(provider.Clocked).Clock() }
func (s scenario) Close() error        { return errors.Join(s.Scenario.Close(), s.session.Close()) }

// Fail remembers an error, unless there was one before.
func (s *Session) Fail(err error) {
	if s.Err == nil {
		s.Err = err
	}
}

// Do makes a call that must succeed, unless one has failed before.
func (s *Session) Do(name string, args ...uintptr) { s.DoBy(s.Success, name, args...) }

// DoBy is Do with a rule of its own for success, and returns the result.
func (s *Session) DoBy(rule call.Rule, name string, args ...uintptr) uintptr {
	if s.Err == nil {
		s.Err = s.single(&s.one, rule, name, args)
	}
	if s.Err != nil {
		return 0
	}
	return s.one[0].Result
}

// Make makes an object, whose address the function writes where its first argument
// points, and which is freed with the session.
func (s *Session) Make(free, name string, args ...uintptr) uintptr {
	at := s.Word()
	s.Do(name, append([]uintptr{call.Word(at)}, args...)...)
	return s.Owned(free, uintptr(*at))
}

// Get is Make for functions that return the object.
func (s *Session) Get(free, name string, args ...uintptr) uintptr {
	object := s.DoBy(call.Any, name, args...)
	if s.Err == nil && object == 0 {
		s.Err = s.fault(name, "NULL")
	}
	return s.Owned(free, object)
}

// Owned has an object freed with the session.
func (s *Session) Owned(free string, object uintptr) uintptr {
	if s.Err == nil {
		s.Own(func() error { return s.single(&s.one, s.Released, free, []uintptr{object}) })
	}
	return object
}

// Refused ends a session that did not come about, and says why.
func (s *Session) Refused(what string) error {
	s.Close()
	return s.Refusal(what, s.Err)
}

type Program struct {
	*Session
	Calls call.Program
}

func (s *Session) Program() *Program { return &Program{s, make(call.Program, 0, 4)} }

func (p *Program) Add(name string, args ...uintptr) *call.Call {
	return p.AddBy(p.Success, name, args...)
}

// AddBy appends a call that has a rule of its own for success.
func (p *Program) AddBy(rule call.Rule, name string, args ...uintptr) *call.Call {
	fn, err := p.Find(name)
	p.Fail(err)
	p.Calls = append(p.Calls, call.New(fn, rule, args...))
	return &p.Calls[len(p.Calls)-1]
}

func (p *Program) Times(n int) error {
	if p.Err != nil {
		return p.Err
	}
	err := p.Run(p.Path, p.Calls, n)
	runtime.KeepAlive(p)
	return err
}

// Operation completes the description of one that runs the program, and makes it.
func (p *Program) Operation(what string, f loop.Foreign) (provider.Operation, error) {
	return p.Session.Operation(what, p.Times, f)
}

func (s *Session) Operation(what string, run func(n int) error, f loop.Foreign) (provider.Operation, error) {
	if s.Err != nil {
		return nil, s.Refused(what)
	}
	f.Run, f.Pieces, f.Intact, f.Close = run, s.Pieces, s.Outputs.Check, s.Close
	return loop.NewForeign(f)
}

// Caller calls a library by a path where Go decides what comes next: one goroutine at a
// time, without allocation.
type Caller struct {
	*Session
	bound map[string]call.Program

	At        *uint64 // where objects are written
	room      []byte  // the output of a call
	size      *uint64
	Out, Size uintptr // the addresses of room and size
}

// Caller makes one for outputs that need no more than so much room.
func (s *Session) Caller(room int) *Caller {
	x := &Caller{Session: s, bound: map[string]call.Program{}, At: s.Word(), room: s.Room(room), size: s.Word()}
	x.Out, x.Size = call.Bytes(x.room), call.Word(x.size)
	return x
}

// call calls a function; one that the library lacks fails, which Need prevents.
func (x *Caller) call(rule call.Rule, name string, args []uintptr) (call.Program, error) {
	p := x.bound[name]
	if p == nil {
		fn, err := x.Find(name)
		if err != nil {
			return nil, err
		}
		p = call.Program{call.New(fn, rule)}
		x.bound[name] = p
	}
	p[0].Set(args...)
	return p, x.Run(x.Path, p, 1)
}

// Result calls a function that is there for its result.
func (x *Caller) Result(name string, args ...uintptr) uintptr {
	p, err := x.call(call.Any, name, args)
	if err != nil {
		return 0
	}
	return p[0].Result
}

// Try calls a function that must succeed.
func (x *Caller) Try(name string, args ...uintptr) error {
	_, err := x.call(x.Success, name, args)
	return err
}

// Object is Try for functions that leave an object at At.
func (x *Caller) Object(name string, args ...uintptr) (uintptr, error) {
	*x.At = 0
	err := x.Try(name, args...)
	return uintptr(*x.At), err
}

// Output is Try for functions that leave at most what there is room for at Out, and at
// Size how much. It stands there until the next.
func (x *Caller) Output(name string, args ...uintptr) ([]byte, error) {
	*x.size = uint64(len(x.room))
	if err := x.Try(name, args...); err != nil {
		return nil, err
	}
	if err := Filled(*x.size, len(x.room)); err != nil {
		return nil, err
	}
	return x.room[:*x.size], nil
}
