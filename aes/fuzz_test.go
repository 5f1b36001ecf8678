package aes

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"math/rand/v2"
	"testing"
)

// fuzzOperation compares all implementations of one operation with the standard library: key, IV,
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
					if shortTagsOverrun(implementation, o) {
						continue
					}
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

func FuzzECB(f *testing.F) {
	fuzzOperation(f, "ecb encrypt", "ecb decrypt", "single blocks", "single blocks back")
}
func FuzzCBC(f *testing.F) { fuzzOperation(f, "cbc encrypt", "cbc decrypt") }
func FuzzCTR(f *testing.F) { fuzzOperation(f, "ctr", "ctr at an offset") }
func FuzzGCM(f *testing.F) {
	fuzzOperation(f, "gcm seal", "gcm open", "gcm seal nonce 16", "gcm seal tag 12", "gcm seal once", "gcm open once")
}
func FuzzCCM(f *testing.F) { fuzzOperation(f, "ccm seal", "ccm open") }
func FuzzXTS(f *testing.F) { fuzzOperation(f, "xts encrypt", "xts decrypt") }

// FuzzOpen gives all implementations the same bytes: they must agree in what they accept and in what
// comes out.
func FuzzOpen(f *testing.F) {
	f.Add([]byte("sixteen byte key"), []byte("twelve bytes"), []byte("0123456789abcdef0123456789abcdef"), []byte("additional"))
	f.Fuzz(func(t *testing.T, key, nonce, sealed, additional []byte) {
		if n := len(key); n != 16 && n != 24 && n != 32 || len(nonce) == 0 {
			return
		}
		b, err := aes.NewCipher(key)
		if err != nil {
			t.Fatal(err)
		}
		w, err := cipher.NewGCMWithNonceSize(b, len(nonce))
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

// FuzzMany gives calls on many messages whatever lengths, keys and forgeries a seed leads to.
func FuzzMany(f *testing.F) {
	for i := range 20 {
		f.Add(uint64(i), uint8(i*13), uint16(1<<i%3000))
	}
	f.Fuzz(func(t *testing.T, seed uint64, n uint8, most uint16) {
		r := rand.New(rand.NewPCG(seed, 17))
		length := func(r *rand.Rand, _ int) int { return r.IntN(int(most)%5000 + 1) }
		for _, implementation := range Implementations() {
			k := kernelOf(t, implementation)
			set := newGCMSet(t, r, implementation, int(n)%140, length)
			sealMany(set.messages, k)
			for i, m := range set.messages {
				if !bytes.Equal(m.Dst[:len(set.wants[i])], set.wants[i]) {
					t.Fatalf("%s: message %d of %d bytes is sealed otherwise", implementation, i, len(set.plain[i]))
				}
			}
			openSet(t, r, set, k, seed%2 == 0)
			streams, want := streamSet(t, r, implementation, int(n)%140, 1+int(seed%5), func(r *rand.Rand, i int) int { return length(r, i) &^ 15 })
			EncryptCBC(streams)
			for i, s := range streams {
				if !bytes.Equal(s.Dst, want[i]) {
					t.Fatalf("%s: stream %d of %d bytes: wrong", implementation, i, len(s.Src))
				}
			}
		}
	})
}
