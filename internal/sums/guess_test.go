package sums

import (
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/digest"
	"github.com/cryptogauge/cryptogauge/internal/manifest"
)

// lines are a manifest's of files by an algorithm.
func lines(t *testing.T, algorithm string, form manifest.Form, paths ...string) string {
	t.Helper()
	m, out, _ := making(t, algorithm, paths...)
	m.Form = form
	if form.Tag != "" {
		m.Form.Tag = m.Algorithm.Tag
	}
	if _, err := Make(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var tagged = manifest.Form{Tag: "yes"}

func named(t *testing.T, name string, bits int) *digest.Algorithm {
	t.Helper()
	a, err := digest.Named(name, bits)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
