package password

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/provider"
)

func vector() *provider.Vector {
	v := &provider.Vector{Plaintext: []byte("correct horse"), Nonce: []byte("0123456789abcdef"), Signature: []byte("cheap")}
	v.Digest = derived(v.Plaintext, v.Nonce)
	return v
}

// derived stands for a password hash.
func derived(password, salt []byte) []byte {
	return append(slices.Concat(password, salt), make([]byte, KeyBytes)...)[:KeyBytes]
}

func right(password, salt []byte) ([]byte, error) { return derived(password, salt), nil }

func accepts(stored, password []byte) error {
	v := vector()
	if !bytes.Equal(password, v.Plaintext) || !bytes.Equal(stored, v.Digest) && !bytes.Equal(stored, v.Signature) {
		return errors.New("another password")
	}
	return nil
}

// TestLogins passes what is right, once for each run, and finds what is planted.
func TestLogins(t *testing.T) {
	short := func(password, salt []byte) ([]byte, error) { return derived(password, salt)[:31], nil }
	unsalted := func(password, _ []byte) ([]byte, error) { return derived(password, nil), nil }
	for name, c := range map[string]struct {
		op   provider.Operation
		good bool
	}{
		"derived":                    {Derived(right, vector()), true},
		"compared":                   {Compared(accepts, vector()), true},
		"too short a key":            {Derived(short, vector()), false},
		"a key without the salt":     {Derived(unsalted, vector()), false},
		"every password is accepted": {Compared(func(_, _ []byte) error { return nil }, vector()), false},
	} {
		if c.op.Check() == nil {
			t.Errorf("%s: a check before any run passes", name)
		}
		for range 3 {
			if clears, ok := c.op.(provider.Clearer); ok {
				if err := clears.Clear(); err != nil {
					t.Error(err)
				}
			}
			ran := provider.Guard(func() error { return c.op.Run(2) })
			if ran != nil && c.good {
				t.Errorf("%s: %v", name, ran)
			}
			if err := c.op.Check(); (err == nil) != c.good && ran == nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if r, err := c.op.(provider.Recorder).Record(); err != nil || len(r.Metrics) > 1 || len(r.Metrics) == 1 && r.Metrics[0].Value < 0 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	failing := Derived(func(_, _ []byte) ([]byte, error) { return nil, errors.New("no memory") }, vector())
	if err := failing.Run(1); err == nil {
		t.Error("an error of the library is passed over")
	}
}
