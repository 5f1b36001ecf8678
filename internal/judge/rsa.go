package judge

import (
	"bytes"
	"encoding/asn1"
	"math/big"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/reference"
)

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
		if !bytes.Equal(decrypted, in) {
			return reason.New("pair-wrong")
		}
		return nil
	}
}

// equations holds the numbers of a key against each other.
func (k rsaPrivateKey) equations() error {
	less1 := func(x *big.Int) *big.Int { return new(big.Int).Sub(x, one) }
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
