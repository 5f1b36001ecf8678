package aes

import (
	"bytes"
	"crypto/cipher"
	"math/rand/v2"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// streamSet makes n messages over so many kept keys; odd ones in place.
func streamSet(t *testing.T, r *rand.Rand, implementation string, n, keys int, length func(*rand.Rand, int) int) (streams []CBCStream, want [][]byte) {
	t.Helper()
	ciphers := make([]*Cipher, keys)
	for i := range ciphers {
		ciphers[i] = newTest(t, anyKey(r), implementation)
	}
	for i := range n {
		c := ciphers[i%keys]
		src, iv := random(r, length(r, i)), random(r, BlockSize)
		result := make([]byte, len(src))
		cipher.NewCBCEncrypter(judge{c}, iv).CryptBlocks(result, src)
		dst := src
		if i%2 == 0 {
			dst = make([]byte, len(src))
		}
		streams, want = append(streams, CBCStream{c, iv, dst, src}), append(want, result)
	}
	return streams, want
}

func TestEncryptCBC(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(3, 5))
		for _, shape := range shapes {
			for _, n := range append(counts(), 128, 300) {
				for _, keys := range []int{1, 2, n + 1} {
					streams, want := streamSet(t, r, implementation, n, keys, shape.length)
					EncryptCBC(streams)
					for i, s := range streams {
						if !bytes.Equal(s.Dst, want[i]) {
							t.Fatalf("%s: stream %d of %d, %d bytes, %d keys: wrong", shape.name, i, n, len(s.Src), keys)
						}
					}
				}
			}
		}
	})
}

func TestEncryptCBCKeys(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(4, 5))
		for _, shape := range shapes {
			for _, n := range counts() {
				var streams []CBCKeyStream
				var want [][]byte
				for i := range n {
					key, src, iv := anyKey(r), random(r, shape.length(r, i)), random(r, BlockSize)
					dst := make([]byte, len(src))
					cipher.NewCBCEncrypter(newTest(t, key, fallback), iv).CryptBlocks(dst, src)
					want = append(want, dst)
					streams = append(streams, CBCKeyStream{key, iv, make([]byte, len(src)), src})
				}
				encryptKeys(streams, kernelOf(t, implementation))
				for i, s := range streams {
					if !bytes.Equal(s.Dst, want[i]) {
						t.Fatalf("%s: stream %d of %d, %d bytes: wrong", shape.name, i, n, len(s.Src))
					}
				}
			}
		}
	})
}

// Every lane at every length: one message of another length beside the others, at each place.
func TestEncryptCBCLanes(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(8, 13))
		for _, n := range []int{5, 16, 33} {
			for _, keys := range []int{1, n} {
				for odd := range n {
					streams, want := streamSet(t, r, implementation, n, keys, func(_ *rand.Rand, i int) int {
						if i == odd {
							return BlockSize * (1 + odd%8)
						}
						return BlockSize * 9
					})
					EncryptCBC(streams)
					for i, s := range streams {
						if !bytes.Equal(s.Dst, want[i]) {
							t.Fatalf("lane %d of %d, %d keys, odd one %d: wrong", i, n, keys, odd)
						}
					}
				}
			}
		}
	})
}

// Streams that lie close to each other, in place: no byte between them is written.
func TestEncryptCBCLeavesNeighboursAlone(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(21, 34))
		c := newTest(t, anyKey(r), implementation)
		for _, size := range []int{16, 48, 64, 80, 128} {
			const n, gap = 70, 5
			arena := random(r, n*(size+gap))
			before := bytes.Clone(arena)
			var streams []CBCStream
			iv := make([]byte, BlockSize)
			for i := range n {
				b := arena[i*(size+gap):][:size]
				streams = append(streams, CBCStream{c, iv, b, b})
			}
			EncryptCBC(streams)
			for i := range n {
				at := i * (size + gap)
				want := make([]byte, size)
				cipher.NewCBCEncrypter(judge{c}, iv).CryptBlocks(want, before[at:at+size])
				if !bytes.Equal(arena[at:at+size], want) || !bytes.Equal(arena[at+size:at+size+gap], before[at+size:at+size+gap]) {
					t.Fatalf("stream %d of %d bytes or the bytes after it are wrong", i, size)
				}
			}
		}
	})
}

func TestEncryptCBCPanics(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		c := newTest(t, make([]byte, 16), implementation)
		key, iv, buf := make([]byte, 16), make([]byte, BlockSize), make([]byte, 256)
		one := CBCStream{c, iv, buf[:64], buf[:64]}
		const parts, small = "crypto/cipher: input not full blocks", "crypto/cipher: output smaller than input"
		for _, tt := range []struct {
			name string
			s    CBCStream
			want string
		}{
			{"iv", CBCStream{c, iv[:12], buf[64:], buf[64:]}, "IV length must equal block size"},
			{"blocks", CBCStream{c, iv, buf[64:], buf[64:81]}, parts},
			{"short", CBCStream{c, iv, buf[64:80], buf[64:96]}, small},
			{"itself", CBCStream{c, iv, buf[65:97], buf[64:96]}, buffers.Overlap},
			{"two outputs", CBCStream{c, iv, buf[48:80], buf[128:160]}, buffers.Overlap},
			{"another's input", CBCStream{c, iv, buf[128:192], buf[32:96]}, buffers.Overlap},
			{"another's IV", CBCStream{c, buf[49:65], buf[128:192], buf[128:192]}, buffers.Overlap},
			{"no cipher", CBCStream{nil, iv, buf[128:192], buf[128:192]}, "stream without a Cipher"},
			{"no cipher, no text", CBCStream{nil, iv, nil, nil}, "stream without a Cipher"},
			{"a zero cipher", CBCStream{new(Cipher), iv, buf[128:192], buf[128:192]}, "stream without a Cipher"},
		} {
			withKey := func(s CBCStream) CBCKeyStream { return CBCKeyStream{key, s.IV, s.Dst, s.Src} }
			ours, ofKeys := tt.want, tt.want
			if tt.want != parts && tt.want != small && tt.want != buffers.Overlap {
				ours, ofKeys = "aes.EncryptCBC: "+tt.want, "aes.EncryptCBCKeys: "+tt.want
			}
			mustPanic(t, tt.name, ours, func() { EncryptCBC([]CBCStream{one, tt.s}) })
			mustPanic(t, tt.name, ours, func() { EncryptCBC([]CBCStream{tt.s, one}) })
			if tt.s.Cipher == c {
				mustPanic(t, tt.name, ofKeys, func() { EncryptCBCKeys([]CBCKeyStream{withKey(one), withKey(tt.s)}) })
				mustPanic(t, tt.name, ofKeys, func() { EncryptCBCKeys([]CBCKeyStream{withKey(tt.s), withKey(one)}) })
			}
		}
		mustPanic(t, "no key", "aes.EncryptCBCKeys: message without a key", func() { EncryptCBCKeys([]CBCKeyStream{{nil, iv, nil, nil}}) })
		mustPanic(t, "own key", buffers.Overlap, func() { EncryptCBCKeys([]CBCKeyStream{{buf[:16], iv, buf[:64], buf[:64]}}) })
		mustPanic(t, "another's key", buffers.Overlap, func() { EncryptCBCKeys([]CBCKeyStream{{key, iv, buf[:64], buf[:64]}, {buf[8:24], iv, nil, nil}}) })
		if !bytes.Equal(buf, make([]byte, len(buf))) {
			t.Error("something was written before the panic")
		}
		// A stream's own IV may lie where its output goes, and an IV may serve many.
		first := CBCStream{c, buf[:16], buf[:64], buf[:64]}
		EncryptCBC([]CBCStream{first, {c, buf[240:], buf[64:128], buf[64:128]}, {c, buf[240:], buf[128:192], buf[128:192]}})
		if !bytes.Equal(buf[:64], buf[64:128]) || !bytes.Equal(buf[:64], buf[128:192]) {
			t.Error("equal messages came out different")
		}
	})
}
