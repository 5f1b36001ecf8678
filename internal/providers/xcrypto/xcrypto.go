// Package xcrypto measures golang.org/x/crypto: ChaCha20-Poly1305.
package xcrypto

import (
	"crypto/fips140"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/cryptogauge/cryptogauge/internal/providers/isa"
	"github.com/cryptogauge/cryptogauge/internal/providers/streaming"
	"github.com/cryptogauge/cryptogauge/provider"
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
		if err := allowed(c); err != nil {
			return nil, err
		}
		return streaming.Open(c, l.vectors, chacha20poly1305.New)
	}
	d, err := provider.DirectionOf(c.Operation)
	if err != nil {
		return nil, err
	}
	v, err := l.vector(c)
	if err != nil {
		return nil, err
	}
	if provider.Concurrent(c) {
		return provider.NewParallel(chacha20poly1305.New, c, v)
	}
	a, err := chacha20poly1305.New(v.Key)
	if err != nil {
		return nil, err
	}
	return provider.NewAEAD(a, d, v), nil
}

func (l library) OpenScenario(c result.Case) (provider.Scenario, error) {
	if c.Operation != provider.Arrival {
		return nil, provider.Absent("of golang.org/x/crypto there is no scenario %q", c.Operation)
	}
	v, err := l.vector(c)
	if err != nil {
		return nil, err
	}
	return provider.NewArrival(chacha20poly1305.New, c, v)
}

// vector gives the material of a case that is offered and allowed.
func (l library) vector(c result.Case) (*provider.Vector, error) {
	alone := provider.Alone(c)
	if _, rest := provider.MixOf(alone); rest != "" {
		return nil, absent
	}
	if err := allowed(c); err != nil {
		return nil, err
	}
	return l.vectors.Vector(alone)
}

var absent = provider.Absent("of golang.org/x/crypto only ChaCha20-Poly1305 is measured")

func allowed(c result.Case) error {
	if c.Algorithm != "ChaCha20-Poly1305" || c.Mode != "" {
		return absent
	}
	if fips140.Enforced() {
		return provider.Unsupported("GODEBUG=fips140=only: ChaCha20-Poly1305 is not an approved algorithm")
	}
	return nil
}

// Implementation follows chacha20poly1305_amd64.go, where one kernel does both
// parts or the generic code does, and chacha20 and poly1305 elsewhere: NEON for
// the one and generic code for the other on ARM.
func (library) Implementation(result.Case) string {
	switch {
	case isa.AMD64 && isa.Assembly && isa.SSSE3() && isa.AVX2() && isa.BMI2():
		return "avx2+bmi2"
	case isa.AMD64 && isa.Assembly:
		return "generic chacha20, poly1305 assembly"
	case isa.ARM64 && isa.Assembly:
		return "neon chacha20, generic poly1305"
	case !isa.Assembly:
		return "generic"
	}
	return "unknown"
}

func (library) ConstantTime(result.Case) result.ConstantTime {
	return result.ConstantTime{Value: "yes", Basis: "ChaCha20 and Poly1305 are additions, rotations and multiplications, with no table and no branch on secrets"}
}

func (l library) Note(c result.Case) string { return streaming.Note(c, l.vectors) }
