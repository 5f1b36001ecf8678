//go:build unix

package worker

import (
	"os"
	"os/exec"
	"syscall"

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

// ownGroup puts a worker into a process group of its own, so that Ctrl-C on the
// terminal reaches the laboratory alone, which then ends its workers in order.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a worker and what it started. The group's number is not given
// away while one of its processes lives.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
