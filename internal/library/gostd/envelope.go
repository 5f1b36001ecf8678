package gostd

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/fips140"
	"crypto/hpke"
	"crypto/mlkem"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

func envelopes() gobinding.Offer {
	return gobinding.Offer{
		Cases: gobinding.Join(
			gobinding.Envelopes(algorithm.AES256GCM, parameter.ReusedKey, payload.Reused),
			gobinding.Envelopes(algorithm.RSA2048Envelope, "", wrappedByOAEP),
			gobinding.Envelopes(algorithm.RSA4096Envelope, "", wrappedByOAEP),
			// Functions of their own: built by a Go without hpke, they alone are lost.
			byHPKE(algorithm.X25519Envelope, func(key []byte) (hpke.PrivateKey, error) {
				return hpke.DHKEM(ecdh.X25519()).NewPrivateKey(key)
			}),
			byHPKE(algorithm.MLKEM768Envelope, func(key []byte) (hpke.PrivateKey, error) {
				return hpke.MLKEM768().NewPrivateKey(key)
			}),
			byHPKE(algorithm.HybridEnvelope, hybridKey)),
		Allowed: func(c result.Case) error {
			if fips140.Enforced() && c.Mode == algorithm.X25519Envelope {
				return provider.Unsupported("fips-algorithm", algorithm.X25519)
			}
			return nil
		},
		Kernel: func(c result.Case) string { // what wraps and what encrypts the payload
			payload := cipherKernel(gcm)
			switch c.Mode {
			case algorithm.AES256GCM:
				return payload
			case algorithm.X25519Envelope:
				return keyKernel(algorithm.X25519) + " / " + payload
			case algorithm.MLKEM768Envelope:
				return "generic / " + payload
			case algorithm.HybridEnvelope:
				return "generic, " + keyKernel(algorithm.X25519) + " / " + payload
			}
			return keyKernel(algorithm.RSA2048) + " / " + payload
		},
		Timing: func(c result.Case) result.ConstantTime { return gobinding.EnvelopeTiming(c, cipherTiming(gcm)) },
		Note: gobinding.Notes{
			parameter.ReusedKey:       "the key is scheduled before; a nonce of 96 bits is drawn for each message",
			algorithm.RSA2048Envelope: noteOAEP,
			algorithm.RSA4096Envelope: noteOAEP,
			"":                        "crypto/hpke, base mode with HKDF-SHA256, an empty info; it allocates the output",
		}.Of,
	}
}

const noteOAEP = "a key of 256 bits and a nonce of 96 bits are drawn for each message; " +
	"the key is encrypted with SHA-256 in both of OAEP's places; cryptogauge's own format, not PKCS #7"

var payload gobinding.Payload = func(key []byte) (cipher.AEAD, error) {
	b, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(b)
}

func wrappedByOAEP(v *provider.Vector) (s gobinding.Sealer, err error) {
	parsed, err := x509.ParsePKCS8PrivateKey(v.PKCS8)
	if err != nil {
		return s, err
	}
	private := parsed.(*rsa.PrivateKey)
	return payload.Wrapped(gobinding.Wrapping{
		Key: 32, Wrapped: private.Size(),
		Wrap:   encryption(algorithm.OAEP, private),
		Unwrap: func(key []byte) ([]byte, error) { return private.Decrypt(rand.Reader, key, oaep) },
	}), nil
}

// byHPKE seals by HPKE's one-call form, which has no room for its output to be given.
// Keys are X25519's 32 bytes, ML-KEM's seed, or one after the other.
func byHPKE(mode algorithm.Mode, read func([]byte) (hpke.PrivateKey, error)) gobinding.Cases {
	return gobinding.Envelopes(mode, "", func(v *provider.Vector) (s gobinding.Sealer, err error) {
		private, err := read(v.Key)
		if err != nil {
			return s, err
		}
		public, kdf, aead := private.PublicKey(), hpke.HKDFSHA256(), hpke.AES256GCM()
		s.Seal = func(_, message []byte) ([]byte, error) { return hpke.Seal(public, kdf, aead, nil, message) }
		s.Open = func(_, sealed []byte) ([]byte, error) { return hpke.Open(private, kdf, aead, nil, sealed) }
		return s, nil
	})
}

func hybridKey(key []byte) (hpke.PrivateKey, error) {
	lattice, err := mlkem.NewDecapsulationKey768(key[:mlkem.SeedSize])
	if err != nil {
		return nil, err
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
