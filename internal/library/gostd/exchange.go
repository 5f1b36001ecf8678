package gostd

import (
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/mlkem"
	"crypto/rand"
	"crypto/sha256"

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
	e, ok := exchangeOf(c.Algorithm)
	if !ok || c.Mode != "" {
		return nil
	}
	return func(v *provider.Vector) (provider.Operation, error) { return loop.OpenExchange(e, c, v) }
}

func exchangeOf(algorithm string) (loop.Exchange, bool) {
	switch algorithm {
	case "ECDH-P-256":
		return diffieHellman(ecdh.P256()), true
	case "ECDH-P-384":
		return diffieHellman(ecdh.P384()), true
	case "X25519":
		return diffieHellman(ecdh.X25519()), true
	case "ML-KEM-768":
		return kem768, true
	case "ML-KEM-1024":
		return kem1024, true
	case "X25519MLKEM768":
		return hybrid, true
	}
	return loop.Exchange{}, false
}

func exchangeNote(c result.Case) string {
	if openExchange(c) == nil || c.Operation == algorithm.Generate {
		return ""
	}
	switch {
	case c.Operation == algorithm.SessionKey:
		return "HKDF with SHA-256 of a secret that is there"
	case c.Operation == algorithm.Session:
		return "both parties' work, and HKDF with SHA-256 on both sides"
	case c.Algorithm == "X25519MLKEM768":
		return "put together of crypto/mlkem and crypto/ecdh as TLS 1.3 does"
	}
	return "what arrives is read and checked inside the call"
}

func derive(secret []byte) ([]byte, error) {
	return hkdf.Key(sha256.New, secret, nil, provider.SessionInfo, provider.SessionBytes)
}

// curveHalf is a private key of a curve.
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

// kemHalf is a decapsulation key of either parameter set.
type kemHalf struct {
	key interface {
		Bytes() []byte
		Decapsulate([]byte) ([]byte, error)
	}
	public []byte
}

func (h kemHalf) Private() []byte                          { return h.key.Bytes() }
func (h kemHalf) Public() []byte                           { return h.public }
func (h kemHalf) Decapsulate(reply []byte) ([]byte, error) { return h.key.Decapsulate(reply) }

func half768(key *mlkem.DecapsulationKey768, err error) (loop.PrivateHalf, error) {
	if err != nil {
		return nil, err
	}
	return kemHalf{key, key.EncapsulationKey().Bytes()}, nil
}

func half1024(key *mlkem.DecapsulationKey1024, err error) (loop.PrivateHalf, error) {
	if err != nil {
		return nil, err
	}
	return kemHalf{key, key.EncapsulationKey().Bytes()}, nil
}

var kem768 = loop.Exchange{
	Generate: func() (loop.PrivateHalf, error) { return half768(mlkem.GenerateKey768()) },
	Encapsulate: func(public []byte) (secret, reply []byte, err error) {
		key, err := mlkem.NewEncapsulationKey768(public)
		if err != nil {
			return nil, nil, err
		}
		secret, reply = key.Encapsulate()
		return secret, reply, nil
	},
	Read:   func(seed []byte) (loop.PrivateHalf, error) { return half768(mlkem.NewDecapsulationKey768(seed)) },
	Derive: derive,
}

var kem1024 = loop.Exchange{
	Generate: func() (loop.PrivateHalf, error) { return half1024(mlkem.GenerateKey1024()) },
	Encapsulate: func(public []byte) (secret, reply []byte, err error) {
		key, err := mlkem.NewEncapsulationKey1024(public)
		if err != nil {
			return nil, nil, err
		}
		secret, reply = key.Encapsulate()
		return secret, reply, nil
	},
	Read:   func(seed []byte) (loop.PrivateHalf, error) { return half1024(mlkem.NewDecapsulationKey1024(seed)) },
	Derive: derive,
}

var hybrid = loop.Hybrid(kem768, diffieHellman(ecdh.X25519()))
