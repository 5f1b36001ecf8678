//go:build linux && (amd64 || arm64)

// Package openssl measures OpenSSL 3 and later through EVP, its interface for
// applications.
//
//	cases.go     what is asked of it, and what it calls that
//	arena.go     objects, memory and calls of an operation, and the library's reasons
//	params.go    arrays of OSSL_PARAM
//	cipher.go    messages under a cipher: whole, in calls, a mix of sizes; composite.go with HMAC
//	setup.go     key schedules and contexts
//	aead.go      an AEAD in the shape of Go's, for what is asked of many goroutines, streams and the collector
//	digest.go    hashes, HMAC, HKDF
//	keys.go      key pairs; signature.go, transport.go, exchange.go and envelope.go what is done with them
//	caller.go    calls that Go puts together one by one
//	scenario.go  what a loop of calls can't ask
//	kernel.go    what is known of the code that runs
package openssl

import (
	"runtime"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Library is an opened libcrypto.
type Library struct {
	object  *object.Object
	version string
	cpu     cpu
	vectors provider.Vectors

	mu        sync.Mutex
	functions map[string]uintptr
	fetched   map[string]uintptr // algorithms, which stay: they are fetched once in a program
}

// Open finds out whether a shared object is OpenSSL, and which. The functions that
// a case needs are looked up when it is opened: what one version lacks is no
// reason to do without the rest.
func Open(o *object.Object, v provider.Vectors) (*Library, error) {
	functions, err := o.Symbols("OpenSSL_version", "EVP_CIPHER_fetch", "ERR_get_error", "ERR_error_string_n")
	if err != nil {
		return nil, reason.New("not-openssl", err)
	}
	l := &Library{object: o, functions: functions, vectors: v, fetched: map[string]uintptr{}}
	const versionString = 6 // OPENSSL_VERSION_STRING of openssl/crypto.h
	l.version = binding.GoString(l.call("OpenSSL_version", versionString))
	l.cpu = l.examine()
	return l, nil
}

// Version is "3.0.19".
func (l *Library) Version() string { return l.version }

// function returns the address of a function.
func (l *Library) function(name string) (uintptr, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if fn, ok := l.functions[name]; ok {
		return fn, nil
	}
	fn, err := l.object.Symbol(name)
	if err != nil {
		return 0, provider.Unsupported("no-function-since", l.object.Path, name, "OpenSSL", "3.0")
	}
	l.functions[name] = fn
	return fn, nil
}

// fetch returns an algorithm by the function that fetches its kind.
func (l *Library) fetch(function, name string) (uintptr, error) {
	if _, err := l.function(function); err != nil {
		return 0, err
	}
	l.mu.Lock()
	o, ok := l.fetched[function+" "+name]
	l.mu.Unlock()
	if ok {
		return o, nil
	}
	wanted := append([]byte(name), 0)
	o = l.call(function, 0, call.Bytes(wanted), 0)
	runtime.KeepAlive(wanted)
	if o == 0 {
		l.reasons()
		return 0, provider.Absent("version-has-no", "OpenSSL", l.version, name)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fetched[function+" "+name] = o
	return o, nil
}

// call calls a function that is there once, where its time is nobody's concern.
func (l *Library) call(name string, args ...uintptr) uintptr {
	fn, err := l.function(name)
	if err != nil {
		return 0
	}
	return call.Purego.Bind(fn).Call(args...)
}

// On is the library as it is called by one path.
func (l *Library) On(p call.Path, s result.Subject) provider.Provider {
	return on{Library: l, path: p, subject: s}
}

// on is the library by one path.
type on struct {
	*Library
	path    call.Path
	subject result.Subject
}

func (o on) Subject() result.Subject { return o.subject }

func (o on) Open(c result.Case) (provider.Operation, error) {
	kind := kindOf(c)
	if kind == kindNone {
		return nil, provider.Absent("not-offered", "openssl", c.Name()+" "+c.Operation)
	}
	switch kind {
	case kindMany, kindStream, kindExchange, kindEnvelope:
		if o.path.InC() {
			return nil, provider.Absent("c-loop")
		}
	}
	return o.open(kind, c)
}

func (o on) open(kind kind, c result.Case) (provider.Operation, error) {
	if kind == kindMany || kind == kindStream {
		if op, ok, err := binding.Shaped(c, o.vectors, o.newAEAD(c)); ok {
			return op, err
		}
		return nil, provider.Absent("not-offered", "openssl", c.Name()+" "+c.Operation)
	}
	asked := c
	if c.Parameter("call") != "" {
		asked.Parameters = ""
	}
	v, err := o.vectors.Vector(asked)
	if err != nil {
		return nil, err
	}
	switch kind {
	case kindMessage:
		return o.openMessages(c, v)
	case kindComposite:
		return o.openComposite(c, v)
	case kindSetup:
		return o.openSetup(c, v)
	case kindHash:
		return o.openHash(c, v)
	case kindMAC:
		return o.openMAC(c, v)
	case kindDerivation:
		return o.openDerivation(c, v)
	case kindSignature:
		return o.openSignature(c, v)
	case kindTransport:
		return o.openTransport(c, v)
	case kindAgreement:
		return o.openAgreement(c, v)
	case kindGeneration:
		return o.openGeneration(c, v)
	case kindExchange:
		return o.openExchange(c, v)
	case kindEnvelope:
		return o.openEnvelope(c, v)
	}
	return nil, provider.Absent("not-offered", "openssl", c.Name()+" "+c.Operation)
}
