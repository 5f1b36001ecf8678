// Package xcrypto measures golang.org/x/crypto: ChaCha20-Poly1305, ChaCha20
// alone, and BLAKE2b.
package xcrypto

import (
	"crypto/cipher"
	"crypto/fips140"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// Providers lists what the library offers.
func Providers(v provider.Vectors) []provider.Provider { return []provider.Provider{library{v}} }

type library struct{ vectors provider.Vectors }

func (library) Subject() result.Subject {
	return result.Subject{Library: "xcrypto", Version: provider.ModuleVersion("golang.org/x/crypto"), CallPath: "go"}
}

func (l library) Open(c result.Case) (provider.Operation, error) {
	if c.Operation == streaming.Operation {
		if err := seals(c); err != nil {
			return nil, err
		}
		return streaming.Open(c, l.vectors, chacha20poly1305.New)
	}
	open, v, err := l.prepare(c)
	if err != nil {
		return nil, err
	}
	if provider.Concurrent(c) {
		return loop.NewParallel(chacha20poly1305.New, c, v)
	}
	return open(v)
}

// prepare gives the material of a case that is offered and allowed, and what makes
// an operation of it.
func (l library) prepare(c result.Case) (openFunc, *provider.Vector, error) {
	alone := provider.Alone(c)
	if c != alone && c.Algorithm != "ChaCha20-Poly1305" {
		return nil, nil, provider.Absent("not-offered", "xcrypto", c.Algorithm)
	}
	bare := alone
	_, bare.Parameters = seeded.MixOf(alone)
	open, err := opener(bare)
	if err != nil {
		return nil, nil, err
	}
	if err := allowed(c); err != nil {
		return nil, nil, err
	}
	v, err := l.vectors.Vector(alone)
	return open, v, err
}

type openFunc func(*provider.Vector) (provider.Operation, error)

// seals says whether a stream can be sealed: by the one AEAD.
func seals(c result.Case) error {
	if c.Algorithm != "ChaCha20-Poly1305" || c.Mode != "" {
		return provider.Absent("not-offered", "xcrypto", c.Name()+" "+c.Operation)
	}
	return allowed(c)
}

func allowed(c result.Case) error {
	if fips140.Enforced() {
		return provider.Unsupported("fips-algorithm", c.Algorithm)
	}
	return nil
}

// opener returns what makes an operation of a case's vector.
func opener(c result.Case) (openFunc, error) {
	if c.Mode == "" && c.Parameters == "" {
		switch c.Algorithm {
		case "ChaCha20-Poly1305":
			return openAEAD(c)
		case "ChaCha20":
			return openStream(c)
		case "BLAKE2b-512":
			if c.Operation == "hash" {
				return openHash, nil
			}
		}
	}
	return nil, provider.Absent("not-offered", "xcrypto", c.Name())
}

func openAEAD(c result.Case) (openFunc, error) {
	switch c.Operation {
	case "new":
		return func(v *provider.Vector) (provider.Operation, error) {
			return loop.NewConstruct(chacha20poly1305.New, v), nil
		}, nil
	case "new+encrypt":
		return func(v *provider.Vector) (provider.Operation, error) {
			return loop.NewFreshSeal(chacha20poly1305.New, v), nil
		}, nil
	}
	d, err := loop.DirectionOf(c.Operation)
	return func(v *provider.Vector) (provider.Operation, error) {
		a, err := chacha20poly1305.New(v.Key)
		if err != nil {
			return nil, err
		}
		return loop.NewAEAD(a, d, v), nil
	}, err
}

// openStream makes the cipher for each message: it has no other way to take a nonce.
func openStream(c result.Case) (openFunc, error) {
	d, err := loop.DirectionOf(c.Operation)
	return func(v *provider.Vector) (provider.Operation, error) {
		if _, err := chacha20.NewUnauthenticatedCipher(v.Key, v.Nonce); err != nil {
			return nil, err
		}
		stream := func(_ cipher.Block, nonce []byte) cipher.Stream {
			s, _ := chacha20.NewUnauthenticatedCipher(v.Key, nonce) // it was made before, and errs by lengths alone
			return s
		}
		return loop.NewStream(nil, stream, d, v), nil
	}, err
}

func openHash(v *provider.Vector) (provider.Operation, error) {
	h, err := blake2b.New512(nil)
	if err != nil {
		return nil, err
	}
	return loop.NewHash(h, v), nil
}

func (l library) OpenScenario(c result.Case) (provider.Scenario, error) {
	if c.Operation != algorithm.Arrival {
		return nil, provider.Absent("not-offered", "xcrypto", c.Operation)
	}
	_, v, err := l.prepare(c)
	if err != nil {
		return nil, err
	}
	return loop.NewArrival(chacha20poly1305.New, c, v)
}

// Implementation follows chacha20poly1305_amd64.go, where one kernel does both
// parts or the generic code does, and chacha20 and poly1305 elsewhere: NEON for
// the one and generic code for the other on ARM; and blake2bAVX2_amd64.go.
func (library) Implementation(c result.Case) string {
	switch {
	case !isa.Assembly:
		return "generic"
	case c.Algorithm == "ChaCha20":
		return streamKernel()
	case c.Algorithm == "BLAKE2b-512":
		return blake2bKernel()
	case isa.AMD64 && isa.SSSE3() && isa.AVX2() && isa.BMI2():
		return "avx2+bmi2"
	case isa.AMD64:
		return "generic chacha20, poly1305 assembly"
	case isa.ARM64:
		return "neon chacha20, generic poly1305"
	}
	return "unknown"
}

func streamKernel() string {
	switch {
	case isa.AMD64:
		return "generic" // the vector code is ChaCha20-Poly1305's own
	case isa.ARM64:
		return "neon"
	}
	return "unknown"
}

func blake2bKernel() string {
	switch {
	case isa.ARM64 || isa.AMD64 && !isa.SSE41():
		return "generic"
	case !isa.AMD64:
		return "unknown"
	case isa.AVX2():
		return "avx2"
	case isa.AVX():
		return "avx"
	}
	return "sse4.1"
}

func (library) ConstantTime(c result.Case) result.ConstantTime {
	if c.Algorithm == "BLAKE2b-512" {
		return reason.Timing("yes", "arx-blake2b")
	}
	return reason.Timing("yes", "arx-chacha")
}

func (l library) Note(c result.Case) string {
	if c.Operation == streaming.Operation {
		return streaming.Note(c, l.vectors)
	}
	switch {
	case c.Algorithm == "ChaCha20":
		return "key and nonce are set together, for each message"
	case c.Operation == "new":
		return "chacha20poly1305.New, which copies the key and schedules nothing"
	case c.Operation == "new+encrypt":
		return "chacha20poly1305.New for each message, then Seal"
	}
	return ""
}
