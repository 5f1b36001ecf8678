package floor

import (
	"os"
	"os/exec"
	"testing"
)

// The functions run, and count what the design says: two sets of 64 blocks in 32 rounds of 22
// instructions, and two conversions of 32 registers each.
func TestLoops(t *testing.T) {
	for name, l := range Loops() {
		l.Kernel()
		l.Floor()
		if l.Counts == (Counts{}) || l.Turn == 0 {
			t.Errorf("%s has no counts", name)
		}
	}
	if l, ok := Loops()["wideECB"]; ok {
		if want := 2*32*8 + 2*32; l.GFNI != want {
			t.Errorf("%d GFNI instructions a turn of ECB, want %d", l.GFNI, want)
		}
		if want := 2*32*14 + 2*(4+4+16); l.Logic != want {
			t.Errorf("%d logic instructions a turn of ECB, want %d", l.Logic, want)
		}
	}
}

// The files in the tree are what gen writes from the kernels' assembly.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	kernels, err := os.ReadFile("../avx512_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/kernels.s", kernels, 0o644); err != nil {
		t.Fatal(err)
	}
	gen := dir + "/gen"
	if out, err := exec.Command("go", "build", "-o", gen, "./gen").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.Command(gen, "kernels.s")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"floor_amd64.s", "counts_amd64.go"} {
		want, err := os.ReadFile(dir + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != string(want) {
			t.Errorf("%s is not what gen writes: run go generate ./internal/kernel/sm4/floor (%v)", name, err)
		}
	}
}
