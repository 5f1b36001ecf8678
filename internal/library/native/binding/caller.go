//go:build linux && (amd64 || arm64)

package binding

import (
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
)

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
	x := &Caller{Session: s, bound: map[string]call.Program{}, texts: map[string][]byte{}, At: s.Word(), room: s.Room(room), size: s.Word()}
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
