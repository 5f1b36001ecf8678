//go:build unix

package store

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMeasuring: one process finds who measures, and nobody where that one has ended or was killed.
func TestMeasuring(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	root, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "cryptogauge"), 0o755); err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(root, "cryptogauge", "measuring")
	if err := os.WriteFile(killed, []byte("99999999\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	other, done := Measuring()
	if other != 0 {
		t.Errorf("%d measures, which was killed", other)
	}
	if other, again := Measuring(); other != os.Getpid() {
		t.Errorf("%d measures, want %d", other, os.Getpid())
	} else {
		again()
	}
	done()
	if other, done := Measuring(); other != 0 {
		t.Errorf("%d still measures", other)
	} else {
		done()
	}
	t.Setenv("XDG_CACHE_HOME", killed) // a file
	t.Setenv("HOME", killed)
	if other, done := Measuring(); other != 0 {
		t.Error(other)
	} else {
		done()
	}
}
