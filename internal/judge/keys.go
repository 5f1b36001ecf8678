package judge

import (
	"encoding/asn1"
	"math/big"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
)

// The primes of the laboratory's RSA key. It is public, so it protects nothing,
// and must never be used to. It is fixed because a key made at every start of a
// worker would take longer than what is measured with it; RSA's time depends on
// the key's length and hardly on the key.
const (
	rsa2048P = "f481967a14fc6b47375b3403357c5fd7d40d40bf24b1672960875cf7ee4de7925cd7ea5868472aea21bdd8aedc9ec2e5" +
		"82bdc173ab80639ec9d061ec11397d9a026b90c611c1df69971fb8ad407eec83a7cbb6af5e28641f7e7960cd4838e9bf" +
		"d0eb3bee478842214aba3542b012669e6f5ad9e2a5c13b98a8147af8a263cc7f"
	rsa2048Q = "eafe0eaeed3f616d390088d4a2157eb154ff4bdc32d8de6da9064d4c091e4ea67d5502fa660880bad4380f730b2f2610" +
		"7fd80553a5db98158a148ceb347afb0eec9bd62692a493e616dd8b31a60bcf7aa194c0303f8a045e60cc5035790720f3" +
		"94c5ba0f75c521953d8ebd12b534b21bdc1598a52487c680f4da262cfb8efc0f"
)

// key is a private key as the reference needs it and as libraries read it.
type key struct {
	rsa    reference.RSAKey
	curve  *reference.Curve // nil for RSA and X25519
	d      *big.Int         // of a curve
	x, y   *big.Int         // the public point
	scalar []byte           // as the curve has it
	pkcs8  []byte
}

var one = big.NewInt(1)

func number(hexadecimal string) *big.Int {
	n, ok := new(big.Int).SetString(hexadecimal, 16)
	if !ok {
		panic("library: internal error: a constant is not hexadecimal")
	}
	return n
}

// Object identifiers of RFC 3279 §2.3, RFC 5480 §2.1.1 and GB/T 35276.
var (
	oidRSA      = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}
	oidEC       = asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}
	oidP256     = asn1.ObjectIdentifier{1, 2, 840, 10045, 3, 1, 7}
	oidP384     = asn1.ObjectIdentifier{1, 3, 132, 0, 34}
	oidSM2Curve = asn1.ObjectIdentifier{1, 2, 156, 10197, 1, 301}
	oidX25519   = asn1.ObjectIdentifier{1, 3, 101, 110} // RFC 8410 §3
)

// privateKeyInfo is RFC 5958's, in its first version, which is PKCS #8's.
type privateKeyInfo struct {
	Version   int
	Algorithm struct {
		Algorithm  asn1.ObjectIdentifier
		Parameters asn1.RawValue `asn1:"optional"`
	}
	PrivateKey []byte
}

// rsaPrivateKey is RFC 8017's, appendix A.1.2.
type rsaPrivateKey struct {
	Version             int
	N                   *big.Int
	E                   int
	D, P, Q, Dp, Dq, Qi *big.Int
}

// ecPrivateKey is RFC 5915's.
type ecPrivateKey struct {
	Version    int
	PrivateKey []byte
	PublicKey  asn1.BitString `asn1:"optional,explicit,tag:1"`
}

// encode writes PKCS #8: the algorithm, its parameters, and the key inside.
func encode(algorithm asn1.ObjectIdentifier, parameters asn1.RawValue, inner any) ([]byte, error) {
	var info privateKeyInfo
	var err error
	info.Algorithm.Algorithm, info.Algorithm.Parameters = algorithm, parameters
	if info.PrivateKey, err = asn1.Marshal(inner); err != nil {
		return nil, err
	}
	return asn1.Marshal(info)
}

const rsaExponent = 65537

func rsaKey(p, q *big.Int) (*key, error) {
	less1 := func(x *big.Int) *big.Int { return new(big.Int).Sub(x, one) }
	e := big.NewInt(rsaExponent)
	d := new(big.Int).ModInverse(e, new(big.Int).Mul(less1(p), less1(q)))
	k := &key{rsa: reference.RSAKey{N: new(big.Int).Mul(p, q), E: e, D: d, P: p, Q: q}}
	pkcs8, err := encode(oidRSA, asn1.NullRawValue, rsaPrivateKey{N: k.rsa.N, E: rsaExponent, D: d, P: p, Q: q,
		Dp: new(big.Int).Mod(d, less1(p)), Dq: new(big.Int).Mod(d, less1(q)), Qi: new(big.Int).ModInverse(q, p)})
	k.pkcs8 = pkcs8
	return k, err
}

// curveKey draws a key from the seed: between 1 and n−2, as SM2 has it.
func (j *Judge) curveKey(label string, curve *reference.Curve, oid asn1.ObjectIdentifier) (*key, error) {
	k := &key{curve: curve, d: j.scalar("key/"+label, curve)}
	k.x, k.y = curve.ScalarBaseMult(k.d)
	k.scalar = k.d.FillBytes(make([]byte, curve.FieldSize()))
	named, err := asn1.Marshal(oid)
	if err != nil {
		return nil, err
	}
	public := k.point()
	k.pkcs8, err = encode(oidEC, asn1.RawValue{FullBytes: named},
		ecPrivateKey{Version: 1, PrivateKey: k.scalar, PublicKey: asn1.BitString{Bytes: public, BitLength: 8 * len(public)}})
	return k, err
}

// montgomeryKey draws 32 bytes, which X25519 takes as they are.
func (j *Judge) montgomeryKey(label string) (k *key, err error) {
	k = &key{scalar: make([]byte, 32)}
	_, _ = seeded.Source(j.seed, "key/"+label).Read(k.scalar)
	k.pkcs8, err = encode(oidX25519, asn1.RawValue{}, k.scalar)
	return k, err
}

// scalar draws a number between 1 and n−2.
func (j *Judge) scalar(label string, curve *reference.Curve) *big.Int {
	wide := make([]byte, curve.FieldSize()+8) // so that no remainder is favoured noticeably
	_, _ = seeded.Source(j.seed, label).Read(wide)
	k := new(big.Int).SetBytes(wide)
	k.Mod(k, new(big.Int).Sub(curve.N, big.NewInt(2)))
	return k.Add(k, one)
}

// point is the public key, uncompressed (SEC 1 §2.3.3).
func (k *key) point() []byte { return uncompressed(k.curve, k.x, k.y) }

func uncompressed(c *reference.Curve, x, y *big.Int) []byte {
	n := c.FieldSize()
	point := append([]byte{4}, make([]byte, 2*n)...)
	x.FillBytes(point[1 : 1+n])
	y.FillBytes(point[1+n:])
	return slices.Clip(point)
}

// keyOf returns an algorithm's key, which is made once in a process.
func (j *Judge) keyOf(algorithm string) (*key, error) {
	if k, ok := j.keys[algorithm]; ok {
		return k, nil
	}
	var k *key
	var err error
	if bits := rsaBits(algorithm); bits > 0 {
		k, err = laboratoryRSA(bits)
	} else {
		k, err = j.keyOnCurve(algorithm)
	}
	if err != nil {
		return nil, reason.New("encoding-key", algorithm, err)
	}
	j.keys[algorithm] = k
	return k, nil
}

// keyOnCurve is keyOf for what is no RSA.
func (j *Judge) keyOnCurve(name string) (*key, error) {
	switch name {
	case algorithm.ECDSA256, algorithm.ECDH256:
		return j.curveKey(name, reference.P256(), oidP256)
	case algorithm.ECDSA384, algorithm.ECDH384:
		return j.curveKey(name, reference.P384(), oidP384)
	case algorithm.SM2:
		return j.curveKey(name, reference.SM2Curve(), oidSM2Curve)
	case algorithm.X25519:
		return j.montgomeryKey(name)
	}
	return nil, reason.New("no-one")
}
