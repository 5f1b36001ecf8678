package gobinding

import (
	"crypto/pbkdf2"
	"hash"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/password"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Logins offers what a service does at a login: it hashes the password and compares.
func Logins(name algorithm.Name, allowed func(result.Case) error, open func(parameters string, v *provider.Vector) provider.Operation) Offer {
	return Offer{
		Has: func(c result.Case) bool { return c.Algorithm == name && c.Operation == algorithm.Login },
		Open: WithVector(allowed, func(c result.Case, v *provider.Vector) (provider.Operation, error) {
			return open(c.Parameters, v), nil
		}),
	}
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
