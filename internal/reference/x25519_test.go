package reference

import (
	"crypto/ecdh"
	"math/big"
	"testing"
)

func TestX25519RFC7748(t *testing.T) {
	const (
		alice       = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"
		alicePublic = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
		bob         = "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"
		bobPublic   = "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
		shared      = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
		base        = "0900000000000000000000000000000000000000000000000000000000000000"
	)
	for _, v := range []struct{ name, scalar, u, want string }{
		{"§5.2, first", "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
			"e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
			"c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"},
		{"§5.2, second", "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
			"e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
			"95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"},
		{"§6.1, Alice's public key", alice, base, alicePublic},
		{"§6.1, Bob's public key", bob, base, bobPublic},
		{"§6.1, Alice's secret", alice, bobPublic, shared},
		{"§6.1, Bob's secret", bob, alicePublic, shared},
	} {
		got, err := X25519(unhex(t, v.scalar), unhex(t, v.u))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, v.name, got, unhex(t, v.want))
	}
}

func TestX25519Iterated(t *testing.T) { // RFC 7748 §5.2: after 1 and after 1,000 times
	k := unhex(t, "0900000000000000000000000000000000000000000000000000000000000000")
	u := k
	for i := range 1000 {
		next, err := X25519(k, u)
		if err != nil {
			t.Fatal(err)
		}
		k, u = next, k
		if i == 0 {
			equal(t, "once", k, unhex(t, "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"))
			if testing.Short() {
				return
			}
		}
	}
	equal(t, "1,000 times", k, unhex(t, "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"))
}

func TestX25519Agrees(t *testing.T) {
	s := newSource("x25519")
	for range 100 {
		x25519Agrees(t, s.bytes(32), s.bytes(32))
	}
}

// TestX25519Edges takes coordinates around 0, the prime and 2²⁵⁵, with the top bit and without: the non-canonical ones
// are reduced, those of small order refused.
func TestX25519Edges(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	s := newSource("x25519 edges")
	for _, around := range []*big.Int{new(big.Int), prime25519, new(big.Int).Lsh(big.NewInt(1), 255)} {
		for difference := int64(-20); difference <= 20; difference++ {
			u := new(big.Int).Add(around, big.NewInt(difference))
			if u.Sign() >= 0 {
				x25519Agrees(t, s.bytes(32), littleEndian32(u))
				x25519Agrees(t, s.bytes(32), littleEndian32(u.SetBit(u, 255, 1)))
			}
		}
	}
	for _, u := range []string{ // two of order 8
		"e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
		"5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
	} {
		if got, err := X25519(s.bytes(32), unhex(t, u)); err == nil {
			t.Errorf("u = %s: %x", u, got)
		}
		x25519Agrees(t, s.bytes(32), unhex(t, u))
	}
}

func x25519Agrees(t testing.TB, scalar, u []byte) {
	t.Helper()
	private, err := ecdh.X25519().NewPrivateKey(scalar)
	if err != nil {
		t.Fatal(err)
	}
	public, err := ecdh.X25519().NewPublicKey(u)
	if err != nil {
		t.Fatal(err)
	}
	want, wantErr := private.ECDH(public)
	got, gotErr := X25519(scalar, u)
	acceptSame(t, got, gotErr, want, wantErr)
}

func TestX25519Sizes(t *testing.T) {
	mustPanic(t, "scalar of 31 bytes", func() { X25519(make([]byte, 31), make([]byte, 32)) })
	mustPanic(t, "u of 33 bytes", func() { X25519(make([]byte, 32), make([]byte, 33)) })
}
