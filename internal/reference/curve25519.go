package reference

import (
	"bytes"
	"errors"
	"math/big"
	"slices"
	"sync"
)

// X25519 returns scalar times the point with the coordinate u on Curve25519, 32 bytes each (RFC 7748 §5). It fails
// where the result is zero, which a peer's point of small order makes of any scalar (§6.1); a base point is u = 9.
func X25519(scalar, u []byte) ([]byte, error) {
	must(len(scalar) == 32 && len(u) == 32, "X25519 takes two times 32 bytes")
	masked := append([]byte{}, u...) // decodeUCoordinate
	masked[31] &= 127
	shared := montgomeryLadder(decodeScalar25519(scalar), fromLittleEndian(masked))
	if shared.Sign() == 0 {
		return nil, errors.New("reference: X25519 of a point of small order")
	}
	return littleEndian32(shared), nil
}

// decodeScalar25519 is RFC 7748 §5, and RFC 8032 §5.1.5, step 2.
func decodeScalar25519(b []byte) *big.Int {
	clamped := bytes.Clone(b)
	clamped[0] &= 248
	clamped[31] = clamped[31]&127 | 64
	return fromLittleEndian(clamped)
}

// montgomeryLadder is the procedure of RFC 7748 §5, by the names it has there. It does not hide which way it swaps.
func montgomeryLadder(k, x1 *big.Int) *big.Int {
	a24 := big.NewInt(121665)
	x2, z2 := big.NewInt(1), big.NewInt(0)
	x3, z3 := new(big.Int).Set(x1), big.NewInt(1)
	for t := 254; t >= 0; t-- {
		swap := k.Bit(t) == 1
		if swap {
			x2, z2, x3, z3 = x3, z3, x2, z2
		}
		a, b := add25519(x2, z2), sub25519(x2, z2)
		aa, bb := mul25519(a, a), mul25519(b, b)
		e := sub25519(aa, bb)
		da, cb := mul25519(sub25519(x3, z3), a), mul25519(add25519(x3, z3), b)
		x3, z3 = add25519(da, cb), sub25519(da, cb)
		x3, z3 = mul25519(x3, x3), mul25519(x1, mul25519(z3, z3))
		x2, z2 = mul25519(aa, bb), mul25519(e, add25519(aa, mul25519(a24, e)))
		if swap {
			x2, z2, x3, z3 = x3, z3, x2, z2
		}
	}
	return mul25519(x2, inverse25519(z2))
}

// prime25519 is 2²⁵⁵−19, the order of the field below both X25519 and Ed25519.
var prime25519 = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))

func add25519(a, b *big.Int) *big.Int { return mod25519(new(big.Int).Add(a, b)) }
func sub25519(a, b *big.Int) *big.Int { return mod25519(new(big.Int).Sub(a, b)) }
func mul25519(a, b *big.Int) *big.Int { return mod25519(new(big.Int).Mul(a, b)) }
func mod25519(a *big.Int) *big.Int    { return a.Mod(a, prime25519) }

// inverse25519 is a to the power p−2, as RFC 7748 §5 writes it, and so takes 0 to 0.
func inverse25519(a *big.Int) *big.Int {
	if a = mod25519(new(big.Int).Set(a)); a.Sign() == 0 {
		return a
	}
	return a.ModInverse(a, prime25519)
}

func littleEndian32(a *big.Int) []byte { return reversed(a.FillBytes(make([]byte, 32))) }

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
	k := fromLittleEndian(SHA512(slices.Concat(sig[:32], pub, msg)))
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
var edwardsD = sync.OnceValue(func() *big.Int { return mul25519(big.NewInt(-121665), inverse25519(big.NewInt(121666))) })

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
	t, one := mul25519(edwardsD(), mul25519(xx, yy)), big.NewInt(1)
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
	xx := mul25519(sub25519(yy, one), inverse25519(add25519(mul25519(edwardsD(), yy), one)))
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

// Ed25519Public returns the public key of a private one, both of 32 bytes (RFC 8032 §5.1.5).
func Ed25519Public(private []byte) []byte {
	scalar, _ := ed25519Halves(private)
	return edwardsBase().multiply(scalar).encode()
}

// Ed25519Sign signs msg (RFC 8032 §5.1.6).
func Ed25519Sign(private, msg []byte) []byte {
	scalar, prefix := ed25519Halves(private)
	public, order := edwardsBase().multiply(scalar).encode(), edwardsOrder()
	r := fromLittleEndian(SHA512(slices.Concat(prefix, msg)))
	r.Mod(r, order)
	out := edwardsBase().multiply(r).encode()
	k := fromLittleEndian(SHA512(slices.Concat(out, public, msg)))
	s := new(big.Int).Mul(k.Mod(k, order), scalar)
	return append(out, littleEndian32(s.Add(s, r).Mod(s, order))...)
}

// ed25519Halves are the secret scalar and the prefix that a private key hashes to.
func ed25519Halves(private []byte) (scalar *big.Int, prefix []byte) {
	must(len(private) == 32, "an Ed25519 private key has 32 bytes")
	h := SHA512(private)
	return decodeScalar25519(h[:32]), h[32:]
}
