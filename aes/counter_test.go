package aes

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// The counter of CTR is 128 bits: it wraps at every byte within every kernel.
func TestCTRWraps(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(9, 9))
		key := random(r, 16+8*r.IntN(3))
		c := newTest(t, key, implementation)
		b, _ := aes.NewCipher(key)
		src := random(r, 4096+64+61) // a bulk, a register, and less
		want, got := make([]byte, len(src)), make([]byte, len(src))
		for ones := range 17 { // bytes of the counter that are about to wrap
			for before := range 256 {
				if ones == 0 && before > 0 || before >= 70 && before%16 != 1 {
					continue
				}
				iv := random(r, BlockSize)
				for i := BlockSize - ones; i < BlockSize; i++ {
					iv[i] = 0xff
				}
				if ones > 0 {
					iv[BlockSize-1] -= byte(before)
				}
				cipher.NewCTR(b, iv).XORKeyStream(want, src)
				cipher.NewCTR(c, iv).XORKeyStream(got, src)
				if !bytes.Equal(got, want) {
					t.Fatalf("%d bytes of ones, %d before the wrap: wrong", ones, before)
				}
			}
		}
	})
}

// The counter of GCM is 32 bits and leaves the rest of the block alone. A nonce of 16 bytes makes any
// first counter possible but can't choose it, so one is chosen here that leads to a wrap.
func TestGCMWraps(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		c := newTest(t, []byte("0123456789abcdef"), implementation)
		a, err := cipher.NewGCMWithNonceSize(c, 16)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := aes.NewCipher([]byte("0123456789abcdef"))
		w, err := cipher.NewGCMWithNonceSize(b, 16)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(10, 10))
		src := random(r, 70_000)
		// J₀ = GHASH(nonce) is linear in the nonce: solve for its last 32 bits.
		short, all := []int{33, 61, 100, 250}, []int{1, 16, 33, 100, 1008, 1024, 1100, 2047, 2048, 2049, 4096, 5000, 33_000, 70_000}
		lengths := map[uint32][]int{}
		for _, last := range []uint32{0xffffffff, 0xfffffffe, 0xfffffff0, 0xffffffc0, 0xffffff81, 0xffffff80, 0xffffff00, 0xfffff800, 0xfffff7ff} {
			lengths[last] = all
		}
		for low := range uint32(20) { // the last byte alone wraps within the first registers
			lengths[0xfeedfeff-low] = short
		}
		for last, of := range lengths {
			nonce := nonceFor(t, b, last)
			for _, n := range of {
				want := w.Seal(nil, nonce, src[:n], nil)
				if got := a.Seal(nil, nonce, src[:n], nil); !bytes.Equal(got, want) {
					t.Fatalf("first counter …%x, %d bytes: wrong", last, n)
				}
				if back, err := a.Open(nil, nonce, want, nil); err != nil || !bytes.Equal(back, src[:n]) {
					t.Fatalf("first counter …%x, %d bytes: does not open (%v)", last, n, err)
				}
			}
		}
	})
}

// nonceFor finds a 16-byte nonce whose J₀ ends in last. J₀ = (nonce·H ⊕ length)·H, so nonce =
// (J₀·H⁻¹ ⊕ length)·H⁻¹.
func nonceFor(t *testing.T, b cipher.Block, last uint32) []byte {
	var h, j [16]byte
	b.Encrypt(h[:], h[:])
	copy(j[:], "twelve bytes")
	binary.BigEndian.PutUint32(j[12:], last)
	inverse := power(h)
	x := multiply(j, inverse)
	x[15] ^= 128
	nonce := multiply(x, inverse)
	return nonce[:]
}

// multiply is the product of SP 800-38D, algorithm 1.
func multiply(x, y [16]byte) (z [16]byte) {
	v := y
	for i := range 128 {
		if x[i/8]>>(7-i%8)&1 == 1 {
			for k := range z {
				z[k] ^= v[k]
			}
		}
		carry := v[15] & 1
		for k := 15; k > 0; k-- {
			v[k] = v[k]>>1 | v[k-1]<<7
		}
		v[0] >>= 1
		v[0] ^= carry * 0xe1
	}
	return z
}

// power returns h to the power of 2¹²⁸−2, which is its inverse.
func power(h [16]byte) [16]byte {
	result := [16]byte{0x80}
	for range 127 {
		h = multiply(h, h)
		result = multiply(result, h)
	}
	return result
}

// A stream cut into pieces of any lengths is the same stream, where its counter wraps, too, and whatever is read from
// other places in between.
func TestCTRPieces(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(11, 11))
		for round := range 600 {
			key, iv, src := random(r, 16+8*r.IntN(3)), random(r, BlockSize), random(r, r.IntN(9000))
			if round%2 == 1 {
				copy(iv[r.IntN(BlockSize):], bytes.Repeat([]byte{0xff}, BlockSize))
				iv[BlockSize-1] = byte(r.Uint32())
			}
			b, _ := aes.NewCipher(key)
			want, got, aside := make([]byte, len(src)), make([]byte, len(src)), make([]byte, len(src))
			cipher.NewCTR(b, iv).XORKeyStream(want, src)
			stream := newTest(t, key, implementation).NewCTR(iv).(*CTR)
			most := 1 << r.IntN(13)
			for at := 0; at < len(src); {
				n := min(r.IntN(most+1), len(src)-at)
				stream.XORKeyStream(got[at:], src[at:at+n])
				at += n
				if r.IntN(8) == 0 {
					other := r.IntN(len(src))
					stream.XORKeyStreamAt(aside[other:], src[other:], uint64(other))
					if !bytes.Equal(aside[other:], want[other:]) {
						t.Fatalf("from %d on, at %d: wrong", other, at)
					}
				}
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("%d bytes in pieces of up to %d: wrong", len(src), most)
			}
		}
	})
}

// The same for CBC, whose IV goes from call to call.
func TestCBCPieces(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(12, 12))
		for range 100 {
			key, iv, src := random(r, 16+8*r.IntN(3)), random(r, BlockSize), random(r, BlockSize*r.IntN(500))
			c := newTest(t, key, implementation)
			b, _ := aes.NewCipher(key)
			sealed, got := make([]byte, len(src)), make([]byte, len(src))
			cipher.NewCBCEncrypter(b, iv).CryptBlocks(sealed, src)
			for _, tt := range []struct {
				name     string
				mode     cipher.BlockMode
				in, want []byte
			}{
				{"encrypt", cipher.NewCBCEncrypter(c, iv), src, sealed},
				{"decrypt", cipher.NewCBCDecrypter(c, iv), sealed, src},
			} {
				for at := 0; at < len(src); {
					n := min(BlockSize*r.IntN(200), len(src)-at)
					tt.mode.CryptBlocks(got[at:], tt.in[at:at+n])
					at += n
				}
				if !bytes.Equal(got, tt.want) {
					t.Fatalf("%s %d bytes in pieces: wrong", tt.name, len(src))
				}
			}
		}
	})
}
