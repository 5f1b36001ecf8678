package gostd

import (
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/fips140"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/providers/isa"
	"github.com/cryptogauge/cryptogauge/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// publicKey returns how a public-key case is opened; nil where the library has
// no such case.
func publicKey(c result.Case) opener {
	if _, fixed := provider.FixedBytes(c); !fixed || c.Parameters != "" {
		return nil
	}
	switch c.Algorithm {
	case "RSA-2048":
		return openRSA(c)
	case "ECDSA-P-256":
		return openECDSA(c)
	case "ECDH-P-256":
		return openECDH(c, ecdh.P256())
	case "X25519":
		return openECDH(c, ecdh.X25519())
	}
	return nil
}

func allowedPublicKey(c result.Case) error {
	switch {
	case !fips140.Enforced():
		return nil
	case c.Algorithm == "X25519":
		return provider.Unsupported("GODEBUG=fips140=only: X25519 is not an approved algorithm")
	case c.Mode == "PKCS1v15":
		return provider.Unsupported("GODEBUG=fips140=only: PKCS #1 v1.5 encryption is not allowed")
	}
	return nil
}

// openRSA uses the key as its methods do: crypto.Signer and crypto.Decrypter.
func openRSA(c result.Case) opener {
	with := func(open func(*rsa.PrivateKey, *provider.Vector) provider.Operation) opener {
		return func(v *provider.Vector) (provider.Operation, error) {
			key, err := x509.ParsePKCS8PrivateKey(v.PKCS8)
			if err != nil {
				return nil, err
			}
			return open(key.(*rsa.PrivateKey), v), nil
		}
	}
	switch c.Mode + " " + c.Operation {
	case "OAEP-SHA-256 encrypt":
		return with(encryptOAEP)
	case "OAEP-SHA-256 decrypt":
		return with(func(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
			return provider.NewPrivateDecrypt(k, &rsa.OAEPOptions{Hash: crypto.SHA256}, provider.RefusesTampering, v)
		})
	case "PKCS1v15 encrypt":
		return with(encryptPKCS1v15)
	case "PKCS1v15 decrypt":
		return with(func(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
			return provider.NewPrivateDecrypt(k, nil, provider.NoIntegrity, v)
		})
	case "PKCS1v15-SHA-256 sign":
		return with(func(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
			return provider.NewSign(k, crypto.SHA256, v)
		})
	case "PSS-SHA-256 sign":
		return with(func(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
			return provider.NewSign(k, pss, v)
		})
	case "PKCS1v15-SHA-256 verify":
		return with(func(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
			return provider.NewVerify(func(digest, signature []byte) error {
				return rsa.VerifyPKCS1v15(&k.PublicKey, crypto.SHA256, digest, signature)
			}, v)
		})
	case "PSS-SHA-256 verify":
		return with(func(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
			return provider.NewVerify(func(digest, signature []byte) error {
				return rsa.VerifyPSS(&k.PublicKey, crypto.SHA256, digest, signature, pss)
			}, v)
		})
	}
	return nil
}

// pss is PSS as TLS 1.3 has it: the salt as long as the digest.
var pss = &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: crypto.SHA256}

func encryptOAEP(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
	hash := sha256.New() // which each call resets
	return provider.NewPublicEncrypt(func(message []byte) ([]byte, error) {
		return rsa.EncryptOAEP(hash, rand.Reader, &k.PublicKey, message, nil)
	}, v)
}

func encryptPKCS1v15(k *rsa.PrivateKey, v *provider.Vector) provider.Operation {
	return provider.NewPublicEncrypt(func(message []byte) ([]byte, error) {
		//lint:ignore SA1019 the laboratory measures what people still use
		return rsa.EncryptPKCS1v15(rand.Reader, &k.PublicKey, message)
	}, v)
}

func openECDSA(c result.Case) opener {
	if c.Mode != "" || c.Operation != "sign" && c.Operation != "verify" {
		return nil
	}
	return func(v *provider.Vector) (provider.Operation, error) {
		key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), v.Key)
		if err != nil {
			return nil, err
		}
		if c.Operation == "sign" {
			return provider.NewSign(key, crypto.SHA256, v), nil
		}
		return provider.NewVerify(func(digest, signature []byte) error {
			if !ecdsa.VerifyASN1(&key.PublicKey, digest, signature) {
				return provider.ErrSignature
			}
			return nil
		}, v), nil
	}
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
		return provider.NewAgree(func() ([]byte, error) { return key.ECDH(peer) }, v), nil
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
	case algorithm == "RSA-2048" && isa.ADX() && isa.BMI2():
		return "adx+bmi2"
	}
	return "assembly"
}

func publicConstantTime(c result.Case) result.ConstantTime {
	if c.Operation == "verify" || c.Operation == "encrypt" {
		return result.ConstantTime{Value: "yes", Basis: "a public key has nothing to hide; what is encrypted is padded and masked without branches on it"}
	}
	if c.Mode == "PKCS1v15" {
		return result.ConstantTime{Value: "no", Basis: "the arithmetic is constant-time, but an error tells an attacker whether the padding was right (crypto/rsa, DecryptPKCS1v15)"}
	}
	return result.ConstantTime{Value: "yes", Basis: "private keys are used by arithmetic that its authors document as constant-time (crypto/internal/fips140)"}
}

func publicNote(c result.Case) string {
	switch c.Operation {
	case "sign", "verify":
		return "of a ready SHA-256 digest"
	case "encrypt", "decrypt":
		return "of a key of 32 bytes"
	}
	return "the peer's public key was read and checked before"
}
