package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The assembly in the tree is what this program writes.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is not what gen writes: run go generate ./internal/kernel/sm4", name)
		}
	}
}

func TestDeriveReproducesTheStandard(t *testing.T) {
	c, err := derive()
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range sbox {
		if got := c.apply(byte(x)); got != want {
			t.Fatalf("S(%#x) = %#x, want %#x", x, got, want)
		}
	}
	if c.roundConst != 0x35 {
		t.Errorf("roundConst is %#x, but schedule.go has 0x35", c.roundConst)
	}
}

// A wrong S-box must not give assembly.
func TestDeriveRefusesAnotherBox(t *testing.T) {
	sbox[17], sbox[18] = sbox[18], sbox[17]
	defer func() { sbox[17], sbox[18] = sbox[18], sbox[17] }()
	if _, err := generate(); err == nil {
		t.Error("generated kernels for a box with two entries exchanged")
	}
}
