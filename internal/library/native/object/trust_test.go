//go:build linux && (amd64 || arm64)

package object

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What is no file is refused at once, and without advice to change its mode.
func TestNotAFile(t *testing.T) {
	dir := t.TempDir()
	pipe, loop := filepath.Join(dir, "pipe"), filepath.Join(dir, "loop")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		pipe:        pipe + " is not a file",
		dir:         dir + " is not a file",
		"/dev/zero": "/dev/zero is not a file",
		loop:        loop + ": EvalSymlinks: too many links",
	} {
		answer := make(chan error, 1)
		go func() {
			_, err := Open(path)
			answer <- err
		}()
		select {
		case err := <-answer:
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("opening %s: %v, want %q", path, err, want)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("opening %s waits", path)
		}
	}
}
