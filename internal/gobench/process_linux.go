package gobench

import (
	"os/exec"
	"syscall"
)

// withParent ends a process with the thread that started it, so that none is left over by a worker that was
// killed. It stays in the worker's process group, which the laboratory kills whole.
func withParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
