//go:build unix

package worker

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a worker into a process group of its own, so that Ctrl-C on the
// terminal reaches the laboratory alone, which then ends its workers in order.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a worker and what it started. The group's number is not given
// away while one of its processes lives.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
