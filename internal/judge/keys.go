package judge

import (
	"crypto/x509/pkix"
	_ "embed" // rsaPrimes
	"encoding/asn1"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/handshake"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/result"
)

// rsaPrimes are those of the laboratory's RSA keys: a line a length, with the two
// primes in hexadecimal. The keys are public, so they protect nothing, and must never
// be used to. They are fixed because a key made at every start of a worker would take
// longer than what is measured with it; the time that RSA takes depends on the key's
// length and hardly on the key. That of 512 bits is shorter than libraries permit.
//
//go:embed rsa_primes.txt
var rsaPrimes string

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

// Object identifiers of RFC 3279 §2.3, RFC 5480 §2.1.1 and GB/T 35276.
var (
	oidRSA      = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}
	oidEC       = asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}
	oidP256     = asn1.ObjectIdentifier{1, 2, 840, 10045, 3, 1, 7}
	oidP384     = asn1.ObjectIdentifier{1, 3, 132, 0, 34}
	oidSM2Curve = asn1.ObjectIdentifier{1, 2, 156, 10197, 1, 301}
	oidX25519   = asn1.ObjectIdentifier{1, 3, 101, 110} // RFC 8410 §3
	oidEd25519  = asn1.ObjectIdentifier{1, 3, 101, 112}
)

// privateKeyInfo is RFC 5958's, in its first version, which is PKCS #8's.
type privateKeyInfo struct {
	Version    int
	Algorithm  pkix.AlgorithmIdentifier
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
	private, err := asn1.Marshal(inner)
	if err != nil {
		return nil, err
	}
	identifier := pkix.AlgorithmIdentifier{Algorithm: algorithm, Parameters: parameters}
	return asn1.Marshal(privateKeyInfo{Algorithm: identifier, PrivateKey: private})
}

const rsaExponent = 65537

func laboratoryRSA(bits int) (*key, error) {
	for line := range strings.Lines(rsaPrimes) {
		var length int
		p, q := new(big.Int), new(big.Int)
		if _, err := fmt.Sscanf(line, "%d %x %x", &length, p, q); err != nil {
			return nil, err
		}
		if length == bits {
			return rsaKey(p, q)
		}
	}
	return nil, reason.New("no-one")
}

func less1(x *big.Int) *big.Int { return new(big.Int).Sub(x, one) }

func rsaKey(p, q *big.Int) (*key, error) {
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
	public := uncompressed(curve, k.x, k.y)
	k.pkcs8, err = encode(oidEC, asn1.RawValue{FullBytes: named},
		ecPrivateKey{Version: 1, PrivateKey: k.scalar, PublicKey: asn1.BitString{Bytes: public, BitLength: 8 * len(public)}})
	return k, err
}

func (j *Judge) scalar(label string, curve *reference.Curve) *big.Int {
	// Longer than the number, so that no remainder is favoured noticeably.
	k := new(big.Int).SetBytes(j.bytes(label, curve.FieldSize()+8))
	k.Mod(k, new(big.Int).Sub(curve.N, big.NewInt(2)))
	return k.Add(k, one)
}

// uncompressed is a point as SEC 1 §2.3.3 has it.
func uncompressed(c *reference.Curve, x, y *big.Int) []byte {
	n := c.FieldSize()
	return slices.Concat([]byte{4}, x.FillBytes(make([]byte, n)), y.FillBytes(make([]byte, n)))
}

func curveOf(name string) (*reference.Curve, asn1.ObjectIdentifier) {
	switch name {
	case algorithm.ECDSA256, algorithm.ECDH256, rootKey:
		return reference.P256(), oidP256
	case algorithm.ECDSA384, algorithm.ECDH384:
		return reference.P384(), oidP384
	case algorithm.SM2, algorithm.SM2Exchange:
		return reference.SM2Curve(), oidSM2Curve
	}
	return nil, nil
}

// rootKey names the key of the certificate that signs all others.
const rootKey = "certificate/root"

// keyOf returns an algorithm's key, which is made once in a process.
func (j *Judge) keyOf(name string) (k *key, err error) {
	if k, ok := j.keys[name]; ok {
		return k, nil
	}
	curve, oid := curveOf(name)
	switch {
	case algorithm.RSABits(name) > 0:
		k, err = laboratoryRSA(algorithm.RSABits(name))
	case curve != nil:
		k, err = j.curveKey(name, curve, oid)
	case name == algorithm.X25519:
		k = &key{scalar: j.bytes("key/"+name, 32)} // which X25519 takes as they are
		k.pkcs8, err = encode(oidX25519, asn1.RawValue{}, k.scalar)
	default:
		err = reason.New("no-one")
	}
	if err != nil {
		return nil, reason.New("encoding-key", name, err)
	}
	j.keys[name] = k
	return k, nil
}

// rsaRoom is how long a message may be (RFC 8017 §7.1.1 and §7.2.1).
func rsaRoom(k *key, mode string) int {
	if mode == algorithm.PKCS1v15 {
		return k.rsa.N.BitLen()/8 - 11
	}
	return k.rsa.N.BitLen()/8 - 2*32 - 2
}

// acceptRSAKey judges a key pair, RFC 8017's RSAPrivateKey in DER: that its numbers
// are what they must be (§3.2), the primes prime, and that what the one half
// encrypts the other decrypts, under the reference.
func acceptRSAKey(bits int) func([]byte) error {
	return func(got []byte) error {
		var k rsaPrivateKey
		if rest, err := asn1.Unmarshal(got, &k); err != nil || len(rest) > 0 {
			return reason.New("rsa-der")
		}
		if k.N.BitLen() != bits {
			return reason.New("modulus-bits", k.N.BitLen(), bits)
		}
		if err := k.equations(); err != nil {
			return err
		}
		message := []byte("what one half encrypts the other decrypts")
		pair := reference.RSAKey{N: k.N, E: big.NewInt(int64(k.E)), D: k.D}
		in := append(make([]byte, (bits+7)/8-len(message)), message...)
		encrypted, err := pair.Raise(in, pair.E)
		if err != nil {
			return err
		}
		decrypted, err := pair.Raise(encrypted, pair.D)
		if err != nil {
			return err
		}
		return compared(decrypted, in, reason.New("pair-wrong"))
	}
}

func (k rsaPrivateKey) equations() error {
	inverse := func(a, b, n *big.Int) bool { // a·b = 1 mod n
		ab := new(big.Int).Mul(a, b)
		return ab.Mod(ab, n).Cmp(one) == 0
	}
	if k.P.Cmp(one) <= 0 || k.Q.Cmp(one) <= 0 {
		return reason.New("no-primes")
	}
	e := big.NewInt(int64(k.E))
	for _, equation := range []struct {
		holds bool
		what  any
	}{
		{k.E == rsaExponent, "e = 65537"},
		{k.P.ProbablyPrime(0) && k.Q.ProbablyPrime(0), reason.Cause("primes")},
		{new(big.Int).Mul(k.P, k.Q).Cmp(k.N) == 0, "n = p·q"},
		{inverse(k.Dp, e, less1(k.P)), "e·dP = 1 mod p−1"},
		{inverse(k.Dq, e, less1(k.Q)), "e·dQ = 1 mod q−1"},
		{inverse(k.D, e, less1(k.P)) && inverse(k.D, e, less1(k.Q)), "e·d = 1 mod λ(n)"},
		{inverse(k.Qi, k.Q, k.P), "q·qInv = 1 mod p"},
	} {
		if !equation.holds {
			return reason.New("rsa-equation", equation.what)
		}
	}
	return nil
}

// acceptOwnRSAKey judges what was computed anew of the laboratory's key.
func acceptOwnRSAKey(own *key) func([]byte) error {
	accept := acceptRSAKey(own.rsa.N.BitLen())
	return func(got []byte) error {
		var k rsaPrivateKey
		if _, err := asn1.Unmarshal(got, &k); err == nil && k.N.Cmp(own.rsa.N) != 0 {
			return reason.New("other-key")
		}
		return accept(got)
	}
}

// A handshake's vector holds keys alone: the server's and its root's. Handshakes
// differ by what both sides draw, so that no output of theirs could be compared;
// package handshake says how they are judged.

func handshakeMessage(c result.Case) (result.Case, error) {
	if _, ok := handshake.ShapeOf(c); !ok {
		return c, provider.Unsupported("no-keys", c.Name()+" "+c.Operation+" "+c.Parameters)
	}
	_, certificate := algorithm.HandshakeParts(c.Mode)
	return result.Case{Algorithm: c.Algorithm, Mode: certificate, Operation: "certificate"}, nil // which they share
}

func (j *Judge) handshakeVector(c result.Case) (*provider.Vector, error) {
	root, err := j.keyOf(rootKey)
	if err != nil {
		return nil, err
	}
	server, err := j.signer(c.Mode, "certificate")
	if err != nil {
		return nil, err
	}
	return &provider.Vector{Key: root.scalar, PKCS8: server.pkcs8}, nil
}

// signer is the key of an algorithm that signs for a purpose; each purpose has its own of Ed25519.
func (j *Judge) signer(name, purpose string) (*key, error) {
	if name != algorithm.Ed25519 {
		return j.keyOf(name)
	}
	pkcs8, err := encode(oidEd25519, asn1.RawValue{}, j.random("key/Ed25519/"+purpose, 32))
	return &key{pkcs8: pkcs8}, err
}
