package gmsm

import (
	"crypto"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"io"
	"slices"

	"github.com/emmansun/gmsm/ecdh"
	"github.com/emmansun/gmsm/mldsa"
	"github.com/emmansun/gmsm/mlkem"
	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

func sm2Keys() gobinding.Offer {
	return gobinding.SM2(sm2Signature, reason.Timing("yes", "private-gmsm"), sm2Kernel,
		digestedSignature.Cases(algorithm.SM2, parameter.PrecomputedZA),
		gobinding.Cases{
			{Algorithm: algorithm.SM2, Operation: algorithm.Encrypt}: gobinding.Keyed(sm2.NewPrivateKey, encryptSM2),
			{Algorithm: algorithm.SM2, Operation: algorithm.Decrypt}: gobinding.Keyed(sm2.NewPrivateKey, decryptSM2),
		},
		gobinding.Exchange(algorithm.SM2Exchange, sm2Exchange))
}

var sm2Signature = gobinding.Signature[*sm2.PrivateKey]{
	Generate: func() (*sm2.PrivateKey, error) { return sm2.GenerateKey(rand.Reader) },
	Pair: func(k *sm2.PrivateKey) ([]byte, error) {
		private := k.D.FillBytes(make([]byte, 32))
		key, err := k.ECDH()
		if err != nil {
			return nil, err
		}
		return slices.Concat(private, key.PublicKey().Bytes()), nil
	},
	Read: sm2.NewPrivateKey,
	Opts: sm2.DefaultSM2SignerOpts,
	Verifier: func(k *sm2.PrivateKey) func(message, signature []byte) bool {
		return func(message, signature []byte) bool {
			return sm2.VerifyASN1WithSM2(&k.PublicKey, nil, message, signature)
		}
	},
}

// digestedSignature is SM2's with the digest ZA of the signer's identity once and for all.
var digestedSignature = gobinding.Signature[*signer]{
	Read: func(private []byte) (*signer, error) {
		key, err := sm2.NewPrivateKey(private)
		if err != nil {
			return nil, err
		}
		za, err := sm2.CalculateZA(&key.PublicKey, gobinding.SM2Identity)
		return &signer{key, za}, err
	},
	Verifier: func(s *signer) func(message, signature []byte) bool {
		return func(message, signature []byte) bool {
			return sm2.VerifyASN1(&s.key.PublicKey, s.digest(message), signature)
		}
	},
}

type signer struct {
	key *sm2.PrivateKey
	za  []byte
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

// encryptSM2 makes C1‖C3‖C2, as the library does where nothing else is asked for.
func encryptSM2(key *sm2.PrivateKey, v *provider.Vector) provider.Operation {
	return loop.NewPublicEncrypt(func(message []byte) ([]byte, error) {
		return sm2.Encrypt(rand.Reader, &key.PublicKey, message, nil)
	}, v)
}

func decryptSM2(key *sm2.PrivateKey, v *provider.Vector) provider.Operation {
	return loop.NewPrivateDecrypt(key, nil, loop.RefusesTampering, v)
}

// sm2Exchange is SM2's with both parties' long-term keys.
func sm2Exchange(v *provider.Vector) (e loop.Exchange, err error) {
	curve, id := ecdh.P256(), gobinding.SM2Identity
	first, err := curve.NewPrivateKey(v.Static[0])
	if err != nil {
		return e, err
	}
	second, err := curve.NewPrivateKey(v.Static[1])
	if err != nil {
		return e, err
	}
	// agree is what a party does with its two keys, the other's long-term key, and what the other has sent.
	agree := func(party, own, other *ecdh.PrivateKey, sent []byte) ([]byte, error) {
		ephemeral, err := curve.NewPublicKey(sent)
		if err != nil {
			return nil, err
		}
		shared, err := party.SM2MQV(own, other.PublicKey(), ephemeral)
		if err != nil {
			return nil, err
		}
		return shared.SM2SharedKey(party == second, provider.SessionBytes, party.PublicKey(), other.PublicKey(), id, id)
	}
	return gobinding.Keys[*ecdh.PrivateKey]{
		Generate: func() (*ecdh.PrivateKey, error) { return curve.GenerateKey(rand.Reader) },
		Read:     curve.NewPrivateKey,
		Private:  (*ecdh.PrivateKey).Bytes,
		Public:   func(k *ecdh.PrivateKey) []byte { return k.PublicKey().Bytes() },
		Secret:   func(own *ecdh.PrivateKey, reply []byte) ([]byte, error) { return agree(first, own, second, reply) },
		Answer: func(public []byte) (secret, reply []byte, err error) {
			own, err := curve.GenerateKey(rand.Reader)
			if err != nil {
				return nil, nil, err
			}
			secret, err = agree(second, own, first, public)
			return secret, own.PublicKey().Bytes(), err
		},
		Derive: gobinding.Derive(sm3.New),
	}.Exchange(), nil
}

func lattices() gobinding.Offer {
	return gobinding.Offer{
		Cases: gobinding.Join(
			dsa(mldsa.GenerateKey44, mldsa.NewKey44).Cases(algorithm.MLDSA44, ""),
			dsa(mldsa.GenerateKey65, mldsa.NewKey65).Cases(algorithm.MLDSA65, ""),
			kem(algorithm.MLKEM768, mlkem.GenerateKey768, mlkem.NewDecapsulationKeyFromSeed768, mlkem.NewEncapsulationKey768),
			kem(algorithm.MLKEM1024, mlkem.GenerateKey1024, mlkem.NewDecapsulationKeyFromSeed1024,
				mlkem.NewEncapsulationKey1024)),
		Allowed: gobinding.Approved,
		Kernel:  latticeKernel,
		Timing:  gobinding.Always(reason.Timing("unknown", "lattice-unexamined")),
		Note: gobinding.Notes{
			algorithm.Sign:   "hedged, of a message of 32 bytes with an empty context",
			algorithm.Verify: "of a message of 32 bytes with an empty context; the public key's matrix was expanded before",
		}.Of,
	}
}

// dsa is ML-DSA with a parameter set: hedged signatures, of messages with an empty context.
func dsa[K interface {
	crypto.Signer
	Seed() []byte
}](generate func(io.Reader) (K, error), read func([]byte) (K, error)) gobinding.Signature[K] {
	type public interface {
		Bytes() []byte
		VerifyWithOptions(signature, message []byte, opts crypto.SignerOpts) bool
	}
	return gobinding.Signature[K]{
		Generate: func() (K, error) { return generate(rand.Reader) },
		Pair:     func(k K) ([]byte, error) { return slices.Concat(k.Seed(), k.Public().(public).Bytes()), nil },
		Read:     read,
		Verifier: func(k K) func(message, signature []byte) bool {
			public := k.Public().(public)
			return func(message, signature []byte) bool { return public.VerifyWithOptions(signature, message, nil) }
		},
	}
}

func kem[D interface {
	Seed() []byte
	Decapsulate([]byte) ([]byte, error)
	EncapsulationKey() E
}, E interface {
	Bytes() []byte
	Encapsulate(io.Reader) (secret, reply []byte, err error)
}](name algorithm.Name, generate func(io.Reader) (D, error), read func([]byte) (D, error),
	readPublic func([]byte) (E, error)) gobinding.Cases {
	e := gobinding.Keys[D]{
		Generate: func() (D, error) { return generate(rand.Reader) },
		Read:     read,
		Private:  D.Seed,
		Public:   func(k D) []byte { return k.EncapsulationKey().Bytes() },
		Secret:   D.Decapsulate,
		Answer: func(public []byte) (secret, reply []byte, err error) {
			key, err := readPublic(public)
			if err != nil {
				return nil, nil, err
			}
			return key.Encapsulate(rand.Reader)
		},
		Derive: gobinding.Derive(sha256.New),
	}.Exchange()
	return gobinding.Exchange(name, func(*provider.Vector) (loop.Exchange, error) { return e, nil })
}

// The envelope of the Chinese standards is SM4's key encrypted by SM2. Its parts are
// those of GB/T 35275-2017's enveloped data; its framing is the laboratory's.
func envelopes() gobinding.Offer {
	return gobinding.Offer{
		Cases: gobinding.Join(
			gobinding.Envelopes(algorithm.SM4GCM, parameter.ReusedKey, payload.Reused),
			gobinding.Envelopes(algorithm.SM2Envelope, "", func(v *provider.Vector) (gobinding.Sealer, error) {
				private, err := sm2.NewPrivateKey(v.Key)
				return payload.Wrapped(gobinding.Wrapping{
					Key: 16, Wrapped: 65 + 32 + 16, // C1‖C3‖C2, C1 uncompressed
					Wrap:   func(key []byte) ([]byte, error) { return sm2.Encrypt(rand.Reader, &private.PublicKey, key, nil) },
					Unwrap: func(key []byte) ([]byte, error) { return private.Decrypt(rand.Reader, key, nil) },
				}), err
			})),
		Allowed: gobinding.Enforced(provider.Unsupported("fips-sm2-sm4")),
		Kernel: func(c result.Case) string {
			if c.Parameters == parameter.ReusedKey {
				return gcm(c.Bytes)
			}
			return sm2Kernel(c) + " / " + gcm(c.Bytes)
		},
		Timing: func(c result.Case) result.ConstantTime {
			return gobinding.EnvelopeTiming(c, cipherTiming(result.Case{Mode: algorithm.GCM, Operation: algorithm.Encrypt, Bytes: c.Bytes}))
		},
		Note: gobinding.Notes{
			parameter.ReusedKey: "the key is scheduled before; a nonce of 96 bits is drawn for each message",
			"": "a key of 128 bits and a nonce of 96 bits are drawn for each message; " +
				"the key is encrypted by SM2, C1‖C3‖C2; cryptogauge's own format, not GB/T 35275",
		}.Of,
	}
}

var payload gobinding.Payload = func(key []byte) (cipher.AEAD, error) {
	a, err := newGCM(key)
	return drawing{a}, err
}

// drawing draws the nonce of each message and puts it first.
type drawing struct{ cipher.AEAD }

func (a drawing) Seal(dst, _, message, aad []byte) []byte {
	var nonce [12]byte
	_, _ = rand.Read(nonce[:]) // never fails
	return a.AEAD.Seal(append(dst, nonce[:]...), nonce[:], message, aad)
}

func (a drawing) Open(dst, _, sealed, aad []byte) ([]byte, error) {
	n := a.NonceSize()
	return a.AEAD.Open(dst, sealed[:n], sealed[n:], aad)
}
