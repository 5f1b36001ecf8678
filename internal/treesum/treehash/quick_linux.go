//go:build amd64 || arm64

package treehash

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// quick reads a short file with three system calls: open, read, fstat; those that lie beside it in the
// folder are opened and closed together with it (ahead_linux.go). It returns false, and leaves the entry as
// it is, for what careful has to look at.
//
// That the file wasn't changed while it was read follows from one look after it: on a file system of this
// machine a change stamps it with this machine's time, so that a stamp from before the batch was begun is
// from before the read. And a read that returned as many bytes as the file has has read all of it.
//
// The calls are made without telling Go's scheduler, which costs a tenth of all. None of them waits for
// long on such a file system, and there are threads for other goroutines: see Run.
func (w *worker) quick(b *batch, i int) bool {
	e := &b.entries[i]
	if !w.isQuick(b, i) {
		return false
	}
	if !w.wasLong {
		w.openAhead(b, i)
	}
	if f, ok := w.ahead.file(i); ok {
		w.readQuick(b, e, f)
		return true
	}
	if w.wasLong {
		return false
	}
	dir, path := w.place.where(b, e)
	fd, _, errno := unix.RawSyscall6(unix.SYS_OPENAT, uintptr(dir), uintptr(unsafe.Pointer(&path[0])), uintptr(e.flags()|unix.O_CLOEXEC|unix.O_LARGEFILE), 0, 0, 0)
	if errno != 0 {
		return false
	}
	w.readQuick(b, e, file(fd))
	unix.RawSyscall(unix.SYS_CLOSE, fd, 0, 0)
	return true
}

// isQuick says whether an entry may be read quickly.
func (w *worker) isQuick(b *batch, i int) bool {
	e := &b.entries[i]
	dir, _ := w.place.where(b, e)
	return dir != unix.AT_FDCWD && w.place.local && e.from < listed
}

// readQuick reads a file that is open, and leaves it so.
func (w *worker) readQuick(b *batch, e *entry, f file) {
	if w.wasLong {
		w.compare(b, e, f)
		return
	}
	room := w.room()
	n, _, errno := unix.RawSyscall(unix.SYS_READ, uintptr(f), uintptr(unsafe.Pointer(&room[0])), uintptr(len(room)))
	st := &w.place.stat
	if errno == 0 {
		_, _, errno = unix.RawSyscall(unix.SYS_FSTAT, uintptr(f), uintptr(unsafe.Pointer(st)), 0)
	}
	found := foundIn(st)
	if errno != 0 || found.sort != regular || found.stamp.Size != int64(n) || !settled(found.stamp, w.begun) || w.isOutput(found.id) {
		w.compare(b, e, f)
		return
	}
	w.take(b, e, room[:n], found.stamp)
}
