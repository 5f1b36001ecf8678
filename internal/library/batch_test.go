package library

import (
	"errors"
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/batch"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/sm4"
)

// macCases are HMACs of many messages in every way, under one key and several.
func macCases() (cs []result.Case) {
	for _, name := range []string{algorithm.HMACSHA256, algorithm.HMACSM3} {
		for _, way := range []parameter.Manner{parameter.New, parameter.Kept, parameter.Lanes} {
			for _, s := range []batch.Shape{{Messages: 1, Keys: 1, Bytes: 1}, {Messages: 67, Keys: 1, Bytes: 67 * 64},
				{Messages: 67, Keys: 67, Bytes: 67 * 64}, {Messages: 67, Keys: 5, Bytes: 67 * 300}} {
				s.Way = way
				cs = append(cs, result.Case{Algorithm: name, Operation: algorithm.MACMany, Bytes: s.Bytes, Parameters: s.Parameters()})
			}
		}
	}
	return cs
}

// offersMACs says which library does what of them.
func offersMACs(p provider.Provider, c result.Case) bool {
	lanes, s := parameter.Way.In(c.Parameters) == parameter.Lanes, p.Subject()
	switch {
	case s.Library == "go":
		return !lanes && c.Algorithm == algorithm.HMACSHA256
	case s.Library == "gmsm":
		return !lanes && c.Algorithm == algorithm.HMACSM3
	case s.Library == "cryptogauge" && hashesOnly(p):
		return lanes && (c.Algorithm == algorithm.HMACSM3 || s.Implementation != "avx2")
	}
	return false
}

// TestManyMACs: every way of every library authenticates every message rightly, under its own key, and
// what a library lacks is absent.
func TestManyMACs(t *testing.T) {
	j := judge.New(provider.Setting{Seed: 1})
	for i, p := range Go(j) {
		var opened []result.Case
		for _, c := range macCases() {
			err := providertest.Verify(p, c)
			if !offersMACs(p, c) {
				if !errors.Is(err, provider.ErrAbsent) {
					t.Errorf("%s: %s %s: %v, want absent", p.Subject().Library, c.Name(), c.Parameters, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %s %s: %v", p.Subject().Library, c.Name(), c.Parameters, err)
				continue
			}
			opened = append(opened, c)
			if err := providertest.Sensitive(func(v provider.Vectors) provider.Provider { return Go(v)[i] }, j, c); err != nil {
				t.Error(err)
			}
		}
		if err := providertest.SideBySide(p, opened); err != nil {
			t.Error(err)
		}
	}
}

// TestMACsAreTheReferences: each MAC of the vector is the reference's of its message under its key,
// whether the judge computed them or a fast library whose MACs are proven.
func TestMACsAreTheReferences(t *testing.T) {
	s := batch.Shape{Messages: 20, Keys: 3, Bytes: 20 * 100, Way: parameter.Kept}
	c := result.Case{Algorithm: algorithm.HMACSM3, Operation: algorithm.MACMany, Bytes: s.Bytes, Parameters: s.Parameters()}
	first := judge.New(provider.Setting{Seed: 9})
	v := vector(t, first, c)
	for i := range 20 {
		key, message := v.Key[i%3*batch.KeySize:][:batch.KeySize], v.Plaintext[i*100:][:100]
		want := reference.HMAC(reference.SM3, reference.HashBlockSize, key, message)
		if !slices.Equal(v.Digest[i*batch.MACSize:][:batch.MACSize], want) {
			t.Fatalf("MAC %d is not the reference's", i)
		}
	}
	proof, ok := first.Digest(c)
	if !ok {
		t.Fatal("the judge does not know the digest of what it computed")
	}
	again := judge.New(provider.Setting{Seed: 9})
	if err := again.Prove(c, proof); err != nil {
		t.Fatal(err)
	}
	if w := vector(t, again, c); !slices.Equal(w.Digest, v.Digest) {
		t.Error("other MACs, by a fast library")
	}
}

// textCases are messages that are encrypted by SM4 in every way, under one key and several.
func textCases() (cs []result.Case) {
	for _, mode := range []string{algorithm.GCM, algorithm.CBC} {
		for _, way := range []parameter.Manner{parameter.New, parameter.Kept, parameter.Lanes, parameter.LanesNew} {
			for _, s := range []batch.Shape{{Messages: 1, Keys: 1, Bytes: 16}, {Messages: 67, Keys: 1, Bytes: 67 * 64},
				{Messages: 67, Keys: 67, Bytes: 67 * 64}, {Messages: 20, Keys: 5, Bytes: 20 * 320}} {
				s.Way = way
				cs = append(cs, result.Case{Algorithm: algorithm.SM4, Mode: mode, Operation: algorithm.EncryptMany, Bytes: s.Bytes, Parameters: s.Parameters()})
			}
		}
	}
	return cs
}

// offersTexts says which library does what of them.
func offersTexts(p provider.Provider, c result.Case) bool {
	way := parameter.Way.In(c.Parameters)
	lanes, s := way == parameter.Lanes || way == parameter.LanesNew, p.Subject()
	switch s.Library {
	case "gmsm":
		return !lanes
	case "tjfoc":
		return !lanes && s.Implementation != "helpers"
	case "cryptogauge":
		return lanes && s.Implementation == sm4.Implementations()[0] && s.Implementation != "gmsm"
	}
	return false
}

// TestManyTexts: every way of every library encrypts every message rightly, under its own key and nonce, and what a
// library lacks is absent.
func TestManyTexts(t *testing.T) {
	j := judge.New(provider.Setting{Seed: 1})
	for i, p := range Go(j) {
		for _, c := range textCases() {
			err := providertest.Verify(p, c)
			if !offersTexts(p, c) {
				if !errors.Is(err, provider.ErrAbsent) {
					t.Errorf("%s %s: %s %s: %v, want absent", p.Subject().Library, p.Subject().Implementation, c.Name(), c.Parameters, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %s %s: %v", p.Subject().Library, c.Name(), c.Parameters, err)
				continue
			}
			if err := providertest.Sensitive(func(v provider.Vectors) provider.Provider { return Go(v)[i] }, j, c); err != nil {
				t.Error(err)
			}
		}
	}
}
