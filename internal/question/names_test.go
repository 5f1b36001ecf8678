package question

import (
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestPrintedNamesAreAccepted: whatever a report prints as an algorithm, alone or with
// its mode, is accepted by --algorithms, and gives the rows of that name and no others.
func TestPrintedNamesAreAccepted(t *testing.T) {
	for _, e := range All() {
		seen := map[string]bool{}
		for _, c := range e.Cases {
			if seen[c.Name()] {
				continue
			}
			seen[c.Name()] = true
			for _, typed := range []string{c.Name(), strings.ReplaceAll(c.Name(), "+", "-"), strings.ToLower(c.Name()), strings.ReplaceAll(c.Name(), "-", " ")} {
				s := plan.Selection{Algorithms: []string{typed}}
				if err := s.Validate([]plan.Experiment{e}); err != nil {
					t.Errorf("%s: %v", e.Name, err)
				}
				kept := e.Narrow(s)
				if !slices.Contains(kept, c) {
					t.Errorf("%s: %q leaves %v out", e.Name, typed, c)
				}
				for _, k := range kept {
					if k.Algorithm != c.Algorithm || c.Mode != "" && k.Mode != c.Mode {
						t.Errorf("%s: %q gives %v", e.Name, typed, k)
					}
				}
			}
		}
	}
	for typed, want := range map[string]result.Case{
		"AES-256-GCM":       {Algorithm: "AES-256", Mode: "GCM", Operation: "encrypt"},
		"SM4-CBC":           {Algorithm: "SM4", Mode: "CBC", Operation: "encrypt"},
		"SM4-CBC-HMAC-SM3":  {Algorithm: "SM4", Mode: "CBC+HMAC-SM3", Operation: "encrypt"},
		"ECDSA P-256":       {Algorithm: "ECDSA-P-256", Operation: "sign"},
		"RSA-2048-OAEP":     {Algorithm: "Envelope", Mode: "RSA-2048-OAEP+AES-256-GCM", Operation: "seal"},
		"SM2+SM4-GCM":       {Algorithm: "Envelope", Mode: "SM2+SM4-GCM", Operation: "seal"},
		"ChaCha20-Poly1305": {Algorithm: "ChaCha20-Poly1305", Operation: "encrypt"},
	} {
		s := plan.Selection{Algorithms: []string{typed}}
		if err := s.Validate(All()); err != nil {
			t.Error(err)
		}
		if !slices.ContainsFunc(All(), func(e plan.Experiment) bool {
			return slices.ContainsFunc(e.Narrow(s), func(c result.Case) bool {
				return c.Algorithm == want.Algorithm && c.Mode == want.Mode && c.Operation == want.Operation
			})
		}) {
			t.Errorf("%q gives no %v", typed, want)
		}
	}
}

// TestNamesAreApart: no two algorithms, or algorithms with modes, are one name where
// what stands between their parts is left out.
func TestNamesAreApart(t *testing.T) {
	of := map[string]result.Case{}
	for _, e := range All() {
		for _, c := range e.Cases {
			for i, name := range plan.AlgorithmNames(c) {
				this := result.Case{Algorithm: c.Algorithm}
				if i > 0 {
					this.Mode = c.Mode
				}
				if other, known := of[plan.Bare(name)]; known && other != this {
					t.Errorf("%q is %v and %v", name, other, this)
				}
				of[plan.Bare(name)] = this
			}
		}
	}
}

// TestUnknownNames: one line, with the nearest names where there are any.
func TestUnknownNames(t *testing.T) {
	for typed, want := range map[string]string{
		"AES-256-GMC":                `unknown algorithm "AES-256-GMC"; nearest: AES-256-GCM, `,
		"SM44":                       `unknown algorithm "SM44"; nearest: SM4`,
		"AES-192":                    `unknown algorithm "AES-192"; nearest: AES-128`,
		"ROT13":                      `unknown algorithm "ROT13"; there are: SM4, AES-128`,
		"":                           `unknown algorithm ""; there are: SM4`,
		strings.Repeat("SM4", 1<<16): `unknown algorithm "SM4SM4`,
		"-":                          `unknown algorithm "-"; there are: SM4`,
	} {
		err := plan.Selection{Algorithms: []string{typed}}.Validate(All())
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", typed, err)
		}
	}
	if err := (plan.Selection{Modes: []string{"GMC"}}).Validate(All()); err == nil || !strings.Contains(err.Error(), "GCM") {
		t.Error(err)
	}
}
