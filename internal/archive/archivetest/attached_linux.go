package archivetest

import "syscall"

// attached is how a server is started: a signal of the terminal is not for it, and it ends with the tests even where
// these are killed.
func attached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGQUIT}
}
