package sm4

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// Whatever is the longest flight, every length of every mode that has flights is what block by block gives.
func TestLongestFlight(t *testing.T) {
	was := longestFlight
	defer func() { longestFlight = was }()
	r := rand.New(rand.NewPCG(3, 4))
	const most = 2*pairBytes + 200
	src, key, iv := random(r, most), [16]byte(random(r, 16)), [16]byte(random(r, 16))
	for _, k := range Kernels() {
		var enc, dec Schedule
		k.Expand(&key, &enc, new([16]byte))
		enc.Reverse(&dec)
		type mode struct {
			name string
			unit int
			f    func(dst, src []byte, iv [16]byte)
		}
		modes := []mode{
			{"ECB", 16, func(dst, src []byte, _ [16]byte) { k.ECB(&enc, dst, src) }},
			{"CBC decryption", 16, func(dst, src []byte, iv [16]byte) { k.CBCDecrypt(&dec, dst, src, &iv) }},
			{"CTR", 1, func(dst, src []byte, iv [16]byte) { k.CTR(&enc, dst, src, &iv) }},
			{"XTS", 16, func(dst, src []byte, iv [16]byte) { k.XTS(&enc, dst, src, &iv) }},
		}
		for _, m := range modes {
			var want [2][]byte
			for i, longest := range []int{halfBytes, flightBytes} {
				longestFlight = longest
				for n := 0; n <= most; n += m.unit {
					got := make([]byte, n)
					m.f(got, src[:n], iv)
					want[i] = append(want[i], got...)
				}
			}
			if !bytes.Equal(want[0], want[1]) {
				t.Errorf("%s, %s: the longest flight changes the result", k, m.name)
			}
		}
		// Where the rest of a line is kept, behind every length.
		stream := make([]byte, most+lineBytes)
		ctr := iv
		k.CTR(&enc, stream, stream, &ctr)
		for _, longest := range []int{halfBytes, flightBytes} {
			longestFlight = longest
			for n := range most {
				var rest [lineBytes]byte
				ctr, got := iv, make([]byte, n)
				to := k.CTRAndRest(&enc, got, got, &ctr, &rest)
				if from := n % lineBytes; !bytes.Equal(got, stream[:n]) || to > 0 && !bytes.Equal(rest[from:to], stream[n:n+to-from]) {
					t.Fatalf("%s: the line's rest behind %d bytes of CTR: wrong", k, n)
				}
			}
		}
	}
}

// short works on any number of bytes, though the modes give it whole blocks: it must compute the same
// and leave alone what lies beyond.
func TestShort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []byte { return random(r, n) }
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
