package reference

import (
	"bytes"
	"crypto/rand"
	"math/big"
	"testing"

	"github.com/emmansun/gmsm/sm2"
)

// The examples of GB/T 32918.5-2017, appendix A and C: one key pair, one nonce.
var (
	sm2ExampleD = hexInt("3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8")
	sm2ExampleX = hexInt("09f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020")
	sm2ExampleY = hexInt("ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13")
	sm2ExampleK = hexInt("59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21")
	sm2UserID   = []byte("1234567812345678")
)

func TestSM2SignatureAppendixA(t *testing.T) { // GB/T 32918.5-2017
	msg := []byte("message digest")
	x, y := SM2Curve().ScalarBaseMult(sm2ExampleD)
	sameInt(t, "public x", x, sm2ExampleX)
	sameInt(t, "public y", y, sm2ExampleY)
	equal(t, "Z_A", SM2ZA(sm2UserID, x, y), unhex(t, "b2e14c5c79c6df5b85f4fe7ed8db7a262b9da7e07ccb0ea9f4747b8ccda8a4f3"))
	r, s, err := SM2Sign(sm2ExampleD, sm2ExampleK, sm2UserID, msg)
	if err != nil {
		t.Fatal(err)
	}
	sameInt(t, "r", r, hexInt("f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3"))
	sameInt(t, "s", s, hexInt("b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa"))
	if err := SM2Verify(x, y, sm2UserID, msg, r, s); err != nil {
		t.Error(err)
	}
}

func TestSM2DecryptAppendixC(t *testing.T) { // GB/T 32918.5-2017
	ciphertext := unhex(t, `04 04ebfc718e8d1798620432268e77feb6415e2ede0e073c0f4f640ecd2e149a73
		e858f9d81e5430a57b36daab8f950a3c64e6ee6a63094d99283aff767e124df0
		59983c18f809e262923c53aec295d30383b54e39d609d160afcb1908d0bd8766 21886ca989ca9c7d58087307ca93092d651efa`)
	checkOpen(t, ciphertext, []byte("encryption standard"), func(c []byte) ([]byte, error) { return SM2Decrypt(sm2ExampleD, c) })
}

func TestSM2CurveAgrees(t *testing.T) {
	curveAgrees(t, SM2Curve(), sm2.P256())
}

func TestSM2Agrees(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	src := newSource("sm2")
	for i := range 20 {
		sm2Agrees(t, src.bytes(32), src.bytes(32), src.bytes(i%5*8), src.bytes(1+i*i))
	}
}

// sm2Agrees signs here and verifies there, signs there and verifies here, encrypts there and decrypts here. The
// library takes an empty identity for the default one, so there is none here.
func sm2Agrees(t testing.TB, secret, nonce, uid, msg []byte) {
	t.Helper()
	c := SM2Curve()
	d, k := scalarOf(secret, new(big.Int).Sub(c.N, big.NewInt(2))), scalarOf(nonce, new(big.Int).Sub(c.N, big.NewInt(1)))
	uid = append(uid, 'x')
	theirs, err := sm2.NewPrivateKeyFromInt(d)
	if err != nil {
		t.Fatal(err)
	}
	za, err := sm2.CalculateZA(&theirs.PublicKey, uid)
	if err != nil {
		t.Fatal(err)
	}
	x, y := c.ScalarBaseMult(d)
	equal(t, "Z_A", SM2ZA(uid, x, y), za)

	digest, err := sm2.CalculateSM2Hash(&theirs.PublicKey, msg, uid)
	if err != nil {
		t.Fatal(err)
	}
	r, s, err := SM2Sign(d, k, uid, msg)
	if err != nil {
		t.Fatal(err)
	}
	if !sm2.Verify(&theirs.PublicKey, digest, r, s) {
		t.Errorf("the library refuses r = %x, s = %x", r, s)
	}
	r, s, err = sm2.Sign(rand.Reader, &theirs.PrivateKey, digest)
	if err != nil {
		t.Fatal(err)
	}
	sm2SignatureHolds(t, x, y, uid, msg, r, s)
	sm2CiphertextOpens(t, theirs, d, msg)
}

func sm2SignatureHolds(t testing.TB, x, y *big.Int, uid, msg []byte, r, s *big.Int) {
	t.Helper()
	if err := SM2Verify(x, y, uid, msg, r, s); err != nil {
		t.Errorf("r = %x, s = %x: %v", r, s, err)
	}
	if err := SM2Verify(x, y, uid, append(msg, 0), r, s); err == nil {
		t.Error("another message accepted")
	}
	if err := SM2Verify(x, y, append(uid, 0), msg, r, s); err == nil {
		t.Error("another identity accepted")
	}
}

func sm2CiphertextOpens(t testing.TB, key *sm2.PrivateKey, d *big.Int, msg []byte) {
	t.Helper()
	if len(msg) == 0 { // there is nothing to encrypt
		return
	}
	ciphertext, err := encryptedSM2(key, msg)
	if err != nil {
		t.Fatal(err)
	}
	got, err := SM2Decrypt(d, ciphertext)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "decrypted", got, msg)
}

// encryptedSM2 is a message encrypted by the library, as C1‖C3‖C2 with C1 uncompressed. Where a mask is all zeros it
// draws another nonce (GB/T 32918.4-2016 §6.1, A5), and gmsm v0.44.0 has overwritten its copy of the public key by
// then: what it encrypts can't be opened, by itself neither. Of messages of one byte that is one in 256.
func encryptedSM2(key *sm2.PrivateKey, msg []byte) (ciphertext []byte, err error) {
	for range 16 {
		if ciphertext, err = sm2.Encrypt(rand.Reader, &key.PublicKey, msg, nil); err != nil {
			return nil, err
		}
		if _, err = sm2.Decrypt(key, ciphertext); err == nil {
			return ciphertext, nil
		}
	}
	return nil, err
}

func TestSM2VerifyRefuses(t *testing.T) {
	n, msg := SM2Curve().N, []byte("message digest")
	r, s, err := SM2Sign(sm2ExampleD, sm2ExampleK, sm2UserID, msg)
	if err != nil {
		t.Fatal(err)
	}
	zero, one := new(big.Int), big.NewInt(1)
	plus := func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }
	for name, v := range map[string]struct{ x, y, r, s *big.Int }{
		"r = 0":              {sm2ExampleX, sm2ExampleY, zero, s},
		"s = 0":              {sm2ExampleX, sm2ExampleY, r, zero},
		"r + n":              {sm2ExampleX, sm2ExampleY, plus(r, n), s},
		"s + n":              {sm2ExampleX, sm2ExampleY, r, plus(s, n)},
		"−r":                 {sm2ExampleX, sm2ExampleY, new(big.Int).Neg(r), s},
		"r + 1":              {sm2ExampleX, sm2ExampleY, plus(r, one), s},
		"r + s = n":          {sm2ExampleX, sm2ExampleY, r, new(big.Int).Sub(n, r)},
		"swapped":            {sm2ExampleX, sm2ExampleY, s, r},
		"off the curve":      {sm2ExampleX, plus(sm2ExampleY, one), r, s},
		"outside the field":  {plus(sm2ExampleX, SM2Curve().P), sm2ExampleY, r, s},
		"−Q":                 {sm2ExampleX, new(big.Int).Sub(SM2Curve().P, sm2ExampleY), r, s},
		"point at infinity":  {nil, nil, r, s},
		"negative of itself": {sm2ExampleX, new(big.Int).Neg(sm2ExampleY), r, s},
	} {
		if err := SM2Verify(v.x, v.y, sm2UserID, msg, v.r, v.s); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestSM2SignRefuses(t *testing.T) {
	n, one := SM2Curve().N, big.NewInt(1)
	lessOne := new(big.Int).Sub(n, one)
	for name, v := range map[string]struct{ d, k *big.Int }{
		"d = 0":   {new(big.Int), one},
		"d = n−1": {lessOne, one},
		"d = n":   {n, one},
		"k = 0":   {one, new(big.Int)},
		"k = n":   {one, n},
	} {
		if _, _, err := SM2Sign(v.d, v.k, nil, nil); err == nil {
			t.Errorf("%s: signed", name)
		}
	}
	mustPanic(t, "identity of 8192 bytes", func() { SM2ZA(make([]byte, 8192), sm2ExampleX, sm2ExampleY) })
	SM2ZA(make([]byte, 8191), sm2ExampleX, sm2ExampleY)
}

func TestSM2DecryptRefuses(t *testing.T) {
	header := append([]byte{4}, append(SM2Curve().fieldBytes(sm2ExampleX), SM2Curve().fieldBytes(sm2ExampleY)...)...)
	for name, c := range map[string][]byte{
		"nothing":          nil,
		"no C2":            append(bytes.Clone(header), make([]byte, 32)...),
		"compressed point": append([]byte{3}, make([]byte, 200)...),
		"off the curve":    append([]byte{4}, make([]byte, 200)...),
		"wrong digest":     append(bytes.Clone(header), make([]byte, 33)...),
	} {
		if msg, err := SM2Decrypt(sm2ExampleD, c); err == nil {
			t.Errorf("%s: decrypted to %x", name, msg)
		}
	}
}
