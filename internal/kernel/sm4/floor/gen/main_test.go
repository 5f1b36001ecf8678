package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func kernelsAssembly(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../avx512_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The counts are what the design says: two sets of 64 blocks in 32 rounds of 22 instructions, and two
// conversions of 32 registers each.
func TestCounts(t *testing.T) {
	text := kernelsAssembly(t)
	for _, k := range kernels {
		f, err := find(text, k.name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := k.count(f)
		if err != nil || got["Load"] == 0 {
			t.Errorf("%s: %v, %v", k.name, got, err)
		}
		if want := 2*32*8 + 2*32; k.name == "wideECB" && got["GFNI"] != want {
			t.Errorf("%d GFNI instructions a turn of ECB, want %d", got["GFNI"], want)
		}
		if want := 2*32*14 + 2*(4+4+16); k.name == "wideECB" && got["Logic"] != want {
			t.Errorf("%d logic instructions a turn of ECB, want %d", got["Logic"], want)
		}
	}
}

// What is generated passes vet, which holds it against its declarations, and runs where the processor can.
func TestGeneratedFilesWork(t *testing.T) {
	files, err := generate(kernelsAssembly(t))
	if err != nil {
		t.Fatal(err)
	}
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
