// Package uncoupletest tries what generators of the packages floor write.
package uncoupletest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// FilesWork fails a test, which runs in the folder of a generator, unless its files pass vet, which holds them
// against their declarations, and the tests of the package floor above it, where the processor can run them.
func FilesWork(t *testing.T, files map[string][]byte) {
	t.Helper()
	dir, replace := t.TempDir(), map[string]string{}
	for name, content := range files {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o644); err != nil {
			t.Fatal(err)
		}
		inTree, err := filepath.Abs(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		replace[inTree] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"vet", "test"} {
		c := exec.Command("go", command, "-tags", "floor", "-overlay", file, ".")
		c.Dir, c.Env = "..", append(os.Environ(), "GOARCH=amd64")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", command, err, out)
		}
	}
}
