package xcrypto

import (
	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
	"golang.org/x/crypto/scrypt"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/library/password"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

func passwords() []gobinding.Offer {
	argon := gobinding.Logins(algorithm.Argon2id, gobinding.Approved, openArgon2id)
	argon.Kernel, argon.Timing = argonKernel, gobinding.Always(reason.Timing("no", "argon2id-memory"))
	argon.Note = gobinding.Always("argon2.IDKey, a goroutine for each lane and slice")
	mix := gobinding.Logins(algorithm.Scrypt, gobinding.Approved, openScrypt)
	mix.Kernel, mix.Timing = gobinding.Always("generic"), gobinding.Always(reason.Timing("no", "scrypt-memory"))
	mix.Note = gobinding.Always("scrypt.Key, whose p parts are computed one after the other")
	fish := gobinding.Logins(algorithm.Bcrypt, gobinding.Approved, func(_ string, v *provider.Vector) provider.Operation {
		return password.Compared(bcrypt.CompareHashAndPassword, v)
	})
	fish.Kernel, fish.Timing = gobinding.Always("generic"), gobinding.Always(reason.Timing("no", "blowfish-tables"))
	fish.Note = gobinding.Always("bcrypt.CompareHashAndPassword, which takes no more than 72 bytes of a password")
	return []gobinding.Offer{argon, mix, fish}
}

// argonKernel follows blamka_amd64.go.
func argonKernel(result.Case) string {
	switch {
	case !isa.Assembly || !isa.AMD64 || !isa.SSE41():
		return "generic"
	}
	return "sse4.1"
}

func openArgon2id(parameters string, v *provider.Vector) provider.Operation {
	t, m, p := uint32(parameter.T.In(parameters)), uint32(parameter.M.In(parameters)), uint8(parameter.P.In(parameters))
	return password.Derived(func(text, salt []byte) ([]byte, error) {
		return argon2.IDKey(text, salt, t, m, p, password.KeyBytes), nil
	}, v)
}

func openScrypt(parameters string, v *provider.Vector) provider.Operation {
	n, r, p := int(parameter.N.In(parameters)), parameter.R.In(parameters), parameter.P.In(parameters)
	return password.Derived(func(text, salt []byte) ([]byte, error) {
		return scrypt.Key(text, salt, n, r, p, password.KeyBytes)
	}, v)
}
