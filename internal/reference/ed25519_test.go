package reference

import (
	"bytes"
	"crypto/ed25519"
	"math/big"
	"testing"
)

func TestEd25519RFC8032(t *testing.T) { // §7.1
	for _, v := range []struct{ name, pub, msg, sig string }{
		{"TEST 1", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
			`e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555
			fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b`},
		{"TEST 2", "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
			`92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
			085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00`},
		{"TEST 3", "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
			`6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac
			18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a`},
		{"TEST SHA(abc)", "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
			`ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
			2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f`,
			`dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589
			09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704`},
	} {
		pub, msg, sig := unhex(t, v.pub), unhex(t, v.msg), unhex(t, v.sig)
		if err := Ed25519Verify(pub, msg, sig); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
		if err := Ed25519Verify(pub, append(msg, 0), sig); err == nil {
			t.Errorf("%s: another message accepted", v.name)
		}
	}
}

func TestEd25519Agrees(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	s := newSource("ed25519")
	for _, n := range []int{0, 1, 31, 32, 63, 64, 65, 127, 128, 129, 1000} {
		ed25519Agrees(t, s.bytes(32), s.bytes(n), 0)
		for range 5 {
			ed25519Agrees(t, s.bytes(32), s.bytes(n), 1+int(s.Uint64()%768))
		}
	}
}

// ed25519Agrees has the library sign, flips one bit of public key or signature unless it is 0, counted from 1, and
// wants the same answer from both.
func ed25519Agrees(t testing.TB, seed, msg []byte, flip int) {
	t.Helper()
	private := ed25519.NewKeyFromSeed(seed)
	pub := bytes.Clone(private[32:])
	both := append(pub, ed25519.Sign(private, msg)...)
	if flip > 0 {
		both[(flip-1)/8] ^= 1 << ((flip - 1) % 8)
	}
	want := ed25519.Verify(both[:32], msg, both[32:])
	if err := Ed25519Verify(both[:32], msg, both[32:]); (err == nil) != want {
		t.Errorf("key %x, message %x, signature %x: %v, the library says %v", both[:32], msg, both[32:], err, want)
	}
	if want != (flip == 0) {
		t.Errorf("bit %d flipped, and the library says %v", flip, want)
	}
}

// TestEd25519Encodings holds the border between canonical encodings and others.
func TestEd25519Encodings(t *testing.T) {
	encoding := func(y *big.Int, sign uint) []byte { return littleEndian32(new(big.Int).SetBit(y, 255, sign)) }
	one, minusOne := big.NewInt(1), new(big.Int).Sub(prime25519, big.NewInt(1))
	for name, v := range map[string]struct {
		b  []byte
		ok bool
	}{
		"y = 1":              {encoding(one, 0), true},
		"y = 1, x = −0":      {encoding(one, 1), false},
		"y = −1":             {encoding(minusOne, 0), true},
		"y = −1, x = −0":     {encoding(minusOne, 1), false},
		"y = p":              {encoding(prime25519, 0), false},
		"y = p+1":            {encoding(new(big.Int).Add(prime25519, one), 0), false},
		"y = 2²⁵⁵−1":         {bytes.Repeat([]byte{0xff}, 32), false},
		"y = 0, of order 4":  {encoding(new(big.Int), 0), true},
		"y = 0, other of it": {encoding(new(big.Int), 1), true},
		"y = 2, not a point": {encoding(big.NewInt(2), 0), false},
	} {
		p, err := decodeEdwards(v.b)
		if (err == nil) != v.ok {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			equal(t, name, p.encode(), v.b)
		}
	}
}

func TestEd25519BasePoint(t *testing.T) { // RFC 8032 §5.1 prints its coordinates, and d, in decimal
	decimal := func(s string) *big.Int {
		n, ok := new(big.Int).SetString(s, 10)
		if !ok {
			t.Fatal(s)
		}
		return n
	}
	b := edwardsBase()
	sameInt(t, "x", b.x, decimal("15112221349535400772501151409588531511454012693041857206046113283949847762202"))
	sameInt(t, "y", b.y, decimal("46316835694926478169428394003475163141307993866256225615783033603165251855960"))
	sameInt(t, "d", edwardsD(), decimal("37095705934669439343138083508754565189542113879843219016388785533085940283555"))
	zero := b.multiply(edwardsOrder())
	sameInt(t, "x of [L]B", zero.x, new(big.Int))
	sameInt(t, "y of [L]B", zero.y, big.NewInt(1))
}

func TestEd25519Refuses(t *testing.T) {
	private := ed25519.NewKeyFromSeed(make([]byte, 32))
	pub, msg := []byte(private[32:]), []byte("message")
	sig := ed25519.Sign(private, msg)
	moreS := append(bytes.Clone(sig[:32]), littleEndian32(new(big.Int).Add(fromLittleEndian(sig[32:]), edwardsOrder()))...)
	for name, v := range map[string]struct{ pub, sig []byte }{
		"S + L":           {pub, moreS},
		"short key":       {pub[:31], sig},
		"long key":        {append(bytes.Clone(pub), 0), sig},
		"short signature": {pub, sig[:63]},
		"long signature":  {pub, append(bytes.Clone(sig), 0)},
		"no signature":    {pub, nil},
		"all zeros":       {pub, make([]byte, 64)},
	} {
		if err := Ed25519Verify(v.pub, msg, v.sig); err == nil {
			t.Errorf("%s accepted", name)
		}
	}
}
