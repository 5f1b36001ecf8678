package reference

import "testing"

func TestChaCha20BlockRFC8439(t *testing.T) { // §2.3.2
	key := unhex(t, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
	block := chachaBlock(key, unhex(t, "000000090000004a00000000"), 1)
	equal(t, "block", block[:], unhex(t, `10f1e7e4d13b5915500fdd1fa32071c4 c7d1f4c733c068030422aa9ac3d46c4e
		d2826446079faa0914c2d705d98b02a2 b5129cd1de164eb9cbd083e8a2503c4e`))
}

func TestChaCha20RFC8439(t *testing.T) { // §2.4.2
	key := unhex(t, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
	got := ChaCha20(key, unhex(t, "000000000000004a00000000"), 1, []byte(sunscreen))
	equal(t, "§2.4.2", got, unhex(t, `6e2e359a2568f98041ba0728dd0d6981 e97e7aec1d4360c20a27afccfd9fae0b
		f91b65c5524733ab8f593dabcd62b357 1639d624e65152ab8f530c359f0861d8
		07ca0dbf500d6a6156a38e088a22b65e 52bc514d16ccf806818ce91ab7793736
		5af90bbf74a35be6b40b8eedf2785e42 874d`))
}

const sunscreen = "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."

func TestPoly1305RFC8439(t *testing.T) {
	for _, v := range []struct{ name, key, msg, tag string }{
		{"§2.5.2", "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b",
			"43727970746f6772617068696320466f72756d2052657365617263682047726f7570", "a8061dc1305136c6c22b8baf0c0127a9"},
		// Appendix A.3 from 7 on: the sums at the edges of the field.
		{"A.3 #7", "02" + zeros[:30] + zeros, "ffffffffffffffffffffffffffffffff", "03000000000000000000000000000000"},
		{"A.3 #8", "02" + zeros[:30] + "ffffffffffffffffffffffffffffffff", "02000000000000000000000000000000", "03000000000000000000000000000000"},
		{"A.3 #9", "01" + zeros[:30] + zeros, `ffffffffffffffffffffffffffffffff f0ffffffffffffffffffffffffffffff
			11000000000000000000000000000000`, "05000000000000000000000000000000"},
		{"A.3 #10", "01" + zeros[:30] + zeros, `ffffffffffffffffffffffffffffffff fbfefefefefefefefefefefefefefefe
			01010101010101010101010101010101`, zeros},
		{"A.3 #11", "02" + zeros[:30] + zeros, "fdffffffffffffffffffffffffffffff", "faffffffffffffffffffffffffffffff"},
	} {
		equal(t, v.name, poly1305(unhex(t, v.key), unhex(t, v.msg)), unhex(t, v.tag))
	}
}

func TestChaCha20Poly1305RFC8439(t *testing.T) { // §2.8.2
	key := unhex(t, "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f")
	nonce, aad := unhex(t, "070000004041424344454647"), unhex(t, "50515253c0c1c2c3c4c5c6c7")
	plaintext := []byte(sunscreen)
	want := unhex(t, `d31a8d34648e60db7b86afbc53ef7ec2 a4aded51296e08fea9e2b5a736ee62d6
		3dbea45e8ca9671282fafb69da92728b 1a71de0a9e060b2905d6a5b67ecd3b36
		92ddbd7f2d778b8c9803aee328091b58 fab324e4fad675945585808b4831d7bc
		3ff4def08e4b7a9de576d26586cec64b 6116 1ae10b594f09e26a7e902ecbd0600691`)
	got, err := SealChaCha20Poly1305(key, nonce, plaintext, aad)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "§2.8.2", got, want)
	checkOpen(t, want, plaintext, func(sealed []byte) ([]byte, error) {
		return OpenChaCha20Poly1305(key, nonce, sealed, aad)
	})
}

func TestChaCha20Poly1305Sizes(t *testing.T) {
	for _, v := range []struct{ key, nonce int }{{31, 12}, {33, 12}, {32, 0}, {32, 8}, {32, 11}, {32, 13}, {32, 24}} {
		if _, err := SealChaCha20Poly1305(make([]byte, v.key), make([]byte, v.nonce), nil, nil); err == nil {
			t.Errorf("key of %d, nonce of %d bytes accepted", v.key, v.nonce)
		}
		if _, err := OpenChaCha20Poly1305(make([]byte, v.key), make([]byte, v.nonce), make([]byte, 16), nil); err == nil {
			t.Errorf("key of %d, nonce of %d bytes opened", v.key, v.nonce)
		}
	}
}
