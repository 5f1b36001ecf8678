//go:build unix && !linux

package archivetest

import "syscall"

// attached is how a server is started: a signal of the terminal is not for it.
func attached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
