package judge

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/asn1"
	"io"
	"math/big"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestLaboratoryKeys: the judge accepts its own keys, and the longest is one.
func TestLaboratoryKeys(t *testing.T) {
	for _, bits := range []int{512, 1024, 2048, 3072, 4096, 8192} {
		k, err := laboratoryRSA(bits)
		if err != nil {
			t.Fatal(err)
		}
		var info privateKeyInfo
		if _, err := asn1.Unmarshal(k.pkcs8, &info); err != nil {
			t.Fatal(err)
		}
		if err := acceptRSAKey(bits)(info.PrivateKey); err != nil {
			t.Errorf("%d bits: %v", bits, err)
		}
	}
	for _, name := range []string{"RSA-5120", "RSA-+512", "rsa"} {
		if _, err := New(provider.Setting{}).Vector(result.Case{Algorithm: name, Operation: "generate"}); err == nil {
			t.Errorf("%s: there is a key that nobody made", name)
		}
	}
	k, err := laboratoryRSA(2048)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*big.Int{k.rsa.P, k.rsa.Q} {
		if p.BitLen() != 1024 || !p.ProbablyPrime(20) {
			t.Error("the laboratory's RSA key is not of two primes of 1024 bits")
		}
	}
}

// TestPlantedKeys: a key that is none is caught, in words that name what is wrong.
func TestPlantedKeys(t *testing.T) {
	right, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	der := x509.MarshalPKCS1PrivateKey(right)
	change := func(f func(*rsaPrivateKey)) []byte {
		var k rsaPrivateKey
		if _, err := asn1.Unmarshal(der, &k); err != nil {
			t.Fatal(err)
		}
		f(&k)
		changed, err := asn1.Marshal(k)
		if err != nil {
			t.Fatal(err)
		}
		return changed
	}
	for want, key := range map[string][]byte{
		"not an RSAPrivateKey":    {1, 2, 3},
		"1024 bits and should":    nil, // below, of another length
		"n = p·q":                 change(func(k *rsaPrivateKey) { k.P.Add(k.P, big.NewInt(0)); k.N.Add(k.N, big.NewInt(2)) }),
		"p and q are prime":       change(func(k *rsaPrivateKey) { k.P.Add(k.P, big.NewInt(1)) }),
		"e·d = 1 mod λ(n)":        change(func(k *rsaPrivateKey) { k.D.Add(k.D, big.NewInt(2)) }),
		"e·dP = 1 mod p−1":        change(func(k *rsaPrivateKey) { k.Dp.Add(k.Dp, big.NewInt(2)) }),
		"q·qInv = 1 mod p":        change(func(k *rsaPrivateKey) { k.Qi.Add(k.Qi, big.NewInt(2)) }),
		"e = 65537":               change(func(k *rsaPrivateKey) { k.E = 3 }),
		"the key has no primes":   change(func(k *rsaPrivateKey) { k.P.SetInt64(0) }),
		"is another than was giv": der,
	} {
		accept := acceptRSAKey(1024)
		switch {
		case key == nil:
			accept, key = acceptRSAKey(2048), der
		case strings.HasPrefix(want, "is another"):
			own, err := laboratoryRSA(1024)
			if err != nil {
				t.Fatal(err)
			}
			accept = acceptOwnRSAKey(own)
		}
		if err := accept(key); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := acceptRSAKey(1024)(der); err != nil {
		t.Errorf("a right key: %v", err)
	}
	s := &loop.Draws[[]byte]{Each: 3, Generate: func(io.Reader) ([]byte, error) { return []byte{1}, nil },
		Judge: acceptRSAKey(1024), Source: func(int) io.Reader { return nil }}
	untimed := func(f func() (int64, error)) (result.Sample, error) { _, err := f(); return result.Sample{}, err }
	if _, err := s.Measure(context.Background(), provider.Budget{Sample: untimed}); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err == nil || !strings.Contains(err.Error(), "key 1 of 3: the key is not") {
		t.Errorf("a scenario of wrong keys: %v", err)
	}
}
