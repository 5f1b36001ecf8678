//go:build unix

package archive

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/userfile"
)

// TestPasswordFileIsOurs: nobody else may read it, but a group may where root owns it.
func TestPasswordFileIsOurs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pgpass")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PGPASSFILE", path)
	for _, c := range []struct {
		mode          fs.FileMode
		ours, ofRoots bool
	}{{0o600, true, true}, {0o400, true, true}, {0o440, false, true}, {0o640, false, true}, {0o660, false, false}, {0o444, false, false}, {0o604, false, false}} {
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		want := c.ours
		if os.Getuid() == 0 {
			want = c.ofRoots
		}
		if err := passwordFile("postgres:///x"); (err == nil) != want {
			t.Errorf("%o: %v", c.mode, err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		for uid, want := range map[uint32]bool{0: c.ofRoots, 1000: c.ours} {
			if got := info.Mode()&userfile.OpenTo(owned{info, uid}) == 0; got != want {
				t.Errorf("%o of user %d: %v", c.mode, uid, got)
			}
		}
	}
}

// TestPasswordFileUnread: one that can't be read, or was named and is not there, is said; nobody needs one at the usual place.
func TestPasswordFileUnread(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("PGPASSFILE", "")
	if err := passwordFile("postgres:///x"); err != nil {
		t.Error(err)
	}
	locked := filepath.Join(home, "locked")
	if err := os.WriteFile(locked, nil, 0o000); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{filepath.Join(home, "none"): "no such file", filepath.Join(locked, "x"): "not a directory", home: "no regular file"}
	if os.Getuid() != 0 { // who reads everything
		want[locked] = "permission denied"
	}
	for path, why := range want {
		t.Setenv("PGPASSFILE", path)
		byVariable := passwordFile("postgres:///x")
		t.Setenv("PGPASSFILE", "")
		for _, err := range []error{byVariable, passwordFile("postgres:///x?passfile=" + path)} {
			if err == nil || !strings.Contains(err.Error(), "the password file "+path) || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

// owned is a file as if it were somebody's.
type owned struct {
	fs.FileInfo
	uid uint32
}

func (o owned) Sys() any { return &syscall.Stat_t{Uid: o.uid} }
