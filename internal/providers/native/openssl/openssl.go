//go:build linux && (amd64 || arm64)

// Package openssl measures OpenSSL 3 and later through EVP, its interface for
// applications.
package openssl

import (
	"bytes"
	"fmt"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/providers/catalog"
	"github.com/cryptogauge/cryptogauge/internal/providers/native/call"
	"github.com/cryptogauge/cryptogauge/internal/providers/native/object"
	"github.com/cryptogauge/cryptogauge/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Library is an opened libcrypto.
type Library struct {
	functions map[string]uintptr
	version   string
	vectors   provider.Vectors
}

// Open finds the functions in a shared object.
func Open(o *object.Object, v provider.Vectors) (*Library, error) {
	functions, err := o.Symbols("OpenSSL_version", "EVP_CIPHER_fetch", "EVP_CIPHER_CTX_new", "EVP_CIPHER_CTX_free",
		"EVP_CIPHER_CTX_set_padding", "EVP_CIPHER_CTX_ctrl", "EVP_CipherInit_ex", "EVP_CipherUpdate", "EVP_CipherFinal_ex")
	if err != nil {
		return nil, fmt.Errorf("%w: it is not OpenSSL 3 or later", err)
	}
	l := &Library{functions: functions, vectors: v}
	const versionString = 6 // OPENSSL_VERSION_STRING of openssl/crypto.h
	l.version = text(l.call("OpenSSL_version", versionString))
	return l, nil
}

// Version is "3.0.19".
func (l *Library) Version() string { return l.version }

// call calls a function once, where its time is nobody's concern.
func (l *Library) call(name string, args ...uintptr) uintptr {
	return call.Purego.Bind(l.functions[name]).Call(args...)
}

// text copies a C string.
func text(address uintptr) string {
	if address == 0 {
		return ""
	}
	first := *(**byte)(unsafe.Pointer(&address))
	const longest = 256
	b := unsafe.Slice(first, longest)
	n := 0
	for n < longest && b[n] != 0 {
		n++
	}
	return string(bytes.Clone(b[:n]))
}

// On is the library as it is called by one path.
func (l *Library) On(p call.Path, s result.Subject) provider.Provider { return on{l, p, s} }

type on struct {
	*Library
	path    call.Path
	subject result.Subject
}

func (o on) Subject() result.Subject { return o.subject }

func (o on) Open(c result.Case) (provider.Operation, error) {
	name, ok := catalog.OpenSSLCipher(c.Algorithm, c.Mode)
	if !ok || c.Parameters != "" {
		return nil, provider.Absent("of OpenSSL %s is not measured", c.Name())
	}
	d, err := provider.DirectionOf(c.Operation)
	if err != nil {
		return nil, err
	}
	v, err := o.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	return o.openCipher(name, d, v)
}

// Implementation: OpenSSL tells which CPU features it has seen, not what it runs.
func (on) Implementation(result.Case) string { return "unknown" }

func (on) ConstantTime(result.Case) result.ConstantTime {
	return result.ConstantTime{Value: "unknown", Basis: "the kernel is chosen inside the library"}
}

func (on) Note(result.Case) string { return "" }
