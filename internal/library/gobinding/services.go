package gobinding

import (
	"crypto/pbkdf2"
	"hash"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/password"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/library/startup"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Services offers requests of an HTTP service whose answers a library protects in some ways.
func Services(m service.Maker, modes ...algorithm.Mode) Offer {
	return Offer{
		Has: func(c result.Case) bool {
			_, ok := service.ShapeOf(c)
			return ok && slices.Contains(modes, c.Mode)
		},
		Open: m.Open, OpenScenario: m.OpenScenario,
		Kernel: Always("net/http"),
		Timing: Always(reason.Timing("unknown", "service-parts")),
		Note:   service.Note,
	}
}

// Logins offers what a service does at a login: it hashes the password and compares.
func Logins(name algorithm.Name, allowed func(result.Case) error, open func(parameters string, v *provider.Vector) provider.Operation) Offer {
	return For(name, algorithm.Login, nil, WithVector(allowed,
		func(c result.Case, v *provider.Vector) (provider.Operation, error) { return open(c.Parameters, v), nil }))
}

// PBKDF2 is a login by crypto/pbkdf2 around a hash.
func PBKDF2(h func() hash.Hash) func(parameters string, v *provider.Vector) provider.Operation {
	return func(parameters string, v *provider.Vector) provider.Operation {
		iterations := int(parameter.Iterations.In(parameters))
		return password.Derived(func(text, salt []byte) ([]byte, error) {
			return pbkdf2.Key(h, string(text), salt, iterations, password.KeyBytes)
		}, v)
	}
}

// Configurations offers what a service does with secrets that are sealed by a block cipher in GCM.
func Configurations(allowed func(result.Case) error, create NewBlock, names ...algorithm.Name) Offer {
	seal := loop.GCM(create)
	return Offer{
		Has: func(c result.Case) bool {
			return startup.Is(c) && c.Mode == algorithm.GCM && slices.Contains(names, c.Algorithm)
		},
		Open: func(c result.Case, vs provider.Vectors) (provider.Operation, error) {
			return startup.Open(c, vs, seal, allowed)
		},
	}
}
