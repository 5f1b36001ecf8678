//go:build unix

package store

import (
	"os"
	"path/filepath"
	"syscall"
)

// Lock locks a file, which is made where it is missing, until it is closed or this process ends, so that what a
// killed one left does not matter. Taken says that another process holds it. The file is nil, and may be closed all
// the same, where it can't be opened: then there is no lock, as on a file system that knows none.
func Lock(path string) (f *os.File, taken bool) {
	_ = os.MkdirAll(filepath.Dir(path), 0o755)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, false
	}
	return f, syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == syscall.EWOULDBLOCK
}
