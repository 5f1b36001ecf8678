package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The assembly in the tree is what this program writes.
func TestGeneratedFileIsCurrent(t *testing.T) {
	got, err := os.ReadFile(filepath.Join("..", fileName))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != generate() {
		t.Errorf("%s is not what gen writes: run go generate ./internal/kernel/aes", fileName)
	}
}
