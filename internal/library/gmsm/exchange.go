package gmsm

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"hash"
	"io"

	"github.com/emmansun/gmsm/ecdh"
	"github.com/emmansun/gmsm/mlkem"
	"github.com/emmansun/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// openExchange returns how a step of a key exchange is opened; nil where it is none.
func openExchange(c result.Case) openVector {
	switch c.Operation {
	case algorithm.Generate, algorithm.Encapsulate, algorithm.Decapsulate, algorithm.Session, algorithm.SessionKey:
	default:
		return nil
	}
	open := func(e loop.Exchange) openVector {
		return func(v *provider.Vector) (provider.Operation, error) { return loop.OpenExchange(e, c, v) }
	}
	switch c.Algorithm {
	case "ML-KEM-768":
		return open(kem(mlkem.GenerateKey768, mlkem.NewDecapsulationKeyFromSeed768, mlkem.NewEncapsulationKey768,
			func(k *mlkem.DecapsulationKey768) []byte { return k.EncapsulationKey().Bytes() }))
	case "ML-KEM-1024":
		return open(kem(mlkem.GenerateKey1024, mlkem.NewDecapsulationKeyFromSeed1024, mlkem.NewEncapsulationKey1024,
			func(k *mlkem.DecapsulationKey1024) []byte { return k.EncapsulationKey().Bytes() }))
	case "SM2-exchange":
		return func(v *provider.Vector) (provider.Operation, error) {
			e, err := sm2Exchange(v.Static)
			if err != nil {
				return nil, err
			}
			return loop.OpenExchange(e, c, v)
		}
	}
	return nil
}

func derive(h func() hash.Hash) func([]byte) ([]byte, error) {
	return func(secret []byte) ([]byte, error) {
		return hkdf.Key(h, secret, nil, provider.SessionInfo, provider.SessionBytes)
	}
}

// decapsulationKey is that of either parameter set.
type decapsulationKey interface {
	Seed() []byte
	Decapsulate([]byte) ([]byte, error)
}

type kemHalf struct {
	decapsulationKey
	public []byte
}

func (h kemHalf) Private() []byte { return h.Seed() }
func (h kemHalf) Public() []byte  { return h.public }

func kem[D decapsulationKey, E interface {
	Encapsulate(io.Reader) (secret, reply []byte, err error)
}](generate func(io.Reader) (D, error), read func([]byte) (D, error), readPublic func([]byte) (E, error), public func(D) []byte) loop.Exchange {
	half := func(key D, err error) (loop.PrivateHalf, error) {
		if err != nil {
			return nil, err
		}
		return kemHalf{key, public(key)}, nil
	}
	return loop.Exchange{
		Generate: func() (loop.PrivateHalf, error) { return half(generate(rand.Reader)) },
		Encapsulate: func(public []byte) (secret, reply []byte, err error) {
			key, err := readPublic(public)
			if err != nil {
				return nil, nil, err
			}
			return key.Encapsulate(rand.Reader)
		},
		Read:   func(seed []byte) (loop.PrivateHalf, error) { return half(read(seed)) },
		Derive: derive(sha256.New),
	}
}

var identity = []byte("1234567812345678")

// sm2Half is the ephemeral key of the party that begins.
type sm2Half struct {
	key, static *ecdh.PrivateKey
	peer        *ecdh.PublicKey
}

func (h sm2Half) Private() []byte { return h.key.Bytes() }
func (h sm2Half) Public() []byte  { return h.key.PublicKey().Bytes() }

func (h sm2Half) Decapsulate(reply []byte) ([]byte, error) {
	ephemeral, err := ecdh.P256().NewPublicKey(reply)
	if err != nil {
		return nil, err
	}
	shared, err := h.static.SM2MQV(h.key, h.peer, ephemeral)
	if err != nil {
		return nil, err
	}
	return shared.SM2SharedKey(false, provider.SessionBytes, h.static.PublicKey(), h.peer, identity, identity)
}

// sm2Exchange is SM2's with both parties' long-term keys.
func sm2Exchange(static [2][]byte) (e loop.Exchange, err error) {
	first, err := ecdh.P256().NewPrivateKey(static[0])
	if err != nil {
		return e, err
	}
	second, err := ecdh.P256().NewPrivateKey(static[1])
	if err != nil {
		return e, err
	}
	half := func(key *ecdh.PrivateKey, err error) (loop.PrivateHalf, error) {
		return sm2Half{key, first, second.PublicKey()}, err
	}
	e.Generate = func() (loop.PrivateHalf, error) { return half(ecdh.P256().GenerateKey(rand.Reader)) }
	e.Read = func(private []byte) (loop.PrivateHalf, error) { return half(ecdh.P256().NewPrivateKey(private)) }
	e.Derive = derive(sm3.New)
	e.Encapsulate = func(public []byte) (secret, reply []byte, err error) {
		theirs, err := ecdh.P256().NewPublicKey(public)
		if err != nil {
			return nil, nil, err
		}
		own, err := ecdh.P256().GenerateKey(rand.Reader)
		if err != nil {
			return nil, nil, err
		}
		shared, err := second.SM2MQV(own, first.PublicKey(), theirs)
		if err != nil {
			return nil, nil, err
		}
		secret, err = shared.SM2SharedKey(true, provider.SessionBytes, second.PublicKey(), first.PublicKey(), identity, identity)
		return secret, own.PublicKey().Bytes(), err
	}
	return e, nil
}
