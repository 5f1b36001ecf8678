package reference

import (
	"strings"
	"testing"
)

func TestHKDFRFC5869(t *testing.T) { // appendix A, with SHA-256 and SHA-1
	const salt, info = "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9"
	longSecret, longSalt, longInfo := sequence(0x00, 0x4f), sequence(0x60, 0xaf), sequence(0xb0, 0xff)
	for _, v := range []struct {
		name               string
		hash               func([]byte) []byte
		secret, salt, info []byte
		okm                string
	}{
		{"A.1", SHA256, unhex(t, strings.Repeat("0b", 22)), unhex(t, salt), unhex(t, info),
			"3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"},
		{"A.2", SHA256, longSecret, longSalt, longInfo, `b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c
			59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71 cc30c58179ec3e87c14c01d5c1f3434f1d87`},
		{"A.3", SHA256, unhex(t, strings.Repeat("0b", 22)), nil, nil,
			"8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"},
		{"A.4", SHA1, unhex(t, strings.Repeat("0b", 11)), unhex(t, salt), unhex(t, info),
			"085a01ea1b10f36933068b56efa5ad81a4f14b822f5b091568a9cdd4f155fda2c22e422478d305f3f896"},
		{"A.5", SHA1, longSecret, longSalt, longInfo, `0bd770a74d1160f7c9f12cd5912a06ebff6adcae899d92191fe4305673ba2ffe
			8fa3f1a4e5ad79f3f334b3b202b2173c486ea37ce3d397ed034c7f9dfeb15c5e 927336d0441f4c4300e2cff0d0900b52d3b4`},
		{"A.6", SHA1, unhex(t, strings.Repeat("0b", 22)), nil, nil,
			"0ac1af7002b3d761d1e55298da9d0506b9ae52057220a306e07b6b87e8df21d0ea00033de03984d34918"},
		{"A.7", SHA1, unhex(t, strings.Repeat("0c", 22)), nil, nil,
			"2c91117204d745f3500d636a62f64f0ab3bae548aa53d423b0d1f27ebba6f5e5673a081d70cce7acfc48"},
	} {
		want := unhex(t, v.okm)
		equal(t, v.name, HKDF(v.hash, HashBlockSize, v.secret, v.salt, v.info, len(want)), want)
	}
}

// sequence returns the bytes from first to last.
func sequence(first, last int) (b []byte) {
	for i := first; i <= last; i++ {
		b = append(b, byte(i))
	}
	return b
}

func TestHKDFEndsAt255Digests(t *testing.T) {
	if n := len(HKDF(SHA256, HashBlockSize, nil, nil, nil, 255*32)); n != 255*32 {
		t.Errorf("%d bytes", n)
	}
	mustPanic(t, "256 digests", func() { HKDF(SHA256, HashBlockSize, nil, nil, nil, 255*32+1) })
}
