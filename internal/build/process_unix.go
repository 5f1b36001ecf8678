//go:build unix

package build

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup keeps Ctrl-C on the terminal away from the go command, which is ended in order.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// interrupt asks the go command and the compilers that it started to end.
func interrupt(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }

// killGroup ends what did not listen.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// lock locks a file until it is closed. Processes that this one starts do not hold it.
func lock(f *os.File, how waits) error {
	op := syscall.LOCK_EX
	if how == atOnce {
		op |= syscall.LOCK_NB
	}
	for {
		if err := syscall.Flock(int(f.Fd()), op); err != syscall.EINTR {
			return err
		}
	}
}
