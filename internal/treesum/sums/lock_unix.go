//go:build unix && !aix && !solaris

package sums

import (
	"os"
	"syscall"
)

// renamesOpen says that a file can be renamed while it is open.
const renamesOpen = true

// noFollow opens no link; and nothing that keeps a writer waiting, as a FIFO may.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

func lock(f *os.File) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == syscall.EWOULDBLOCK {
		return errLocked
	}
	return nil // other errors are of file systems that have no locks
}

// closeLocked closes what openLocked opened. The lock ends with it, also where a thread of this process has
// descriptors of its own, as treehash's workers have, and with them a copy of this one, until it ends.
func closeLocked(f *os.File) error {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	return f.Close()
}

// namesOf is how many names a file has.
func namesOf(info os.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// inheritOwner gives a file owner and group of another. Only root gives files away; who is in a group may choose it.
func inheritOwner(f *os.File, was os.FileInfo) {
	st, ok := was.Sys().(*syscall.Stat_t)
	if ok && f.Chown(int(st.Uid), int(st.Gid)) != nil {
		_ = f.Chown(-1, int(st.Gid))
	}
}
