package gostd

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// openECDSA signs and verifies ready digests.
func openECDSA(c result.Case, curve elliptic.Curve, hash crypto.Hash) openVector {
	if c.Mode != "" {
		return nil
	}
	switch c.Operation {
	case "generate":
		return func(v *provider.Vector) (provider.Operation, error) {
			return loop.NewGenerate(func() (*ecdsa.PrivateKey, error) { return ecdsa.GenerateKey(curve, rand.Reader) },
				func(k *ecdsa.PrivateKey) error { return acceptECDSA(k, v) }), nil
		}
	case "sign", "verify":
	default:
		return nil
	}
	return func(v *provider.Vector) (provider.Operation, error) {
		key, err := ecdsa.ParseRawPrivateKey(curve, v.Key)
		if err != nil {
			return nil, err
		}
		if c.Operation == "sign" {
			return loop.NewSign(key, hash, v), nil
		}
		return loop.NewVerify(func(digest, signature []byte) error {
			if !ecdsa.VerifyASN1(&key.PublicKey, digest, signature) {
				return loop.ErrSignature
			}
			return nil
		}, v), nil
	}
}

func acceptECDSA(k *ecdsa.PrivateKey, v *provider.Vector) error {
	private, err := k.Bytes()
	if err != nil {
		return err
	}
	public, err := k.PublicKey.Bytes()
	if err != nil {
		return err
	}
	return v.Accept(slices.Concat(private, public))
}

// openEd25519 signs and verifies messages, which the scheme hashes itself.
func openEd25519(c result.Case) openVector {
	if c.Mode != "" {
		return nil
	}
	switch c.Operation {
	case "generate":
		return func(v *provider.Vector) (provider.Operation, error) {
			return loop.NewGenerate(func() (ed25519.PrivateKey, error) {
				_, key, err := ed25519.GenerateKey(rand.Reader)
				return key, err
			}, func(k ed25519.PrivateKey) error { return v.Accept(k) }), nil // which is private‖public
		}
	case "sign":
		return func(v *provider.Vector) (provider.Operation, error) {
			return loop.NewSign(ed25519.NewKeyFromSeed(v.Key), crypto.Hash(0), v), nil
		}
	case "verify":
		return func(v *provider.Vector) (provider.Operation, error) {
			public := ed25519.NewKeyFromSeed(v.Key).Public().(ed25519.PublicKey)
			return loop.NewVerify(func(message, signature []byte) error {
				if !ed25519.Verify(public, message, signature) {
					return loop.ErrSignature
				}
				return nil
			}, v), nil
		}
	}
	return nil
}
