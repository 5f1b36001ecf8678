//go:build unix

package worker

import (
	"os"

	"golang.org/x/sys/unix"
)

// EndWith calls end once the other side of a pipe has gone, whatever the rest of
// the process is doing. It waits in the kernel for the hang-up alone, and so
// sleeps through the requests.
func EndWith(pipe *os.File, end func()) {
	fds := []unix.PollFd{{Fd: int32(pipe.Fd())}}
	go func() {
		for {
			if n, err := unix.Poll(fds, -1); n > 0 || err != unix.EINTR {
				end()
				return
			}
		}
	}()
}
