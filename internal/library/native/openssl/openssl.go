//go:build linux && (amd64 || arm64)

// Package openssl measures OpenSSL 3 and later through EVP, its interface for
// applications.
//
//	cipher.go  messages under a cipher: whole, in calls, in Go's shape, and what comes before the first
//	digest.go  hashes, HMAC, HKDF, and CBC with HMAC
//	keys.go    key pairs and signatures; exchange.go key exchanges and envelopes
//	kernel.go  what is known of the code that runs
package openssl

import (
	"math/big"
	"runtime"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

type Library struct {
	*cbinding.Library
	cpu cpu
}

// Open finds out whether a shared object is OpenSSL, and which.
func Open(o *object.Object, v provider.Vectors) (*Library, error) {
	if err := o.Has("OpenSSL_version", "EVP_CIPHER_fetch", "ERR_get_error", "ERR_error_string_n"); err != nil {
		return nil, reason.New("not-openssl", err)
	}
	l := &Library{Library: &cbinding.Library{Object: o, Vectors: v, Name: "openssl", Title: "OpenSSL", Since: "3.0",
		Success: call.Positive}} // most functions return 1
	l.Says = func(function string, result any) error {
		return saying(l.Library, reason.New("returned", function, result))
	}
	const versionString = 6 // OPENSSL_VERSION_STRING of openssl/crypto.h
	l.Release = cbinding.GoString(l.Call("OpenSSL_version", versionString))
	l.cpu = l.examine()
	return l, nil
}

// saying adds the library's reasons for an error, of which its thread has a queue.
func saying(l *cbinding.Library, err error) error {
	const atMost, longest = 16, 256
	var words []string
	line := make([]byte, longest)
	for range atMost {
		code := l.Call("ERR_get_error")
		if code == 0 {
			break
		}
		l.Call("ERR_error_string_n", code, call.Bytes(line), longest)
		words = append(words, cbinding.GoString(call.Bytes(line)))
		runtime.KeepAlive(line)
	}
	if len(words) == 0 {
		return err
	}
	return reason.New("says", err, reason.Foreign(strings.Join(words, "; ")))
}

// fetch returns an algorithm by the function that fetches its kind, once in a process.
func fetch(s *cbinding.Session, function, name string) (object uintptr) {
	if s.Fail(s.Need(function)); s.Err != nil {
		return 0
	}
	text := s.Text(name)
	object = cbinding.Once(s.Library, function+" "+name, func() uintptr { return s.Library.Call(function, 0, text, 0) })
	if object == 0 {
		_ = saying(s.Library, nil) // which empties the queue
		s.Err = provider.Absent("version-has-no", s.Title, s.Release, name)
	}
	return object
}

func (l *Library) On(p call.Path, s result.Subject) cbinding.Described {
	return on{lib: l, Provider: cbinding.Provider{Library: l.Library, Path: p, As: s, Kind: kindOf,
		AEAD: func(c result.Case) loop.NewAEADFunc { return l.newAEAD(p, c) },
		InGo: []cbinding.Kind{cbinding.Exchange, cbinding.Envelope},
		Opens: map[cbinding.Kind]cbinding.Opening{
			cbinding.Cipher: openCipher, cbinding.Composite: openComposite, cbinding.Schedule: openSetup, cbinding.Setup: openSetup,
			cbinding.Hash: openHash, cbinding.MAC: openMAC, cbinding.Derivation: openDerivation,
			cbinding.Random:    openRandom,
			cbinding.Signature: openSignature, cbinding.Transport: openTransport, cbinding.Agreement: openAgreement,
			cbinding.Generation: openGeneration, cbinding.Exchange: openExchange, cbinding.Envelope: openEnvelope,
		},
		Asks: map[cbinding.Kind]cbinding.Asking{
			cbinding.Exposed: askExposure, cbinding.Draws: askDraws, cbinding.Private: askPrivate,
		}}}
}

type on struct {
	cbinding.Provider
	lib *Library
}

func kindOf(c result.Case) cbinding.Kind {
	kind := cbinding.KindOf(c)
	switch {
	case kind.Hashes() && digestName(c.Algorithm) == "",
		kind == cbinding.Cipher && c.Operation == algorithm.Decrypt && parameter.Call.Has(c.Parameters),
		c.Algorithm == algorithm.SM2Exchange:
		return cbinding.None
	}
	return kind
}

// parameters builds an array of OSSL_PARAM(3), whose elements are
//
//	const char *key; unsigned int data_type; void *data; size_t data_size; size_t return_size;
type parameters struct {
	*cbinding.Session
	array []uint64 // five words an element
}

// Data types of openssl/core.h.
const (
	paramUnsigned = 2
	paramText     = 4
	paramBytes    = 5
)

func newParameters(s *cbinding.Session) *parameters { return &parameters{Session: s} }

func (p *parameters) add(key string, kind uint64, size int, data []byte) *parameters {
	p.array = append(p.array, uint64(p.Text(key)), kind, uint64(p.Bytes(data)), uint64(size), 0)
	return p
}

func (p *parameters) text(key, value string) *parameters {
	return p.add(key, paramText, len(value), cbinding.CString(value))
}

func (p *parameters) bytes(key string, value []byte) *parameters {
	return p.add(key, paramBytes, len(value), value)
}

// number adds a number, in the machine's order of bytes.
func (p *parameters) number(key string, n *big.Int) *parameters {
	data := n.Bytes()
	slices.Reverse(data) // both platforms are little-endian
	return p.add(key, paramUnsigned, len(data), data)
}

func (p *parameters) end() uintptr {
	p.array = append(p.array, make([]uint64, 5)...)
	p.Keep(p.array)
	return call.Word(&p.array[0])
}
