//go:build linux && (amd64 || arm64)

// Package cbinding is what bindings of libraries in C do alike:
//
//	library.go   a shared object, whose functions are looked up by name
//	case.go      what a case asks for, and how it is opened
//	session.go   objects and memory, programs of calls, and calls one by one
//	messages.go  a vector's messages, their outputs one behind the other; and a cipher in
//	             the shape of Go's, of handles that serve one caller at a time
//	keys.go      key pairs, the steps of an exchange, and SM2's ciphertext as libraries in C write it
package cbinding

import (
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

type Library struct {
	Object  *object.Object
	Vectors provider.Vectors

	Name    string // as subjects have it
	Title   string // as people write it
	Release string
	Since   string   // the oldest version that is bound
	Every   []string // the functions that all versions have since then; nil: all that are called

	Success  call.Rule // what its functions return where they succeed
	Released call.Rule // and those that free objects
	// Says words what a function returned that did not succeed, as the library does itself.
	Says func(function string, result any) error
	// Refuses words why an object can't be made; nil where there is no more to say than Says.
	Refuses func(what string, f *Fault) error
	Keys    Keys // where it has key pairs

	kept      sync.Map // what stays as long as the process, by key
	mu        sync.Mutex
	functions map[string]uintptr // by name; 0 for those that this version does not have
	names     map[uintptr]string
}

func (l *Library) Version() string { return l.Release }

// Find returns the address of a function. Functions are looked up when they are first
// needed: what one version lacks is no reason to do without the rest.
func (l *Library) Find(name string) (uintptr, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fn, known := l.functions[name]
	if !known {
		if l.functions == nil {
			l.functions, l.names = map[string]uintptr{}, map[uintptr]string{}
		}
		fn, _ = l.Object.Symbol(name)
		l.functions[name], l.names[fn] = fn, name
	}
	switch {
	case fn != 0:
		return fn, nil
	case l.Every == nil || slices.Contains(l.Every, name):
		return 0, provider.Unsupported("no-function-since", l.Object.Path, name, l.Title, l.Since)
	}
	return 0, provider.Absent("version-has-no", l.Title, l.Release, name)
}

// Lacks are those of every version that this object has not.
func (l *Library) Lacks() []string {
	return slices.DeleteFunc(slices.Clone(l.Every), func(name string) bool { return l.Need(name) == nil })
}

func (l *Library) Need(names ...string) error {
	for _, name := range names {
		if _, err := l.Find(name); err != nil {
			return err
		}
	}
	return nil
}

// Call calls a function once, where its time is nobody's concern; 0 where there is none.
func (l *Library) Call(name string, args ...uintptr) uintptr {
	var one [1]call.Call
	_ = l.single(&one, call.Any, name, args) // any result will do
	return one[0].Result
}

// single makes one call in memory of the caller's, which then holds its result.
func (l *Library) single(one *[1]call.Call, rule call.Rule, name string, args []uintptr) error {
	fn, err := l.Find(name)
	if err != nil {
		return err
	}
	one[0] = call.New(fn, rule, args...)
	return l.Run(call.Purego, one[:], 1)
}

// Once is what make returned when it was first asked for by a key.
func Once[V any](l *Library, key any, make func() V) V {
	first, _ := l.kept.LoadOrStore(key, sync.OnceValue(make))
	return first.(func() V)()
}

// Fault is a call that the library refused, in its words.
type Fault struct {
	error
	Function string
	Result   any
}

func (f *Fault) AsCause() result.Cause { return reason.Of(f.error) }

func (l *Library) fault(function string, result any) error {
	return &Fault{l.Says(function, result), function, result}
}

// Run runs a program; an error names the function that failed. What libraries say of
// their last error belongs to the thread, so the goroutine stays on its own.
func (l *Library) Run(path call.Path, p call.Program, n int) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return l.Explain(p, path.Run(p, n))
}

func (l *Library) Explain(p call.Program, err error) error {
	f, failed := errors.AsType[*call.Failure](err)
	if !failed {
		return err
	}
	l.mu.Lock()
	name := l.names[p[f.Call].Func]
	l.mu.Unlock()
	switch {
	case f.Short && f.Which > 0: // the words are how much was written, and how much taken
		return provider.Incorrect("says-took-other", name, f.Word, f.Want)
	case f.Short:
		return provider.Incorrect("says-wrote", name, f.Word, f.Want)
	case len(p) == 1:
		return l.fault(name, f.Result)
	}
	return reason.New("in-call", l.fault(name, f.Result), f.Call+1, len(p))
}

// Refusal is why something that a library was asked to make is not there.
func (l *Library) Refusal(what string, err error) error {
	f, ok := errors.AsType[*Fault](err)
	switch {
	case !ok:
		return err
	case l.Refuses != nil:
		return l.Refuses(what, f)
	}
	return provider.Unsupported("version-says", l.Title, l.Release, f)
}
