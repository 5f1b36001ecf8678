//go:build linux && (amd64 || arm64)

// Package openssl measures OpenSSL 3 and later through EVP, its interface for
// applications.
//
//	cipher.go  messages under a cipher: whole, in calls, in Go's shape, and what comes before the first
//	openssl.go the library and what it offers; hashes, HMAC, HKDF, and CBC with HMAC
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
		Success: call.Positive, // most functions return 1
		Keys:    cbinding.Keys{Free: freeKey, Read: privateKey, Halves: halves, Slack: 8}}}
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

func (l *Library) On(p call.Path, s result.Subject) []provider.Provider {
	return []provider.Provider{on{lib: l, Provider: cbinding.Provider{Library: l.Library, Path: p, As: s, Kind: kindOf,
		Handle: func(s *cbinding.Session, c result.Case, key []byte, d loop.Direction) (*cbinding.Handle, error) {
			return newOneWay(s, c, key, d).Handle(c.Name())
		},
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
		}}}}
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

var digests = []algorithm.Name{algorithm.MD5, algorithm.SM3, algorithm.SHA1, algorithm.SHA256, algorithm.SHA384,
	algorithm.SHA512, algorithm.SHA3of256, algorithm.BLAKE2b512}

// digestName is what OpenSSL calls a hash, or the hash of what is built on one; empty
// where it is not asked for it.
func digestName(name algorithm.Name) string {
	hash := strings.TrimPrefix(strings.TrimPrefix(name, "HMAC-"), "HKDF-")
	if slices.Contains(digests, hash) {
		return hash
	}
	return ""
}

func openHash(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	md := fetch(s, "EVP_MD_fetch", digestName(c.Algorithm))
	ctx := s.Get("EVP_MD_CTX_free", "EVP_MD_CTX_new")
	out, p := s.RoomLike(v.Digest, len(v.Digest)), s.Program()
	digest(p, ctx, md, out, v.Plaintext)
	return p.Operation(c.Name(), loop.Foreign{Want: v.Digest, Out: out})
}

func digest(p *cbinding.Program, ctx, md uintptr, out []byte, texts ...[]byte) {
	p.Add("EVP_DigestInit_ex2", ctx, md, 0)
	for _, text := range texts {
		p.Add("EVP_DigestUpdate", ctx, p.Bytes(text), uintptr(len(text)))
	}
	p.Add("EVP_DigestFinal_ex", ctx, p.Bytes(out), 0)
}

// newMAC returns what appends the HMAC of texts, one after the other, under a key that
// was set before.
func newMAC(s *cbinding.Session, hash string, key []byte) cbinding.Summing {
	length := s.Word()
	ctx := s.Get("EVP_MAC_CTX_free", "EVP_MAC_CTX_new", fetch(s, "EVP_MAC_fetch", "HMAC"))
	s.Do("EVP_MAC_init", ctx, s.Bytes(key), uintptr(len(key)), newParameters(s).text("digest", hash).end())
	return func(p *cbinding.Program, out []byte, texts ...[]byte) {
		p.Add("EVP_MAC_init", ctx, 0, 0, 0)
		for _, text := range texts {
			p.Add("EVP_MAC_update", ctx, p.Bytes(text), uintptr(len(text)))
		}
		p.Add("EVP_MAC_final", ctx, p.Bytes(out), call.Word(length), uintptr(len(out))).Expecting(length, uint64(len(out)))
	}
}

// openRandom is RAND_bytes(3), the generator of the default library context.
func openRandom(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	return s.Drawing(c, v, func(p *cbinding.Program, out []byte) { p.Add("RAND_bytes", p.Bytes(out), uintptr(len(out))) })
}

func openMAC(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	out, p := s.RoomLike(v.Digest, len(v.Digest)), s.Program()
	newMAC(s, digestName(c.Algorithm), v.Key)(p, out, v.Plaintext)
	return p.Operation(c.Name(), loop.Foreign{Want: v.Digest, Out: out})
}

// openDerivation is HKDF of a secret, which is extracted from and expanded in each call.
func openDerivation(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	ctx := newHKDF(s, digestName(c.Algorithm))
	out, p := s.RoomLike(v.Secret, len(v.Secret)), s.Program()
	each := newParameters(s).bytes("key", v.Key).bytes("salt", v.Nonce).bytes("info", v.AAD).end()
	p.Add("EVP_KDF_derive", ctx, p.Bytes(out), uintptr(len(out)), each)
	return p.Operation(c.Name(), loop.Foreign{Want: v.Secret, Out: out})
}

func newHKDF(s *cbinding.Session, hash string) uintptr {
	ctx := s.Get("EVP_KDF_CTX_free", "EVP_KDF_CTX_new", fetch(s, "EVP_KDF_fetch", "HKDF"))
	s.Do("EVP_KDF_CTX_set_params", ctx, newParameters(s).text("digest", hash).end())
	return ctx
}

func openComposite(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	const block = cbinding.BlockSize
	ci := newCipher(s, c, cbinding.DirectionOf(c), v.Key, pkcs7)
	crypt := func(p *cbinding.Program, iv, in, out []byte) {
		whole := len(in) / block * block // of these, opening keeps the last for the end
		if ci.d == loop.Decrypt {
			whole -= block
		}
		ci.iv(p, iv)
		ci.update(p, call.Bytes(out), in).Expecting(ci.length, uint64(whole))
		ci.final(p, call.Bytes(out)+uintptr(whole)).Expecting(ci.length, uint64(len(out)-whole))
	}
	sum := newMAC(s, digestName(strings.TrimPrefix(c.Mode, "CBC+")), v.MACKey)
	return s.Composite(c, v, block, crypt, sum, "CRYPTO_memcmp")
}
