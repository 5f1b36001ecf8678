package tjfoc

import (
	"crypto/hkdf"
	"crypto/rand"
	"math/big"

	"github.com/tjfoc/gmsm/sm2"
	"github.com/tjfoc/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// openExchange returns how a step of SM2's key exchange is opened; nil where it is none.
func openExchange(c result.Case) openVector {
	switch c.Operation {
	case algorithm.Generate, algorithm.Encapsulate, algorithm.Decapsulate, algorithm.Session, algorithm.SessionKey:
	default:
		return nil
	}
	if c.Algorithm != "SM2-exchange" || c.Parameters != "" {
		return nil
	}
	return func(v *provider.Vector) (provider.Operation, error) {
		return loop.OpenExchange(exchange(v.Static), c, v)
	}
}

var identity = []byte("1234567812345678")

// half is the ephemeral key of the party that begins.
type half struct {
	key, static *sm2.PrivateKey
	peer        *sm2.PublicKey
}

func (h half) Private() []byte { return pair(h.key)[:32] }
func (h half) Public() []byte  { return pair(h.key)[32:] }

func (h half) Decapsulate(reply []byte) ([]byte, error) {
	ephemeral, err := point(reply)
	if err != nil {
		return nil, err
	}
	key, _, _, err := sm2.KeyExchangeA(provider.SessionBytes, identity, identity, h.static, h.peer, h.key, ephemeral)
	return key, err
}

// point reads an uncompressed point. The library has no function for that, and
// checks in the exchange whether it is on the curve.
func point(b []byte) (*sm2.PublicKey, error) {
	if len(b) != 65 || b[0] != 4 {
		return nil, reason.New("uncompressed")
	}
	return &sm2.PublicKey{Curve: sm2.P256Sm2(), X: new(big.Int).SetBytes(b[1:33]), Y: new(big.Int).SetBytes(b[33:])}, nil
}

func exchange(static [2][]byte) loop.Exchange {
	first, second := keyOf(static[0]), keyOf(static[1])
	return loop.Exchange{
		Generate: func() (loop.PrivateHalf, error) {
			key, err := sm2.GenerateKey(rand.Reader)
			return half{key, first, &second.PublicKey}, err
		},
		Read: func(private []byte) (loop.PrivateHalf, error) {
			return half{keyOf(private), first, &second.PublicKey}, nil
		},
		Encapsulate: func(public []byte) (secret, reply []byte, err error) {
			theirs, err := point(public)
			if err != nil {
				return nil, nil, err
			}
			own, err := sm2.GenerateKey(rand.Reader)
			if err != nil {
				return nil, nil, err
			}
			secret, _, _, err = sm2.KeyExchangeB(provider.SessionBytes, identity, identity, second, &first.PublicKey, own, theirs)
			return secret, pair(own)[32:], err
		},
		Derive: func(secret []byte) ([]byte, error) {
			return hkdf.Key(sm3.New, secret, nil, provider.SessionInfo, provider.SessionBytes)
		},
	}
}
