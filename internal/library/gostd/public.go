package gostd

import (
	"crypto"
	"crypto/ecdh"
	"crypto/elliptic"
	"crypto/fips140"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// publicKey returns how a public-key case is opened; nil where the library has
// no such case.
func publicKey(c result.Case) opener {
	if _, fixed := algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation); !fixed {
		return nil
	}
	if strings.HasPrefix(c.Algorithm, "RSA-") {
		return openRSA(c)
	}
	if c.Parameters != "" {
		return nil
	}
	if open := openExchange(c); open != nil {
		return open
	}
	switch c.Algorithm {
	case "ECDSA-P-256":
		return openECDSA(c, elliptic.P256(), crypto.SHA256)
	case "ECDSA-P-384":
		return openECDSA(c, elliptic.P384(), crypto.SHA384)
	case "Ed25519":
		return openEd25519(c)
	case "ECDH-P-256":
		return openECDH(c, ecdh.P256())
	case "X25519":
		return openECDH(c, ecdh.X25519())
	}
	return nil
}

// isPublicKey says whether a case is one of key pairs, whoever may open it.
func isPublicKey(c result.Case) bool { return publicKey(c) != nil || c.Operation == "generate" }

func allowedPublicKey(c result.Case) error {
	switch {
	case !fips140.Enforced():
		return nil
	case strings.HasPrefix(c.Algorithm, "X25519"):
		return provider.Unsupported("fips-algorithm", "X25519")
	case c.Mode == "PKCS1v15":
		return provider.Unsupported("fips-pkcs1")
	}
	return nil
}

func openECDH(c result.Case, curve ecdh.Curve) opener {
	if c.Mode != "" || c.Operation != "agree" {
		return nil
	}
	return func(v *provider.Vector) (provider.Operation, error) {
		key, err := curve.NewPrivateKey(v.Key)
		if err != nil {
			return nil, err
		}
		peer, err := curve.NewPublicKey(v.Peer)
		if err != nil {
			return nil, reason.New("peer-key", err)
		}
		return loop.NewAgree(func() ([]byte, error) { return key.ECDH(peer) }, v), nil
	}
}

// publicKernel names what computes with a key, by the build tags and CPU flags in
// crypto/internal/fips140: bigmod/nat_asm.go for RSA, nistec/p256_asm.go, and
// edwards25519/field for X25519. Signatures hash nothing here.
func publicKernel(algorithm string) string {
	switch {
	case !isa.AMD64 && !isa.ARM64:
		return "unknown"
	case !isa.Assembly || algorithm == "X25519" && isa.ARM64:
		return "generic"
	case algorithm == "Ed25519" && isa.ARM64, strings.HasSuffix(algorithm, "P-384"), strings.HasPrefix(algorithm, "ML-"):
		return "generic" // P-384 is fiat-crypto's Go code
	case algorithm == "X25519MLKEM768":
		return "x25519 " + publicKernel("X25519") + ", ml-kem generic"
	case strings.HasPrefix(algorithm, "RSA-") && isa.ADX() && isa.BMI2():
		return "adx+bmi2"
	}
	return "assembly"
}

func publicConstantTime(c result.Case) result.ConstantTime {
	if c.Operation == "generate" && strings.HasPrefix(c.Algorithm, "RSA-") {
		return reason.Timing("no", "primes-chance")
	}
	if c.Operation == "verify" || c.Operation == "encrypt" {
		return reason.Timing("yes", "public-key-masked")
	}
	if c.Mode == "PKCS1v15" {
		return reason.Timing("no", "padding-oracle")
	}
	return reason.Timing("yes", "private-go")
}

func publicNote(c result.Case) string {
	if note := exchangeNote(c); note != "" {
		return note
	}
	switch c.Operation {
	case "sign", "verify":
		if c.Algorithm == "Ed25519" {
			return "hashes a message of 32 bytes with SHA-512 inside the call, twice to sign"
		}
		if c.Algorithm == "ECDSA-P-384" {
			return "of a ready SHA-384 digest"
		}
		return noteOfRSA(c, "of a ready SHA-256 digest")
	case "encrypt", "decrypt":
		return noteOfRSA(c, "of a key of 32 bytes")
	case "generate", "precompute":
		if strings.HasPrefix(c.Algorithm, "RSA-") {
			return noteOfRSA(c, "")
		}
		return ""
	}
	return "the peer's public key was read and checked before"
}
