package providertest

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// constant is a judge of its own: AES-128-GCM or CTR of one message, made with the
// standard library, since these tests are about the conformance alone.
type constant struct{}

func (constant) Vector(c result.Case) (*provider.Vector, error) {
	v := &provider.Vector{Key: bytes.Repeat([]byte{7}, 16), Nonce: bytes.Repeat([]byte{9}, 12), Plaintext: make([]byte, c.Bytes)}
	b, _ := aes.NewCipher(v.Key)
	a, _ := cipher.NewGCM(b)
	v.Ciphertext = a.Seal(nil, v.Nonce, v.Plaintext, nil)
	return v, nil
}

// fake is a provider made of a function.
type fake func(result.Case, provider.Vectors) (provider.Operation, error)

func (f fake) Subject() result.Subject {
	return result.Subject{Library: "fake", Version: "1", CallPath: "go"}
}

func (f fake) Open(c result.Case) (provider.Operation, error) { return f(c, constant{}) }

// twisted is GCM with a twist on the way in or out.
type twisted struct {
	cipher.AEAD
	twistSealed func([]byte) []byte
	openAny     bool
}

func (t twisted) Seal(dst, nonce, in, aad []byte) []byte {
	return t.twistSealed(t.AEAD.Seal(dst, nonce, in, aad))
}

func (t twisted) Open(dst, nonce, in, aad []byte) ([]byte, error) {
	out, err := t.AEAD.Open(dst, nonce, in, aad)
	if err != nil && t.openAny {
		return dst, nil
	}
	return out, err
}

func twist(f func([]byte) []byte, openAny bool) fake {
	return func(c result.Case, vs provider.Vectors) (provider.Operation, error) {
		d, err := loop.DirectionOf(c.Operation)
		if err != nil {
			return nil, err
		}
		v, _ := vs.Vector(c)
		b, _ := aes.NewCipher(v.Key)
		a, _ := cipher.NewGCM(b)
		return loop.NewAEAD(twisted{a, f, openAny}, d, v), nil
	}
}

type liar struct{ provider.Operation }

func (liar) Check() error { return nil }

type lazy struct{ provider.Operation }

func (lazy) Run(int) error { return nil }

type panicking struct{ provider.Operation }

func (panicking) Run(int) error { panic("index out of range") }

func same(b []byte) []byte { return b }

func flip(i int) func([]byte) []byte {
	return func(b []byte) []byte { b[(i+len(b))%len(b)] ^= 1; return b }
}

func wrap(f func(provider.Operation) provider.Operation) fake {
	return func(c result.Case, vs provider.Vectors) (provider.Operation, error) {
		op, err := twist(same, false)(c, vs)
		return f(op), err
	}
}

// TestPlanted is the test of the conformance: each wrong provider is caught, and
// in words that name what is wrong.
func TestPlanted(t *testing.T) {
	tests := []struct {
		name, operation string
		provider        fake
		want            string
	}{
		{"right, encrypt", "encrypt", twist(same, false), ""},
		{"right, decrypt", "decrypt", twist(same, false), ""},
		{"wrong body", "encrypt", twist(flip(3), false), "the body is wrong from byte 3 on; the tag is right"},
		{"wrong tag", "encrypt", twist(flip(-2), false), "the tag is wrong from byte 46 of the output on (tag byte 14); the body is right"},
		{"wrong length", "encrypt", twist(func(b []byte) []byte { return b[:40] }, false), "40 bytes long and should be 48"},
		{"opens tampered text", "decrypt", twist(same, true), "tampered text was opened without an error: one bit of the tag"},
		{"lies", "encrypt", wrap(func(o provider.Operation) provider.Operation { return liar{o} }), "a Check before any Run passes"},
		{"does nothing", "encrypt", wrap(func(o provider.Operation) provider.Operation { return lazy{o} }), "nothing ran"},
		{"panics in Run", "encrypt", wrap(func(o provider.Operation) provider.Operation { return panicking{o} }), "the library panicked: index out of range"},
		{"panics in Open", "encrypt", func(result.Case, provider.Vectors) (provider.Operation, error) { panic("boom") }, "the library panicked: boom"},
		{"fails in Open", "encrypt", func(result.Case, provider.Vectors) (provider.Operation, error) {
			return nil, errors.New("no such file")
		}, "not because it is unsupported: no such file"},
	}
	for _, test := range tests {
		err := Verify(test.provider, result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: test.operation, Bytes: 32})
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: got %v, want %q in it", test.name, err, test.want)
		case errors.Is(err, errors.ErrUnsupported):
			t.Errorf("%s: %v passes for unsupported", test.name, err)
		}
	}
}

func TestWrongSideBySideIsCaught(t *testing.T) {
	c := []result.Case{{Operation: "encrypt", Bytes: 64}, {Operation: "decrypt", Bytes: 64}}
	if err := SideBySide(twist(same, false), c); err != nil {
		t.Error(err)
	}
	if err := SideBySide(twist(flip(1), false), c); err == nil {
		t.Error("wrong output side by side passes")
	}
}

func TestInsensitiveIsCaught(t *testing.T) {
	c := result.Case{Operation: "encrypt", Bytes: 64}
	ignores := func(provider.Vectors) provider.Provider {
		return fake(func(c result.Case, _ provider.Vectors) (provider.Operation, error) {
			return twist(same, false)(c, constant{})
		})
	}
	if err := Sensitive(ignores, constant{}, c); err == nil || !strings.Contains(err.Error(), "another input passes") {
		t.Errorf("an operation that ignores its input: %v", err)
	}
	reads := func(vs provider.Vectors) provider.Provider {
		return fake(func(c result.Case, _ provider.Vectors) (provider.Operation, error) {
			return twist(same, false)(c, vs)
		})
	}
	if err := Sensitive(reads, constant{}, c); err != nil {
		t.Error(err)
	}
}

func TestBoundaries(t *testing.T) {
	want := []int{0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513}
	if testing.Short() {
		want = []int{0, 1, 15, 16, 17, 255, 256, 257}
	}
	if got := Boundaries(16); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
