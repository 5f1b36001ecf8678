package iouring

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// ring makes one for the test's thread.
func ring(t *testing.T, files int) *Ring {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	r, err := New(files)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		t.Skip("this system has no io_uring, or forbids it: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func path(name string) []byte { return append([]byte(name), 0) }

// Every file comes out under its own number, whatever becomes of those beside it, and however often the
// ring went round.
func TestOpen(t *testing.T) {
	const most = 16
	r := ring(t, most)
	root := t.TempDir()
	for i := range most {
		if err := os.WriteFile(filepath.Join(root, fmt.Sprint(i)), fmt.Append(nil, "file ", i), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := unix.Open(root, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(dir)
	for round := range 5 * most {
		n := round%most + 1
		files := make([]File, n)
		missing := round % n
		for i := range files {
			files[i].Path = path(fmt.Sprint(i))
		}
		files[missing].Path = path("missing")
		if err := r.Open(dir, unix.O_RDONLY|unix.O_CLOEXEC, files); err != nil {
			t.Fatal(err)
		}
		for i, f := range files {
			if i == missing {
				if f.FD != -int(unix.ENOENT) {
					t.Fatalf("round %d: the missing file is opened as %d", round, f.FD)
				}
				continue
			}
			if f.FD < 0 {
				t.Fatalf("round %d, file %d: %v", round, i, unix.Errno(-f.FD))
			}
			opened := os.NewFile(uintptr(f.FD), "")
			if got, err := io.ReadAll(opened); err != nil || string(got) != fmt.Sprint("file ", i) {
				t.Fatalf("round %d, file %d: %q, %v", round, i, got, err)
			}
			if flags, err := unix.FcntlInt(uintptr(f.FD), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC == 0 {
				t.Errorf("descriptor flags %#x, %v", flags, err)
			}
			opened.Close()
		}
	}
}

func TestTooMany(t *testing.T) {
	r := ring(t, 4)
	if err := r.Open(unix.AT_FDCWD, unix.O_RDONLY, make([]File, 5)); err == nil {
		t.Error("a ring of 4 takes 5 files")
	}
}

// What the kernel refuses is an error, and nothing is said to be open.
func TestRefused(t *testing.T) {
	r := ring(t, 4)
	defer func(fd int) { r.fd = fd }(r.fd)
	r.fd = -1
	files := []File{{Path: path("/dev/null"), FD: 7}}
	if err := r.Open(unix.AT_FDCWD, unix.O_RDONLY, files); err == nil || files[0].FD >= 0 {
		t.Errorf("%v, descriptor %d", err, files[0].FD)
	}
}
