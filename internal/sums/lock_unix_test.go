//go:build unix && !aix && !solaris

package sums

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// A copy of the descriptor, such as threads have, doesn't keep the lock.
func TestLockEndsBeforeCopies(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.part")
	f, _, err := openLocked(path)
	if err != nil {
		t.Fatal(err)
	}
	clone, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(clone)
	if _, _, err := openLocked(path); !errors.Is(err, errLocked) {
		t.Skipf("no locks here: %v", err)
	}
	if err := closeLocked(f); err != nil {
		t.Fatal(err)
	}
	again, _, err := openLocked(path)
	if err != nil {
		t.Fatalf("closed, it is still locked: %v", err)
	}
	again.Close()
}
