package reference

import (
	"errors"
	"math/big"
)

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
