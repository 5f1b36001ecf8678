package library

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/result"
)

// rsaCases are those of one length of key.
func rsaCases(algorithm string) (cs []result.Case) {
	for mode, operations := range map[string][]string{"OAEP-SHA-256": bothWays, "PKCS1v15": bothWays,
		"PSS-SHA-256": signatures, "PKCS1v15-SHA-256": signatures} {
		for _, operation := range operations {
			c := result.Case{Algorithm: algorithm, Mode: mode, Operation: operation}
			cs = append(cs, c)
			if operation == "sign" || operation == "decrypt" {
				for _, held := range []string{"crt=no", "precomputed=no"} {
					c.Parameters = held
					cs = append(cs, c)
				}
			}
		}
	}
	return append(cs, result.Case{Algorithm: algorithm, Operation: "precompute"})
}

func TestRSAOfEveryLength(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	judge := judge.New(provider.Setting{Seed: 1})
	for _, algorithm := range []string{"RSA-1024", "RSA-2048", "RSA-3072", "RSA-4096"} {
		for _, c := range rsaCases(algorithm) {
			if err := providertest.Verify(library(0)(judge), c); err != nil {
				t.Errorf("%s %s %s: %v", c.Name(), c.Operation, c.Parameters, err)
			}
			if c.Operation == "precompute" || algorithm != "RSA-1024" {
				continue // it has no input; and one length shows that inputs are read
			}
			if err := providertest.Sensitive(library(0), judge, c); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestRSAReasons: what a library refuses is unsupported, in its own words.
func TestRSAReasons(t *testing.T) {
	judge := judge.New(provider.Setting{Seed: 1})
	p := library(0)(judge)
	for _, test := range []struct {
		c    result.Case
		want string
	}{
		{result.Case{Algorithm: "RSA-512", Mode: "PSS-SHA-256", Operation: "sign"}, "512-bit keys are insecure"},
		{result.Case{Algorithm: "RSA-512", Mode: "OAEP-SHA-256", Operation: "encrypt"}, "512-bit keys are insecure"},
		{result.Case{Algorithm: "RSA-1024", Mode: "OAEP-SHA-256", Operation: "encrypt", Parameters: "message=63"}, "message too long for RSA key size: 63 bytes with a key of 1024 bits"},
		{result.Case{Algorithm: "RSA-1024", Mode: "OAEP-SHA-256", Operation: "decrypt", Parameters: "message=63"}, "message too long"},
		{result.Case{Algorithm: "RSA-2048", Mode: "PKCS1v15", Operation: "encrypt", Parameters: "message=246"}, "message too long"},
		{result.Case{Algorithm: "RSA-2048", Mode: "PKCS1v15", Operation: "encrypt", Parameters: "message=99999"}, "0 to 65536 bytes"},
		{result.Case{Algorithm: "RSA-2048", Mode: "PSS-SHA-256", Operation: "sign", Parameters: "message=3"}, "message=3"},
	} {
		_, err := provider.Prepare(p, test.c)
		if !errors.Is(err, errors.ErrUnsupported) || errors.Is(err, provider.ErrAbsent) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: %v, want unsupported with %q", test.c.Name(), test.c.Parameters, err, test.want)
		}
	}
	if _, err := provider.PrepareScenario(p, result.Case{Algorithm: "RSA-512", Operation: "generate", Parameters: "draws=1"}); !errors.Is(err, errors.ErrUnsupported) ||
		!strings.Contains(err.Error(), "512-bit keys are insecure") {
		t.Errorf("generating 512 bits: %v", err)
	}
	for c, room := range map[result.Case]string{
		{Algorithm: "RSA-1024", Mode: "OAEP-SHA-256"}: "62",
		{Algorithm: "RSA-1024", Mode: "PKCS1v15"}:     "117",
	} {
		for _, c.Operation = range bothWays {
			c.Parameters = "message=" + room
			if err := providertest.Verify(p, c); err != nil {
				t.Errorf("%s of the longest message: %v", c.Name(), err)
			}
		}
	}
}

// TestRSAUnderFIPS proves in a child under GODEBUG=fips140=only that nothing panics
// and every refusal is the library's.
func TestRSAUnderFIPS(t *testing.T) {
	if !isa.Assembly {
		t.Skip("Go refuses to start in FIPS 140-3 mode with the build tag purego")
	}
	if !child() {
		inChild(t, "TestRSAUnderFIPS", "GODEBUG=fips140=only")
		return
	}
	p := library(0)(judge.New(provider.Setting{Seed: 1}))
	for _, algorithm := range []string{"RSA-1024", "RSA-2048"} {
		for _, c := range rsaCases(algorithm) {
			err := providertest.Verify(p, c)
			forbidden := algorithm == "RSA-1024" || c.Mode == "PKCS1v15" || c.Parameters == "crt=no"
			if forbidden != (err != nil) || err != nil && (!errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "FIPS 140-only") && !strings.Contains(err.Error(), "fips140=only")) {
				t.Errorf("%s %s %s: %v", c.Name(), c.Operation, c.Parameters, err)
			}
		}
		_, err := provider.PrepareScenario(p, result.Case{Algorithm: algorithm, Operation: "generate", Parameters: "draws=1"})
		if (algorithm == "RSA-1024") != (err != nil) || err != nil && !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("generating %s: %v", algorithm, err)
		}
	}
}

// drawn generates the keys of some blocks and returns them.
func drawn(t *testing.T, seed uint64, blocks int) (record result.Record, moduli []string) {
	t.Helper()
	judge := &listening{Judge: judge.New(provider.Setting{Seed: seed})}
	c := result.Case{Algorithm: "RSA-1024", Operation: "generate", Parameters: "draws=2"}
	s, err := provider.PrepareScenario(library(0)(judge), c)
	if err != nil {
		t.Fatal(err)
	}
	for block := range blocks {
		if record, err = s.Measure(context.Background(), provider.Budget{Block: block, Sample: wallClock}); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		if s.Check() == nil {
			t.Error("a second Check passes")
		}
	}
	return record, judge.heard
}

// listening notes which keys are judged.
type listening struct {
	*judge.Judge
	heard []string
}

func (l *listening) Vector(c result.Case) (*provider.Vector, error) {
	v, err := l.Judge.Vector(c)
	if err != nil {
		return nil, err
	}
	heard := *v
	heard.Accept = func(got []byte) error {
		l.heard = append(l.heard, string(got))
		return v.Accept(got)
	}
	return &heard, nil
}

// TestDrawsRepeat: with GODEBUG=cryptocustomrand=1 the same seed draws the same
// keys, and a different one others; without it nothing repeats.
func TestDrawsRepeat(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	record, first := drawn(t, 1, 2)
	if len(first) != 4 || len(record.Samples) != 2 || len(record.Histograms) != 1 || len(record.Histograms[0].Buckets) != 2 {
		t.Errorf("%d keys were judged; record %+v", len(first), record)
	}
	if !child() {
		inChild(t, "TestDrawsRepeat", "GODEBUG=cryptocustomrand=1")
		return
	}
	for range 4 { // the single bytes that are read now and then
		if _, again := drawn(t, 1, 2); strings.Join(again, "") != strings.Join(first, "") {
			t.Error("the same seed draws other keys")
		}
	}
	if _, other := drawn(t, 2, 1); other[0] == first[0] || first[0] == first[2] {
		t.Error("keys repeat that should not")
	}
}
