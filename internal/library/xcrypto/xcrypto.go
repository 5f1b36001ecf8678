// Package xcrypto measures golang.org/x/crypto: ChaCha20-Poly1305, ChaCha20
// alone, BLAKE2b, and the hashes of passwords.
package xcrypto

import (
	"crypto/cipher"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/scrypt"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/library/password"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

func Providers(v provider.Vectors) []provider.Provider {
	return []provider.Provider{gobinding.New(gobinding.Go(subject.XCrypto, "golang.org/x/crypto"), v, append(passwords(), others(), aead())...)}
}

var arx = reason.Timing("yes", "arx-chacha")

func others() gobinding.Offer {
	return gobinding.Offer{
		Cases: gobinding.Cases{
			{Algorithm: algorithm.ChaCha20, Operation: algorithm.Encrypt}: stream(loop.Encrypt),
			{Algorithm: algorithm.ChaCha20, Operation: algorithm.Decrypt}: stream(loop.Decrypt),
			{Algorithm: algorithm.BLAKE2b512, Operation: algorithm.Hash}: func(v *provider.Vector) (provider.Operation, error) {
				h, err := blake2b.New512(nil)
				return loop.NewHash(h, v), err
			},
		},
		Allowed: gobinding.Approved,
		Kernel: func(c result.Case) string {
			switch {
			case c.Algorithm == algorithm.BLAKE2b512 && isa.Assembly:
				return blake2bKernel()
			case !isa.Assembly || isa.AMD64: // whose vector code is ChaCha20-Poly1305's own
				return "generic"
			case isa.ARM64:
				return "neon"
			}
			return "unknown"
		},
		Timing: gobinding.Timings{algorithm.BLAKE2b512: reason.Timing("yes", "arx-blake2b"), "": arx}.Of,
		Note:   gobinding.Notes{algorithm.ChaCha20: "key and nonce are set together, for each message"}.Of,
	}
}

// blake2bKernel follows blake2bAVX2_amd64.go.
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

// stream makes the cipher for each message: it has no other way to take a nonce.
func stream(d loop.Direction) gobinding.Opener {
	return func(v *provider.Vector) (provider.Operation, error) {
		if _, err := chacha20.NewUnauthenticatedCipher(v.Key, v.Nonce); err != nil {
			return nil, err
		}
		return loop.NewStream(nil, func(_ cipher.Block, nonce []byte) cipher.Stream {
			s, _ := chacha20.NewUnauthenticatedCipher(v.Key, nonce) // it was made before, and errs by lengths alone
			return s
		}, d, v), nil
	}
}

func aead() gobinding.Offer {
	return gobinding.Offer{
		Has:  func(c result.Case) bool { return c.Algorithm == algorithm.ChaCha20Poly1305 && c.Mode == "" },
		Open: openAEAD,
		OpenScenario: func(c result.Case, vs provider.Vectors) (provider.Scenario, error) {
			if c.Operation != algorithm.Arrival || beyond(c) != "" {
				return nil, provider.Absent("not-offered", subject.XCrypto, c.Operation)
			}
			v, err := provider.VectorOf(provider.Alone(c), vs, gobinding.Approved)
			if err != nil {
				return nil, err
			}
			return loop.NewArrival(chacha20poly1305.New, c, v)
		},
		// Kernel follows chacha20poly1305_amd64.go, where one kernel does both parts or the
		// generic code does, and chacha20 and poly1305 elsewhere: NEON for the one and
		// generic code for the other on ARM.
		Kernel: func(result.Case) string {
			switch {
			case !isa.Assembly:
				return "generic"
			case isa.AMD64 && isa.SSSE3() && isa.AVX2() && isa.BMI2():
				return "avx2+bmi2"
			case isa.AMD64:
				return "generic chacha20, poly1305 assembly"
			case isa.ARM64:
				return "neon chacha20, generic poly1305"
			}
			return "unknown"
		},
		Timing: gobinding.Always(arx),
		Note: gobinding.Notes{
			algorithm.New:        "chacha20poly1305.New, which copies the key and schedules nothing",
			algorithm.NewEncrypt: "chacha20poly1305.New for each message, then Seal",
		}.Of,
	}
}

// beyond are the parameters of a case besides those of goroutines, arrivals and mixes.
func beyond(c result.Case) string {
	_, rest := seeded.MixOf(provider.Alone(c))
	return rest
}

func openAEAD(c result.Case, vs provider.Vectors) (provider.Operation, error) {
	if c.Operation == algorithm.Stream {
		return streaming.Open(c, vs, gobinding.Approved, chacha20poly1305.New)
	}
	d, err := loop.DirectionOf(provider.Alone(c).Operation)
	made := c.Operation == algorithm.New || c.Operation == algorithm.NewEncrypt
	if err != nil && !made || beyond(c) != "" {
		return nil, provider.Absent("not-offered", subject.XCrypto, c.Name()+" "+c.Operation)
	}
	v, err := provider.VectorOf(provider.Alone(c), vs, gobinding.Approved)
	switch {
	case err != nil:
		return nil, err
	case c.Operation == algorithm.New:
		return loop.NewConstruct(chacha20poly1305.New, v), nil
	case c.Operation == algorithm.NewEncrypt:
		return loop.NewFreshSeal(chacha20poly1305.New, v), nil
	case provider.Concurrent(c):
		return loop.NewParallel(chacha20poly1305.New, c, v)
	}
	a, err := chacha20poly1305.New(v.Key)
	if err != nil {
		return nil, err
	}
	return loop.NewAEAD(a, d, v), nil
}

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
