//go:build unix && !aix && !solaris

package sums

import (
	"errors"
	"os"
	"syscall"
)

var errLocked = errors.New("another run is writing it; let it end first, or name another file")

// renamesOpen says that a file can be renamed while it is open.
const renamesOpen = true

// openLocked opens a file to write, made if there is none and as it is if there is one. It is this
// process's alone until it is closed, or the process ends, however that ends.
func openLocked(path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
		if err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == syscall.EWOULDBLOCK {
			f.Close()
			return nil, errLocked
		} // other errors are of file systems that have no locks
		mine, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		if there, err := os.Stat(path); err == nil && os.SameFile(mine, there) {
			return f, nil
		}
		f.Close() // who had the lock has given the file its final name
	}
}

// closeLocked closes what openLocked opened. The lock ends with it, also where a thread of this process has
// descriptors of its own, as treehash's workers have, and with them a copy of this one, until it ends.
func closeLocked(f *os.File) error {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	return f.Close()
}
