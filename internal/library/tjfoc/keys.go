package tjfoc

import (
	"crypto/rand"
	"encoding/asn1"
	"math/big"

	"github.com/tjfoc/gmsm/sm2"
	"github.com/tjfoc/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/library/tlcp"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// sm2Keys has no signature of a digest that is ready: the library has no function for it.
func sm2Keys() gobinding.Offer {
	return gobinding.SM2(signature, reason.Timing("no", "math-big"), generic,
		gobinding.Cases{
			{Algorithm: algorithm.SM2, Operation: algorithm.Verify, Parameters: parameter.PrecomputedZA}: verifyWithZA,
		},
		gobinding.Exchange(algorithm.SM2Exchange, exchange))
}

var signature = gobinding.Signature[*sm2.PrivateKey]{
	Generate: func() (*sm2.PrivateKey, error) { return sm2.GenerateKey(rand.Reader) },
	Pair:     func(k *sm2.PrivateKey) ([]byte, error) { return pair(k), nil },
	Read:     func(private []byte) (*sm2.PrivateKey, error) { return tlcp.KeyOf(private), nil },
	Verifier: func(k *sm2.PrivateKey) func(message, signature []byte) bool { return k.PublicKey.Verify },
}

// pair is a key as the judge reads it: the number, and the point, uncompressed.
func pair(k *sm2.PrivateKey) []byte {
	out := make([]byte, 32+65)
	k.D.FillBytes(out[:32])
	out[32] = 4
	k.X.FillBytes(out[33:65])
	k.Y.FillBytes(out[65:])
	return out
}

func verifyWithZA(v *provider.Vector) (provider.Operation, error) {
	key := tlcp.KeyOf(v.Key)
	za, err := sm2.ZA(&key.PublicKey, gobinding.SM2Identity)
	if err != nil {
		return nil, err
	}
	return loop.NewVerify(func(message, signature []byte) error {
		h := sm3.New()
		h.Write(za)
		h.Write(message)
		var s struct{ R, S *big.Int }
		rest, err := asn1.Unmarshal(signature, &s)
		if err != nil || len(rest) > 0 || !sm2.Verify(&key.PublicKey, h.Sum(nil), s.R, s.S) {
			return loop.ErrSignature
		}
		return nil
	}, v), nil
}

// point reads an uncompressed point. The library has no function for that, and
// checks in the exchange whether it is on the curve.
func point(b []byte) (*sm2.PublicKey, error) {
	if len(b) != 65 || b[0] != 4 {
		return nil, reason.New("uncompressed")
	}
	return &sm2.PublicKey{Curve: sm2.P256Sm2(), X: new(big.Int).SetBytes(b[1:33]), Y: new(big.Int).SetBytes(b[33:])}, nil
}

func exchange(v *provider.Vector) (loop.Exchange, error) {
	first, second, id := tlcp.KeyOf(v.Static[0]), tlcp.KeyOf(v.Static[1]), gobinding.SM2Identity
	return gobinding.Keys[*sm2.PrivateKey]{
		Generate: signature.Generate,
		Read:     signature.Read,
		Private:  func(k *sm2.PrivateKey) []byte { return pair(k)[:32] },
		Public:   func(k *sm2.PrivateKey) []byte { return pair(k)[32:] },
		Secret: func(own *sm2.PrivateKey, reply []byte) ([]byte, error) {
			ephemeral, err := point(reply)
			if err != nil {
				return nil, err
			}
			key, _, _, err := sm2.KeyExchangeA(provider.SessionBytes, id, id, first,
				&second.PublicKey, own, ephemeral)
			return key, err
		},
		Answer: func(public []byte) (secret, reply []byte, err error) {
			theirs, err := point(public)
			if err != nil {
				return nil, nil, err
			}
			own, err := sm2.GenerateKey(rand.Reader)
			if err != nil {
				return nil, nil, err
			}
			secret, _, _, err = sm2.KeyExchangeB(provider.SessionBytes, id, id, second,
				&first.PublicKey, own, theirs)
			return secret, pair(own)[32:], err
		},
		Derive: gobinding.Derive(sm3.New),
	}.Exchange(), nil
}
