package judge

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/result"
)

func vector(t *testing.T, j *Judge, c result.Case) *provider.Vector {
	t.Helper()
	v, err := j.Vector(c)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func cases(algorithms, modes []string, operation string, sizes ...int) (cs []result.Case) {
	for _, algorithm := range algorithms {
		for _, mode := range modes {
			c := result.Case{Algorithm: algorithm, Mode: mode, Operation: operation}
			if strings.Contains(mode, "HMAC") {
				c.Parameters = parameter.PKCS7Padding
			}
			cs = append(cs, providertest.Sizes(c, sizes...)...)
		}
	}
	return cs
}

func everyCase(sizes ...int) []result.Case {
	modes := []string{"ECB", "CBC", "CFB", "OFB", "CTR", "GCM", "CCM"}
	return slices.Concat(
		cases([]string{"AES-128", "AES-192", "AES-256"}, append(modes, "CBC+HMAC-SHA-256"), "encrypt", sizes...),
		cases([]string{"SM4"}, append(modes, "CBC+HMAC-SM3"), "encrypt", sizes...),
		cases([]string{"ChaCha20-Poly1305", "ChaCha20"}, []string{""}, "encrypt", sizes...),
		cases([]string{"SM4"}, modes[:4], "init+encrypt+pad", sizes...),
		cases([]string{"SM4"}, modes[:4], "init+decrypt+unpad", sizes...),
	)
}

func TestVectorsFollowFromTheSeed(t *testing.T) {
	a, b, other := New(provider.Setting{Seed: 7}), New(provider.Setting{Seed: 7}), New(provider.Setting{Seed: 8})
	for _, c := range everyCase(48) {
		v, w, x := vector(t, a, c), vector(t, b, c), vector(t, other, c)
		if !slices.Equal(v.Key, w.Key) || !slices.Equal(v.Nonce, w.Nonce) || !slices.Equal(v.Plaintext, w.Plaintext) || !slices.Equal(v.Ciphertext, w.Ciphertext) {
			t.Errorf("%s: the same seed gives another vector", c.Name())
		}
		if slices.Equal(v.Key, x.Key) || slices.Equal(v.Plaintext, x.Plaintext) || v.Nonce != nil && slices.Equal(v.Nonce, x.Nonce) {
			t.Errorf("%s: another seed gives the same vector", c.Name())
		}
		for _, s := range [][]byte{v.Key, v.MACKey, v.Nonce, v.Plaintext, v.Ciphertext} {
			if cap(s) != len(s) {
				t.Errorf("%s: a slice of %d bytes has room for %d", c.Name(), len(s), cap(s))
			}
		}
	}
}

func TestVectorShapes(t *testing.T) {
	tests := []struct {
		c                                 result.Case
		key, macKey, nonce, plain, cipher int
	}{
		{result.Case{Algorithm: "SM4", Mode: "ECB", Operation: "encrypt", Bytes: 64}, 16, 0, 0, 64, 64},
		{result.Case{Algorithm: "AES-192", Mode: "CBC", Operation: "decrypt", Bytes: 64}, 24, 0, 16, 64, 64},
		{result.Case{Algorithm: "AES-256", Mode: "GCM", Operation: "encrypt", Bytes: 65}, 32, 0, 12, 65, 81},
		{result.Case{Algorithm: "SM4", Mode: "CBC", Operation: "init+encrypt+pad", Bytes: 64}, 16, 0, 16, 64, 80},
		{result.Case{Algorithm: "SM4", Mode: "CBC+HMAC-SM3", Operation: "encrypt", Bytes: 64, Parameters: "padding=pkcs7"}, 16, 32, 16, 64, 112},
		{result.Case{Algorithm: "ChaCha20-Poly1305", Operation: "encrypt", Bytes: 0}, 32, 0, 12, 0, 16},
		{result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "exposure", Bytes: 1 << 20}, 16, 0, 16, 1 << 20, 1 << 20},
	}
	for _, test := range tests {
		v := vector(t, New(provider.Setting{Seed: 1}), test.c)
		got := []int{len(v.Key), len(v.MACKey), len(v.Nonce), len(v.AAD), len(v.Plaintext), len(v.Ciphertext)}
		if want := []int{test.key, test.macKey, test.nonce, 0, test.plain, test.cipher}; !slices.Equal(got, want) {
			t.Errorf("%+v: lengths %v, want %v", test.c, got, want)
		}
	}
}

func TestBothDirectionsShareAVector(t *testing.T) {
	j := New(provider.Setting{Seed: 1})
	c := result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "encrypt", Bytes: 64}
	v := vector(t, j, c)
	for _, operation := range []string{"decrypt", "init+encrypt", "init+decrypt"} {
		c.Operation = operation
		if vector(t, j, c) != v {
			t.Errorf("%s has a vector of its own", operation)
		}
	}
	j.Release()
	if w := vector(t, j, c); w == v || !slices.Equal(w.Ciphertext, v.Ciphertext) {
		t.Error("after Release the vector is the same object, or has another ciphertext")
	}
}

// TestPlaces: input and output lie alike in all processes of a block, and elsewhere in another block; long texts lie
// where the allocator puts them.
func TestPlaces(t *testing.T) {
	cbc := result.Case{Algorithm: "AES-128", Mode: "CBC", Operation: "encrypt", Bytes: 1024}
	hash := result.Case{Algorithm: "SHA-256", Operation: "hash", Bytes: 1000}
	type places struct{ in, out, hashed, digest int }
	placed := func(j *Judge) places {
		v, h := vector(t, j, cbc), vector(t, j, hash)
		return places{provider.PlaceOf(v.Plaintext), provider.PlaceOf(v.Ciphertext), provider.PlaceOf(h.Plaintext), provider.PlaceOf(h.Digest)}
	}
	const blocks = 40
	seen := map[places]bool{}
	one, other := New(provider.Setting{Seed: 5}), New(provider.Setting{Seed: 5})
	for block := range blocks {
		one.Block(block)
		other.Block(block)
		_ = other.bytes("something before", 100*block) // so that the allocator has moved on
		p := placed(one)
		if q := placed(other); p != q || p.in != p.hashed || p.out != p.digest || p.in%provider.Line != 0 {
			t.Errorf("block %d: places %+v and %+v", block, p, q)
		}
		seen[p] = true
	}
	if len(seen) < blocks-2 {
		t.Errorf("%d blocks have %d places", blocks, len(seen))
	}
	long := cbc
	long.Bytes = 2 << 20
	if v := vector(t, one, long); provider.PlaceOf(v.Plaintext) != 0 || provider.PlaceOf(v.Ciphertext) != 0 {
		t.Errorf("2 MiB lie at %d and %d", provider.PlaceOf(v.Plaintext), provider.PlaceOf(v.Ciphertext))
	}
}

// TestCandidates: every case has a fast candidate, and it agrees with the reference.
func TestCandidates(t *testing.T) {
	j := New(provider.Setting{Seed: 3})
	for _, c := range everyCase(0, 64, 1040) {
		v := vector(t, j, c)
		key, _ := message(c)
		fast, err := candidate(key, v)
		if err != nil || !slices.Equal(fast, v.Ciphertext) {
			t.Errorf("%s of %d bytes: the candidate fails or differs: %v", c.Name(), c.Bytes, err)
		}
	}
}

// TestHashCandidates: every hash has a fast candidate that agrees with the
// reference, and a proven digest that is not the reference's is not followed.
func TestHashCandidates(t *testing.T) {
	first := New(provider.Setting{Seed: 3})
	for _, c := range slices.Concat(
		cases([]string{"MD5", "SHA-256", "SHA3-256", "BLAKE2b-512", "SM3"}, []string{""}, "hash", 0, 64, 1040),
		cases([]string{"HMAC-SHA-256", "HMAC-SM3"}, []string{""}, "mac", 0, 1040)) {
		v := vector(t, first, c)
		if h, ok := hashOf(c.Algorithm); !ok || !slices.Equal(h.quick(v.Key, v.Plaintext), v.Digest) {
			t.Errorf("%s of %d bytes: the candidate is lacking or differs", c.Name(), c.Bytes)
		}
		right, ok := first.Digest(c)
		if !ok {
			t.Errorf("%s: no digest to hand over", c.Name())
		}
		for _, told := range []string{right, strings.Repeat("00", 32)} {
			other := New(provider.Setting{Seed: 3})
			if err := other.Prove(c, told); err != nil {
				t.Fatal(err)
			}
			if w := vector(t, other, c); !slices.Equal(w.Digest, v.Digest) {
				t.Errorf("%s: told the digest %s, another output", c.Name(), told)
			}
			if got, _ := other.Digest(c); got != right {
				t.Errorf("%s: a wrong digest stays", c.Name())
			}
		}
	}
}

func TestProve(t *testing.T) {
	c := result.Case{Algorithm: "SM4", Mode: "CBC", Operation: "encrypt", Bytes: 4096}
	first := New(provider.Setting{Seed: 5})
	if _, ok := first.Digest(c); ok {
		t.Error("a digest of what nobody computed")
	}
	v := vector(t, first, c)
	digest, ok := first.Digest(c)
	if !ok {
		t.Fatal("no digest")
	}

	second := New(provider.Setting{Seed: 5})
	if err := second.Prove(c, strings.ToUpper(digest)); err != nil {
		t.Fatal(err)
	}
	if w := vector(t, second, c); !slices.Equal(w.Ciphertext, v.Ciphertext) {
		t.Error("a proven case has another ciphertext")
	}

	// A digest that is not the reference's is not followed, and put right.
	third := New(provider.Setting{Seed: 5})
	if err := third.Prove(c, strings.Repeat("00", 32)); err != nil {
		t.Fatal(err)
	}
	if w := vector(t, third, c); !slices.Equal(w.Ciphertext, v.Ciphertext) {
		t.Error("a wrong digest changed the ciphertext")
	}
	if got, _ := third.Digest(c); got != digest {
		t.Errorf("a wrong digest stays: %s, want %s", got, digest)
	}
	if err := third.Prove(c, "12"); err == nil {
		t.Error("a digest of one byte passes")
	}
}

func TestMemoIsBounded(t *testing.T) {
	j := New(provider.Setting{Seed: 1})
	big := func(i int64) result.Case {
		return result.Case{Algorithm: "AES-128", Mode: "CTR", Operation: "encrypt", Bytes: i}
	}
	for i := range int64(4) {
		key, _ := message(big(i))
		j.keep(key, &provider.Vector{Plaintext: make([]byte, memoLimit/3)})
	}
	if len(j.memo) != 3 {
		t.Errorf("%d vectors are held", len(j.memo))
	}
	if slices.ContainsFunc(j.memo, func(m remembered) bool { return m.key.Bytes == 0 }) {
		t.Error("the oldest stayed")
	}
}

func TestNobodyJudges(t *testing.T) {
	for _, c := range []result.Case{
		{Algorithm: "DES", Mode: "CBC", Operation: "encrypt", Bytes: 64},
		{Algorithm: "SM4", Mode: "XTS", Operation: "encrypt", Bytes: 64},
		{Algorithm: "SM4", Mode: "CBC", Operation: "sign", Bytes: 64},
		{Algorithm: "SM4", Mode: "CBC", Operation: "encrypt", Bytes: 1 << 40},
		{Algorithm: "ChaCha20-Poly1305", Mode: "CBC", Operation: "encrypt", Bytes: 64},
	} {
		if _, err := New(provider.Setting{Seed: 1}).Vector(c); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%+v: %v, want unsupported", c, err)
		}
	}
}
