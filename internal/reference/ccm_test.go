package reference

import (
	"testing"

	gmcipher "github.com/emmansun/gmsm/cipher"
)

// ccmCase is an example of a standard; the size of its tag is what its sealed text has more than its plaintext.
type ccmCase struct{ name, key, nonce, aad, plaintext, sealed string }

// The key of the examples of SP 800-38C, appendix C, and that of the packets of RFC 3610, section 8.
const (
	ccmKey    = "404142434445464748494a4b4c4d4e4f"
	packetKey = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf"
)

var ccmCases = []ccmCase{
	{"C.1", ccmKey, "10111213141516", "0001020304050607", "20212223", "7162015b4dac255d"},
	{"C.2", ccmKey, "1011121314151617", "000102030405060708090a0b0c0d0e0f", "202122232425262728292a2b2c2d2e2f",
		"d2a1f0e051ea5f62081a7792073d593d 1fc64fbfaccd"},
	{"C.3", ccmKey, "101112131415161718191a1b", "000102030405060708090a0b0c0d0e0f10111213",
		"202122232425262728292a2b2c2d2e2f3031323334353637", "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5 484392fbc1b09951"},
	{"packet 1", packetKey, "00000003020100a0a1a2a3a4a5", "0001020304050607", "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
		"588c979a61c663d2f066d0c2c0f989806d5f6b61dac384 17e8d12cfdf926e0"},
	{"packet 2", packetKey, "00000004030201a0a1a2a3a4a5", "0001020304050607", "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
		"72c91a36e135f8cf291ca894085c87e3cc15c439c9e43a3b a091d56e10400916"},
	{"packet 3", packetKey, "00000005040302a0a1a2a3a4a5", "0001020304050607", "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20",
		"51b1e5f44a197d1da46b0f8e2d282ae871e838bb64da859657 4adaa76fbd9fb0c5"},
	{"packet 4", packetKey, "00000006050403a0a1a2a3a4a5", "000102030405060708090a0b", "0c0d0e0f101112131415161718191a1b1c1d1e",
		"a28c6865939a9a79faaa5c4c2a9d4a91cdac8c 96c861b9c9e61ef1"},
}

func TestCCMExamples(t *testing.T) {
	for _, v := range ccmCases {
		b := aesBlockFor(t, unhex(t, v.key))
		nonce, aad, plaintext, want := unhex(t, v.nonce), unhex(t, v.aad), unhex(t, v.plaintext), unhex(t, v.sealed)
		tag := len(want) - len(plaintext)
		equal(t, v.name, SealCCM(b, nonce, plaintext, aad, tag), want)
		checkOpen(t, want, plaintext, func(sealed []byte) ([]byte, error) { return OpenCCM(b, nonce, sealed, aad, tag) })
	}
}

// TestCCMLongHeader is example 4 of appendix C, whose 65536 bytes of associated data have a length of six bytes.
func TestCCMLongHeader(t *testing.T) {
	aad := make([]byte, 65536)
	for i := range aad {
		aad[i] = byte(i)
	}
	plaintext := unhex(t, "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f")
	want := unhex(t, "69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72 b4ac6bec93e8598e7f0dadbcea5b")
	got := SealCCM(aesBlockFor(t, unhex(t, ccmKey)), unhex(t, "101112131415161718191a1b1c"), plaintext, aad, 14)
	equal(t, "C.4", got, want)
}

func TestSM4CCMRFC8998(t *testing.T) { // RFC 8998 appendix A.2
	b := sm4BlockFor(t, unhex(t, "0123456789abcdeffedcba9876543210"))
	nonce, aad := unhex(t, "00001234567800000000abcd"), unhex(t, gcmAAD)
	plaintext := unhex(t, `aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd
		eeeeeeeeeeeeeeeeffffffffffffffffeeeeeeeeeeeeeeeeaaaaaaaaaaaaaaaa`)
	want := unhex(t, `48af93501fa62adbcd414cce6034d895dda1bf8f132f042098661572e7483094
		fd12e518ce062c98acee28d95df4416bed31a2f04476c18bb40c84a74b97dc5b 16842d4fa186f56ab33256971fa110f4`)
	equal(t, "A.2", SealCCM(b, nonce, plaintext, aad, BlockSize), want)
	checkOpen(t, want, plaintext, func(sealed []byte) ([]byte, error) { return OpenCCM(b, nonce, sealed, aad, BlockSize) })
}

// TestCCMAgrees: with a library, in every size of nonce and tag. A nonce of 13 bytes leaves room for 64 KiB less one.
func TestCCMAgrees(t *testing.T) {
	for _, p := range peers {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			s := newSource("ccm " + p.name)
			for i, n := range lengths() {
				nonceSize, tagSize := 7+i%6, 4+2*(i%7)
				if n < 1<<16 {
					nonceSize = 7 + i%7
				}
				ours, theirs := p.open(t, s.bytes(p.keySize))
				nonce, plaintext, aad := s.bytes(nonceSize), s.bytes(n), s.bytes(i*i%50)
				a, err := gmcipher.NewCCMWithNonceAndTagSize(theirs, nonceSize, tagSize)
				if err != nil {
					t.Fatal(err)
				}
				sealed := SealCCM(ours, nonce, plaintext, aad, tagSize)
				equal(t, "CCM sealed", sealed, a.Seal(nil, nonce, plaintext, aad))
				opened, err := OpenCCM(ours, nonce, sealed, aad, tagSize)
				if err != nil {
					t.Fatal(err)
				}
				equal(t, "CCM opened", opened, plaintext)
			}
		})
	}
}

// TestCCMRefusesSizes: what appendix A.1 does not have is refused, and a text as long as the nonce leaves no room for.
func TestCCMRefusesSizes(t *testing.T) {
	b := sm4BlockFor(t, make([]byte, 16))
	for _, v := range []struct{ nonce, sealed, tag int }{{6, 32, 16}, {14, 32, 16}, {12, 32, 2}, {12, 32, 5}, {12, 32, 18}, {13, 1<<16 + 8, 8}} {
		if _, err := OpenCCM(b, make([]byte, v.nonce), make([]byte, v.sealed), nil, v.tag); err == nil {
			t.Errorf("%+v: no error", v)
		}
	}
}
