package reference

import (
	"errors"
	"math/big"
)

// Curve is y² = x³ + Ax + B over the field of P elements, with a base point of prime order N and the cofactor 1. A
// point is given by its coordinates; the point at infinity is nil, nil.
type Curve struct {
	Name               string
	P, A, B, N, Gx, Gy *big.Int
}

// P256 returns P-256 (SP 800-186 §3.2.1.3; secp256r1, SEC 2 §2.4.2).
func P256() *Curve { return newCurve("P-256") }

// P384 returns P-384 (SP 800-186 §3.2.1.4; secp384r1, SEC 2 §2.5.1).
func P384() *Curve { return newCurve("P-384") }

// SM2Curve returns the curve that GB/T 32918.5-2017 recommends for SM2.
func SM2Curve() *Curve { return newCurve("SM2") }

// newCurve reads a curve's five numbers; A is −3 on all curves here.
func newCurve(name string) *Curve {
	c, numbers := &Curve{Name: name}, table(name)
	for i, n := range []**big.Int{&c.P, &c.B, &c.N, &c.Gx, &c.Gy} {
		*n = new(big.Int).SetBytes(numbers[i*len(numbers)/5 : (i+1)*len(numbers)/5])
	}
	c.A = new(big.Int).Sub(c.P, big.NewInt(3))
	return c
}

// FieldSize is the bytes of a coordinate.
func (c *Curve) FieldSize() int { return (c.P.BitLen() + 7) / 8 }

// fieldBytes is a coordinate in all its bytes, big-endian (SEC 1 §2.3.5).
func (c *Curve) fieldBytes(x *big.Int) []byte { return x.FillBytes(make([]byte, c.FieldSize())) }

// CheckPoint says what keeps x, y from being a public key (SP 800-56A rev. 3 §5.6.2.3.3; the order of a point on a
// curve with the cofactor 1 is right by itself).
func (c *Curve) CheckPoint(x, y *big.Int) error {
	if x == nil || y == nil {
		return errors.New("reference: point at infinity")
	}
	if x.Sign() < 0 || y.Sign() < 0 || x.Cmp(c.P) >= 0 || y.Cmp(c.P) >= 0 {
		return errors.New("reference: coordinate outside the field")
	}
	cubic := new(big.Int).Mul(x, x)
	cubic.Add(cubic, c.A).Mul(cubic, x).Add(cubic, c.B)
	if c.times(y, y).Cmp(c.mod(cubic)) != 0 {
		return errors.New("reference: point is not on " + c.Name)
	}
	return nil
}

func (c *Curve) mod(x *big.Int) *big.Int { return x.Mod(x, c.P) }

// checkScalar wants 1 ≤ k < N, as of private keys, nonces, and both halves of a signature.
func (c *Curve) checkScalar(what string, k *big.Int) error {
	if k.Sign() <= 0 || k.Cmp(c.N) >= 0 {
		return errors.New("reference: " + what + " is not in [1, n−1]")
	}
	return nil
}

func (c *Curve) ScalarBaseMult(k *big.Int) (x, y *big.Int) { return c.ScalarMult(c.Gx, c.Gy, k) }

// ScalarMult returns k ≥ 0 times a point, doubling and adding from the top bit of k. It panics for what is no point
// of the curve.
func (c *Curve) ScalarMult(x, y, k *big.Int) (kx, ky *big.Int) {
	must(c.CheckPoint(x, y) == nil && k.Sign() >= 0, "not a point of the curve, or a negative scalar")
	sum := jacobian{new(big.Int), new(big.Int), new(big.Int)}
	for i := k.BitLen() - 1; i >= 0; i-- {
		sum = c.double(sum)
		if k.Bit(i) == 1 {
			sum = c.addAffine(sum, x, y)
		}
	}
	return c.affine(sum)
}

// jacobian is the point x/z², y/z³, and at infinity where z is 0. Without divisions a multiple takes half the time
// that it takes in affine coordinates (GB/T 32918.1-2016 §A.1.2.3.2).
type jacobian struct{ x, y, z *big.Int }

func (c *Curve) affine(p jacobian) (x, y *big.Int) {
	if p.z.Sign() == 0 {
		return nil, nil
	}
	w := new(big.Int).ModInverse(p.z, c.P)
	w2 := c.times(w, w)
	return c.times(p.x, w2), c.times(p.y, c.times(w2, w))
}

func (c *Curve) times(x, y *big.Int) *big.Int { return c.mod(new(big.Int).Mul(x, y)) }

func (c *Curve) double(p jacobian) (d jacobian) {
	y2, z2 := c.times(p.y, p.y), c.times(p.z, p.z)
	s := c.times(new(big.Int).Lsh(p.x, 2), y2)
	m := new(big.Int).Mul(p.x, p.x)
	m.Mul(m, big.NewInt(3)).Add(m, new(big.Int).Mul(c.A, c.times(z2, z2)))
	c.mod(m)
	d.x = new(big.Int).Mul(m, m)
	c.mod(d.x.Sub(d.x, s).Sub(d.x, s))
	d.y = new(big.Int).Mul(m, s.Sub(s, d.x))
	c.mod(d.y.Sub(d.y, y2.Mul(y2, y2).Lsh(y2, 3)))
	d.z = c.times(new(big.Int).Lsh(p.y, 1), p.z)
	return d
}

func (c *Curve) addAffine(p jacobian, x, y *big.Int) (d jacobian) {
	if p.z.Sign() == 0 {
		return jacobian{x, y, big.NewInt(1)}
	}
	z2 := c.times(p.z, p.z)
	h, r := new(big.Int).Mul(x, z2), new(big.Int).Mul(y, c.times(z2, p.z))
	c.mod(h.Sub(h, p.x))
	c.mod(r.Sub(r, p.y))
	if h.Sign() == 0 && r.Sign() == 0 {
		return c.double(p)
	}
	h2 := c.times(h, h)
	h3, v := c.times(h2, h), c.times(p.x, h2)
	d.x = new(big.Int).Mul(r, r)
	c.mod(d.x.Sub(d.x, h3).Sub(d.x, v).Sub(d.x, v))
	d.y = new(big.Int).Mul(r, v.Sub(v, d.x))
	c.mod(d.y.Sub(d.y, h3.Mul(h3, p.y)))
	d.z = c.times(p.z, h) // 0 where the other is the opposite point
	return d
}

// add is the group law (SEC 1 §2.2.1; GB/T 32918.1-2016 §3.2.3.1).
func (c *Curve) add(x1, y1, x2, y2 *big.Int) (x3, y3 *big.Int) {
	switch {
	case x1 == nil:
		return x2, y2
	case x2 == nil:
		return x1, y1
	}
	return c.affine(c.addAffine(jacobian{x1, y1, big.NewInt(1)}, x2, y2))
}

// ECDSAVerify checks the signature r, s of a digest under the public key x, y (FIPS 186-5 §6.4.2).
func ECDSAVerify(c *Curve, x, y *big.Int, digest []byte, r, s *big.Int) error {
	if err := errors.Join(c.CheckPoint(x, y), c.checkScalar("r", r), c.checkScalar("s", s)); err != nil {
		return err
	}
	w := new(big.Int).ModInverse(s, c.N)
	u := new(big.Int).Mul(c.digestScalar(digest), w)
	v := new(big.Int).Mul(r, w)
	x1, y1 := c.ScalarBaseMult(u.Mod(u, c.N))
	x2, y2 := c.ScalarMult(x, y, v.Mod(v, c.N))
	rx, _ := c.add(x1, y1, x2, y2)
	if rx == nil || new(big.Int).Mod(rx, c.N).Cmp(r) != 0 {
		return errors.New("reference: ECDSA signature is of something else")
	}
	return nil
}

// digestScalar takes as many leading bits of a digest as N has (FIPS 186-5 §6.4.1, step 2).
func (c *Curve) digestScalar(digest []byte) *big.Int {
	e := new(big.Int).SetBytes(digest)
	return e.Rsh(e, uint(max(0, 8*len(digest)-c.N.BitLen())))
}

// ECDH returns the secret that the private key d shares with the public key x, y: an X coordinate in all its bytes
// (SP 800-56A rev. 3 §5.7.1.2; RFC 8446 §7.4.2).
func ECDH(c *Curve, d, x, y *big.Int) ([]byte, error) {
	if err := errors.Join(c.checkScalar("private key", d), c.CheckPoint(x, y)); err != nil {
		return nil, err
	}
	shared, _ := c.ScalarMult(x, y, d) // not infinity, since N is prime and d is below it
	return c.fieldBytes(shared), nil
}
