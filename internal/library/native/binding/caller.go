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
	bound map[string]*call.Func
	texts map[string][]byte

	At        *uint64 // where objects are written
	room      []byte  // the output of a call
	size      *uint64
	Out, Size uintptr // the addresses of room and size
}

// Caller makes one for outputs that need no more than so much room.
func (s *Session) Caller(room int) *Caller {
	x := &Caller{Session: s, bound: map[string]*call.Func{}, texts: map[string][]byte{}, At: s.Word(), room: s.Room(room), size: s.Word()}
	x.Out, x.Size = call.Bytes(x.room), call.Word(x.size)
	return x
}

// Result calls a function; it is 0 for one that the library lacks, which Need prevents.
func (x *Caller) Result(name string, args ...uintptr) uintptr {
	f := x.bound[name]
	if f == nil {
		fn, err := x.Find(name)
		if err != nil {
			return 0
		}
		f = x.Path.Bind(fn)
		x.bound[name] = f
	}
	return f.Call(args...)
}

// Try calls a function that must succeed.
func (x *Caller) Try(name string, args ...uintptr) error {
	if r := x.Result(name, args...); !x.Success.Allows(r) {
		return x.fault(name, int32(r))
	}
	return nil
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
