package sm4

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	gmsm "github.com/emmansun/gmsm/sm4"
)

// The counter of CTR is 128 bits: it wraps at every byte within every kernel.
func TestCTRWraps(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(9, 9))
		key := random(r, KeySize)
		c := newTest(t, key, implementation)
		b, _ := gmsm.NewCipher(key)
		src := random(r, 4096+16)
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
				cipher.NewCTR(judge{b}, iv).XORKeyStream(want, src)
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
		b, _ := gmsm.NewCipher([]byte("0123456789abcdef"))
		w, err := cipher.NewGCMWithNonceSize(judge{b}, 16)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(10, 10))
		src := random(r, 70_000)
		// J₀ = GHASH(nonce) is linear in the nonce: solve for its last 32 bits.
		for _, last := range []uint32{0xffffffff, 0xfffffffe, 0xfffffff0, 0xffffffc0, 0xffffff81, 0xffffff80, 0xffffff00, 0xfffff800, 0xfffff7ff} {
			nonce := nonceFor(t, b, last)
			for _, n := range []int{1, 16, 33, 100, 1008, 1024, 1100, 2047, 2048, 2049, 4096, 5000, 33_000, 70_000} {
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

// A stream cut into pieces of any lengths is the same stream.
func TestCTRPieces(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(11, 11))
		for range 300 {
			key, iv, src := random(r, KeySize), random(r, BlockSize), random(r, r.IntN(9000))
			b, _ := gmsm.NewCipher(key)
			want, got := make([]byte, len(src)), make([]byte, len(src))
			cipher.NewCTR(judge{b}, iv).XORKeyStream(want, src)
			stream := cipher.NewCTR(newTest(t, key, implementation), iv)
			most := 1 << r.IntN(13)
			for at := 0; at < len(src); {
				n := min(r.IntN(most+1), len(src)-at)
				stream.XORKeyStream(got[at:], src[at:at+n])
				at += n
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("%d bytes in pieces of up to %d: wrong", len(src), most)
			}
		}
	})
}

// A piece of any length leaves the right key stream to the one behind it, also where a counter wraps between them.
func TestCTRAfterAnyPiece(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(13, 13))
		key, src := random(r, KeySize), random(r, 4300+300)
		b, _ := gmsm.NewCipher(key)
		c := newTest(t, key, implementation)
		want, got := make([]byte, len(src)), make([]byte, len(src))
		for _, wrapsIn := range []uint32{1 << 20, 1, 3, 130} { // blocks
			iv := random(r, BlockSize)
			binary.BigEndian.PutUint32(iv[12:], -wrapsIn)
			cipher.NewCTR(judge{b}, iv).XORKeyStream(want, src)
			for n := range 4300 {
				if n > 300 && wrapsIn < 1<<20 && n%7 > 0 {
					continue
				}
				stream := cipher.NewCTR(c, iv)
				clear(got[n:])
				stream.XORKeyStream(got, src[:n])
				stream.XORKeyStream(got[n:], src[n:n+1+n%70])
				stream.XORKeyStream(got[n+1+n%70:], src[n+1+n%70:n+300])
				if !bytes.Equal(got[:n+300], want[:n+300]) {
					t.Fatalf("%d bytes and more, the counter wraps in %d blocks: wrong", n, wrapsIn)
				}
			}
		}
	})
}

// The same for CBC, whose IV goes from call to call.
func TestCBCPieces(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(12, 12))
		for range 100 {
			key, iv, src := random(r, KeySize), random(r, BlockSize), random(r, BlockSize*r.IntN(500))
			c := newTest(t, key, implementation)
			b, _ := gmsm.NewCipher(key)
			sealed, got := make([]byte, len(src)), make([]byte, len(src))
			cipher.NewCBCEncrypter(judge{b}, iv).CryptBlocks(sealed, src)
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
