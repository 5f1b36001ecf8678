package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
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

// TestTurns: the quick tests come first, and each runs once. What runs in parallel takes as long as its parts.
func TestTurns(t *testing.T) {
	verbose := "--- PASS: TestSlow (70.00s)\n    --- PASS: TestSlow/part (69.00s)\n--- SKIP: TestNone (0.00s)\n" +
		"--- PASS: TestParallel (0.00s)\n    --- PASS: TestParallel/a (12.00s)\n        --- PASS: TestParallel/a/b (11.00s)\n" +
		"    --- PASS: TestParallel/c (8.00s)\n" +
		"--- PASS: TestQuick (1.50s)\n--- PASS: TestMiddle (8.40s)\n--- PASS: ExampleOne (0.10s)\nPASS\n"
	want := []string{"-test.run=^(TestNone|ExampleOne)$", "-test.run=^(TestQuick)$", "-test.run=^(TestMiddle)$",
		"-test.run=^(TestParallel)$", "-test.skip=^(TestNone|ExampleOne|TestQuick|TestMiddle|TestParallel)$"}
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

// TestLink: a program that is linked anew has what is planted in assembly, and passes where nothing is.
func TestLink(t *testing.T) {
	if testing.Short() {
		t.Skip("links programs")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the kernels with mutants in assembly are of Linux on amd64, as the programs that are linked")
	}
	t.Chdir("../../..")
	l, err := linkageOf("./internal/kernel/aes")
	if err != nil {
		t.Fatal(err)
	}
	planted := mutant{"", aesWide, "wideECBEncrypt", "RET", "LONG $0xd1c2b3a4; LONG $0x95867768; RET", 1}
	for _, m := range []mutant{{file: aesWide}, planted} {
		dir := t.TempDir()
		text, err := os.ReadFile(m.file)
		if err != nil {
			t.Fatal(err)
		}
		mutated, err := m.apply(string(text))
		if err != nil {
			t.Fatal(err)
		}
		file, binary := filepath.Join(dir, filepath.Base(m.file)), filepath.Join(dir, "linked.test")
		if err := os.WriteFile(file, []byte(mutated), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := l.link(binary, m.file, file); err != nil {
			t.Fatal(err)
		}
		program, err := os.ReadFile(binary)
		if has := bytes.Contains(program, []byte("\xa4\xb3\xc2\xd1\x68\x77\x86\x95")); err != nil || has != (m.new != "") {
			t.Errorf("planted %q: it is there: %v; %v", m.new, has, err)
		}
		if out, err := exec.Command(binary, "-test.list", "Layout").Output(); err != nil || !strings.HasPrefix(string(out), "TestLayout\n") {
			t.Errorf("planted %q: it lists %q, %v", m.new, out, err)
		}
	}
}
