package reference

import "testing"

// The 18 AES cases of McGrew and Viega, "The Galois/Counter Mode of Operation (GCM)", appendix B, which SP 800-38D
// refers to. Cases 5, 6, 11, 12, 17 and 18 have nonces of 8 and of 60 bytes.
const (
	gcmKey       = "feffe9928665731c6d6a8f9467308308"
	gcmPlaintext = `d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
		1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255`
	gcmAAD       = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
	gcmNonce     = "cafebabefacedbaddecaf888"
	gcmLongNonce = `9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728
		c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b`
	zeros = "00000000000000000000000000000000"
)

var gcmCases = []struct {
	number                      int
	key, nonce, ciphertext, tag string
	plaintext, aad              string // sizes differ: cases 4 to 6 leave out the last 4 bytes
}{
	{1, zeros, zeros[:24], "", "58e2fccefa7e3061367f1d57a4e7455a", "", ""},
	{2, zeros, zeros[:24], "0388dace60b6a392f328c2b971b2fe78", "ab6e47d42cec13bdf53a67b21257bddf", zeros, ""},
	{3, gcmKey, gcmNonce, `42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e
		21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985`, "4d5c2af327cd64a62cf35abd2ba6fab4", gcmPlaintext, ""},
	{4, gcmKey, gcmNonce, `42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e
		21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091`, "5bc94fbc3221a5db94fae95ae7121a47", gcmPlaintext, gcmAAD},
	{5, gcmKey, gcmNonce[:16], `61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c7423
		73806900e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598`, "3612d2e79e3b0785561be14aaca2fccb", gcmPlaintext, gcmAAD},
	{6, gcmKey, gcmLongNonce, `8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca7
		01e4a9a4fba43c90ccdcb281d48c7c6fd62875d2aca417034c34aee5`, "619cc5aefffe0bfa462af43c1699d050", gcmPlaintext, gcmAAD},
	{7, zeros + zeros[:16], zeros[:24], "", "cd33b28ac773f74ba00ed1f312572435", "", ""},
	{8, zeros + zeros[:16], zeros[:24], "98e7247c07f0fe411c267e4384b0f600", "2ff58d80033927ab8ef4d4587514f0fb", zeros, ""},
	{9, gcmKey + gcmKey[:16], gcmNonce, `3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c
		7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710acade256`, "9924a7c8587336bfb118024db8674a14", gcmPlaintext, ""},
	{10, gcmKey + gcmKey[:16], gcmNonce, `3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c
		7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710`, "2519498e80f1478f37ba55bd6d27618c", gcmPlaintext, gcmAAD},
	{11, gcmKey + gcmKey[:16], gcmNonce[:16], `0f10f599ae14a154ed24b36e25324db8c566632ef2bbb34f8347280fc4507057
		fddc29df9a471f75c66541d4d4dad1c9e93a19a58e8b473fa0f062f7`, "65dcc57fcf623a24094fcca40d3533f8", gcmPlaintext, gcmAAD},
	{12, gcmKey + gcmKey[:16], gcmLongNonce, `d27e88681ce3243c4830165a8fdcf9ff1de9a1d8e6b447ef6ef7b79828666e45
		81e79012af34ddd9e2f037589b292db3e67c036745fa22e7e9b7373b`, "dcf566ff291c25bbb8568fc3d376a6d9", gcmPlaintext, gcmAAD},
	{13, zeros + zeros, zeros[:24], "", "530f8afbc74536b9a963b4f1c4cb738b", "", ""},
	{14, zeros + zeros, zeros[:24], "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919", zeros, ""},
	{15, gcmKey + gcmKey, gcmNonce, `522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
		8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad`, "b094dac5d93471bdec1a502270e3cc6c", gcmPlaintext, ""},
	{16, gcmKey + gcmKey, gcmNonce, `522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
		8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662`, "76fc6ece0f4e1768cddf8853bb2d551b", gcmPlaintext, gcmAAD},
	{17, gcmKey + gcmKey, gcmNonce[:16], `c3762df1ca787d32ae47c13bf19844cbaf1ae14d0b976afac52ff7d79bba9de0
		feb582d33934a4f0954cc2363bc73f7862ac430e64abe499f47c9b1f`, "3a337dbf46a792c45e454913fe2ea8f2", gcmPlaintext, gcmAAD},
	{18, gcmKey + gcmKey, gcmLongNonce, `5a8def2f0c9e53f1f75d7853659e2a20eeb2b22aafde6419a058ab4f6f746bf4
		0fc0c3b780f244452da3ebf1c5d82cdea2418997200ef82e44ae7e3f`, "a44a8266ee1c8eb0c8b5d4cf5ae9f19a", gcmPlaintext, gcmAAD},
}

func TestGCMSpecification(t *testing.T) {
	for _, v := range gcmCases {
		b := aesBlockFor(t, unhex(t, v.key))
		ciphertext, aad, nonce := unhex(t, v.ciphertext), unhex(t, v.aad), unhex(t, v.nonce)
		plaintext := unhex(t, v.plaintext)[:len(ciphertext)]
		want := append(ciphertext, unhex(t, v.tag)...)
		got := SealGCM(b, nonce, plaintext, aad)
		if string(got) != string(want) {
			t.Errorf("case %d:\n got %x\nwant %x", v.number, got, want)
		}
		checkOpen(t, want, plaintext, func(sealed []byte) ([]byte, error) { return OpenGCM(b, nonce, sealed, aad) })
	}
}

func TestSM4GCMRFC8998(t *testing.T) { // RFC 8998 appendix A.1
	b := sm4BlockFor(t, unhex(t, "0123456789abcdeffedcba9876543210"))
	nonce, aad := unhex(t, "00001234567800000000abcd"), unhex(t, gcmAAD)
	plaintext := unhex(t, `aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd
		eeeeeeeeeeeeeeeeffffffffffffffffeeeeeeeeeeeeeeeeaaaaaaaaaaaaaaaa`)
	want := unhex(t, `17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735
		d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d 83de3541e4c2b58177e065a9bf7b62ec`)
	equal(t, "A.1", SealGCM(b, nonce, plaintext, aad), want)
	checkOpen(t, want, plaintext, func(sealed []byte) ([]byte, error) { return OpenGCM(b, nonce, sealed, aad) })
}

// TestCountersWrap crosses the two counters' carries, one block before and after each: GCM's at 2³², CTR's at 2⁶⁴ and 2¹²⁸.
func TestCountersWrap(t *testing.T) {
	for _, v := range []struct {
		before, ctr, gcm string
	}{
		{"000000000000000000000000fffffffe", "000000000000000000000000ffffffff", "000000000000000000000000ffffffff"},
		{"000000000000000000000000ffffffff", "00000000000000000000000100000000", "00000000000000000000000000000000"},
		{"0000000000000000ffffffffffffffff", "00000000000000010000000000000000", "0000000000000000ffffffff00000000"},
		{"ffffffffffffffffffffffffffffffff", "00000000000000000000000000000000", "ffffffffffffffffffffffff00000000"},
	} {
		ctr, gcm := [BlockSize]byte(unhex(t, v.before)), [BlockSize]byte(unhex(t, v.before))
		increment128(ctr[:])
		increment32(gcm[:])
		equal(t, "CTR after "+v.before, ctr[:], unhex(t, v.ctr))
		equal(t, "GCM after "+v.before, gcm[:], unhex(t, v.gcm))
	}
}

// checkOpen wants sealed opened, and refused after any single bit is flipped or anything is cut off.
func checkOpen(t *testing.T, sealed, plaintext []byte, open func([]byte) ([]byte, error)) {
	t.Helper()
	got, err := open(sealed)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "opened", got, plaintext)
	every := 1
	if testing.Short() {
		every = 7 // so that each byte and each place in a byte has its turn
	}
	for bit := 0; bit < 8*len(sealed); bit += every {
		tampered := append([]byte{}, sealed...)
		tampered[bit/8] ^= 1 << (bit % 8)
		if got, err := open(tampered); err == nil || got != nil {
			t.Fatalf("bit %d flipped: opened to %x, error %v", bit, got, err)
		}
	}
	for n := range sealed {
		if got, err := open(sealed[:n]); err == nil || got != nil {
			t.Fatalf("cut to %d bytes: opened to %x, error %v", n, got, err)
		}
	}
}

func TestGCMRefusesEmptyNonce(t *testing.T) {
	if _, err := OpenGCM(sm4BlockFor(t, make([]byte, 16)), nil, make([]byte, 32), nil); err == nil {
		t.Error("no error")
	}
}
