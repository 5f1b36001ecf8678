package reference

import "testing"

// TestKeyWrapExamples are those of RFC 3394, section 4.
func TestKeyWrapExamples(t *testing.T) {
	const kek = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
	const key = "00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f"
	for _, v := range []struct {
		name     string
		kek, key int // bytes
		wrapped  string
	}{
		{"4.1", 16, 16, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"},
		{"4.2", 24, 16, "96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d"},
		{"4.3", 32, 16, "64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7"},
		{"4.4", 24, 24, "031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2"},
		{"4.5", 32, 24, "a8f9bc1612c68b3ff6e6f4fbe30e71e4769c8b80a32cb8958cd5d17d6b254da1"},
		{"4.6", 32, 32, "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21"},
	} {
		b := aesBlockFor(t, unhex(t, kek[:2*v.kek]))
		plain, want := unhex(t, key[:2*v.key]), unhex(t, v.wrapped)
		equal(t, v.name, WrapKey(b, plain), want)
		checkOpen(t, want, plain, func(wrapped []byte) ([]byte, error) { return UnwrapKey(b, wrapped) })
	}
	b := aesBlockFor(t, unhex(t, kek))
	for _, n := range []int{0, 8, 16, 23, 25} { // too short, or no whole units
		if _, err := UnwrapKey(b, make([]byte, n)); err != ErrOpen {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
