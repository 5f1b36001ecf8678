package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/library/native/planted"
)

// nativePair puts the program and the native worker into a folder. Without a C
// compiler the test is skipped, but fails in CI, which has one.
func nativePair(t *testing.T) (dir string) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("shared objects are opened on linux, amd64 and arm64")
	}
	planted.Compile(t, "libnothing.so", "") // or the test ends here
	dir, err := builtPair()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// builtPair is made once for all tests, and removed after them.
var builtPair = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "cryptogauge-pair"); err != nil {
		return "", err
	}
	afterAll = func() { os.RemoveAll(dir) }
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	program, err := os.ReadFile(self)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "cryptogauge"), program, 0o755); err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "cryptogauge-native"), "../cryptogauge-native")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the native worker: %w\n%s", err, out)
	}
	return dir, nil
})

// granularity is what a JSON report says of pieces.
type granularity struct {
	Findings []struct {
		Kind     string `json:"kind"`
		Severity string `json:"severity"`
		Evidence struct {
			Algorithm string             `json:"algorithm"`
			Ratio     map[string]float64 `json:"slope_ratio"`
			Chunk     map[string]float64 `json:"chunk_bytes"`
			Said      float64            `json:"said_bytes"`
			Around    *struct {
				Ratio float64 `json:"ratio"`
			} `json:"workaround"`
		} `json:"evidence"`
	} `json:"findings"`
}

func chunkingOf(t *testing.T, dir, object string) (g granularity) {
	t.Helper()
	run := exec.Command(filepath.Join(dir, "cryptogauge"), "run", "chunking", "--libraries", "botan", "--library", "botan="+object,
		"--algorithms", "ChaCha20", "--blocks", "24", "--rounds", "1", "--format", "json", "--quiet", "--output", t.TempDir())
	out, err := run.Output()
	if err != nil {
		t.Fatalf("run chunking: %v", err)
	}
	if err := json.Unmarshal(out, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

// TestPlantedPieces: a library that cuts calls into pieces is found, and one that does
// not is not accused. What a piece costs is many times what its bytes do, which shows on
// any machine; how long it is a busy one may leave open, but not tell wrongly.
func TestPlantedPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("runs of several seconds")
	}
	dir := nativePair(t)
	if g := chunkingOf(t, dir, planted.Botan(t, "PIECE=0")); len(g.Findings) != 0 {
		t.Errorf("a library without pieces is accused: %+v", g.Findings)
	}
	for piece, macros := range map[float64][]string{5: {"PIECE=5", "COST=150"}, 64: {"PIECE=64", "COST=1500",
		"IDEAL=64"}} {
		object := planted.Botan(t, macros...)
		g := chunkingOf(t, dir, object)
		for range 2 { // more blocks were disturbed than may be: once more
			if len(g.Findings) == 0 {
				g = chunkingOf(t, dir, object)
			}
		}
		if len(g.Findings) != 1 {
			t.Fatalf("pieces of %g bytes: %d findings: %+v", piece, len(g.Findings), g.Findings)
		}
		f := g.Findings[0]
		e := f.Evidence
		if f.Kind != "granularity" || f.Severity != "pathological" || e.Algorithm != "ChaCha20" || e.Ratio["low"] <= 3 {
			t.Errorf("pieces of %g bytes: %+v", piece, f)
		}
		if c := e.Chunk; c != nil && (c["low"] > piece || c["high"] < piece) {
			t.Errorf("pieces of %g bytes were found as %v", piece, c)
		}
		if e.Chunk == nil {
			t.Logf("how long the pieces of %g bytes are was left open", piece)
		}
		if said := map[float64]float64{64: 64}[piece]; e.Said != said {
			t.Errorf("pieces of %g bytes: the library says %g, not %g", piece, e.Said, said)
		}
		if e.Around == nil || e.Around.Ratio < 2 {
			t.Errorf("pieces of %g bytes: the way around them is %+v", piece, e.Around)
		}
	}
}
