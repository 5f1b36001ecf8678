package reference

import (
	"errors"
	"math/big"
)

// X25519 returns scalar times the point with the coordinate u on Curve25519, 32 bytes each (RFC 7748 §5). It fails
// where the result is zero, which a peer's point of small order makes of any scalar (§6.1); a base point is u = 9.
func X25519(scalar, u []byte) ([]byte, error) {
	must(len(scalar) == 32 && len(u) == 32, "X25519 takes two times 32 bytes")
	clamped := append([]byte{}, scalar...) // decodeScalar25519
	clamped[0] &= 248
	clamped[31] = clamped[31]&127 | 64
	masked := append([]byte{}, u...) // decodeUCoordinate
	masked[31] &= 127
	shared := montgomeryLadder(fromLittleEndian(clamped), fromLittleEndian(masked))
	if shared.Sign() == 0 {
		return nil, errors.New("reference: X25519 of a point of small order")
	}
	return littleEndian32(shared), nil
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
