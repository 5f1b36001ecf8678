package multibuffer

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

// FuzzSum takes the number of messages and their greatest length from its arguments and holds every
// implementation of every algorithm against the libraries.
func FuzzSum(f *testing.F) {
	f.Add(uint64(1), uint16(64), uint16(64), uint8(0))
	f.Add(uint64(2), uint16(100), uint16(300), uint8(255))
	f.Add(uint64(3), uint16(1100), uint16(60), uint8(9))
	text := noise(50, 1<<17)
	f.Fuzz(func(t *testing.T, seed uint64, count, most uint16, spread uint8) {
		r := rand.New(rand.NewPCG(seed, 50))
		messages := make([][]byte, int(count)%1500)
		for i := range messages {
			size := int(most) % 5000
			if spread > 0 {
				size = max(size-r.IntN(int(spread)), 0)
			}
			if spread == 255 {
				size = r.IntN(size + 1)
			}
			from := r.IntN(len(text) - size)
			messages[i] = text[from : from+size]
		}
		for _, name := range Implementations() {
			h, err := NewWith(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range algorithms {
				a.verify(t, h, messages)
			}
		}
	})
}

// FuzzRead does the same for readers that return as little as they like.
func FuzzRead(f *testing.F) {
	f.Add(uint64(1), uint8(64), uint16(100))
	f.Add(uint64(2), uint8(3), uint16(40_000))
	text := noise(51, 1<<17)
	f.Fuzz(func(t *testing.T, seed uint64, count uint8, most uint16) {
		for _, name := range Implementations() {
			h, err := NewWith(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range algorithms {
				r := rand.New(rand.NewPCG(seed, 51))
				readers, messages := make([]io.Reader, count), make([][]byte, count)
				for i := range readers {
					messages[i] = text[i:][:r.IntN(int(most)+1)]
					readers[i] = bytes.NewReader(messages[i])
					if r.IntN(2) == 0 {
						readers[i] = iotest.HalfReader(iotest.DataErrReader(readers[i]))
					}
				}
				digests, errs := a.read(h, readers)
				for i, got := range digests {
					if errs[i] != nil || !bytes.Equal(got, a.want(messages[i])) {
						t.Fatalf("%s %s: reader %d of %d, %d bytes: %x (%v)", name, a.name, i, count, len(messages[i]), got, errs[i])
					}
				}
			}
		}
	})
}

// FuzzHMAC takes keys and messages from its arguments and holds every implementation against crypto/hmac.
func FuzzHMAC(f *testing.F) {
	f.Add(uint64(1), uint16(64), uint16(64), uint8(20), uint8(1))
	f.Add(uint64(2), uint16(100), uint16(3000), uint8(64), uint8(100))
	f.Add(uint64(3), uint16(700), uint16(56), uint8(200), uint8(255))
	text := noise(52, 1<<17)
	f.Fuzz(func(t *testing.T, seed uint64, count, most uint16, longestKey, keys uint8) {
		r := rand.New(rand.NewPCG(seed, 52))
		messages, under := make([][]byte, 1+int(count)%800), make([][]byte, max(1, keys))
		for i := range messages {
			messages[i] = text[r.IntN(1<<16):][:r.IntN(int(most)%5000+1)]
		}
		for i := range under {
			under[i] = text[r.IntN(1<<16):][:r.IntN(int(longestKey)+1)]
		}
		for _, name := range Implementations() {
			h, err := NewWith(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range keyeds {
				k.verify(t, h, under, messages)
			}
		}
	})
}
