package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
)

// planted builds the native worker beside a copy of this program, and a library with
// pieces of so many bytes in its update. It skips the test where there is no C
// compiler, but for CI, which has one.
func plantedLibrary(t *testing.T, dir string, piece int) (object string) {
	t.Helper()
	object = filepath.Join(dir, "libplanted"+strconv.Itoa(piece)+".so")
	cc := exec.Command("gcc", "-O2", "-shared", "-fPIC", "-DPIECE="+strconv.Itoa(piece), "-DCOST=150",
		"-o", object, filepath.Join("testdata", "planted", "pieces.c"))
	if out, err := cc.CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return object
}

// nativePair puts the program and the native worker into a folder.
func nativePair(t *testing.T) (dir string) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("shared objects are opened on linux, amd64 and arm64")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no C compiler, and CI has one")
		}
		t.Skip("there is no C compiler")
	}
	dir = t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "cryptogauge"), program, 0o755); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "cryptogauge-native"), "../cryptogauge-native")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the native worker: %v\n%s", err, out)
	}
	return dir
}

// granularity is what a JSON report says of pieces.
type granularity struct {
	Findings []struct {
		Kind     string `json:"kind"`
		Severity string `json:"severity"`
		Evidence struct {
			Algorithm string             `json:"algorithm"`
			Ratio     map[string]float64 `json:"slope_ratio"`
			Chunk     map[string]float64 `json:"chunk_bytes"`
			Around    *struct {
				Ratio float64 `json:"ratio"`
			} `json:"workaround"`
		} `json:"evidence"`
	} `json:"findings"`
}

func chunkingOf(t *testing.T, dir, object string) (g granularity) {
	t.Helper()
	run := exec.Command(filepath.Join(dir, "cryptogauge"), "run", "chunking", "--libraries", "botan", "--library", "botan="+object,
		"--format", "json", "--quiet", "--output", t.TempDir())
	out, err := run.Output()
	if err != nil {
		t.Fatalf("run chunking: %v", err)
	}
	if err := json.Unmarshal(out, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

// TestPlantedPieces: a library that cuts calls into pieces of 7 bytes is found, by its
// pieces, and one that does not is not accused. What a busy machine can't tell it may
// leave open, and nothing else.
func TestPlantedPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("two runs of several seconds")
	}
	dir := nativePair(t)
	if g := chunkingOf(t, dir, plantedLibrary(t, dir, 0)); len(g.Findings) != 0 {
		t.Errorf("a library without pieces is accused: %+v", g.Findings)
	}
	object := plantedLibrary(t, dir, 7)
	for range 3 {
		g := chunkingOf(t, dir, object)
		if len(g.Findings) == 0 {
			continue
		}
		f := g.Findings[0]
		if f.Kind != "granularity" || f.Evidence.Algorithm != "ChaCha20" || f.Evidence.Ratio["low"] <= 1.5 || len(g.Findings) != 1 {
			t.Fatalf("%+v", g.Findings)
		}
		if f.Evidence.Chunk == nil || f.Evidence.Around == nil || f.Severity != "pathological" {
			continue
		}
		if c := f.Evidence.Chunk["value"]; c < 6 || c > 8 || f.Evidence.Around.Ratio < 2 {
			t.Fatalf("pieces of 7 bytes were found as %+v", f.Evidence)
		}
		return
	}
	t.Skip("three times the machine was too busy to tell")
}
