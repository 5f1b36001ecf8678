//go:build linux && (amd64 || arm64)

package binding

import (
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// Session is an arena that calls a library: what makes its objects crosses by purego,
// and programs by its path.
type Session struct {
	Arena
	*Library
	Path   call.Path
	Pieces int64 // of how many bytes the library says that it makes pieces of a message; 0 where it does not

	one [1]call.Call // of Do
}

func (l *Library) Session(p call.Path) *Session {
	return &Session{Library: l, Path: p, Arena: Arena{keep: make([]any, 0, 8)}} // as many as a cipher needs
}

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
	if s.Err != nil {
		return 0
	}
	fn, err := s.Find(name)
	if err == nil {
		s.one[0] = call.New(fn, rule, args...)
		err = s.Run(call.Purego, s.one[:], 1)
	}
	if s.Err = err; err != nil {
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
		s.Own(func() error { return s.release(free, object) })
	}
	return object
}

func (l *Library) release(free string, object uintptr) error {
	fn, err := l.Find(free)
	if err != nil {
		return err
	}
	return l.Run(call.Purego, call.Program{call.New(fn, l.Released, object)}, 1)
}

// Refused ends a session that did not come about, and says why.
func (s *Session) Refused(what string) error {
	s.Close()
	return s.Refusal(what, s.Err)
}

// Program is a program whose calls are named.
type Program struct {
	*Session
	Calls call.Program
}

func (s *Session) Program() *Program { return &Program{s, make(call.Program, 0, 4)} }

// Add appends a call that must succeed.
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

// Times runs it so many times.
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

// Operation is that of any function.
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
	texts map[string][]byte

	At        *uint64 // where objects are written
	room      []byte  // the output of a call
	size      *uint64
	Out, Size uintptr // the addresses of room and size
}

// Caller makes one for outputs that need no more than so much room.
func (s *Session) Caller(room int) *Caller {
	x := &Caller{Session: s, bound: map[string]call.Program{}, texts: map[string][]byte{}, At: s.Word(),
		room: s.Room(room), size: s.Word()}
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
	if err := x.Path.Run(p, 1); err != nil {
		return nil, x.Explain(p, err)
	}
	return p, nil
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

// Label is a C string, made once.
func (x *Caller) Label(t string) uintptr {
	b, ok := x.texts[t]
	if !ok {
		b = CString(t)
		x.texts[t] = b
	}
	return call.Bytes(b)
}

// KeyPair is a library's, which is freed when Go's collector finds it dead.
type KeyPair struct{ Handle uintptr }

// KeyPair takes one over.
func (l *Library) KeyPair(free string, handle uintptr) *KeyPair {
	k := &KeyPair{handle}
	runtime.AddCleanup(k, func(handle uintptr) { l.Call(free, handle) }, handle)
	return k
}

// Pair is Object for key pairs.
func (x *Caller) Pair(free, name string, args ...uintptr) (*KeyPair, error) {
	key, err := x.Object(name, args...)
	if err != nil {
		return nil, err
	}
	return x.KeyPair(free, key), nil
}
