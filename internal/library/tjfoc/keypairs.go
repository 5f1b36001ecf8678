package tjfoc

import (
	"crypto/rand"
	"encoding/asn1"
	"math/big"

	"github.com/tjfoc/gmsm/sm2"
	"github.com/tjfoc/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

type openVector = func(*provider.Vector) (provider.Operation, error)

// keyPair returns how a case of key generation, or of a verification without the
// signer's identity to hash, is opened; nil where it is none. To sign a digest that
// is ready the library has no function.
func keyPair(c result.Case) openVector {
	if c.Mode != "" {
		return nil
	}
	switch c.Algorithm + " " + c.Operation + " " + c.Parameters {
	case "SM2 generate ":
		return generateSM2
	case "SM2 verify za=precomputed":
		return verifyWithZA
	}
	return openExchange(c)
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
		func(k *sm2.PrivateKey) error { return v.Accept(pair(k)) }), nil
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

// keyOf is the private key of a number.
func keyOf(number []byte) *sm2.PrivateKey {
	key := &sm2.PrivateKey{D: new(big.Int).SetBytes(number)}
	key.Curve = sm2.P256Sm2()
	//lint:ignore SA1019 the library's public keys are a curve's bare coordinates
	key.X, key.Y = key.Curve.ScalarBaseMult(number)
	return key
}

func verifyWithZA(v *provider.Vector) (provider.Operation, error) {
	key := keyOf(v.Key)
	za, err := sm2.ZA(&key.PublicKey, []byte("1234567812345678"))
	if err != nil {
		return nil, err
	}
	return loop.NewVerify(func(message, signature []byte) error {
		h := sm3.New()
		h.Write(za)
		h.Write(message)
		var s struct{ R, S *big.Int }
		if rest, err := asn1.Unmarshal(signature, &s); err != nil || len(rest) > 0 || !sm2.Verify(&key.PublicKey, h.Sum(nil), s.R, s.S) {
			return loop.ErrSignature
		}
		return nil
	}, v), nil
}

func keyPairNote(c result.Case) string {
	if c.Parameters == "za=precomputed" {
		return "hashes a message of 32 bytes with SM3 inside the call; the digest of the signer's identity was computed before"
	}
	if c.Algorithm == "SM2-exchange" && c.Operation != "generate" {
		return loop.NoteSM2Exchange
	}
	return ""
}
