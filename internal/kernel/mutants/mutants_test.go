package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestApply: every mutant finds what it replaces, so that a change of the code that it is planted in is noticed at once.
func TestApply(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	for _, s := range sets {
		for _, m := range s.mutants {
			text, err := os.ReadFile(filepath.Join(root, m.file))
			if err != nil {
				t.Error(err)
				continue
			}
			if mutated, err := m.apply(string(text)); err != nil {
				t.Errorf("%s: %q: %v", s.pkg, m.name, err)
			} else if mutated == string(text) {
				t.Errorf("%s: %q changes nothing", s.pkg, m.name)
			}
		}
	}
}
