package reference

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/big"
	"slices"
)

// SM2ZA is the digest of a signer's identity, the curve and the public key x, y (GB/T 32918.2-2016 §5.5). uid has at
// most 8191 bytes, for its bits are counted in two bytes.
func SM2ZA(uid []byte, x, y *big.Int) []byte {
	must(len(uid) <= 0xffff/8, "SM2 identity is too long")
	c := SM2Curve()
	input := append(binary.BigEndian.AppendUint16(nil, uint16(8*len(uid))), uid...)
	for _, element := range []*big.Int{c.A, c.B, c.Gx, c.Gy, x, y} {
		input = append(input, c.fieldBytes(element)...)
	}
	return SM3(input)
}

// sm2Digest is e = SM3(ZA‖M), GB/T 32918.2-2016 §6.1, steps A1 and A2.
func sm2Digest(uid []byte, x, y *big.Int, msg []byte) *big.Int {
	return new(big.Int).SetBytes(SM3(append(SM2ZA(uid, x, y), msg...)))
}

// SM2Sign signs msg for uid under the private key d with the nonce k (GB/T 32918.2-2016 §6.1). It fails for a k with
// which no signature can be made, where a signer would draw another.
func SM2Sign(d, k *big.Int, uid, msg []byte) (r, s *big.Int, err error) {
	c := SM2Curve()
	dPlus1 := new(big.Int).Add(d, big.NewInt(1)) // d is in [1, n−2], so that 1+d has an inverse
	badKey := errors.Join(c.checkScalar("private key", d), c.checkScalar("private key plus one", dPlus1))
	if err := errors.Join(badKey, c.checkScalar("nonce", k)); err != nil {
		return nil, nil, err
	}
	x, y := c.ScalarBaseMult(d)
	x1, _ := c.ScalarBaseMult(k)
	r = sm2Digest(uid, x, y, msg)
	r.Add(r, x1).Mod(r, c.N)
	s = new(big.Int).Mul(r, d)
	s.Sub(k, s).Mul(s, dPlus1.ModInverse(dPlus1, c.N)).Mod(s, c.N)
	if sum := new(big.Int).Add(r, k); r.Sign() == 0 || s.Sign() == 0 || sum.Cmp(c.N) == 0 {
		return nil, nil, errors.New("reference: no SM2 signature with this nonce")
	}
	return r, s, nil
}

// SM2Verify checks the signature r, s of msg by uid under the public key x, y (GB/T 32918.2-2016 §7.1).
func SM2Verify(x, y *big.Int, uid, msg []byte, r, s *big.Int) error {
	c := SM2Curve()
	if err := errors.Join(c.CheckPoint(x, y), c.checkScalar("r", r), c.checkScalar("s", s)); err != nil {
		return err
	}
	t := new(big.Int).Add(r, s)
	if t.Mod(t, c.N).Sign() == 0 {
		return errors.New("reference: SM2 signature has r + s = n")
	}
	sx, sy := c.ScalarBaseMult(s)
	tx, ty := c.ScalarMult(x, y, t)
	x1, _ := c.add(sx, sy, tx, ty)
	if x1 == nil {
		return errors.New("reference: SM2 signature leads to the point at infinity")
	}
	e := sm2Digest(uid, x, y, msg)
	if e.Add(e, x1).Mod(e, c.N).Cmp(r) != 0 {
		return errors.New("reference: SM2 signature is of something else")
	}
	return nil
}

// SM2Decrypt returns the message in C1‖C3‖C2 (GB/T 32918.4-2016 §7.1): C1 a point as 04‖x‖y in 65 bytes, C3 a digest
// of 32, C2 the masked message, of one byte at least.
func SM2Decrypt(d *big.Int, ciphertext []byte) ([]byte, error) {
	const headerSize = 65 + 32
	c := SM2Curve()
	switch {
	case len(ciphertext) <= headerSize:
		return nil, errors.New("reference: SM2 ciphertext is too short")
	case ciphertext[0] != 4:
		return nil, errors.New("reference: SM2 ciphertext does not begin with an uncompressed point")
	}
	x1, y1 := new(big.Int).SetBytes(ciphertext[1:33]), new(big.Int).SetBytes(ciphertext[33:65])
	if err := errors.Join(c.checkScalar("private key", d), c.CheckPoint(x1, y1)); err != nil {
		return nil, err
	}
	x2, y2 := c.ScalarMult(x1, y1, d)
	left, right := c.fieldBytes(x2), c.fieldBytes(y2)
	c3, c2 := ciphertext[65:headerSize], ciphertext[headerSize:]
	mask := sm2KDF(slices.Concat(left, right), len(c2))
	if len(bytes.TrimLeft(mask, "\x00")) == 0 { // step B4; an encryptor draws another nonce then
		return nil, errors.New("reference: SM2 mask is all zeros")
	}
	msg := xored(c2, mask)
	if !bytes.Equal(SM3(slices.Concat(left, msg, right)), c3) {
		return nil, ErrOpen
	}
	return msg, nil
}

// sm2KDF is the key derivation function, GB/T 32918.4-2016 §5.4.3, which counts from 1.
func sm2KDF(z []byte, n int) []byte { return counted(SM3, z, 1, n) }

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
	if x, y = c.add(other.X, other.Y, x, y); x != nil {
		x, y = c.ScalarMult(x, y, t)
	}
	if x == nil {
		return nil, errors.New("reference: SM2 exchange leads to the point at infinity")
	}
	first, second := own, other
	if !own.Starting {
		first, second = other, own
	}
	identities := append(SM2ZA(first.ID, first.X, first.Y), SM2ZA(second.ID, second.X, second.Y)...)
	return sm2KDF(slices.Concat(c.fieldBytes(x), c.fieldBytes(y), identities), n), nil
}

// sm2Bar is x̄ = 2¹²⁷ + (x & (2¹²⁷ − 1)), steps A4 and A6: w is half the bits of n, less one.
func sm2Bar(x *big.Int) *big.Int {
	top := new(big.Int).Lsh(big.NewInt(1), 127)
	low := new(big.Int).Sub(top, big.NewInt(1))
	return top.Add(top, low.And(low, x))
}
