package library

import (
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/result"
)

// signatureCases are those of signatures by library, besides RSA's.
func signatureCases(library int) (cs []result.Case) {
	three := []string{"generate", "sign", "verify"}
	za := func(operations ...string) (cs []result.Case) {
		for _, operation := range operations {
			cs = append(cs, result.Case{Algorithm: "SM2", Operation: operation, Parameters: "za=precomputed"})
		}
		return cs
	}
	switch library {
	case 0:
		return cases([]string{"ECDSA-P-256", "ECDSA-P-384", "Ed25519"}, []string{""}, three, 0)
	case 2:
		return append(cases([]string{"SM2", "ML-DSA-44", "ML-DSA-65"}, []string{""}, three, 0), za("sign", "verify")...)
	case 3:
		return append(cases([]string{"SM2"}, []string{""}, three, 0), za("verify")...)
	}
	return nil
}

func TestSignatureSchemes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	judge := judge.New(provider.Setting{Seed: 1})
	for _, i := range []int{0, 2, 3} {
		for _, c := range signatureCases(i) {
			if err := providertest.Verify(library(i)(judge), c); err != nil {
				t.Errorf("%s: %s %s %s: %v", withCiphers(judge)[i].Subject().Library, c.Name(), c.Operation, c.Parameters, err)
				continue
			}
			if c.Operation == "generate" {
				continue // it has no input
			}
			if err := providertest.Sensitive(library(i), judge, c); err != nil {
				t.Error(err)
			}
		}
		if err := providertest.SideBySide(library(i)(judge), signatureCases(i)); err != nil {
			t.Error(err)
		}
	}
}

// TestPlantedPairs: a key pair whose halves do not belong together is caught.
func TestPlantedPairs(t *testing.T) {
	judge := judge.New(provider.Setting{Seed: 1})
	for _, algorithm := range []string{"ECDSA-P-256", "ECDSA-P-384", "Ed25519", "SM2", "ML-DSA-44", "ML-DSA-65"} {
		var heard []byte
		listener := &listening{Judge: judge}
		c := result.Case{Algorithm: algorithm, Operation: "generate"}
		i := map[bool]int{true: 2, false: 0}[algorithm == "SM2" || strings.HasPrefix(algorithm, "ML-")]
		if err := providertest.Verify(library(i)(listener), c); err != nil {
			t.Fatal(err)
		}
		heard = []byte(listener.heard[0])
		v, err := judge.Vector(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{3, len(heard) - 1} {
			changed := slices.Clone(heard)
			changed[at] ^= 1
			if v.Accept(changed) == nil {
				t.Errorf("%s: a key pair changed in byte %d passes", algorithm, at)
			}
		}
		for _, short := range [][]byte{nil, heard[:20], make([]byte, len(heard))} {
			if v.Accept(short) == nil {
				t.Errorf("%s: no key pair passes", algorithm)
			}
		}
	}
}

// TestSignaturesOnEveryCPU: the same cases on several CPUs, each judged.
func TestSignaturesOnEveryCPU(t *testing.T) {
	judge := judge.New(provider.Setting{Seed: 1})
	for i, c := range map[int]result.Case{
		0: {Algorithm: "RSA-1024", Mode: "PSS-SHA-256", Operation: "sign", Parameters: "busy=3"},
		2: {Algorithm: "SM2", Operation: "verify", Parameters: "busy=2,za=precomputed"},
		3: {Algorithm: "SM2", Operation: "sign", Parameters: "busy=2"},
	} {
		p := library(i)(judge)
		if err := providertest.Verify(p, c); err != nil {
			t.Errorf("%s %s: %v", c.Name(), c.Operation, err)
		}
		alone, _ := provider.AloneOf(c, parameter.Busy)
		if got, want := p.(provider.Describer).Implementation(c), p.(provider.Describer).Implementation(alone); got != want {
			t.Errorf("its kernel is %s on several CPUs and %s on one", got, want)
		}
		if note := p.(provider.Describer).Note(c); !strings.Contains(note, "CPUs at once") {
			t.Errorf("the note is %q", note)
		}
	}
}
