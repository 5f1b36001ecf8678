//go:build !unix || aix || solaris

package sums

import "os"

// renamesOpen says that a file can be renamed while it is open.
const renamesOpen = false

// openLocked opens a file to write. Here nothing keeps a second run from it.
func openLocked(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
}

// closeLocked closes what openLocked opened.
func closeLocked(f *os.File) error { return f.Close() }
