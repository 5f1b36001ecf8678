package tjfoc

import (
	"math/big"

	"github.com/tjfoc/gmsm/sm2"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

func offersSM2(c result.Case) error {
	if c.Mode == "" && c.Parameters == "" && (c.Operation == "sign" || c.Operation == "verify") {
		return nil
	}
	return provider.Absent("not-offered", "tjfoc", c.Name()+" "+c.Operation)
}

// openSM2 signs messages for the usual identity.
func openSM2(c result.Case, v *provider.Vector) (provider.Operation, error) {
	key := newSM2Key(v)
	if c.Operation == "sign" {
		return loop.NewSign(key, nil, v), nil
	}
	return loop.NewVerify(func(message, signature []byte) error {
		if !key.PublicKey.Verify(message, signature) {
			return loop.ErrSignature
		}
		return nil
	}, v), nil
}

func newSM2Key(v *provider.Vector) *sm2.PrivateKey {
	key := &sm2.PrivateKey{D: new(big.Int).SetBytes(v.Key)}
	key.Curve = sm2.P256Sm2()
	//lint:ignore SA1019 the library's public keys are a curve's bare coordinates
	key.X, key.Y = key.Curve.ScalarBaseMult(v.Key)
	return key
}

// openCollector asks what a signature's garbage costs.
func (l library) openCollector(c result.Case) (provider.Scenario, error) {
	if c.Mode != "" || c.Operation != "sign" {
		return nil, provider.Absent("not-offered", "tjfoc", c.Name()+" "+c.Operation)
	}
	if err := allowed(c); err != nil {
		return nil, err
	}
	v, err := l.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	return loop.SignGC(c, newSM2Key(v), nil, v)
}

func sm2ConstantTime(c result.Case) result.ConstantTime {
	if c.Operation == "verify" {
		return reason.Timing("yes", "public-key")
	}
	return reason.Timing("no", "math-big")
}

const noteSM2 = "hashes the signer's identity and a message of 32 bytes with SM3 inside the call"
