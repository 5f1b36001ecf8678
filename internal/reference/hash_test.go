package reference

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

func TestSHA256Examples(t *testing.T) { // FIPS 180-4's examples, and the empty message
	for _, v := range []struct{ msg, digest string }{
		{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{message448, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
		{strings.Repeat("a", 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
	} {
		equal(t, "SHA-256", SHA256([]byte(v.msg)), unhex(t, v.digest))
	}
}

func TestMD5RFC1321(t *testing.T) { // appendix A.5
	for _, v := range []struct{ msg, digest string }{
		{"", "d41d8cd98f00b204e9800998ecf8427e"},
		{"a", "0cc175b9c0f1b6a831c399e269772661"},
		{"abc", "900150983cd24fb0d6963f7d28e17f72"},
		{"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
		{"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
		{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"},
		{strings.Repeat("1234567890", 8), "57edf4a22be3c955ac49da2e2107b67a"},
	} {
		equal(t, "MD5", MD5([]byte(v.msg)), unhex(t, v.digest))
	}
}

// The two messages of FIPS 180-4's and FIPS 202's examples that are longer than a word.
const (
	message448 = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
	message896 = "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"
)

func TestSHA1Examples(t *testing.T) { // FIPS 180-4's examples, and the empty message
	for _, v := range []struct{ msg, digest string }{
		{"", "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
		{"abc", "a9993e364706816aba3e25717850c26c9cd0d89d"},
		{message448, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
		{strings.Repeat("a", 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"},
	} {
		equal(t, "SHA-1", SHA1([]byte(v.msg)), unhex(t, v.digest))
	}
}

func TestSHA512Examples(t *testing.T) { // FIPS 180-4's examples, and the empty message
	for _, v := range []struct{ msg, digest string }{
		{"", `cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce
			47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e`},
		{"abc", `ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
			2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f`},
		{message896, `8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018
			501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909`},
		{strings.Repeat("a", 1_000_000), `e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb
			de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b`},
	} {
		equal(t, "SHA-512", SHA512([]byte(v.msg)), unhex(t, v.digest))
	}
}

func TestSHA3of256Examples(t *testing.T) { // FIPS 202's examples: the texts, and 1600 bits of a3
	for _, v := range []struct{ msg, digest string }{
		{"", "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"},
		{"abc", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"},
		{message448, "41c0dba2a9d6240849100376a8235e2c82e1b9998a999e21db32dd97496d3376"},
		{message896, "916f6061fe879741ca6469b43971dfdb28b1a32dc36cb3254e812be27aad1d18"},
		{strings.Repeat("a", 1_000_000), "5c8875ae474a3634ba4fd55ec85bffd661f32aca75c6d699d0cdcb6c115891c1"},
		{strings.Repeat("\xa3", 200), "79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787"},
	} {
		equal(t, "SHA3-256", SHA3of256([]byte(v.msg)), unhex(t, v.digest))
	}
}

func TestBLAKE2bRFC7693(t *testing.T) { // appendix A
	equal(t, "BLAKE2b-512", BLAKE2b512([]byte("abc")), unhex(t, `
		ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1
		7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923`))
}

// TestBLAKE3Vectors: test_vectors.json of github.com/BLAKE3-team/BLAKE3, the first 32 bytes of each; the input is the
// bytes 0, 1, 2 … 250, again and again.
func TestBLAKE3Vectors(t *testing.T) {
	for _, v := range []struct {
		length int
		digest string
	}{
		{0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"},
		{1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"},
		{1023, "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11"},
		{1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"},
		{1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"},
		{2048, "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a"},
		{2049, "5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030"},
		{3072, "b98cb0ff3623be03326b373de6b9095218513e64f1ee2edd2525c7ad1e5cffd2"},
		{3073, "7124b49501012f81cc7f11ca069ec9226cecb8a2c850cfe644e327d22d3e1cd3"},
		{5120, "9cadc15fed8b5d854562b26a9536d9707cadeda9b143978f319ab34230535833"},
		{8193, "bab6c09cb8ce8cf459261398d2e7aef35700bf488116ceb94a36d0f5f1b7bc3b"},
		{31744, "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47"},
	} {
		msg := make([]byte, v.length)
		for i := range msg {
			msg[i] = byte(i % 251)
		}
		equal(t, fmt.Sprintf("BLAKE3 of %d bytes", v.length), BLAKE3(msg), unhex(t, v.digest))
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
		{strings.Repeat("aa", 131), text("This is a test using a larger than block-size key and a larger than block-size data. " +
			"The key needs to be hashed before being used by the HMAC algorithm."),
			"9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
	} {
		want := unhex(t, v.tag)
		got := HMAC(SHA256, HashBlockSize, unhex(t, v.key), unhex(t, v.msg))
		if string(got[:len(want)]) != string(want) {
			t.Errorf("case %d: got %x, want %x", i+1, got, want)
		}
	}
}
