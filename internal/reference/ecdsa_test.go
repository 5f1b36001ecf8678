package reference

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"math/big"
	"testing"
)

// TestECDSARFC6979 verifies RFC 6979's signatures of the texts "sample" and "test": appendices A.2.5 and A.2.6.
func TestECDSARFC6979(t *testing.T) {
	for _, v := range []struct {
		name      string
		curve     *Curve
		d, x, y   string
		hash      func([]byte) []byte
		msg, r, s string
	}{
		{"A.2.5", P256(), rfc6979P256[0], rfc6979P256[1], rfc6979P256[2], SHA1, "sample",
			"61340c88c3aaebeb4f6d667f672ca9759a6ccaa9fa8811313039ee4a35471d32",
			"6d7f147dac089441bb2e2fe8f7a3fa264b9c475098fdcf6e00d7c996e1b8b7eb"},
		{"A.2.5", P256(), rfc6979P256[0], rfc6979P256[1], rfc6979P256[2], SHA256, "sample",
			"efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
			"f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"},
		{"A.2.5", P256(), rfc6979P256[0], rfc6979P256[1], rfc6979P256[2], SHA512, "sample",
			"8496a60b5e9b47c825488827e0495b0e3fa109ec4568fd3f8d1097678eb97f00",
			"2362ab1adbe2b8adf9cb9edab740ea6049c028114f2460f96554f61fae3302fe"},
		{"A.2.5", P256(), rfc6979P256[0], rfc6979P256[1], rfc6979P256[2], SHA256, "test",
			"f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
			"019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"},
		{"A.2.6", P384(), rfc6979P384[0], rfc6979P384[1], rfc6979P384[2], SHA256, "sample",
			"21b13d1e013c7fa1392d03c5f99af8b30c570c6f98d4ea8e354b63a21d3daa33bde1e888e63355d92fa2b3c36d8fb2cd",
			"f3aa443fb107745bf4bd77cb3891674632068a10ca67e3d45db2266fa7d1feebefdc63eccd1ac42ec0cb8668a4fa0ab0"},
		{"A.2.6", P384(), rfc6979P384[0], rfc6979P384[1], rfc6979P384[2], SHA512, "sample",
			"ed0959d5880ab2d869ae7f6c2915c6d60f96507f9cb3e047c0046861da4a799cfe30f35cc900056d7c99cd7882433709",
			"512c8cceee3890a84058ce1e22dbc2198f42323ce8aca9135329f03c068e5112dc7cc3ef3446defceb01a45c2667fdd5"},
	} {
		x, y := v.curve.ScalarBaseMult(hexInt(v.d))
		sameInt(t, v.name+" Ux", x, hexInt(v.x))
		sameInt(t, v.name+" Uy", y, hexInt(v.y))
		digest := v.hash([]byte(v.msg))
		r, s := hexInt(v.r), hexInt(v.s)
		if err := ECDSAVerify(v.curve, x, y, digest, r, s); err != nil {
			t.Errorf("%s %s: %v", v.name, v.msg, err)
		}
		ecdsaRefuses(t, v.curve, x, y, digest, r, s)
	}
}

// The private and public keys of RFC 6979, appendices A.2.5 and A.2.6.
var (
	rfc6979P256 = [3]string{
		"c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721",
		"60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6",
		"7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299",
	}
	rfc6979P384 = [3]string{
		"6b9d3dad2e1b8c1c05b19875b6659f4de23c3b667bf297ba9aa47740787137d896d5724e4c70a825f872c9ea60d2edf5",
		"ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c64def8f0ea9055866064a254515480bc13",
		"8015d9b72d7d57244ea8ef9ac0c621896708a59367f9dfb9f54ca84b3f1c9db1288b231c3ae0d4fe7344fd2533264720",
	}
)

func ecdsaRefuses(t testing.TB, c *Curve, x, y *big.Int, digest []byte, r, s *big.Int) {
	t.Helper()
	zero, one := new(big.Int), big.NewInt(1)
	plus := func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }
	other := bytes.Clone(digest)
	other[0] ^= 1
	for name, v := range map[string]struct {
		x, y   *big.Int
		digest []byte
		r, s   *big.Int
	}{
		"r = 0":             {x, y, digest, zero, s},
		"s = 0":             {x, y, digest, r, zero},
		"r + n":             {x, y, digest, plus(r, c.N), s},
		"s + n":             {x, y, digest, r, plus(s, c.N)},
		"−s":                {x, y, digest, r, new(big.Int).Neg(s)},
		"r + 1":             {x, y, digest, plus(r, one), s},
		"s + 1":             {x, y, digest, r, plus(s, one)},
		"swapped":           {x, y, digest, s, r},
		"another digest":    {x, y, other, r, s},
		"off the curve":     {x, plus(y, one), digest, r, s},
		"outside the field": {plus(x, c.P), y, digest, r, s},
		"−Q":                {x, new(big.Int).Sub(c.P, y), digest, r, s},
		"infinity":          {nil, nil, digest, r, s},
	} {
		if err := ECDSAVerify(c, v.x, v.y, v.digest, v.r, v.s); err == nil {
			t.Errorf("%s: %s accepted", c.Name, name)
		}
	}
	if err := ECDSAVerify(c, x, y, digest, r, new(big.Int).Sub(c.N, s)); err != nil { // ECDSA's known malleability
		t.Errorf("%s: r, −s: %v", c.Name, err)
	}
}

// peerCurve is a curve here beside the same curve of the standard library.
type peerCurve struct {
	ours   *Curve
	theirs elliptic.Curve
	ecdh   ecdh.Curve
}

var peerCurves = []peerCurve{{P256(), elliptic.P256(), ecdh.P256()}, {P384(), elliptic.P384(), ecdh.P384()}}

func TestECDSAAndECDHAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, p := range peerCurves {
		s := newSource("ecdsa " + p.ours.Name)
		for range 4 {
			ecdhAgrees(t, p, s.bytes(60), s.bytes(60))
			for _, n := range []int{1, 20, 31, 32, 33, 47, 48, 49, 64, 100} {
				ecdsaAgrees(t, p, s.bytes(60), s.bytes(n))
			}
		}
	}
}

// ecdsaAgrees lets the library sign a digest of any length but none.
func ecdsaAgrees(t testing.TB, p peerCurve, secret, digest []byte) {
	t.Helper()
	d := scalarOf(secret, new(big.Int).Sub(p.ours.N, big.NewInt(1)))
	theirs, err := ecdsa.ParseRawPrivateKey(p.theirs, p.ours.fieldBytes(d))
	if err != nil {
		t.Fatal(err)
	}
	r, s, err := ecdsa.Sign(rand.Reader, theirs, digest)
	if err != nil {
		t.Fatal(err)
	}
	x, y := p.ours.ScalarBaseMult(d)
	if err := ECDSAVerify(p.ours, x, y, digest, r, s); err != nil {
		t.Errorf("%s: r = %x, s = %x: %v", p.ours.Name, r, s, err)
	}
	if err := ECDSAVerify(p.ours, x, y, digest, s, r); err == nil {
		t.Errorf("%s: r = %x, s = %x accepted swapped", p.ours.Name, r, s)
	}
}

func TestECDHRFC5903(t *testing.T) { // §8.1 and §8.2
	for _, v := range []struct {
		curve                         *Curve
		i, gix, giy, r, grx, gry, key string
	}{
		{P256(),
			"c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433",
			"dad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c3772581180",
			"5271a0461cdb8252d61f1c456fa3e59ab1f45b33accf5f58389e0577b8990bb3",
			"c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53",
			"d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63",
			"56fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab",
			"d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de"},
		{P384(),
			"099f3c7034d4a2c699884d73a375a67f7624ef7c6b3c0f160647b67414dce655e35b538041e649ee3faef896783ab194",
			"667842d7d180ac2cde6f74f37551f55755c7645c20ef73e31634fe72b4c55ee6de3ac808acb4bdb4c88732aee95f41aa",
			"9482ed1fc0eeb9cafc4984625ccfc23f65032149e0e144ada024181535a0f38eeb9fcff3c2c947dae69b4c634573a81c",
			"41cb0779b4bdb85d47846725fbec3c9430fab46cc8dc5060855cc9bda0aa2942e0308312916b8ed2960e4bd55a7448fc",
			"e558dbef53eecde3d3fccfc1aea08a89a987475d12fd950d83cfa41732bc509d0d1ac43a0336def96fda41d0774a3571",
			"dcfbec7aacf3196472169e838430367f66eebe3c6e70c416dd5f0c68759dd1fff83fa40142209dff5eaad96db9e6386c",
			"11187331c279962d93d604243fd592cb9d0a926f422e47187521287e7156c5c4d603135569b9e9d09cf5d4a270f59746"},
	} {
		x, y := v.curve.ScalarBaseMult(hexInt(v.i))
		sameInt(t, "gix", x, hexInt(v.gix))
		sameInt(t, "giy", y, hexInt(v.giy))
		for _, side := range []struct{ d, x, y string }{{v.i, v.grx, v.gry}, {v.r, v.gix, v.giy}} {
			got, err := ECDH(v.curve, hexInt(side.d), hexInt(side.x), hexInt(side.y))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, v.curve.Name, got, unhex(t, v.key))
		}
	}
}

func ecdhAgrees(t testing.TB, p peerCurve, secretA, secretB []byte) {
	t.Helper()
	most := new(big.Int).Sub(p.ours.N, big.NewInt(1))
	a, b := scalarOf(secretA, most), scalarOf(secretB, most)
	x, y := p.ours.ScalarBaseMult(b)
	got, err := ECDH(p.ours, a, x, y)
	if err != nil {
		t.Fatal(err)
	}
	theirA, err := p.ecdh.NewPrivateKey(p.ours.fieldBytes(a))
	if err != nil {
		t.Fatal(err)
	}
	theirB, err := p.ecdh.NewPublicKey(append([]byte{4}, append(p.ours.fieldBytes(x), p.ours.fieldBytes(y)...)...))
	if err != nil {
		t.Fatal(err)
	}
	want, err := theirA.ECDH(theirB)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "ECDH on "+p.ours.Name, got, want)
}

func TestECDHRefuses(t *testing.T) {
	c, one := P256(), big.NewInt(1)
	for name, v := range map[string]struct{ d, x, y *big.Int }{
		"d = 0":         {new(big.Int), c.Gx, c.Gy},
		"d = n":         {c.N, c.Gx, c.Gy},
		"off the curve": {one, c.Gx, one},
		"infinity":      {one, nil, nil},
		"another curve": {one, SM2Curve().Gx, SM2Curve().Gy},
	} {
		if secret, err := ECDH(c, v.d, v.x, v.y); err == nil {
			t.Errorf("%s: %x", name, secret)
		}
	}
}
