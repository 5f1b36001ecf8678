package reference

import (
	"errors"
	"math/big"
)

// SM2Party is one side of SM2's key exchange: its identity, its static key pair and its ephemeral one. Of the other
// side the private keys are nil.
type SM2Party struct {
	ID       []byte
	D, X, Y  *big.Int // static
	R        *big.Int // ephemeral, private
	RX, RY   *big.Int // ephemeral, public
	Starting bool     // whether it is the initiator
}

// SM2Exchange returns the shared key of n bytes as own computes it (GB/T 32918.3-2016 §6.1, steps A4 to A8 and B3 to
// B6, without the optional confirmation).
func SM2Exchange(own, other SM2Party, n int) ([]byte, error) {
	c := SM2Curve()
	if err := errors.Join(c.CheckPoint(other.X, other.Y), c.CheckPoint(other.RX, other.RY)); err != nil {
		return nil, err
	}
	t := new(big.Int).Mul(sm2Bar(own.RX), own.R)
	t.Add(t, own.D).Mod(t, c.N)
	x, y := c.ScalarMult(other.RX, other.RY, sm2Bar(other.RX))
	x, y = c.add(other.X, other.Y, x, y)
	if x == nil {
		return nil, errors.New("reference: SM2 exchange leads to the point at infinity")
	}
	if x, y = c.ScalarMult(x, y, t); x == nil {
		return nil, errors.New("reference: SM2 exchange leads to the point at infinity")
	}
	first, second := own, other
	if !own.Starting {
		first, second = other, own
	}
	z := append(c.fieldBytes(x), c.fieldBytes(y)...)
	z = append(z, SM2ZA(first.ID, first.X, first.Y)...)
	z = append(z, SM2ZA(second.ID, second.X, second.Y)...)
	return sm2KDF(z, n), nil
}

// sm2Bar is x̄ = 2¹²⁷ + (x & (2¹²⁷ − 1)), steps A4 and A6: w is half the bits of n, less one.
func sm2Bar(x *big.Int) *big.Int {
	top := new(big.Int).Lsh(big.NewInt(1), 127)
	low := new(big.Int).Sub(top, big.NewInt(1))
	return top.Add(top, low.And(low, x))
}
