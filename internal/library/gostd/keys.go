package gostd

import (
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/fips140"
	"crypto/mlkem"
	"crypto/rand"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

func keyPairs() gobinding.Offer {
	return gobinding.Offer{
		Cases: gobinding.Join(
			ecdsaOn(elliptic.P256(), crypto.SHA256).Cases(algorithm.ECDSA256, ""),
			ecdsaOn(elliptic.P384(), crypto.SHA384).Cases(algorithm.ECDSA384, ""),
			ed25519Signature.Cases(algorithm.Ed25519, ""),
			gobinding.Cases{agreement(algorithm.ECDH256): agree(ecdh.P256()), agreement(algorithm.X25519): agree(ecdh.X25519())},
			exchange(algorithm.ECDH256, diffieHellman(ecdh.P256())), exchange(algorithm.ECDH384, diffieHellman(ecdh.P384())),
			exchange(algorithm.X25519, diffieHellman(ecdh.X25519())),
			exchange(algorithm.MLKEM768, kem768()),
			exchange(algorithm.MLKEM1024,
				kem(mlkem.GenerateKey1024, mlkem.NewDecapsulationKey1024, mlkem.NewEncapsulationKey1024)),
			exchange(algorithm.X25519MLKEM768, loop.Hybrid(kem768(), diffieHellman(ecdh.X25519())))),
		Scenarios: map[result.Case]gobinding.Scenario{
			{Algorithm: algorithm.ECDSA256, Operation: algorithm.Sign}: ecdsaOn(elliptic.P256(), crypto.SHA256).Garbage,
			agreement(algorithm.ECDH256):                               agreeing(ecdh.P256()),
			agreement(algorithm.X25519):                                agreeing(ecdh.X25519()),
		},
		Allowed: func(c result.Case) error {
			if fips140.Enforced() && strings.HasPrefix(c.Algorithm, algorithm.X25519) {
				return provider.Unsupported("fips-algorithm", algorithm.X25519)
			}
			return nil
		},
		Kernel: func(c result.Case) string { return keyKernel(c.Algorithm) },
		Timing: gobinding.Timings{
			algorithm.Verify: reason.Timing("yes", "public-key-masked"),
			"":               reason.Timing("yes", "private-go"),
		}.Of,
		Note: func(c result.Case) string {
			if c != provider.Plain(c) && c.Operation == algorithm.Agree {
				return "the peer's public key is read and checked inside the call"
			}
			return keyNotes.Of(c)
		},
	}
}

var keyNotes = gobinding.Notes{
	algorithm.Generate:       "",
	algorithm.ECDSA256:       "of a ready SHA-256 digest",
	algorithm.ECDSA384:       "of a ready SHA-384 digest",
	algorithm.Ed25519:        "hashes a message of 32 bytes with SHA-512 inside the call, twice to sign",
	algorithm.Agree:          "the peer's public key was read and checked before",
	algorithm.SessionKey:     "HKDF with SHA-256 of a secret that is there",
	algorithm.Session:        "both parties' work, and HKDF with SHA-256 on both sides",
	algorithm.X25519MLKEM768: "built from crypto/mlkem and crypto/ecdh as in TLS 1.3",
	"":                       "what arrives is read and checked inside the call",
}

// keyKernel names what computes with a key, by the build tags and CPU flags in
// crypto/internal/fips140: bigmod/nat_asm.go for RSA, nistec/p256_asm.go, and
// edwards25519/field for X25519. Signatures hash nothing here.
func keyKernel(name algorithm.Name) string {
	switch {
	case !isa.AMD64 && !isa.ARM64:
		return "unknown"
	case !isa.Assembly || (name == algorithm.X25519 || name == algorithm.Ed25519) && isa.ARM64:
		return "generic"
	case strings.HasSuffix(name, "P-384"), strings.HasPrefix(name, "ML-"):
		return "generic" // P-384 is fiat-crypto's Go code
	case name == algorithm.X25519MLKEM768:
		return "x25519 " + keyKernel(algorithm.X25519) + ", ml-kem generic"
	case algorithm.RSABits(name) > 0 && isa.ADX() && isa.BMI2():
		return "adx+bmi2"
	}
	return "assembly"
}

// ecdsaOn signs and verifies ready digests.
func ecdsaOn(curve elliptic.Curve, hash crypto.Hash) gobinding.Signature[*ecdsa.PrivateKey] {
	return gobinding.Signature[*ecdsa.PrivateKey]{
		Generate: func() (*ecdsa.PrivateKey, error) { return ecdsa.GenerateKey(curve, rand.Reader) },
		Pair: func(k *ecdsa.PrivateKey) ([]byte, error) {
			private, err := k.Bytes()
			if err != nil {
				return nil, err
			}
			public, err := k.PublicKey.Bytes()
			return slices.Concat(private, public), err
		},
		Read: func(private []byte) (*ecdsa.PrivateKey, error) { return ecdsa.ParseRawPrivateKey(curve, private) },
		Opts: hash,
		Verifier: func(k *ecdsa.PrivateKey) func(digest, signature []byte) bool {
			return func(digest, signature []byte) bool { return ecdsa.VerifyASN1(&k.PublicKey, digest, signature) }
		},
	}
}

// ed25519Signature signs and verifies messages, which the scheme hashes itself.
var ed25519Signature = gobinding.Signature[ed25519.PrivateKey]{
	Generate: func() (ed25519.PrivateKey, error) {
		_, key, err := ed25519.GenerateKey(rand.Reader)
		return key, err
	},
	Pair: func(k ed25519.PrivateKey) ([]byte, error) { return k, nil }, // which is private‖public
	Read: func(private []byte) (ed25519.PrivateKey, error) { return ed25519.NewKeyFromSeed(private), nil },
	Opts: crypto.Hash(0),
	Verifier: func(k ed25519.PrivateKey) func(message, signature []byte) bool {
		public := k.Public().(ed25519.PublicKey)
		return func(message, signature []byte) bool { return ed25519.Verify(public, message, signature) }
	},
}

func agreement(name algorithm.Name) result.Case {
	return result.Case{Algorithm: name, Operation: algorithm.Agree}
}

func agree(curve ecdh.Curve) gobinding.Opener {
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

// agreeing is what garbage costs an agreement with peers whose keys have just come in.
func agreeing(curve ecdh.Curve) gobinding.Scenario {
	return func(c result.Case, v *provider.Vector) (provider.Scenario, error) {
		key, err := curve.NewPrivateKey(v.Key)
		if err != nil {
			return nil, err
		}
		return loop.AgreeGC(c, curveHalf{key}.Decapsulate, v)
	}
}

func exchange(name algorithm.Name, e loop.Exchange) gobinding.Cases {
	return gobinding.Exchange(name, func(*provider.Vector) (loop.Exchange, error) { return e, nil })
}

var derive = gobinding.Derive(sha256.New)

// curveHalf is a private key of a curve. Unlike that of gobinding.Keys it is no allocation
// of its own, beside those that are counted.
type curveHalf struct{ key *ecdh.PrivateKey }

func (h curveHalf) Private() []byte { return h.key.Bytes() }
func (h curveHalf) Public() []byte  { return h.key.PublicKey().Bytes() }

func (h curveHalf) Decapsulate(reply []byte) ([]byte, error) {
	peer, err := h.key.Curve().NewPublicKey(reply)
	if err != nil {
		return nil, err
	}
	return h.key.ECDH(peer)
}

func diffieHellman(curve ecdh.Curve) loop.Exchange {
	return loop.Exchange{
		Generate: func() (loop.PrivateHalf, error) {
			key, err := curve.GenerateKey(rand.Reader)
			return curveHalf{key}, err
		},
		Encapsulate: func(public []byte) (secret, reply []byte, err error) {
			key, err := curve.GenerateKey(rand.Reader)
			if err != nil {
				return nil, nil, err
			}
			secret, err = curveHalf{key}.Decapsulate(public)
			return secret, key.PublicKey().Bytes(), err
		},
		Read: func(private []byte) (loop.PrivateHalf, error) {
			key, err := curve.NewPrivateKey(private)
			return curveHalf{key}, err
		},
		Derive: derive,
	}
}

func kem768() loop.Exchange {
	return kem(mlkem.GenerateKey768, mlkem.NewDecapsulationKey768, mlkem.NewEncapsulationKey768)
}

func kem[D interface {
	Bytes() []byte
	Decapsulate([]byte) ([]byte, error)
	EncapsulationKey() E
}, E interface {
	Bytes() []byte
	Encapsulate() (secret, reply []byte)
}](generate func() (D, error), read func([]byte) (D, error), readPublic func([]byte) (E, error)) loop.Exchange {
	return gobinding.Keys[D]{
		Generate: generate,
		Read:     read,
		Private:  D.Bytes,
		Public:   func(k D) []byte { return k.EncapsulationKey().Bytes() },
		Secret:   D.Decapsulate,
		Answer: func(public []byte) (secret, reply []byte, err error) {
			key, err := readPublic(public)
			if err != nil {
				return nil, nil, err
			}
			secret, reply = key.Encapsulate()
			return secret, reply, nil
		},
		Derive: derive,
	}.Exchange()
}
