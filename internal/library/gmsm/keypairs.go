package gmsm

import (
	"crypto"
	"crypto/rand"
	"io"
	"slices"
	"strings"

	"github.com/emmansun/gmsm/mldsa"
	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

type openVector = func(*provider.Vector) (provider.Operation, error)

// keyPair returns how a case of key generation, of a signature without the signer's
// identity to hash, or of the lattice schemes is opened; nil where it is none.
func keyPair(c result.Case) openVector {
	if c.Mode != "" {
		return nil
	}
	switch c.Algorithm + " " + c.Operation + " " + c.Parameters {
	case "SM2 generate ":
		return generateSM2
	case "SM2 sign za=precomputed":
		return signWithZA
	case "SM2 verify za=precomputed":
		return verifyWithZA
	}
	if c.Parameters != "" {
		return nil
	}
	if open := openExchange(c); open != nil {
		return open
	}
	switch c.Algorithm {
	case "ML-DSA-44":
		return mldsaOf(c.Operation, mldsa.GenerateKey44, mldsa.NewKey44)
	case "ML-DSA-65":
		return mldsaOf(c.Operation, mldsa.GenerateKey65, mldsa.NewKey65)
	}
	return nil
}

func (l library) openKeyPair(c result.Case, open openVector) (provider.Operation, error) {
	if err := allowed(c); err != nil {
		return nil, err
	}
	v, err := l.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	return open(v)
}

func generateSM2(v *provider.Vector) (provider.Operation, error) {
	return loop.NewGenerate(func() (*sm2.PrivateKey, error) { return sm2.GenerateKey(rand.Reader) },
		func(k *sm2.PrivateKey) error {
			private := k.D.FillBytes(make([]byte, 32))
			key, err := k.ECDH()
			if err != nil {
				return err
			}
			return v.Accept(slices.Concat(private, key.PublicKey().Bytes()))
		}), nil
}

// signer signs messages of the usual identity, whose digest ZA it has once and for all.
type signer struct {
	key *sm2.PrivateKey
	za  []byte
}

func newSigner(v *provider.Vector) (*signer, error) {
	key, err := sm2.NewPrivateKey(v.Key)
	if err != nil {
		return nil, err
	}
	za, err := sm2.CalculateZA(&key.PublicKey, []byte("1234567812345678"))
	return &signer{key, za}, err
}

// digest is e = SM3(ZA‖M), GB/T 32918.2-2016 §6.1.
func (s *signer) digest(message []byte) []byte {
	h := sm3.New()
	h.Write(s.za)
	h.Write(message)
	return h.Sum(nil)
}

func (s *signer) Public() crypto.PublicKey { return s.key.Public() }

func (s *signer) Sign(random io.Reader, message []byte, _ crypto.SignerOpts) ([]byte, error) {
	return sm2.SignASN1(random, s.key, s.digest(message), nil)
}

func signWithZA(v *provider.Vector) (provider.Operation, error) {
	s, err := newSigner(v)
	if err != nil {
		return nil, err
	}
	return loop.NewSign(s, nil, v), nil
}

func verifyWithZA(v *provider.Vector) (provider.Operation, error) {
	s, err := newSigner(v)
	if err != nil {
		return nil, err
	}
	return loop.NewVerify(func(message, signature []byte) error {
		if !sm2.VerifyASN1(&s.key.PublicKey, s.digest(message), signature) {
			return loop.ErrSignature
		}
		return nil
	}, v), nil
}

// mldsaKey is a private key of either parameter set.
type mldsaKey interface {
	crypto.Signer
	Seed() []byte
}

// mldsaPublic is a public key of either.
type mldsaPublic interface {
	Bytes() []byte
	VerifyWithOptions(signature, message []byte, opts crypto.SignerOpts) bool
}

// mldsaOf opens an operation of a parameter set: hedged signatures, of messages with
// an empty context.
func mldsaOf[K mldsaKey](operation string, generate func(io.Reader) (K, error), read func([]byte) (K, error)) openVector {
	switch operation {
	case "generate":
		return func(v *provider.Vector) (provider.Operation, error) {
			return loop.NewGenerate(func() (K, error) { return generate(rand.Reader) }, func(k K) error {
				return v.Accept(slices.Concat(k.Seed(), k.Public().(mldsaPublic).Bytes()))
			}), nil
		}
	case "sign":
		return func(v *provider.Vector) (provider.Operation, error) {
			key, err := read(v.Key)
			if err != nil {
				return nil, err
			}
			return loop.NewSign(key, nil, v), nil
		}
	case "verify":
		return func(v *provider.Vector) (provider.Operation, error) {
			key, err := read(v.Key)
			if err != nil {
				return nil, err
			}
			public := key.Public().(mldsaPublic)
			return loop.NewVerify(func(message, signature []byte) error {
				if !public.VerifyWithOptions(signature, message, nil) {
					return loop.ErrSignature
				}
				return nil
			}, v), nil
		}
	}
	return nil
}

// keyPairKernel follows mldsa/field_*.go and mlkem/field_*.go for the lattices.
func keyPairKernel(c result.Case) string {
	if strings.HasPrefix(c.Algorithm, "SM2") {
		return sm2Kernel()
	}
	switch {
	case !isa.Assembly:
		return "generic"
	case isa.ARM64:
		return "neon"
	case isa.AMD64 && isa.AVX2():
		return "avx2"
	}
	return "generic"
}

func keyPairConstantTime(c result.Case) result.ConstantTime {
	if strings.HasPrefix(c.Algorithm, "SM2") {
		return sm2ConstantTime(c)
	}
	return reason.Timing("unknown", "lattice-unexamined")
}

func keyPairNote(c result.Case) string {
	switch {
	case c.Parameters == "za=precomputed":
		return "hashes a message of 32 bytes with SM3 inside the call; the digest of the signer's identity was computed before"
	case c.Algorithm == "SM2-exchange" && c.Operation != "generate":
		return loop.NoteSM2Exchange
	case c.Operation == "sign":
		return "hedged, of a message of 32 bytes with an empty context"
	case c.Operation == "verify":
		return "of a message of 32 bytes with an empty context; the public key's matrix was expanded before"
	}
	return ""
}
