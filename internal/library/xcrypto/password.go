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
	generic := gobinding.Always("generic")
	return []gobinding.Offer{
		gobinding.Logins(algorithm.Argon2id, gobinding.Approved, openArgon2id).
			By(argonKernel, gobinding.Always(reason.Timing("no", "argon2id-memory"))).
			Noted("argon2.IDKey, a goroutine for each lane and slice"),
		gobinding.Logins(algorithm.Scrypt, gobinding.Approved, openScrypt).
			By(generic, gobinding.Always(reason.Timing("no", "scrypt-memory"))).
			Noted("scrypt.Key, whose p parts are computed one after the other"),
		gobinding.Logins(algorithm.Bcrypt, gobinding.Approved, openBcrypt).
			By(generic, gobinding.Always(reason.Timing("no", "blowfish-tables"))).
			Noted("bcrypt.CompareHashAndPassword, which takes no more than 72 bytes of a password"),
	}
}

// argonKernel follows blamka_amd64.go.
func argonKernel(result.Case) string {
	if isa.Assembly && isa.AMD64 && isa.SSE41() {
		return "sse4.1"
	}
	return "generic"
}

func openArgon2id(parameters string, v *provider.Vector) provider.Operation {
	t, m, p := uint32(parameter.T.In(parameters)), uint32(parameter.M.In(parameters)), uint8(parameter.P.In(parameters))
	return password.Derived(func(text, salt []byte) ([]byte, error) {
		return argon2.IDKey(text, salt, t, m, p, password.KeyBytes), nil
	}, v)
}

func openBcrypt(_ string, v *provider.Vector) provider.Operation {
	return password.Compared(bcrypt.CompareHashAndPassword, v)
}

func openScrypt(parameters string, v *provider.Vector) provider.Operation {
	n, r, p := int(parameter.N.In(parameters)), parameter.R.In(parameters), parameter.P.In(parameters)
	return password.Derived(func(text, salt []byte) ([]byte, error) {
		return scrypt.Key(text, salt, n, r, p, password.KeyBytes)
	}, v)
}
