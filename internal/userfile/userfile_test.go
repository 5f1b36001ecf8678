//go:build linux

package userfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestRegularFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	for n, want := range map[int]error{0: nil, 7: nil, 8: nil, 9: ErrTooLong} {
		if err := os.WriteFile(name, make([]byte, n), 0o600); err != nil {
			t.Fatal(err)
		}
		content, err := Read(t.Context(), name, 8)
		if !errors.Is(err, want) || err == nil && len(content) != n {
			t.Errorf("%d bytes: %d, %v", n, len(content), err)
		}
	}
	if _, err := Read(t.Context(), name+"-", 8); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "open ") {
		t.Error(err)
	}
}

// TestOthersAreRefused: at once, without opening what waits for somebody.
func TestOthersAreRefused(t *testing.T) {
	folder := t.TempDir()
	pipe, socket := filepath.Join(folder, "pipe"), filepath.Join(folder, "socket")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for name, want := range map[string]string{folder: "is a directory: give a file", pipe: "is no regular file", socket: "is no regular file", "/dev/zero": "is no regular file"} {
		if _, err := Read(t.Context(), name, 8); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNamelessPipes: those of a shell are read to their end, and an interrupt ends the wait for it.
func TestNamelessPipes(t *testing.T) {
	of := func(r *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", r.Fd()) }
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		_, _ = w.WriteString("content")
		w.Close()
	}()
	if content, err := Read(t.Context(), of(r), 8); err != nil || string(content) != "content" {
		t.Errorf("%q, %v", content, err)
	}
	silent, open, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	defer open.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	if _, err := Read(ctx, of(silent), 8); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
