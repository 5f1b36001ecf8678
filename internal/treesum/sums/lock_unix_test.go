//go:build unix && !aix && !solaris

package sums

import (
	"errors"
	"os"
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

// A manifest stays its owner's and its group's, with its state, whoever brings it up to date.
func TestOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root gives files away")
	}
	tree(t, 3)
	write(t, "m", "")
	const owner, group = 65534, 65533
	if err := os.Chown("m", owner, group); err != nil {
		t.Skip(err)
	}
	for _, resume := range []string{"", "m"} {
		m, _, _ := making(t, "md5", "tree")
		m.Output, m.Resume = "m", resume
		if _, err := Make(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"m", "m.state"} {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if st := info.Sys().(*syscall.Stat_t); st.Uid != owner || st.Gid != group || info.Mode() != 0o644 {
				t.Errorf("%s is of %d:%d, %v", name, st.Uid, st.Gid, info.Mode())
			}
		}
	}
}
