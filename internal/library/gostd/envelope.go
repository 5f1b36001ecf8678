package gostd

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/fips140"
	"crypto/hpke"
	"crypto/mlkem"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// envelope returns how an envelope's case is opened; nil where there is none.
func envelope(c result.Case) opener {
	if c.Algorithm != algorithm.Envelope || c.Operation != "seal" && c.Operation != "open" {
		return nil
	}
	var seals func(*provider.Vector) (seal, open loop.EnvelopeFunc, err error)
	switch {
	case c.Mode == "AES-256-GCM" && c.Parameters == parameter.ReusedKey:
		seals = underReusedKey
	case c.Parameters != "":
		return nil
	case c.Mode == "RSA-2048-OAEP+AES-256-GCM" || c.Mode == "RSA-4096-OAEP+AES-256-GCM":
		seals = wrappedByOAEP
	case c.Mode == hpkeX25519 || c.Mode == hpkeMLKEM768 || c.Mode == hpkeHybrid:
		seals = func(v *provider.Vector) (seal, open loop.EnvelopeFunc, err error) { return byHPKE(c.Mode, v) }
	default:
		return nil
	}
	return func(v *provider.Vector) (provider.Operation, error) {
		seal, open, err := seals(v)
		if err != nil {
			return nil, err
		}
		if c.Operation == "seal" {
			return loop.NewEnvelopeSeal(seal, v), nil
		}
		return loop.NewEnvelopeOpen(open, v), nil
	}
}

const (
	hpkeX25519   = "HPKE-X25519+AES-256-GCM"
	hpkeMLKEM768 = "HPKE-ML-KEM-768+AES-256-GCM"
	hpkeHybrid   = "HPKE-MLKEM768-X25519+AES-256-GCM"
)

func allowedEnvelope(c result.Case) error {
	if fips140.Enforced() && c.Mode == hpkeX25519 {
		return provider.Unsupported("fips-algorithm", "X25519")
	}
	return nil
}

// payloadOf is what every envelope here is filled with.
var payloadOf = result.Case{Algorithm: "AES-256", Mode: "GCM"}

// underKey is AES-256-GCM under a key, which draws each nonce itself and puts it
// first.
func underKey(key []byte) (cipher.AEAD, error) {
	b, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(b)
}

func underReusedKey(v *provider.Vector) (seal, open loop.EnvelopeFunc, err error) {
	a, err := underKey(v.Key)
	if err != nil {
		return nil, nil, err
	}
	seal = func(dst, message []byte) ([]byte, error) { return a.Seal(dst, nil, message, nil), nil }
	open = func(dst, sealed []byte) ([]byte, error) { return a.Open(dst, nil, sealed, nil) }
	return seal, open, nil
}

func wrappedByOAEP(v *provider.Vector) (seal, open loop.EnvelopeFunc, err error) {
	parsed, err := x509.ParsePKCS8PrivateKey(v.PKCS8)
	if err != nil {
		return nil, nil, err
	}
	private := parsed.(*rsa.PrivateKey)
	hash := sha256.New() // which each call resets
	seal = func(dst, message []byte) ([]byte, error) {
		key := make([]byte, 32)
		_, _ = rand.Read(key) // never fails
		wrapped, err := rsa.EncryptOAEP(hash, rand.Reader, &private.PublicKey, key, nil)
		if err != nil {
			return nil, err
		}
		a, err := underKey(key)
		if err != nil {
			return nil, err
		}
		return a.Seal(append(dst, wrapped...), nil, message, nil), nil
	}
	open = func(dst, sealed []byte) ([]byte, error) {
		key, err := private.Decrypt(rand.Reader, sealed[:private.Size()], &rsa.OAEPOptions{Hash: crypto.SHA256})
		if err != nil {
			return nil, err
		}
		a, err := underKey(key)
		if err != nil {
			return nil, err
		}
		return a.Open(dst, nil, sealed[private.Size():], nil)
	}
	return seal, open, nil
}

// byHPKE seals by HPKE's one-call form, which has no room for its output to be given.
func byHPKE(mode string, v *provider.Vector) (seal, open loop.EnvelopeFunc, err error) {
	private, err := hpkeKey(mode, v.Key)
	if err != nil {
		return nil, nil, err
	}
	public, kdf, aead := private.PublicKey(), hpke.HKDFSHA256(), hpke.AES256GCM()
	seal = func(_, message []byte) ([]byte, error) { return hpke.Seal(public, kdf, aead, nil, message) }
	open = func(_, sealed []byte) ([]byte, error) { return hpke.Open(private, kdf, aead, nil, sealed) }
	return seal, open, nil
}

// hpkeKey reads a private key: X25519's 32 bytes, ML-KEM's seed, or one after the other.
func hpkeKey(mode string, key []byte) (hpke.PrivateKey, error) {
	if mode == hpkeX25519 {
		curve, err := ecdh.X25519().NewPrivateKey(key)
		if err != nil {
			return nil, err
		}
		return hpke.NewDHKEMPrivateKey(curve)
	}
	lattice, err := mlkem.NewDecapsulationKey768(key[:mlkem.SeedSize])
	if err != nil || mode == hpkeMLKEM768 {
		if err != nil {
			return nil, err
		}
		return hpke.NewMLKEMPrivateKey(lattice)
	}
	var curve *ecdh.PrivateKey
	fips140.WithoutEnforcement(func() { // a hybrid of ML-KEM, which is approved
		curve, err = ecdh.X25519().NewPrivateKey(key[mlkem.SeedSize:])
	})
	if err != nil {
		return nil, err
	}
	return hpke.NewHybridPrivateKey(lattice, curve)
}

// envelopeNote says what is done inside a call.
func envelopeNote(c result.Case) string {
	switch {
	case c.Parameters == parameter.ReusedKey:
		return "the key is scheduled before; a nonce of 96 bits is drawn for each message"
	case c.Mode == hpkeX25519 || c.Mode == hpkeMLKEM768 || c.Mode == hpkeHybrid:
		return "crypto/hpke, base mode with HKDF-SHA256, an empty info; it allocates the output"
	}
	return "a key of 256 bits and a nonce of 96 bits are drawn for each message; the key is encrypted with SHA-256 in both of OAEP's places; framed by the laboratory, not as PKCS #7"
}

// envelopeKernel names what wraps and what encrypts the payload.
func envelopeKernel(c result.Case) string {
	payload := library{}.Implementation(payloadOf)
	switch c.Mode {
	case "AES-256-GCM":
		return payload
	case hpkeX25519:
		return publicKernel("X25519") + " / " + payload
	case hpkeMLKEM768:
		return "generic / " + payload
	case hpkeHybrid:
		return "generic, " + publicKernel("X25519") + " / " + payload
	}
	return publicKernel("RSA-2048") + " / " + payload
}
