package sm4

import (
	"bytes"
	"crypto/cipher"
	"math/rand/v2"
	"testing"

	gmsm "github.com/emmansun/gmsm/sm4"
)

// fuzzOperation compares all implementations of one operation with gmsm's single blocks: key, IV,
// additional data, text, place in memory, in place or not.
func fuzzOperation(f *testing.F, names ...string) {
	f.Add(uint64(1), uint16(0), uint16(0), uint8(0), uint8(0), false)
	for i, n := range boundaries(5000) {
		f.Add(uint64(n), uint16(n), uint16(i), uint8(i), uint8(3*i), i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, length, additional uint16, from, to uint8, inPlace bool) {
		r := rand.New(rand.NewPCG(seed, 16))
		for _, o := range operations {
			for _, name := range names {
				if o.name != name {
					continue
				}
				n := int(length) % 9000
				if o.whole {
					n &^= BlockSize - 1
				}
				n = max(n, o.least)
				in, want := o.expect(t, r, n, int(additional)%300)
				for _, implementation := range Implementations() {
					compare(t, o, implementation, in, want, int(from)%64, int(to)%64, inPlace)
				}
			}
		}
	})
}

func compare(t *testing.T, o operation, implementation string, in input, want []byte, from, to int, inPlace bool) {
	c := newTest(t, in.key, implementation)
	source := make([]byte, from+max(len(in.src), len(want)))
	copy(source[from:], in.src)
	in.src = source[from:][:len(in.src)]
	dst := make([]byte, to+len(want))[to:]
	if inPlace {
		dst = source[from:][:len(want)]
	}
	if err := o.run(c, in, dst); err != nil {
		t.Fatalf("%s %s, %d bytes: %v", implementation, o.name, len(in.src), err)
	}
	if !bytes.Equal(dst, want) {
		t.Fatalf("%s %s, %d bytes: wrong", implementation, o.name, len(in.src))
	}
}

func FuzzECB(f *testing.F) { fuzzOperation(f, "ecb encrypt", "ecb decrypt") }
func FuzzCBC(f *testing.F) { fuzzOperation(f, "cbc encrypt", "cbc decrypt") }
func FuzzCTR(f *testing.F) { fuzzOperation(f, "ctr") }
func FuzzGCM(f *testing.F) {
	fuzzOperation(f, "gcm seal", "gcm open", "gcm seal nonce 16", "gcm once seal", "gcm once open")
}
func FuzzCCM(f *testing.F) { fuzzOperation(f, "ccm seal", "ccm open") }
func FuzzXTS(f *testing.F) { fuzzOperation(f, "xts encrypt", "xts decrypt") }

// FuzzStreams takes the number of streams and of keys and the lengths from its arguments.
func FuzzStreams(f *testing.F) {
	f.Add(uint64(1), uint8(64), uint8(1), uint8(4))
	f.Add(uint64(2), uint8(100), uint8(100), uint8(9))
	f.Fuzz(func(t *testing.T, seed uint64, n, keys, most uint8) {
		for _, implementation := range Implementations() {
			r := rand.New(rand.NewPCG(seed, 17))
			streams, want := streamSet(t, r, implementation, int(n), int(most)%100, 1+int(keys))
			EncryptCBC(streams)
			for i, s := range streams {
				if !bytes.Equal(s.Dst, want[i]) {
					t.Fatalf("%s: stream %d of %d: wrong", implementation, i, n)
				}
			}
		}
	})
}

// FuzzMany takes the number of messages, their keys, lengths and which is forged from its arguments.
func FuzzMany(f *testing.F) {
	f.Add(uint64(1), uint8(16), uint8(0), uint16(64), uint8(0), uint8(3))
	f.Add(uint64(2), uint8(40), uint8(3), uint16(1500), uint8(30), uint8(17))
	f.Fuzz(func(t *testing.T, seed uint64, n, how uint8, most uint16, additional, bad uint8) {
		for _, implementation := range Implementations() {
			r := rand.New(rand.NewPCG(seed, 18))
			s := newManySet(t, r, implementation, int(n)%70, keying(how)%keyings, func(int) int { return r.IntN(int(most)%3000 + 1) },
				func(int) int { return r.IntN(int(additional) + 1) })
			k := testKernel(t, implementation)
			checkForgeries(t, r, k, s, func(i int) bool { return i == int(bad) })
			s.check(t, k)
		}
	})
}

// FuzzOpen gives all implementations the same bytes: they must agree in what they accept and in what
// comes out.
func FuzzOpen(f *testing.F) {
	f.Add([]byte("sixteen byte key"), []byte("twelve bytes"), []byte("0123456789abcdef0123456789abcdef"), []byte("additional"))
	f.Fuzz(func(t *testing.T, key, nonce, sealed, additional []byte) {
		if len(key) != KeySize || len(nonce) == 0 {
			return
		}
		b, err := gmsm.NewCipher(key)
		if err != nil {
			t.Fatal(err)
		}
		w, err := cipher.NewGCMWithNonceSize(judge{b}, len(nonce))
		if err != nil {
			t.Fatal(err)
		}
		// A forgery hardly ever passes; the sealed form of the same bytes always does.
		for _, text := range [][]byte{sealed, w.Seal(nil, nonce, sealed, additional)} {
			want, wantErr := w.Open(nil, nonce, text, additional)
			for _, implementation := range Implementations() {
				a, err := cipher.NewGCMWithNonceSize(newTest(t, key, implementation), len(nonce))
				if err != nil {
					t.Fatal(err)
				}
				got, gotErr := a.Open(nil, nonce, text, additional)
				if (gotErr == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
					t.Fatalf("%s: %x (%v), want %x (%v)", implementation, got, gotErr, want, wantErr)
				}
			}
		}
	})
}
