package digest

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// The standards' digests of "abc": RFC 1321, GB/T 32905-2016, FIPS 180-4 and
// 202 with NIST's examples, RFC 7693.
var ofABC = map[string]string{
	"md5":      "900150983cd24fb0d6963f7d28e17f72",
	"sm3":      "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0",
	"sha1":     "a9993e364706816aba3e25717850c26c9cd0d89d",
	"sha256":   "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	"sha512":   "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
	"sha224":   "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
	"sha384":   "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
	"sha3-224": "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf",
	"sha3-256": "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
	"sha3-384": "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25",
	"sha3-512": "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0",
	"blake2b":  "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
}

func TestVectors(t *testing.T) {
	if names := Names(); len(names) != len(ofABC) {
		t.Errorf("%d algorithms, and %d vectors", len(names), len(ofABC))
	}
	for name, want := range ofABC {
		a, err := Named(name, 0)
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
		if !slices.Contains(Fitting(a.Size), a) {
			t.Errorf("%s: not found by its size", name)
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

// What people write for an algorithm, and what is no name.
func TestNamed(t *testing.T) {
	if !slices.Equal(Names()[:2], []string{"md5", "sm3"}) {
		t.Errorf("the order is %v", Names())
	}
	for _, c := range []struct {
		name string
		bits int
		want string // "": refused
	}{
		{"md5", 0, "md5"}, {"MD5", 0, "md5"}, {"SHA-256", 0, "sha256"}, {"sha_256", 0, "sha256"}, {"SHA3-256", 0, "sha3-256"}, {"sha3_512", 0, "sha3-512"},
		{"BLAKE2b", 0, "blake2b"}, {"blake2b", 512, "blake2b"}, {"blake2b", 256, "blake2b-256"}, {"BLAKE2b-8", 0, "blake2b-8"}, {"blake2b-512", 0, "blake2b"},
		{"sha3", 384, "sha3-384"}, {"sha2", 224, "sha224"},
		{"md4", 0, ""}, {"", 0, ""}, {"sha3", 0, ""}, {"sha3", 128, ""}, {"sha256", 256, ""}, {"blake2b", 12, ""}, {"blake2b", 520, ""}, {"blake2b", -8, ""},
		{"blake2b-0", 0, ""}, {"blake2b-08", 0, ""}, {"blake2b-12", 0, ""}, {"blake2b-256", 128, ""},
		{"blake2b-512", 256, ""}, {"BLAKE2b_512", 8, ""}, {"blake2b-256", 512, ""}, {"blake2b-256", 256, "blake2b-256"}, {"blake2b-512", 512, "blake2b"},
	} {
		a, err := Named(c.name, c.bits)
		switch {
		case c.want == "" && err == nil:
			t.Errorf("%s -l %d is %s", c.name, c.bits, a.Name)
		case c.want != "" && (err != nil || a.Name != c.want || 8*a.Size != c.bits && c.bits != 0 || Tagged(a.Tag) != a):
			t.Errorf("%s -l %d: %+v, %v", c.name, c.bits, a, err)
		}
	}
	for _, tag := range []string{"BLAKE2b-0", "BLAKE2b-7", "BLAKE2b-08", "BLAKE2b-520", "BLAKE2b-", "BLAKE2b-+8", "md5", "SHA3"} {
		if a := Tagged(tag); a != nil {
			t.Errorf("the tag %s is taken for %s", tag, a.Name)
		}
	}
}

// Shorter digests of BLAKE2b, by RFC 7693 as b2sum -l of the coreutils prints them for "abc".
func TestShortBLAKE2b(t *testing.T) {
	for bits, want := range map[int]string{
		8: "6b", 128: "cf4ab791c62b8d2b2109c90275287816", 160: "384264f676f39536840523f284921cdc68b6846b",
		256: "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319",
	} {
		a, err := Named("blake2b", bits)
		if err != nil {
			t.Fatal(err)
		}
		var sums [2]Sum
		a.Summer()(sums[:], [][]byte{[]byte("other"), []byte("abc")})
		h := a.New()
		h.Write([]byte("abc"))
		if got := hex.EncodeToString(h.Sum(nil)); got != want || hex.EncodeToString(sums[1][:a.Size]) != want {
			t.Errorf("%d bits: %s and %x, want %s", bits, got, sums[1][:a.Size], want)
		}
	}
}

// What a digest may be of, when only its size is known.
func TestFitting(t *testing.T) {
	for size, want := range map[int]string{
		15: "", 16: "md5 blake2b-128", 17: "blake2b-136", 20: "sha1 blake2b-160", 28: "sha224 sha3-224 blake2b-224",
		32: "sha256 sm3 sha3-256 blake2b-256", 48: "sha384 sha3-384 blake2b-384", 64: "sha512 sha3-512 blake2b", 65: "", 0: "",
	} {
		var names []string
		for _, a := range Fitting(size) {
			names = append(names, a.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%d bytes: %s, want %s", size, got, want)
		}
	}
}
