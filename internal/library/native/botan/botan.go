//go:build linux && (amd64 || arm64)

// Package botan measures Botan 2.19 and 3 through its C interface, ffi.h, whose
// functions are looked up by name, so that no headers are needed. What a version
// does not have makes its cases absent and not the library.
//
//	cases.go       what is asked of it, and what it calls that
//	cipher.go      messages under a cipher, by every way; blocks.go by the block function; composite.go with HMAC
//	workaround.go  the ways around a slow update; bypass.go, coalesce.go and proof.go what they take
//	aead.go        an AEAD in the shape of Go's, for many goroutines, streams and the collector
//	hash.go        hashes, HMAC, HKDF
//	keys.go        key pairs; exchange.go their generation, and the steps of an exchange
//	session.go     objects, memory and calls of an operation
//
// # The everyday implementation
//
// The subject without an implementation's name is what people write who follow the
// manual: botan_cipher_start with the nonce, botan_cipher_update with the data as it
// comes (for a whole message in one call), and one more call with the flag FINAL
// for the end. As much goes through update as update takes; what is left goes with
// FINAL. That is
//
//   - nothing, of modes that make a key stream;
//   - what is less than the mode's granularity: of 2.19.3's CBC up to 255 bytes;
//   - of a sealed text the tag, and of CBC's the last block, which update may not be
//     given, since FINAL must have them.
//
// So the everyday row shows what an application has of the library: up to 3.4 a
// stream mode's update works byte by byte, whatever the size of the calls (Botan's
// issue #3925). A single FINAL call would be the faster way in these versions; it is
// one of the workarounds, each of which is a subject of its own (workaround.go).
//
// # The ways
//
// The parameters call=N,way=W hand one message over in calls of at most N bytes:
//
//	update   as above
//	final    every call with the flag FINAL; of key streams alone, since elsewhere it
//	         ends the message
//	oneshot  the message in one call with the flag FINAL
//	blocks   counters, botan_block_cipher_encrypt_blocks and XOR by the caller (CTR);
//	         of ECB the block function, which is all that there is
//
// update may take less than it was given, with success: 2.19.3's CBC takes nothing of
// 64 bytes. What it leaves is given again with what comes next; each call is given
// more than the one before or the end is reached, so nothing can spin.
package botan

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Library is an opened libbotan.
type Library struct {
	object  *object.Object
	version string
	vectors provider.Vectors

	mu        sync.Mutex
	functions map[string]uintptr // by name; 0 for what this version does not have
	names     map[uintptr]string

	proofs proofs
}

// Open finds the interface in a shared object.
//
//	uint32_t botan_version_major(void), _minor, _patch
//	const char *botan_error_description(int err)
func Open(o *object.Object, v provider.Vectors) (*Library, error) {
	functions, err := o.Symbols("botan_version_major", "botan_version_minor", "botan_version_patch",
		"botan_error_description", "botan_cipher_init", "botan_cipher_update")
	if err != nil {
		return nil, reason.New("not-botan", err)
	}
	l := &Library{object: o, vectors: v, functions: functions, names: map[uintptr]string{}}
	for name, fn := range functions {
		l.names[fn] = name
	}
	l.proofs.library = l
	l.version = fmt.Sprintf("%d.%d.%d", l.call("botan_version_major"), l.call("botan_version_minor"), l.call("botan_version_patch"))
	return l, nil
}

// Version is "2.19.3".
func (l *Library) Version() string { return l.version }

// find returns the address of a function; an error for one that this version does
// not have.
func (l *Library) find(name string) (uintptr, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fn, known := l.functions[name]
	if !known {
		fn, _ = l.object.Symbol(name)
		l.functions[name] = fn
		l.names[fn] = name
	}
	if fn == 0 && slices.Contains(everyVersion, name) {
		return 0, provider.Unsupported("no-function-since", l.object.Path, name, "Botan", "2.19")
	}
	if fn == 0 {
		return 0, provider.Absent("version-has-no", "Botan", l.Version(), name)
	}
	return fn, nil
}

// need says whether all functions are there.
func (l *Library) need(names ...string) error {
	for _, name := range names {
		if _, err := l.find(name); err != nil {
			return err
		}
	}
	return nil
}

// fn is the address of a function that is known to be there.
func (l *Library) fn(name string) uintptr {
	fn, _ := l.find(name)
	return fn
}

// call calls a function once, where its time is nobody's concern.
func (l *Library) call(name string, args ...uintptr) uintptr {
	fn, err := l.find(name)
	if err != nil {
		panic("botan: internal error: " + err.Error())
	}
	return call.Purego.Bind(fn).Call(args...)
}

// try is call for functions that return 0 or a code.
func (l *Library) try(name string, args ...uintptr) error {
	if _, err := l.find(name); err != nil {
		return err
	}
	runtime.LockOSThread() // what Botan says of its last error belongs to the thread
	defer runtime.UnlockOSThread()
	if code := int32(l.call(name, args...)); code != 0 {
		return l.failed(name, code)
	}
	return nil
}

// Fault is a call that Botan refused.
type Fault struct {
	Function string
	Code     int32
	Text     string // Botan's
}

func (f *Fault) Error() string {
	return reason.English(f.Because())
}

// Because holds Botan's own words.
func (f *Fault) Because() result.Cause {
	return reason.Cause("botan-returned", f.Function, f.Code, reason.Foreign(f.Text))
}

// Codes of botan/ffi.h.
const (
	notImplemented = -40
	badParameter   = -32
)

// failed is a call's failure in Botan's words.
func (l *Library) failed(name string, code int32) *Fault {
	f := &Fault{name, code, binding.GoString(l.call("botan_error_description", uintptr(code)))}
	if _, err := l.find("botan_error_last_exception_message"); err == nil { // 3.0 and later
		if more := binding.GoString(l.call("botan_error_last_exception_message")); more != "" {
			f.Text += ": " + more
		}
	}
	return f
}

// offered turns an object that Botan can't make into a case that it does not offer.
func (l *Library) offered(what string, err error) error {
	f, ok := errors.AsType[*Fault](err)
	if !ok {
		return err
	}
	switch f.Code {
	case notImplemented, badParameter:
		return provider.Absent("version-has-no-since", "Botan", l.Version(), what, err)
	}
	return provider.Unsupported("version-refuses", "Botan", l.Version(), what, err)
}

// run runs a program and says which function failed, and how.
func (l *Library) run(path call.Path, p call.Program, n int) error {
	err := path.Run(p, n)
	if err == nil {
		return nil
	}
	return l.explain(p, err)
}

func (l *Library) explain(p call.Program, err error) error {
	f, ok := errors.AsType[*call.Failure](err)
	if !ok {
		return err
	}
	l.mu.Lock()
	name := l.names[p[f.Call].Func]
	l.mu.Unlock()
	if f.Short {
		if f.Which == 0 {
			return provider.Incorrect("says-took-other", name, f.Word, f.Want)
		}
		return provider.Incorrect("says-wrote", name, f.Word, f.Want)
	}
	if len(p) == 1 {
		return l.failed(name, f.Result)
	}
	return reason.New("in-call", l.failed(name, f.Result), f.Call+1, len(p))
}
