package multibuffer

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

// Readers of every manner: whole, by one byte, by halves, with the last bytes beside io.EOF.
func TestReaders(t *testing.T) {
	text := noise(20, 1<<18)
	sizes := []int{0, 1, 55, 56, 64, 1000, bufferSize - 9, bufferSize - 8, bufferSize - 1, bufferSize, bufferSize + 1,
		2*bufferSize - 1, 2 * bufferSize, 2*bufferSize + 64, 3*bufferSize + 77}
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		r := rand.New(rand.NewPCG(20, 20))
		for _, n := range []int{0, 1, 2, 3, 7, 16, 33, 64, 65, 150} {
			readers, messages := make([]io.Reader, n), make([][]byte, n)
			for i := range readers {
				size := sizes[r.IntN(len(sizes))]
				messages[i] = text[i : i+size]
				var from io.Reader = bytes.NewReader(messages[i])
				switch r.IntN(5) {
				case 0:
					from = iotest.HalfReader(from)
				case 1:
					from = iotest.DataErrReader(from)
				case 2:
					if size < 2000 {
						from = iotest.OneByteReader(from)
					}
				}
				readers[i] = from
			}
			digests, errs := a.read(h, readers)
			for i, got := range digests {
				if errs[i] != nil || !bytes.Equal(got, a.want(messages[i])) {
					t.Fatalf("reader %d of %d, %d bytes: %x (%v), want %x", i, n, len(messages[i]), got, errs[i], a.want(messages[i]))
				}
			}
		}
	})
}

// One reader's error is its own: the others' digests are right.
func TestReaderFails(t *testing.T) {
	text := noise(21, 1<<18)
	broken := errors.New("broken")
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		counts := []int{3, 17, 1, 64, 100}
		if testing.Short() {
			counts = counts[:2]
		}
		for _, n := range counts {
			for _, good := range []int{0, 10, bufferSize, 2*bufferSize + 5} {
				for _, all := range []bool{false, true} {
					readers, bad := make([]io.Reader, n), func(i int) bool { return all || i%3 == n%3 }
					for i := range readers {
						readers[i] = bytes.NewReader(text[i : i+2*bufferSize])
						if bad(i) {
							readers[i] = io.MultiReader(bytes.NewReader(text[:good+i]), iotest.ErrReader(broken))
						}
					}
					digests, errs := a.read(h, readers)
					for i, got := range digests {
						want, wantErr := a.want(text[i:i+2*bufferSize]), error(nil)
						if bad(i) {
							want, wantErr = make([]byte, len(want)), broken
						}
						if errs[i] != wantErr || !bytes.Equal(got, want) {
							t.Fatalf("reader %d of %d: %x (%v), want %x (%v)", i, n, got, errs[i], want, wantErr)
						}
					}
				}
			}
		}
	})
}

func TestFewerErrorsThanReaders(t *testing.T) {
	defer func() {
		if got := recover(); got != "multibuffer: fewer errors than readers" {
			t.Errorf("panic %v", got)
		}
	}()
	New().ReadMD5(make([][16]byte, 3), make([]error, 2), make([]io.Reader, 3))
}

// The functions of the package are the fastest implementation's.
func TestFunctionsOfThePackage(t *testing.T) {
	text := noise(29, 5000)
	readers := func() (all []io.Reader) {
		for i := range 20 {
			all = append(all, bytes.NewReader(text[i:]))
		}
		return all
	}
	errs := make([]error, 20)
	md5s, sm3s, sha256s, sha1s := make([][16]byte, 20), make([][32]byte, 20), make([][32]byte, 20), make([][20]byte, 20)
	ReadMD5(md5s, errs, readers())
	ReadSM3(sm3s, errs, readers())
	ReadSHA256(sha256s, errs, readers())
	ReadSHA1(sha1s, errs, readers())
	for i := range 20 {
		for k, got := range [][]byte{md5s[i][:], sm3s[i][:], sha256s[i][:], sha1s[i][:]} {
			if want := algorithms[k].want(text[i:]); errs[i] != nil || !bytes.Equal(got, want) {
				t.Errorf("%s of reader %d: %x (%v), want %x", algorithms[k].name, i, got, errs[i], want)
			}
		}
	}
	for k, made := range [][]HMAC{NewHMACsSHA256([][]byte{text[:40]}), NewHMACsSM3([][]byte{text[:40]})} {
		macs := make([][32]byte, 1)
		if made[0].Sum(macs, [][]byte{text}); !bytes.Equal(macs[0][:], keyeds[k].want(text[:40], text)) {
			t.Errorf("%s: wrong", keyeds[k].name)
		}
	}
}
