package scratch

import (
	"os"
	"strings"
	"testing"
)

func TestRoom(t *testing.T) {
	dir := t.TempDir()
	if err := Room(dir, 1<<20); err != nil {
		t.Error(err)
	}
	file := dir + "/file"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string]string{dir + "/nowhere": "does not exist", file: "is not a directory", file + "/x": "not a directory"} {
		if err := Room(place, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", place, err)
		}
	}
	if _, counts := freeBytes(dir); counts {
		if err := Room(dir, 1<<60); err == nil || !strings.Contains(err.Error(), "smaller --total") {
			t.Errorf("an exbibyte: %v", err)
		}
	}
}

// TestSystemsRoom: without a usable directory of the system's it says what to set.
func TestSystemsRoom(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string]string{dir + "/nowhere": "does not exist", dir + "/file": "is not a directory", "/proc": "making a file in /proc: "} {
		if _, err := os.Stat("/proc/self"); err != nil && place == "/proc" {
			continue
		}
		t.Setenv("TMPDIR", place)
		if err := Room("", 1); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "; set TMPDIR or --dir to ") {
			t.Errorf("%s: %v", place, err)
		}
	}
	t.Setenv("TMPDIR", dir)
	if err := Room("", 1<<60); err == nil || !strings.Contains(err.Error(), "; set TMPDIR or --dir to another directory, or give a smaller --total") {
		t.Errorf("an exbibyte: %v", err)
	}
}

// TestNamedFilesAreRemoved is the way for file systems without files that have no name.
func TestNamedFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	f, err := removed(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write([]byte("x")); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	if _, err := removed(dir + "/nowhere"); err == nil || strings.Contains(err.Error(), "cryptogauge-") {
		t.Errorf("%v", err)
	}
}
