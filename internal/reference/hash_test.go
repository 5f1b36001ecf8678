package reference

import (
	"encoding/hex"
	"strings"
	"testing"
)

func TestSHA256Examples(t *testing.T) { // FIPS 180-4's examples, and the empty message
	for _, v := range []struct{ msg, digest string }{
		{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
		{strings.Repeat("a", 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
	} {
		equal(t, "SHA-256", SHA256([]byte(v.msg)), unhex(t, v.digest))
	}
}

func TestSM3AppendixA(t *testing.T) { // GB/T 32905-2016 appendix A
	for _, v := range []struct{ msg, digest string }{
		{"abc", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"},
		{strings.Repeat("abcd", 16), "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732"},
	} {
		equal(t, "SM3", SM3([]byte(v.msg)), unhex(t, v.digest))
	}
}

func TestHMACRFC4231(t *testing.T) { // RFC 4231 §4.2 to §4.8; case 5 is truncated to 128 bits
	text := func(s string) string { return hex.EncodeToString([]byte(s)) }
	for i, v := range []struct{ key, msg, tag string }{
		{strings.Repeat("0b", 20), text("Hi There"), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
		{text("Jefe"), text("what do ya want for nothing?"), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
		{strings.Repeat("aa", 20), strings.Repeat("dd", 50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
		{"0102030405060708090a0b0c0d0e0f10111213141516171819", strings.Repeat("cd", 50), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"},
		{strings.Repeat("0c", 20), text("Test With Truncation"), "a3b6167473100ee06e0c796c2955552b"},
		{strings.Repeat("aa", 131), text("Test Using Larger Than Block-Size Key - Hash Key First"), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
		{strings.Repeat("aa", 131), text("This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm."), "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
	} {
		want := unhex(t, v.tag)
		got := HMAC(SHA256, HashBlockSize, unhex(t, v.key), unhex(t, v.msg))
		if string(got[:len(want)]) != string(want) {
			t.Errorf("case %d: got %x, want %x", i+1, got, want)
		}
	}
}
