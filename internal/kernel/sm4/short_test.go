package sm4

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// short works on any number of bytes, though the modes give it whole blocks: it must compute the same
// and leave alone what lies beyond.
func TestShort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	for _, k := range Kernels() {
		t.Run(k.String(), func(t *testing.T) {
			var enc, dec Schedule
			k.Expand((*[16]byte)(random(16)), &enc, new([16]byte))
			enc.Reverse(&dec)
			for n := 1; n <= flightBytes; n++ {
				if n > shortBytes && n%blockSize != 0 {
					continue
				}
				src, xor := random((n+15)&^15), random(n)
				want := make([]byte, len(src))
				for i := 0; i < len(src); i += blockSize {
					k.ECB(&enc, want[i:i+blockSize], src[i:i+blockSize])
				}
				for i := range xor {
					want[i] ^= xor[i]
				}
				arena := random(n + 64)
				want = append(want[:n], arena[n:]...)
				k.short(&enc, arena[:n], src, xor)
				if !bytes.Equal(arena, want) {
					t.Fatalf("%d bytes: wrong", n)
				}
				back := make([]byte, len(src))
				k.ECB(&enc, back, src)
				k.ECB(&dec, back, back)
				if !bytes.Equal(back, src) {
					t.Fatalf("%d bytes don't come back", n)
				}
			}
		})
	}
}
