package gostd

import (
	"crypto"
	"crypto/ecdh"
	"crypto/elliptic"
	"crypto/fips140"
	"fmt"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// publicKey returns how a public-key case is opened; nil where the library has
// no such case.
func publicKey(c result.Case) opener {
	if _, fixed := provider.FixedBytes(c); !fixed {
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
		return provider.Unsupported("GODEBUG=fips140=only: X25519 is not an approved algorithm")
	case c.Mode == "PKCS1v15":
		return provider.Unsupported("GODEBUG=fips140=only: PKCS #1 v1.5 encryption is not allowed")
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
			return nil, fmt.Errorf("reading the peer's key: %w", err)
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
		return result.ConstantTime{Value: "no", Basis: "how many numbers are tried until two are prime is chance, and tells nothing of them (crypto/internal/fips140/rsa)"}
	}
	if c.Operation == "verify" || c.Operation == "encrypt" {
		return result.ConstantTime{Value: "yes", Basis: "a public key has nothing to hide; what is encrypted is padded and masked without branches on it"}
	}
	if c.Mode == "PKCS1v15" {
		return result.ConstantTime{Value: "no", Basis: "the arithmetic is constant-time, but an error tells an attacker whether the padding was right (crypto/rsa, DecryptPKCS1v15)"}
	}
	return result.ConstantTime{Value: "yes", Basis: "private keys are used by arithmetic that its authors document as constant-time (crypto/internal/fips140)"}
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
