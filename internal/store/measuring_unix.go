//go:build unix

package store

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Measuring says that this process measures on this machine until done is called, and which other process does; 0
// where none is known. The lock ends with its process, so that what a killed one left does not matter.
func Measuring() (other int, done func()) {
	done = func() {}
	cache, err := os.UserCacheDir()
	if err != nil || os.MkdirAll(filepath.Join(cache, "cryptogauge"), 0o755) != nil {
		return 0, done
	}
	f, err := os.OpenFile(filepath.Join(cache, "cryptogauge", "measuring"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return 0, done
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close()
		text, _ := io.ReadAll(f)
		other, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return other, done
	}
	if f.Truncate(0) == nil {
		_, _ = fmt.Fprintln(f, os.Getpid()) // who reads nothing says nothing
	}
	return 0, func() { _ = f.Close() }
}
