package reference

import (
	"bytes"
	"errors"
	"math/big"
)

// Ed25519Verify checks a signature of 64 bytes under a public key of 32 (RFC 8032 §5.1.7). Of the two equations that
// the standard allows it takes the one without the cofactor, as Go and OpenSSL do, and of the public key only the
// canonical encoding (§5.1.3); honest signers never make a difference.
func Ed25519Verify(pub, msg, sig []byte) error {
	if len(pub) != 32 || len(sig) != 64 {
		return errors.New("reference: Ed25519 takes a public key of 32 and a signature of 64 bytes")
	}
	a, err := decodeEdwards(pub)
	if err != nil {
		return err
	}
	s, order := fromLittleEndian(sig[32:]), edwardsOrder()
	if s.Cmp(order) >= 0 {
		return errors.New("reference: Ed25519 signature has S outside [0, L)")
	}
	k := fromLittleEndian(SHA512(append(append(bytes.Clone(sig[:32]), pub...), msg...)))
	minusA := edwardsPoint{new(big.Int).Sub(prime25519, a.x), a.y}
	r := edwardsBase().multiply(s).add(minusA.multiply(k.Mod(k, order))) // R = [S]B − [k]A
	if !bytes.Equal(r.encode(), sig[:32]) {
		return errors.New("reference: Ed25519 signature is of something else")
	}
	return nil
}

// edwardsPoint is a point of −x² + y² = 1 + dx²y² over the field of 2²⁵⁵−19 elements (RFC 8032 §5.1).
type edwardsPoint struct{ x, y *big.Int }

// edwardsD is d = −121665/121666 (RFC 8032 §5.1).
var edwardsD = mul25519(big.NewInt(-121665), inverse25519(big.NewInt(121666)))

// edwardsOrder is L, the order of the base point (RFC 8032 §5.1).
func edwardsOrder() *big.Int {
	tail, _ := new(big.Int).SetString("27742317777372353535851937790883648493", 10)
	return tail.Add(tail, new(big.Int).Lsh(big.NewInt(1), 252))
}

// edwardsBase is B, the point with y = 4/5 and an even x (RFC 8032 §5.1; RFC 7748 §4.1).
func edwardsBase() edwardsPoint {
	b, err := decodeEdwards(littleEndian32(mul25519(big.NewInt(4), inverse25519(big.NewInt(5)))))
	must(err == nil, "Ed25519 has no base point")
	return b
}

// add is the complete addition law, written without projective coordinates (Bernstein et al., "Twisted Edwards
// Curves", §6); its denominators are never zero, since d is not a square.
func (p edwardsPoint) add(q edwardsPoint) edwardsPoint {
	xx, yy := mul25519(p.x, q.x), mul25519(p.y, q.y)
	cross := add25519(mul25519(p.x, q.y), mul25519(q.x, p.y))
	t, one := mul25519(edwardsD, mul25519(xx, yy)), big.NewInt(1)
	return edwardsPoint{
		mul25519(cross, inverse25519(add25519(one, t))),
		mul25519(add25519(yy, xx), inverse25519(sub25519(one, t))),
	}
}

// multiply returns k times the point, doubling and adding from the top bit of k.
func (p edwardsPoint) multiply(k *big.Int) edwardsPoint {
	sum := edwardsPoint{big.NewInt(0), big.NewInt(1)}
	for i := k.BitLen() - 1; i >= 0; i-- {
		sum = sum.add(sum)
		if k.Bit(i) == 1 {
			sum = sum.add(p)
		}
	}
	return sum
}

// encode is RFC 8032 §5.1.2: y, and above it the lowest bit of x.
func (p edwardsPoint) encode() []byte {
	b := littleEndian32(p.y)
	b[31] |= byte(p.x.Bit(0) << 7)
	return b
}

// decodeEdwards is RFC 8032 §5.1.3.
func decodeEdwards(b []byte) (edwardsPoint, error) {
	masked := bytes.Clone(b)
	masked[31] &= 127
	sign, y := uint(b[31]>>7), fromLittleEndian(masked)
	if y.Cmp(prime25519) >= 0 {
		return edwardsPoint{}, errors.New("reference: Ed25519 point is not encoded canonically")
	}
	yy, one := mul25519(y, y), big.NewInt(1)
	xx := mul25519(sub25519(yy, one), inverse25519(add25519(mul25519(edwardsD, yy), one)))
	x := new(big.Int).ModSqrt(xx, prime25519)
	switch {
	case x == nil:
		return edwardsPoint{}, errors.New("reference: Ed25519 point is not on the curve")
	case x.Sign() == 0 && sign == 1:
		return edwardsPoint{}, errors.New("reference: Ed25519 point is not encoded canonically")
	case x.Bit(0) != sign:
		x.Sub(prime25519, x)
	}
	return edwardsPoint{x, y}, nil
}
