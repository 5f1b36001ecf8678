package digest

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/iotest"
)

// The standards' digests of "abc": RFC 1321, GB/T 32905-2016, FIPS 180-4, RFC 7693.
var ofABC = map[string]string{
	"md5":     "900150983cd24fb0d6963f7d28e17f72",
	"sm3":     "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0",
	"sha1":    "a9993e364706816aba3e25717850c26c9cd0d89d",
	"sha256":  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	"sha512":  "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
	"blake2b": "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
}

func TestVectors(t *testing.T) {
	if names := Names(); len(names) != len(ofABC) {
		t.Errorf("%d algorithms, and %d vectors", len(names), len(ofABC))
	}
	for name, want := range ofABC {
		a, err := Named(name)
		if err != nil {
			t.Fatal(err)
		}
		h := a.New()
		h.Write([]byte("abc"))
		if got := hex.EncodeToString(h.Sum(nil)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if Tagged(a.Tag) != a {
			t.Errorf("%s: not found by its tag", name)
		}
		if s := Sized(a.Size); s == nil || s.Size != a.Size {
			t.Errorf("%s: nothing found by its size", name)
		}
	}
}

// Many at once are what one by one is, by messages and by readers.
func TestTogether(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	messages := make([][]byte, 150)
	for i := range messages {
		messages[i] = make([]byte, random.IntN(1<<random.IntN(17)))
		for j := range messages[i] {
			messages[i][j] = byte(random.Uint32())
		}
	}
	for _, a := range all {
		sums := make([]Sum, len(messages))
		a.Summer()(sums, messages)
		for i, m := range messages {
			if want := one(a, m); sums[i] != want {
				t.Fatalf("%s: message %d of %d bytes: %x, want %x", a.Name, i, len(m), sums[i], want)
			}
		}
		if a.read != nil {
			readers(t, a, messages)
		}
		if fewest, most := a.Together(); most > 1 && (a.read == nil || fewest < 2 || fewest > most) {
			t.Errorf("%s: together from %d to %d", a.Name, fewest, most)
		}
	}
}

func one(a *Algorithm, message []byte) (sum Sum) {
	h := a.New()
	h.Write(message)
	h.Sum(sum[:0])
	return sum
}

func readers(t *testing.T, a *Algorithm, messages [][]byte) {
	broken := errors.New("broken")
	var in []io.Reader
	for _, m := range messages {
		in = append(in, bytes.NewReader(m))
	}
	in[7] = io.MultiReader(bytes.NewReader(messages[7]), iotest.ErrReader(broken))
	sums, errs := make([]Sum, len(in)), make([]error, len(in))
	a.Read(sums, errs, in)
	for i, m := range messages {
		switch {
		case i == 7 && !errors.Is(errs[i], broken):
			t.Errorf("%s: the broken reader: %v", a.Name, errs[i])
		case i != 7 && (errs[i] != nil || sums[i] != one(a, m)):
			t.Fatalf("%s: reader %d of %d bytes: %x, %v", a.Name, i, len(m), sums[i], errs[i])
		}
	}
}

func TestNamed(t *testing.T) {
	if _, err := Named("md4"); err == nil {
		t.Error("there is md4")
	}
	if !slices.Equal(Names()[:2], []string{"md5", "sm3"}) {
		t.Errorf("the order is %v", Names())
	}
}
