package gostd

import (
	"crypto"
	"crypto/fips140"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// rsaKeys are used as their methods do: crypto.Signer and crypto.Decrypter.
func rsaKeys() gobinding.Offer {
	return gobinding.Offer{
		Has:          func(c result.Case) bool { return algorithm.RSABits(c.Algorithm) > 0 },
		Open:         openRSA,
		OpenScenario: openDraws,
		Scenarios: map[result.Case]gobinding.Scenario{
			{Algorithm: algorithm.RSA2048, Mode: algorithm.PSS, Operation: algorithm.Sign}: withRSA(
				func(c result.Case, k *rsa.PrivateKey, v *provider.Vector) (provider.Scenario, error) {
					return loop.SignGC(c, k, pss, v)
				}),
			{Algorithm: algorithm.RSA2048, Mode: algorithm.OAEP, Operation: algorithm.Decrypt}: withRSA(
				func(c result.Case, k *rsa.PrivateKey, v *provider.Vector) (provider.Scenario, error) {
					return loop.DecryptGC(c, k, oaep, v)
				}),
		},
		Allowed: allowedRSA,
		Kernel:  func(c result.Case) string { return keyKernel(c.Algorithm) },
		Timing: func(c result.Case) result.ConstantTime {
			switch {
			case c.Operation == algorithm.Generate:
				return reason.Timing("no", "primes-chance")
			case c.Operation == algorithm.Verify, c.Operation == algorithm.Encrypt:
				return reason.Timing("yes", "public-key-masked")
			case c.Mode == algorithm.PKCS1v15:
				return reason.Timing("no", "padding-oracle")
			}
			return reason.Timing("yes", "private-go")
		},
		Note: rsaNote,
	}
}

func allowedRSA(c result.Case) error {
	if fips140.Enforced() && c.Mode == algorithm.PKCS1v15 {
		return provider.Unsupported("fips-pkcs1")
	}
	return nil
}

var (
	oaep = &rsa.OAEPOptions{Hash: crypto.SHA256}
	// pss is PSS as TLS 1.3 has it: the salt as long as the digest.
	pss = &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: crypto.SHA256}
)

// encryption is by the padding of a mode; nil where it is none of encryption.
func encryption(mode algorithm.Mode, k *rsa.PrivateKey) func(message []byte) ([]byte, error) {
	switch mode {
	case algorithm.OAEP:
		hash := sha256.New() // which each call resets
		return func(message []byte) ([]byte, error) {
			return rsa.EncryptOAEP(hash, rand.Reader, &k.PublicKey, message, nil)
		}
	case algorithm.PKCS1v15:
		return func(message []byte) ([]byte, error) {
			//lint:ignore SA1019 the laboratory measures what people still use
			return rsa.EncryptPKCS1v15(rand.Reader, &k.PublicKey, message)
		}
	}
	return nil
}

func rsaOperation(c result.Case, k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
	switch {
	case c.Operation == algorithm.Encrypt:
		return loop.NewPublicEncrypt(encryption(c.Mode, k), v)
	case c.Operation == algorithm.Decrypt && c.Mode == algorithm.OAEP:
		return loop.NewPrivateDecrypt(k, oaep, loop.RefusesTampering, v)
	case c.Operation == algorithm.Decrypt:
		return loop.NewPrivateDecrypt(k, nil, loop.NoIntegrity, v)
	case c.Operation == algorithm.Sign && c.Mode == algorithm.PSS:
		return loop.NewSign(k, pss, v)
	case c.Operation == algorithm.Sign:
		return loop.NewSign(k, crypto.SHA256, v)
	case c.Operation == algorithm.Verify && c.Mode == algorithm.PSS:
		return loop.NewVerify(func(digest, signature []byte) error { return verifyPSS(&k.PublicKey, digest, signature) }, v)
	case c.Operation == algorithm.Verify:
		return loop.NewVerify(func(digest, signature []byte) error {
			return rsa.VerifyPKCS1v15(&k.PublicKey, crypto.SHA256, digest, signature)
		}, v)
	}
	return loop.NewGenerate(func() (*rsa.PrivateKey, error) { // algorithm.Precompute
		bare := uncomputed(k)
		bare.Precompute()
		return bare, nil
	}, acceptRSA(v))
}

func verifyPSS(k *rsa.PublicKey, digest, signature []byte) error {
	return rsa.VerifyPSS(k, crypto.SHA256, digest, signature, pss)
}

// held are the ways in which a private key can be held: as every key that was read or
// generated, with its primes, and with what Precompute makes of them; or less.
var held = map[string]func(*rsa.PrivateKey) *rsa.PrivateKey{
	"":                    func(k *rsa.PrivateKey) *rsa.PrivateKey { return k },
	parameter.NotComputed: uncomputed, // as a program has it that puts a key together itself
	parameter.WithoutCRT: func(k *rsa.PrivateKey) *rsa.PrivateKey {
		bare := &rsa.PrivateKey{PublicKey: k.PublicKey, D: k.D}
		bare.Precompute()
		return bare
	},
}

func uncomputed(k *rsa.PrivateKey) *rsa.PrivateKey {
	return &rsa.PrivateKey{PublicKey: k.PublicKey, D: k.D, Primes: k.Primes}
}

func openRSA(c result.Case, vs provider.Vectors) (provider.Operation, error) {
	how := parameter.Without(c.Parameters, parameter.Message)
	offered := c.Operation != algorithm.Generate && algorithm.Of(c.Algorithm).Does(c.Operation, c.Mode)
	private := c.Operation == algorithm.Sign || c.Operation == algorithm.Decrypt
	hold := held[how]
	if !offered || hold == nil || how != "" && !private {
		return nil, provider.Absent("not-offered", c.Algorithm, c.Mode+" "+c.Operation)
	}
	open := func(_ result.Case, k *rsa.PrivateKey, v *provider.Vector) (provider.Operation, error) {
		if encrypt := encryption(c.Mode, k); encrypt != nil { // the library is asked whether the message has room
			if _, err := encrypt(v.Plaintext); errors.Is(err, rsa.ErrMessageTooLong) {
				return nil, provider.Unsupported("key-bits", err, len(v.Plaintext), k.N.BitLen())
			}
		}
		return permitted(func() provider.Operation { return rsaOperation(c, hold(k), v) })
	}
	return gobinding.WithVector(allowedRSA, withRSA(open))(c, vs)
}

// withRSA reads a key. Whether the library works with keys of such a length it says only
// where one is used, so it is asked to verify what can't be valid.
func withRSA[T any](
	open func(result.Case, *rsa.PrivateKey, *provider.Vector) (T, error)) func(result.Case, *provider.Vector) (T, error) {
	return func(c result.Case, v *provider.Vector) (none T, err error) {
		parsed, err := x509.ParsePKCS8PrivateKey(v.PKCS8)
		if err != nil {
			return none, provider.Refused(err)
		}
		key := parsed.(*rsa.PrivateKey)
		err = verifyPSS(&key.PublicKey, make([]byte, sha256.Size), make([]byte, key.Size()))
		if !errors.Is(err, rsa.ErrVerification) {
			return none, provider.Refused(err)
		}
		return open(c, key, v)
	}
}

// permitted opens an operation, and where FIPS 140-3 mode may forbid it tries one
// first, so that the library's own reason is the row's.
func permitted(open func() provider.Operation) (provider.Operation, error) {
	op := open()
	if !fips140.Enforced() {
		return op, nil
	}
	tried := provider.Guard(func() error { return op.Run(1) })
	op.Close()
	if tried != nil && strings.Contains(tried.Error(), "FIPS 140-only") {
		return nil, provider.Unsupported("fips", tried)
	}
	return open(), nil
}

func acceptRSA(v *provider.Vector) func(*rsa.PrivateKey) error {
	return func(k *rsa.PrivateKey) error {
		if k == nil || len(k.Primes) != 2 || k.Precomputed.Dp == nil {
			return reason.New("no-key")
		}
		return v.Accept(x509.MarshalPKCS1PrivateKey(k))
	}
}

// openDraws is key generation, where each key is a draw.
func openDraws(c result.Case, vs provider.Vectors) (provider.Scenario, error) {
	bits, each := algorithm.RSABits(c.Algorithm), parameter.Draws.In(c.Parameters)
	if c.Operation != algorithm.Generate || each < 1 || !parameter.Are(c.Parameters, parameter.Draws) || c.Mode != "" {
		return nil, provider.Absent("parameters", c.Operation, "draws=N", c.Parameters)
	}
	v, err := vs.Vector(c)
	if err != nil {
		return nil, err
	}
	if bits < 1024 || fips140.Enforced() && bits < 2048 { // refused at once, in the library's words
		if _, err := rsa.GenerateKey(rand.Reader, bits); err != nil {
			return nil, provider.Refused(err)
		}
	}
	seed := provider.SettingOf(vs).Seed
	return &loop.Draws[*rsa.PrivateKey]{
		Each:     each,
		Generate: func(random io.Reader) (*rsa.PrivateKey, error) { return rsa.GenerateKey(random, bits) },
		Judge:    acceptRSA(v),
		Source: func(draw int) io.Reader {
			if !repeats() {
				return rand.Reader
			}
			return loop.Repeatable{Source: seeded.Source(seed, fmt.Sprintf("draw/%s/%d", c.Algorithm, draw))}
		},
	}, nil
}

// repeats says whether the library heeds a random stream that it is given: since
// Go 1.26 it does so only with GODEBUG=cryptocustomrand=1, and in FIPS 140-3 mode never.
func repeats() bool { return setting(parameter.CustomRandom) == "1" && !fips140.Enforced() }

func rsaNote(c result.Case) string {
	usual := "of a key of 32 bytes"
	switch {
	case c.Operation == algorithm.Precompute:
		return "PrivateKey.Precompute on a key with its primes: once a key, not once a signature"
	case c.Operation == algorithm.Generate && repeats():
		return "draws repeat from the seed: GODEBUG=cryptocustomrand=1"
	case c.Operation == algorithm.Generate:
		return "draws differ from run to run: the library takes its own randomness"
	case c.Operation == algorithm.Sign, c.Operation == algorithm.Verify:
		usual = "of a ready SHA-256 digest"
	}
	switch {
	case c.Parameters == parameter.NotComputed:
		return usual + "; Precompute was never called, so each call does its work again"
	case c.Parameters == parameter.WithoutCRT:
		return usual + "; the key came without its primes, so CRT can't be used"
	case parameter.Message.Has(c.Parameters):
		return fmt.Sprintf("of a message of %d bytes", parameter.Message.In(c.Parameters))
	}
	return usual
}
