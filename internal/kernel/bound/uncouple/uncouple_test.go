package uncouple

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What the generators write passes vet, which holds it against its declarations, and the tests of the packages floor,
// where the processor can run it.
func TestGeneratedFilesWork(t *testing.T) {
	if testing.Short() {
		t.Skip("builds what it has generated")
	}
	for _, cipher := range []string{"sm4", "aes"} {
		t.Run(cipher, func(t *testing.T) {
			kernels, err := filepath.Abs(filepath.Join("..", "..", cipher))
			if err != nil {
				t.Fatal(err)
			}
			floor, dir := filepath.Join(kernels, "floor"), t.TempDir()
			run := func(dir, name string, args ...string) {
				t.Helper()
				c := exec.Command(name, args...)
				c.Dir = dir
				if out, err := c.CombinedOutput(); err != nil {
					t.Fatalf("%s %v: %v\n%s", name, args, err, out)
				}
			}
			generator := filepath.Join(t.TempDir(), "gen")
			run(floor, "go", "build", "-o", generator, "./gen")
			run(dir, generator, filepath.Join(kernels, "avx512_amd64.s"))
			replace := map[string]string{}
			for _, name := range []string{"floor_amd64.s", "counts_amd64.go"} {
				replace[filepath.Join(floor, name)] = filepath.Join(dir, name)
			}
			overlay, err := json.Marshal(map[string]any{"Replace": replace})
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "overlay.json")
			if err := os.WriteFile(file, overlay, 0o644); err != nil {
				t.Fatal(err)
			}
			t.Setenv("GOARCH", "amd64")
			for _, command := range []string{"vet", "test"} {
				run(floor, "go", command, "-tags", "floor", "-overlay", file, ".")
			}
		})
	}
}
