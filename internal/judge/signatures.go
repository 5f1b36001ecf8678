package judge

import (
	"bytes"
	"math/big"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// signatureModes are the classes of the signature schemes that signatures.go of
// package question asks about, besides those of publicModes.
var signatureModes = map[string]map[string][]string{
	algorithm.ECDSA256: {generation: {""}},
	algorithm.ECDSA384: {signature: {""}, generation: {""}},
	algorithm.Ed25519:  {signature: {""}, generation: {""}},
	algorithm.SM2:      {generation: {""}},
	algorithm.MLDSA44:  {signature: {""}, generation: {""}},
	algorithm.MLDSA65:  {signature: {""}, generation: {""}},
}

// seedScheme is a scheme whose private key is random bytes.
type seedScheme struct {
	seed   int
	public func(seed []byte) []byte
	sign   func(seed, msg, random []byte) []byte // nil where it does not sign
	verify func(public, msg, signature []byte) error
}

func schemeOf(name string) (s seedScheme, ok bool) {
	switch name {
	case algorithm.Ed25519:
		return seedScheme{32, reference.Ed25519Public,
			func(seed, msg, _ []byte) []byte { return reference.Ed25519Sign(seed, msg) }, reference.Ed25519Verify}, true
	case algorithm.MLDSA44:
		return mldsaScheme(reference.MLDSA44()), true
	case algorithm.MLDSA65:
		return mldsaScheme(reference.MLDSA65()), true
	}
	return s, false
}

func mldsaScheme(m reference.MLDSA) seedScheme {
	return seedScheme{32,
		func(seed []byte) []byte { return reference.MLDSAPublic(m, seed) },
		func(seed, msg, random []byte) []byte { return reference.MLDSASign(m, seed, msg, nil, random) },
		func(public, msg, signature []byte) error {
			return reference.MLDSAVerify(m, public, msg, nil, signature)
		}}
}

// seedVector makes the vector of a scheme of random keys.
func (j *Judge) seedVector(c result.Case, s seedScheme, label string) *provider.Vector {
	if c.Operation == generation {
		return &provider.Vector{Accept: acceptPair(s.seed, func(seed []byte) ([]byte, error) { return s.public(seed), nil })}
	}
	v := &provider.Vector{Key: j.bytes("key/"+c.Algorithm, s.seed), Signed: j.bytes(label, transportBytes)}
	v.Peer = s.public(v.Key)
	v.Signature = s.sign(v.Key, v.Signed, j.random(label, 32))
	v.Accept = func(got []byte) error { return s.verify(v.Peer, v.Signed, got) }
	return v
}

// bytes draws what belongs to a label.
func (j *Judge) bytes(label string, n int) []byte {
	b := make([]byte, n)
	_, _ = seeded.Source(j.seed, label).Read(b)
	return b
}

// acceptPair judges a new key, private‖public: that the one belongs to the other.
func acceptPair(private int, public func(private []byte) ([]byte, error)) func([]byte) error {
	return func(got []byte) error {
		if len(got) <= private {
			return reason.New("no-key")
		}
		want, err := public(got[:private])
		if err != nil {
			return reason.New("bad-private", err)
		}
		if !bytes.Equal(want, got[private:]) {
			return reason.New("public-private")
		}
		return nil
	}
}

// acceptCurveKey judges a new key of a curve: the private number and the point,
// uncompressed.
func acceptCurveKey(curve *reference.Curve) func([]byte) error {
	return acceptPair(curve.FieldSize(), func(private []byte) ([]byte, error) {
		d := new(big.Int).SetBytes(private)
		if d.Sign() == 0 || d.Cmp(curve.N) >= 0 {
			return nil, reason.New("scalar")
		}
		x, y := curve.ScalarBaseMult(d)
		return uncompressed(curve, x, y), nil
	})
}
