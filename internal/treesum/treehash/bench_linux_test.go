//go:build amd64 || arm64

package treehash

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// openReadClose is what quick does with a file that is read in one go, with or without the look at it.
func openReadClose(p *place, b *batch, e *entry, room []byte, look bool) {
	dir, path := p.where(b, e)
	fd, _, errno := unix.RawSyscall6(unix.SYS_OPENAT, uintptr(dir), uintptr(unsafe.Pointer(&path[0])), uintptr(e.flags()|unix.O_CLOEXEC|unix.O_LARGEFILE), 0, 0, 0)
	if errno != 0 {
		return
	}
	for n := uintptr(len(room)); errno == 0 && n == uintptr(len(room)); {
		n, _, errno = unix.RawSyscall(unix.SYS_READ, fd, uintptr(unsafe.Pointer(&room[0])), uintptr(len(room)))
	}
	if look {
		unix.RawSyscall(unix.SYS_FSTAT, fd, uintptr(unsafe.Pointer(&p.stat)), 0)
	}
	unix.RawSyscall(unix.SYS_CLOSE, fd, 0, 0)
}
