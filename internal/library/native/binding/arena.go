//go:build linux && (amd64 || arm64)

// Package binding is what bindings of libraries in C do alike:
//
//	library.go   a shared object, whose functions are looked up by name
//	case.go      what a case asks for, and how it is opened
//	arena.go     objects that are freed in order, and the memory that calls point to
//	session.go   programs of calls, and calls one by one
//	messages.go  a vector's messages, their outputs one behind the other
//	aead.go      a cipher in the shape of Go's, of handles that serve one caller at a time
//	keys.go      key pairs, and the steps of an exchange
//	sm2.go       SM2's ciphertext as libraries in C write it
package binding

import (
	"errors"
	"runtime"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Arena is what an operation has of a library. The first call that fails is remembered
// in Err, after which a binding makes no more, so that a sequence of them reads as one.
type Arena struct {
	Err error
	// What the library writes lies in memory of its own.
	Outputs fence.Memory

	keep []any
	free []func() error
}

// Bytes keeps a slice alive as long as the arena, and returns its address.
func (a *Arena) Bytes(b []byte) uintptr {
	a.Keep(b)
	return call.Bytes(b)
}

// Keep keeps alive what calls have addresses of.
func (a *Arena) Keep(v any) { a.keep = append(a.keep, v) }

// Room is memory for an output, which lives as long.
func (a *Arena) Room(n int) []byte { return a.Outputs.Bytes(n) }

// Text is a C string, kept likewise.
func (a *Arena) Text(s string) uintptr { return a.Bytes(CString(s)) }

// Word is a variable that calls write.
func (a *Arena) Word() *uint64 {
	w := new(uint64)
	a.Keep(w)
	return w
}

// Own has something freed when the arena is closed.
func (a *Arena) Own(free func() error) { a.free = append(a.free, free) }

// Disown leaves the youngest to the caller.
func (a *Arena) Disown() { a.free = a.free[:len(a.free)-1] }

// Close gives back what the arena owns, the youngest first.
func (a *Arena) Close() error {
	var errs []error
	for i := len(a.free) - 1; i >= 0; i-- {
		errs = append(errs, a.free[i]())
	}
	a.free = nil
	runtime.KeepAlive(a.keep)
	return errors.Join(append(errs, a.Outputs.Close())...)
}

// Filled holds how much a function says that it wrote against the room that it had.
func Filled(size uint64, room int) error {
	if size > uint64(room) {
		return provider.Incorrect("wrote-room", size, room)
	}
	return nil
}

// CString ends a string as C does.
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

// With is an operation with the arena that belongs to it.
func (a *Arena) With(op provider.Operation) provider.Operation { return operation{op, a} }

type operation struct {
	provider.Operation
	a *Arena
}

func (o operation) Check() error {
	if err := o.a.Outputs.Check(); err != nil {
		return err
	}
	return o.Operation.Check()
}

func (o operation) Close() error { return errors.Join(o.Operation.Close(), o.a.Close()) }

// Loop is the operation's own.
func (o operation) Loop() string {
	if l, ok := o.Operation.(provider.Looped); ok {
		return l.Loop()
	}
	return ""
}

// Scenario is one with the arena that belongs to it, and the clock of its headline.
func (a *Arena) Scenario(s provider.Scenario, clock result.Clock) provider.Scenario {
	return scenario{s, clock, a}
}

type scenario struct {
	provider.Scenario
	clock result.Clock
	a     *Arena
}

func (s scenario) Clock() result.Clock { return s.clock }
func (s scenario) Close() error        { return errors.Join(s.Scenario.Close(), s.a.Close()) }
