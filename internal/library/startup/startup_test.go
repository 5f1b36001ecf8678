package startup

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/batch"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

const secrets, each = 70, 48

func theCase(op algorithm.Operation, opened parameter.Opening) result.Case {
	return result.Case{Algorithm: algorithm.AES256, Mode: algorithm.GCM, Operation: op,
		Parameters: parameter.Join(parameter.Secrets.Is(secrets), parameter.Each.Is(each), parameter.Opened.Is(opened))}
}

func gcm(key []byte) (cipher.AEAD, error) {
	b, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(b)
}

// fixed hands out one vector for every case.
type fixed struct{ v *provider.Vector }

func (f fixed) Vector(result.Case) (*provider.Vector, error) { return f.v, nil }

func material(t *testing.T) *provider.Vector {
	t.Helper()
	m, err := Material(theCase(algorithm.StartUp, parameter.Never))
	if err != nil {
		t.Fatal(err)
	}
	source := rand.NewChaCha8([32]byte{7})
	v, err := batch.NewVector(m, func(n int) []byte {
		b := make([]byte, n)
		_, _ = source.Read(b) // never fails
		return b
	})
	if err != nil {
		t.Fatal(err)
	}
	texts, err := batch.TextsOf(m, v)
	if err != nil {
		t.Fatal(err)
	}
	a, err := gcm(v.Key)
	if err != nil {
		t.Fatal(err)
	}
	for i := range texts.Messages {
		copy(texts.Out[i], a.Seal(nil, texts.Nonces[i], texts.Messages[i], nil))
	}
	return v
}

// TestWays: every way gives every secret, from starts and uses alike, and is checked only after it ran.
func TestWays(t *testing.T) {
	v := material(t)
	for _, op := range []algorithm.Operation{algorithm.StartUp, algorithm.UseSecret} {
		for _, opened := range []parameter.Opening{parameter.Never, parameter.AtStart, parameter.OnUse, parameter.OnFirst} {
			o, err := Open(theCase(op, opened), fixed{v}, gcm, nil)
			if err != nil {
				t.Fatal(err)
			}
			if o.Check() == nil {
				t.Errorf("%s, %s: a check before any run passes", op, opened)
			}
			for range 2 {
				if err := o.Run(secrets + 3); err != nil {
					t.Error(err)
				}
				if err := o.Check(); err != nil {
					t.Errorf("%s, %s: %v", op, opened, err)
				}
				if o.Check() == nil {
					t.Errorf("%s, %s: a run is checked twice", op, opened)
				}
			}
			if r, records := o.(provider.Recorder); records {
				rec, err := r.Record()
				if err != nil || len(rec.Metrics) != 1 || rec.Metrics[0].Value < secrets*each/2 || rec.Metrics[0].Value > 100*secrets*each || o.Check() != nil {
					t.Errorf("%s, %s: %+v, %v", op, opened, rec, err)
				}
			}
		}
	}
}

// lax opens whatever it is given.
type lax struct{ cipher.AEAD }

func (l lax) Open(dst, nonce, sealed, aad []byte) ([]byte, error) {
	if opened, err := l.AEAD.Open(nil, nonce, sealed, aad); err == nil {
		return append(dst, opened...), nil
	}
	return append(dst, sealed[:len(sealed)-16]...), nil
}

// wrong gives the last secret another last byte.
type wrong struct {
	cipher.AEAD
	last []byte // its nonce
}

func (w wrong) Open(dst, nonce, sealed, aad []byte) ([]byte, error) {
	out, err := w.AEAD.Open(dst, nonce, sealed, aad)
	if err == nil && string(nonce) == string(w.last) {
		out[len(out)-1] ^= 1
	}
	return out, err
}

// TestPlantedErrorsAreFound: a cipher that accepts what was changed, and one that opens a secret wrongly.
func TestPlantedErrorsAreFound(t *testing.T) {
	v := material(t)
	last := v.Nonce[len(v.Nonce)-12:]
	for want, plant := range map[string]func(cipher.AEAD) cipher.AEAD{
		"a configuration that was changed was accepted":              func(a cipher.AEAD) cipher.AEAD { return lax{a} },
		"secret 70 of 70 is not what was put into the configuration": func(a cipher.AEAD) cipher.AEAD { return wrong{a, last} },
	} {
		for _, op := range []algorithm.Operation{algorithm.StartUp, algorithm.UseSecret} {
			for _, opened := range []parameter.Opening{parameter.AtStart, parameter.OnUse, parameter.OnFirst} {
				o, err := Open(theCase(op, opened), fixed{v}, func(key []byte) (cipher.AEAD, error) {
					a, err := gcm(key)
					return plant(a), err
				}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if err := o.Run(1); err != nil {
					t.Fatal(err)
				}
				if err := o.Check(); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s, %s: %v, want %q", op, opened, err, want)
				}
			}
		}
	}
}

func TestCases(t *testing.T) {
	good := theCase(algorithm.StartUp, parameter.Never)
	for _, p := range []string{"", "secrets=10", "each=64,opened=later,secrets=10", "each=64,opened=use,secrets=0", "each=64,opened=use,secrets=10,way=new"} {
		c := good
		c.Parameters = p
		if _, err := Open(c, fixed{}, gcm, nil); !errors.Is(err, provider.ErrAbsent) {
			t.Errorf("%q: %v", p, err)
		}
	}
	refused := errors.New("refused")
	if _, err := Open(good, fixed{}, gcm, func(result.Case) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("a policy: %v", err)
	}
}
