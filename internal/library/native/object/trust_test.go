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
	text, short := filepath.Join(dir, "text"), filepath.Join(dir, "short")
	for path, content := range map[string]string{text: "root:x:0:0:root:/root:/bin/bash\n", short: "x"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		text:        text + " is not a shared object",
		short:       short + " is not a shared object",
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
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "magic") {
				t.Errorf("opening %s: %v, want %q", path, err, want)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("opening %s waits", path)
		}
	}
}
