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
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// The ways in which a private key can be held, as a case's parameters name them.
// The usual one has no name: with its primes, and with what Precompute makes of
// them, as every key has that was read or generated.
const (
	heldUsual      = ""
	heldUncomputed = "precomputed=no" // with its primes alone, as a program has it that puts a key together itself
	heldWithoutCRT = "crt=no"         // without its primes
)

type openVector = func(*provider.Vector) (provider.Operation, error)

// openRSA uses the key as its methods do: crypto.Signer and crypto.Decrypter.
func openRSA(c result.Case) openVector {
	operation := rsaOperation(c.Mode + " " + c.Operation)
	how := c.Parameters
	if strings.HasPrefix(how, "message=") {
		how = heldUsual
	}
	private := c.Operation == "sign" || c.Operation == "decrypt"
	if operation == nil || !slices.Contains([]string{heldUsual, heldUncomputed, heldWithoutCRT}, how) || how != heldUsual && !private {
		return nil
	}
	open := func(v *provider.Vector) (provider.Operation, error) {
		key, err := parseRSA(v.PKCS8)
		if err != nil {
			return nil, err
		}
		held, err := hold(key, how)
		if err != nil {
			return nil, err
		}
		return operation(held, v)
	}
	return func(v *provider.Vector) (provider.Operation, error) { return permitted(open, v) }
}

// parseRSA reads a key. Whether the library works with keys of such a length it
// says only where one is used, so it is asked to verify what can't be valid.
func parseRSA(pkcs8 []byte) (*rsa.PrivateKey, error) {
	parsed, err := x509.ParsePKCS8PrivateKey(pkcs8)
	if err != nil {
		return nil, provider.Refused(err)
	}
	key := parsed.(*rsa.PrivateKey)
	err = rsa.VerifyPSS(&key.PublicKey, crypto.SHA256, make([]byte, sha256.Size), make([]byte, key.Size()), pss)
	if !errors.Is(err, rsa.ErrVerification) {
		return nil, provider.Refused(err)
	}
	return key, nil
}

// hold gives a copy of a key that is held in one of the ways.
func hold(key *rsa.PrivateKey, how string) (*rsa.PrivateKey, error) {
	switch how {
	case heldUncomputed:
		return &rsa.PrivateKey{PublicKey: key.PublicKey, D: key.D, Primes: key.Primes}, nil
	case heldWithoutCRT:
		bare := &rsa.PrivateKey{PublicKey: key.PublicKey, D: key.D}
		bare.Precompute()
		return bare, nil
	}
	return key, nil
}

// permitted opens an operation, and where FIPS 140-3 mode may forbid it tries one
// first, so that the library's own reason is the row's.
func permitted(open openVector, v *provider.Vector) (provider.Operation, error) {
	op, err := open(v)
	if err != nil || !fips140.Enforced() {
		return op, err
	}
	tried := provider.Guard(func() error { return op.Run(1) })
	op.Close()
	if tried != nil && strings.Contains(tried.Error(), "FIPS 140-only") {
		return nil, provider.Unsupported("fips", tried)
	}
	return open(v)
}

func rsaOperation(what string) func(*rsa.PrivateKey, *provider.Vector) (provider.Operation, error) {
	switch what {
	case "OAEP-SHA-256 encrypt":
		return fitting(encryptOAEP, func(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
			return loop.NewPublicEncrypt(encryptOAEP(k), v)
		})
	case "OAEP-SHA-256 decrypt":
		return fitting(encryptOAEP, func(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
			return loop.NewPrivateDecrypt(k, &rsa.OAEPOptions{Hash: crypto.SHA256}, loop.RefusesTampering, v)
		})
	case "PKCS1v15 encrypt":
		return fitting(encryptPKCS1v15, func(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
			return loop.NewPublicEncrypt(encryptPKCS1v15(k), v)
		})
	case "PKCS1v15 decrypt":
		return fitting(encryptPKCS1v15, func(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
			return loop.NewPrivateDecrypt(k, nil, loop.NoIntegrity, v)
		})
	case "PKCS1v15-SHA-256 sign":
		return always(func(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
			return loop.NewSign(k, crypto.SHA256, v)
		})
	case "PSS-SHA-256 sign":
		return always(func(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
			return loop.NewSign(k, pss, v)
		})
	case "PKCS1v15-SHA-256 verify":
		return always(func(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
			return loop.NewVerify(func(digest, signature []byte) error {
				return rsa.VerifyPKCS1v15(&k.PublicKey, crypto.SHA256, digest, signature)
			}, v)
		})
	case "PSS-SHA-256 verify":
		return always(func(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
			return loop.NewVerify(func(digest, signature []byte) error {
				return rsa.VerifyPSS(&k.PublicKey, crypto.SHA256, digest, signature, pss)
			}, v)
		})
	case " precompute":
		return always(precompute)
	}
	return nil
}

// pss is PSS as TLS 1.3 has it: the salt as long as the digest.
var pss = &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: crypto.SHA256}

type withKey = func(*rsa.PrivateKey, *provider.Vector) provider.Operation

func always(open withKey) func(*rsa.PrivateKey, *provider.Vector) (provider.Operation, error) {
	return func(k *rsa.PrivateKey, v *provider.Vector) (provider.Operation, error) { return open(k, v), nil }
}

// fitting opens what the padding has room for. The library is asked, and its answer
// is the reason.
func fitting(encrypt func(*rsa.PrivateKey) loop.EncryptFunc, open withKey) func(*rsa.PrivateKey, *provider.Vector) (provider.Operation, error) {
	return func(k *rsa.PrivateKey, v *provider.Vector) (provider.Operation, error) {
		if _, err := encrypt(k)(v.Plaintext); errors.Is(err, rsa.ErrMessageTooLong) {
			return nil, provider.Unsupported("key-bits", err, len(v.Plaintext), k.N.BitLen())
		}
		return open(k, v), nil
	}
}

func encryptOAEP(k *rsa.PrivateKey) loop.EncryptFunc {
	hash := sha256.New() // which each call resets
	return func(message []byte) ([]byte, error) {
		return rsa.EncryptOAEP(hash, rand.Reader, &k.PublicKey, message, nil)
	}
}

func encryptPKCS1v15(k *rsa.PrivateKey) loop.EncryptFunc {
	return func(message []byte) ([]byte, error) {
		//lint:ignore SA1019 the laboratory measures what people still use
		return rsa.EncryptPKCS1v15(rand.Reader, &k.PublicKey, message)
	}
}

// precompute is Precompute on a key that has its numbers and its primes.
func precompute(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
	return loop.NewGenerate(func() (*rsa.PrivateKey, error) {
		bare := &rsa.PrivateKey{PublicKey: k.PublicKey, D: k.D, Primes: k.Primes}
		bare.Precompute()
		return bare, nil
	}, acceptRSA(v))
}

// acceptRSA hands a key to the judge, after the library itself has used it.
func acceptRSA(v *provider.Vector) func(*rsa.PrivateKey) error {
	return func(k *rsa.PrivateKey) error {
		if k == nil || len(k.Primes) != 2 || k.Precomputed.Dp == nil {
			return reason.New("no-key")
		}
		return v.Accept(x509.MarshalPKCS1PrivateKey(k))
	}
}

// openDraws is key generation, where each key is a draw.
func (l library) openDraws(c result.Case) (provider.Scenario, error) {
	bits, err := strconv.Atoi(strings.TrimPrefix(c.Algorithm, "RSA-"))
	each, bad := strconv.Atoi(c.Parameter("draws"))
	if err != nil || bad != nil || each < 1 || c.Parameters != "draws="+strconv.Itoa(each) || c.Mode != "" {
		return nil, provider.Absent("parameters", c.Operation, "draws=N", c.Parameters)
	}
	v, err := l.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	if bits < 1024 || fips140.Enforced() && bits < 2048 { // refused at once, in the library's words
		if _, err := rsa.GenerateKey(rand.Reader, bits); err != nil {
			return nil, provider.Refused(err)
		}
	}
	seed := provider.SettingOf(l.vectors).Seed
	return loop.NewDraws(loop.Draws[*rsa.PrivateKey]{
		Each:     each,
		Generate: func(random io.Reader) (*rsa.PrivateKey, error) { return rsa.GenerateKey(random, bits) },
		Judge:    acceptRSA(v),
		Source: func(draw int) io.Reader {
			if !repeats() {
				return rand.Reader
			}
			return loop.Repeatable(seeded.Source(seed, fmt.Sprintf("draw/%s/%d", c.Algorithm, draw)))
		},
	}), nil
}

// repeats says whether the library heeds a random stream that it is given: since
// Go 1.26 it does so only with GODEBUG=cryptocustomrand=1, and in FIPS 140-3 mode
// never.
func repeats() bool {
	return strings.Contains(","+os.Getenv("GODEBUG")+",", ",cryptocustomrand=1,") && !fips140.Enforced()
}

// noteOfRSA says how the operation of a case is done; usual where it is no case of
// a key that is held in another way.
func noteOfRSA(c result.Case, usual string) string {
	switch {
	case c.Operation == "precompute":
		return "PrivateKey.Precompute on a key with its primes: once a key, not once a signature"
	case c.Operation == "generate" && repeats():
		return "draws repeat from the seed: GODEBUG=cryptocustomrand=1"
	case c.Operation == "generate":
		return "draws differ from run to run: the library takes its own randomness"
	case c.Parameters == heldUncomputed:
		return usual + "; Precompute was never called, so each call does its work again"
	case c.Parameters == heldWithoutCRT:
		return usual + "; the key came without its primes, so that nothing can be split by them"
	case c.Parameter("message") != "":
		return "of a message of " + c.Parameter("message") + " bytes"
	}
	return usual
}
