package sm4

import (
	"bytes"
	"crypto/cipher"
	"math/rand/v2"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// streamSet makes n messages with lengths up to most blocks, over keys ciphers; odd ones in place.
func streamSet(t *testing.T, r *rand.Rand, implementation string, n, most, keys int) (streams []CBCStream, want [][]byte) {
	t.Helper()
	ciphers := make([]*Cipher, keys)
	for i := range ciphers {
		ciphers[i] = newTest(t, random(r, KeySize), implementation)
	}
	for i := range n {
		c := ciphers[i%keys]
		src, iv := random(r, BlockSize*r.IntN(most+1)), random(r, BlockSize)
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

// judge hides everything of a cipher but its single blocks.
type judge struct{ b cipher.Block }

func (j judge) BlockSize() int          { return j.b.BlockSize() }
func (j judge) Encrypt(dst, src []byte) { j.b.Encrypt(dst, src) }
func (j judge) Decrypt(dst, src []byte) { j.b.Decrypt(dst, src) }

func TestEncryptCBC(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(3, 5))
		for _, n := range []int{0, 1, 2, 3, 4, 15, 16, 17, 18, 31, 32, 33, 63, 64, 65, 66, 95, 96, 97, 100, 128, 129, 160, 193, 255, 256, 257, 300} {
			for _, keys := range []int{1, 2, n + 1} {
				for _, most := range []int{1, 3, 20, 150} {
					if n*most > 9000 {
						continue
					}
					streams, want := streamSet(t, r, implementation, n, most, keys)
					EncryptCBC(streams)
					for i, s := range streams {
						if !bytes.Equal(s.Dst, want[i]) {
							t.Fatalf("stream %d of %d, %d bytes, %d keys: wrong", i, n, len(s.Src), keys)
						}
					}
				}
			}
		}
	})
}

// Every lane at every length: messages of one length, and one of each length beside longer ones, at each place.
func TestEncryptCBCLanes(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(8, 13))
		for _, n := range []int{2, 5, 16, 17, 32, 64, 66, 96, 98} {
			for _, keys := range []int{1, n} {
				for odd := -1; odd < n; odd++ {
					if testing.Short() && odd%7 > 0 {
						continue
					}
					streams, _ := streamSet(t, r, implementation, n, 0, keys)
					for i := range streams {
						length := BlockSize * 9
						if i == odd {
							length = BlockSize * (1 + odd%8)
						}
						streams[i].Src = random(r, length)
						streams[i].Dst = make([]byte, length)
					}
					EncryptCBC(streams)
					for i, s := range streams {
						want := make([]byte, len(s.Src))
						cipher.NewCBCEncrypter(judge{s.Cipher}, s.IV).CryptBlocks(want, s.Src)
						if !bytes.Equal(s.Dst, want) {
							t.Fatalf("lane %d of %d, %d keys, odd one %d: wrong", i, n, keys, odd)
						}
					}
				}
			}
		}
	})
}

func TestEncryptCBCLeavesNeighboursAlone(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(21, 34))
		c := newTest(t, random(r, KeySize), implementation)
		const n, size, gap = 70, 48, 5
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
				t.Fatalf("stream %d or the bytes after it are wrong", i)
			}
		}
	})
}

func TestEncryptCBCPanics(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		c := newTest(t, make([]byte, KeySize), implementation)
		iv, buf := make([]byte, BlockSize), make([]byte, 256)
		one := CBCStream{c, iv, buf[:64], buf[:64]}
		for _, tt := range []struct {
			name    string
			streams []CBCStream
			want    string
		}{
			{"iv", []CBCStream{{c, iv[:12], buf, buf}}, "sm4.EncryptCBC: IV length must equal block size"},
			{"blocks", []CBCStream{{c, iv, buf, buf[:17]}}, "crypto/cipher: input not full blocks"},
			{"short", []CBCStream{{c, iv, buf[:16], buf[:32]}}, "crypto/cipher: output smaller than input"},
			{"itself", []CBCStream{{c, iv, buf[1:33], buf[:32]}}, "crypto/cipher: invalid buffer overlap"},
			{"two outputs", []CBCStream{one, {c, iv, buf[48:80], buf[128:160]}}, "crypto/cipher: invalid buffer overlap"},
			{"another's input", []CBCStream{one, {c, iv, buf[128:192], buf[32:96]}}, "crypto/cipher: invalid buffer overlap"},
			{"another's input first", []CBCStream{{c, iv, buf[128:192], buf[32:96]}, one}, "crypto/cipher: invalid buffer overlap"},
			{"another's IV", []CBCStream{one, {c, buf[49:65], buf[128:192], buf[128:192]}}, "crypto/cipher: invalid buffer overlap"},
			{"another's IV first", []CBCStream{{c, buf[16:32], buf[128:192], buf[128:192]}, one}, "crypto/cipher: invalid buffer overlap"},
			{"no cipher", []CBCStream{one, {nil, iv, buf[128:192], buf[128:192]}}, "sm4.EncryptCBC: stream without a Cipher"},
			{"no cipher, no text", []CBCStream{{nil, iv, nil, nil}}, "sm4.EncryptCBC: stream without a Cipher"},
			{"a zero cipher", []CBCStream{one, {new(Cipher), iv, buf[128:192], buf[128:192]}}, "sm4.EncryptCBC: stream without a Cipher"},
		} {
			mustPanic(t, tt.name, tt.want, func() { EncryptCBC(tt.streams) })
		}
		if !bytes.Equal(buf, make([]byte, len(buf))) {
			t.Error("something was written before the panic")
		}
		// A stream's own IV may lie where its output goes, and an IV may serve many.
		first := CBCStream{c, buf[:16], buf[:64], buf[:64]}
		EncryptCBC([]CBCStream{first, {c, buf[240:], buf[64:128], buf[64:128]}, {c, buf[240:], buf[128:192], buf[128:192]}})
		if !bytes.Equal(buf[:64], buf[64:128]) || !bytes.Equal(buf[:64], buf[128:192]) {
			t.Error("equal messages came out different")
		}
		clear(buf)
		// One input may serve many.
		EncryptCBC([]CBCStream{{c, iv, buf[64:128], buf[:64]}, {c, iv, buf[128:192], buf[:64]}, {c, iv, buf[192:], buf[:64]}})
		if !bytes.Equal(buf[64:128], buf[128:192]) || !bytes.Equal(buf[64:128], buf[192:]) {
			t.Error("equal messages came out different")
		}
	})
}

// Every pair of buffers of a set of streams larger than a batch, at random places: what is refused is what
// a comparison of each with each refuses.
func TestEncryptCBCOverlaps(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 41))
	c := newTest(t, random(r, KeySize), Implementations()[0])
	refused := 0
	for _, n := range []int{2, 3, 20, 255, 256, 257, 600} {
		for range 40 {
			arena := make([]byte, 64*n+1<<r.IntN(18))
			place := func(size int) []byte { return arena[r.IntN(len(arena)-size):][:size] }
			streams := make([]CBCStream, n)
			for i := range streams {
				own := arena[64*i:][:48]
				streams[i] = CBCStream{c, own[:16], own[16:], own[16:]}
			}
			r.Shuffle(n, func(i, j int) { streams[i], streams[j] = streams[j], streams[i] })
			switch s := &streams[r.IntN(n)]; r.IntN(5) {
			case 0:
				s.IV = place(16)
			case 1:
				s.Src = place(32)
			case 2:
				s.Dst = place(32)
			case 3:
				s.Dst, s.Src = nil, nil
			}
			want := overlapping(streams)
			if want {
				refused++
			}
			func() {
				defer func() {
					if got := recover() != nil; got != want {
						t.Fatalf("%d streams: refused %t, want %t", n, got, want)
					}
				}()
				EncryptCBC(streams)
			}()
		}
	}
	if refused < 20 {
		t.Errorf("only %d sets overlapped", refused)
	}
}

func overlapping(streams []CBCStream) bool {
	for i, a := range streams {
		if buffers.InexactOverlap(a.Dst, a.Src) {
			return true
		}
		for j, b := range streams {
			if i != j && len(b.Src) > 0 && (buffers.AnyOverlap(a.Dst, b.Dst) || buffers.AnyOverlap(a.Dst, b.Src) || buffers.AnyOverlap(a.Dst, b.IV)) {
				return true
			}
		}
	}
	return false
}
