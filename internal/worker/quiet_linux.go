package worker

import (
	"io"
	"os"
	"syscall"
	"unsafe"
)

// Quiet reads a pipe in a way that the runtime does not see. Between two requests
// a worker waits, and when a wait that the runtime sees ends, its monitor thread
// wakes up and looks around every 20 µs for the next milliseconds: 20 % of a
// sample's CPU time, on another thread of the same process. Waiting like this the
// goroutine counts as running and the monitor sleeps on.
//
// The price: a collection that another goroutine asks for waits until the next
// request. A worker has no other goroutine that allocates.
func Quiet(pipe *os.File) io.Reader { return quiet(pipe.Fd()) }

type quiet uintptr

func (fd quiet) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	for {
		n, _, errno := syscall.RawSyscall(syscall.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
		switch {
		case errno == syscall.EINTR:
			continue
		case errno != 0:
			return 0, errno
		case n == 0:
			return 0, io.EOF
		}
		return int(n), nil
	}
}
