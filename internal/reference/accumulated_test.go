package reference

import (
	"crypto/sha256"
	"crypto/sha3"
	"encoding/hex"
	"testing"
)

// TestSM4Accumulated recomputes the set sm4-acc-v1: 10,000 messages a mode, drawn from SHAKE128, every length from
// 0 to 1023 among them; SHA-256 over all outputs. Two other implementations agree on the digests.
func TestSM4Accumulated(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, v := range []struct {
		mode, digest string
		seal         func(b Block, iv, aad, plaintext []byte) []byte
	}{
		{"ecb", "985aff011db32e5efdea493ff9d24f3ae5df09b4a3b32f37f9ad51b8ae6540b3",
			func(b Block, _, _, p []byte) []byte { return EncryptECB(b, p[:len(p)&^15]) }},
		{"cbc", "e5c638240c62aa61f3845ebb0d4f2ab458a1da0c7d1d55bc1b619087167053f1",
			func(b Block, iv, _, p []byte) []byte { return EncryptCBC(b, iv, p[:len(p)&^15]) }},
		{"ctr", "78f32d4a79691aa8380e9ee79d1b4782679d5a5c28c11cde56b0b6280885c1c5",
			func(b Block, iv, _, p []byte) []byte { return CTR(b, iv, p) }},
		{"gcm", "f5ce6d6df20726a9a59858fa819c36720c43a8bb752e96b9809210f07322de40",
			func(b Block, iv, aad, p []byte) []byte { return SealGCM(b, iv[:12], p, aad) }},
	} {
		t.Run(v.mode, func(t *testing.T) {
			t.Parallel()
			stream := sha3.NewSHAKE128()
			stream.Write([]byte("sm4-acc-v1/" + v.mode))
			draw := func(n int) []byte {
				b := make([]byte, n)
				stream.Read(b)
				return b
			}
			outputs := sha256.New()
			for i := range 10_000 {
				key, iv, aad := draw(16), draw(16), draw(13*i%65)
				size := i
				if i >= 1024 {
					size = 7919 * i % 4097
				}
				outputs.Write(v.seal(sm4BlockFor(t, key), iv, aad, draw(size)))
			}
			if got := hex.EncodeToString(outputs.Sum(nil)); got != v.digest {
				t.Errorf("got %s, want %s", got, v.digest)
			}
		})
	}
}
