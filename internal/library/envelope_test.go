package library

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/result"
)

// envelopes are the cases of the i-th provider.
func envelopes(i int, sizes ...int) (cs []result.Case) {
	modes := map[int][]string{
		0: {"RSA-2048-OAEP+AES-256-GCM", "RSA-4096-OAEP+AES-256-GCM", "HPKE-X25519+AES-256-GCM", "HPKE-ML-KEM-768+AES-256-GCM", "HPKE-MLKEM768-X25519+AES-256-GCM", "AES-256-GCM"},
		2: {"SM2+SM4-GCM", "SM4-GCM"},
	}[i]
	for _, m := range modes {
		for _, op := range []string{"seal", "open"} {
			c := result.Case{Algorithm: algorithm.Envelope, Mode: m, Operation: op}
			if strings.Count(m, "+") == 0 {
				c.Parameters = parameter.ReusedKey
			}
			cs = append(cs, providertest.Sizes(c, sizes...)...)
		}
	}
	return cs
}

func TestEnvelopes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	j := judge.New(provider.Setting{Seed: 1})
	for _, i := range []int{0, 2} {
		open := library(i)
		providertest.Run(t, open(j), envelopes(i, 0, 1, 100, judge.Whole+1))
		for _, c := range envelopes(i, 100) {
			if err := providertest.Sensitive(open, j, c); err != nil {
				t.Error(err)
			}
		}
	}
	for i, p := range withCiphers(j) {
		for other := range withCiphers(j) {
			for _, c := range envelopes(other, 100) {
				if err := providertest.Verify(p, c); i != other && !errors.Is(err, provider.ErrAbsent) {
					t.Errorf("%s: %s: %v, want absent", p.Subject().Library, c.Name(), err)
				}
			}
		}
	}
}

// TestEnvelopesInEverySize: what a worker is told of the reference's output holds
// for the parts of an envelope, and what is too long for the reference is judged.
func TestEnvelopesInEverySize(t *testing.T) {
	parent, child := judge.New(provider.Setting{Seed: 3}), judge.New(provider.Setting{Seed: 3})
	for _, c := range slices.Concat(envelopes(0, 1000), envelopes(2, 1000)) {
		v := vector(t, parent, c)
		digest, ok := parent.Digest(c)
		if !ok {
			t.Fatalf("%s: no digest", c.Name())
		}
		if err := child.Prove(c, digest); err != nil {
			t.Fatal(err)
		}
		if w := vector(t, child, c); !bytes.Equal(v.Ciphertext, w.Ciphertext) {
			t.Errorf("%s: another process makes another envelope", c.Name())
		}
	}
}

// TestEnvelopeVectors: the reference opens what it seals, and refuses each change;
// of a long message too, wherever the change is.
func TestEnvelopeVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	j := judge.New(provider.Setting{Seed: 1})
	for _, size := range []int{100, judge.Whole + 1000} {
		for _, c := range slices.Concat(envelopes(0, size), envelopes(2, size)) {
			v := vector(t, j, c)
			if err := v.Accept(v.Ciphertext); err != nil {
				t.Fatalf("%s: the judge refuses its own envelope: %v", c.Name(), err)
			}
			n := len(v.Ciphertext)
			for _, at := range []int{0, n - size - 20, n - size/2 - 16, n - size/3 - 16, n - 17, n - 1} {
				changed := slices.Clone(v.Ciphertext)
				changed[at] ^= 4
				if v.Accept(changed) == nil {
					t.Errorf("%s of %d bytes: a change in byte %d of %d is accepted", c.Name(), size, at, n)
				}
			}
			if v.Accept(nil) == nil || v.Accept(v.Ciphertext[:n-1]) == nil {
				t.Errorf("%s: what is too short is accepted", c.Name())
			}
		}
	}
}

// TestPlantedEnvelopes: each wrong operation is caught, in words that name what is wrong.
func TestPlantedEnvelopes(t *testing.T) {
	c := envelopes(0, 100)[0]
	good := func(v *provider.Vector) []byte { return slices.Clone(v.Ciphertext) }
	last := []byte(nil)
	for _, test := range []struct {
		name, operation string
		call            func(v *provider.Vector, in []byte) ([]byte, error)
		want            string
	}{
		{"right", "seal", func(v *provider.Vector, _ []byte) ([]byte, error) { return good(v), nil }, ""},
		{"a wrong tag", "seal", func(v *provider.Vector, _ []byte) ([]byte, error) {
			e := good(v)
			e[len(e)-1] ^= 1
			return e, nil
		}, "the envelope does not open"},
		{"a broken wrap", "seal", func(v *provider.Vector, _ []byte) ([]byte, error) {
			e := good(v)
			e[100] ^= 1
			return e, nil
		}, "the content key can't be unwrapped"},
		{"no wrap", "seal", func(v *provider.Vector, _ []byte) ([]byte, error) { return good(v)[256:], nil }, "bytes long and should be"},
		{"another message", "open", func(v *provider.Vector, _ []byte) ([]byte, error) { return make([]byte, 100), nil }, "the output is wrong"},
		{"anything opens", "open", func(v *provider.Vector, _ []byte) ([]byte, error) { return slices.Clone(v.Plaintext), nil }, "a tampered envelope was accepted"},
		{"the head is not looked at", "open", func(v *provider.Vector, in []byte) ([]byte, error) {
			if !bytes.HasSuffix(in, v.Ciphertext[len(v.Ciphertext)-50:]) {
				return nil, errors.New("refused")
			}
			last = slices.Clone(v.Plaintext)
			return last, nil
		}, "a tampered envelope's head was accepted"},
	} {
		p := planted{Vectors: judge.New(provider.Setting{Seed: 1}), open: func(v *provider.Vector) provider.Operation {
			call := func(_, in []byte) ([]byte, error) { return test.call(v, in) }
			if test.operation == "seal" {
				return loop.NewEnvelopeSeal(call, v)
			}
			return loop.NewEnvelopeOpen(call, v)
		}}
		c.Operation = test.operation
		err := providertest.Verify(p, c)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}
