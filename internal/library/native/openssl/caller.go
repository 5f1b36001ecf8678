//go:build linux && (amd64 || arm64)

package openssl

import (
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
)

// caller calls the library by a path where Go decides what comes next: one
// goroutine at a time, without allocation.
type caller struct {
	lib   *Library
	path  call.Path
	bound map[string]*call.Func
}

func (o on) caller() *caller { return &caller{o.Library, o.path, map[string]*call.Func{}} }

// call calls a function and returns its result; 0 for one that the library lacks,
// which need prevents.
func (x *caller) call(name string, args ...uintptr) uintptr {
	f := x.bound[name]
	if f == nil {
		fn, err := x.lib.function(name)
		if err != nil {
			return 0
		}
		f = x.path.Bind(fn)
		x.bound[name] = f
	}
	return f.Call(args...)
}

// do calls a function that returns above 0 where it succeeds.
func (x *caller) do(name string, args ...uintptr) error {
	if r := int32(x.call(name, args...)); r <= 0 {
		return x.lib.saying("returned", name, r)
	}
	return nil
}

// need looks functions up beforehand.
func (x *caller) need(names ...string) error {
	for _, name := range names {
		if _, err := x.lib.function(name); err != nil {
			return err
		}
	}
	return nil
}

// keyPair is an EVP_PKEY, which the library frees when Go's collector finds it dead.
type keyPair struct {
	pkey uintptr
	made *caller
}

func (x *caller) own(pkey uintptr) *keyPair {
	k := &keyPair{pkey, x}
	lib := x.lib
	runtime.AddCleanup(k, func(pkey uintptr) { lib.call("EVP_PKEY_free", pkey) }, pkey)
	return k
}

// generate makes a key pair by a context for that.
func (x *caller) generate(ctx uintptr, at *uint64) (*keyPair, error) {
	*at = 0
	if err := x.do("EVP_PKEY_generate", ctx, call.Word(at)); err != nil {
		return nil, err
	}
	return x.own(uintptr(*at)), nil
}
