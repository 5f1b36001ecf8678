package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
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

// TestTurns: the quick tests come first, and each runs once.
func TestTurns(t *testing.T) {
	verbose := "--- PASS: TestSlow (90.00s)\n    --- PASS: TestSlow/part (89.00s)\n--- SKIP: TestNone (0.00s)\n" +
		"--- PASS: TestQuick (1.50s)\n--- PASS: TestMiddle (8.50s)\n--- PASS: ExampleOne (0.01s)\nPASS\n"
	want := []string{"-test.run=^(TestNone|ExampleOne|TestQuick)$", "-test.run=^(TestMiddle)$",
		"-test.skip=^(TestNone|ExampleOne|TestQuick|TestMiddle)$"}
	if got := turns(verbose); !slices.Equal(got, want) {
		t.Errorf("turns are %q, want %q", got, want)
	}
	if got := turns("ok"); !slices.Equal(got, []string{"-test.skip=^()$"}) {
		t.Errorf("without times, turns are %q", got)
	}
}

// TestKiller: what ended the tests is never nothing, which would be taken for a mutant that lives.
func TestKiller(t *testing.T) {
	ended := errors.New("signal: segmentation fault")
	for out, want := range map[string]string{"": ended.Error(), "\n\n": ended.Error(), "\nunexpected fault address 0x1\nmore": "unexpected fault address 0x1",
		"--- FAIL: TestA (0.1s)\n    --- FAIL: TestA/part (0.1s)\n": "TestA/part"} {
		if got := killer(out, ended); got != want {
			t.Errorf("%q: %q, want %q", out, got, want)
		}
	}
}
